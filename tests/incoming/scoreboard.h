/* SPDX-License-Identifier: Apache-2.0 */
/* The requests inside a block, in order of arrival, without regard to queues. */
#ifndef MEMTWIN_TESTS_INCOMING_SCOREBOARD_H
#define MEMTWIN_TESTS_INCOMING_SCOREBOARD_H

#include <stdlib.h>

#include "tests/incoming/bench.h"

struct entry {
    uint64_t addr, id;
    uint64_t due, due_all; /* for the test's own use */
};

struct scoreboard {
    struct entry *entry; /* oldest first */
    size_t n, room;
};

static inline struct entry *scoreboard_add(struct scoreboard *s, uint64_t addr, uint64_t id) {
    if (s->n == s->room) {
        s->room = s->room ? 2 * s->room : 64;
        s->entry = realloc(s->entry, s->room * sizeof *s->entry);
        assert_non_null(s->entry);
    }
    s->entry[s->n] = (struct entry){.addr = addr, .id = id};
    return &s->entry[s->n++];
}

/* The oldest request for this line must be inside and have this id. Takes it out. */
static inline struct entry scoreboard_take(struct scoreboard *s, uint64_t addr, uint64_t id) {
    size_t i = 0;
    while (i < s->n && s->entry[i].addr != addr)
        i++;
    assert_true(i < s->n);
    struct entry e = s->entry[i];
    assert_int_equal(e.id, id);
    s->n--;
    memmove(&s->entry[i], &s->entry[i + 1], (s->n - i) * sizeof *s->entry);
    return e;
}

static inline void scoreboard_clear(struct scoreboard *s) {
    s->n = 0;
}

static inline void scoreboard_free(struct scoreboard *s) {
    free(s->entry);
}

#endif
