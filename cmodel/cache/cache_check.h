/* SPDX-License-Identifier: Apache-2.0 */
/* Relations between keys that the L1D and the L2 have in common. */
#ifndef MEMTWIN_CACHE_CACHE_CHECK_H
#define MEMTWIN_CACHE_CACHE_CHECK_H

#include "config/config.h"
#include "mshr/mshr_kind.h"

/* The keys of one cache; its section's name is for messages. */
struct cache_keys {
    const struct config *cfg; /* not owned */
    const char *section;
    int64_t set_index, sets;
    struct mshr_keys mshr;
};

#define CACHE_KEYS_OF(cfg, cache)                                                                  \
    { (cfg), #cache, (cfg)->cache##_set_index, (cfg)->cache##_sets, MSHR_KEYS_OF(cfg, cache) }

/* Returns 0, or -1 with one line in err. */
int cache_check(const struct cache_keys *k, char *err, size_t err_size);

#endif
