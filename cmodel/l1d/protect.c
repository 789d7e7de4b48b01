// SPDX-License-Identifier: Apache-2.0
#include "l1d/protect.h"

#include <stdlib.h>

int protect_init(struct protect *p, const struct lines *t, uint32_t distance) {
    p->distance = distance;
    if (!distance)
        return 0;
    p->turn = calloc(t->sets, sizeof *p->turn);
    p->until = calloc(lines_count(t), sizeof *p->until);
    return p->turn && p->until ? 0 : -1;
}

void protect_free(struct protect *p) {
    free(p->turn);
    free(p->until);
}

uint32_t protect_victim(const struct protect *p, const struct lines *t, uint32_t set) {
    uint32_t way = lines_victim(t, set);
    if (!p->distance || way == WAY_NONE || t->line[way] == LINE_NONE)
        return way;
    return p->turn[set] < p->until[way] ? WAY_NONE : way;
}
