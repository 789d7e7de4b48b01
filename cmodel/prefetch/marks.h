/* SPDX-License-Identifier: Apache-2.0 */
/* Set of the pages, blocks or chunks that the current choice has visited, as numbers. */
#ifndef MEMTWIN_PREFETCH_MARKS_H
#define MEMTWIN_PREFETCH_MARKS_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/table.h"

struct prefetch_marks {
    uint64_t *met; /* owned; for each number, the value of `now` when it was last visited */
    uint32_t room; /* number of elements in `met` */
    uint64_t now;  /* number of choices begun so far, including the current one */
};

/* Begins a choice with an empty set. */
static inline void marks_begin(struct prefetch_marks *m) {
    m->now++;
}

static inline bool marks_has(const struct prefetch_marks *m, uint32_t x) {
    return x < m->room && m->met[x] == m->now;
}

/* Adds x. Returns false if it was already in the set. */
static inline bool marks_meet(struct prefetch_marks *m, uint32_t x) {
    uint64_t *met = m->met = table_reach(m->met, &m->room, x + 1, sizeof *met);
    bool first = met[x] != m->now;
    met[x] = m->now;
    return first;
}

static inline void marks_free(struct prefetch_marks *m) {
    free(m->met);
}

#endif
