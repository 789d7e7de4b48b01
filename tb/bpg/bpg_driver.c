// SPDX-License-Identifier: Apache-2.0
/* Drives bpg with random inputs, and combines stimulus, scoreboard and coverage. */
#include "harness/cosim.h"

#include <stdlib.h>
#include <string.h>

#include "bpg/bpg_cover.h"
#include "bpg/bpg_stimulus.h"
#include "lib/alloc.h"

struct bpg_driver {
    struct bpg_stimulus stimulus;
    struct bpg_score score;
    struct bpg_cover cover;
    struct bpg_in mask; /* masks of the late inputs */
    void *model;        /* second model, which gets late inputs inverted */
};

/* Checks that no output depends on late inputs, using a second model that gets them inverted. */
static const char *check_late(struct bpg_driver *d, const struct bpg_in *in,
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

static void drive_inputs(void *driver, void *in) {
    struct bpg_driver *d = driver;
    bpg_stimulus_drive(&d->stimulus, in);
}

/* Checks the outputs of a cycle. Returns the broken rule, or NULL. The scoreboard does not check
 * cycle 0, in which the state is undefined. */
static const char *sample_outputs(void *driver, const void *in, const void *out) {
    struct bpg_driver *d = driver;
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

/* Requires one hit of each possible point in runs that are long enough. Each turn of the stimulus
 * takes several intervals, and the failure counter needs time to fill up. */
static size_t list_coverage(void *driver, const struct cover_point **points) {
    struct bpg_driver *d = driver;
    const struct bpg_geometry *g = &d->score.g;
    uint64_t turns = bpg_stimulus_turns(&d->stimulus);
    uint64_t reach = 16000 + 5 * (turns + 1) * g->interval + 8 * g->fail_max;
    return bpg_cover_points(&d->cover, d->stimulus.total >= reach, points);
}

static void destroy_driver(void *driver) {
    struct bpg_driver *d = driver;
    bpg_type.destroy(d->model);
    free(d);
}

static void *create_driver(const struct block_type *type, const struct block_params *p,
                           uint64_t seed, uint64_t cycles) {
    struct bpg_geometry g;
    struct bpg_driver *d = alloc_zeroed(1, sizeof *d);
    bpg_geometry_init(&g, p);
    bpg_score_init(&d->score, &g);
    bpg_cover_init(&d->cover, &g);
    bpg_stimulus_init(&d->stimulus, &g, &d->score, seed, cycles);
    d->mask = (struct bpg_in){.acc_op = 7, .acc_addr = g.addr_mask, .acc_id = g.id_max};
    d->model = type->create(p);
    return d;
}

const struct cosim_driver bpg_driver = {.create = create_driver,
                                        .destroy = destroy_driver,
                                        .drive = drive_inputs,
                                        .sample = sample_outputs,
                                        .coverage = list_coverage};
