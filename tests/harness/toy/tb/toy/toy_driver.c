// SPDX-License-Identifier: Apache-2.0
/* The random driver of toy writes a value in half of the cycles, and sometimes resets the block. */
#include <stdlib.h>

#include "harness/cosim.h"
#include "lib/random.h"
#include "toy/toy_ports.h"

struct toy_driver {
    uint64_t random, mask, cycle, total;
    struct cover_point put_again;
};

static void *create(const struct block_type *type, const struct block_params *p, uint64_t seed,
                    uint64_t cycles) {
    (void)type;
    struct toy_driver *d = calloc(1, sizeof *d);
    if (!d)
        return NULL;
    d->random = seed;
    d->mask = ~UINT64_C(0) >> (64 - p->v[TOY_WIDTH]);
    d->total = cycles;
    d->put_again.name = "put again";
    return d;
}

static void drive(void *driver, void *in_) {
    struct toy_driver *d = driver;
    struct toy_in *in = in_;
    uint64_t dice = random_next(&d->random);
    *in = (struct toy_in){.rst = !d->cycle || dice % 64 == 0, .put_valid = dice >> 32 & 1};
    in->put_value = random_next(&d->random) & d->mask;
    d->cycle++;
}

static const char *sample(void *driver, const void *in_, const void *out_) {
    struct toy_driver *d = driver;
    const struct toy_in *in = in_;
    const struct toy_out *out = out_;
    d->put_again.hits += out->get_valid && in->put_valid;
    return NULL;
}

static size_t coverage(void *driver, const struct cover_point **points) {
    struct toy_driver *d = driver;
    d->put_again.floor = d->total >= 100000;
    *points = &d->put_again;
    return 1;
}

const struct cosim_driver toy_driver = {
    .create = create,
    .destroy = free,
    .drive = drive,
    .sample = sample,
    .coverage = coverage,
};
