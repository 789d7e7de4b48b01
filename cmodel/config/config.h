/* SPDX-License-Identifier: Apache-2.0 */
/* Configuration of a GPU: one declared table of keys (keys.def), files in INI form, overrides. */
#ifndef MEMTWIN_CONFIG_CONFIG_H
#define MEMTWIN_CONFIG_CONFIG_H

#include <stddef.h>
#include <stdint.h>

#define CONFIG_STR_SIZE 96 /* bytes of a STR, with the zero that ends it */

struct config {
#define INT(section, key, def, min, max, doc) int64_t section##_##key;
#define ENUM(section, key, def, values, doc) int64_t section##_##key;
#define STR(section, key, def, doc) char section##_##key[CONFIG_STR_SIZE];
#include "config/keys.def"
#undef INT
#undef ENUM
#undef STR
};

/* All keys at the table's defaults. */
void config_default(struct config *cfg);

/* Reads an INI file over *cfg. Errors: missing file, unknown section or key, a key given twice, not
 * an integer, not one of the values, out of range, an empty or too long string. Returns 0, or -1
 * with "FILE:LINE: what" in err.
 */
int config_load(struct config *cfg, const char *path, char *err, size_t err_size);

/* One "section.key=value" from the command line. Returns 0, or -1 with one line in err. */
int config_set(struct config *cfg, const char *assignment, char *err, size_t err_size);

/* Writes one line about wrong keys to err, for the checks of the rooms. Returns -1. */
int config_refuse(char *err, size_t err_size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Calls `fn` for each key in table order, with its value as text. */
void config_each(const struct config *cfg,
                 void (*fn)(void *ctx, const char *section, const char *key, const char *value,
                            const char *doc),
                 void *ctx);

#endif
