// SPDX-License-Identifier: Apache-2.0
#include "paths.h"

#include <stdio.h>
#include <string.h>

int paths_configs(char *buf, char *err, size_t err_size) {
    char home[PATH_SIZE];
    return harness_root(home, err, err_size) ||
                   path_print(buf, err, err_size, "%s/sim/configs", home)
               ? -1
               : 0;
}

int paths_beside(const char *beside, const char *name, char *buf, size_t size) {
    const char *slash = beside ? strrchr(beside, '/') : NULL;
    int dir = slash ? (int)(slash - beside + 1) : 0;
    int len = snprintf(buf, size, "%.*s%s", dir, beside ? beside : "", name);
    return len < 0 || (size_t)len >= size ? -1 : 0;
}
