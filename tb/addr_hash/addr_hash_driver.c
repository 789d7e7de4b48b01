// SPDX-License-Identifier: Apache-2.0
/* The random driver of addr_hash: stimulus, scoreboard and coverage together. */
#include "harness/cosim.h"

#include <stdlib.h>
#include <string.h>

#include "addr_hash/addr_hash_cover.h"
#include "addr_hash/addr_hash_stimulus.h"

struct driver {
    struct addr_hash_stimulus stimulus;
    struct addr_hash_score score;
    struct addr_hash_cover cover;
    void *model; /* a second one, which sees every input but rst inverted */
};

/* A model with the same state must show the same whatever the inputs are. */
static const char *check_late(struct driver *d, const struct addr_hash_in *in,
                              const struct addr_hash_out *out) {
    struct addr_hash_in other = *in;
    struct addr_hash_out got = *out;
    other.acc_valid = !in->acc_valid;
    other.acc_line ^= d->score.g.line_mask;
    addr_hash_type.eval(d->model, &other, &got);
    addr_hash_type.tick(d->model, in);
    return memcmp(&got, out, sizeof got) ? "an output depends on an input" : NULL;
}

static void drive(void *driver, void *in) {
    struct driver *d = driver;
    addr_hash_stimulus_drive(&d->stimulus, in);
}

/* In cycle 0 there is no state yet. */
static const char *sample(void *driver, const void *in, const void *out) {
    struct driver *d = driver;
    bool first = d->stimulus.cycle == 1;
    const char *broken = check_late(d, in, out);
    if (!broken && !first)
        broken = addr_hash_score_check(&d->score, out);
    if (broken)
        return broken;
    if (!first)
        addr_hash_cover_cycle(&d->cover, &d->score, in);
    addr_hash_score_tick(&d->score, in);
    return NULL;
}

static size_t coverage(void *driver, const struct cover_point **points) {
    struct driver *d = driver;
    return addr_hash_cover_points(&d->cover, points);
}

static void destroy(void *driver) {
    struct driver *d = driver;
    addr_hash_type.destroy(d->model);
    free(d);
}

static void *create(const struct block_type *type, const struct block_params *p, uint64_t seed,
                    uint64_t cycles) {
    struct addr_hash_geometry g;
    struct driver *d = calloc(1, sizeof *d);
    (void)cycles;
    if (!d)
        return NULL;
    addr_hash_geometry_init(&g, p);
    addr_hash_score_init(&d->score, &g);
    addr_hash_cover_init(&d->cover, &g);
    addr_hash_stimulus_init(&d->stimulus, &g, seed);
    d->model = type->create(p);
    if (!d->model) {
        free(d);
        return NULL;
    }
    return d;
}

const struct cosim_driver addr_hash_driver = {
    .create = create, .destroy = destroy, .drive = drive, .sample = sample, .coverage = coverage};
