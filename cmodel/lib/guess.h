/* SPDX-License-Identifier: Apache-2.0 */
/* Suggests the nearest known word for a misspelled word: "did you mean 'X'?". */
#ifndef MEMTWIN_LIB_GUESS_H
#define MEMTWIN_LIB_GUESS_H

#include <stddef.h>

#define GUESS_MAX 63 /* maximum length of a word; longer words get no suggestion */

struct guess {
    const char *word;  /* not owned */
    unsigned distance; /* only a candidate with a smaller distance is better */
    char best[GUESS_MAX + 1], hint[GUESS_MAX + 32];
};

void guess_begin(struct guess *g, const char *word);
/* Considers a known word: the first `length` characters of `candidate`. */
void guess_try(struct guess *g, const char *candidate, size_t length);
/* Considers an alias of a known word. The suggestion shows `name`. */
void guess_try_other(struct guess *g, const char *candidate, size_t length, const char *name);
/* Returns "; did you mean 'X'?", or "" if no known word is near enough. The text is in g. */
const char *guess_hint(struct guess *g);

/* Returns the edit distance, which is the number of characters to insert, delete, replace or
 * swap with a neighbor, ignoring case. Both texts have at most GUESS_MAX characters. */
unsigned guess_distance(const char *a, const char *b);

#endif
