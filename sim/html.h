/* SPDX-License-Identifier: Apache-2.0 */
/* Writes an embedded HTML page (embed.h) with data. */
#ifndef MEMTWIN_SIM_HTML_H
#define MEMTWIN_SIM_HTML_H

#include <stdio.h>

/* Writes the part of the page before its data. Returns the part after the data. */
const char *html_begin(const char *page, FILE *to);
/* Writes the page with JSON text as its element `data`. */
void html_with_json(const char *page, const char *json, FILE *to);

#endif
