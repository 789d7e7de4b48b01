/* SPDX-License-Identifier: Apache-2.0 */
/* Prints the report of memtwin run. The report fits on one screen, except with --stats, which adds
 * all statistics by part. */
#ifndef MEMTWIN_SIM_SCREEN_H
#define MEMTWIN_SIM_SCREEN_H

#include <stdbool.h>
#include <stdio.h>

#include "report.h"

#define SCREEN_COLUMNS 80

/* Prints the report. `stats` adds all statistics that are not 0, and `zeros` adds the others too.
 * Uses colors on a terminal that supports them, unless NO_COLOR is set. */
void screen_print(const struct report *r, bool stats, bool zeros, FILE *out);

/* Returns the words for a reason of lost cycles or issue slots, or NULL for other statistics. */
const char *screen_words(enum stat_id id);

#endif
