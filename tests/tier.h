/* SPDX-License-Identifier: Apache-2.0 */
/* Tells a test which tier tests/run.sh runs, for tests that run more in higher tiers. */
#ifndef MEMTWIN_TESTS_TIER_H
#define MEMTWIN_TESTS_TIER_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* True if the tier is `name`: "test", "full" or "long". A test that is run by hand is in the long
 * tier. */
static inline bool tier_is(const char *name) {
    const char *tier = getenv("TIER");
    return strcmp(tier ? tier : "long", name) == 0;
}

/* True in the test tier, which `make test` runs. */
static inline bool tier_is_test(void) {
    return tier_is("test");
}

#endif
