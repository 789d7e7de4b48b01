/* SPDX-License-Identifier: Apache-2.0 */
/* The tier that tests/run.sh runs: a test at two depths asks which (tests/run.sh). */
#ifndef MEMTWIN_TESTS_TIER_H
#define MEMTWIN_TESTS_TIER_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The tier, "test", "full" or "long"; by hand a test runs as deep as in tier long. */
static inline bool tier_is(const char *name) {
    const char *tier = getenv("TIER");
    return strcmp(tier ? tier : "long", name) == 0;
}

/* The short run of `make test`. */
static inline bool tier_is_test(void) {
    return tier_is("test");
}

#endif
