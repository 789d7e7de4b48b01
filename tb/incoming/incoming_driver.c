// SPDX-License-Identifier: Apache-2.0
/* Drives in_fifo, bank_queues and cart with random inputs, and combines stimulus, scoreboard and
 * coverage. */
#include "harness/cosim.h"

#include <stdlib.h>

#include "bank_queues/bank_queues.h"
#include "in_fifo/in_fifo.h"
#include "incoming/incoming_cover.h"
#include "incoming/incoming_stimulus.h"
#include "lib/alloc.h"

struct incoming_driver {
    struct incoming_stimulus stimulus;
    struct score score;
    struct cover cover;
    const struct block_type *type;
    void *model; /* second model, which gets drain_ready inverted */
};

/* Checks that no output depends on drain_ready, using a second model that gets it inverted. */
static const char *check_late(struct incoming_driver *d, const struct incoming_in *in,
                              const struct incoming_out *out) {
    struct incoming_in other = *in;
    struct incoming_out got;
    other.drain_ready = !in->drain_ready;
    d->type->eval(d->model, &other, &got);
    d->type->tick(d->model, in);
    return got.fill_ready == out->fill_ready && got.fill_refuse == out->fill_refuse &&
                   got.drain_valid == out->drain_valid && got.drain_addr == out->drain_addr &&
                   got.drain_id == out->drain_id && got.drain_why == out->drain_why
               ? NULL
               : "an output depends on drain_ready";
}

static void drive_inputs(void *driver, void *in) {
    struct incoming_driver *d = driver;
    stimulus_drive(&d->stimulus, in);
}

/* Checks the outputs of a cycle. Returns the broken rule, or NULL. The scoreboard does not check
 * cycle 0, in which the state is undefined. */
static const char *sample_outputs(void *driver, const void *in_, const void *out_) {
    struct incoming_driver *d = driver;
    const struct incoming_in *in = in_;
    const struct incoming_out *out = out_;
    struct look look = {0};
    const char *broken = check_late(d, in, out);
    if (!broken && d->stimulus.cycle)
        broken = score_check(&d->score, in, out, &look);
    if (broken)
        return broken;
    if (d->stimulus.cycle)
        cover_cycle(&d->cover, &d->score, in, out, &look);
    score_tick(&d->score, in, out, &look);
    stimulus_saw(&d->stimulus, in, out);
    return d->stimulus.cycle == d->stimulus.total && d->score.held ? "requests are left at the end"
                                                                   : NULL;
}

/* Requires one hit of each possible point in runs that are long enough. For the rarest points, a
 * branch must become full many times, and requests must age. */
static size_t list_coverage(void *driver, const struct cover_point **points) {
    struct incoming_driver *d = driver;
    const struct geometry *g = &d->score.g;
    uint64_t reach = 120000 + UINT64_C(400) * (g->queues * g->depth + g->age_limit);
    return cover_points(&d->cover, d->stimulus.total >= reach, points);
}

static void destroy_driver(void *driver) {
    struct incoming_driver *d = driver;
    if (d->model)
        d->type->destroy(d->model);
    score_free(&d->score);
    free(d);
}

static void *create_driver(const struct block_type *type, const struct block_params *p,
                           uint64_t seed, uint64_t cycles) {
    struct geometry g;
    struct incoming_driver *d = alloc_zeroed(1, sizeof *d);
    geometry_init(&g, type, p);
    cover_init(&d->cover, &g);
    stimulus_init(&d->stimulus, &g, &d->score, seed, cycles);
    d->type = type;
    d->model = type->create(p);
    score_init(&d->score, &g);
    return d;
}

#define CALLS                                                                                      \
    {                                                                                              \
        .create = create_driver, .destroy = destroy_driver, .drive = drive_inputs,                 \
        .sample = sample_outputs, .coverage = list_coverage                                        \
    }

const struct cosim_driver in_fifo_driver = CALLS;
const struct cosim_driver bank_queues_driver = CALLS;
const struct cosim_driver cart_driver = CALLS;
