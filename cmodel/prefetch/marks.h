/* SPDX-License-Identifier: Apache-2.0 */
/* Which numbers (of pages, blocks, chunks) a choice has met already. */
#ifndef MEMTWIN_PREFETCH_MARKS_H
#define MEMTWIN_PREFETCH_MARKS_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/table.h"

struct marks {
    uint64_t *met; /* owned; by number: the choice that met it last */
    uint32_t room; /* numbers in it */
    uint64_t now;  /* this choice */
};

/* A choice begins: it has met nothing. */
static inline void marks_begin(struct marks *m) {
    m->now++;
}

static inline bool marks_has(const struct marks *m, uint32_t x) {
    return x < m->room && m->met[x] == m->now;
}

/* Meets x. False: it has before. */
static inline bool marks_meet(struct marks *m, uint32_t x) {
    uint64_t *met = m->met = table_reach(m->met, &m->room, x + 1, sizeof *met);
    bool first = met[x] != m->now;
    met[x] = m->now;
    return first;
}

static inline void marks_free(struct marks *m) {
    free(m->met);
}

#endif
