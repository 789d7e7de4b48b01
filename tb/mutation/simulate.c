// SPDX-License-Identifier: Apache-2.0
#include "mutation/simulate.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cosim.h"
#include "harness/noise.h"
#include "lib/random.h"

/* One bit of each mutant. */
struct lanes {
    uint64_t w[SIMULATE_WORDS];
};

struct run {
    const struct netlist *n;
    const struct stimulus *s;
    const struct cosim_driver *calls;
    void *driver, *model;
    void *in, *out;
    struct noise noise;
    struct lanes *value; /* of each node */
    struct lanes *next;  /* of each latch */
    uint32_t *moving;    /* ands that depend on more than the select, in order */
    uint32_t n_moving;
    struct lanes same;  /* mutants that have not differed */
    struct lanes alive; /* mutants that have not differed at a port that a system uses */
    uint64_t cycle;
    struct kills *kills;
};

static inline uint64_t spread(unsigned bit) {
    return -(uint64_t)(bit & 1);
}

static inline void set_all(struct lanes *l, unsigned bit) {
    for (unsigned i = 0; i < SIMULATE_WORDS; i++)
        l->w[i] = spread(bit);
}

static inline struct lanes value_of(const struct run *r, uint32_t literal) {
    struct lanes l = r->value[literal >> 1];
    for (unsigned i = 0; i < SIMULATE_WORDS; i++)
        l.w[i] ^= spread(literal);
    return l;
}

static inline bool any(const struct lanes *l) {
    uint64_t all = 0;
    for (unsigned i = 0; i < SIMULATE_WORDS; i++)
        all |= l->w[i];
    return all != 0;
}

static inline void settle_and(struct run *r, uint32_t i) {
    const struct aig_file *f = &r->n->f;
    const struct lanes a = value_of(r, f->ops[i][0]), b = value_of(r, f->ops[i][1]);
    struct lanes *to = &r->value[1 + f->inputs + f->latches + i];
    for (unsigned j = 0; j < SIMULATE_WORDS; j++)
        to->w[j] = a.w[j] & b.w[j];
}

/* ---- Before the first cycle ---- */

static void select_mutants(struct run *r, const uint32_t *ids, unsigned n_ids) {
    for (uint32_t i = 0; i < r->n->f.inputs; i++) {
        const struct netlist_input *in = &r->n->in[i];
        struct lanes *to = &r->value[1 + i];
        set_all(to, 0);
        for (unsigned lane = 0; in->kind == NETLIST_SELECTS && lane < n_ids; lane++)
            to->w[lane / 64] |= (uint64_t)(ids[lane] >> in->bit & 1) << lane % 64;
    }
    set_all(&r->alive, 0);
    for (unsigned lane = 0; lane < n_ids; lane++)
        r->alive.w[lane / 64] |= (uint64_t)1 << lane % 64;
    r->same = r->alive;
}

static void power_up(struct run *r) {
    uint64_t random = r->s->seed;
    for (uint32_t i = 0; i < r->n->f.latches; i++)
        set_all(&r->value[1 + r->n->f.inputs + i], (unsigned)(random_next(&random) >> 63));
}

/* Settles what depends on the select alone, and lists the other ands. */
static void settle_selects(struct run *r, bool *still) {
    const struct aig_file *f = &r->n->f;
    uint32_t first = 1 + f->inputs + f->latches;
    still[0] = true;
    for (uint32_t i = 0; i < f->inputs; i++)
        still[1 + i] = r->n->in[i].kind == NETLIST_SELECTS;
    for (uint32_t i = 0; i < f->ands; i++) {
        still[first + i] = still[f->ops[i][0] >> 1] && still[f->ops[i][1] >> 1];
        if (still[first + i])
            settle_and(r, i);
        else
            r->moving[r->n_moving++] = i;
    }
}

static int run_init(struct run *r, const struct netlist *n, const struct stimulus *s,
                    struct kills *kills) {
    const struct block_type *type = n->l->type;
    memset(r, 0, sizeof *r);
    r->n = n;
    r->s = s;
    r->kills = kills;
    r->calls = cosim_driver_find(type);
    r->driver = r->calls->create(type, &n->l->params, s->seed, s->cycles);
    r->model = type->create(&n->l->params);
    r->in = calloc(1, type->in_size);
    r->out = calloc(1, type->out_size);
    r->value = calloc(aig_nodes(&n->f), sizeof *r->value);
    r->next = calloc((size_t)n->f.latches + 1, sizeof *r->next);
    r->moving = calloc((size_t)n->f.ands + 1, sizeof *r->moving);
    int bad = noise_init(&r->noise, n->l, s->seed);
    return !bad && r->driver && r->model && r->in && r->out && r->value && r->next && r->moving
               ? 0
               : -1;
}

static void run_free(struct run *r) {
    if (r->driver)
        r->calls->destroy(r->driver);
    if (r->model)
        r->n->l->type->destroy(r->model);
    free(r->in);
    free(r->out);
    noise_free(&r->noise);
    free(r->value);
    free(r->next);
    free(r->moving);
}

/* ---- A cycle ---- */

static void settle_netlist(struct run *r) {
    for (uint32_t i = 0; i < r->n->f.inputs; i++) {
        const struct netlist_input *in = &r->n->in[i];
        if (in->kind == NETLIST_PORT)
            set_all(&r->value[1 + i], netlist_bit(in->port, r->in, in->bit));
    }
    for (uint32_t i = 0; i < r->n_moving; i++)
        settle_and(r, r->moving[i]);
}

static void clock_netlist(struct run *r) {
    const struct aig_file *f = &r->n->f;
    for (uint32_t i = 0; i < f->latches; i++)
        r->next[i] = value_of(r, f->next[i]);
    memcpy(&r->value[1 + f->inputs], r->next, f->latches * sizeof *r->next);
}

static void kill_lanes(struct run *r, const struct lanes *differing,
                       const struct port_place *port) {
    const struct kill kill = {r->cycle, port};
    bool function = port->desc->dir == PORT_OUT;
    for (unsigned lane = 0; lane < SIMULATE_LANES; lane++) {
        struct kills *k = &r->kills[lane];
        if (!(differing->w[lane / 64] >> lane % 64 & 1))
            continue;
        if (!k->any.port)
            k->any = kill;
        if (function)
            k->function = kill;
    }
    for (unsigned i = 0; i < SIMULATE_WORDS; i++) {
        r->same.w[i] &= ~differing->w[i];
        if (function)
            r->alive.w[i] &= ~differing->w[i];
    }
}

static void compare_port(struct run *r, const struct port_place *port) {
    const struct lanes *left = port->desc->dir == PORT_OUT ? &r->alive : &r->same;
    struct lanes differing;
    set_all(&differing, 0);
    for (unsigned bit = 0; bit < port->width; bit++) {
        struct lanes v = value_of(r, r->n->out[port->at + bit]);
        uint64_t want = spread(netlist_bit(port, r->out, bit));
        for (unsigned i = 0; i < SIMULATE_WORDS; i++)
            differing.w[i] |= v.w[i] ^ want;
    }
    for (unsigned i = 0; i < SIMULATE_WORDS; i++)
        differing.w[i] &= left->w[i];
    if (any(&differing))
        kill_lanes(r, &differing, port);
}

/* The first lane may be the netlist without a mutant: as long as it does not differ, its qualifiers
 * are those of the model. */
static bool same_qualifier(const struct run *r, unsigned port, bool qualified) {
    struct lanes v = value_of(r, r->n->qualifier[port]);
    return !(r->same.w[0] & 1) || (v.w[0] & 1) == qualified;
}

/* Returns NULL, or the port whose qualifier is another in the netlist. */
static const struct port_place *compare(struct run *r, bool unmutated) {
    const struct layout *l = r->n->l;
    for (unsigned i = 0; i < l->n_out; i++) {
        bool qualified = l->out[i].desc->qualified(r->in, r->out);
        if (unmutated && !same_qualifier(r, i, qualified))
            return &l->out[i];
        if (qualified)
            compare_port(r, &l->out[i]);
    }
    return NULL;
}

static int run_cycle(struct run *r, bool unmutated, char *err, size_t err_size) {
    const struct block_type *type = r->n->l->type;
    const struct port_place *odd = NULL;
    r->calls->drive(r->driver, r->in);
    const char *rule = noise_eval(&r->noise, r->model, r->in, r->out);
    settle_netlist(r);
    if (r->cycle > 0)
        odd = compare(r, unmutated);
    if (odd) {
        snprintf(err, err_size, "cycle %" PRIu64 ": the qualifier of %s is another in the netlist",
                 r->cycle, odd->desc->name);
        return -1;
    }
    const char *broken = r->calls->sample(r->driver, r->in, r->out);
    rule = rule ? rule : broken;
    if (rule) {
        snprintf(err, err_size, "cycle %" PRIu64 ": %s", r->cycle, rule);
        return -1;
    }
    type->tick(r->model, r->in);
    clock_netlist(r);
    r->cycle++;
    return 0;
}

static int run_cycles(struct run *r, const uint32_t *ids, unsigned n_ids, char *err,
                      size_t err_size) {
    bool *still = calloc(aig_nodes(&r->n->f), sizeof *still);
    int bad = 0;
    if (!still) {
        snprintf(err, err_size, "out of memory");
        return -1;
    }
    select_mutants(r, ids, n_ids);
    power_up(r);
    settle_selects(r, still);
    free(still);
    while (!bad && r->cycle < r->s->stop && any(&r->alive))
        bad = run_cycle(r, ids[0] == 0, err, err_size);
    return bad;
}

int simulate(const struct netlist *n, const struct stimulus *s, const uint32_t *ids, unsigned n_ids,
             struct kills *kills, char *err, size_t err_size) {
    struct run r;
    int bad = -1;
    memset(kills, 0, SIMULATE_LANES * sizeof *kills);
    if (run_init(&r, n, s, kills))
        snprintf(err, err_size, "out of memory");
    else
        bad = run_cycles(&r, ids, n_ids, err, err_size);
    run_free(&r);
    return bad;
}
