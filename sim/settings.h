/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the configuration that -c and -s select on a command line. */
#ifndef MEMTWIN_SIM_SETTINGS_H
#define MEMTWIN_SIM_SETTINGS_H

#include <stdbool.h>

#include "config/config.h"
#include "kernel/kernel.h"
#include "options.h"

/* Reads `config` (a name, a path or "-"), sets the keys, and checks that the machine is valid.
 * Returns 0, or -1 with one line in err. */
int settings_read(const char *config, const struct text_list *sets, struct config *cfg,
                  struct config_sources *from, struct error *err);

/* Reads `config` without the check, for callers that set more keys afterwards. */
int settings_load(const char *config, struct config *cfg, struct config_sources *from,
                  struct error *err);

/* Prints a warning if the configuration was imported and has options that ask for what MemTwin
 * lacks: the first one, and how many there are. */
void settings_warn(const char *command, const struct config_sources *from);

/* Returns true if `path` names one of the files that the configuration was read from. */
bool settings_has(const struct config_sources *from, const char *path);

/* Checks that a CTA of the launch fits on an SM. Returns 0, or -1 with one line in err that names
 * the sources of the keys. */
int settings_check_launch(const struct config *cfg, const struct config_sources *from,
                          const struct kernel_launch *launch, struct error *err);

#endif
