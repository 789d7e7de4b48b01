// SPDX-License-Identifier: Apache-2.0
/* The random driver of bpg: stimulus, scoreboard and coverage together. */
#include "harness/cosim.h"

#include <stdlib.h>
#include <string.h>

#include "bpg/bpg_cover.h"
#include "bpg/bpg_stimulus.h"

struct driver {
    struct bpg_stimulus stimulus;
    struct bpg_score score;
    struct bpg_cover cover;
    struct bpg_in mask; /* of the late inputs */
    void *model;        /* a second one, which sees every late input inverted */
};

/* A model with the same state must show the same whatever the late inputs are. */
static const char *check_late(struct driver *d, const struct bpg_in *in,
                              const struct bpg_out *out) {
    struct bpg_in other = *in;
    struct bpg_out got = *out;
    other.acc_valid = !in->acc_valid;
    other.acc_op ^= d->mask.acc_op;
    other.acc_addr ^= d->mask.acc_addr;
    other.acc_id ^= d->mask.acc_id;
    other.fail = !in->fail;
    bpg_type.eval(d->model, &other, &got);
    bpg_type.observe(d->model, &other, &got);
    bpg_type.tick(d->model, in);
    return memcmp(&got, out, sizeof got) ? "an output depends on acc_* or fail" : NULL;
}

static void drive(void *driver, void *in) {
    struct driver *d = driver;
    bpg_stimulus_drive(&d->stimulus, in);
}

/* In cycle 0 there is no state yet. */
static const char *sample(void *driver, const void *in, const void *out) {
    struct driver *d = driver;
    struct bpg_look look = {0};
    bool first = d->stimulus.cycle == 1;
    const char *broken = check_late(d, in, out);
    if (!broken && !first)
        broken = bpg_score_check(&d->score, in, out, &look);
    if (broken)
        return broken;
    if (!first)
        bpg_cover_cycle(&d->cover, &d->score, in, &look);
    bpg_score_tick(&d->score, in, &look);
    return NULL;
}

/* Hits that each point needs that can occur: one, in runs that are long enough for it. Each turn of
 * the stimulus takes intervals, and the counter of failures has to fill up. */
static size_t coverage(void *driver, const struct cover_point **points) {
    struct driver *d = driver;
    const struct bpg_geometry *g = &d->score.g;
    uint64_t turns = bpg_stimulus_turns(&d->stimulus);
    uint64_t reach = 16000 + 5 * (turns + 1) * g->interval + 8 * g->fail_max;
    return bpg_cover_points(&d->cover, d->stimulus.total >= reach, points);
}

static void destroy(void *driver) {
    struct driver *d = driver;
    bpg_type.destroy(d->model);
    free(d);
}

static void *create(const struct block_type *type, const struct block_params *p, uint64_t seed,
                    uint64_t cycles) {
    struct bpg_geometry g;
    struct driver *d = calloc(1, sizeof *d);
    if (!d)
        return NULL;
    bpg_geometry_init(&g, p);
    bpg_score_init(&d->score, &g);
    bpg_cover_init(&d->cover, &g);
    bpg_stimulus_init(&d->stimulus, &g, &d->score, seed, cycles);
    d->mask = (struct bpg_in){.acc_op = 7, .acc_addr = g.addr_mask, .acc_id = g.id_max};
    d->model = type->create(p);
    if (!d->model) {
        free(d);
        return NULL;
    }
    return d;
}

const struct cosim_driver bpg_driver = {
    .create = create, .destroy = destroy, .drive = drive, .sample = sample, .coverage = coverage};
