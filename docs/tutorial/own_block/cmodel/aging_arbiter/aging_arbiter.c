// SPDX-License-Identifier: Apache-2.0
/* aging_arbiter: grants the lowest-numbered requester. Requesters that have waited for AGE grants
 * take precedence. */
#include "aging_arbiter/aging_arbiter_ports.h"

#include <stdlib.h>

struct arbiter {
    unsigned requesters, age;
    unsigned waited[MAX_REQUESTERS]; /* number of grants to others while it asks, up to AGE */
};

static const struct param_desc params[N_PARAMS] = {
    {"REQUESTERS", 4, 2, MAX_REQUESTERS, "requesters"},
    {"AGE", 8, 1, 255, "grants to others after which a requester is old"},
};

static const char *illegal(const struct block_params *p) {
    return p->v[AGE] < p->v[REQUESTERS] - 1 ? "with AGE below REQUESTERS - 1 one may starve" : NULL;
}

static void *create(const struct block_params *p) {
    struct arbiter *a = calloc(1, sizeof *a);
    if (a) {
        a->requesters = (unsigned)p->v[REQUESTERS];
        a->age = (unsigned)p->v[AGE];
    }
    return a;
}

static uint64_t old_ones(const struct arbiter *a) {
    uint64_t old = 0;
    for (unsigned i = 0; i < a->requesters; i++)
        old |= (uint64_t)(a->waited[i] == a->age) << i;
    return old;
}

static uint64_t grant_of(const struct arbiter *a, uint64_t req) {
    uint64_t old = req & old_ones(a), among = old ? old : req;
    return among & -among; /* lowest set bit */
}

static void eval(const void *model, const void *in_, void *out_) {
    const struct aging_arbiter_in *in = in_;
    struct aging_arbiter_out *out = out_;
    out->valid = in->req != 0;
    out->grant = grant_of(model, in->req);
}

static void observe(const void *model, const void *in, void *out_) {
    struct aging_arbiter_out *out = out_;
    (void)in;
    out->st_old = old_ones(model);
}

static void tick(void *model, const void *in_) {
    struct arbiter *a = model;
    const struct aging_arbiter_in *in = in_;
    uint64_t taken = in->take ? grant_of(a, in->req) : 0;
    for (unsigned i = 0; i < a->requesters; i++)
        if (in->rst || !(in->req >> i & 1) || taken >> i & 1)
            a->waited[i] = 0;
        else if (taken && a->waited[i] < a->age)
            a->waited[i]++;
}

AGING_ARBITER_PORTS(BLOCK_PORT_FUNCTIONS)
static const struct port_desc ports[] = {AGING_ARBITER_PORTS(BLOCK_PORT_ENTRY)};

const struct block_type aging_arbiter_type = {
    .name = "aging_arbiter",
    .params = params,
    .n_params = N_PARAMS,
    .ports = ports,
    .n_ports = sizeof ports / sizeof *ports,
    .in_size = sizeof(struct aging_arbiter_in),
    .out_size = sizeof(struct aging_arbiter_out),
    .illegal = illegal,
    .create = create,
    .destroy = free,
    .eval = eval,
    .observe = observe,
    .tick = tick,
};
