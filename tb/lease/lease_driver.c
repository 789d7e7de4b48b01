// SPDX-License-Identifier: Apache-2.0
/* The random driver of lease. */
#include "harness/cosim.h"

#include <stdlib.h>
#include <string.h>

#include "lease/lease_ports.h"
#include "lib/random.h"

struct driver {
    struct block_params p;
    uint64_t rng, cycle;
};

static void drive(void *driver, void *in_) {
    struct driver *d = driver;
    struct lease_in *in = in_;
    memset(in, 0, sizeof *in);
    in->rst = d->cycle++ == 0 || random_below(&d->rng, 5000) == 0;
    in->quota_valid = random_below(&d->rng, 50) == 0;
    in->quota_group = random_below(&d->rng, 1u << lease_group_bits(&d->p));
    in->quota = random_below(&d->rng, (unsigned)d->p.v[LEASE_ENTRIES] + 1);
    for (unsigned l = 0; l < d->p.v[LEASE_LANES]; l++) {
        in->acc_valid |= (uint64_t)random_below(&d->rng, 2) << l;
        lease_put(in->acc_block, l, (unsigned)d->p.v[LEASE_BLOCK_W],
                  random_below(&d->rng, 4) ? random_below(&d->rng, 4)
                                           : random_below(&d->rng, 1u << d->p.v[LEASE_BLOCK_W]));
        lease_put(in->acc_page, l, lease_page_bits(&d->p),
                  random_below(&d->rng, (unsigned)d->p.v[LEASE_PAGES]));
        lease_put(in->acc_group, l, lease_group_bits(&d->p),
                  random_below(&d->rng, (unsigned)d->p.v[LEASE_GROUPS]));
    }
}

static const char *sample(void *driver, const void *in, const void *out) {
    (void)driver;
    (void)in;
    (void)out;
    return NULL;
}

static size_t coverage(void *driver, const struct cover_point **points) {
    (void)driver;
    *points = NULL;
    return 0;
}

static void *create(const struct block_type *type, const struct block_params *p, uint64_t seed,
                    uint64_t cycles) {
    struct driver *d = calloc(1, sizeof *d);
    (void)type;
    (void)cycles;
    if (d) {
        d->p = *p;
        d->rng = seed;
    }
    return d;
}

const struct cosim_driver lease_driver = {
    .create = create, .destroy = free, .drive = drive, .sample = sample, .coverage = coverage};
