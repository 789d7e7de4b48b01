// SPDX-License-Identifier: Apache-2.0
/* Drives addr_hash with random inputs, and combines stimulus, scoreboard and coverage. */
#include "harness/cosim.h"

#include <stdlib.h>
#include <string.h>

#include "addr_hash/addr_hash_cover.h"
#include "addr_hash/addr_hash_stimulus.h"
#include "lib/alloc.h"

struct addr_hash_driver {
    struct addr_hash_stimulus stimulus;
    struct addr_hash_score score;
    struct addr_hash_cover cover;
    void *model; /* second model, which gets all inputs except rst inverted */
};

/* Checks that no output depends on the current inputs, using a second model that gets them
 * inverted. */
static const char *check_late(struct addr_hash_driver *d, const struct addr_hash_in *in,
                              const struct addr_hash_out *out) {
    struct addr_hash_in other = *in;
    struct addr_hash_out got = *out;
    other.acc_valid = !in->acc_valid;
    other.acc_line ^= d->score.g.line_mask;
    addr_hash_type.eval(d->model, &other, &got);
    addr_hash_type.tick(d->model, in);
    return memcmp(&got, out, sizeof got) ? "an output depends on a late input" : NULL;
}

static void drive_inputs(void *driver, void *in) {
    struct addr_hash_driver *d = driver;
    addr_hash_stimulus_drive(&d->stimulus, in);
}

/* Checks the outputs of a cycle. Returns the broken rule, or NULL. The scoreboard does not check
 * cycle 0, in which the state is undefined. */
static const char *sample_outputs(void *driver, const void *in, const void *out) {
    struct addr_hash_driver *d = driver;
    bool first = d->stimulus.cycle == 1;
    const char *broken = check_late(d, in, out);
    if (!broken && !first)
        broken = addr_hash_score_check(&d->score, out);
    if (broken)
        return broken;
    if (!first)
        addr_hash_cover_cycle(&d->cover, &d->score, in);
    addr_hash_score_tick(&d->score, in);
    return NULL;
}

static size_t list_coverage(void *driver, const struct cover_point **points) {
    struct addr_hash_driver *d = driver;
    return addr_hash_cover_points(&d->cover, points);
}

static void destroy_driver(void *driver) {
    struct addr_hash_driver *d = driver;
    addr_hash_type.destroy(d->model);
    free(d);
}

static void *create_driver(const struct block_type *type, const struct block_params *p,
                           uint64_t seed, uint64_t cycles) {
    struct addr_hash_geometry g;
    struct addr_hash_driver *d = alloc_zeroed(1, sizeof *d);
    (void)cycles;
    addr_hash_geometry_init(&g, p);
    addr_hash_score_init(&d->score, &g);
    addr_hash_cover_init(&d->cover, &g);
    addr_hash_stimulus_init(&d->stimulus, &g, seed);
    d->model = type->create(p);
    return d;
}

const struct cosim_driver addr_hash_driver = {.create = create_driver,
                                              .destroy = destroy_driver,
                                              .drive = drive_inputs,
                                              .sample = sample_outputs,
                                              .coverage = list_coverage};
