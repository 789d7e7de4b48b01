/* SPDX-License-Identifier: Apache-2.0 */
/* The kinds of MSHRs that a cache can have, behind one interface. A kind is a room with a `struct
 * mshr_kind`, a line in mshr_kinds.def, and a value of the keys l1d.mshr and l2.mshr.
 */
#ifndef MEMTWIN_MSHR_MSHR_KIND_H
#define MEMTWIN_MSHR_MSHR_KIND_H

#include "config/config.h"
#include "mshr/mshr_ports.h"

/* l1d.mshr, l2.mshr */
enum {
#define MSHR_KIND(VALUE, name) MSHR_KIND_##VALUE,
#include "mshr/mshr_kinds.def"
#undef MSHR_KIND
    MSHR_KINDS
};

/* l1d.dl_pools, l2.dl_pools */
enum { MSHR_POOLS_SHARED, MSHR_POOLS_SPLIT };

/* What the configuration says of the MSHRs of one cache, l1d or l2. */
struct mshr_keys {
    const char *section;    /* the cache's, for messages */
    int64_t kind;           /* MSHR_KIND_ */
    int64_t entries, slots; /* static; entries: implicit too */
    int64_t lookup;         /* static: cycles */
    int64_t word;           /* implicit: bytes per slot */
    int64_t dl_sets, dl_slots;
    int64_t dl_reserved_heads, dl_tail, dl_early_free, dl_pools;
};

#define MSHR_KEYS_OF(cfg, cache)                                                                   \
    {                                                                                              \
        .section = #cache, .kind = (cfg)->cache##_mshr, .entries = (cfg)->cache##_mshr_entries,    \
        .slots = (cfg)->cache##_mshr_slots, .word = (cfg)->cache##_mshr_word,                      \
        .dl_sets = (cfg)->cache##_dl_sets, .dl_slots = (cfg)->cache##_dl_slots,                    \
        .dl_reserved_heads = (cfg)->cache##_dl_reserved_heads, .dl_tail = (cfg)->cache##_dl_tail,  \
        .dl_early_free = (cfg)->cache##_dl_early_free, .dl_pools = (cfg)->cache##_dl_pools,        \
        .lookup = (cfg)->cache##_mshr_lookup,                                                      \
    }

struct mshr_geometry {
    struct mshr_keys keys;
    int64_t addr_w, off_w, id_w, data_w; /* bits; a line has 2^off_w bytes */
};

struct mshr_size {
    uint32_t heads; /* head ids are below this */
    uint32_t slots; /* requests behind a head id; times `heads`: all that can be held */
    bool unlimited; /* the slots stand for any number: there is no utilisation */
    bool looks;     /* a request is for the address that was looked up before it */
};

struct mshr_kind {
    const char *name; /* its value of l1d.mshr and l2.mshr */
    const struct block_type *type;
    struct mshr_size (*size)(const struct mshr_geometry *g);
    /* Sets the parameters of `type` that are no common ones (enum mshr_param). NULL: there are
     * none. */
    void (*params)(const struct mshr_geometry *g, struct block_params *p);
    /* Relations between its keys, asked for whatever kind is chosen. Returns 0, or -1 with one line
     * in err. NULL: there are none. */
    int (*check)(const struct mshr_keys *k, char *err, size_t err_size);
};

extern const struct mshr_kind *const mshr_kinds[MSHR_KINDS];

static inline struct mshr_size mshr_size_of(const struct mshr_geometry *g) {
    return mshr_kinds[g->keys.kind]->size(g);
}

/* Requests that can be held at a time. */
static inline uint64_t mshr_size_requests(const struct mshr_size *size) {
    return (uint64_t)size->heads * size->slots;
}

/* Parameters of the kind's block. */
struct block_params mshr_params_of(const struct mshr_geometry *g);
/* The rules of all kinds. Returns 0, or -1 with one line in err. */
int mshr_check(const struct mshr_keys *k, char *err, size_t err_size);

#endif
