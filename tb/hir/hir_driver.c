// SPDX-License-Identifier: Apache-2.0
/* Drives hir with random inputs, and combines stimulus, scoreboard and coverage. */
#include "harness/cosim.h"

#include <stdlib.h>
#include <string.h>

#include "hir/hir_cover.h"
#include "hir/hir_stimulus.h"
#include "lib/alloc.h"

struct hir_driver {
    struct hir_stimulus stimulus;
    struct hir_score score;
    struct hir_cover cover;
    struct hir_in mask; /* mask of the inputs that are wider than one bit */
    void *model;        /* second model, which gets all inputs except rst inverted */
};

/* Checks that no output depends on the current inputs, using a second model that gets them
 * inverted. */
static const char *check_late(struct hir_driver *d, const struct hir_in *in,
                              const struct hir_out *out) {
    struct hir_in other = *in;
    struct hir_out got = *out;
    other.hit_valid = !in->hit_valid;
    other.hit_set ^= d->mask.hit_set;
    other.hit_page ^= d->mask.hit_page;
    other.flush = !in->flush;
    other.out_ready = !in->out_ready;
    hir_type.eval(d->model, &other, &got);
    hir_type.observe(d->model, &other, &got);
    hir_type.tick(d->model, in);
    return memcmp(&got, out, sizeof got) ? "an output depends on a late input" : NULL;
}

static void drive_inputs(void *driver, void *in) {
    struct hir_driver *d = driver;
    hir_stimulus_drive(&d->stimulus, in);
}

/* Skips the scoreboard's checks in cycle 0, in which the state is undefined. */
static const char *sample_outputs(void *driver, const void *in, const void *out) {
    struct hir_driver *d = driver;
    struct hir_look look = {0};
    bool first = d->stimulus.cycle == 1;
    const char *broken = check_late(d, in, out);
    if (!broken && !first)
        broken = hir_score_check(&d->score, in, out, &look);
    if (broken)
        return broken;
    if (!first)
        hir_cover_cycle(&d->cover, &d->score, in, &look);
    hir_score_tick(&d->score, in, &look);
    return NULL;
}

static size_t list_coverage(void *driver, const struct cover_point **points) {
    struct hir_driver *d = driver;
    return hir_cover_points(&d->cover, d->stimulus.total, points);
}

static void destroy_driver(void *driver) {
    struct hir_driver *d = driver;
    hir_type.destroy(d->model);
    free(d);
}

static void *create_driver(const struct block_type *type, const struct block_params *p,
                           uint64_t seed, uint64_t cycles) {
    struct hir_geometry g;
    struct hir_driver *d = alloc_zeroed(1, sizeof *d);
    hir_geometry_init(&g, p);
    hir_score_init(&d->score, &g);
    hir_cover_init(&d->cover, &g);
    hir_stimulus_init(&d->stimulus, &g, &d->score, seed, cycles);
    d->mask = (struct hir_in){.hit_set = g.number_mask, .hit_page = g.pages - 1};
    d->model = type->create(p);
    return d;
}

const struct cosim_driver hir_driver = {.create = create_driver,
                                        .destroy = destroy_driver,
                                        .drive = drive_inputs,
                                        .sample = sample_outputs,
                                        .coverage = list_coverage};
