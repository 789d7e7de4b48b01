// SPDX-License-Identifier: Apache-2.0
/* The random driver of lease: stimulus, scoreboard and coverage together. */
#include "harness/cosim.h"

#include <stdlib.h>
#include <string.h>

#include "lease/lease_cover.h"
#include "lease/lease_stimulus.h"

struct driver {
    struct lease_stimulus stimulus;
    struct lease_score score, was; /* was: before the last tick */
    struct lease_cover cover;
    void *model; /* a second one, which sees late inputs inverted */
};

/* A model with the same state must show the same whatever the inputs are. */
static const char *check_late(struct driver *d, const struct lease_in *in,
                              const struct lease_out *out) {
    struct lease_in other;
    struct lease_out got = *out;
    memset(&other, 0xff, sizeof other);
    lease_type.eval(d->model, &other, &got);
    lease_type.observe(d->model, &other, &got);
    lease_type.tick(d->model, in);
    return memcmp(&got, out, sizeof got) ? "an output depends on a late input" : NULL;
}

static void drive(void *driver, void *in) {
    struct driver *d = driver;
    lease_stimulus_drive(&d->stimulus, in);
}

/* In cycle 0 there is no state yet. */
static const char *sample(void *driver, const void *in, const void *out) {
    struct driver *d = driver;
    bool first = d->stimulus.cycle == 1;
    const char *broken = check_late(d, in, out);
    if (!broken && !first)
        broken = lease_score_check(&d->score, out);
    if (broken)
        return broken;
    if (!first)
        lease_cover_before(&d->cover, &d->score, in);
    d->was = d->score;
    lease_score_tick(&d->score, in);
    if (!first)
        lease_cover_after(&d->cover, &d->was, &d->score, in);
    return NULL;
}

static size_t coverage(void *driver, const struct cover_point **points) {
    struct driver *d = driver;
    return lease_cover_points(&d->cover, points);
}

static void destroy(void *driver) {
    struct driver *d = driver;
    lease_type.destroy(d->model);
    free(d);
}

static void *create(const struct block_type *type, const struct block_params *p, uint64_t seed,
                    uint64_t cycles) {
    struct lease_geometry g;
    struct driver *d = calloc(1, sizeof *d);
    if (!d)
        return NULL;
    lease_geometry_init(&g, p);
    lease_score_init(&d->score, &g);
    lease_cover_init(&d->cover, &g, cycles);
    lease_stimulus_init(&d->stimulus, &g, &d->score, seed);
    d->model = type->create(p);
    if (!d->model) {
        free(d);
        return NULL;
    }
    return d;
}

const struct cosim_driver lease_driver = {
    .create = create, .destroy = destroy, .drive = drive, .sample = sample, .coverage = coverage};
