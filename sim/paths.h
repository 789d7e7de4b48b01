/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the paths of configurations, and of files in the same folder as another file. */
#ifndef MEMTWIN_SIM_PATHS_H
#define MEMTWIN_SIM_PATHS_H

#include <stddef.h>

#include "os/path.h"

/* Finds the folder of the shipped configurations. buf holds PATH_SIZE bytes. Returns 0, or -1 with
 * one line in err.
 */
int paths_configs(char *buf, struct error *err);

/* Calls `each` for each shipped configuration, sorted by name. doc is the configuration's first
 * line, which describes it. Returns 0, or -1 with one line in err. */
int configs_each(void (*each)(void *ctx, const char *name, const char *doc), void *ctx,
                 struct error *err);

/* Prints "DIR/name" with the folder of the file `sibling`, or "name" if `sibling` is NULL or names
 * no folder. Returns 0, or -1 if the path does not fit. */
int paths_sibling(const char *sibling, const char *name, char *buf, size_t size);

#endif
