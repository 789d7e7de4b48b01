/* SPDX-License-Identifier: Apache-2.0 */
/* "did you mean 'X'?": of the words that there are, the nearest to one that there is not. */
#ifndef MEMTWIN_LIB_GUESS_H
#define MEMTWIN_LIB_GUESS_H

#include <stddef.h>

#define GUESS_MAX 63 /* most characters of a word; longer words get no suggestion */

struct guess {
    const char *word;  /* not owned */
    unsigned distance; /* the next guess must be nearer */
    char best[GUESS_MAX + 1], hint[GUESS_MAX + 32];
};

void guess_begin(struct guess *g, const char *word);
/* The first `length` characters of a word that there is. */
void guess_try(struct guess *g, const char *candidate, size_t length);
/* The same for another name of it: what is offered is `name`. */
void guess_try_other(struct guess *g, const char *candidate, size_t length, const char *name);
/* "; did you mean 'X'?", or "" if nothing is near; in g. */
const char *guess_hint(struct guess *g);

/* Characters to insert, delete, replace or swap with their neighbour; lower and upper case are one.
 * Both texts have at most GUESS_MAX. */
unsigned guess_distance(const char *a, const char *b);

#endif
