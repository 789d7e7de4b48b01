// SPDX-License-Identifier: Apache-2.0
#include "mutation/mutants.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "os/path.h"
#include "mutation/miter.h"
#include "mutation/netlist.h"
#include "mutation/simulate.h"

/* Number of cycles in each round of a run. Most mutants are found in the first cycles, so later
 * rounds run only the remaining mutants. */
static const uint64_t rounds[] = {300, 5000, UINT64_MAX};
#define N_ROUNDS (sizeof rounds / sizeof rounds[0])

struct mutant {
    uint32_t first;        /* lowest number of a mutant with the same graph, which may be its own */
    unsigned run;          /* number of the run that found it, counted from 1, or 0 if none did */
    unsigned function_run; /* number of the run that found it at a PORT_OUT port, counted from 1, or
                              0 if none did */
    struct kills kills;
    bool unreached; /* true if no compared output depends on the mutation */
};

struct campaign {
    const struct mutants_opts *o;
    const struct netlist *n;
    struct mutant *mutants; /* indexed by number; 0 is the block without a mutant */
    struct error *err;
};

static void find_copies(struct campaign *c) {
    uint32_t *first = alloc_zeroed((size_t)c->o->mutants + 1, sizeof *first);
    miter_copies(c->n, c->o->mutants, first);
    for (uint32_t id = 0; id <= c->o->mutants; id++)
        c->mutants[id].first = first[id];
    free(first);
}

/* ---- Simulation ---- */

static bool to_be_found(const struct campaign *c, uint32_t id) {
    return c->mutants[id].first == id && c->mutants[id].function_run == 0;
}

/* Sets `ids` to 0 and the next mutants that have not been found, and advances *from. Returns the
 * number of ids. */
static unsigned next_batch(const struct campaign *c, uint32_t *from, uint32_t *ids) {
    unsigned n = 1;
    ids[0] = 0;
    for (; *from <= c->o->mutants && n < SIMULATE_LANES; ++*from)
        if (to_be_found(c, *from))
            ids[n++] = *from;
    return n;
}

static void note_kills(struct mutant *m, unsigned run, const struct kills *k) {
    if (k->any.port && !m->run) {
        m->run = run + 1;
        m->kills.any = k->any;
    }
    if (k->function.port) {
        m->function_run = run + 1;
        m->kills.function = k->function;
    }
}

static int run_batch(struct campaign *c, unsigned run, const struct mutation_stimulus *s,
                     const uint32_t *ids, unsigned n_ids) {
    struct kills kills[SIMULATE_LANES];
    if (simulate(c->n, s, ids, n_ids, kills, c->err))
        return -1;
    if (kills[0].any.port)
        return error_set(c->err,
                         "the netlist without a mutant differs from the model: cycle %" PRIu64
                         ", port %s",
                         kills[0].any.cycle, kills[0].any.port->desc->name);
    for (unsigned i = 1; i < n_ids; i++)
        note_kills(&c->mutants[ids[i]], run, &kills[i]);
    return 0;
}

static int run_round(struct campaign *c, unsigned run, uint64_t stop) {
    const struct mutation_stimulus s = {c->o->runs[run].seed, c->o->runs[run].cycles, stop};
    uint32_t ids[SIMULATE_LANES], from = 1;
    for (unsigned n; (n = next_batch(c, &from, ids)) > 1;) {
        if (run_batch(c, run, &s, ids, n))
            return -1;
        if (c->o->stop && *c->o->stop)
            return error_set(c->err, "interrupted");
    }
    return 0;
}

static int run_all(struct campaign *c) {
    for (unsigned run = 0; run < c->o->n_runs; run++) {
        uint64_t cycles = c->o->runs[run].cycles;
        for (size_t i = 0; i < N_ROUNDS; i++) {
            if (run_round(c, run, rounds[i] < cycles ? rounds[i] : cycles))
                return -1;
            if (rounds[i] >= cycles)
                break;
        }
    }
    return 0;
}

/* ---- Results ---- */

/* Lists the mutants that were not found or, if `observed`, those that were found only at observed
 * ports. Returns their number. */
static uint32_t list_left(const struct campaign *c, bool observed, uint32_t *ids) {
    uint32_t n = 0;
    for (uint32_t id = 1; id <= c->o->mutants; id++)
        if (to_be_found(c, id) && (c->mutants[id].run > 0) == observed)
            ids[n++] = id;
    return n;
}

static int write_miters_of(struct campaign *c, const struct netlist *n, const char *acts,
                           uint32_t *ids, uint32_t n_ids) {
    char path[PATH_SIZE];
    uint32_t reached = 0;
    for (uint32_t i = 0; i < n_ids; i++) {
        bool *unreached = &c->mutants[ids[i]].unreached;
        if (path_print(path, c->err, "%s/%" PRIu32 "-full.aig", c->o->miters, ids[i]) ||
            miter_write(n, ids[i], path, unreached, c->err))
            return -1;
        if (!*unreached)
            ids[reached++] = ids[i];
    }
    return path_print(path, c->err, "%s/%s.aig", c->o->miters, acts) ||
                   miter_write_acts(n, ids, reached, path, c->err)
               ? -1
               : 0;
}

static int write_miters(struct campaign *c) {
    struct netlist unobserved = *c->n;
    unobserved.unobserved = true;
    uint32_t *ids = alloc_zeroed((size_t)c->o->mutants + 1, sizeof *ids);
    int bad = write_miters_of(c, c->n, "acts", ids, list_left(c, false, ids));
    if (!bad)
        bad = write_miters_of(c, &unobserved, "acts-unobserved", ids, list_left(c, true, ids));
    free(ids);
    return bad;
}

static void print_kill(unsigned run, const struct kill *k, FILE *out) {
    fprintf(out, "\t%u\t%" PRIu64 "\t%s", run, k->cycle, k->port->desc->name);
}

static void print_mutant(const struct mutant *m, uint32_t id, FILE *out) {
    bool copy = m->first != id, killed = m->function_run > 0;
    fprintf(out, "%" PRIu32 "\t%s", id,
            m->first == 0 ? "same"
            : copy        ? "copy"
            : killed      ? "killed"
            : m->run      ? "observed"
                          : "survived");
    if (copy && m->first)
        fprintf(out, "\t%" PRIu32, m->first);
    if (m->run)
        print_kill(m->run, &m->kills.any, out);
    if (killed)
        print_kill(m->function_run, &m->kills.function, out);
    if (m->unreached)
        fprintf(out, "\tunreached");
    putc('\n', out);
}

static int run_campaign(struct campaign *c, FILE *out) {
    find_copies(c);
    if (run_all(c) || (c->o->miters && write_miters(c)))
        return -1;
    for (uint32_t id = 1; id <= c->o->mutants; id++)
        print_mutant(&c->mutants[id], id, out);
    return 0;
}

/* Makes the layout and reads the netlist. The caller frees both. */
static int open_netlist(const struct mutants_opts *o, struct layout *l, struct netlist *n,
                        struct error *err) {
    if (layout_init(l, o->type, &o->params, err))
        return -1;
    if (netlist_read(n, l, o->netlist, err)) {
        layout_free(l);
        return -1;
    }
    n->zeroed = o->zeroed;
    n->unobserved = o->unobserved;
    return 0;
}

int mutants_run(const struct mutants_opts *o, FILE *out, struct error *err) {
    struct layout l;
    struct netlist n;
    if (open_netlist(o, &l, &n, err))
        return MUTANTS_INPUT;
    struct campaign c = {o, &n, alloc_zeroed((size_t)o->mutants + 1, sizeof *c.mutants), err};
    const int bad = run_campaign(&c, out);
    free(c.mutants);
    netlist_free(&n);
    layout_free(&l);
    return bad;
}

/* ---- One mutant ---- */

static int write_part(const struct netlist *n, uint32_t mutant, const uint32_t *numbers,
                      uint32_t n_numbers, bool *apart, struct miter_parting *p, const char *path,
                      FILE *out, struct error *err) {
    for (uint32_t i = 0; i < n_numbers; i++) {
        if (numbers[i] >= n->f.latches)
            return error_set(err, "the netlist has no latch %" PRIu32, numbers[i]);
        apart[numbers[i]] = true;
    }
    if (miter_write_parting(n, mutant, apart, p, path, err))
        return -1;
    for (uint32_t i = 0; i < p->n_latches; i++)
        fprintf(out, "%" PRIu32 "\n", p->latches[i]);
    fprintf(out, "ports\n");
    return 0;
}

int mutants_part(const struct mutants_opts *o, uint32_t mutant, const uint32_t *apart,
                 uint32_t n_apart, const char *path, FILE *out, struct error *err) {
    struct layout l;
    struct netlist n;
    if (open_netlist(o, &l, &n, err))
        return -1;
    bool *twice = alloc_zeroed((size_t)n.f.latches + 1, sizeof *twice);
    struct miter_parting p = {alloc_zeroed((size_t)n.f.latches + 1, sizeof *p.latches), 0};
    const int bad = write_part(&n, mutant, apart, n_apart, twice, &p, path, out, err);
    free(twice);
    free(p.latches);
    netlist_free(&n);
    layout_free(&l);
    return bad;
}
