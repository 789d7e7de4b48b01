// SPDX-License-Identifier: Apache-2.0
/* Drives the MSHR blocks with random inputs, and combines stimulus, scoreboard and
 * coverage. */
#include "harness/cosim.h"

#include <stdlib.h>

#include "lib/alloc.h"
#include "mshr/mshr_cover.h"
#include "mshr/mshr_stimulus.h"

struct mshr_driver {
    struct mshr_stimulus stimulus;
    struct mshr_score score;
    struct mshr_cover cover;
};

static void drive_inputs(void *driver, void *in) {
    struct mshr_driver *d = driver;
    mshr_stimulus_drive(&d->stimulus, in);
    d->cover.events[EV_WITHDRAWN] += d->stimulus.withdrawn;
}

static const char *sample_outputs(void *driver, const void *in, const void *out) {
    struct mshr_driver *d = driver;
    const struct mshr_stimulus *stimulus = &d->stimulus;
    struct mshr_look look;
    const char *broken = mshr_score_check(&d->score, in, out, &look);
    if (broken)
        return broken;
    mshr_cover_cycle(&d->cover, &d->score, in, out, &look);
    mshr_score_tick(&d->score, in, out, &look);
    mshr_stimulus_saw(&d->stimulus, in, out, &look);
    bool over = stimulus->cycle == stimulus->total && stimulus->drains;
    return over && d->score.live_entries ? "requests are left after the final drain" : NULL;
}

/* Requires one hit of each possible point in runs of at least 500 cycles per slot. For the rarest
 * points, the pool must become full many times. If there are walks, long chains fill slowly, as do
 * sets of many slots, and a pool that is shared by few heads. */
static size_t list_coverage(void *driver, const struct cover_point **points) {
    struct mshr_driver *d = driver;
    const struct mshr_shape *g = &d->score.g;
    uint64_t reach = 500 * (uint64_t)g->sets * g->slots;
    if (g->walk && g->addr_mask < g->sets)
        reach *= 1 + g->sets / (unsigned)(g->addr_mask + 1);
    if (g->slots >= 32)
        reach *= 2;
    if (g->looks && g->heads_only)
        reach *= g->sets / g->heads_only;
    return mshr_cover_points(&d->cover, d->stimulus.total >= reach, points);
}

static void *create_driver(const struct block_type *type, const struct block_params *p,
                           uint64_t seed, uint64_t cycles) {
    struct mshr_shape g;
    struct mshr_driver *d = alloc_zeroed(1, sizeof *d);
    mshr_shape_init(&g, type, p);
    mshr_score_init(&d->score, &g);
    mshr_cover_init(&d->cover, &g);
    mshr_stimulus_init(&d->stimulus, &g, &d->score, seed, cycles);
    return d;
}

#define CALLS                                                                                      \
    {                                                                                              \
        .create = create_driver, .destroy = free, .drive = drive_inputs, .sample = sample_outputs, \
        .coverage = list_coverage                                                                  \
    }

const struct cosim_driver dl_mshr_driver = CALLS;
const struct cosim_driver dl_mshr_paper_driver = CALLS;
const struct cosim_driver static_mshr_driver = CALLS;
