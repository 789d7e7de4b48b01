/* SPDX-License-Identifier: Apache-2.0 */
/* Kinds of MSHRs that a cache can have, behind one interface. Each kind has a folder that
 * defines a `struct mshr_kind`, a line in mshr_kinds.def, and a value of the keys l1d.mshr and
 * l2.mshr. */
#ifndef MEMTWIN_MSHR_MSHR_KIND_H
#define MEMTWIN_MSHR_MSHR_KIND_H

#include "config/config.h"
#include "mshr/mshr_ports.h"

/* Values of l1d.mshr and l2.mshr. */
enum {
#define MSHR_KIND(VALUE, name) MSHR_KIND_##VALUE,
#include "mshr/mshr_kinds.def"
#undef MSHR_KIND
    MSHR_KINDS
};

/* Values of l1d.dl_pools and l2.dl_pools. */
enum { MSHR_POOLS_VALUES(VALUE_ENUMERATOR) };

/* Configuration of the MSHRs of one cache, l1d or l2. */
struct mshr_keys {
    const char *section; /* configuration section of the cache, for messages */
    int64_t kind;        /* MSHR_KIND_ */
    int64_t entries,     /* number of entries for kind static */
        slots;           /* number of slots per entry for kind static */
    int64_t lookup;      /* lookup latency in cycles for kind static */
    int64_t dl_sets, dl_slots;
    int64_t dl_reserved_heads, dl_tail, dl_pools;
};

#define MSHR_KEYS_OF(cfg, cache)                                                                   \
    {                                                                                              \
        .section = #cache, .kind = (cfg)->cache##_mshr, .entries = (cfg)->cache##_mshr_entries,    \
        .slots = (cfg)->cache##_mshr_slots, .dl_sets = (cfg)->cache##_dl_sets,                     \
        .dl_slots = (cfg)->cache##_dl_slots,                                                       \
        .dl_reserved_heads = (cfg)->cache##_dl_reserved_heads, .dl_tail = (cfg)->cache##_dl_tail,  \
        .dl_pools = (cfg)->cache##_dl_pools, .lookup = (cfg)->cache##_mshr_lookup,                 \
    }

struct mshr_geometry {
    struct mshr_keys keys;
    int64_t addr_w; /* width of a granule address in bits */
    int64_t off_w,
        id_w;       /* widths of the offset in a granule and of a tag; at most 63 bits in all */
    int64_t data_w; /* width of the write data, 0 for none or a multiple of 256 */
};

/* Layout of a request's payload, from the lowest bit: write data, byte mask, offset in the granule,
 * tag, write flag. Data and mask are whole words, and there may be none. */
struct mshr_payload {
    uint8_t off_w, tag_w;      /* widths in bits */
    uint8_t mask_at, fixed_at; /* words at which the mask and the offset begin */
};

struct mshr_size {
    uint32_t heads; /* maximum number of heads */
    uint32_t slots; /* maximum number of requests per head */
    bool unlimited; /* true if the slots are unlimited and utilization is undefined */
    bool looks;     /* true if a request uses the address of the previous lookup */
};

struct mshr_kind {
    const char *name; /* value of the keys l1d.mshr and l2.mshr */
    /* Returns the type of the block. */
    const struct block_type *(*type)(const struct mshr_geometry *g);
    struct mshr_size (*size)(const struct mshr_geometry *g);
    /* Sets the parameters of the block that are not common (enum mshr_param). The pointer may be
     * NULL. */
    void (*params)(const struct mshr_geometry *g, struct block_params *p);
    /* Checks relations between the kind's keys, even if another kind is chosen. Returns 0, or -1
     * with one line in err. The pointer may be NULL. */
    int (*check)(const struct mshr_keys *k, struct error *err);
};

extern const struct mshr_kind *const mshr_kinds[MSHR_KINDS];

static inline struct mshr_size mshr_size_of(const struct mshr_geometry *g) {
    return mshr_kinds[g->keys.kind]->size(g);
}

/* Returns the maximum number of tracked requests. */
static inline uint64_t mshr_size_requests(const struct mshr_size *size) {
    return (uint64_t)size->heads * size->slots;
}

/* Returns the layout of the payload of this geometry. */
struct mshr_payload mshr_payload_of(const struct mshr_geometry *g);
/* Returns the parameters of the kind's block. */
struct block_params mshr_params_of(const struct mshr_geometry *g);
/* Checks the rules of all kinds. Returns 0, or -1 with one line in err. */
int mshr_check(const struct mshr_keys *k, struct error *err);

#endif
