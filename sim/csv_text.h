/* SPDX-License-Identifier: Apache-2.0 */
/* Writes fields of CSV files. All text is valid UTF-8, as in JSON (json.h). */
#ifndef MEMTWIN_SIM_CSV_TEXT_H
#define MEMTWIN_SIM_CSV_TEXT_H

#include <stdio.h>

/* Writes a text as a field, with quotes where CSV needs them. A text that a spreadsheet would run
 * as a formula, such as =1+1, gets an apostrophe at its front. A number such as -1 gets none. */
void csv_put_text(const char *text, FILE *to);

#endif
