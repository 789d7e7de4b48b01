// SPDX-License-Identifier: Apache-2.0
/* mergesort (CUDA SDK mergeSort): sorts N keys, each with a value, by merging.
 *
 * CTAs of 512 threads sort runs of 1024 in shared memory. For each key of a run, a binary search
 * finds the key's position among the keys of the other run of the pair. Then pairs of runs are
 * merged until one run is left. Every 128th key of a run is a sample. For a sample of either run of
 * a pair, a thread finds the position, or rank, in the other run (kernel `ranks`). The ranks of all
 * samples of the pair are then sorted, also by search, once for the ranks in the first run and once
 * for those in the second (kernel `limits`). This cuts both runs into matching intervals of at most
 * 128 keys. A CTA of 128 threads merges one interval of each run in shared memory (kernel `merge`).
 * The host copies a run without a partner.
 *
 * Thread-level accesses: key, value: N loads. For M(s) keys in pairs of runs of s = 1024, 2048,
 * ..., with buf and sorted taking turns as source: M(s) loads of keys and of values from the
 * source, and M(s) stores of each to the other array; for each sample, 1 load of a key and one per
 * step of its search, which takes 1 + log2 of the other run's length steps, rounded up. ranks_a,
 * ranks_b: a store for each sample, 1 load and the loads of a search over the other run's samples.
 * limits_a, limits_b: a store for each sample, and 2 loads, or 1 load for the last sample of a
 * pair.
 *
 * Differences from the original: the original takes up to 4,194,304 keys, and copies runs with
 * cudaMemcpy, which costs nothing here.
 */
#include "lane.h"

#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"

#define RUN 1024 /* keys per CTA in shared memory */
#define BLOCK (RUN / 2)
#define SAMPLE 128 /* keys per sample */
#define RANK_BLOCK 256
#define KEYS 65536 /* all keys are below this number */
#define SEED 0x3e5

/* registers; two of them start at each of KEY, VALUE and POS */
enum { INDEX, KEY, VALUE = KEY + 2, POS = VALUE + 2, PROBE = POS + 2, FOUND, LENGTH };

typedef ARRAY(uint32_t) uint_array;

struct mergesort {
    struct lane_workload base;
    uint64_t n;
    uint_array key, value, buf_key, buf_value, sorted_key, sorted_value;
    uint_array ranks_a, ranks_b, limits_a, limits_b;
    uint_array rank[2], limit[2]; /* ranks and limits in the first and in the second run */
    unsigned stages;
    /* State of the current launch: length of the sorted runs, and number of keys in pairs of
     * runs. */
    uint64_t length, merged;
    uint_array from_key, from_value, to_key, to_value;
    /* Sorted numbers that `ranks` or `limits` searches, results of `limits`, and number of sorted
     * numbers per sample. */
    uint_array numbers, limits;
    uint64_t unit;
};

/* Returns the index that a step of a binary search checks. The search is among `length` sorted
 * numbers, of which the first `pos` are known to precede the key. The index is that of the last of
 * the next `step` numbers or, if fewer remain, of the last number. */
static uint32_t asked(uint32_t pos, uint32_t step, uint32_t length) {
    return (pos + step < length ? pos + step : length) - 1;
}

/* Returns `pos` after the step has read `found`. If keys are equal, those of the first run come
 * first. */
static uint32_t searched(uint32_t pos, uint32_t step, uint32_t length, uint32_t found, uint32_t key,
                         bool second) {
    const bool before = second ? found <= key : found < key;
    return before ? asked(pos, step, length) + 1 : pos;
}

static uint32_t first_step(uint32_t length) {
    uint32_t step = 1;
    while (step < length)
        step *= 2;
    return step;
}

#define T thread_in_block(place, l)

/* ---- Runs of 1024 ---- */

/* __shared__ arrays of a CTA. */
struct sort_block {
    uint32_t key[RUN], value[RUN];
};

struct sort_warp {
    struct warp_head head;
    uint32_t h, length, step;
    uint32_t key[2][WARP_LANES], value[2][WARP_LANES], pos[2][WARP_LANES], found[WARP_LANES];
};

/* Start of the thread's pair of runs, and index of the thread's key in run h. */
#define PAIR (2 * (T & ~(w->length - 1)))
#define OWN(h) (PAIR + (h)*w->length + (T & (w->length - 1)))
#define ASKED (PAIR + (1 - w->h) * w->length + asked(w->pos[w->h][l], w->step, w->length))
#define PLACE (PAIR + (T & (w->length - 1)) + w->pos[w->h][l])
#define AT(h) (T + (h)*BLOCK)
/* Position of the thread's key after a step of its search among `length` numbers. */
#define FOUND_FROM(length)                                                                         \
    searched(w->pos[w->h][l], w->step, length, w->found[l], w->key[w->h][l], w->h)

static void sort_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                      struct warp_inst *inst) {
    struct mergesort *m = ctx;
    struct sort_block *s = cta;
    struct sort_warp *w = state;
    const uint64_t first = (uint64_t)place->cta[0] * RUN;

    WARP_BEGIN();
    ALU_RUN(8, R(INDEX), 0);
    for (w->h = 0; w->h < 2; w->h++) {
        LD(w->key[w->h][l], m->key, [first + AT(w->h)], R(KEY + w->h), R(INDEX));
        LD(w->value[w->h][l], m->value, [first + AT(w->h)], R(VALUE + w->h), R(INDEX));
    }
    for (w->h = 0; w->h < 2; w->h++) {
        SHARED(1, s->key[AT(w->h)] = w->key[w->h][l], 0, R(KEY + w->h) | R(INDEX));
        SHARED(1, s->value[AT(w->h)] = w->value[w->h][l], 0, R(VALUE + w->h) | R(INDEX));
    }
    for (w->length = 1; w->length < RUN; w->length *= 2) {
        BAR();
        ALU_RUN(6, R(INDEX), R(INDEX));
        for (w->h = 0; w->h < 2; w->h++) {
            SHARED_AT(w->key[w->h][l] = s->key[OWN(w->h)], OWN(w->h), R(KEY + w->h), R(INDEX));
            SHARED_AT(w->value[w->h][l] = s->value[OWN(w->h)], OWN(w->h), R(VALUE + w->h),
                      R(INDEX));
        }
        for (w->h = 0; w->h < 2; w->h++) {
            ALU(1, w->pos[w->h][l] = 0, R(POS + w->h), 0);
            for (w->step = w->length; w->step > 0; w->step /= 2) {
                ALU_RUN(4, R(PROBE), R(POS + w->h) | R(INDEX));
                SHARED_AT(w->found[l] = s->key[ASKED], ASKED, R(FOUND), R(PROBE));
                ALU(2, w->pos[w->h][l] = FOUND_FROM(w->length), R(POS + w->h),
                    R(PROBE) | R(FOUND) | R(KEY + w->h));
            }
        }
        BAR();
        for (w->h = 0; w->h < 2; w->h++) {
            SHARED_AT(s->key[PLACE] = w->key[w->h][l], PLACE, 0, R(KEY + w->h) | R(POS + w->h));
            SHARED_AT(s->value[PLACE] = w->value[w->h][l], PLACE, 0,
                      R(VALUE + w->h) | R(POS + w->h));
        }
    }
    BAR();
    for (w->h = 0; w->h < 2; w->h++) {
        SHARED(1, w->key[w->h][l] = s->key[AT(w->h)], R(KEY + w->h), R(INDEX));
        ST(w->key[w->h][l], m->to_key, [first + AT(w->h)], R(KEY + w->h) | R(INDEX));
        SHARED(1, w->value[w->h][l] = s->value[AT(w->h)], R(VALUE + w->h), R(INDEX));
        ST(w->value[w->h][l], m->to_value, [first + AT(w->h)], R(VALUE + w->h) | R(INDEX));
    }
    WARP_END();
}

/* ---- Ranks of samples, and limits of intervals ---- */

struct rank_warp {
    struct warp_head head;
    uint32_t h, all, searching;
    uint32_t key[WARP_LANES], pos[WARP_LANES], step[WARP_LANES], found[WARP_LANES];
};

/* Returns the number of samples of run h of the pair that begins at sample `pair`. The second run
 * of the last pair may have fewer samples. */
static uint32_t samples_of(const struct mergesort *m, uint64_t pair, uint32_t h) {
    const uint64_t most = m->length / SAMPLE, left = m->merged / SAMPLE - pair - h * most;
    return (uint32_t)(left < most ? left : most);
}

/* Index of the thread's sample within its run, index of the pair's first sample, and index of the
 * thread's sample in run h. */
#define I (thread_in_grid(place, RANK_BLOCK, l) & (m->length / SAMPLE - 1))
#define FIRST (2 * (thread_in_grid(place, RANK_BLOCK, l) - I))
#define OWN_SAMPLE (FIRST + w->h * (m->length / SAMPLE) + I)
/* Index of the first number of the other run, and count of its numbers. */
#define OTHER (m->unit * (FIRST + (1 - w->h) * (m->length / SAMPLE)))
#define OTHERS (uint32_t)(m->unit * samples_of(m, FIRST, 1 - w->h))

/* Kernel `ranks` searches the other run's keys, SAMPLE per sample, for a sample's rank. Kernel
 * `limits` searches the ranks of the other run's samples for the position of a sample's rank among
 * all ranks. */
static void rank_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                      struct warp_inst *inst) {
    struct mergesort *m = ctx;
    struct rank_warp *w = state;
    const bool ranks = m->unit == SAMPLE;
    (void)cta;

    WARP_BEGIN();
    ALU_RUN(14, R(INDEX), 0);
    RETURN_UNLESS(FIRST < m->merged / SAMPLE);
    w->all = w->head.on;
    for (w->h = 0; w->h < 2; w->h++) {
        BRANCH(R(INDEX));
        KEEP_LANES(I < samples_of(m, FIRST, w->h));
        w->searching = w->head.on;
        if (ranks)
            ST((uint32_t)I * SAMPLE, m->rank[w->h], [OWN_SAMPLE], R(INDEX));
        LD(w->key[l], m->numbers, [OWN_SAMPLE * m->unit], R(KEY), R(INDEX));
        ALU(6, w->step[l] = first_step(OTHERS); w->pos[l] = 0, R(POS), R(INDEX));
        while (w->head.on) {
            ALU_RUN(4, R(PROBE), R(POS) | R(INDEX));
            LD(w->found[l], m->numbers, [OTHER + asked(w->pos[l], w->step[l], OTHERS)], R(FOUND),
               R(PROBE));
            ALU(4,
                w->pos[l] = searched(w->pos[l], w->step[l], OTHERS, w->found[l], w->key[l], w->h);
                w->step[l] /= 2, R(POS), R(PROBE) | R(FOUND) | R(KEY));
            KEEP_LANES(w->step[l] > 0);
        }
        w->head.on = w->searching;
        if (ranks)
            ST(w->pos[l], m->rank[1 - w->h], [OWN_SAMPLE], R(POS) | R(INDEX));
        else
            ST(w->key[l], m->limits, [FIRST + I + w->pos[l]], R(KEY) | R(POS) | R(INDEX));
        w->head.on = w->all;
    }
    WARP_END();
}

/* ---- Kernel `merge` ---- */

/* __shared__ variables of a CTA. */
struct mergesort_merge_block {
    uint32_t key[2 * SAMPLE], value[2 * SAMPLE]; /* the second run begins at SAMPLE */
    uint32_t start[2], length[2];                /* start and length of the interval in each run */
    uint32_t to[2];                              /* start of each interval in the merged run */
};

struct mergesort_merge_warp {
    struct warp_head head;
    uint32_t h, step;
    uint32_t start[2], end[2]; /* interval in each run, as read by thread 0 */
    uint32_t key[2][WARP_LANES], value[2][WARP_LANES], pos[2][WARP_LANES], found[WARP_LANES];
};

static void set_interval(struct mergesort_merge_block *s, const struct mergesort_merge_warp *w) {
    for (uint32_t h = 0; h < 2; h++) {
        s->start[h] = w->start[h];
        s->length[h] = w->end[h] - w->start[h];
    }
    s->to[0] = w->start[0] + w->start[1];
    s->to[1] = s->to[0] + s->length[0];
}

#define IN_INTERVAL (T < s->length[w->h])
#define OWN_WORD (w->h * SAMPLE + T)
#define OTHER_LENGTH s->length[1 - w->h]
#define OTHER_WORD ((1 - w->h) * SAMPLE + asked(w->pos[w->h][l], w->step, OTHER_LENGTH))
#define MERGED_WORD (w->pos[w->h][l] + T)
#define OUT_WORD (w->h * s->length[0] + T)
#define BOTH(r) (R(r) | R(r + 1))

static void merge_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                       struct warp_inst *inst) {
    struct mergesort *m = ctx;
    struct mergesort_merge_block *s = cta;
    struct mergesort_merge_warp *w = state;
    const uint64_t interval = place->cta[0] & (2 * m->length / SAMPLE - 1);
    const uint64_t pair = place->cta[0] - interval, base = pair * SAMPLE;
    const bool last = interval + 1 == samples_of(m, pair, 0) + (uint64_t)samples_of(m, pair, 1);

    WARP_BEGIN();
    ALU_RUN(12, R(INDEX), 0);
    KEEP_LANES(T == 0);
    for (w->h = 0; w->h < 2; w->h++)
        LD(w->start[w->h], m->limit[w->h], [place->cta[0]], R(KEY + w->h), R(INDEX));
    for (w->h = 0; w->h < 2; w->h++) {
        if (last)
            ALU(1, w->end[w->h] = samples_of(m, pair, w->h) * SAMPLE, R(VALUE + w->h), R(INDEX));
        else
            LD(w->end[w->h], m->limit[w->h], [place->cta[0] + 1], R(VALUE + w->h), R(INDEX));
    }
    ALU_RUN(4, BOTH(VALUE), BOTH(KEY) | BOTH(VALUE));
    SHARED(6, set_interval(s, w), 0, BOTH(KEY) | BOTH(VALUE));
    EVERY_LANE();
    BAR();
    SHARED(4, (void)0, R(LENGTH), 0); /* lengths and starts */
    for (w->h = 0; w->h < 2; w->h++) {
        BRANCH(R(LENGTH));
        KEEP_LANES(IN_INTERVAL);
        LD(w->key[w->h][l], m->from_key, [base + w->h * m->length + s->start[w->h] + T],
           R(KEY + w->h), R(LENGTH) | R(INDEX));
        LD(w->value[w->h][l], m->from_value, [base + w->h * m->length + s->start[w->h] + T],
           R(VALUE + w->h), R(LENGTH) | R(INDEX));
        SHARED(1, s->key[OWN_WORD] = w->key[w->h][l], 0, R(KEY + w->h) | R(INDEX));
        SHARED(1, s->value[OWN_WORD] = w->value[w->h][l], 0, R(VALUE + w->h) | R(INDEX));
        EVERY_LANE();
    }
    BAR();
    SHARED(2, (void)0, R(LENGTH), 0); /* lengths */
    for (w->h = 0; w->h < 2; w->h++) {
        BRANCH(R(LENGTH));
        KEEP_LANES(IN_INTERVAL);
        SHARED(1, w->key[w->h][l] = s->key[OWN_WORD], R(KEY + w->h), R(INDEX));
        SHARED(1, w->value[w->h][l] = s->value[OWN_WORD], R(VALUE + w->h), R(INDEX));
        ALU(2, w->pos[w->h][l] = 0, R(POS + w->h), R(LENGTH));
        for (w->step = OTHER_LENGTH > 0 ? SAMPLE : 0; w->step > 0; w->step /= 2) {
            ALU_RUN(4, R(PROBE), R(POS + w->h) | R(LENGTH));
            SHARED_AT(w->found[l] = s->key[OTHER_WORD], OTHER_WORD, R(FOUND), R(PROBE));
            ALU(2, w->pos[w->h][l] = FOUND_FROM(OTHER_LENGTH), R(POS + w->h),
                R(PROBE) | R(FOUND) | R(KEY + w->h));
        }
        EVERY_LANE();
    }
    BAR();
    for (w->h = 0; w->h < 2; w->h++) {
        KEEP_LANES(IN_INTERVAL);
        SHARED_AT(s->key[MERGED_WORD] = w->key[w->h][l], MERGED_WORD, 0,
                  R(KEY + w->h) | R(POS + w->h));
        SHARED_AT(s->value[MERGED_WORD] = w->value[w->h][l], MERGED_WORD, 0,
                  R(VALUE + w->h) | R(POS + w->h));
        EVERY_LANE();
    }
    BAR();
    SHARED(4, (void)0, R(LENGTH), 0); /* lengths and destinations */
    for (w->h = 0; w->h < 2; w->h++) {
        BRANCH(R(LENGTH));
        KEEP_LANES(IN_INTERVAL);
        SHARED(1, w->key[w->h][l] = s->key[OUT_WORD], R(KEY + w->h), R(LENGTH));
        ST(w->key[w->h][l], m->to_key, [base + s->to[w->h] + T], R(KEY + w->h) | R(LENGTH));
        SHARED(1, w->value[w->h][l] = s->value[OUT_WORD], R(VALUE + w->h), R(LENGTH));
        ST(w->value[w->h][l], m->to_value, [base + s->to[w->h] + T], R(VALUE + w->h) | R(LENGTH));
        EVERY_LANE();
    }
    WARP_END();
}

/* ---- Launches ---- */

enum mergesort_kernel { SORT, RANKS, LIMITS_A, LIMITS_B, MERGE };

/* Returns the number of keys in pairs of runs of a length: all keys except those of a last run
 * without a partner. */
static uint64_t merged_keys(uint64_t n, uint64_t length) {
    const uint64_t last = n % (2 * length);
    return last > length ? n : n - last;
}

/* Sets the source and the destination of a stage so that the last stage stores to `sorted`. Stage 0
 * is the sort. */
static void set_stage(struct mergesort *m, unsigned stage) {
    const bool to_sorted = (m->stages - stage) % 2 == 0;
    m->length = (uint64_t)RUN << stage >> 1;
    m->merged = stage > 0 ? merged_keys(m->n, m->length) : m->n;
    m->from_key = to_sorted ? m->buf_key : m->sorted_key;
    m->from_value = to_sorted ? m->buf_value : m->sorted_value;
    m->to_key = to_sorted ? m->sorted_key : m->buf_key;
    m->to_value = to_sorted ? m->sorted_value : m->buf_value;
}

static void copy_rest(struct mergesort *m) {
    const size_t bytes = (m->n - m->merged) * sizeof *m->key.v;
    memcpy(m->to_key.v + m->merged, m->from_key.v + m->merged, bytes);
    memcpy(m->to_value.v + m->merged, m->from_value.v + m->merged, bytes);
}

static bool mergesort_next(struct workload *w, struct kernel_launch *launch) {
    static const struct kernel_launch kernels[] = {
        [SORT] = {.name = "mergesort sort",
                  .block = {BLOCK, 1, 1},
                  .shared_bytes = sizeof(struct sort_block),
                  .warp_state_size = sizeof(struct sort_warp),
                  .cta_state_size = sizeof(struct sort_block),
                  .step = sort_step},
        [RANKS] = {.name = "mergesort ranks",
                   .block = {RANK_BLOCK, 1, 1},
                   .warp_state_size = sizeof(struct rank_warp),
                   .step = rank_step},
        [LIMITS_A] = {.name = "mergesort limits",
                      .block = {RANK_BLOCK, 1, 1},
                      .warp_state_size = sizeof(struct rank_warp),
                      .step = rank_step},
        [MERGE] = {.name = "mergesort merge",
                   .block = {SAMPLE, 1, 1},
                   .shared_bytes = sizeof(struct mergesort_merge_block),
                   .warp_state_size = sizeof(struct mergesort_merge_warp),
                   .cta_state_size = sizeof(struct mergesort_merge_block),
                   .step = merge_step},
    };
    struct mergesort *m = (struct mergesort *)w;
    const unsigned k = m->base.launched;
    if (k == m->base.w.launches)
        return false;
    m->base.launched++;
    const enum mergesort_kernel kernel =
        k == 0 ? SORT : (enum mergesort_kernel)(RANKS + (k - 1) % 4);
    set_stage(m, (k + 3) / 4);
    if (kernel == MERGE)
        copy_rest(m);
    const bool b = kernel == LIMITS_B;
    m->unit = kernel == RANKS ? SAMPLE : 1;
    m->numbers = kernel == RANKS ? m->from_key : m->rank[b];
    m->limits = m->limit[b];
    const uint64_t pairs = ceil_div(m->merged, 2 * m->length);
    const uint64_t rank_blocks = ceil_div(pairs * (m->length / SAMPLE), RANK_BLOCK);
    *launch = kernels[b ? LIMITS_A : kernel];
    launch->grid[0] = (uint32_t)(kernel == SORT    ? m->n / RUN
                                 : kernel == MERGE ? m->merged / SAMPLE
                                                   : rank_blocks);
    launch->grid[1] = launch->grid[2] = 1;
    launch->ctx = m;
    return true;
}

/* Compares the results with a reference version that counts the occurrences of each key. Equal keys
 * keep their order. */
static int mergesort_verify(struct workload *w, struct error *err) {
    struct mergesort *m = (struct mergesort *)w;
    const uint64_t n = m->n;
    uint64_t *at = alloc_zeroed(KEYS + 1, sizeof *at);
    uint32_t *key = alloc_array(n, sizeof *key), *value = alloc_array(n, sizeof *value);
    for (uint64_t i = 0; i < n; i++)
        at[m->key.v[i] + 1]++;
    for (uint32_t k = 1; k < KEYS; k++)
        at[k] += at[k - 1];
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t place = at[m->key.v[i]]++;
        key[place] = m->key.v[i];
        value[place] = m->value.v[i];
    }
    int rc =
        verify_ints("sorted_key", (const int32_t *)m->sorted_key.v, (const int32_t *)key, n, err);
    if (rc == 0)
        rc = verify_ints("sorted_value", (const int32_t *)m->sorted_value.v, (const int32_t *)value,
                         n, err);
    free(at);
    free(key);
    free(value);
    return rc == 0 ? verify_accesses(w, err) : rc;
}

/* Returns the number of loads of a search among `length` keys, including the load of the wanted
 * key. */
static uint64_t search_loads(uint64_t length) {
    uint64_t steps = 1;
    for (uint64_t step = 1; step < length; step *= 2)
        steps++;
    return 1 + steps;
}

/* Adds the accesses for the samples of a pair of runs of the given lengths. */
static void expect_pair(struct mergesort *m, const uint64_t length[2]) {
    const uint64_t samples[2] = {length[0] / SAMPLE, length[1] / SAMPLE};
    const uint64_t all = samples[0] + samples[1];
    for (unsigned h = 0; h < 2; h++) {
        m->from_key.dev->expected_loads += samples[h] * search_loads(length[1 - h]);
        for (unsigned k = 0; k < 2; k++)
            m->rank[k].dev->expected_loads += samples[h] * search_loads(samples[1 - h]);
        m->rank[h].dev->expected_stores += all;
        m->limit[h].dev->expected_stores += all;
        m->limit[h].dev->expected_loads += 2 * all - 1;
    }
}

static void expect_mergesort(struct mergesort *m) {
    expect_accesses(m->key.dev, m->n, 0);
    expect_accesses(m->value.dev, m->n, 0);
    for (unsigned stage = 0; stage <= m->stages; stage++) {
        set_stage(m, stage);
        m->to_key.dev->expected_stores += m->merged;
        m->to_value.dev->expected_stores += m->merged;
        if (stage == 0)
            continue;
        m->from_key.dev->expected_loads += m->merged;
        m->from_value.dev->expected_loads += m->merged;
        for (uint64_t first = 0; first < m->merged; first += 2 * m->length) {
            const uint64_t left = m->merged - first - m->length;
            expect_pair(m, (uint64_t[]){m->length, left < m->length ? left : m->length});
        }
    }
}

static bool make_arrays(struct mergesort *m) {
    const uint64_t n = m->n, samples = n / SAMPLE;
    if (!NEW_ARRAY(m, key, n) || !NEW_ARRAY(m, value, n) || !NEW_ARRAY(m, buf_key, n) ||
        !NEW_ARRAY(m, buf_value, n) || !NEW_ARRAY(m, sorted_key, n) ||
        !NEW_ARRAY(m, sorted_value, n) || !NEW_ARRAY(m, ranks_a, samples) ||
        !NEW_ARRAY(m, ranks_b, samples) || !NEW_ARRAY(m, limits_a, samples) ||
        !NEW_ARRAY(m, limits_b, samples))
        return false;
    m->rank[0] = m->ranks_a;
    m->rank[1] = m->ranks_b;
    m->limit[0] = m->limits_a;
    m->limit[1] = m->limits_b;
    return true;
}

static bool mergesort_create(struct workload *w, const uint64_t *v) {
    struct mergesort *m = (struct mergesort *)w;
    const uint64_t n = m->n = v[0];
    if (!workload_multiple(w, "N", n, RUN))
        return false;
    while ((uint64_t)RUN << m->stages < n)
        m->stages++;
    m->base.w.launches = 1 + 4 * (uint64_t)m->stages;
    if (!make_arrays(m))
        return false;
    struct rng r = {SEED};
    for (uint64_t i = 0; i < n; i++) {
        m->key.v[i] = (uint32_t)rng_below(&r, KEYS);
        m->value.v[i] = (uint32_t)i;
    }
    expect_mergesort(m);
    return true;
}

const struct workload_type workload_mergesort = {
    .name = "mergesort",
    .suite = "CUDA SDK (mergeSort)",
    .doc = "merge sort of keys and values: binary searches, misaligned runs, shared memory",
    .size_doc = "N, number of keys (a multiple of 1024)",
    .default_size = "262144",
    .repeatable = true,
    .size = {{"N", RUN, 1u << 26}},
    .state_size = sizeof(struct mergesort),
    .next = mergesort_next,
    .verify = mergesort_verify,
    .create = mergesort_create,
};
