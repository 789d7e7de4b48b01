#include "stats/stats.h"

const struct stat_desc stat_table[STAT_COUNT] = {
#define STAT(name, unit, doc) {#name, unit, doc},
#include "stats/stats.def"
#undef STAT
};

static double ratio(uint64_t a, uint64_t b) {
    return b ? (double)a / (double)b : 0.0;
}

double stats_ipc(const struct stats *s) {
    return ratio(s->v[STAT_warp_insts], s->v[STAT_cycles]);
}

double stats_thread_ipc(const struct stats *s) {
    return ratio(s->v[STAT_thread_insts], s->v[STAT_cycles]);
}

double stats_l1d_utilisation(const struct stats *s) {
    return ratio(s->v[STAT_l1d_mshr_slot_cycles], s->v[STAT_l1d_mshr_capacity]);
}

double stats_l2_utilisation(const struct stats *s) {
    return ratio(s->v[STAT_l2_mshr_slot_cycles], s->v[STAT_l2_mshr_capacity]);
}

void stats_difference(struct stats *d, const struct stats *a, const struct stats *b) {
    for (unsigned i = 0; i < STAT_COUNT; i++)
        d->v[i] = a->v[i] - b->v[i];
}
