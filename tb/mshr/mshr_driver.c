// SPDX-License-Identifier: Apache-2.0
/* The random driver of dl_mshr and static_mshr: stimulus, scoreboard and coverage together. */
#include "harness/cosim.h"

#include <stdlib.h>

#include "dl_mshr/dl_mshr.h"
#include "mshr/mshr_cover.h"
#include "mshr/mshr_stimulus.h"
#include "static_mshr/static_mshr.h"

struct driver {
    struct mshr_stimulus stimulus;
    struct mshr_score score;
    struct mshr_cover cover;
};

static void drive(void *driver, void *in) {
    struct driver *d = driver;
    mshr_stimulus_drive(&d->stimulus, in);
    d->cover.events[EV_WITHDRAWN] += d->stimulus.withdrawn;
}

static const char *sample(void *driver, const void *in, const void *out) {
    struct driver *d = driver;
    const struct mshr_stimulus *stimulus = &d->stimulus;
    struct mshr_look look;
    const char *broken = mshr_score_check(&d->score, in, out, &look);
    if (broken)
        return broken;
    mshr_cover_cycle(&d->cover, &d->score, in, out, &look);
    mshr_score_tick(&d->score, in, out, &look);
    mshr_stimulus_saw(&d->stimulus, in, out, &look);
    bool over = stimulus->cycle == stimulus->total && stimulus->drains;
    return over && d->score.live ? "requests are left after the final drain" : NULL;
}

/* Hits that each possible point needs: one, in runs of 500 cycles a slot. A pool has to fill many
 * times for the rarest of them, and with the walk long chains fill slowly. */
static size_t coverage(void *driver, const struct cover_point **points) {
    struct driver *d = driver;
    const struct mshr_shape *g = &d->score.g;
    uint64_t reach = 500 * (uint64_t)g->sets * g->slots;
    if (g->walk && g->addr_mask < g->sets)
        reach *= 1 + g->sets / (unsigned)(g->addr_mask + 1);
    return mshr_cover_points(&d->cover, d->stimulus.total >= reach, points);
}

static void *create(const struct block_type *type, const struct block_params *p, uint64_t seed,
                    uint64_t cycles) {
    struct mshr_shape g;
    struct driver *d = calloc(1, sizeof *d);
    if (!d)
        return NULL;
    mshr_shape_init(&g, type, p);
    mshr_score_init(&d->score, &g);
    mshr_cover_init(&d->cover, &g);
    mshr_stimulus_init(&d->stimulus, &g, &d->score, seed, cycles);
    return d;
}

#define CALLS                                                                                      \
    { .create = create, .destroy = free, .drive = drive, .sample = sample, .coverage = coverage }

const struct cosim_driver dl_mshr_driver = CALLS;
const struct cosim_driver static_mshr_driver = CALLS;
