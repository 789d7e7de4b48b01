// SPDX-License-Identifier: Apache-2.0
#include "dl_mshr/dl_mshr.h"

#include <inttypes.h>

#include "mshr/mshr_core.h"
#include "mshr/mshr_kind.h"

static const struct param_desc params[DL_MSHR_N_PARAMS] = {
    {"SETS", 64, 2, MSHR_MAX_SETS, "slot sets"},
    {"SLOTS", 4, 1, MSHR_MAX_SLOTS, "slots per set"},
    MSHR_COMMON_PARAMS,
    {"RESERVED_HEADS", 40, 0, MSHR_MAX_SETS - 1,
     "sets that may only be heads; not given: HEADS, half of them if that is SETS"},
    {"TAIL", DL_MSHR_RING, DL_MSHR_WALK, DL_MSHR_RING, "tail found by 0 walk, 1 pointer, 2 ring"},
    {"GATE", 1, 0, 1, "1: only comparators that can match see the request"},
    {"EARLY_FREE", 0, 0, 1, "1: a set is free as soon as it is drained"},
    {"HEADS", 40, 2, MSHR_MAX_SETS,
     "sets that may be heads, the others may only be attached; not given: 5/8 of SETS"},
    {"LOOKUP", 2, 1, 2, "cycles of a lookup; not given: 2 if HEADS is below SETS, else 1"},
};

static const int64_t model_max[DL_MSHR_N_PARAMS] = {
    [MSHR_SETS] = MSHR_CORE_MAX_SETS,
    [DL_MSHR_RESERVED_HEADS] = MSHR_CORE_MAX_SETS - 1,
    [DL_MSHR_HEADS] = MSHR_CORE_MAX_SETS,
};

/* Some sets may only be attached. */
static bool attach_only(const struct block_params *p) {
    return p->v[DL_MSHR_HEADS] < p->v[MSHR_SETS];
}

static bool given(const struct block_params *p, enum dl_mshr_param i) {
    return p->given >> i & 1;
}

static void derive(struct block_params *p) {
    if (!given(p, DL_MSHR_HEADS))
        p->v[DL_MSHR_HEADS] = p->v[MSHR_SETS] < 4 ? 2 : p->v[MSHR_SETS] * 5 / 8;
    if (!given(p, DL_MSHR_RESERVED_HEADS))
        p->v[DL_MSHR_RESERVED_HEADS] = attach_only(p) ? p->v[DL_MSHR_HEADS] : p->v[MSHR_SETS] / 2;
    if (!given(p, DL_MSHR_LOOKUP))
        p->v[DL_MSHR_LOOKUP] = attach_only(p) ? 2 : 1;
}

static const char *illegal_attach_only(const struct block_params *p) {
    if (p->v[DL_MSHR_RESERVED_HEADS] != p->v[DL_MSHR_HEADS])
        return "RESERVED_HEADS must be HEADS, if that is below SETS";
    if (p->v[DL_MSHR_TAIL] != DL_MSHR_RING || p->v[DL_MSHR_GATE] != 1)
        return "TAIL and GATE are options of HEADS equal to SETS";
    return NULL;
}

static const char *illegal(const struct block_params *p) {
    if (p->v[DL_MSHR_RESERVED_HEADS] >= p->v[MSHR_SETS])
        return "RESERVED_HEADS must be below SETS";
    if (p->v[DL_MSHR_HEADS] > p->v[MSHR_SETS])
        return "HEADS must be 2 to SETS";
    if ((p->v[DL_MSHR_LOOKUP] == 2) != attach_only(p))
        return "LOOKUP must be 2 with HEADS below SETS, and 1 without";
    const char *why = attach_only(p) ? illegal_attach_only(p) : NULL;
    return why ? why : mshr_illegal_data_w(p->v[MSHR_DATA_W]);
}

static void *create(const struct block_params *p) {
    const struct mshr_core_geometry g = {
        .sets = (unsigned)p->v[MSHR_SETS],
        .slots = (unsigned)p->v[MSHR_SLOTS],
        .data_w = (unsigned)p->v[MSHR_DATA_W],
        .payload_w = (unsigned)p->v[MSHR_PAYLOAD_W],
        .addr_out = p->v[MSHR_ADDR_OUT],
        .heads_only = (unsigned)p->v[DL_MSHR_RESERVED_HEADS],
        .heads = (unsigned)p->v[DL_MSHR_HEADS],
        .looks = p->v[DL_MSHR_LOOKUP] == 2,
        .walk = p->v[DL_MSHR_TAIL] == DL_MSHR_WALK,
        .early_free = p->v[DL_MSHR_EARLY_FREE],
    };
    return mshr_core_create(&g);
}

const struct block_type dl_mshr_type = {
    .name = "dl_mshr",
    .params = params,
    .n_params = DL_MSHR_N_PARAMS,
    .model_max = model_max,
    .ports = mshr_port_table,
    .n_ports = MSHR_N_PORTS,
    .derive = derive,
    .illegal = illegal,
    .create = create,
    MSHR_CORE_FUNCTIONS,
};

/* ---- as an MSHR of a cache ---- */

static struct mshr_size size(const struct mshr_geometry *g) {
    return (struct mshr_size){.heads = (uint32_t)g->keys.dl_sets,
                              .slots = (uint32_t)g->keys.dl_slots,
                              .looks = g->keys.dl_pools == MSHR_POOLS_SPLIT};
}

static void set_params(const struct mshr_geometry *g, struct block_params *p) {
    bool split = g->keys.dl_pools == MSHR_POOLS_SPLIT;
    p->v[DL_MSHR_RESERVED_HEADS] = g->keys.dl_reserved_heads;
    p->v[DL_MSHR_HEADS] = split ? g->keys.dl_reserved_heads : g->keys.dl_sets;
    p->v[DL_MSHR_LOOKUP] = split ? 2 : 1;
    p->v[DL_MSHR_TAIL] = g->keys.dl_tail;
    p->v[DL_MSHR_GATE] = 1;
    p->v[DL_MSHR_EARLY_FREE] = g->keys.dl_early_free;
}

static int check(const struct mshr_keys *k, char *err, size_t err_size) {
    if (k->kind != MSHR_KIND_DL)
        return 0;
    if (k->dl_reserved_heads >= k->dl_sets)
        return config_refuse(err, err_size,
                             "%s.dl_reserved_heads=%" PRId64 " must be below %s.dl_sets=%" PRId64,
                             k->section, k->dl_reserved_heads, k->section, k->dl_sets);
    if (k->dl_pools == MSHR_POOLS_SPLIT && k->dl_reserved_heads < 2)
        return config_refuse(
            err, err_size,
            "%s.dl_pools=split needs %s.dl_reserved_heads of at least 2, not %" PRId64, k->section,
            k->section, k->dl_reserved_heads);
    if (k->dl_pools == MSHR_POOLS_SPLIT && k->dl_tail != DL_MSHR_RING)
        return config_refuse(err, err_size, "%s.dl_pools=split needs %s.dl_tail=2, not %" PRId64,
                             k->section, k->section, k->dl_tail);
    return 0;
}

const struct mshr_kind mshr_kind_dl = {
    .name = "dl",
    .type = &dl_mshr_type,
    .size = size,
    .params = set_params,
    .check = check,
};
