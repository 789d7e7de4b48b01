// SPDX-License-Identifier: Apache-2.0
#include "mutation/simulate.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/cosim.h"
#include "harness/noise.h"
#include "lib/alloc.h"
#include "lib/random.h"

/* A value with one bit per mutant. */
struct mutation_lanes {
    uint64_t w[SIMULATE_WORDS];
};

struct mutation_run {
    const struct netlist *n;
    const struct mutation_stimulus *s;
    const struct cosim_driver *calls;
    void *driver, *model;
    void *in, *out;
    struct noise noise;
    struct mutation_lanes *value; /* value of each node */
    struct mutation_lanes *next;  /* next state of each latch */
    uint32_t *moving; /* indices of the AND nodes that do not depend on the select alone */
    uint32_t n_moving;
    struct mutation_lanes same;  /* true for mutants that have not differed at any port */
    struct mutation_lanes alive; /* true for mutants that have not differed at a PORT_OUT port */
    uint64_t cycle;
    struct kills *kills;
};

static inline uint64_t spread_bit(unsigned bit) {
    return -(uint64_t)(bit & 1);
}

static inline void set_all(struct mutation_lanes *l, unsigned bit) {
    for (unsigned i = 0; i < SIMULATE_WORDS; i++)
        l->w[i] = spread_bit(bit);
}

static inline struct mutation_lanes value_of(const struct mutation_run *r, uint32_t literal) {
    struct mutation_lanes l = r->value[literal >> 1];
    for (unsigned i = 0; i < SIMULATE_WORDS; i++)
        l.w[i] ^= spread_bit(literal);
    return l;
}

static inline bool any_lane(const struct mutation_lanes *l) {
    uint64_t all = 0;
    for (unsigned i = 0; i < SIMULATE_WORDS; i++)
        all |= l->w[i];
    return all != 0;
}

static inline void settle_and(struct mutation_run *r, uint32_t i) {
    const struct aig_file *f = &r->n->f;
    const struct mutation_lanes a = value_of(r, f->ops[i][0]), b = value_of(r, f->ops[i][1]);
    struct mutation_lanes *to = &r->value[1 + f->inputs + f->latches + i];
    for (unsigned j = 0; j < SIMULATE_WORDS; j++)
        to->w[j] = a.w[j] & b.w[j];
}

/* ---- Before the first cycle ---- */

static void select_mutants(struct mutation_run *r, const uint32_t *ids, unsigned n_ids) {
    for (uint32_t i = 0; i < r->n->f.inputs; i++) {
        const struct netlist_input *in = &r->n->in[i];
        struct mutation_lanes *to = &r->value[1 + i];
        set_all(to, 0);
        for (unsigned lane = 0; in->kind == NETLIST_SELECTS && lane < n_ids; lane++)
            to->w[lane / 64] |= (uint64_t)(ids[lane] >> in->bit & 1) << lane % 64;
    }
    set_all(&r->alive, 0);
    for (unsigned lane = 0; lane < n_ids; lane++)
        r->alive.w[lane / 64] |= (uint64_t)1 << lane % 64;
    r->same = r->alive;
}

static void power_up(struct mutation_run *r) {
    uint64_t random = r->s->seed;
    for (uint32_t i = 0; i < r->n->f.latches; i++)
        set_all(&r->value[1 + r->n->f.inputs + i], (unsigned)(random_next(&random) >> 63));
}

/* Evaluates the nodes that depend only on the select, and lists the other AND nodes. */
static void settle_selects(struct mutation_run *r, bool *still) {
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

static void run_init(struct mutation_run *r, const struct netlist *n,
                     const struct mutation_stimulus *s, struct kills *kills) {
    const struct block_type *type = n->l->type;
    memset(r, 0, sizeof *r);
    r->n = n;
    r->s = s;
    r->kills = kills;
    r->calls = cosim_driver_find(type);
    r->driver = r->calls->create(type, &n->l->params, s->seed, s->cycles);
    r->model = type->create(&n->l->params);
    r->in = alloc_zeroed(1, type->in_size);
    r->out = alloc_zeroed(1, type->out_size);
    r->value = alloc_zeroed(aig_nodes(&n->f), sizeof *r->value);
    r->next = alloc_zeroed((size_t)n->f.latches + 1, sizeof *r->next);
    r->moving = alloc_zeroed((size_t)n->f.ands + 1, sizeof *r->moving);
    noise_init(&r->noise, n->l, s->seed);
}

static void run_free(struct mutation_run *r) {
    r->calls->destroy(r->driver);
    r->n->l->type->destroy(r->model);
    free(r->in);
    free(r->out);
    noise_free(&r->noise);
    free(r->value);
    free(r->next);
    free(r->moving);
}

/* ---- A cycle ---- */

static void settle_netlist(struct mutation_run *r) {
    for (uint32_t i = 0; i < r->n->f.inputs; i++) {
        const struct netlist_input *in = &r->n->in[i];
        if (in->kind == NETLIST_PORT)
            set_all(&r->value[1 + i], netlist_bit(in->port, r->in, in->bit));
    }
    for (uint32_t i = 0; i < r->n_moving; i++)
        settle_and(r, r->moving[i]);
}

static void clock_netlist(struct mutation_run *r) {
    const struct aig_file *f = &r->n->f;
    for (uint32_t i = 0; i < f->latches; i++)
        r->next[i] = value_of(r, f->next[i]);
    memcpy(&r->value[1 + f->inputs], r->next, f->latches * sizeof *r->next);
}

static void kill_lanes(struct mutation_run *r, const struct mutation_lanes *differing,
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

static void compare_port(struct mutation_run *r, const struct port_place *port) {
    const struct mutation_lanes *left = port->desc->dir == PORT_OUT ? &r->alive : &r->same;
    struct mutation_lanes differing;
    set_all(&differing, 0);
    for (unsigned bit = 0; bit < port->width; bit++) {
        struct mutation_lanes v = value_of(r, r->n->out[port->low_bit + bit]);
        uint64_t want = spread_bit(netlist_bit(port, r->out, bit));
        for (unsigned i = 0; i < SIMULATE_WORDS; i++)
            differing.w[i] |= v.w[i] ^ want;
    }
    for (unsigned i = 0; i < SIMULATE_WORDS; i++)
        differing.w[i] &= left->w[i];
    if (any_lane(&differing))
        kill_lanes(r, &differing, port);
}

/* True if the first lane, which is the netlist without a mutant, has the model's qualifier or has
 * already differed. */
static bool same_qualifier(const struct mutation_run *r, unsigned port, bool qualified) {
    struct mutation_lanes v = value_of(r, r->n->qualifier[port]);
    return !(r->same.w[0] & 1) || (v.w[0] & 1) == qualified;
}

/* Compares the ports. Returns a port whose qualifier differs in the netlist, or NULL if there is
 * none. */
static const struct port_place *compare_ports(struct mutation_run *r, bool unmutated) {
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

static int run_cycle(struct mutation_run *r, bool unmutated, struct error *err) {
    const struct block_type *type = r->n->l->type;
    const struct port_place *odd = NULL;
    r->calls->drive(r->driver, r->in);
    const char *rule = noise_eval(&r->noise, r->model, r->in, r->out);
    settle_netlist(r);
    if (r->cycle > 0)
        odd = compare_ports(r, unmutated);
    if (odd)
        return error_set(err, "cycle %" PRIu64 ": the qualifier of %s is another in the netlist",
                         r->cycle, odd->desc->name);
    const char *broken = r->calls->sample(r->driver, r->in, r->out);
    rule = rule ? rule : broken;
    if (rule)
        return error_set(err, "cycle %" PRIu64 ": %s", r->cycle, rule);
    type->tick(r->model, r->in);
    clock_netlist(r);
    r->cycle++;
    return 0;
}

static int run_cycles(struct mutation_run *r, const uint32_t *ids, unsigned n_ids,
                      struct error *err) {
    bool *still = alloc_zeroed(aig_nodes(&r->n->f), sizeof *still);
    int bad = 0;
    select_mutants(r, ids, n_ids);
    power_up(r);
    settle_selects(r, still);
    free(still);
    while (!bad && r->cycle < r->s->stop && any_lane(&r->alive))
        bad = run_cycle(r, ids[0] == 0, err);
    return bad;
}

int simulate(const struct netlist *n, const struct mutation_stimulus *s, const uint32_t *ids,
             unsigned n_ids, struct kills *kills, struct error *err) {
    struct mutation_run r;
    memset(kills, 0, SIMULATE_LANES * sizeof *kills);
    run_init(&r, n, s, kills);
    const int bad = run_cycles(&r, ids, n_ids, err);
    run_free(&r);
    return bad;
}
