// SPDX-License-Identifier: Apache-2.0
#include "settings.h"

#include <stdio.h>
#include <string.h>

#include "gpu/gpu.h"
#include "lib/print.h"
#include "paths.h"
#include "sm/occupancy.h"

int settings_load(const char *config, struct config *cfg, struct config_sources *from,
                  struct error *err) {
    char shipped[PATH_SIZE];
    struct error why;
    /* If the shipped files are missing, configurations that are not based on them can still be
     * read. */
    if (paths_configs(shipped, &why))
        shipped[0] = '\0';
    if (config_load(cfg, from, config, shipped, err) == 0)
        return 0;
    if (!shipped[0] && from->files == 0 && !strchr(config, '/'))
        error_set(err, "%s", why.text);
    return -1;
}

int settings_read(const char *config, const struct text_list *sets, struct config *cfg,
                  struct config_sources *from, struct error *err) {
    struct error why;
    if (settings_load(config, cfg, from, err))
        return -1;
    for (size_t i = 0; i < sets->n; i++)
        if (config_override(cfg, from, sets->text[i], err))
            return -1;
    if (gpu_check(cfg, &why) || config_check_effect(cfg, from, &why)) {
        config_add_sources(from, &why);
        return error_set(err, "configuration %s: %s", config, why.text);
    }
    return 0;
}

void settings_warn(const char *command, const struct config_sources *from) {
    if (from->losses == 1)
        warning_print(command, "not imported: %s", from->loss.text);
    else if (from->losses)
        warning_print(command, "not imported: %s; and %u more options (memtwin config --import)",
                      from->loss.text, from->losses - 1);
}

bool settings_has(const struct config_sources *from, const char *path) {
    for (unsigned i = 0; i < from->files; i++)
        if (paths_same(path, from->file[i].path))
            return true;
    return false;
}

int settings_check_launch(const struct config *cfg, const struct config_sources *from,
                          const struct kernel_launch *launch, struct error *err) {
    struct sm_resources need;
    if (sm_resources_needed(cfg, launch, &need, err) == 0)
        return 0;
    config_add_sources(from, err);
    return -1;
}
