// SPDX-License-Identifier: Apache-2.0
/* Drives aging_arbiter at random. Requesters ask until they are served or give up, and a user takes
 * some or all of the grants. */
#include <stdlib.h>

#include "aging_arbiter/aging_arbiter_ports.h"
#include "harness/cosim.h"
#include "harness/library.h"
#include "lib/random.h"

enum { OLD_FIRST, TWO_OLD, GIVES_UP, NOT_TAKEN, LONGEST_WAIT, N_POINTS };

struct driver {
    uint64_t random, cycle, cycles;
    unsigned requesters, age;
    uint64_t asking; /* mask of requesters that have asked since an earlier cycle */
    unsigned passed[MAX_REQUESTERS];
    unsigned ask, take; /* probabilities in sixteenths, redrawn every 256 cycles */
    struct cover_point points[N_POINTS];
};

static void *create(const struct block_type *type, const struct block_params *p, uint64_t seed,
                    uint64_t cycles) {
    static const char *const names[] = {"an old one before a lower one", "two old ones",
                                        "one gives up", "a grant is not taken",
                                        "the longest wait there is"};
    struct driver *d = calloc(1, sizeof *d);
    (void)type;
    if (!d)
        return NULL;
    d->random = seed;
    d->cycles = cycles;
    d->requesters = (unsigned)p->v[REQUESTERS];
    d->age = (unsigned)p->v[AGE];
    for (int i = 0; i < N_POINTS; i++)
        d->points[i].name = names[i];
    return d;
}

static bool dice(struct driver *d, unsigned of_16) {
    return random_below(&d->random, 16) < of_16;
}

static void drive(void *driver, void *in_) {
    struct driver *d = driver;
    struct aging_arbiter_in *in = in_;
    if (d->cycle % 256 == 0) {
        d->ask = 1 + random_below(&d->random, 16);
        d->take = 1 + random_below(&d->random, 16);
    }
    *in = (struct aging_arbiter_in){.rst = d->cycle == 0 || random_below(&d->random, 2048) == 0};
    for (unsigned i = 0; i < d->requesters; i++) {
        bool keeps = d->asking >> i & 1 && random_below(&d->random, 1024) != 0;
        in->req |= (uint64_t)(keeps || dice(d, d->ask)) << i;
    }
    in->take = dice(d, d->take);
    d->cycle++;
}

/* Counts the grants to others while each requester asks. Returns an error message if a requester
 * has waited too long, or NULL. */
static const char *follow(struct driver *d, const struct aging_arbiter_in *in, uint64_t grant) {
    uint64_t taken = in->take ? grant : 0;
    unsigned longest = d->age + d->requesters - 2;
    d->asking = in->rst ? 0 : in->req & ~taken;
    for (unsigned i = 0; i < d->requesters; i++) {
        d->passed[i] = d->asking >> i & 1 ? d->passed[i] + (taken != 0) : 0;
        if (d->passed[i] > longest)
            return "a requester is passed by more than AGE + REQUESTERS - 2 grants";
        d->points[LONGEST_WAIT].hits += d->passed[i] == longest;
    }
    return NULL;
}

static const char *sample(void *driver, const void *in_, const void *out_) {
    struct driver *d = driver;
    const struct aging_arbiter_in *in = in_;
    const struct aging_arbiter_out *out = out_;
    uint64_t old = in->req & out->st_old;
    if (d->cycle == 1) /* the state is undefined before the first clock edge */
        return NULL;
    if (out->grant & ~in->req || out->grant & (out->grant - 1))
        return "the grant is not one of the requests";
    d->points[OLD_FIRST].hits += (old & out->grant) && (in->req & (out->grant - 1));
    d->points[TWO_OLD].hits += (old & (old - 1)) != 0;
    d->points[GIVES_UP].hits += (d->asking & ~in->req) != 0;
    d->points[NOT_TAKEN].hits += out->valid && !in->take;
    return follow(d, in, out->grant);
}

static size_t coverage(void *driver, const struct cover_point **points) {
    struct driver *d = driver;
    for (int i = 0; i < N_POINTS; i++)
        d->points[i].floor = d->cycles >= 100000;
    if (d->requesters == 2) /* two cannot be old, because the other one has just been served */
        d->points[TWO_OLD].floor = 0;
    if (d->requesters > 4) /* the longest wait needs a rare chain of old requesters */
        d->points[LONGEST_WAIT].floor = 0;
    *points = d->points;
    return N_POINTS;
}

static const struct cosim_driver aging_arbiter_driver = {
    .create = create,
    .destroy = free,
    .drive = drive,
    .sample = sample,
    .coverage = coverage,
};

BLOCK_LIBRARY(aging_arbiter);
