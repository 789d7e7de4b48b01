/* SPDX-License-Identifier: Apache-2.0 */
/* Writes an embedded HTML page (embed.h) with data. */
#ifndef MEMTWIN_SIM_HTML_H
#define MEMTWIN_SIM_HTML_H

#include <stdio.h>

/* Writes the part of the page before its data. Returns the part after the data. */
const char *html_begin(const char *page, FILE *to);

#endif
