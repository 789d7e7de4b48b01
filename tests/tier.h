/* SPDX-License-Identifier: Apache-2.0 */
/* The tier that tests/run.sh runs: a test at two depths asks which (tests/run.sh). */
#ifndef MEMTWIN_TESTS_TIER_H
#define MEMTWIN_TESTS_TIER_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The short run of `make test`; by hand a test runs in full. */
static inline bool tier_is_test(void) {
    const char *tier = getenv("TIER");
    return tier && strcmp(tier, "test") == 0;
}

#endif
