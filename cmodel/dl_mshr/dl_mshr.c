// SPDX-License-Identifier: Apache-2.0
#include "dl_mshr/dl_mshr.h"

#include <inttypes.h>

#include "dl_mshr_paper/dl_mshr_paper.h"
#include "mshr/mshr_core.h"
#include "mshr/mshr_kind.h"

static const struct param_desc params[DL_MSHR_N_PARAMS] = {
    {"SETS", 64, 3, MSHR_MAX_SETS, "number of slot sets"},
    {"SLOTS", 4, 1, MSHR_MAX_SLOTS, "slots per set"},
    MSHR_COMMON_PARAMS,
    MSHR_ADDR_OUT_PARAM,
    {"HEADS", 40, 2, MSHR_MAX_SETS - 1,
     "number of sets that can be heads, the others can only be attached; default: 5/8 of SETS"},
};

static const int64_t model_max[DL_MSHR_N_PARAMS] = {
    [MSHR_SETS] = MSHR_CORE_MAX_SETS,
    [DL_MSHR_HEADS] = MSHR_CORE_MAX_SETS - 1,
};

static void derive_heads(struct block_params *p) {
    if (!(p->given >> DL_MSHR_HEADS & 1))
        p->v[DL_MSHR_HEADS] = p->v[MSHR_SETS] < 4 ? 2 : p->v[MSHR_SETS] * 5 / 8;
}

static const char *find_illegal(const struct block_params *p) {
    return p->v[DL_MSHR_HEADS] >= p->v[MSHR_SETS] ? "HEADS must be below SETS" : NULL;
}

static void *create_dl_mshr(const struct block_params *p) {
    const struct mshr_core_geometry g = {
        .sets = (unsigned)p->v[MSHR_SETS],
        .slots = (unsigned)p->v[MSHR_SLOTS],
        .payload_w = (unsigned)p->v[MSHR_PAYLOAD_W],
        .addr_out = p->v[DL_MSHR_ADDR_OUT],
        .heads_only = (unsigned)p->v[DL_MSHR_HEADS],
        .heads = (unsigned)p->v[DL_MSHR_HEADS],
        .looks = true,
    };
    return mshr_core_create(&g);
}

#define BLOCK_IN_T struct mshr_in
#define BLOCK_OUT_T struct mshr_out
DL_MSHR_PORTS(BLOCK_PORT_FUNCTIONS)

static const struct port_desc ports[] = {DL_MSHR_PORTS(BLOCK_PORT_ENTRY)};

const struct block_type dl_mshr_type = {
    .name = "dl_mshr",
    .params = params,
    .n_params = DL_MSHR_N_PARAMS,
    .model_max = model_max,
    .ports = ports,
    .n_ports = sizeof ports / sizeof *ports,
    .derive = derive_heads,
    .illegal = find_illegal,
    .create = create_dl_mshr,
    MSHR_CORE_FUNCTIONS,
};

/* ---- interface to a cache ---- */

static struct mshr_size find_size(const struct mshr_geometry *g) {
    return (struct mshr_size){.heads = (uint32_t)g->keys.dl_sets,
                              .slots = (uint32_t)g->keys.dl_slots,
                              .looks = g->keys.dl_pools == MSHR_POOLS_SPLIT};
}

static const struct block_type *find_type(const struct mshr_geometry *g) {
    return g->keys.dl_pools == MSHR_POOLS_SPLIT ? &dl_mshr_type : &dl_mshr_paper_type;
}

static void set_params(const struct mshr_geometry *g, struct block_params *p) {
    if (find_type(g) == &dl_mshr_type) {
        p->v[DL_MSHR_HEADS] = g->keys.dl_reserved_heads;
        return;
    }
    p->v[DL_MSHR_PAPER_RESERVED_HEADS] = g->keys.dl_reserved_heads;
    p->v[DL_MSHR_PAPER_TAIL] = g->keys.dl_tail;
}

static int check_keys(const struct mshr_keys *k, struct error *err) {
    if (k->kind != MSHR_KIND_DL)
        return 0;
    if (k->dl_reserved_heads >= k->dl_sets)
        return error_set(err, "%s.dl_reserved_heads=%" PRId64 " must be below %s.dl_sets=%" PRId64,
                         k->section, k->dl_reserved_heads, k->section, k->dl_sets);
    if (k->dl_pools == MSHR_POOLS_SPLIT && k->dl_reserved_heads < 2)
        return error_set(err,
                         "%s.dl_pools=split needs %s.dl_reserved_heads of at least 2, not %" PRId64,
                         k->section, k->section, k->dl_reserved_heads);
    if (k->dl_pools == MSHR_POOLS_SPLIT && k->dl_tail != DL_MSHR_PAPER_RING)
        return error_set(err, "%s.dl_pools=split needs %s.dl_tail=2, not %" PRId64, k->section,
                         k->section, k->dl_tail);
    return 0;
}

const struct mshr_kind mshr_kind_dl = {
    .name = "dl",
    .type = find_type,
    .size = find_size,
    .params = set_params,
    .check = check_keys,
};
