// SPDX-License-Identifier: Apache-2.0
/* blackscholes (CUDA SDK BlackScholes): prices N call and N put options with the Black-Scholes
 * formula, I times.
 *
 * 480 CTAs of 128 threads share the options, with one thread per option. Each option needs three
 * coalesced loads, arithmetic and two coalesced stores.
 *
 * Thread-level accesses: price, strike, years: N I loads each. call, put: N I stores each.
 *
 * The kernel is that of CUDA 3 and 4. Differences from the sample: N (4,000,000 in the sample) and
 * I (512 in the sample). Arithmetic counts are estimates. They include the operations of the
 * formula, plus QUOTIENT for each of two divisions, two reciprocals and a square root, which are
 * correctly rounded.
 */
#include "lane.h"

#include <math.h>
#include <stdlib.h>

#include "lib/alloc.h"

#define BLOCK 128
#define BLOCKS 480
#define RISK_FREE 0.02f
#define VOLATILITY 0.30f
#define QUOTIENT 8 /* number of ALU instructions per division, in addition to one for the SFU */
#define SEED 0xb5c

enum { INDEX, PRICE, STRIKE, YEARS, ROOT, RATIO, D, NORMAL = D + 2, DISCOUNT, RESULT = NORMAL + 2 };

struct blackscholes {
    struct lane_workload base;
    uint64_t n, repeats;
    ARRAY(float) call;
    ARRAY(float) put;
    ARRAY(float) price;
    ARRAY(float) strike;
    ARRAY(float) years;
};

struct option {
    float price, strike, years;
};

struct blackscholes_warp {
    struct warp_head head;
    uint64_t at; /* index of lane 0's option */
    uint32_t k;  /* index of the argument of the distribution, 0 or 1 */
    float call[WARP_LANES], put[WARP_LANES];
    struct option option[WARP_LANES];
};

/* Returns the cumulative normal distribution at d, approximated by a polynomial of degree five. */
static float normal_below(float d) {
    const float k = 1.0f / (1.0f + 0.2316419f * fabsf(d));
    const float a[] = {0.31938153f, -0.356563782f, 1.781477937f, -1.821255978f, 1.330274429f};
    float sum = 0;
    for (unsigned i = 5; i-- > 0;)
        sum = k * (a[i] + sum);
    const float tail = 0.39894228f * expf(-0.5f * d * d) * sum;
    return d > 0 ? 1.0f - tail : tail;
}

/* Computes the prices of the call and of the put option. */
static void value_option(const struct option *o, float *call, float *put) {
    const float deviation = VOLATILITY * sqrtf(o->years);
    const float drift = (RISK_FREE + 0.5f * VOLATILITY * VOLATILITY) * o->years;
    const float d1 = (logf(o->price / o->strike) + drift) / deviation;
    const float below1 = normal_below(d1), below2 = normal_below(d1 - deviation);
    const float discounted = o->strike * expf(-RISK_FREE * o->years);
    *call = o->price * below1 - discounted * below2;
    *put = discounted * (1.0f - below2) - o->price * (1.0f - below1);
}

#define OPTION [w->at + l]
#define INPUTS (R(PRICE) | R(STRIKE) | R(YEARS))
#define RESULTS (R(NORMAL) | R(NORMAL + 1) | R(DISCOUNT) | R(PRICE))

static void blackscholes_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                              struct warp_inst *inst) {
    struct blackscholes *m = ctx;
    struct blackscholes_warp *w = state;
    (void)cta;

    WARP_BEGIN();
    ALU_RUN(8, R(INDEX), 0);
    for (w->at = thread_in_grid(place, BLOCK, 0); w->at < m->n; w->at += BLOCKS * BLOCK) {
        KEEP_LANES(w->at + l < m->n);
        LD(w->option[l].price, m->price, OPTION, R(PRICE), R(INDEX));
        LD(w->option[l].strike, m->strike, OPTION, R(STRIKE), R(INDEX));
        LD(w->option[l].years, m->years, OPTION, R(YEARS), R(INDEX));
        SFU(1, (void)0, R(ROOT), R(YEARS));
        ALU_RUN(QUOTIENT + 1, R(ROOT), R(ROOT)); /* also multiplies by the volatility */
        SFU(1, (void)0, R(RATIO), R(STRIKE));
        ALU_RUN(QUOTIENT, R(RATIO), R(RATIO) | R(PRICE) | R(STRIKE));
        SFU(1, (void)0, R(RATIO), R(RATIO)); /* logarithm */
        ALU_RUN(2, R(RATIO), R(RATIO) | R(YEARS));
        SFU(1, (void)0, R(D), R(ROOT));
        ALU_RUN(QUOTIENT, R(D), R(D) | R(RATIO) | R(ROOT));
        ALU_RUN(1, R(D + 1), R(D) | R(ROOT));
        for (w->k = 0; w->k < 2; w->k++) {
            ALU_RUN(1, R(NORMAL + w->k), R(D + w->k));
            SFU(1, (void)0, R(NORMAL + w->k), R(NORMAL + w->k));
            ALU_RUN(QUOTIENT, R(NORMAL + w->k), R(NORMAL + w->k));
            ALU_RUN(3, R(RESULT), R(D + w->k));
            SFU(1, (void)0, R(RESULT), R(RESULT)); /* exponential */
            ALU_RUN(10, R(NORMAL + w->k), R(NORMAL + w->k) | R(RESULT) | R(D + w->k));
        }
        ALU_RUN(2, R(DISCOUNT), R(YEARS));
        SFU(1, value_option(&w->option[l], &w->call[l], &w->put[l]), R(DISCOUNT), R(DISCOUNT));
        ALU_RUN(1, R(DISCOUNT), R(DISCOUNT) | R(STRIKE));
        ALU_RUN(3, R(RESULT), RESULTS);
        ST(w->call[l], m->call, OPTION, R(RESULT) | R(INDEX));
        ALU_RUN(5, R(RESULT), RESULTS);
        ST(w->put[l], m->put, OPTION, R(RESULT) | R(INDEX));
        ALU_RUN(8, R(INDEX), R(INDEX));
    }
    WARP_END();
}

static bool blackscholes_next(struct workload *w, struct kernel_launch *launch) {
    struct blackscholes *m = (struct blackscholes *)w;
    if (m->base.launched == m->repeats)
        return false;
    m->base.launched++;
    *launch = (struct kernel_launch){
        .name = "blackscholes",
        .grid = {BLOCKS, 1, 1},
        .block = {BLOCK, 1, 1},
        .warp_state_size = sizeof(struct blackscholes_warp),
        .step = blackscholes_step,
        .ctx = m,
    };
    return true;
}

static int blackscholes_verify(struct workload *w, struct error *err) {
    struct blackscholes *m = (struct blackscholes *)w;
    float *call = alloc_array(m->n, sizeof *call), *put = alloc_array(m->n, sizeof *put);
    for (uint64_t i = 0; i < m->n; i++) {
        const struct option o = {m->price.v[i], m->strike.v[i], m->years.v[i]};
        value_option(&o, &call[i], &put[i]);
    }
    int rc = verify_floats("call", m->call.v, call, m->n, err);
    if (rc == 0)
        rc = verify_floats("put", m->put.v, put, m->n, err);
    free(call);
    free(put);
    return rc == 0 ? verify_accesses(w, err) : rc;
}

static bool blackscholes_create(struct workload *w, const uint64_t *v) {
    struct blackscholes *m = (struct blackscholes *)w;
    const uint64_t n = m->n = v[0], accesses = v[0] * v[1];
    m->repeats = v[1];
    m->base.w.launches = m->repeats;
    if (!NEW_ARRAY(m, call, n) || !NEW_ARRAY(m, put, n) || !NEW_ARRAY(m, price, n) ||
        !NEW_ARRAY(m, strike, n) || !NEW_ARRAY(m, years, n))
        return false;
    struct rng r = {SEED};
    rng_fill(&r, m->price.v, n, 5, 30);
    rng_fill(&r, m->strike.v, n, 1, 100);
    rng_fill(&r, m->years.v, n, 0.25f, 10);
    expect_accesses(m->call.dev, 0, accesses);
    expect_accesses(m->put.dev, 0, accesses);
    expect_accesses(m->price.dev, accesses, 0);
    expect_accesses(m->strike.dev, accesses, 0);
    expect_accesses(m->years.dev, accesses, 0);
    return true;
}

const struct workload_type workload_blackscholes = {
    .name = "blackscholes",
    .suite = "CUDA SDK (BlackScholes)",
    .doc = "option prices: streaming, coalesced, three loads, arithmetic, two stores",
    .size_doc = "N[,I]: options, repetitions",
    .default_size = "524288,2",
    .repeatable = true,
    .size = {{"N", 1, 1u << 26}, {"I", 1, 1000}},
    .state_size = sizeof(struct blackscholes),
    .next = blackscholes_next,
    .verify = blackscholes_verify,
    .create = blackscholes_create,
};
