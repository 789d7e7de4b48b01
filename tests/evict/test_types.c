// SPDX-License-Identifier: Apache-2.0
/* Tests the results of each eviction policy with the six access-pattern types of Yu et al. (2019).
 * GPU memory has frames for 75 or 50 % of the pages. */
#include "tests/evict/bench.h"

#include <stdio.h>

#include "lib/random.h"
#include "workloads/page_string.h"

#define PAGES 1600
#define REPEATS 4

static const uint32_t percent[] = {75, 50};

/* ---- Belady's MIN, by searching ---- */

static uint32_t next_use(const uint32_t *ref, uint32_t n, uint32_t from, uint32_t page) {
    for (uint32_t i = from; i < n; i++)
        if (ref[i] == page)
            return i;
    return UINT32_MAX;
}

/* Returns the number of faults with the optimum policy. Page numbers are below 256. */
static uint32_t min_faults(const uint32_t *ref, uint32_t n, uint32_t frames) {
    bool here[256] = {false};
    uint32_t faults = 0, used = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (here[ref[i]])
            continue;
        uint32_t farthest = UINT32_MAX, when = 0;
        for (uint32_t p = 0; used == frames && p < 256; p++) {
            uint32_t next = here[p] ? next_use(ref, n, i, p) : 0;
            if (next > when) {
                farthest = p;
                when = next;
            }
        }
        if (used == frames)
            here[farthest] = false;
        else
            used++;
        here[ref[i]] = true;
        faults++;
    }
    return faults;
}

/* Draws half of the references from a few pages and the other half from all pages. */
static void random_string(uint64_t *seed, uint32_t *ref, uint32_t n, uint32_t pages) {
    uint32_t few = 1 + random_below(seed, pages);
    for (uint32_t i = 0; i < n; i++)
        ref[i] = random_below(seed, random_below(seed, 2) ? few : pages);
}

static void ideal_is_min(void **state) {
    enum { REFERENCES = 400 };
    uint64_t seed = 3;
    for (unsigned k = 0; k < 100; k++) {
        uint32_t ref[REFERENCES], pages = 2 + random_below(&seed, 60);
        uint32_t frames = 1 + random_below(&seed, pages);
        random_string(&seed, ref, REFERENCES, pages);
        assert_int_equal(bench_run("ideal", NULL, pages, frames, ref, REFERENCES).faults,
                         min_faults(ref, REFERENCES, frames));
    }
}

/* ---- no policy beats the optimum ---- */

static void expect_no_better(const struct evictor *e, const char *what, struct bench_counts got,
                             struct bench_counts ideal) {
    if (got.faults < ideal.faults || got.evictions < ideal.evictions)
        fail_msg("%s on %s: %u faults, %u evictions; ideal: %u, %u", e->name, what,
                 (unsigned)got.faults, (unsigned)got.evictions, (unsigned)ideal.faults,
                 (unsigned)ideal.evictions);
}

static void nothing_beats_ideal_on_random_strings(void **state) {
    enum { REFERENCES = 1000 };
    uint64_t seed = 4;
    for (unsigned k = 0; k < 30; k++) {
        uint32_t ref[REFERENCES], pages = 2 + random_below(&seed, 200);
        uint32_t frames = 1 + random_below(&seed, pages);
        random_string(&seed, ref, REFERENCES, pages);
        struct bench_counts ideal = bench_run("ideal", NULL, pages, frames, ref, REFERENCES);
        for (unsigned i = 0; evictors[i]; i++)
            expect_no_better(evictors[i], "a random string",
                             bench_run(evictors[i]->name, NULL, pages, frames, ref, REFERENCES),
                             ideal);
    }
}

/* For each type and percentage, no policy has fewer faults or evictions than the optimum. */
static void nothing_beats_ideal_on_the_types(void **state) {
    for (unsigned type = PATTERN_STREAMING; type <= PATTERN_REGION_MOVING; type++)
        for (unsigned k = 0; k < 2; k++) {
            struct page_string s;
            char what[40];
            uint32_t frames = PAGES * percent[k] / 100;
            page_string_init(&s, type, PAGES, REPEATS);
            struct bench_counts ideal = bench_run("ideal", NULL, PAGES, frames, s.page, s.n);
            snprintf(what, sizeof what, "type %u at %u %%", type, (unsigned)percent[k]);
            for (unsigned i = 0; evictors[i]; i++) {
                struct bench_counts got =
                    bench_run(evictors[i]->name, NULL, PAGES, frames, s.page, s.n);
                print_message("%-14s %-10s %6u faults %6u evictions\n", what, evictors[i]->name,
                              (unsigned)got.faults, (unsigned)got.evictions);
                expect_no_better(evictors[i], what, got, ideal);
            }
            page_string_free(&s);
        }
}

/* ---- known results for each type ---- */

static struct bench_counts run_type(enum page_pattern type, uint32_t frames, const char *evictor,
                                    const struct config *cfg) {
    struct page_string s;
    page_string_init(&s, type, PAGES, REPEATS);
    struct bench_counts got = bench_run(evictor, cfg, PAGES, frames, s.page, s.n);
    page_string_free(&s);
    return got;
}

static uint32_t evictions(enum page_pattern type, uint32_t frames, const char *evictor) {
    return run_type(type, frames, evictor, NULL).evictions;
}

/* Each page is used only once, so it faults once with every policy. Policies that evict single
 * pages evict only as many pages as do not fit. */
static void streaming_is_all_the_same(void **state) {
    for (unsigned k = 0; k < 2; k++) {
        uint32_t frames = PAGES * percent[k] / 100;
        for (unsigned i = 0; evictors[i]; i++)
            assert_int_equal(run_type(PATTERN_STREAMING, frames, evictors[i]->name, NULL).faults,
                             PAGES);
        assert_int_equal(evictions(PATTERN_STREAMING, frames, "lru"), PAGES - frames);
        assert_int_equal(evictions(PATTERN_STREAMING, frames, "random"), PAGES - frames);
        assert_int_equal(evictions(PATTERN_STREAMING, frames, "ideal"), PAGES - frames);
    }
}

/* LRU evicts each page before it is used again. In each pass after the first, the optimum has
 * only as many faults as pages do not fit. */
static void thrashing_is_lrus_worst(void **state) {
    static const enum page_pattern types[] = {PATTERN_THRASHING, PATTERN_REPETITIVE_THRASHING};
    for (unsigned k = 0; k < 4; k++) {
        uint32_t frames = PAGES * percent[k % 2] / 100;
        uint32_t all = REPEATS * PAGES, best = PAGES + (REPEATS - 1) * (PAGES - frames);
        uint32_t random = evictions(types[k / 2], frames, "random");
        assert_int_equal(evictions(types[k / 2], frames, "lru"), all - frames);
        assert_int_equal(evictions(types[k / 2], frames, "ideal"), best - frames);
        assert_in_range(random, best - frames + 1, all - frames - 1);
    }
}

/* Pages that are used again are used before they are old. LRU equals the optimum, which evicts
 * only as many pages as do not fit. Random evicts more. */
static void lru_is_best_where_pages_become_cold(void **state) {
    static const enum page_pattern types[] = {PATTERN_PART_REPETITIVE, PATTERN_MOST_REPETITIVE,
                                              PATTERN_REGION_MOVING};
    for (unsigned k = 0; k < 6; k++) {
        uint32_t frames = PAGES * percent[k % 2] / 100;
        assert_int_equal(evictions(types[k / 2], frames, "lru"), PAGES - frames);
        assert_int_equal(evictions(types[k / 2], frames, "ideal"), PAGES - frames);
        assert_true(evictions(types[k / 2], frames, "random") > PAGES - frames);
    }
}

/* For type II, HPE evicts far fewer pages than LRU, even if it uses only MRU-C. For types I and
 * VI, it evicts about as many. */
static void hpe_is_as_it_was_published(void **state) {
    struct config mru_c;
    config_default(&mru_c);
    mru_c.hpe_strategy = HPE_MRU_C;
    for (unsigned k = 0; k < 2; k++) {
        uint32_t frames = PAGES * percent[k] / 100;
        uint32_t lru = evictions(PATTERN_THRASHING, frames, "lru");
        assert_true(10 * evictions(PATTERN_THRASHING, frames, "hpe") < 8 * lru);
        assert_true(10 * run_type(PATTERN_THRASHING, frames, "hpe", &mru_c).evictions < 8 * lru);
        assert_int_equal(evictions(PATTERN_STREAMING, frames, "hpe"), PAGES - frames);
        assert_true(10 * evictions(PATTERN_REGION_MOVING, frames, "hpe") < 11 * (PAGES - frames));
    }
}

/* With its settings for type II, RRIP evicts fewer pages than LRU. */
static void rrip_may_be_set_for_thrashing(void **state) {
    struct config distant;
    config_default(&distant);
    distant.rrip_insert = RRIP_DISTANT;
    for (unsigned k = 0; k < 2; k++) {
        uint32_t frames = PAGES * percent[k] / 100;
        uint32_t got = run_type(PATTERN_THRASHING, frames, "rrip", &distant).evictions;
        print_message("rrip, distant: %u evictions\n", (unsigned)got);
        assert_true(10 * got < 9 * evictions(PATTERN_THRASHING, frames, "lru"));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ideal_is_min),
        cmocka_unit_test(nothing_beats_ideal_on_random_strings),
        cmocka_unit_test(nothing_beats_ideal_on_the_types),
        cmocka_unit_test(streaming_is_all_the_same),
        cmocka_unit_test(thrashing_is_lrus_worst),
        cmocka_unit_test(lru_is_best_where_pages_become_cold),
        cmocka_unit_test(hpe_is_as_it_was_published),
        cmocka_unit_test(rrip_may_be_set_for_thrashing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
