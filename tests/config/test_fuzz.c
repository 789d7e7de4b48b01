// SPDX-License-Identifier: Apache-2.0
/* Runs the kept corpus of the configuration parser's fuzzer. */
#include "tests/config/fuzz_config.c"
#include "tests/trace/corpus.h"

static void takes_or_refuses_the_corpus(void **state) {
    corpus_run("tests/config/corpus", 7, fuzz_config);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(takes_or_refuses_the_corpus)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
