/* SPDX-License-Identifier: Apache-2.0 */
/* Paths of configurations, and of files beside others. */
#ifndef MEMTWIN_SIM_PATHS_H
#define MEMTWIN_SIM_PATHS_H

#include <stddef.h>

#include "harness/proc.h"

/* Folder of the shipped configurations. buf holds PATH_SIZE bytes. 0, or -1 with one line in err.
 */
int paths_configs(char *buf, char *err, size_t err_size);

/* Calls `each` for each shipped configuration, by name; doc: its first line, which describes it.
 * 0, or -1 with one line in err. */
int configs_each(void (*each)(void *ctx, const char *name, const char *doc), void *ctx, char *err,
                 size_t err_size);

/* Prints "DIR/name" with the folder of the file `beside`, or just "name" if `beside` is NULL or in
 * the current folder. 0, or -1 if it does not fit. */
int paths_beside(const char *beside, const char *name, char *buf, size_t size);

#endif
