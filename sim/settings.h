/* SPDX-License-Identifier: Apache-2.0 */
/* The configuration that a command line asks for: -c and each -s. */
#ifndef MEMTWIN_SIM_SETTINGS_H
#define MEMTWIN_SIM_SETTINGS_H

#include <stdbool.h>

#include "config/config.h"
#include "options.h"

/* Reads `config` (a name, a path or "-"), sets the keys, and checks that such a machine can be. 0,
 * or -1 with one line in err. */
int settings_read(const char *config, const struct text_list *sets, struct config *cfg,
                  struct config_sources *from, char *err, size_t err_size);

/* Only reads it: whether such a machine can be depends on what is set then. */
int settings_load(const char *config, struct config *cfg, struct config_sources *from, char *err,
                  size_t err_size);

/* Is that file one of those that it was read from? */
bool settings_has(const struct config_sources *from, const char *path);

#endif
