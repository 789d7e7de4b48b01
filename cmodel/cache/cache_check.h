/* SPDX-License-Identifier: Apache-2.0 */
/* Checks relations between keys that the L1D and the L2 have in common. */
#ifndef MEMTWIN_CACHE_CACHE_CHECK_H
#define MEMTWIN_CACHE_CACHE_CHECK_H

#include "config/config.h"
#include "mshr/mshr_kind.h"

/* Keys of one cache. Messages contain the name of the section. */
struct cache_keys {
    const struct config *cfg; /* not owned */
    const char *section;
    int64_t set_index, sets;
    struct mshr_keys mshr;
};

#define CACHE_KEYS_OF(cfg, cache)                                                                  \
    { (cfg), #cache, (cfg)->cache##_set_index, (cfg)->cache##_sets, MSHR_KEYS_OF(cfg, cache) }

/* Checks the keys. Returns 0, or -1 with one line in err. */
int cache_check(const struct cache_keys *k, struct error *err);

#endif
