/* SPDX-License-Identifier: Apache-2.0 */
/* The configuration of a command line: -c and each -s. */
#ifndef MEMTWIN_SIM_SETTINGS_H
#define MEMTWIN_SIM_SETTINGS_H

#include <stdbool.h>

#include "config/config.h"
#include "options.h"

/* Reads `config` (a name, a path or "-"), sets the keys, and checks that the machine is possible.
 * 0, or -1 with one line in err. */
int settings_read(const char *config, const struct text_list *sets, struct config *cfg,
                  struct config_sources *from, char *err, size_t err_size);

/* Only reads `config`; keys set later decide whether the machine is possible. */
int settings_load(const char *config, struct config *cfg, struct config_sources *from, char *err,
                  size_t err_size);

/* Whether the configuration was read from this file, among others. */
bool settings_has(const struct config_sources *from, const char *path);

#endif
