// SPDX-License-Identifier: Apache-2.0
#include "l1d/carveouts.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/line.h"

#define MOST_SIZES 16

/* Reads the sizes, in KiB. Returns their number, 0 for none, or MOST_SIZES + 1 for a malformed
 * list. */
static unsigned sizes_of(const char *text, uint64_t *kib) {
    if (strcmp(text, "none") == 0)
        return 0;
    for (unsigned n = 0; n < MOST_SIZES; n++) {
        char *end;
        if (*text < '0' || *text > '9')
            break;
        kib[n] = strtoull(text, &end, 10);
        if (!*end)
            return n + 1;
        if (*end != ',')
            break;
        text = end + 1;
    }
    return MOST_SIZES + 1;
}

static uint64_t array_bytes(const struct config *cfg) {
    return (uint64_t)cfg->l1d_sets * (uint64_t)cfg->l1d_ways * LINE_BYTES;
}

int carveouts_check(const struct config *cfg, struct error *err) {
    uint64_t kib[MOST_SIZES];
    const unsigned n = sizes_of(cfg->l1d_carveouts, kib);
    bool wrong = n > MOST_SIZES;
    for (unsigned i = 0; i < n && !wrong; i++)
        wrong = kib[i] >= array_bytes(cfg) / 1024 || (i && kib[i] <= kib[i - 1]);
    if (wrong)
        return error_set(err,
                         "l1d.carveouts=%s: must be none (an L1D of its own), or ascending sizes "
                         "in KiB below the %" PRIu64 " KiB of l1d.sets and l1d.ways",
                         cfg->l1d_carveouts, array_bytes(cfg) / 1024);
    if (n && kib[n - 1] < (uint64_t)cfg->sm_shared_kib)
        return error_set(err, "l1d.carveouts=%s: the last size is below sm.shared_kib=%" PRId64,
                         cfg->l1d_carveouts, cfg->sm_shared_kib);
    return 0;
}

uint32_t carveouts_ways(const struct config *cfg, uint64_t shared_bytes) {
    uint64_t kib[MOST_SIZES];
    const unsigned n = sizes_of(cfg->l1d_carveouts, kib);
    const uint64_t ways = (uint64_t)cfg->l1d_ways, all = array_bytes(cfg);
    unsigned i = 0;
    if (n == 0)
        return (uint32_t)ways;
    while (i + 1 < n && kib[i] * 1024 < shared_bytes)
        i++;
    const uint64_t left = (ways * (all - kib[i] * 1024) + all / 2) / all;
    return left ? (uint32_t)left : 1;
}
