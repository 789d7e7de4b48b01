// SPDX-License-Identifier: Apache-2.0
/* The random driver of hir: stimulus, scoreboard and coverage together. */
#include "harness/cosim.h"

#include <stdlib.h>
#include <string.h>

#include "hir/hir_cover.h"
#include "hir/hir_stimulus.h"

struct driver {
    struct hir_stimulus stimulus;
    struct hir_score score;
    struct hir_cover cover;
    struct hir_in mask; /* of the inputs that are wider than a bit */
    void *model;        /* a second one, which sees every input but rst inverted */
};

/* A model with the same state must show the same whatever the inputs are. */
static const char *check_late(struct driver *d, const struct hir_in *in,
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
    return memcmp(&got, out, sizeof got) ? "an output depends on an input" : NULL;
}

static void drive(void *driver, void *in) {
    struct driver *d = driver;
    hir_stimulus_drive(&d->stimulus, in);
}

/* In cycle 0 there is no state yet. */
static const char *sample(void *driver, const void *in, const void *out) {
    struct driver *d = driver;
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

static size_t coverage(void *driver, const struct cover_point **points) {
    struct driver *d = driver;
    return hir_cover_points(&d->cover, d->stimulus.total, points);
}

static void destroy(void *driver) {
    struct driver *d = driver;
    hir_type.destroy(d->model);
    free(d);
}

static void *create(const struct block_type *type, const struct block_params *p, uint64_t seed,
                    uint64_t cycles) {
    struct hir_geometry g;
    struct driver *d = calloc(1, sizeof *d);
    if (!d)
        return NULL;
    hir_geometry_init(&g, p);
    hir_score_init(&d->score, &g);
    hir_cover_init(&d->cover, &g);
    hir_stimulus_init(&d->stimulus, &g, &d->score, seed, cycles);
    d->mask = (struct hir_in){.hit_set = g.number_mask, .hit_page = g.pages - 1};
    d->model = type->create(p);
    if (!d->model) {
        free(d);
        return NULL;
    }
    return d;
}

const struct cosim_driver hir_driver = {
    .create = create, .destroy = destroy, .drive = drive, .sample = sample, .coverage = coverage};
