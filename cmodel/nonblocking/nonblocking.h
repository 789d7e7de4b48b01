/* SPDX-License-Identifier: Apache-2.0 */
/* Non-blocking incoming buffer of an L2 bank (Gu, PhD dissertation, Oregon State University,
 * section 2.3.2, Figure 2.2b). Any entry may go to the bank, in round-robin order. Entries that
 * wait for the same resource as a refused entry are skipped. The buffer has no Verilog module.
 * docs/understand/incoming.md explains the decisions. */
#ifndef MEMTWIN_NONBLOCKING_NONBLOCKING_H
#define MEMTWIN_NONBLOCKING_NONBLOCKING_H

#include <stdbool.h>
#include <stdint.h>

struct nonblocking_entry {
    uint64_t line;
    uint32_t request;
    uint32_t refused; /* latest refusal since the last nonblocking_freed(); 0 if there is none */
};

struct nonblocking {
    struct nonblocking_entry *entry; /* owned; in order of arrival */
    uint32_t count, capacity;        /* current and maximum number of requests */
    uint32_t turn;                   /* index of the entry at which the next search begins */
    bool entry_full; /* true if a new line was refused since the last nonblocking_freed() */
    bool tried;      /* true if the MSHR refused an entry in the last cycle */
};

void nonblocking_init(struct nonblocking *b, uint32_t capacity);
void nonblocking_free(struct nonblocking *b);

static inline bool nonblocking_full(const struct nonblocking *b) {
    return b->count == b->capacity;
}

/* Adds a request. The buffer must not be full. */
void nonblocking_push(struct nonblocking *b, uint32_t request, uint64_t line);
/* Returns the index of the entry at position n of the search. Position 0 is the first. */
static inline uint32_t nonblocking_at(const struct nonblocking *b, uint32_t n) {
    uint32_t i = b->turn + n;
    return i >= b->count ? i - b->count : i;
}
/* True if entry i is the oldest entry for its line. */
bool nonblocking_oldest(const struct nonblocking *b, uint32_t i);
/* Records that the MSHR refused entry i with refusal `why`, which is not 0. `new_line` is true
 * if the refusal is REFUSE_ENTRY_FULL, which affects all new lines. The next search begins after
 * entry i. */
void nonblocking_refused(struct nonblocking *b, uint32_t i, uint32_t why, bool new_line);
/* Removes entry i. */
void nonblocking_take(struct nonblocking *b, uint32_t i);
/* Clears the recorded refusals, because the MSHR may have room for other entries. */
void nonblocking_freed(struct nonblocking *b);

#endif
