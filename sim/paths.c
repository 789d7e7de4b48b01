// SPDX-License-Identifier: Apache-2.0
#include "paths.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "harness/proc.h"

static bool is_path(const char *config) {
    size_t len = strlen(config);
    return strchr(config, '/') || (len > 4 && strcmp(config + len - 4, ".ini") == 0);
}

int paths_config(const char *config, char *buf, size_t size, char *err, size_t err_size) {
    char home[PATH_SIZE];
    int len;
    if (is_path(config)) {
        len = snprintf(buf, size, "%s", config);
    } else {
        if (harness_root(home, err, err_size))
            return -1;
        len = snprintf(buf, size, "%s/sim/configs/%s.ini", home, config);
    }
    if (len < 0 || (size_t)len >= size) {
        snprintf(err, err_size, "the path of configuration '%.40s...' is too long", config);
        return -1;
    }
    if (access(buf, R_OK) == 0)
        return 0;
    if (is_path(config))
        snprintf(err, err_size, "cannot read configuration %s", config);
    else
        snprintf(err, err_size, "no configuration '%s' (see memtwin list configs)", config);
    return -1;
}

int paths_beside(const char *beside, const char *name, char *buf, size_t size) {
    const char *slash = beside ? strrchr(beside, '/') : NULL;
    int dir = slash ? (int)(slash - beside + 1) : 0;
    int len = snprintf(buf, size, "%.*s%s", dir, beside ? beside : "", name);
    return len < 0 || (size_t)len >= size ? -1 : 0;
}
