// SPDX-License-Identifier: Apache-2.0
#include "settings.h"

#include <stdio.h>
#include <string.h>

#include "gpu/gpu.h"
#include "lib/message.h"
#include "paths.h"

int settings_load(const char *config, struct config *cfg, struct config_sources *from, char *err,
                  size_t err_size) {
    char shipped[PATH_SIZE], why[512];
    /* Without the shipped files, a file that is not based on them can still be read. */
    if (paths_configs(shipped, why, sizeof why))
        shipped[0] = '\0';
    if (config_load(cfg, from, config, shipped, err, err_size) == 0)
        return 0;
    if (!shipped[0] && from->files == 0 && !strchr(config, '/'))
        message_print(err, err_size, "%s", why);
    return -1;
}

int settings_read(const char *config, const struct text_list *sets, struct config *cfg,
                  struct config_sources *from, char *err, size_t err_size) {
    char why[1024];
    if (settings_load(config, cfg, from, err, err_size))
        return -1;
    for (size_t i = 0; i < sets->n; i++)
        if (config_override(cfg, from, sets->text[i], err, err_size))
            return -1;
    if (gpu_check(cfg, why, sizeof why) || config_check_effect(cfg, from, why, sizeof why)) {
        config_add_sources(from, why, sizeof why);
        message_print(err, err_size, "configuration %s: %s", config, why);
        return -1;
    }
    return 0;
}

bool settings_has(const struct config_sources *from, const char *path) {
    for (unsigned i = 0; i < from->files; i++)
        if (paths_same(path, from->file[i].path))
            return true;
    return false;
}
