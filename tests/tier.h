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

/* True if a test runs its n-th variant in this tier: in the test tier one of five, in the full tier
 * two of five, in the long tier all. */
static inline bool tier_has(unsigned n) {
    return tier_is("long") || n % 5 == 0 || (tier_is("full") && n % 5 == 1);
}

/* True in the test tier, which `make test` runs. */
static inline bool tier_is_test(void) {
    return tier_is("test");
}

#endif
