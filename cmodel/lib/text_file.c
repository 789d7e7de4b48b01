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

void text_skip_mark(FILE *f) {
    static const unsigned char mark[] = {0xef, 0xbb, 0xbf};
    size_t n = 0;
    int c = 0;
    while (n < sizeof mark && (c = getc(f)) == mark[n])
        n++;
    if (n == sizeof mark)
        return;
    if (c != EOF)
        ungetc(c, f);
    while (n) /* glibc takes back more than one character */
        ungetc(mark[--n], f);
}
