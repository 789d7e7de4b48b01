/* SPDX-License-Identifier: Apache-2.0 */
/* What memtwin run prints for people: one screen, and all statistics by part if they are wanted. */
#ifndef MEMTWIN_SIM_SCREEN_H
#define MEMTWIN_SIM_SCREEN_H

#include <stdbool.h>
#include <stdio.h>

#include "report.h"

#define SCREEN_COLUMNS 80

/* stats: all statistics too, except those that are 0; zeros: those as well. In colour on a
 * terminal that has it, unless NO_COLOR is set. */
void screen_print(const struct report *r, bool stats, bool zeros, FILE *out);

#endif
