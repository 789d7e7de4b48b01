/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps the requests stored in a block in one list, whatever their queues, in order of arrival. */
#ifndef MEMTWIN_TESTS_INCOMING_SCOREBOARD_H
#define MEMTWIN_TESTS_INCOMING_SCOREBOARD_H

#include <stdlib.h>

#include "tests/incoming/bench.h"

struct incoming_entry {
    uint64_t addr, id;
    uint64_t due, due_all; /* not used here; for the test's own data */
};

struct scoreboard {
    struct incoming_entry *entry; /* in order of arrival */
    size_t n, room;
};

static inline struct incoming_entry *scoreboard_add(struct scoreboard *s, uint64_t addr,
                                                    uint64_t id) {
    if (s->n == s->room) {
        s->room = s->room ? 2 * s->room : 64;
        s->entry = realloc(s->entry, s->room * sizeof *s->entry);
        assert_non_null(s->entry);
    }
    s->entry[s->n] = (struct incoming_entry){.addr = addr, .id = id};
    return &s->entry[s->n++];
}

/* Removes and returns the oldest request for the line `addr`, which must exist and have this ID. */
static inline struct incoming_entry scoreboard_take(struct scoreboard *s, uint64_t addr,
                                                    uint64_t id) {
    size_t i = 0;
    while (i < s->n && s->entry[i].addr != addr)
        i++;
    assert_true(i < s->n);
    struct incoming_entry e = s->entry[i];
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
