/* SPDX-License-Identifier: Apache-2.0 */
/* Lists of numbers in text: "5,7". */
#ifndef MEMTWIN_LIB_NUMBERS_H
#define MEMTWIN_LIB_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A number of a list that is `none`. */
#define NUMBER_NONE UINT32_MAX

/* Reads numbers from 1 to `max`, or the word none if `none` is set, with commas between them.
 * Returns how many there are; 0: it is no such list, or has more than `room`. */
uint32_t numbers_read(const char *text, uint32_t max, bool none, uint32_t *number, uint32_t room);
/* The first entry that is no such number, of that length; NULL: there is none. */
const char *numbers_wrong(const char *text, uint32_t max, bool none, size_t *length);

#endif
