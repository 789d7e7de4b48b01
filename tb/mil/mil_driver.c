// SPDX-License-Identifier: Apache-2.0
/* The random driver of mil: stimulus, scoreboard and coverage together. */
#include "harness/cosim.h"

#include <stdlib.h>
#include <string.h>

#include "mil/mil_cover.h"
#include "mil/mil_stimulus.h"

struct driver {
    struct mil_stimulus stimulus;
    struct mil_score score;
    struct mil_cover cover;
    void *model; /* a second one, which sees late inputs inverted */
};

/* A model with the same state must show the same whatever the late inputs are. */
static const char *check_late(struct driver *d, const struct mil_in *in,
                              const struct mil_out *out) {
    struct mil_in other;
    struct mil_out got = *out;
    memset(&other, 0xff, sizeof other);
    other.want = in->want;
    mil_type.eval(d->model, &other, &got);
    mil_type.observe(d->model, &other, &got);
    mil_type.tick(d->model, in);
    return memcmp(&got, out, sizeof got) ? "an output depends on a late input" : NULL;
}

static void drive(void *driver, void *in) {
    struct driver *d = driver;
    mil_stimulus_drive(&d->stimulus, in);
}

/* In cycle 0 there is no state yet. */
static const char *sample(void *driver, const void *in, const void *out) {
    struct driver *d = driver;
    bool first = d->stimulus.cycle == 1;
    const char *broken = check_late(d, in, out);
    unsigned err = d->score.err;
    if (!broken && !first)
        broken = mil_score_check(&d->score, in, out);
    if (broken)
        return broken;
    if (!first)
        mil_cover_before(&d->cover, &d->score, in);
    mil_score_tick(&d->score, in);
    if (!first)
        mil_cover_after(&d->cover, &d->score, in, err);
    return NULL;
}

static size_t coverage(void *driver, const struct cover_point **points) {
    struct driver *d = driver;
    return mil_cover_points(&d->cover, points);
}

static void destroy(void *driver) {
    struct driver *d = driver;
    mil_type.destroy(d->model);
    free(d);
}

static void *create(const struct block_type *type, const struct block_params *p, uint64_t seed,
                    uint64_t cycles) {
    struct mil_geometry g;
    struct driver *d = calloc(1, sizeof *d);
    if (!d)
        return NULL;
    mil_geometry_init(&g, p);
    mil_score_init(&d->score, &g);
    mil_cover_init(&d->cover, &g, cycles);
    mil_stimulus_init(&d->stimulus, &g, &d->score, seed, cycles);
    d->model = type->create(p);
    if (!d->model) {
        free(d);
        return NULL;
    }
    return d;
}

const struct cosim_driver mil_driver = {
    .create = create, .destroy = destroy, .drive = drive, .sample = sample, .coverage = coverage};
