// SPDX-License-Identifier: Apache-2.0
/* Drives cap with random inputs, and combines stimulus, scoreboard and coverage. */
#include "harness/cosim.h"

#include <stdlib.h>
#include <string.h>

#include "cap/cap_cover.h"
#include "cap/cap_stimulus.h"
#include "lib/alloc.h"

struct cap_driver {
    struct cap_stimulus stimulus;
    struct cap_score score;
    struct cap_cover cover;
    void *model; /* second model, which gets all inputs except rst inverted */
};

static struct cap_in inverted(const struct cap_geometry *g, const struct cap_in *in) {
    return (struct cap_in){
        .rst = in->rst,
        .set_valid = !in->set_valid,
        .set_group = in->set_group ^ g->group_mask,
        .set_req = in->set_req ^ g->size_max,
        .agg_valid = !in->agg_valid,
        .agg = in->agg ^ g->size_max,
        .ask_valid = !in->ask_valid,
        .ask_group = in->ask_group ^ g->group_mask,
        .ask_avail = in->ask_avail ^ g->avail_max,
        .ask_full = !in->ask_full,
    };
}

/* Checks that no output depends on the current inputs, using a second model that gets them
 * inverted. */
static const char *check_late(struct cap_driver *d, const struct cap_in *in,
                              const struct cap_out *out) {
    struct cap_in other = inverted(&d->score.g, in);
    struct cap_out got = *out;
    cap_type.eval(d->model, &other, &got);
    cap_type.observe(d->model, &other, &got);
    cap_type.tick(d->model, in);
    return memcmp(&got, out, sizeof got) ? "an output depends on a late input" : NULL;
}

static void drive_inputs(void *driver, void *in) {
    struct cap_driver *d = driver;
    cap_stimulus_drive(&d->stimulus, in);
}

/* Checks the outputs of a cycle. Returns the broken rule, or NULL. The scoreboard does not check
 * cycle 0, in which the state is undefined. */
static const char *sample_outputs(void *driver, const void *in, const void *out) {
    struct cap_driver *d = driver;
    bool first = d->stimulus.cycle == 1;
    const char *broken = check_late(d, in, out);
    if (!broken && !first)
        broken = cap_score_check(&d->score, out);
    if (broken)
        return broken;
    if (!first)
        cap_cover_cycle(&d->cover, &d->score, in);
    cap_score_tick(&d->score, in);
    return NULL;
}

static size_t list_coverage(void *driver, const struct cover_point **points) {
    struct cap_driver *d = driver;
    return cap_cover_points(&d->cover, points);
}

static void destroy_driver(void *driver) {
    struct cap_driver *d = driver;
    cap_type.destroy(d->model);
    free(d);
}

static void *create_driver(const struct block_type *type, const struct block_params *p,
                           uint64_t seed, uint64_t cycles) {
    struct cap_geometry g;
    struct cap_driver *d = alloc_zeroed(1, sizeof *d);
    (void)cycles;
    cap_geometry_init(&g, p);
    cap_score_init(&d->score, &g);
    cap_cover_init(&d->cover, &g);
    cap_stimulus_init(&d->stimulus, &g, &d->score, seed);
    d->model = type->create(p);
    return d;
}

const struct cosim_driver cap_driver = {.create = create_driver,
                                        .destroy = destroy_driver,
                                        .drive = drive_inputs,
                                        .sample = sample_outputs,
                                        .coverage = list_coverage};
