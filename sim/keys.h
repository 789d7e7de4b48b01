/* SPDX-License-Identifier: Apache-2.0 */
/* The keys of a configuration as people are shown them: lists, man pages, completion. */
#ifndef MEMTWIN_SIM_KEYS_H
#define MEMTWIN_SIM_KEYS_H

#include <stddef.h>
#include <stdint.h>

/* A row of a keys.def (config/keys.def says what stands in it). values is set for an ENUM only,
 * text for a STR only. */
struct key_desc {
    const char *section, *name;
    int64_t def, min, max;
    const char *values, *text, *doc;
};
extern const struct key_desc key_table[]; /* ended by a row without a section */

/* The default as text. */
void key_usual(const struct key_desc *k, char *buf, size_t size);

/* "1..64", "static|dl" or "text". */
void key_range(const struct key_desc *k, char *buf, size_t size);

#endif
