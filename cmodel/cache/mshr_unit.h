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
#include "config/config.h"
#include "lib/level.h"
#include "mshr/mshr_ports.h"

/* l1d.mshr, l2.mshr */
enum mshr_kind { MSHR_KIND_STATIC, MSHR_KIND_DL, MSHR_KIND_IMPLICIT, MSHR_KIND_UNLIMITED };

struct mshr_geometry {
    enum mshr_kind kind;
    int64_t sets, slots;           /* entries of a static or implicit MSHR; unlimited: unused */
    int64_t word;                  /* implicit only: bytes per slot */
    int64_t reserved, tail, early; /* dl_mshr only */
    int64_t addr_w, off_w, id_w, data_w; /* bits; a line has 2^off_w bytes */
};

/* What the configuration says of the MSHRs of one cache, l1d or l2. addr_bits: of a line number
 * (ADDR_LINE_BITS) or of a sector number. */
#define MSHR_GEOMETRY_OF(cfg, cache, addr_bits, off_bits, id_bits, data_bits)                      \
    {                                                                                              \
        .kind = (enum mshr_kind)(cfg)->cache##_mshr,                                               \
        .sets = (cfg)->cache##_mshr == MSHR_KIND_DL ? (cfg)->cache##_dl_sets                       \
                                                    : (cfg)->cache##_mshr_entries,                 \
        .slots = (cfg)->cache##_mshr == MSHR_KIND_DL ? (cfg)->cache##_dl_slots                     \
                                                     : (cfg)->cache##_mshr_slots,                  \
        .word = (cfg)->cache##_mshr_word, .reserved = (cfg)->cache##_dl_reserved_heads,            \
        .tail = (cfg)->cache##_dl_tail, .early = (cfg)->cache##_dl_early_free,                     \
        .addr_w = (addr_bits), .off_w = (off_bits), .id_w = (id_bits), .data_w = (data_bits),      \
    }

/* Head ids are below this: the size of a table that is indexed by them. */
uint32_t mshr_geometry_heads(const struct mshr_geometry *g);
/* Requests that can be held at a time. */
uint64_t mshr_geometry_requests(const struct mshr_geometry *g);

struct mshr_unit {
    struct block_inst inst; /* owns the model */
    struct mshr_in in;
    struct mshr_out out;
    bool awake;        /* must be stepped even without a valid input */
    bool draining;     /* a RET was accepted, its last response not yet taken */
    uint32_t heads;    /* head ids are below this */
    uint64_t capacity; /* slots, for the utilisation; 0 if unlimited: there is none */
    struct level used; /* requests taken and not yet answered, over this domain's cycles */
};

/* Returns 0, or -1 with one line in err. In reset: the first step has rst = 1. */
int mshr_unit_init(struct mshr_unit *u, const struct mshr_geometry *g, const char *name, char *err,
                   size_t err_size);
void mshr_unit_free(struct mshr_unit *u);

static inline bool mshr_unit_idle(const struct mshr_unit *u) {
    return !u->awake && !u->inst.probe;
}

/* Nothing to do but to refuse again what was refused. */
static inline bool mshr_unit_still(const struct mshr_unit *u) {
    return !u->draining && !u->in.rst && !u->inst.probe;
}

/* One cycle of the block with the inputs in u->in; the valid inputs are cleared again. `cycle`
 * counts up by one with each cycle of the domain. */
void mshr_unit_step(struct mshr_unit *u, uint64_t cycle);

/* The requests that were accepted and not answered. */
static inline uint64_t mshr_unit_used(const struct mshr_unit *u) {
    return u->used.value;
}

#endif
