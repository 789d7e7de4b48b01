/* SPDX-License-Identifier: Apache-2.0 */
/* Suggests the nearest known word for a misspelled word: "did you mean 'X'?". A known word with the
 * same first part (up to a "_" or ".") is preferred, and parts in its middle may be left out:
 * l1d_misses suggests l1d_primary_misses, not tlb_misses. */
#ifndef MEMTWIN_LIB_GUESS_H
#define MEMTWIN_LIB_GUESS_H

#include <stdbool.h>
#include <stddef.h>

#define GUESS_MAX 63 /* maximum length of a word; longer words get no suggestion */

struct guess {
    const char *word;  /* not owned */
    unsigned limit;    /* only candidates with a smaller distance are near enough */
    unsigned distance; /* that of the best candidate; `limit` before there is one */
    bool akin;         /* true if the best candidate has the word's first part */
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
