// SPDX-License-Identifier: Apache-2.0
/* Tests which words are suggested for a misspelled word. */
#include "lib/guess.h"
#include "tests/test.h"

static void distances(void **state) {
    assert_int_equal(guess_distance("", ""), 0);
    assert_int_equal(guess_distance("", "abc"), 3);
    assert_int_equal(guess_distance("abc", ""), 3);
    assert_int_equal(guess_distance("gemm", "GEMM"), 0);
    assert_int_equal(guess_distance("gem", "gemm"), 1);
    assert_int_equal(guess_distance("gemmm", "gemm"), 1);
    assert_int_equal(guess_distance("gamm", "gemm"), 1);
    assert_int_equal(guess_distance("rnu", "run"), 1);
    assert_int_equal(guess_distance("kitten", "sitting"), 3);
    assert_int_equal(guess_distance("flaw", "lawn"), 2);
    char longest[GUESS_MAX + 1];
    memset(longest, 'x', GUESS_MAX);
    longest[GUESS_MAX] = '\0';
    assert_int_equal(guess_distance(longest, longest), 0);
    assert_int_equal(guess_distance(longest, ""), GUESS_MAX);
}

static const char *hint_of(struct guess *g, const char *word) {
    static const char *const there[] = {"run",  "cosim", "replay", "mutants",
                                        "dram", "trace", "list"};
    guess_begin(g, word);
    for (size_t i = 0; i < sizeof there / sizeof *there; i++)
        guess_try(g, there[i], strlen(there[i]));
    return guess_hint(g);
}

static void the_nearest_is_meant(void **state) {
    struct guess g;
    assert_string_equal(hint_of(&g, "rnu"), "; did you mean 'run'?");
    assert_string_equal(hint_of(&g, "trce"), "; did you mean 'trace'?");
    assert_string_equal(hint_of(&g, "cosmi"), "; did you mean 'cosim'?");
    assert_string_equal(hint_of(&g, "LIST"), "; did you mean 'list'?");
    assert_string_equal(hint_of(&g, "drma"), "; did you mean 'dram'?");
    assert_string_equal(hint_of(&g, "fly"), "");
    assert_string_equal(hint_of(&g, ""), "");
    assert_string_equal(hint_of(&g, "x"), "");
    char longer[200];
    memset(longer, 'r', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    assert_string_equal(hint_of(&g, longer), "");
    guess_begin(&g, "stat");
    guess_try(&g, longer, strlen(longer));
    guess_try(&g, "static|dl", 6);
    assert_string_equal(guess_hint(&g), "");
    guess_begin(&g, "statik");
    guess_try(&g, "static|dl", 6);
    assert_string_equal(guess_hint(&g), "; did you mean 'static'?");
    guess_begin(&g, "stream-cluster");
    guess_try_other(&g, "streamcluster)", 13, "sc");
    assert_string_equal(guess_hint(&g), "; did you mean 'sc'?");
}

static const char *hint_among(struct guess *g, const char *word, const char *const *there) {
    guess_begin(g, word);
    for (size_t i = 0; there[i]; i++)
        guess_try(g, there[i], strlen(there[i]));
    return guess_hint(g);
}

static void the_first_part_is_meant(void **state) {
    static const char *const there[] = {
        "tlb_misses",           "l1d_hits",        "l1d_miss_rate",  "cycles", "l1d_primary_misses",
        "l1d_secondary_misses", "l1d.hit_latency", "l2.hit_latency", NULL};
    struct guess g;
    assert_string_equal(hint_among(&g, "l1d_misses", there),
                        "; did you mean 'l1d_primary_misses'?");
    assert_string_equal(hint_among(&g, "l1d_mises", there), "");
    assert_string_equal(hint_among(&g, "tlb_miss", there), "; did you mean 'tlb_misses'?");
    assert_string_equal(hint_among(&g, "tbl_misses", there), "; did you mean 'tlb_misses'?");
    assert_string_equal(hint_among(&g, "l1d_hit", there), "; did you mean 'l1d_hits'?");
    assert_string_equal(hint_among(&g, "l2.hit_latencies", there),
                        "; did you mean 'l2.hit_latency'?");
    assert_string_equal(hint_among(&g, "l2.latency", there), "; did you mean 'l2.hit_latency'?");
    assert_string_equal(hint_among(&g, "misses", there), "");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(distances),
                                       cmocka_unit_test(the_nearest_is_meant),
                                       cmocka_unit_test(the_first_part_is_meant)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
