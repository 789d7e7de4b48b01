/* SPDX-License-Identifier: Apache-2.0 */
/* Writes JSON. All JSON of the program is valid UTF-8, whatever bytes its names have, and
 * unprintable characters (lib/utf8.h) are escaped. */
#ifndef MEMTWIN_SIM_JSON_H
#define MEMTWIN_SIM_JSON_H

#include <cjson/cJSON.h>
#include <stdint.h>
#include <stdio.h>

#include "config/config.h"

/* Adds a counter as raw digits, because cJSON numbers are doubles, which are exact only up to
 * 2^53. */
void json_add_count(cJSON *object, const char *name, uint64_t value);
/* Adds the value of the configuration key "section.key": a number if its type is INT, else a text,
 * even if that has only digits. An INT of a study that is a share of a result is a text too. */
void json_add_key(cJSON *object, const char *name, const char *value);

/* Writes a text as a JSON string, safe within a script element. */
void json_put_text(const char *text, FILE *to);
/* Writes a number: null if it is not finite, and a string if the text is no number. */
void json_put_number(const char *text, FILE *to);
/* Returns the text of `root`, which it deletes. The caller frees the text. */
char *json_text(cJSON *root, bool indented);
/* Writes `root`, which it deletes, to a file. Returns 0, or -1 with one line in err. */
int json_write(cJSON *root, const char *path, struct error *err);

#endif
