// SPDX-License-Identifier: Apache-2.0
/* hybridsort (Rodinia): sorts N numbers R times, first into buckets and then each bucket by
 * merging.
 *
 * `histogram` counts in shared memory and adds to global memory. The host derives 1023 pivots from
 * the histogram. `count`, with CTAs of one warp, finds each number's bucket in ten steps over the
 * pivots, and its rank in the bucket among the numbers of its CTA. `prefix` sums the CTAs' counts,
 * and `scatter` puts the numbers into their buckets, which the host has padded with zeros to a
 * multiple of four. Merging works on fours, i.e. 16 bytes: `first` sorts within them, and each
 * `pass` merges runs twice as long as the previous pass does, two runs per thread, from one array
 * to the other, until one thread merges a whole bucket. `pack` removes the zeros.
 *
 * Thread-level accesses of a round, with B = ceil(N / 4096) CTAs, S the number of elements in the
 * buckets including padding, P passes, and M fours, over all passes, that have a run to merge with:
 *   d_in, d_out  3 N loads of d_in, N stores to d_out; `first`: S / 4 loads of d_out and stores to
 *                d_in; in each pass S / 4 loads and stores, and M more loads over all passes;
 *                `pack`: N of both
 *   hist         64 * 1024 atomics;         pivots: 10 N loads
 *   indice       N loads, N stores;         pref:   2 B * 1024 loads, 2 B * 1024 stores
 *   d_offsets    1024 stores;               l_offsets: B * 1024 loads
 */
#include "lane.h"

#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"

#define BUCKETS 1024
#define STEPS 512 /* twice the first step of the search for a bucket */
#define HIST_BLOCKS 64
#define HIST_BLOCK 96
#define HIST_WARPS (HIST_BLOCK / WARP_LANES)
#define PER_BLOCK 4096 /* number of elements per CTA of `count` and `scatter` */
#define PREFIX_BLOCK 128
#define PASS_BLOCK 208
#define BLOCK 256 /* threads per CTA of `first` and `pack` */
#define SEED 0x45b

/* registers */
enum { INDEX, NUMBER, BIN, PIVOT, COUNT, TO, A, B, NEXT_A, NEXT_B, SUM };

enum hybridsort_stage { HISTOGRAM, COUNT_BUCKETS, PREFIX, SCATTER, FIRST, PASS, PACK };

struct hybridsort_four {
    float f[4];
};

typedef ARRAY(struct hybridsort_four) fours;
typedef ARRAY(uint32_t) counts;

struct hybridsort {
    struct lane_workload base;
    uint64_t n, rounds, round;
    enum hybridsort_stage stage; /* stage of the next launch */
    float low,                   /* lower end of the histogram's first bin */
        scale;                   /* number of histogram bins per unit */
    fours d_in, d_out;
    counts d_offsets, indice;
    ARRAY(float) pivots;
    counts l_offsets, pref, hist;
    fours src, dst; /* arrays of the current launch of `first`, `pass` or `pack` */
    uint64_t run;   /* number of fours that a thread merges in the current pass */
    /* Constants for merging, computed by the host. */
    uint64_t largest;            /* size of the largest bucket in fours, with its padding */
    uint64_t start[BUCKETS + 1], /* start of each padded bucket, in fours */
        packed[BUCKETS + 1];     /* start of each unpadded bucket, in numbers */
};

/* ---- Arithmetic ---- */

static uint32_t bin_of(float low, float scale, float number) {
    const float bin = (number - low) * scale;
    return bin < BUCKETS ? (uint32_t)bin : BUCKETS - 1;
}

static void exchange(float *low, float *high) {
    const float a = *low, b = *high;
    *low = a < b ? a : b;
    *high = a < b ? b : a;
}

static void sort_four(struct hybridsort_four *v) {
    exchange(&v->f[0], &v->f[1]);
    exchange(&v->f[2], &v->f[3]);
    exchange(&v->f[0], &v->f[2]);
    exchange(&v->f[1], &v->f[3]);
    exchange(&v->f[1], &v->f[2]);
}

/* Moves the lower four numbers of two sorted fours to a and the others to b, both sorted. */
static void merge_fours(struct hybridsort_four *a, struct hybridsort_four *b) {
    for (unsigned i = 0; i < 4; i++)
        exchange(&a->f[i], &b->f[3 - i]);
    sort_four(a);
    sort_four(b);
}

/* ---- Kernels ---- */

#define T thread_in_block(place, l)
#define NUMBER_AT(i) [(i) / 4].f[(i) % 4]

/* State of the kernels that fill the buckets. */
struct bucket_warp {
    struct warp_head head;
    uint64_t at;
    uint32_t all, jump;
    float number[WARP_LANES], pivot[WARP_LANES];
    uint32_t bin[WARP_LANES], count[WARP_LANES], value[WARP_LANES], to[WARP_LANES];
};

/* Returns true if the lane's increment of a counter in shared memory succeeds. The original writes
 * the counter with the lane's number in it and retries if it reads back another number, so the last
 * of the lanes with the same counter succeeds. */
static bool gets_through(const struct bucket_warp *w, uint32_t lane) {
    uint32_t above = lane + 1;
    while (above < WARP_LANES && !((w->head.on >> above & 1) && w->bin[above] == w->bin[lane]))
        above++;
    return above == WARP_LANES;
}

struct histogram_block {
    uint32_t count[HIST_WARPS][BUCKETS];
};

#define WARP_COUNT s->count[place->warp]
#define WARP_WORD(bin) (place->warp * BUCKETS + (bin))

static void histogram_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                           struct warp_inst *inst) {
    struct hybridsort *m = ctx;
    struct histogram_block *s = cta;
    struct bucket_warp *w = state;
    const uint64_t first = thread_in_grid(place, HIST_BLOCK, 0);

    WARP_BEGIN();
    ALU_RUN(6, R(INDEX), 0);
    SHARED(BUCKETS / WARP_LANES, (void)0, 0, 0); /* clears the counters */
    BAR();
    for (w->at = first; w->at < m->n; w->at += HIST_BLOCKS * HIST_BLOCK) {
        KEEP_LANES(w->at + l < m->n);
        LD(w->number[l], m->d_in, NUMBER_AT(w->at + l), R(NUMBER), R(INDEX));
        ALU(4, w->bin[l] = bin_of(m->low, m->scale, w->number[l]), R(BIN), R(NUMBER));
        while (w->head.on) {
            SHARED_AT(w->count[l] = WARP_COUNT[w->bin[l]], WARP_WORD(w->bin[l]), R(COUNT), R(BIN));
            ALU_RUN(2, R(COUNT), R(COUNT));
            SHARED_AT(if (gets_through(w, l)) WARP_COUNT[w->bin[l]] = w->count[l] + 1,
                      WARP_WORD(w->bin[l]), 0, R(COUNT) | R(BIN));
            SHARED_AT((void)0, WARP_WORD(w->bin[l]), R(SUM), R(BIN));
            BRANCH(R(SUM) | R(COUNT));
            KEEP_LANES(!gets_through(w, l));
        }
        w->head.on = UINT32_MAX;
    }
    BAR();
    for (w->at = (uint64_t)place->warp * WARP_LANES; w->at < BUCKETS; w->at += HIST_BLOCK) {
        SHARED(3, w->value[l] = s->count[0][w->at + l] + s->count[1][w->at + l], R(SUM), R(INDEX));
        ALU(2, w->value[l] += s->count[2][w->at + l], R(SUM), R(SUM));
        ATOMIC(w->count[l], w->count[l] + w->value[l], m->hist, [w->at + l], 0, R(SUM) | R(INDEX));
    }
    WARP_END();
}

/* Counters of a CTA, one per bucket. In `count`, they count the numbers found. In `scatter`, they
 * give the position of the next number. */
struct bucket_block {
    uint32_t word[BUCKETS];
};

static uint64_t blocks(const struct hybridsort *m) {
    return ceil_div(m->n, PER_BLOCK);
}

/* Returns the index of the next pivot. The search begins at the middle pivot and moves left or
 * right by half the distance each time. */
static uint32_t next_pivot(const struct bucket_warp *w, uint32_t lane) {
    return w->number[lane] < w->pivot[lane] ? w->bin[lane] - w->jump : w->bin[lane] + w->jump;
}

#define BLOCK_PREFIX [place->cta[0] * (uint64_t)BUCKETS + w->at + l]

static void count_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                       struct warp_inst *inst) {
    struct hybridsort *m = ctx;
    struct bucket_block *s = cta;
    struct bucket_warp *w = state;
    const uint64_t first = thread_in_grid(place, WARP_LANES, 0);

    WARP_BEGIN();
    ALU_RUN(6, R(INDEX), 0);
    SHARED(BUCKETS / WARP_LANES, (void)0, 0, 0);
    BAR();
    for (w->at = first; w->at < m->n; w->at += WARP_LANES * blocks(m)) {
        KEEP_LANES(w->at + l < m->n);
        LD(w->number[l], m->d_in, NUMBER_AT(w->at + l), R(NUMBER), R(INDEX));
        ALU(2, w->bin[l] = STEPS - 1, R(BIN), 0);
        LD(w->pivot[l], m->pivots, [w->bin[l]], R(PIVOT), R(BIN));
        for (w->jump = STEPS / 2; w->jump > 0; w->jump /= 2) {
            ALU(4, w->bin[l] = next_pivot(w, l), R(BIN), R(BIN) | R(NUMBER) | R(PIVOT));
            LD(w->pivot[l], m->pivots, [w->bin[l]], R(PIVOT), R(BIN));
        }
        ALU(2, w->bin[l] += w->number[l] >= w->pivot[l], R(BIN), R(BIN) | R(NUMBER) | R(PIVOT));
        w->all = w->head.on;
        while (w->head.on) {
            SHARED_AT(w->count[l] = s->word[w->bin[l]], w->bin[l], R(COUNT), R(BIN));
            ALU_RUN(2, R(COUNT), R(COUNT));
            SHARED_AT(if (gets_through(w, l)) s->word[w->bin[l]] = w->count[l] + 1, w->bin[l], 0,
                      R(COUNT) | R(BIN));
            SHARED_AT((void)0, w->bin[l], R(SUM), R(BIN));
            BRANCH(R(SUM) | R(COUNT));
            KEEP_LANES(!gets_through(w, l));
        }
        w->head.on = w->all;
        ALU_RUN(2, R(COUNT), R(COUNT) | R(BIN));
        ST(w->count[l] * BUCKETS + w->bin[l], m->indice, [w->at + l], R(COUNT) | R(INDEX));
        w->head.on = UINT32_MAX;
    }
    BAR();
    for (w->at = 0; w->at < BUCKETS; w->at += WARP_LANES) {
        SHARED(1, w->value[l] = s->word[w->at + l], R(COUNT), R(INDEX));
        ST(w->value[l], m->pref, BLOCK_PREFIX, R(COUNT) | R(INDEX));
    }
    WARP_END();
}

static void prefix_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                        struct warp_inst *inst) {
    struct hybridsort *m = ctx;
    struct bucket_warp *w = state;
    const uint64_t first = thread_in_grid(place, PREFIX_BLOCK, 0);
    (void)cta;

    WARP_BEGIN();
    ALU(6, w->count[l] = 0, R(INDEX) | R(SUM), 0);
    for (w->at = first; w->at < BUCKETS * blocks(m); w->at += BUCKETS) {
        LD(w->value[l], m->pref, [w->at + l], R(COUNT), R(INDEX));
        ST(w->count[l], m->pref, [w->at + l], R(SUM) | R(INDEX));
        ALU(3, w->count[l] += w->value[l], R(SUM), R(SUM) | R(COUNT));
    }
    ST(w->count[l], m->d_offsets, [first + l], R(SUM) | R(INDEX));
    WARP_END();
}

static void scatter_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                         struct warp_inst *inst) {
    struct hybridsort *m = ctx;
    struct bucket_block *s = cta;
    struct bucket_warp *w = state;
    const uint64_t first = thread_in_grid(place, WARP_LANES, 0);

    WARP_BEGIN();
    ALU_RUN(6, R(INDEX), 0);
    for (w->at = 0; w->at < BUCKETS; w->at += WARP_LANES) {
        LD(w->value[l], m->l_offsets, [w->at + l], R(COUNT), R(INDEX));
        LD(w->to[l], m->pref, BLOCK_PREFIX, R(TO), R(INDEX));
        ALU(1, w->to[l] += w->value[l], R(TO), R(TO) | R(COUNT));
        SHARED(1, s->word[w->at + l] = w->to[l], 0, R(TO) | R(INDEX));
    }
    BAR();
    for (w->at = first; w->at < m->n; w->at += WARP_LANES * blocks(m)) {
        KEEP_LANES(w->at + l < m->n);
        LD(w->number[l], m->d_in, NUMBER_AT(w->at + l), R(NUMBER), R(INDEX));
        LD(w->value[l], m->indice, [w->at + l], R(BIN), R(INDEX));
        SHARED_AT(w->to[l] = s->word[w->value[l] % BUCKETS], w->value[l] % BUCKETS, R(TO), R(BIN));
        ALU(3, w->to[l] += w->value[l] / BUCKETS, R(TO), R(TO) | R(BIN));
        ST(w->number[l], m->d_out, NUMBER_AT(w->to[l]), R(NUMBER) | R(TO));
        w->head.on = UINT32_MAX;
    }
    WARP_END();
}

/* State of the kernels that merge. */
struct hybridsort_merge_warp {
    struct warp_head head;
    uint32_t all, merging;
    uint64_t k;
    uint64_t start[WARP_LANES], end[WARP_LANES];                  /* the lane's two runs */
    uint64_t at_a[WARP_LANES], at_b[WARP_LANES], out[WARP_LANES]; /* in fours */
    struct hybridsort_four a[WARP_LANES], b[WARP_LANES], next_a[WARP_LANES], next_b[WARP_LANES];
    float number[WARP_LANES];
};

static void first_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                       struct warp_inst *inst) {
    struct hybridsort *m = ctx;
    struct hybridsort_merge_warp *w = state;
    const uint64_t first = thread_in_grid(place, BLOCK, 0);
    (void)cta;

    WARP_BEGIN();
    ALU_RUN(4, R(INDEX), 0);
    RETURN_UNLESS(first + l < m->start[BUCKETS]);
    LD(w->a[l], m->src, [first + l], R(A), R(INDEX));
    ALU(20, sort_four(&w->a[l]), R(A), R(A));
    ST(w->a[l], m->dst, [first + l], R(A) | R(INDEX));
    WARP_END();
}

static uint64_t threads_per_bucket(const struct hybridsort *m) {
    return ceil_div(m->largest, m->run);
}

/* Finds the lane's runs: [start, start + run / 2) and from there to `end`. If the lane has no runs,
 * start is not below end. */
static void find_runs(const struct hybridsort *m, struct hybridsort_merge_warp *w, uint64_t thread,
                      uint32_t lane) {
    const uint64_t per = threads_per_bucket(m), bucket = thread / per;
    const uint64_t limit = bucket < BUCKETS ? m->start[bucket + 1] : 0;
    w->start[lane] = bucket < BUCKETS ? m->start[bucket] + thread % per * m->run : 0;
    w->end[lane] = w->start[lane] + m->run < limit ? w->start[lane] + m->run : limit;
    w->at_a[lane] = w->out[lane] = w->start[lane];
    w->at_b[lane] = w->start[lane] + m->run / 2;
}

/* Takes the lane's next four `a` from the run whose next four has the lower first number. Returns
 * false if no four was left in either run. */
static bool advance(const struct hybridsort *m, struct hybridsort_merge_warp *w, uint32_t lane) {
    const bool in_a = w->at_a[lane] + 1 < w->start[lane] + m->run / 2;
    const bool in_b = w->at_b[lane] + 1 < w->end[lane];
    const bool from_a = in_a && (!in_b || w->next_a[lane].f[0] < w->next_b[lane].f[0]);
    w->a[lane] = from_a ? w->next_a[lane] : w->next_b[lane];
    *(from_a ? &w->at_a[lane] : &w->at_b[lane]) += 1;
    w->out[lane]++;
    return in_a || in_b;
}

#define ONE_RUN (w->at_b[l] >= w->end[l])

static void pass_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                      struct warp_inst *inst) {
    struct hybridsort *m = ctx;
    struct hybridsort_merge_warp *w = state;
    const uint64_t first = thread_in_grid(place, PASS_BLOCK, 0);
    (void)cta;

    WARP_BEGIN();
    ALU(16, find_runs(m, w, first + l, l), R(INDEX), 0);
    RETURN_UNLESS(w->start[l] < w->end[l]);
    w->all = w->head.on;
    FIND_LANES(&w->merging, !ONE_RUN);
    w->head.on &= ~w->merging;
    for (w->k = 0; w->head.on; w->k++) {
        LD(w->a[l], m->src, [w->start[l] + w->k], R(A), R(INDEX));
        ST(w->a[l], m->dst, [w->start[l] + w->k], R(A) | R(INDEX));
        ALU_RUN(3, R(INDEX), R(INDEX));
        KEEP_LANES(w->start[l] + w->k + 1 < w->end[l]);
    }
    w->head.on = w->merging;
    LD(w->a[l], m->src, [w->at_a[l]], R(A), R(INDEX));
    LD(w->b[l], m->src, [w->at_b[l]], R(B), R(INDEX));
    while (w->head.on) {
        LD(w->next_a[l], m->src, [w->at_a[l] + 1], R(NEXT_A), R(INDEX));
        LD(w->next_b[l], m->src, [w->at_b[l] + 1], R(NEXT_B), R(INDEX));
        ALU(35, merge_fours(&w->a[l], &w->b[l]), R(A) | R(B), R(A) | R(B));
        ST(w->a[l], m->dst, [w->out[l]], R(A) | R(INDEX));
        ALU_RUN(4, R(A) | R(INDEX), R(INDEX) | R(NEXT_A) | R(NEXT_B));
        KEEP_LANES(advance(m, w, l));
    }
    w->head.on = w->merging;
    ST(w->b[l], m->dst, [w->out[l]], R(B) | R(INDEX));
    WARP_END();
}

static void pack_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                      struct warp_inst *inst) {
    struct hybridsort *m = ctx;
    struct hybridsort_merge_warp *w = state;
    const uint32_t bucket = place->cta[1];
    const uint64_t first = thread_in_grid(place, BLOCK, 0);
    const uint64_t size = m->packed[bucket + 1] - m->packed[bucket];
    const uint64_t from = 4 * m->start[bucket + 1] - size;
    (void)cta;

    WARP_BEGIN();
    ALU_RUN(8, R(INDEX), 0);
    RETURN_UNLESS(first + l < size);
    LD(w->number[l], m->src, NUMBER_AT(from + first + l), R(A), R(INDEX));
    ST(w->number[l], m->dst, NUMBER_AT(m->packed[bucket] + first + l), R(A) | R(INDEX));
    WARP_END();
}

/* ---- Launches ---- */

static void make_numbers(uint64_t n, struct hybridsort_four *v) {
    struct rng r = {SEED};
    for (uint64_t i = 0; i < n; i++)
        v[i / 4].f[i % 4] = rng_unit(&r);
}

static void begin_round(struct hybridsort *m) {
    make_numbers(m->n, m->d_in.v);
    memset(m->hist.v, 0, m->hist.dev->bytes);
    memset(m->d_out.v, 0, m->d_out.dev->bytes);
}

/* Computes pivots with equal numbers of elements between them, assuming that the elements of a bin
 * are evenly spread. */
static void make_pivots(struct hybridsort *m) {
    uint64_t below = 0;
    uint32_t bin = 0;
    for (uint64_t k = 0; k < BUCKETS; k++) {
        const uint64_t want = (k + 1) * m->n / BUCKETS;
        while (bin < BUCKETS - 1 && below + m->hist.v[bin] < want)
            below += m->hist.v[bin++];
        const float part = m->hist.v[bin] ? (float)(want - below) / (float)m->hist.v[bin] : 0;
        m->pivots.v[k] = m->low + ((float)bin + part) / m->scale;
    }
}

static void place_buckets(struct hybridsort *m) {
    m->largest = 0;
    for (unsigned k = 0; k < BUCKETS; k++) {
        const uint64_t size = ceil_div(m->d_offsets.v[k], 4);
        m->l_offsets.v[k] = (uint32_t)(4 * m->start[k]);
        m->start[k + 1] = m->start[k] + size;
        m->packed[k + 1] = m->packed[k] + m->d_offsets.v[k];
        m->largest = size > m->largest ? size : m->largest;
    }
}

/* Performs the host's work before the next launch. */
static void prepare(struct hybridsort *m) {
    if (m->stage == HISTOGRAM)
        begin_round(m);
    else if (m->stage == COUNT_BUCKETS)
        make_pivots(m);
    else if (m->stage == SCATTER)
        place_buckets(m);
    if (m->stage < FIRST)
        return;
    const bool even = m->stage == FIRST || m->src.v == m->d_in.v;
    m->src = even ? m->d_out : m->d_in;
    m->dst = even ? m->d_in : m->d_out;
    m->run = m->stage == FIRST ? 1 : 2 * m->run;
}

/* Returns the stage after the current launch. */
static enum hybridsort_stage next_stage(struct hybridsort *m) {
    if (m->stage == PACK)
        m->round++;
    if (m->stage == PASS)
        return threads_per_bucket(m) > 1 ? PASS : PACK;
    return m->stage == PACK ? HISTOGRAM : m->stage + 1;
}

static bool hybridsort_next(struct workload *w, struct kernel_launch *launch) {
    struct hybridsort *m = (struct hybridsort *)w;
    if (m->round == m->rounds)
        return false;
    prepare(m);
    const uint32_t fours = (uint32_t)ceil_div(m->start[BUCKETS], BLOCK);
    const struct {
        const char *name;
        uint32_t x, y, block, shared;
        void (*step)(void *, const struct warp_place *, void *, void *, struct warp_inst *);
    } kernels[] = {
        [HISTOGRAM] = {"hybridsort histogram", HIST_BLOCKS, 1, HIST_BLOCK,
                       sizeof(struct histogram_block), histogram_step},
        [COUNT_BUCKETS] = {"hybridsort count", (uint32_t)blocks(m), 1, WARP_LANES,
                           sizeof(struct bucket_block), count_step},
        [PREFIX] = {"hybridsort prefix", BUCKETS / PREFIX_BLOCK, 1, PREFIX_BLOCK, 0, prefix_step},
        [SCATTER] = {"hybridsort scatter", (uint32_t)blocks(m), 1, WARP_LANES,
                     sizeof(struct bucket_block), scatter_step},
        [FIRST] = {"hybridsort first", fours, 1, BLOCK, 0, first_step},
        [PASS] = {"hybridsort pass",
                  m->stage == PASS ? (uint32_t)ceil_div(BUCKETS * threads_per_bucket(m), PASS_BLOCK)
                                   : 0,
                  1, PASS_BLOCK, 0, pass_step},
        [PACK] = {"hybridsort pack", (uint32_t)ceil_div(4 * m->largest, BLOCK), BUCKETS, BLOCK, 0,
                  pack_step},
    };
    *launch = (struct kernel_launch){
        .name = kernels[m->stage].name,
        .grid = {kernels[m->stage].x, kernels[m->stage].y, 1},
        .block = {kernels[m->stage].block, 1, 1},
        .shared_bytes = kernels[m->stage].shared,
        .warp_state_size =
            m->stage < FIRST ? sizeof(struct bucket_warp) : sizeof(struct hybridsort_merge_warp),
        .cta_state_size = kernels[m->stage].shared,
        .step = kernels[m->stage].step,
        .ctx = m,
    };
    m->base.launched++;
    m->stage = next_stage(m);
    return true;
}

/* ---- Reference version ---- */

static int by_value(const void *a, const void *b) {
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* Computes the sizes of the buckets between the pivots. */
static void bucket_sizes(const struct hybridsort *m, const float *sorted, int32_t *size) {
    unsigned k = 0;
    for (uint64_t i = 0; i < m->n; i++) {
        while (k < BUCKETS - 1 && sorted[i] >= m->pivots.v[k])
            k++;
        size[k]++;
    }
}

/* Sets the expected access counts from the formulae in the file's header. */
static void hybridsort_expect(struct hybridsort *m, const int32_t *size) {
    const uint64_t n = m->n, words = blocks(m) * BUCKETS, r = m->rounds;
    uint64_t sum = 0, largest = 0, loads[2] = {3 * n, 0}, stores[2] = {0, n};
    for (unsigned k = 0; k < BUCKETS; k++) {
        const uint64_t fours = ceil_div((uint64_t)size[k], 4);
        sum += fours;
        largest = fours > largest ? fours : largest;
    }
    loads[1] += sum; /* `first` */
    stores[0] += sum;
    unsigned from = 0;
    for (uint64_t run = 2, per = 2; per > 1; run *= 2, from = 1 - from) {
        per = ceil_div(largest, run);
        loads[from] += sum;
        stores[1 - from] += sum;
        for (unsigned k = 0; k < BUCKETS;
             k++) { /* all fours of a bucket, except those of a last run without a partner */
            const uint64_t fours = ceil_div((uint64_t)size[k], 4), rest = fours % run;
            loads[from] += rest > run / 2 ? fours : fours - rest;
        }
    }
    loads[from] += n; /* `pack` */
    stores[1 - from] += n;
    expect_accesses(m->d_in.dev, r * loads[0], r * stores[0]);
    expect_accesses(m->d_out.dev, r * loads[1], r * stores[1]);
    expect_accesses(m->d_offsets.dev, 0, r * BUCKETS);
    expect_accesses(m->indice.dev, r * n, r * n);
    expect_accesses(m->pivots.dev, 10 * r * n, 0);
    expect_accesses(m->l_offsets.dev, r * words, 0);
    expect_accesses(m->pref.dev, 2 * r * words, 2 * r * words);
    expect_atomics(m->hist.dev, r * HIST_BLOCKS * BUCKETS);
}

static int compare(struct hybridsort *m, float *v, struct error *err) {
    int32_t hist[BUCKETS] = {0}, size[BUCKETS] = {0};
    const fours *result = m->dst.v == m->d_in.v ? &m->d_in : &m->d_out;
    for (uint64_t i = 0; i < m->n; i++)
        hist[bin_of(m->low, m->scale, v[i])]++;
    if (verify_ints("hist", (const int32_t *)m->hist.v, hist, BUCKETS, err) != 0)
        return -1;
    qsort(v, m->n, sizeof *v, by_value);
    bucket_sizes(m, v, size);
    hybridsort_expect(m, size);
    if (verify_ints("d_offsets", (const int32_t *)m->d_offsets.v, size, BUCKETS, err) != 0)
        return -1;
    return verify_floats(result->dev->name, &result->v[0].f[0], v, m->n, err);
}

static int hybridsort_verify(struct workload *w, struct error *err) {
    struct hybridsort *m = (struct hybridsort *)w;
    struct hybridsort_four *v = alloc_zeroed(ceil_div(m->n, 4), sizeof *v);
    make_numbers(m->n, v);
    int rc = compare(m, &v[0].f[0], err);
    free(v);
    return rc == 0 ? verify_accesses(w, err) : rc;
}

/* ---- Construction ---- */

/* Finds the range of the numbers for the histogram, on the host. */
static void find_range(struct hybridsort *m) {
    float low = m->d_in.v[0].f[0], high = low;
    for (uint64_t i = 0; i < m->n; i++) {
        const float number = m->d_in.v[i / 4].f[i % 4];
        low = number < low ? number : low;
        high = number > high ? number : high;
    }
    m->low = low;
    m->scale = high > low ? BUCKETS / (high - low) : 1;
}

static bool hybridsort_arrays(struct hybridsort *m) {
    const uint64_t fours = ceil_div(m->n, 4) + BUCKETS;
    return NEW_ARRAY(m, d_in, fours) && NEW_ARRAY(m, d_out, fours) &&
           NEW_ARRAY(m, d_offsets, BUCKETS) && NEW_ARRAY(m, indice, m->n) &&
           NEW_ARRAY(m, pivots, BUCKETS) && NEW_ARRAY(m, l_offsets, BUCKETS) &&
           NEW_ARRAY(m, pref, blocks(m) * BUCKETS) && NEW_ARRAY(m, hist, BUCKETS);
}

static bool hybridsort_create(struct workload *w, const uint64_t *v) {
    struct hybridsort *m = (struct hybridsort *)w;
    m->n = v[0];
    m->rounds = v[1];
    m->base.w.once = "each adds to lists, which would overflow";
    if (!hybridsort_arrays(m))
        return false;
    begin_round(m);
    find_range(m);
    return true;
}

const struct workload_type workload_hybridsort = {
    .name = "hybridsort",
    .suite = "Rodinia",
    .doc = "sort: searches over pivots, scatter to 1024 buckets, runs merged 16 B at a time",
    .size_doc = "N[,R]: numbers to sort, repetitions",
    .default_size = "262144,2",
    .size = {{"N", 1, 1u << 26}, {"R", 1, 1000}},
    .state_size = sizeof(struct hybridsort),
    .next = hybridsort_next,
    .verify = hybridsort_verify,
    .create = hybridsort_create,
};
