// SPDX-License-Identifier: Apache-2.0
/* radixsort (CUDA SDK radixSortThrust): sorts N keys of 32 bits, each with a value, by the radix
 * sort of Thrust 1.4 (CUDA 4).
 *
 * Eight passes of four bits each move keys to alt_keys and back. The keys are divided, in tiles of
 * 512, among at most 418 CTAs of 128 threads. In kernel `count`, a CTA counts its keys per digit,
 * in bytes of shared memory that are summed after every 32 keys of a thread. In kernel `scan`, one
 * CTA turns the 16 counts of all CTAs (spine) into exclusive prefix sums, and the other CTAs
 * return. In kernel `scatter`, a CTA ranks each tile's keys by digit, exchanges keys, then values,
 * in shared memory, and stores them in runs of equal digits. A flag selects the array that the next
 * pass reads.
 *
 * Thread-level accesses, with B = min(418, N / 512) CTAs and S = 16 B rounded up to 512: keys,
 * alt_keys: 6 N loads (N / 2 per pass are of 8 bytes) and 4 N stores each. values, alt_values: 2 N
 * loads of 8 bytes and 4 N stores each. spine: in each pass S / 4 loads and stores of 16 bytes, 32
 * B - 16 loads, 16 B stores. from_alt_storage: 144 B loads in each pass but the first, 16 stores in
 * each pass.
 *
 * The parameters are Thrust's for Fermi, and the tiles are those of a 64-bit system. Differences
 * from the original: the original takes any N, with a bounds-checked last tile, skips a pass in
 * which all keys have the same digit, and sorts 100 times. Bank conflicts of flags and of the
 * exchange are counted.
 */
#include "lane.h"

#include <stdlib.h>

#include "lib/alloc.h"

#define BLOCK 128
#define BLOCKS 418 /* maximum number of CTAs */
#define TILE 512
#define BITS 4
#define DIGITS (1 << BITS)
#define PASSES (32 / BITS)
#define ROWS (DIGITS / 4) /* rows of counters, four digits each */
#define BATCH 8           /* keys loaded at a time while at least ROUND remain */
#define ROUND 32          /* keys per thread before its bytes are summed */
#define PER_THREAD (TILE / BLOCK)
#define SETS 2              /* pairs of keys per thread */
#define LANE_WORDS (4 * 33) /* flags of four digits: four rows, padded */
/* Number of bytes of shared memory of kernel `scatter`. Thrust pads the other kernels to the same
 * size. Contents: flags of two sets, scans of 8 fours of digits, carries, digits' scan and counts,
 * three scalars. */
#define SHARED_BYTES                                                                               \
    (4 * (SETS * ROWS * LANE_WORDS + 8 * 3 * 8 + DIGITS + 2 * DIGITS + 2 * DIGITS + 3))
#define SEED 0x4ad

enum { INDEX, FLAG, COUNT, OTHER, RANK, KEY = RANK + SETS, OUT = KEY + BATCH }; /* registers */

struct radixsort_pair {
    uint32_t v[2];
};
struct radixsort_four {
    uint32_t v[4];
};

typedef ARRAY(struct radixsort_pair) pair_array;

struct radixsort {
    struct lane_workload base;
    uint64_t n, blocks;
    pair_array keys, values, alt_keys, alt_values;
    ARRAY(struct radixsort_four) spine; /* [DIGITS][blocks] */
    ARRAY(uint8_t) from_alt_storage;
    uint64_t spine_fours; /* a multiple of BLOCK */
    /* State of the current pass. */
    uint32_t pass;
    pair_array from_keys, from_values, to_keys, to_values;
};

static uint32_t digit_of(const struct radixsort *m, uint32_t key) {
    return key >> (BITS * m->pass) & (DIGITS - 1);
}

/* Returns the first tile of a CTA. The first CTAs have one tile more than the others. */
static uint64_t first_tile(const struct radixsort *m, uint64_t block) {
    const uint64_t tiles = m->n / TILE, more = tiles % m->blocks;
    return block * (tiles / m->blocks) + (block < more ? block : more);
}

#define T thread_in_block(place, l)
#define ELEMENT(i) [(i) / 2].v[(i) % 2]
#define SPINE(block) [(m->blocks * T + (block)) / 4].v[(m->blocks * T + (block)) % 4]

/* Issues the instructions of one step of a sum over threads in shared memory. The values are
 * computed elsewhere. */
#define SUM_STEP()                                                                                 \
    do {                                                                                           \
        SHARED(1, (void)0, R(OTHER), R(INDEX));                                                    \
        ALU_RUN(1, R(COUNT), R(COUNT) | R(OTHER));                                                 \
        SHARED(1, (void)0, 0, R(COUNT) | R(INDEX));                                                \
    } while (0)

/* ---- Kernel `count` ---- */

struct radixsort_count_block {
    uint32_t counters[ROWS][BLOCK]; /* per thread, one byte for each digit */
    uint32_t total[DIGITS];
};

struct radixsort_count_warp {
    struct warp_head head;
    uint32_t done, loads, batch, k, step; /* `done` and `loads` are numbers of keys per thread */
    uint64_t first;
    uint32_t key[BATCH][WARP_LANES], count[4][WARP_LANES];
    uint8_t flag[WARP_LANES];
};

static void clear_counters(struct radixsort_count_block *s, uint32_t thread) {
    for (uint32_t row = 0; row < ROWS; row++)
        s->counters[row][thread] = 0;
}

static void count_digit(struct radixsort_count_block *s, uint32_t thread, uint32_t digit) {
    s->counters[digit / 4][thread] += 1u << (8 * (digit % 4));
}

/* Sums the counters. A warp sums a row, and each lane sums the counters of four threads. */
static void sum_counters(const struct radixsort_count_block *s, struct radixsort_count_warp *w,
                         uint32_t row, uint32_t lane) {
    for (uint32_t i = lane; i < BLOCK; i += WARP_LANES)
        for (uint32_t k = 0; k < 4; k++)
            w->count[k][lane] += s->counters[row][i] >> (8 * k) & 0xff;
}

static void count_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                       struct warp_inst *inst) {
    struct radixsort *m = ctx;
    struct radixsort_count_block *s = cta;
    struct radixsort_count_warp *w = state;

    WARP_BEGIN();
    ALU_RUN(14, R(INDEX), 0);
    if (m->pass > 0) {
        LD(w->flag[l], m->from_alt_storage, [m->pass % 2], R(FLAG), R(INDEX));
        BRANCH(R(FLAG));
    }
    SHARED(ROWS, clear_counters(s, T), 0, R(INDEX));
    ALU_RUN(4, R(COUNT), 0);
    w->first = first_tile(m, place->cta[0]) * TILE;
    w->loads = (uint32_t)((first_tile(m, place->cta[0] + 1) * TILE - w->first) / BLOCK);
    for (;;) {
        w->batch = w->done == w->loads ? 0 : w->done < w->loads / ROUND * ROUND ? BATCH : 1;
        for (w->k = 0; w->k < w->batch; w->k++) {
            if (w->k == BATCH / 2)
                BAR();
            LD(w->key[w->k][l], m->from_keys,
               ELEMENT(w->first + (w->done + w->k) * (uint64_t)BLOCK + T), R(KEY + w->k), R(INDEX));
        }
        for (w->k = 0; w->k < w->batch; w->k++) {
            ALU_RUN(4, R(OTHER), R(KEY + w->k));
            SHARED(1, (void)0, R(FLAG), R(OTHER));
            ALU_RUN(1, R(FLAG), R(FLAG) | R(OTHER));
            SHARED(1, count_digit(s, T, digit_of(m, w->key[w->k][l])), 0, R(FLAG) | R(OTHER));
        }
        w->done += w->batch;
        if (w->batch == 1 || (w->batch > 0 && w->done % ROUND != 0))
            continue;
        BAR();
        SHARED(BLOCK / WARP_LANES, sum_counters(s, w, place->warp, l), R(OTHER), R(INDEX));
        ALU_RUN(28, R(COUNT), R(COUNT) | R(OTHER));
        if (w->batch == 0)
            break;
        BAR();
        SHARED(ROWS, clear_counters(s, T), 0, R(INDEX));
    }
    for (w->k = 0; w->k < 4; w->k++) {
        SHARED(1, s->total[4 * place->warp + w->k] += w->count[w->k][l], 0, R(COUNT) | R(INDEX));
        for (w->step = WARP_LANES / 2; w->step > 0; w->step /= 2)
            SUM_STEP();
    }
    BAR();
    KEEP_LANES(T < DIGITS);
    SHARED(1, w->count[0][l] = s->total[T], R(COUNT), R(INDEX));
    ST(w->count[0][l], m->spine, SPINE(place->cta[0]), R(COUNT) | R(INDEX));
    WARP_END();
}

/* ---- Kernel `scan` ---- */

struct radixsort_scan_block {
    uint32_t sum[BLOCK], before; /* `before` is the sum over all earlier rounds */
};

struct radixsort_scan_warp {
    struct warp_head head;
    uint32_t k;
    uint64_t at;
    struct radixsort_four four[WARP_LANES];
};

static uint32_t sum_of(const struct radixsort_four *f) {
    return f->v[0] + f->v[1] + f->v[2] + f->v[3];
}

/* Replaces n sums with exclusive prefix sums. *before is the sum before the first element. On
 * return, it is the sum before the next round. */
static void scan_sums(uint32_t *sum, uint32_t n, uint32_t *before) {
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t own = sum[i];
        sum[i] = *before;
        *before += own;
    }
}

static void scan_four(struct radixsort_four *f, uint32_t before) {
    scan_sums(f->v, 4, &before);
}

static void scan_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                      struct warp_inst *inst) {
    struct radixsort *m = ctx;
    struct radixsort_scan_block *s = cta;
    struct radixsort_scan_warp *w = state;

    WARP_BEGIN();
    ALU_RUN(8, R(INDEX), 0);
    RETURN_UNLESS(place->cta[0] == 0);
    for (w->at = 0; w->at < m->spine_fours; w->at += BLOCK) {
        LD(w->four[l], m->spine, [w->at + T], R(KEY), R(INDEX));
        ALU_RUN(3, R(COUNT), R(KEY));
        SHARED(1, s->sum[T] = sum_of(&w->four[l]), 0, R(COUNT) | R(INDEX));
        BAR();
        KEEP_LANES(T < WARP_LANES);
        SHARED(4, scan_sums(&s->sum[4 * l], 4, &s->before), R(COUNT), R(INDEX));
        ALU_RUN(3, R(COUNT), R(COUNT));
        SHARED(1, (void)0, 0, R(COUNT));
        for (w->k = 0; w->k < 5; w->k++) /* scans the lanes' sums */
            SUM_STEP();
        SHARED(5, (void)0, R(OTHER), R(INDEX));
        ALU_RUN(5, R(COUNT), R(COUNT) | R(OTHER));
        SHARED(4, (void)0, 0, R(COUNT) | R(INDEX));
        EVERY_LANE();
        BAR();
        SHARED(1, scan_four(&w->four[l], s->sum[T]), R(COUNT), R(INDEX));
        ALU_RUN(4, R(KEY), R(KEY) | R(COUNT));
        ST(w->four[l], m->spine, [w->at + T], R(KEY) | R(INDEX));
    }
    WARP_END();
}

/* ---- Kernel `scatter` ---- */

struct scatter_block {
    uint8_t digit[TILE];
    uint32_t rank[TILE];     /* rank of each key of the tile by digit */
    uint32_t carry[DIGITS];  /* destination of the CTA's next key of each digit */
    uint32_t offset[DIGITS]; /* destination minus rank, for the tile's keys of each digit */
    uint32_t key[TILE], value[TILE];
};

struct scatter_warp {
    struct warp_head head;
    uint32_t phase, k, step;
    uint64_t tile, end;
    struct radixsort_pair pair[SETS][WARP_LANES]; /* keys, then values */
    uint32_t rank[PER_THREAD][WARP_LANES], key[PER_THREAD][WARP_LANES], value[WARP_LANES];
    uint32_t spine[WARP_LANES];
    uint8_t flag[WARP_LANES];
};

static void rank_tile(struct scatter_block *s) {
    uint32_t next[DIGITS] = {0}, before = 0;
    for (uint32_t i = 0; i < TILE; i++)
        next[s->digit[i]]++;
    for (uint32_t d = 0; d < DIGITS; d++) {
        const uint32_t count = next[d];
        s->offset[d] = s->carry[d] - before;
        s->carry[d] += count;
        next[d] = before;
        before += count;
    }
    for (uint32_t i = 0; i < TILE; i++)
        s->rank[i] = next[s->digit[i]]++;
}

/* Element k of the thread's four, loaded in pairs: its pair, its index in the tile, its digit, and
 * the word with that digit's flag. */
#define SET (w->k / 2)
#define LOADED (2 * (T + SET * BLOCK) + w->k % 2)
#define LOADED_DIGIT digit_of(m, w->pair[SET][l].v[w->k % 2])
#define FLAG_WORD ((SET * ROWS + LOADED_DIGIT / 4) * LANE_WORDS + place->warp * 33 + l)
#define PAIR [w->tile * (TILE / 2) + T + w->k * BLOCK]
/* Index in the sorted tile of the k-th element that the thread stores, and that element's
 * destination. */
#define STORED (T + w->k * BLOCK)
#define PLACE (uint32_t)(s->offset[digit_of(m, w->key[w->k][l])] + STORED)

/* Clears shared memory, and loads the CTA's first destination for each digit. */
static void begin_block(struct radixsort *m, struct scatter_block *s, struct scatter_warp *w,
                        const struct warp_place *place, struct warp_inst *inst) {
    WARP_BEGIN();
    ALU_RUN(18, R(INDEX), 0);
    KEEP_LANES(T < 8);
    SHARED(8, (void)0, 0, R(INDEX)); /* clears scans */
    EVERY_LANE();
    KEEP_LANES(T < DIGITS);
    SHARED(2, (void)0, 0, R(INDEX)); /* clears the digits' scan */
    if (m->pass > 0) {
        LD(w->flag[l], m->from_alt_storage, [m->pass % 2], R(FLAG), R(INDEX));
        SHARED(1, (void)0, 0, R(FLAG));
    } else {
        ALU(1, w->flag[l] = 0, R(FLAG), 0);
        SHARED(1, (void)0, 0, R(FLAG));
    }
    LD(w->spine[l], m->spine, SPINE(place->cta[0]), R(COUNT), R(INDEX));
    SHARED(1, s->carry[T] = w->spine[l], 0, R(COUNT) | R(INDEX));
    if (place->cta[0] > 0)
        LD(w->spine[l], m->spine, SPINE(0), R(COUNT), R(INDEX));
    ALU_RUN(5, R(OTHER), R(COUNT)); /* votes on whether there are two different digits */
    SHARED(1, (void)0, 0, R(OTHER));
    if (place->cta[0] == 0)
        ST(!w->flag[l], m->from_alt_storage, [(m->pass + 1) % 2], R(FLAG) | R(OTHER) | R(INDEX));
    EVERY_LANE();
    BAR();
    SHARED(2, (void)0, R(FLAG), 0);
    BRANCH(R(FLAG));
    PHASE_END();
}

/* Loads the keys of a tile and counts their digits. */
static void flag_digits(struct radixsort *m, struct scatter_block *s, struct scatter_warp *w,
                        const struct warp_place *place, struct warp_inst *inst) {
    WARP_BEGIN();
    for (w->k = 0; w->k < SETS; w->k++)
        LD(w->pair[w->k][l], m->from_keys, PAIR, R(KEY + w->k), R(INDEX));
    SHARED(SETS * ROWS, (void)0, 0, R(INDEX)); /* clears flags */
    for (w->k = 0; w->k < PER_THREAD; w->k++) {
        ALU_RUN(6, R(OUT + w->k), R(KEY + SET));
        SHARED_AT(s->digit[LOADED] = (uint8_t)LOADED_DIGIT, FLAG_WORD, 0, R(OUT + w->k));
    }
    BAR();
    KEEP_LANES(T < 2 * WARP_LANES);
    SHARED(16, (void)0, R(COUNT), R(INDEX));
    ALU_RUN(15, R(COUNT), R(COUNT));
    SHARED(1, (void)0, 0, R(COUNT));
    for (w->step = 0; w->step < 3; w->step++) /* scans over 8 threads */
        SUM_STEP();
    SHARED(17, (void)0, R(OTHER), R(INDEX));
    ALU_RUN(16, R(COUNT), R(COUNT) | R(OTHER));
    SHARED(16, (void)0, 0, R(COUNT) | R(INDEX));
    EVERY_LANE();
    BAR();
    PHASE_END();
}

/* Computes the rank of each key in the tile. */
static void rank_keys(struct radixsort *m, struct scatter_block *s, struct scatter_warp *w,
                      const struct warp_place *place, struct warp_inst *inst) {
    WARP_BEGIN();
    for (w->k = 0; w->k < PER_THREAD; w->k++) {
        SHARED_AT((void)0, FLAG_WORD, R(RANK + SET), R(OUT + w->k));
    }
    KEEP_LANES(T < DIGITS);
    SHARED(4, if (T == 0) rank_tile(s), R(COUNT), R(INDEX));
    ALU_RUN(8, R(COUNT), R(COUNT));
    SHARED(1, (void)0, 0, R(COUNT));
    for (w->step = 0; w->step < BITS; w->step++) /* scans the digits */
        SUM_STEP();
    SHARED(1, (void)0, R(OTHER), R(INDEX));
    ALU_RUN(3, R(COUNT), R(COUNT) | R(OTHER));
    SHARED(3, (void)0, 0, R(COUNT) | R(INDEX));
    EVERY_LANE();
    BAR();
    for (w->k = 0; w->k < PER_THREAD; w->k++) {
        SHARED(1, w->rank[w->k][l] = s->rank[LOADED], R(OTHER), R(OUT + w->k));
        ALU_RUN(1, R(RANK + SET), R(RANK + SET) | R(OTHER));
    }
    PHASE_END();
}

/* Exchanges the keys in shared memory, then stores them. */
static void store_keys(struct radixsort *m, struct scatter_block *s, struct scatter_warp *w,
                       const struct warp_place *place, struct warp_inst *inst) {
    WARP_BEGIN();
    for (w->k = 0; w->k < PER_THREAD; w->k++)
        SHARED_AT(s->key[w->rank[w->k][l]] = w->pair[SET][l].v[w->k % 2], w->rank[w->k][l], 0,
                  R(KEY + SET) | R(RANK + SET));
    BAR();
    for (w->k = 0; w->k < PER_THREAD; w->k++)
        SHARED(1, w->key[w->k][l] = s->key[STORED], R(KEY + w->k), R(INDEX));
    for (w->k = 0; w->k < PER_THREAD; w->k++) {
        ALU_RUN(2, R(OTHER), R(KEY + w->k));
        SHARED(1, (void)0, R(COUNT), R(OTHER));
        ALU_RUN(2, R(OUT + w->k), R(COUNT) | R(INDEX));
    }
    for (w->k = 0; w->k < PER_THREAD; w->k++)
        ST(w->key[w->k][l], m->to_keys, ELEMENT(PLACE), R(KEY + w->k) | R(OUT + w->k));
    BAR();
    PHASE_END();
}

/* Loads the values, exchanges them in shared memory, then stores them. */
static void store_values(struct radixsort *m, struct scatter_block *s, struct scatter_warp *w,
                         const struct warp_place *place, struct warp_inst *inst) {
    WARP_BEGIN();
    for (w->k = 0; w->k < SETS; w->k++)
        LD(w->pair[w->k][l], m->from_values, PAIR, R(KEY + w->k), R(INDEX));
    for (w->k = 0; w->k < PER_THREAD; w->k++)
        SHARED_AT(s->value[w->rank[w->k][l]] = w->pair[SET][l].v[w->k % 2], w->rank[w->k][l], 0,
                  R(KEY + SET) | R(RANK + SET));
    BAR();
    for (w->k = 0; w->k < PER_THREAD; w->k++)
        SHARED(1, (void)0, R(KEY + w->k), R(INDEX));
    for (w->k = 0; w->k < PER_THREAD; w->k++)
        ST(s->value[STORED], m->to_values, ELEMENT(PLACE), R(KEY + w->k) | R(OUT + w->k));
    BAR();
    ALU_RUN(3, R(INDEX), R(INDEX));
    PHASE_END();
}

static void scatter_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                         struct warp_inst *inst) {
    struct radixsort *m = ctx;
    struct scatter_block *s = cta;
    struct scatter_warp *w = state;

    PHASES_BEGIN();
    PHASE(begin_block(m, s, w, place, inst));
    w->end = first_tile(m, place->cta[0] + UINT64_C(1));
    for (w->tile = first_tile(m, place->cta[0]); w->tile < w->end; w->tile++) {
        PHASE(flag_digits(m, s, w, place, inst));
        PHASE(rank_keys(m, s, w, place, inst));
        PHASE(store_keys(m, s, w, place, inst));
        PHASE(store_values(m, s, w, place, inst));
    }
    PHASES_END();
}

/* ---- Launches ---- */

static bool radixsort_next(struct workload *w, struct kernel_launch *launch) {
    static const struct kernel_launch kernels[] = {
        {.name = "radixsort count",
         .warp_state_size = sizeof(struct radixsort_count_warp),
         .cta_state_size = sizeof(struct radixsort_count_block),
         .step = count_step},
        {.name = "radixsort scan",
         .warp_state_size = sizeof(struct radixsort_scan_warp),
         .cta_state_size = sizeof(struct radixsort_scan_block),
         .step = scan_step},
        {.name = "radixsort scatter",
         .warp_state_size = sizeof(struct scatter_warp),
         .cta_state_size = sizeof(struct scatter_block),
         .step = scatter_step},
    };
    struct radixsort *m = (struct radixsort *)w;
    const unsigned k = m->base.launched;
    if (k == m->base.w.launches)
        return false;
    m->base.launched++;
    m->pass = k / 3;
    const bool alt = m->pass % 2 == 1;
    m->from_keys = alt ? m->alt_keys : m->keys;
    m->from_values = alt ? m->alt_values : m->values;
    m->to_keys = alt ? m->keys : m->alt_keys;
    m->to_values = alt ? m->values : m->alt_values;
    *launch = kernels[k % 3];
    launch_1d(launch, m->blocks, BLOCK);
    launch->shared_bytes = SHARED_BYTES;
    launch->ctx = m;
    return true;
}

/* Generates the inputs. A value is the index of its key. */
static void radixsort_inputs(uint64_t n, struct radixsort_pair *keys,
                             struct radixsort_pair *values) {
    struct rng r = {SEED};
    for (uint64_t i = 0; i < n; i++) {
        keys[i / 2].v[i % 2] = (uint32_t)rng_next(&r);
        values[i / 2].v[i % 2] = (uint32_t)i;
    }
}

static int by_key_and_place(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

/* Generates the inputs again and sorts them into sorted[]: n keys, then n values. `both` is scratch
 * space. */
static void sort_inputs(uint64_t n, uint64_t *both, struct radixsort_pair *sorted) {
    struct radixsort_pair *values = sorted + n / 2;
    radixsort_inputs(n, sorted, values);
    for (uint64_t i = 0; i < n; i++)
        both[i] = (uint64_t)sorted[i / 2].v[i % 2] << 32 | values[i / 2].v[i % 2];
    qsort(both, n, sizeof *both, by_key_and_place);
    for (uint64_t i = 0; i < n; i++) {
        sorted[i / 2].v[i % 2] = (uint32_t)(both[i] >> 32);
        values[i / 2].v[i % 2] = (uint32_t)both[i];
    }
}

static int radixsort_verify(struct workload *w, struct error *err) {
    struct radixsort *m = (struct radixsort *)w;
    uint64_t *both = alloc_array(m->n, sizeof *both);
    struct radixsort_pair *sorted = alloc_array(m->n, sizeof *sorted);
    sort_inputs(m->n, both, sorted);
    int rc = verify_ints("keys", (const int32_t *)m->keys.v, (const int32_t *)sorted, m->n, err);
    if (rc == 0)
        rc = verify_ints("values", (const int32_t *)m->values.v,
                         (const int32_t *)(sorted + m->n / 2), m->n, err);
    free(both);
    free(sorted);
    return rc == 0 ? verify_accesses(w, err) : rc;
}

static void expect_radixsort(struct radixsort *m) {
    const uint64_t n = m->n, blocks = m->blocks, half = PASSES / 2;
    expect_accesses(m->keys.dev, half * (n + n / 2), half * n);
    expect_accesses(m->alt_keys.dev, half * (n + n / 2), half * n);
    expect_accesses(m->values.dev, half * n / 2, half * n);
    expect_accesses(m->alt_values.dev, half * n / 2, half * n);
    expect_accesses(m->spine.dev, PASSES * (m->spine_fours + DIGITS * (2 * blocks - 1)),
                    PASSES * (m->spine_fours + DIGITS * blocks));
    expect_accesses(m->from_alt_storage.dev, (PASSES - 1) * blocks * (BLOCK + DIGITS),
                    PASSES * DIGITS);
}

static bool radixsort_create(struct workload *w, const uint64_t *v) {
    struct radixsort *m = (struct radixsort *)w;
    const uint64_t n = m->n = v[0];
    if (!workload_multiple(w, "N", n, TILE))
        return false;
    m->blocks = n / TILE < BLOCKS ? n / TILE : BLOCKS;
    m->spine_fours = ceil_div(m->blocks * DIGITS, 4 * BLOCK) * BLOCK;
    m->base.w.launches = 3 * PASSES;
    m->base.w.once = "each adds to sums, which would go beyond its arrays";
    if (!NEW_ARRAY(m, keys, n / 2) || !NEW_ARRAY(m, values, n / 2) ||
        !NEW_ARRAY(m, alt_keys, n / 2) || !NEW_ARRAY(m, alt_values, n / 2) ||
        !NEW_ARRAY(m, spine, m->spine_fours) || !NEW_ARRAY(m, from_alt_storage, 2))
        return false;
    radixsort_inputs(n, m->keys.v, m->values.v);
    expect_radixsort(m);
    return true;
}

const struct workload_type workload_radixsort = {
    .name = "radixsort",
    .suite = "CUDA SDK (radixSortThrust)",
    .doc = "radix sort of keys and values: streaming counts, stores in runs for 16 digits",
    .size_doc = "N, number of keys (a multiple of 512)",
    .default_size = "262144",
    .size = {{"N", TILE, 1u << 26}},
    .state_size = sizeof(struct radixsort),
    .next = radixsort_next,
    .verify = radixsort_verify,
    .create = radixsort_create,
};
