/* SPDX-License-Identifier: Apache-2.0 */
/* Configuration keys for lists, man pages and completion. */
#ifndef MEMTWIN_SIM_KEYS_H
#define MEMTWIN_SIM_KEYS_H

#include <stddef.h>
#include <stdint.h>

/* A row of a keys.def (explained in config/keys.def). `values` is set only for an ENUM, `text` only
 * for a STR. */
struct key_desc {
    const char *section, *name;
    int64_t def, min, max;
    const char *values, *text, *doc;
};
extern const struct key_desc key_table[]; /* ended by a row without a section */

/* Prints the usual value. */
void key_usual(const struct key_desc *k, char *buf, size_t size);

/* Prints the range: "1..64", "static|dl" or "text". */
void key_range(const struct key_desc *k, char *buf, size_t size);

#endif
