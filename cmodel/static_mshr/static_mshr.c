// SPDX-License-Identifier: Apache-2.0
#include "static_mshr/static_mshr.h"

#include "mshr/mshr_core.h"
#include "mshr/mshr_kind.h"

static const struct param_desc params[STATIC_MSHR_N_PARAMS] = {
    {"ENTRIES", 32, 1, MSHR_MAX_SETS, "number of entries"},
    {"SLOTS", 8, 1, MSHR_MAX_SLOTS, "slots per entry"},
    MSHR_COMMON_PARAMS,
    MSHR_ADDR_OUT_PARAM,
    {"LOOKUP", 1, 1, 2, "lookup latency in cycles"},
};

static const int64_t model_max[STATIC_MSHR_N_PARAMS] = {[MSHR_SETS] = MSHR_CORE_MAX_SETS};

/* Creates slot sets that can only be heads, so that no sets are ever linked. */
static void *create_static_mshr(const struct block_params *p) {
    const struct mshr_core_geometry g = {
        .sets = (unsigned)p->v[MSHR_SETS],
        .slots = (unsigned)p->v[MSHR_SLOTS],
        .payload_w = (unsigned)p->v[MSHR_PAYLOAD_W],
        .addr_out = p->v[STATIC_MSHR_ADDR_OUT],
        .heads_only = (unsigned)p->v[MSHR_SETS],
        .heads = (unsigned)p->v[MSHR_SETS],
        .looks = p->v[STATIC_MSHR_LOOKUP] == 2,
    };
    return mshr_core_create(&g);
}

#define BLOCK_IN_T struct mshr_in
#define BLOCK_OUT_T struct mshr_out
STATIC_MSHR_PORTS(BLOCK_PORT_FUNCTIONS)

static const struct port_desc ports[] = {STATIC_MSHR_PORTS(BLOCK_PORT_ENTRY)};

const struct block_type static_mshr_type = {
    .name = "static_mshr",
    .params = params,
    .n_params = STATIC_MSHR_N_PARAMS,
    .model_max = model_max,
    .ports = ports,
    .n_ports = sizeof ports / sizeof *ports,
    .create = create_static_mshr,
    MSHR_CORE_FUNCTIONS,
};

/* ---- interface to a cache ---- */

static const struct block_type *find_type(const struct mshr_geometry *g) {
    (void)g;
    return &static_mshr_type;
}

static struct mshr_size find_size(const struct mshr_geometry *g) {
    return (struct mshr_size){.heads = (uint32_t)g->keys.entries,
                              .slots = (uint32_t)g->keys.slots,
                              .looks = g->keys.lookup == 2};
}

static void set_params(const struct mshr_geometry *g, struct block_params *p) {
    p->v[STATIC_MSHR_LOOKUP] = g->keys.lookup;
}

const struct mshr_kind mshr_kind_static = {
    .name = "static",
    .type = find_type,
    .size = find_size,
    .params = set_params,
};
