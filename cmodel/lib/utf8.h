/* SPDX-License-Identifier: Apache-2.0 */
/* Finds characters in UTF-8 text. */
#ifndef MEMTWIN_LIB_UTF8_H
#define MEMTWIN_LIB_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define UTF8_MAX 4 /* maximum length of a character in bytes */

/* Returns the length in bytes of the character at `text`, which has n bytes, or 0 if it is
 * malformed. Sets *cut (may be NULL) to true if further bytes could complete it. */
size_t utf8_length(const char *text, size_t n, bool *cut);

/* Returns the code point of the character of `length` bytes at `text`. */
uint32_t utf8_code(const char *text, size_t length);

/* Returns true if the character at `text`, which has n bytes, is a control character, ends a line,
 * changes the direction of writing, has no shape (such as U+200B), or is malformed. Sets *length to
 * its length, which is 1 if it is malformed. */
bool utf8_is_unprintable(const char *text, size_t n, size_t *length);
/* Returns true if no character of `text` is malformed. */
bool utf8_is_valid(const char *text);
/* Returns a copy of `text` in which U+FFFD replaces each byte that is not part of a character. The
 * caller frees it. */
char *utf8_repaired(const char *text);

#endif
