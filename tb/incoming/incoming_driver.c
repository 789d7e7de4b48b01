// SPDX-License-Identifier: Apache-2.0
/* The random driver of in_fifo, bank_queues and cart: stimulus, scoreboard and coverage together.
 */
#include "harness/cosim.h"

#include <stdlib.h>

#include "bank_queues/bank_queues.h"
#include "in_fifo/in_fifo.h"
#include "incoming/incoming_cover.h"
#include "incoming/incoming_stimulus.h"

struct driver {
    struct stimulus stimulus;
    struct score score;
    struct cover cover;
    const struct block_type *type;
    void *model; /* a second one, which sees every drain_ready inverted */
};

/* A model with the same state must offer and answer the same whatever drain_ready is. */
static const char *check_late(struct driver *d, const struct incoming_in *in,
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

static void drive(void *driver, void *in) {
    struct driver *d = driver;
    stimulus_drive(&d->stimulus, in);
}

/* In cycle 0 there is no state yet. */
static const char *sample(void *driver, const void *in_, const void *out_) {
    struct driver *d = driver;
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

/* Hits that each point needs that can occur: one, in runs that are long enough for it. A branch has
 * to fill many times for the rarest, and requests to age. */
static size_t coverage(void *driver, const struct cover_point **points) {
    struct driver *d = driver;
    const struct geometry *g = &d->score.g;
    uint64_t reach = 120000 + UINT64_C(400) * (g->queues * g->depth + g->age_limit);
    return cover_points(&d->cover, d->stimulus.total >= reach, points);
}

static void destroy(void *driver) {
    struct driver *d = driver;
    if (d->model)
        d->type->destroy(d->model);
    score_free(&d->score);
    free(d);
}

static void *create(const struct block_type *type, const struct block_params *p, uint64_t seed,
                    uint64_t cycles) {
    struct geometry g;
    struct driver *d = calloc(1, sizeof *d);
    if (!d)
        return NULL;
    geometry_init(&g, type, p);
    cover_init(&d->cover, &g);
    stimulus_init(&d->stimulus, &g, &d->score, seed, cycles);
    d->type = type;
    d->model = type->create(p);
    if (!d->model || score_init(&d->score, &g)) {
        destroy(d);
        return NULL;
    }
    return d;
}

#define CALLS                                                                                      \
    { .create = create, .destroy = destroy, .drive = drive, .sample = sample, .coverage = coverage }

const struct cosim_driver in_fifo_driver = CALLS;
const struct cosim_driver bank_queues_driver = CALLS;
const struct cosim_driver cart_driver = CALLS;
