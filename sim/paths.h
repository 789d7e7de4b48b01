/* SPDX-License-Identifier: Apache-2.0 */
/* Where things lie: configurations, files beside others. */
#ifndef MEMTWIN_SIM_PATHS_H
#define MEMTWIN_SIM_PATHS_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/proc.h"

/* Folder of the shipped configurations. buf holds PATH_SIZE bytes. 0, or -1 with one line in err.
 */
int paths_configs(char *buf, char *err, size_t err_size);

/* Both mean one file that exists, or standard output, or are the same text. NULL is no file. */
bool paths_same(const char *a, const char *b);

/* "DIR/name", DIR being the folder of the file `beside`; just "name" if beside is NULL or in the
 * current folder. 0, or -1 if it does not fit. */
int paths_beside(const char *beside, const char *name, char *buf, size_t size);

/* Whether both names mean one file that exists, or are the same text. NULL: no name. */
bool paths_same(const char *a, const char *b);

#endif
