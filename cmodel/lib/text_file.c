// SPDX-License-Identifier: Apache-2.0
#include "lib/text_file.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool is_named_pipe(const char *path) {
    struct stat st;
    char *real = stat(path, &st) == 0 && S_ISFIFO(st.st_mode) ? realpath(path, NULL) : NULL;
    const bool named = real != NULL;
    free(real);
    return named;
}

FILE *text_open(const char *path, const char **why) {
    FILE *f = NULL;
    if (is_named_pipe(path)) {
        errno = EINVAL;
        *why = "a named pipe, not a regular file";
    } else if (!(f = fopen(path, "re"))) {
        *why = strerror(errno);
    }
    return f;
}
