/* SPDX-License-Identifier: Apache-2.0 */
/* The non-blocking incoming buffer of an L2 bank (Gu, PhD dissertation, Oregon State University,
 * section 2.3.2, Figure 2.2b): any entry may go to the bank, round robin; those that wait for the
 * same resource as one that was refused are passed over. In C only. Decisions:
 * docs/understand/incoming.md.
 */
#ifndef MEMTWIN_NONBLOCKING_NONBLOCKING_H
#define MEMTWIN_NONBLOCKING_NONBLOCKING_H

#include <stdbool.h>
#include <stdint.h>

struct nonblocking_entry {
    uint64_t line;
    uint32_t packet;
    uint32_t refused; /* why the MSHR has refused it since something last came free there; 0: not */
};

struct nonblocking {
    struct nonblocking_entry *entry; /* owned; in order of arrival */
    uint32_t count, capacity;        /* requests */
    uint32_t turn;                   /* entry that is looked at first */
    bool entry_full;                 /* the MSHR has refused a new line, since then */
    bool tried;                      /* it has refused one in the last cycle */
};

void nonblocking_init(struct nonblocking *b, uint32_t capacity);
void nonblocking_free(struct nonblocking *b);

static inline bool nonblocking_full(const struct nonblocking *b) {
    return b->count == b->capacity;
}

/* There is room. */
void nonblocking_push(struct nonblocking *b, uint32_t packet, uint64_t line);
/* The n-th entry (from 0) in the order of the search. */
static inline uint32_t nonblocking_at(const struct nonblocking *b, uint32_t n) {
    uint32_t i = b->turn + n;
    return i >= b->count ? i - b->count : i;
}
/* Whether no older entry has the same line. */
bool nonblocking_oldest(const struct nonblocking *b, uint32_t i);
/* The MSHR has refused entry i. why: not 0; new_line: whether it lacked a free MSHR entry. The next
 * search begins at the entry after i. */
void nonblocking_refused(struct nonblocking *b, uint32_t i, uint32_t why, bool new_line);
/* Entry i is taken. */
void nonblocking_take(struct nonblocking *b, uint32_t i);
/* Something came free in the MSHR. */
void nonblocking_freed(struct nonblocking *b);

#endif
