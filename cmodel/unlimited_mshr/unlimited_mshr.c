// SPDX-License-Identifier: Apache-2.0
#include "unlimited_mshr/unlimited_mshr.h"

#include "mshr/mshr_core.h"
#include "mshr/mshr_kind.h"

static const struct param_desc params[MSHR_N_COMMON] = {
    {"HEADS", UNLIMITED_MSHR_HEADS, 2, MSHR_CORE_MAX_SETS,
     "number of slot sets, each of which can be a head"},
    {"SLOTS", UNLIMITED_MSHR_SLOTS, 1, MSHR_MAX_SLOTS, "slots per set"},
    MSHR_COMMON_PARAMS,
};

/* Creates the pool. The lowest-numbered free set is used first, so most of the host memory that is
 * allocated for the pool is never touched. */
static void *create_unlimited_mshr(const struct block_params *p) {
    const struct mshr_core_geometry g = {
        .sets = (unsigned)p->v[MSHR_SETS],
        .slots = (unsigned)p->v[MSHR_SLOTS],
        .payload_w = (unsigned)p->v[MSHR_PAYLOAD_W],
        .heads = (unsigned)p->v[MSHR_SETS],
    };
    return mshr_core_create(&g);
}

const struct block_type unlimited_mshr_type = {
    .name = "unlimited_mshr",
    .params = params,
    .n_params = MSHR_N_COMMON,
    .create = create_unlimited_mshr,
    MSHR_CORE_FUNCTIONS,
};

/* ---- interface to a cache ---- */

static const struct block_type *find_type(const struct mshr_geometry *g) {
    (void)g;
    return &unlimited_mshr_type;
}

static struct mshr_size find_size(const struct mshr_geometry *g) {
    (void)g;
    return (struct mshr_size){UNLIMITED_MSHR_HEADS, UNLIMITED_MSHR_SLOTS, .unlimited = true};
}

const struct mshr_kind mshr_kind_unlimited = {
    .name = "unlimited",
    .type = find_type,
    .size = find_size,
};
