// SPDX-License-Identifier: Apache-2.0
/* Drives mil with random inputs, and combines stimulus, scoreboard and coverage. */
#include "harness/cosim.h"

#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "mil/mil_cover.h"
#include "mil/mil_stimulus.h"

struct mil_driver {
    struct mil_stimulus stimulus;
    struct mil_score score;
    struct mil_cover cover;
    void *model; /* second model, which gets late inputs inverted */
};

/* Checks that no output depends on late inputs, using a second model that gets them inverted. */
static const char *check_late(struct mil_driver *d, const struct mil_in *in,
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

static void drive_inputs(void *driver, void *in) {
    struct mil_driver *d = driver;
    mil_stimulus_drive(&d->stimulus, in);
}

/* Skips the scoreboard's checks in cycle 0, in which the state is undefined. */
static const char *sample_outputs(void *driver, const void *in, const void *out) {
    struct mil_driver *d = driver;
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

static size_t list_coverage(void *driver, const struct cover_point **points) {
    struct mil_driver *d = driver;
    return mil_cover_points(&d->cover, points);
}

static void destroy_driver(void *driver) {
    struct mil_driver *d = driver;
    mil_type.destroy(d->model);
    free(d);
}

static void *create_driver(const struct block_type *type, const struct block_params *p,
                           uint64_t seed, uint64_t cycles) {
    struct mil_geometry g;
    struct mil_driver *d = alloc_zeroed(1, sizeof *d);
    mil_geometry_init(&g, p);
    mil_score_init(&d->score, &g);
    mil_cover_init(&d->cover, &g, cycles);
    mil_stimulus_init(&d->stimulus, &g, &d->score, seed, cycles);
    d->model = type->create(p);
    return d;
}

const struct cosim_driver mil_driver = {.create = create_driver,
                                        .destroy = destroy_driver,
                                        .drive = drive_inputs,
                                        .sample = sample_outputs,
                                        .coverage = list_coverage};
