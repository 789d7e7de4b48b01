// SPDX-License-Identifier: Apache-2.0
#include "nonblocking/nonblocking.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"

void nonblocking_init(struct nonblocking *b, uint32_t capacity) {
    memset(b, 0, sizeof *b);
    b->entry = alloc_zeroed(capacity, sizeof *b->entry);
    b->capacity = capacity;
}

void nonblocking_free(struct nonblocking *b) {
    free(b->entry);
    memset(b, 0, sizeof *b);
}

void nonblocking_push(struct nonblocking *b, uint32_t request, uint64_t line) {
    assert(!nonblocking_full(b));
    b->entry[b->count++] = (struct nonblocking_entry){line, request, 0};
}

bool nonblocking_oldest(const struct nonblocking *b, uint32_t i) {
    for (uint32_t older = 0; older < i; older++)
        if (b->entry[older].line == b->entry[i].line)
            return false;
    return true;
}

void nonblocking_refused(struct nonblocking *b, uint32_t i, uint32_t why, bool new_line) {
    b->entry[i].refused = why;
    b->entry_full |= new_line;
    b->tried = true;
    b->turn = i + 1 == b->count ? 0 : i + 1;
}

void nonblocking_take(struct nonblocking *b, uint32_t i) {
    assert(i < b->count);
    b->count--;
    memmove(&b->entry[i], &b->entry[i + 1], (b->count - i) * sizeof *b->entry);
    b->turn = i == b->count ? 0 : i; /* the next entry has moved to index i */
}

void nonblocking_freed(struct nonblocking *b) {
    b->entry_full = false;
    for (uint32_t i = 0; i < b->count; i++)
        b->entry[i].refused = 0;
}
