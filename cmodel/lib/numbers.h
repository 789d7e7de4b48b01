/* SPDX-License-Identifier: Apache-2.0 */
/* Reads lists of numbers from texts such as "5,7". */
#ifndef MEMTWIN_LIB_NUMBERS_H
#define MEMTWIN_LIB_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Value of the word "none" in a list. */
#define NUMBER_NONE UINT32_MAX

/* Reads comma-separated entries. Each is a number from 1 to `max` or, if `none` is true, the word
 * "none". Returns the number of entries, or 0 if the text is malformed or has more than `room`
 * entries. */
uint32_t numbers_read(const char *text, uint32_t max, bool none, uint32_t *number, uint32_t room);
/* Returns the number of entries, which are not checked. */
uint32_t numbers_count(const char *text);
/* Returns the first malformed entry and sets *length to its length. Returns NULL if there is no
 * malformed entry. */
const char *numbers_wrong(const char *text, uint32_t max, bool none, size_t *length);

/* Removes the leading zeros of each entry that is a number, so that equal lists are equal texts. */
void numbers_plain(char *text);

#endif
