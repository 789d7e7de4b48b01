// SPDX-License-Identifier: Apache-2.0
#include "paths.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

int paths_configs(char *buf, char *err, size_t err_size) {
    char home[PATH_SIZE];
    return harness_root(home, err, err_size) ||
                   path_print(buf, err, err_size, "%s/sim/configs", home)
               ? -1
               : 0;
}

bool paths_same(const char *a, const char *b) {
    struct stat sa, sb;
    if (!a || !b)
        return false;
    return strcmp(a, b) == 0 || (is_stdout(a) && is_stdout(b)) ||
           (stat(a, &sa) == 0 && stat(b, &sb) == 0 && sa.st_dev == sb.st_dev &&
            sa.st_ino == sb.st_ino && S_ISREG(sa.st_mode));
}

int paths_beside(const char *beside, const char *name, char *buf, size_t size) {
    const char *slash = beside ? strrchr(beside, '/') : NULL;
    int dir = slash ? (int)(slash - beside + 1) : 0;
    int len = snprintf(buf, size, "%.*s%s", dir, beside ? beside : "", name);
    return len < 0 || (size_t)len >= size ? -1 : 0;
}
