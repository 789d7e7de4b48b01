/* SPDX-License-Identifier: Apache-2.0 */
/* The report that memtwin run prints: one screen, and with --stats all statistics by part. */
#ifndef MEMTWIN_SIM_SCREEN_H
#define MEMTWIN_SIM_SCREEN_H

#include <stdbool.h>
#include <stdio.h>

#include "report.h"

#define SCREEN_COLUMNS 80

/* Prints the report. stats: also all statistics that are not 0; zeros: also those that are 0. Uses
 * colours on a terminal that has them, unless NO_COLOR is set. */
void screen_print(const struct report *r, bool stats, bool zeros, FILE *out);

#endif
