// SPDX-License-Identifier: Apache-2.0
/* toy: a register that outputs the last value written to it. Contract: docs/understand/toy.md. */
#include <stdlib.h>

#include "toy/toy_ports.h"

struct toy {
    bool valid;
    uint64_t value;
};

static const struct param_desc params[TOY_N] = {
    {"WIDTH", 8, 1, 64, "bits of the value"},
};

static void *create(const struct block_params *p) {
    (void)p;
    return calloc(1, sizeof(struct toy));
}

static void eval(const void *model, const void *in, void *out_) {
    const struct toy *m = model;
    struct toy_out *out = out_;
    (void)in;
    out->get_valid = m->valid;
    out->get_value = m->valid ? m->value : 0;
}

static void observe(const void *model, const void *in, void *out_) {
    const struct toy *m = model;
    struct toy_out *out = out_;
    out->st_same = m->valid && m->value == ((const struct toy_in *)in)->put_value;
}

static void tick(void *model, const void *in_) {
    struct toy *m = model;
    const struct toy_in *in = in_;
    if (in->rst)
        *m = (struct toy){0};
    else if (in->put_valid)
        *m = (struct toy){true, in->put_value};
}

TOY_PORTS(BLOCK_PORT_FUNCTIONS)
static const struct port_desc ports[] = {TOY_PORTS(BLOCK_PORT_ENTRY)};

const struct block_type toy_type = {
    .name = "toy",
    .params = params,
    .n_params = TOY_N,
    .ports = ports,
    .n_ports = sizeof ports / sizeof *ports,
    .in_size = sizeof(struct toy_in),
    .out_size = sizeof(struct toy_out),
    .create = create,
    .destroy = free,
    .eval = eval,
    .observe = observe,
    .tick = tick,
};
