/* Each eviction policy by itself: whom it chooses, in which order. */
#include "tests/evict/bench.h"

static struct bench b;

static void refs(const uint32_t *page, unsigned n) {
    for (unsigned i = 0; i < n; i++)
        bench_ref(&b, page[i]);
}
#define REFS(...) refs((const uint32_t[]){__VA_ARGS__}, sizeof((uint32_t[]){__VA_ARGS__}) / 4)

/* The next choice. */
static void leaves(const uint32_t *page, unsigned n) {
    assert_int_equal(bench_evict(&b), n);
    for (unsigned i = 0; i < n; i++)
        if (b.victim[i] != page[i])
            fail_msg("victim %u of %u is page %u instead of %u", i, n, (unsigned)b.victim[i],
                     (unsigned)page[i]);
}
#define LEAVES(...) leaves((const uint32_t[]){__VA_ARGS__}, sizeof((uint32_t[]){__VA_ARGS__}) / 4)

static void every_policy_has_a_name_a_line_and_what_it_needs(void **state) {
    (void)state;
    for (unsigned i = 0; evictors[i]; i++) {
        const struct evictor *e = evictors[i];
        assert_ptr_equal(evictor_find(e->name), e);
        assert_true(e->doc && strlen(e->doc) > 0 && !strchr(e->doc, '\n'));
        assert_true(e->create && e->destroy && e->choose);
    }
    assert_null(evictor_find("no such policy"));
}

/* ---- lru ---- */

static void lru_knows_walks(void **state) {
    (void)state;
    bench_open(&b, "lru", NULL, 100, 4, NULL, 0);
    REFS(1, 2, 3, 4, 1);
    LEAVES(2);
    REFS(3, 5, 6);
    LEAVES(1);
    LEAVES(3);
    LEAVES(5);
    bench_close(&b);
}

static void lru_passes_over_what_may_not_leave(void **state) {
    (void)state;
    bench_open(&b, "lru", NULL, 100, 4, NULL, 0);
    REFS(1, 2, 3, 4);
    b.pages.page[1].waiters = b.pages.page[2].waiters = 1;
    LEAVES(3);
    LEAVES(4);
    assert_int_equal(bench_evict(&b), 0);
    b.pages.page[2].waiters = 0;
    LEAVES(2);
    bench_close(&b);
}

static void touches_of_pages_that_have_left_are_ignored(void **state) {
    (void)state;
    for (unsigned i = 0; evictors[i]; i++) {
        if (!evictors[i]->touch)
            continue;
        bench_open(&b, evictors[i]->name, NULL, 2000, 4, NULL, 0);
        REFS(1, 2, 3);
        bench_evict(&b);
        for (uint32_t page = 0; page < 2000; page += 7)
            if (b.pages.page[page].state != PAGE_RESIDENT)
                b.evictor->touch(b.policy, page, 3);
        bench_close(&b);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_policy_has_a_name_a_line_and_what_it_needs),
        cmocka_unit_test(lru_knows_walks),
        cmocka_unit_test(lru_passes_over_what_may_not_leave),
        cmocka_unit_test(touches_of_pages_that_have_left_are_ignored),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
