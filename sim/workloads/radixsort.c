// SPDX-License-Identifier: Apache-2.0
/* radixsort: N keys of 32 bits, each with a value, sorted by the radix sort of Thrust 1.4 (CUDA 4).
 *
 * Eight passes go from keys to alt_keys and back, each by four bits more. The keys are dealt out,
 * in tiles of 512, to at most 418 blocks of 128 threads. Kernel count: a block counts its keys of
 * each digit, in bytes of shared memory that are summed every 32 keys a thread. Kernel scan: one
 * block turns the 16 counts of all blocks (spine) into sums of those before; the others return.
 * Kernel scatter: a block ranks each tile's keys by digit, exchanges keys, then values, in shared
 * memory, and stores them in runs of a digit. A flag tells the next pass where to read.
 *
 * Thread-level accesses, with B = min(418, N / 512) blocks and S = 16 B rounded up to 512: keys,
 * alt_keys: 6 N loads (N / 2 of a pass are of 8 bytes) and 4 N stores each. values, alt_values: 2 N
 * loads of 8 bytes and 4 N stores each. spine: each pass S / 4 loads and stores of 16 bytes, 32 B -
 * 16 loads, 16 B stores. from_alt_storage: 144 B loads in each pass but the first, 16 stores in
 * each.
 *
 * Fermi's parameters, and tiles of a 64-bit system. The original takes any N, by a guarded last
 * tile, and leaves out a pass in which all keys share the digit; it sorts 100 times. Bank conflicts
 * of flags and of the exchange are counted.
 */
#include "lane.h"

#include <stdlib.h>

#include "lib/alloc.h"

#define BLOCK 128
#define BLOCKS 418 /* at most */
#define TILE 512
#define BITS 4
#define DIGITS (1 << BITS)
#define PASSES (32 / BITS)
#define ROWS (DIGITS / 4) /* of counters, four digits each */
#define BATCH 8           /* loads at once, while there are ROUND */
#define ROUND 32          /* keys of a thread until its bytes are summed */
#define PER_THREAD (TILE / BLOCK)
#define SETS 2              /* of pairs of keys of a thread */
#define LANE_WORDS (4 * 33) /* flags of four digits: four rows, padded */
/* Of the scatter kernel, for which Thrust pads the others too: flags of two sets, scans of 8 fours
 * of digits, carries, digits' scan and counts, four scalars. */
#define SHARED_BYTES                                                                               \
    (4 * (SETS * ROWS * LANE_WORDS + 8 * 3 * 8 + DIGITS + 2 * DIGITS + 2 * DIGITS + 3))
#define SEED 0x4ad

enum { INDEX, FLAG, COUNT, OTHER, RANK, KEY = RANK + SETS, OUT = KEY + BATCH }; /* registers */

struct pair {
    uint32_t v[2];
};
struct four {
    uint32_t v[4];
};

typedef ARRAY(struct pair) pair_array;

struct radixsort {
    struct lane_workload base;
    uint64_t n, blocks;
    pair_array keys, values, alt_keys, alt_values;
    ARRAY(struct four) spine; /* [DIGITS][blocks] */
    ARRAY(uint8_t) from_alt_storage;
    uint64_t spine_fours; /* a multiple of BLOCK */
    /* Of this pass. */
    uint32_t pass;
    pair_array from_keys, from_values, to_keys, to_values;
};

static uint32_t digit_of(const struct radixsort *m, uint32_t key) {
    return key >> (BITS * m->pass) & (DIGITS - 1);
}

/* The tiles of a block: the first blocks have one more. */
static uint64_t first_tile(const struct radixsort *m, uint64_t block) {
    const uint64_t tiles = m->n / TILE, more = tiles % m->blocks;
    return block * (tiles / m->blocks) + (block < more ? block : more);
}

#define T thread_in_block(place, l)
#define ELEMENT(i) [(i) / 2].v[(i) % 2]
#define SPINE(block) [(m->blocks * T + (block)) / 4].v[(m->blocks * T + (block)) % 4]

/* ---- Kernel count ---- */

struct count_block {
    uint32_t counters[ROWS][BLOCK]; /* of a thread, a byte for each digit */
    uint32_t total[DIGITS];
};

struct count_warp {
    struct warp_head head;
    uint32_t done, loads, batch, k, step; /* done, loads: keys of a thread */
    uint64_t first;
    uint32_t key[BATCH][WARP_LANES], count[4][WARP_LANES];
    uint8_t flag[WARP_LANES];
};

static void clear_counters(struct count_block *s, uint32_t thread) {
    for (uint32_t row = 0; row < ROWS; row++)
        s->counters[row][thread] = 0;
}

static void count_digit(struct count_block *s, uint32_t thread, uint32_t digit) {
    s->counters[digit / 4][thread] += 1u << (8 * (digit % 4));
}

/* A warp sums a row, its lane four threads of it. */
static void sum_counters(const struct count_block *s, struct count_warp *w, uint32_t row,
                         uint32_t lane) {
    for (uint32_t i = lane; i < BLOCK; i += WARP_LANES)
        for (uint32_t k = 0; k < 4; k++)
            w->count[k][lane] += s->counters[row][i] >> (8 * k) & 0xff;
}

static void count_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                       struct warp_inst *inst) {
    struct radixsort *m = ctx;
    struct count_block *s = cta;
    struct count_warp *w = state;

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
        for (w->step = WARP_LANES / 2; w->step > 0; w->step /= 2) {
            SHARED(1, (void)0, R(OTHER), R(INDEX));
            ALU_RUN(1, R(COUNT), R(COUNT) | R(OTHER));
            SHARED(1, (void)0, 0, R(COUNT) | R(INDEX));
        }
    }
    BAR();
    KEEP_LANES(T < DIGITS);
    SHARED(1, w->count[0][l] = s->total[T], R(COUNT), R(INDEX));
    ST(w->count[0][l], m->spine, SPINE(place->cta[0]), R(COUNT) | R(INDEX));
    WARP_END();
}

/* ---- Kernel scan ---- */

struct scan_block {
    uint32_t sum[BLOCK], before; /* before: sum of what earlier rounds have scanned */
};

struct scan_warp {
    struct warp_head head;
    uint32_t k;
    uint64_t at;
    struct four four[WARP_LANES];
};

static uint32_t sum_of(const struct four *f) {
    return f->v[0] + f->v[1] + f->v[2] + f->v[3];
}

/* Each of n sums becomes the sum of those before. */
static void scan_sums(uint32_t *sum, uint32_t n, uint32_t *before) {
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t own = sum[i];
        sum[i] = *before;
        *before += own;
    }
}

static void scan_four(struct four *f, uint32_t before) {
    scan_sums(f->v, 4, &before);
}

static void scan_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                      struct warp_inst *inst) {
    struct radixsort *m = ctx;
    struct scan_block *s = cta;
    struct scan_warp *w = state;

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
        for (w->k = 0; w->k < 5; w->k++) { /* over the lanes' sums */
            SHARED(1, (void)0, R(OTHER), R(INDEX));
            ALU_RUN(1, R(COUNT), R(COUNT) | R(OTHER));
            SHARED(1, (void)0, 0, R(COUNT) | R(INDEX));
        }
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

/* ---- Kernel scatter ---- */

struct scatter_block {
    uint8_t digit[TILE];
    uint32_t rank[TILE];     /* of the tile's keys by digit */
    uint32_t carry[DIGITS];  /* where the block's next key of the digit goes */
    uint32_t offset[DIGITS]; /* the same, less the rank of the tile's first of that digit */
    uint32_t key[TILE], value[TILE];
};

struct scatter_warp {
    struct warp_head head;
    uint32_t k, step;
    uint64_t tile, end;
    struct pair pair[SETS][WARP_LANES]; /* keys, then values */
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

/* Element k of the thread's four, as loaded in pairs; its digit; the word with the flag of that. */
#define SET (w->k / 2)
#define LOADED (2 * (T + SET * BLOCK) + w->k % 2)
#define LOADED_DIGIT digit_of(m, w->pair[SET][l].v[w->k % 2])
#define FLAG_WORD ((SET * ROWS + LOADED_DIGIT / 4) * LANE_WORDS + place->warp * 33 + l)
#define PAIR [w->tile * (TILE / 2) + T + w->k * BLOCK]
/* And as it is stored. */
#define STORED (T + w->k * BLOCK)
#define PLACE (uint32_t)(s->offset[digit_of(m, w->key[w->k][l])] + STORED)

static void scatter_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                         struct warp_inst *inst) {
    struct radixsort *m = ctx;
    struct scatter_block *s = cta;
    struct scatter_warp *w = state;
    const uint32_t block = place->cta[0];

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
    LD(w->spine[l], m->spine, SPINE(block), R(COUNT), R(INDEX));
    SHARED(1, s->carry[T] = w->spine[l], 0, R(COUNT) | R(INDEX));
    if (block > 0)
        LD(w->spine[l], m->spine, SPINE(0), R(COUNT), R(INDEX));
    ALU_RUN(5, R(OTHER), R(COUNT)); /* a vote: are there two digits? */
    SHARED(1, (void)0, 0, R(OTHER));
    if (block == 0)
        ST(!w->flag[l], m->from_alt_storage, [(m->pass + 1) % 2], R(FLAG) | R(OTHER) | R(INDEX));
    EVERY_LANE();
    BAR();
    SHARED(2, (void)0, R(FLAG), 0);
    BRANCH(R(FLAG));
    w->end = first_tile(m, block + UINT64_C(1));
    for (w->tile = first_tile(m, block); w->tile < w->end; w->tile++) {
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
        for (w->step = 0; w->step < 3; w->step++) { /* over 8 threads */
            SHARED(1, (void)0, R(OTHER), R(INDEX));
            ALU_RUN(1, R(COUNT), R(COUNT) | R(OTHER));
            SHARED(1, (void)0, 0, R(COUNT) | R(INDEX));
        }
        SHARED(17, (void)0, R(OTHER), R(INDEX));
        ALU_RUN(16, R(COUNT), R(COUNT) | R(OTHER));
        SHARED(16, (void)0, 0, R(COUNT) | R(INDEX));
        EVERY_LANE();
        BAR();
        for (w->k = 0; w->k < PER_THREAD; w->k++) {
            SHARED_AT((void)0, FLAG_WORD, R(RANK + SET), R(OUT + w->k));
        }
        KEEP_LANES(T < DIGITS);
        SHARED(4, if (T == 0) rank_tile(s), R(COUNT), R(INDEX));
        ALU_RUN(8, R(COUNT), R(COUNT));
        SHARED(1, (void)0, 0, R(COUNT));
        for (w->step = 0; w->step < BITS; w->step++) { /* over the digits */
            SHARED(1, (void)0, R(OTHER), R(INDEX));
            ALU_RUN(1, R(COUNT), R(COUNT) | R(OTHER));
            SHARED(1, (void)0, 0, R(COUNT) | R(INDEX));
        }
        SHARED(1, (void)0, R(OTHER), R(INDEX));
        ALU_RUN(3, R(COUNT), R(COUNT) | R(OTHER));
        SHARED(3, (void)0, 0, R(COUNT) | R(INDEX));
        EVERY_LANE();
        BAR();
        for (w->k = 0; w->k < PER_THREAD; w->k++) {
            SHARED(1, w->rank[w->k][l] = s->rank[LOADED], R(OTHER), R(OUT + w->k));
            ALU_RUN(1, R(RANK + SET), R(RANK + SET) | R(OTHER));
        }
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
    }
    WARP_END();
}

/* ---- The launches ---- */

static bool radixsort_next(struct workload *w, struct kernel_launch *launch) {
    static const struct kernel_launch kernels[] = {
        {.name = "radixsort count",
         .warp_state_size = sizeof(struct count_warp),
         .cta_state_size = sizeof(struct count_block),
         .step = count_step},
        {.name = "radixsort scan",
         .warp_state_size = sizeof(struct scan_warp),
         .cta_state_size = sizeof(struct scan_block),
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

/* A value is the place of its key. */
static void radixsort_inputs(uint64_t n, struct pair *keys, struct pair *values) {
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

/* Makes the inputs again and sorts them into sorted[]: n keys, then n values. `both` is scratch. */
static void sort_inputs(uint64_t n, uint64_t *both, struct pair *sorted) {
    struct pair *values = sorted + n / 2;
    radixsort_inputs(n, sorted, values);
    for (uint64_t i = 0; i < n; i++)
        both[i] = (uint64_t)sorted[i / 2].v[i % 2] << 32 | values[i / 2].v[i % 2];
    qsort(both, n, sizeof *both, by_key_and_place);
    for (uint64_t i = 0; i < n; i++) {
        sorted[i / 2].v[i % 2] = (uint32_t)(both[i] >> 32);
        values[i / 2].v[i % 2] = (uint32_t)both[i];
    }
}

static int radixsort_verify(struct workload *w, char *err, size_t err_size) {
    struct radixsort *m = (struct radixsort *)w;
    uint64_t *both = alloc_array(m->n, sizeof *both);
    struct pair *sorted = alloc_array(m->n, sizeof *sorted);
    sort_inputs(m->n, both, sorted);
    int rc = verify_ints("keys", (const int32_t *)m->keys.v, (const int32_t *)sorted, m->n, err,
                         err_size);
    if (rc == 0)
        rc = verify_ints("values", (const int32_t *)m->values.v,
                         (const int32_t *)(sorted + m->n / 2), m->n, err, err_size);
    free(both);
    free(sorted);
    return rc == 0 ? verify_accesses(w, err, err_size) : rc;
}

static struct workload *radixsort_create(const char *size, char *err, size_t err_size);

const struct workload_type workload_radixsort = {
    .name = "radixsort",
    .suite = "CUDA SDK (radixSortThrust)",
    .doc = "radix sort of keys and values: streaming counts, stores in runs of 16 digits",
    .size_doc = "N, keys (a multiple of 512)",
    .default_size = "262144",
    .create = radixsort_create,
};

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

static struct workload *radixsort_create(const char *size, char *err, size_t err_size) {
    static const struct size_value desc[] = {{"N", TILE, 1u << 26}};
    uint64_t n;
    if (workload_size(&workload_radixsort, desc, 1, size, &n, err, err_size) != 0 ||
        workload_multiple(&workload_radixsort, "N", n, TILE, err, err_size) != 0)
        return NULL;
    struct radixsort *m = workload_new(&workload_radixsort, sizeof *m);
    m->n = n;
    m->blocks = n / TILE < BLOCKS ? n / TILE : BLOCKS;
    m->spine_fours = ceil_div(m->blocks * DIGITS, 4 * BLOCK) * BLOCK;
    m->base.w.launches = 3 * PASSES;
    m->base.w.once = "each adds to sums, which would go beyond its arrays";
    m->base.w.next = radixsort_next;
    m->base.w.verify = radixsort_verify;
    if (!NEW_ARRAY(m, keys, n / 2, err, err_size) || !NEW_ARRAY(m, values, n / 2, err, err_size) ||
        !NEW_ARRAY(m, alt_keys, n / 2, err, err_size) ||
        !NEW_ARRAY(m, alt_values, n / 2, err, err_size) ||
        !NEW_ARRAY(m, spine, m->spine_fours, err, err_size) ||
        !NEW_ARRAY(m, from_alt_storage, 2, err, err_size)) {
        workload_free(&m->base.w);
        return NULL;
    }
    radixsort_inputs(n, m->keys.v, m->values.v);
    expect_radixsort(m);
    return &m->base.w;
}
