/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the page of a file of loads (loads.h). */
#ifndef MEMTWIN_SIM_LOADS_PAGE_H
#define MEMTWIN_SIM_LOADS_PAGE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "lib/error.h"

/* True if the path is a regular file that begins as JSON does. */
bool loads_page_is(const char *path);
/* Writes the page. Sets *loads to the number of loads of the run and *kept to the number of those
 * in the page. Returns 0, or -1 with one line in err if the file cannot be read. The caller checks
 * `to` for write errors. */
int loads_page_write(const char *path, FILE *to, uint64_t *loads, uint64_t *kept,
                     struct error *err);

#endif
