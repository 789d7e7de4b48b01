/* An MSHR block as a cache holds it: stepped once a cycle, with what the ports show counted.
 *
 * The cache fills `in`, calls mshr_unit_step once a cycle and acts on `out`. A cycle in which
 * nothing can change (no valid input, no drain, nothing refused before) is not computed unless
 * something watches.
 */
#ifndef MEMTWIN_CACHE_MSHR_UNIT_H
#define MEMTWIN_CACHE_MSHR_UNIT_H

#include <stdbool.h>
#include <stdint.h>

#include "block/block.h"
#include "lib/level.h"
#include "mshr/mshr_ports.h"

struct mshr_geometry {
    bool dl;                       /* dl_mshr, else static_mshr */
    int64_t sets, slots;           /* sets: entries of a static MSHR */
    int64_t reserved, tail, early; /* dl_mshr only */
    int64_t off_w, id_w, data_w;   /* bits */
    int64_t addr_w;                /* bits; 0: ADDR_LINE_BITS */
};

/* What the configuration says of the MSHRs of one cache, l1d or l2. */
#define MSHR_GEOMETRY_OF(cfg, cache, off_bits, id_bits, data_bits)                                 \
    {                                                                                              \
        .dl = (cfg)->cache##_mshr == MSHR_KIND_DL,                                                 \
        .sets = (cfg)->cache##_mshr == MSHR_KIND_DL ? (cfg)->cache##_dl_sets                       \
                                                    : (cfg)->cache##_mshr_entries,                 \
        .slots = (cfg)->cache##_mshr == MSHR_KIND_DL ? (cfg)->cache##_dl_slots                     \
                                                     : (cfg)->cache##_mshr_slots,                  \
        .reserved = (cfg)->cache##_dl_reserved_heads, .tail = (cfg)->cache##_dl_tail,              \
        .early = (cfg)->cache##_dl_early_free, .off_w = (off_bits), .id_w = (id_bits),             \
        .data_w = (data_bits),                                                                     \
    }

struct mshr_unit {
    struct block_inst inst; /* owns the model */
    struct mshr_in in;
    struct mshr_out out;
    bool awake;        /* must be stepped even without a valid input */
    bool draining;     /* a RET was accepted, its last response not yet taken */
    uint64_t capacity; /* slots */
    struct level used; /* requests taken and not yet answered, over this domain's cycles */
};

/* Returns 0, or -1 with one line in err. In reset: the first step has rst = 1. */
int mshr_unit_init(struct mshr_unit *u, const struct mshr_geometry *g, const char *name, char *err,
                   size_t err_size);
void mshr_unit_free(struct mshr_unit *u);

static inline bool mshr_unit_idle(const struct mshr_unit *u) {
    return !u->awake && !u->inst.probe;
}

/* One cycle of the block with the inputs in u->in; the valid inputs are cleared again. `cycle`
 * counts up by one with each cycle of the domain. */
void mshr_unit_step(struct mshr_unit *u, uint64_t cycle);

/* The requests that were accepted and not answered. */
static inline uint64_t mshr_unit_used(const struct mshr_unit *u) {
    return u->used.value;
}

#endif
