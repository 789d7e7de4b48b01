// SPDX-License-Identifier: Apache-2.0
#include "dl_mshr_paper/dl_mshr_paper.h"

#include "mshr/mshr_core.h"

static const struct param_desc params[DL_MSHR_PAPER_N_PARAMS] = {
    {"SETS", 128, 2, MSHR_MAX_SETS, "number of slot sets"},
    {"SLOTS", 2, 1, MSHR_MAX_SLOTS, "slots per set"},
    MSHR_COMMON_PARAMS,
    {"RESERVED_HEADS", 64, 0, MSHR_MAX_SETS - 1,
     "number of sets that can only be heads; default: SETS / 2"},
    {"TAIL", DL_MSHR_PAPER_RING, DL_MSHR_PAPER_WALK, DL_MSHR_PAPER_RING,
     "how the tail is found: 0 walk, 1 pointer, 2 ring"},
    {"GATE", 1, 0, 1, "1: a comparator gets zeros unless its set can match"},
    {"EARLY_FREE", 0, 0, 1, "1: a set is freed when its last request leaves"},
};

static const int64_t model_max[DL_MSHR_PAPER_N_PARAMS] = {
    [MSHR_SETS] = MSHR_CORE_MAX_SETS,
    [DL_MSHR_PAPER_RESERVED_HEADS] = MSHR_CORE_MAX_SETS - 1,
};

static void derive_reserved_heads(struct block_params *p) {
    if (!(p->given >> DL_MSHR_PAPER_RESERVED_HEADS & 1))
        p->v[DL_MSHR_PAPER_RESERVED_HEADS] = p->v[MSHR_SETS] / 2;
}

static const char *find_illegal(const struct block_params *p) {
    return p->v[DL_MSHR_PAPER_RESERVED_HEADS] >= p->v[MSHR_SETS]
               ? "RESERVED_HEADS must be below SETS"
               : NULL;
}

static void *create_dl_mshr_paper(const struct block_params *p) {
    const struct mshr_core_geometry g = {
        .sets = (unsigned)p->v[MSHR_SETS],
        .slots = (unsigned)p->v[MSHR_SLOTS],
        .payload_w = (unsigned)p->v[MSHR_PAYLOAD_W],
        .heads_only = (unsigned)p->v[DL_MSHR_PAPER_RESERVED_HEADS],
        .heads = (unsigned)p->v[MSHR_SETS],
        .walk = p->v[DL_MSHR_PAPER_TAIL] == DL_MSHR_PAPER_WALK,
        .early_free = p->v[DL_MSHR_PAPER_EARLY_FREE],
    };
    return mshr_core_create(&g);
}

#define BLOCK_IN_T struct mshr_in
#define BLOCK_OUT_T struct mshr_out
DL_MSHR_PAPER_PORTS(BLOCK_PORT_FUNCTIONS)

static const struct port_desc ports[] = {DL_MSHR_PAPER_PORTS(BLOCK_PORT_ENTRY)};

const struct block_type dl_mshr_paper_type = {
    .name = "dl_mshr_paper",
    .params = params,
    .n_params = DL_MSHR_PAPER_N_PARAMS,
    .model_max = model_max,
    .ports = ports,
    .n_ports = sizeof ports / sizeof *ports,
    .derive = derive_reserved_heads,
    .illegal = find_illegal,
    .create = create_dl_mshr_paper,
    MSHR_CORE_FUNCTIONS,
};
