// SPDX-License-Identifier: Apache-2.0
/* Drives lease with random inputs, and combines stimulus, scoreboard and coverage. */
#include "harness/cosim.h"

#include <stdlib.h>
#include <string.h>

#include "lease/lease_cover.h"
#include "lease/lease_stimulus.h"
#include "lib/alloc.h"

struct lease_driver {
    struct lease_stimulus stimulus;
    struct lease_score score, was; /* `was` is the scoreboard before the last tick */
    struct lease_cover cover;
    void *model; /* second model, which gets late inputs inverted */
};

/* Checks that no output depends on the current inputs, using a second model that gets them
 * inverted. */
static const char *check_late(struct lease_driver *d, const struct lease_in *in,
                              const struct lease_out *out) {
    struct lease_in other;
    struct lease_out got = *out;
    memset(&other, 0xff, sizeof other);
    lease_type.eval(d->model, &other, &got);
    lease_type.observe(d->model, &other, &got);
    lease_type.tick(d->model, in);
    return memcmp(&got, out, sizeof got) ? "an output depends on a late input" : NULL;
}

static void drive_inputs(void *driver, void *in) {
    struct lease_driver *d = driver;
    lease_stimulus_drive(&d->stimulus, in);
}

/* Skips the scoreboard's checks in cycle 0, in which the state is undefined. */
static const char *sample_outputs(void *driver, const void *in, const void *out) {
    struct lease_driver *d = driver;
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

static size_t list_coverage(void *driver, const struct cover_point **points) {
    struct lease_driver *d = driver;
    return lease_cover_points(&d->cover, points);
}

static void destroy_driver(void *driver) {
    struct lease_driver *d = driver;
    lease_type.destroy(d->model);
    free(d);
}

static void *create_driver(const struct block_type *type, const struct block_params *p,
                           uint64_t seed, uint64_t cycles) {
    struct lease_geometry g;
    struct lease_driver *d = alloc_zeroed(1, sizeof *d);
    lease_geometry_init(&g, p);
    lease_score_init(&d->score, &g);
    lease_cover_init(&d->cover, &g, cycles);
    lease_stimulus_init(&d->stimulus, &g, &d->score, seed);
    d->model = type->create(p);
    return d;
}

const struct cosim_driver lease_driver = {.create = create_driver,
                                          .destroy = destroy_driver,
                                          .drive = drive_inputs,
                                          .sample = sample_outputs,
                                          .coverage = list_coverage};
