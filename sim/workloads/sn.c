// SPDX-License-Identifier: Apache-2.0
/* sn (CUDA SDK sortingNetworks): sorts N = 2^E keys, each with a value, with a bitonic sorting
 * network.
 *
 * CTAs of 512 threads sort runs of 1024 in shared memory, every second one in descending order.
 * Then runs of 2048, 4096 and so on up to N are made by compare-and-exchange over the whole array,
 * one pair per thread, at a distance of half the run's length, which is then halved each time. When
 * pairs are less than 1024 apart, CTAs finish the rest in shared memory.
 *
 * Thread-level accesses, with D = E - 10: there are 1 + D kernels in shared memory and D (D + 1) /
 * 2 in global memory. key and value: N loads by the first kernel, which makes N stores to
 * sorted_key and sorted_value. Each further kernel loads and stores both sorted arrays.
 */
#include "lane.h"

#include <stdlib.h>

#include "lib/alloc.h"

#define RUN_LOG2 10
#define RUN (1u << RUN_LOG2) /* keys per CTA in shared memory */
#define BLOCK (RUN / 2)
#define GLOBAL_BLOCK 256
#define SEED 0x50f

enum { INDEX, KEY, VALUE = KEY + 2 }; /* registers; two of them start at each of KEY and VALUE */

typedef ARRAY(int32_t) int_array;

struct sn {
    struct lane_workload base;
    uint64_t n;
    int_array key, value, sorted_key, sorted_value;
    /* State of the current launch, which compares keys `stride` apart within runs of `length` keys.
     * In shared memory, `stride` is only the first distance. */
    uint64_t length, stride;
    int_array from_key, from_value;
};

/* __shared__ arrays of a CTA. */
struct sn_block {
    int32_t key[RUN], value[RUN];
};

struct sn_warp {
    struct warp_head head;
    uint32_t k;
    uint64_t length, stride;
    int32_t key[2][WARP_LANES], value[2][WARP_LANES];
};

/* Returns the lower index of the pair that the thread compares. */
static uint64_t lower(uint64_t thread, uint64_t stride) {
    return 2 * thread - (thread & (stride - 1));
}

/* Returns true if the thread's run is sorted in ascending order. The order alternates between runs,
 * but the final run of all n keys is ascending. */
static bool upwards(uint64_t n, uint64_t thread, uint64_t length) {
    return length == n || (thread & length / 2) == 0;
}

static bool wrong_order(const struct sn_warp *w, uint32_t l, bool up) {
    return (w->key[0][l] > w->key[1][l]) == up;
}

static void exchange(struct sn_warp *w, uint32_t l) {
    const int32_t key = w->key[0][l], value = w->value[0][l];
    w->key[0][l] = w->key[1][l];
    w->value[0][l] = w->value[1][l];
    w->key[1][l] = key;
    w->value[1][l] = value;
}

#define PAIR (R(KEY) | R(KEY + 1))
#define VALUES (R(VALUE) | R(VALUE + 1))
#define PLACE(k) [lower(first + l, m->stride) + (k)*m->stride]

/* Runs the kernel of one compare-and-exchange over the whole array. */
static void global_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                        struct warp_inst *inst) {
    struct sn *m = ctx;
    struct sn_warp *w = state;
    const uint64_t first = thread_in_grid(place, GLOBAL_BLOCK, 0); /* thread of lane 0 */
    (void)cta;

    WARP_BEGIN();
    ALU_RUN(12, R(INDEX), 0);
    for (w->k = 0; w->k < 2; w->k++) {
        LD(w->key[w->k][l], m->sorted_key, PLACE(w->k), R(KEY + w->k), R(INDEX));
        LD(w->value[w->k][l], m->sorted_value, PLACE(w->k), R(VALUE + w->k), R(INDEX));
    }
    ALU_RUN(5, PAIR | VALUES, PAIR | VALUES);
    KEEP_LANES(wrong_order(w, l, upwards(m->n, first + l, m->length)));
    FOR_LANES(l, w->head.on) {
        exchange(w, l);
    }
    w->head.on = UINT32_MAX;
    for (w->k = 0; w->k < 2; w->k++) {
        ST(w->key[w->k][l], m->sorted_key, PLACE(w->k), R(KEY + w->k) | R(INDEX));
        ST(w->value[w->k][l], m->sorted_value, PLACE(w->k), R(VALUE + w->k) | R(INDEX));
    }
    WARP_END();
}

#define T thread_in_block(place, l)
#define OWN(k) (T + (k)*BLOCK)
#define AT(k) (lower(T, w->stride) + (k)*w->stride)

/* Sorts runs of the launch's `length` within the CTA's 1024 elements. The first kernel also sorts
 * the shorter runs. */
static void shared_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                        struct warp_inst *inst) {
    struct sn *m = ctx;
    struct sn_block *s = cta;
    struct sn_warp *w = state;
    const uint64_t thread = (uint64_t)place->cta[0] * BLOCK; /* first thread of the CTA */
    const uint64_t first = 2 * thread;

    WARP_BEGIN();
    ALU_RUN(8, R(INDEX), 0);
    for (w->k = 0; w->k < 2; w->k++) {
        LD(w->key[w->k][l], m->from_key, [first + OWN(w->k)], R(KEY + w->k), R(INDEX));
        SHARED(1, s->key[OWN(w->k)] = w->key[w->k][l], 0, R(KEY + w->k));
        LD(w->value[w->k][l], m->from_value, [first + OWN(w->k)], R(VALUE + w->k), R(INDEX));
        SHARED(1, s->value[OWN(w->k)] = w->value[w->k][l], 0, R(VALUE + w->k));
    }
    for (w->length = m->length > RUN ? m->length : 2; w->length <= m->length; w->length *= 2) {
        w->stride = w->length > RUN ? BLOCK : w->length / 2;
        for (; w->stride > 0; w->stride /= 2) {
            BAR();
            ALU_RUN(6, R(INDEX), R(INDEX));
            for (w->k = 0; w->k < 2; w->k++)
                SHARED_AT(w->key[w->k][l] = s->key[AT(w->k)], AT(w->k), R(KEY + w->k), R(INDEX));
            BRANCH(PAIR);
            KEEP_LANES(wrong_order(w, l, upwards(m->n, thread + T, w->length)));
            for (w->k = 0; w->k < 2; w->k++)
                SHARED_AT(w->value[w->k][l] = s->value[AT(w->k)], AT(w->k), R(VALUE + w->k),
                          R(INDEX));
            FOR_LANES(l, w->head.on) {
                exchange(w, l);
            }
            for (w->k = 0; w->k < 2; w->k++) {
                SHARED_AT(s->key[AT(w->k)] = w->key[w->k][l], AT(w->k), 0, PAIR | R(INDEX));
                SHARED_AT(s->value[AT(w->k)] = w->value[w->k][l], AT(w->k), 0, VALUES | R(INDEX));
            }
            w->head.on = UINT32_MAX;
        }
    }
    BAR();
    for (w->k = 0; w->k < 2; w->k++) {
        SHARED(1, w->key[w->k][l] = s->key[OWN(w->k)], R(KEY + w->k), R(INDEX));
        ST(w->key[w->k][l], m->sorted_key, [first + OWN(w->k)], R(KEY + w->k) | R(INDEX));
        SHARED(1, w->value[w->k][l] = s->value[OWN(w->k)], R(VALUE + w->k), R(INDEX));
        ST(w->value[w->k][l], m->sorted_value, [first + OWN(w->k)], R(VALUE + w->k) | R(INDEX));
    }
    WARP_END();
}

static bool sn_next(struct workload *w, struct kernel_launch *launch) {
    struct sn *m = (struct sn *)w;
    const bool first = m->base.launched++ == 0;
    if (first) {
        m->length = RUN;
    } else if (m->stride >= RUN) {
        m->stride /= 2;
    } else {
        m->length *= 2;
        m->stride = m->length / 2;
    }
    if (m->length > m->n)
        return false;
    const bool shared = m->stride < RUN;
    m->from_key = first ? m->key : m->sorted_key;
    m->from_value = first ? m->value : m->sorted_value;
    const uint32_t block = shared ? BLOCK : GLOBAL_BLOCK;
    *launch = (struct kernel_launch){
        .name = first    ? "sn sort"
                : shared ? "sn merge shared"
                         : "sn merge",
        .grid = {(uint32_t)(m->n / 2 / block), 1, 1},
        .block = {block, 1, 1},
        .shared_bytes = shared ? sizeof(struct sn_block) : 0,
        .warp_state_size = sizeof(struct sn_warp),
        .cta_state_size = shared ? sizeof(struct sn_block) : 0,
        .step = shared ? shared_step : global_step,
        .ctx = m,
    };
    return true;
}

/* Checks the order. The keys are the numbers 0..N-1, so key k must end at index k. */
static int sn_verify(struct workload *w, struct error *err) {
    struct sn *m = (struct sn *)w;
    int32_t *key = alloc_array(m->n, sizeof *key), *value = alloc_array(m->n, sizeof *value);
    for (uint64_t i = 0; i < m->n; i++) {
        key[m->key.v[i]] = m->key.v[i];
        value[m->key.v[i]] = m->value.v[i];
    }
    int rc = verify_ints("sorted_key", m->sorted_key.v, key, m->n, err);
    if (rc == 0)
        rc = verify_ints("sorted_value", m->sorted_value.v, value, m->n, err);
    free(key);
    free(value);
    return rc == 0 ? verify_accesses(w, err) : rc;
}

/* Generates each key once, in random order. The value is the index. */
static void sn_inputs(struct sn *m) {
    struct rng r = {SEED};
    for (uint64_t i = 0; i < m->n; i++) {
        const uint64_t k = rng_below(&r, i + 1);
        m->key.v[i] = m->key.v[k];
        m->key.v[k] = (int32_t)i;
        m->value.v[i] = (int32_t)i;
    }
}

static bool sn_create(struct workload *w, const uint64_t *v) {
    struct sn *m = (struct sn *)w;
    const uint64_t log2_n = v[0];
    m->n = UINT64_C(1) << log2_n;
    const uint64_t merges =
        (uint64_t)__builtin_ctzll(m->n / RUN); /* merge k, counted from 1, has k + 1 launches */
    m->base.w.launches = 1 + merges * (merges + 3) / 2;
    if (!NEW_ARRAY(m, key, m->n) || !NEW_ARRAY(m, value, m->n) || !NEW_ARRAY(m, sorted_key, m->n) ||
        !NEW_ARRAY(m, sorted_value, m->n))
        return false;
    sn_inputs(m);
    const uint64_t d = log2_n - RUN_LOG2,
                   kernels = d + d * (d + 1) / 2; /* number of kernels after the first */
    expect_accesses(m->key.dev, m->n, 0);
    expect_accesses(m->value.dev, m->n, 0);
    expect_accesses(m->sorted_key.dev, kernels * m->n, (kernels + 1) * m->n);
    expect_accesses(m->sorted_value.dev, kernels * m->n, (kernels + 1) * m->n);
    return true;
}

const struct workload_type workload_sn = {
    .name = "sn",
    .suite = "CUDA SDK (sortingNetworks)",
    .doc = "bitonic sort: exchange passes over keys and values, runs of 1024 in shared memory",
    .size_doc = "E, log2 of the number of keys",
    .default_size = "18",
    .repeatable = true,
    .size = {{"E", RUN_LOG2, 26}},
    .state_size = sizeof(struct sn),
    .next = sn_next,
    .verify = sn_verify,
    .create = sn_create,
};
