// SPDX-License-Identifier: Apache-2.0
/* Drives expiry with random inputs, and combines stimulus, scoreboard and coverage. */
#include "harness/cosim.h"

#include <stdlib.h>
#include <string.h>

#include "expiry/expiry_cover.h"
#include "expiry/expiry_stimulus.h"
#include "lib/alloc.h"

struct expiry_driver {
    struct expiry_stimulus stimulus;
    struct expiry_score score;
    struct expiry_cover cover;
    struct expiry_in mask; /* masks of the inputs, which are 0 for rst */
    void *model;           /* second model, which gets all inputs except rst inverted */
};

/* Checks that no output depends on the current inputs, using a second model that gets them
 * inverted. Also checks that the model has a next event if and only if the scoreboard has an
 * operation. */
static const char *check_late(struct expiry_driver *d, const struct expiry_in *in,
                              const struct expiry_out *out) {
    struct expiry_in other = *in;
    struct expiry_out got = *out;
    bool rests = expiry_next_event(d->model) == UINT64_MAX;
    bool works = d->score.now.kind || d->score.next.kind || d->score.take_asked;
    other.exp_valid ^= d->mask.exp_valid;
    other.exp_block ^= d->mask.exp_block;
    other.exp_page ^= d->mask.exp_page;
    other.rec_valid ^= d->mask.rec_valid;
    other.rec_block ^= d->mask.rec_block;
    other.take ^= d->mask.take;
    other.out_ready ^= d->mask.out_ready;
    expiry_type.eval(d->model, &other, &got);
    expiry_type.observe(d->model, &other, &got);
    expiry_type.tick(d->model, in);
    if (memcmp(&got, out, sizeof got))
        return "an output depends on a late input";
    return rests == works ? "next_event does not match the ports" : NULL;
}

static void drive_inputs(void *driver, void *in) {
    struct expiry_driver *d = driver;
    expiry_stimulus_drive(&d->stimulus, in);
}

/* Skips the scoreboard's checks in cycle 0, in which the state is undefined. */
static const char *sample_outputs(void *driver, const void *in, const void *out) {
    struct expiry_driver *d = driver;
    struct expiry_look look = {0};
    bool first = d->stimulus.cycle == 1;
    const char *broken = check_late(d, in, out);
    if (!broken && !first)
        broken = expiry_score_check(&d->score, in, out, &look);
    if (broken)
        return broken;
    if (!first)
        expiry_cover_cycle(&d->cover, &d->score, in, &look);
    expiry_score_tick(&d->score, in, &look);
    return NULL;
}

static size_t list_coverage(void *driver, const struct cover_point **points) {
    struct expiry_driver *d = driver;
    return expiry_cover_points(&d->cover, d->stimulus.total, points);
}

static void destroy_driver(void *driver) {
    struct expiry_driver *d = driver;
    expiry_type.destroy(d->model);
    free(d);
}

static void *create_driver(const struct block_type *type, const struct block_params *p,
                           uint64_t seed, uint64_t cycles) {
    struct expiry_geometry g;
    struct expiry_driver *d = alloc_zeroed(1, sizeof *d);
    expiry_geometry_init(&g, p);
    expiry_score_init(&d->score, &g);
    expiry_cover_init(&d->cover, &g);
    expiry_stimulus_init(&d->stimulus, &g, &d->score, seed, cycles);
    d->mask = (struct expiry_in){.exp_valid = 1,
                                 .exp_block = g.block_mask,
                                 .exp_page = g.pages - 1,
                                 .rec_valid = 1,
                                 .rec_block = g.block_mask,
                                 .take = 1,
                                 .out_ready = 1};
    d->model = type->create(p);
    return d;
}

const struct cosim_driver expiry_driver = {.create = create_driver,
                                           .destroy = destroy_driver,
                                           .drive = drive_inputs,
                                           .sample = sample_outputs,
                                           .coverage = list_coverage};
