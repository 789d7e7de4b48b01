/* SPDX-License-Identifier: Apache-2.0 */
/* Describes the configuration keys for lists, man pages and shell completion. */
#ifndef MEMTWIN_SIM_KEYS_H
#define MEMTWIN_SIM_KEYS_H

#include <stddef.h>
#include <stdint.h>

/* Row of a keys.def (see config/keys.def). `values` is set only for an ENUM, `text` only for a
 * STR. */
struct key_desc {
    const char *section, *name;
    int64_t def, min, max;
    const char *values, *text, *doc;
    const char *needs; /* condition under which the key is read; NULL if always */
};
extern const struct key_desc key_table[]; /* ended by a row without a section */

/* Prints the default value. */
void key_default(const struct key_desc *k, char *buf, size_t size);

/* Prints the range of values: "1..64", "static|dl" or "text". */
void key_range(const struct key_desc *k, char *buf, size_t size);

#endif
