// SPDX-License-Identifier: Apache-2.0
/* Checks relations between the keys of the L1D. */
#include <inttypes.h>

#include "cache/cache_check.h"
#include "l1d/carveouts.h"
#include "l1d/l1d.h"
#include "lib/bits.h"

#define NAME_OF(ENUMERATOR, value) #value,
#define MOST_LINES (1 << 18) /* maximum number of lines (32 MB) */

int l1d_check(const struct config *cfg, struct error *err) {
    const struct cache_keys keys = CACHE_KEYS_OF(cfg, l1d);
    static const char *const names[] = {L1D_WRITE_VALUES(NAME_OF)};
    bool back =
        cfg->l1d_write != L1D_WTWN && cfg->l1d_write != L1D_WEWN && cfg->l1d_write != L1D_WTWA;
    if (cfg->l1d_write == L1D_WTWA && cfg->l1d_allocate == ALLOCATE_FILL)
        return error_set(err, "l1d.write=wtwa claims a way at the miss: needs l1d.allocate=miss");
    /* A miss that replaces a dirty line sends two requests in one cycle. */
    if (back && cfg->l1d_allocate == ALLOCATE_MISS && cfg->l1d_miss_queue < 2)
        return error_set(
            err,
            "l1d.write=%s with l1d.allocate=miss needs l1d.miss_queue of at least 2 (a "
            "write-back and a fetch), not %" PRId64,
            names[cfg->l1d_write], cfg->l1d_miss_queue);
    if (cfg->l1d_miss_room > cfg->l1d_miss_queue)
        return error_set(err,
                         "l1d.miss_room=%" PRId64 " needs l1d.miss_queue of at least %" PRId64
                         ", not %" PRId64,
                         cfg->l1d_miss_room, cfg->l1d_miss_room, cfg->l1d_miss_queue);
    if (!bits_power_of_two((uint64_t)cfg->l1d_banks))
        return error_set(err, "l1d.banks=%" PRId64 " is not a power of two", cfg->l1d_banks);
    if (cfg->l1d_sets * cfg->l1d_ways > MOST_LINES)
        return error_set(err,
                         "l1d.sets=%" PRId64 " and l1d.ways=%" PRId64 " make more than %d lines",
                         cfg->l1d_sets, cfg->l1d_ways, MOST_LINES);
    return carveouts_check(cfg, err) ? -1 : cache_check(&keys, err);
}
