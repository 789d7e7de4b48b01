// SPDX-License-Identifier: Apache-2.0
/* Runs the kept corpus of the trace reader's fuzzer. */
#include "tests/trace/corpus.h"
#include "tests/trace/fuzz_trace.c"

static void takes_or_refuses_the_corpus(void **state) {
    corpus_run("tests/trace/corpus", 13, fuzz_trace);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(takes_or_refuses_the_corpus)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
