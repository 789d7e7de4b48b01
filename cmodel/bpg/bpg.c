// SPDX-License-Identifier: Apache-2.0
#include "bpg/bpg_ports.h"

#include <stdlib.h>
#include <string.h>

#include "cache/addr_map.h"
#include "lib/alloc.h"
#include "lib/bits.h"

/* A set of a shadow array is a list of the tags that it holds, the most recent first: which way
 * holds which is not to be seen. Of a full one the last is the least recently used. */
struct bpg {
    /* Parameters, and what follows from them */
    unsigned calculators, ways, scale;
    uint32_t sets, interval, hits_max, fails_max;
    enum set_index index;
    uint32_t passed_over; /* bits of a set's number that are 0 if it is sampled */
    unsigned row_shift, tag_shift;
    uint64_t tag_mask, adjusted_mask;

    uint32_t cube[BPG_MAX_CALCULATORS]; /* those above `calculators` are never read */
    uint8_t lmax;
    bool update;

    bool fail,
        look; /* of the cycle before: a failure; an access, being looked up: the next three */
    uint8_t op, id;
    uint64_t addr;

    uint32_t count, fails, hits[BPG_MAX_CALCULATORS];
    uint8_t *used; /* tags held: sampled sets * calculators */
    uint64_t *tag; /* `ways` for each of them */

    /* Decision in progress */
    unsigned phase; /* cycles since the interval's end; 0: no decision is in progress */
    uint32_t end_fails, end_hits[BPG_MAX_CALCULATORS];
    int32_t adjusted[BPG_MAX_CALCULATORS];
    int32_t best;
    uint8_t best_k;
};

uint32_t bpg_cube(uint32_t k, uint32_t n) {
    if (k >= n)
        return 1u << (BPG_CUBE_W - 1);
    uint64_t k3 = (uint64_t)k * k * k, n3 = (uint64_t)n * n * n;
    return (uint32_t)((k3 << (BPG_CUBE_W - 1)) / n3);
}

/* ---- Parameters ---- */

static const struct param_desc params[BPG_N_PARAMS] = {
    {"ADDR_W", 40, 1, 48, "bits of a line number"},
    {"ID_W", 5, 1, 8, "bits of a user's (warp's or CTA's) number"},
    {"SETS", 32, 1, 4096, "sets of the L1D, a power of two"},
    {"WAYS", 4, 1, 16, "ways of the L1D"},
    {"INDEX", SET_BXOR, SET_BMOD, SET_IPOLY,
     "set-index function: 0 bmod, 1 bxor, 2 fermi, 3 xor, 6 d_prime, 7 ipoly"},
    {"SAMPLED", 4, 1, 64, "sets that are sampled, a power of two"},
    {"TAG_W", 32, 1, 48, "bits kept of a tag"},
    {"CALCULATORS", 8, 1, BPG_MAX_CALCULATORS, "calculators of Adjusted Hits"},
    {"INTERVAL", 1000, 4, 1048575, "accesses from a decision to the next"},
    {"HIT_W", 10, 2, 16, "bits of a hit counter"},
    {"FAIL_W", 12, 2, 16, "bits of the failure counter"},
    {"HIT_SCALE", 3, 0, 7, "bits that the hits are shifted left before they are compared"},
};

/* log2 of a power of two. */
static unsigned log2_of(int64_t x) {
    return bits_lowest((uint64_t)x);
}

/* A tag is what is left above log2(SETS) bits: with the set it has to give back the line. */
static const char *illegal_index(enum set_index f, uint32_t sets) {
    if (!set_index_is_exact(f))
        return "INDEX must be 0 to 3, 6 or 7: set and tag give back the line";
    if (!set_index_needs(f, sets))
        return NULL;
    return f == SET_FERMI ? "INDEX=2 (fermi) needs SETS=32 or SETS=64"
                          : "INDEX=7 (ipoly) needs SETS from 8 up";
}

static const char *illegal(const struct block_params *p) {
    int64_t sets = p->v[BPG_SETS];
    if (!bits_power_of_two((uint64_t)sets))
        return "SETS must be a power of two";
    if (!bits_power_of_two((uint64_t)p->v[BPG_SAMPLED]))
        return "SAMPLED must be a power of two";
    if (p->v[BPG_SAMPLED] > sets)
        return "SAMPLED must be at most SETS";
    const char *why = illegal_index((enum set_index)p->v[BPG_INDEX], (uint32_t)sets);
    if (why)
        return why;
    if (p->v[BPG_ADDR_W] <= log2_of(sets))
        return "ADDR_W must be more than log2(SETS)";
    if (p->v[BPG_TAG_W] > p->v[BPG_ADDR_W] - log2_of(sets))
        return "TAG_W must be at most ADDR_W - log2(SETS)";
    if (p->v[BPG_INTERVAL] < p->v[BPG_CALCULATORS] + 4)
        return "INTERVAL must be at least CALCULATORS + 4";
    return NULL;
}

/* ---- Creation ---- */

static unsigned lists(const struct bpg *m) {
    return (m->sets >> m->row_shift) * m->calculators;
}

/* All but the table. */
static void reset(struct bpg *m) {
    memset(m->used, 0, lists(m) * sizeof *m->used);
    memset(m->hits, 0, sizeof m->hits);
    m->count = m->fails = m->phase = 0;
    m->look = m->fail = m->update = false;
    m->lmax = (uint8_t)m->calculators;
}

static void destroy(void *model) {
    struct bpg *m = model;
    if (!m)
        return;
    free(m->used);
    free(m->tag);
    free(m);
}

static void set_parameters(struct bpg *m, const struct block_params *p) {
    m->calculators = (unsigned)p->v[BPG_CALCULATORS];
    m->ways = (unsigned)p->v[BPG_WAYS];
    m->scale = (unsigned)p->v[BPG_HIT_SCALE];
    m->sets = (uint32_t)p->v[BPG_SETS];
    m->interval = (uint32_t)p->v[BPG_INTERVAL];
    m->hits_max = (uint32_t)bits_low((unsigned)p->v[BPG_HIT_W]);
    m->fails_max = (uint32_t)bits_low((unsigned)p->v[BPG_FAIL_W]);
    m->index = (enum set_index)p->v[BPG_INDEX];
    m->row_shift = log2_of(p->v[BPG_SETS] / p->v[BPG_SAMPLED]);
    m->passed_over = (uint32_t)bits_low(m->row_shift);
    m->tag_shift = log2_of(p->v[BPG_SETS]);
    m->tag_mask = bits_low((unsigned)p->v[BPG_TAG_W]);
    m->adjusted_mask = bits_low(bpg_adjusted_bits(p));
}

static void *create(const struct block_params *p) {
    struct bpg *m = alloc_zeroed(1, sizeof *m);
    set_parameters(m, p);
    m->used = alloc_zeroed(lists(m), sizeof *m->used);
    m->tag = alloc_zeroed((size_t)lists(m) * m->ways, sizeof *m->tag);
    reset(m);
    return m;
}

/* ---- Outputs ---- */

static void eval(const void *model, const void *in_, void *out_) {
    const struct bpg *m = model;
    const struct bpg_in *in = in_;
    struct bpg_out *out = out_;
    out->lmax = m->lmax;
    out->update = m->update;
    out->ask_past = m->lmax < m->calculators && in->ask_id >= m->lmax;
}

/* Where the access that is being looked up goes. */
struct place {
    uint32_t set;
    bool sampled;
    unsigned list; /* that of calculator 1; the others follow */
    uint64_t tag;
};

static struct place place_of(const struct bpg *m) {
    uint32_t set = addr_set(m->index, m->addr, m->sets);
    return (struct place){.set = set,
                          .sampled = !(set & m->passed_over),
                          .list = (set >> m->row_shift) * m->calculators,
                          .tag = m->addr >> m->tag_shift & m->tag_mask};
}

/* Place of a tag in a list; `used` of the list if it is not there. */
static unsigned find(const struct bpg *m, unsigned list, uint64_t tag) {
    const uint64_t *at = &m->tag[(size_t)list * m->ways];
    unsigned i = 0;
    while (i < m->used[list] && at[i] != tag)
        i++;
    return i;
}

static void observe_look(const struct bpg *m, struct bpg_out *out) {
    struct place at = place_of(m);
    out->st_set = at.set;
    out->st_sampled = at.sampled;
    for (unsigned k = 0; at.sampled && k < m->calculators; k++)
        if (find(m, at.list + k, at.tag) < m->used[at.list + k])
            out->st_found |= UINT64_C(1) << k;
}

static void observe_hits(const struct bpg *m, struct bpg_out *out) {
    unsigned width = bits_count(m->hits_max);
    memset(out->st_hits, 0, sizeof out->st_hits);
    for (unsigned k = 0; k < m->calculators; k++) {
        unsigned bit = k * width, word = bit / 32;
        uint64_t hits = (uint64_t)m->hits[k] << bit % 32;
        out->st_hits[word] |= (uint32_t)hits;
        if (hits >> 32)
            out->st_hits[word + 1] |= (uint32_t)(hits >> 32);
    }
}

/* Calculator that is judged in this cycle, from 1; 0: none. */
static unsigned judged(const struct bpg *m) {
    return m->phase > 2 ? m->phase - 2 : 0;
}

static void observe(const void *model, const void *in, void *out_) {
    const struct bpg *m = model;
    struct bpg_out *out = out_;
    unsigned k = judged(m);
    (void)in;
    out->st_look = m->look;
    out->st_set = out->st_sampled = out->st_found = 0;
    if (m->look)
        observe_look(m, out);
    out->st_count = m->count;
    out->st_fails = m->fails;
    observe_hits(m, out);
    out->st_judged = k > 0;
    out->st_judged_k = k;
    out->st_adjusted = k ? (uint64_t)(int64_t)m->adjusted[k - 1] & m->adjusted_mask : 0;
}

/* ---- The clock edge ---- */

static void count_failures(struct bpg *m, uint64_t n) {
    uint32_t room = m->fails_max - m->fails;
    m->fails += n < room ? (uint32_t)n : room;
}

/* Makes the tag the most recent of its list, in which it is at `i`, or not yet (i: used). */
static void use(struct bpg *m, unsigned list, unsigned i, uint64_t tag) {
    uint64_t *at = &m->tag[(size_t)list * m->ways];
    if (i == m->used[list] && i < m->ways)
        m->used[list]++;
    else if (i == m->ways)
        i--;
    memmove(at + 1, at, i * sizeof *at);
    at[0] = tag;
}

static void evict(struct bpg *m, unsigned list, unsigned i) {
    uint64_t *at = &m->tag[(size_t)list * m->ways + i];
    memmove(at, at + 1, (--m->used[list] - i) * sizeof *at);
}

/* What calculator k, from 0, makes of the access. */
static void calculate(struct bpg *m, unsigned k, unsigned list, uint64_t tag) {
    unsigned i = find(m, list, tag);
    bool found = i < m->used[list];
    if (m->op == BPG_EVICT) {
        if (found)
            evict(m, list, i);
        return;
    }
    if (found || m->op != BPG_UPDATE)
        use(m, list, i, tag);
    if (found && m->op == BPG_LOAD && m->hits[k] < m->hits_max)
        m->hits[k]++;
}

static void end_interval(struct bpg *m) {
    m->end_fails = m->fails;
    m->fails /= 2;
    memcpy(m->end_hits, m->hits, sizeof m->hits);
    for (unsigned k = 0; k < m->calculators; k++)
        m->hits[k] /= 2;
    m->count = 0;
    m->phase = 1;
}

static void look_up(struct bpg *m) {
    if (m->op >= BPG_LOAD && m->op <= BPG_WRITE && m->id < m->calculators) {
        struct place at = place_of(m);
        for (unsigned k = m->id; at.sampled && k < m->calculators; k++)
            calculate(m, k, at.list + k, at.tag);
    }
    if (++m->count == m->interval)
        end_interval(m);
}

/* A cycle of a decision. Adjusted(k) is all made in the cycle that reads the table, and judged two
 * cycles later. */
static void decide(struct bpg *m) {
    unsigned k = judged(m);
    if (m->phase <= m->calculators) {
        unsigned i = m->phase - 1;
        uint64_t half = (uint64_t)m->end_fails * m->cube[i] >> BPG_CUBE_W;
        m->adjusted[i] = (int32_t)(m->end_hits[i] << m->scale) - (int32_t)half;
    }
    if (k == 1 || (k && m->adjusted[k - 1] >= m->best)) {
        m->best = m->adjusted[k - 1];
        m->best_k = (uint8_t)k;
    }
    if (k < m->calculators) {
        m->phase++;
        return;
    }
    m->phase = 0;
    m->lmax = m->best_k;
    m->update = true;
}

static void advance(struct bpg *m, const struct bpg_in *in) {
    m->update = false;
    if (m->phase)
        decide(m);
    count_failures(m, m->fail);
    if (m->look)
        look_up(m);
    m->fail = in->fail;
    m->look = in->acc_valid;
    m->op = (uint8_t)in->acc_op;
    m->id = (uint8_t)in->acc_id;
    m->addr = in->acc_addr;
}

static void tick(void *model, const void *in_) {
    struct bpg *m = model;
    const struct bpg_in *in = in_;
    if (in->rst || in->launch)
        reset(m);
    else
        advance(m, in);
    if (in->cube_valid)
        m->cube[in->cube_index] = (uint32_t)in->cube_value;
}

uint64_t bpg_next_event(const void *model) {
    const struct bpg *m = model;
    return m->look || m->phase || m->update ? 0 : UINT64_MAX;
}

void bpg_advance(void *model, uint64_t cycles, bool fail) {
    struct bpg *m = model;
    if (!cycles)
        return;
    count_failures(m, m->fail + (fail ? cycles - 1 : 0));
    m->fail = fail;
}

BPG_PORTS(BLOCK_PORT_FUNCTIONS)

static const struct port_desc ports[] = {BPG_PORTS(BLOCK_PORT_ENTRY)};

const struct block_type bpg_type = {
    .name = "bpg",
    .params = params,
    .n_params = BPG_N_PARAMS,
    .ports = ports,
    .n_ports = sizeof ports / sizeof *ports,
    .in_size = sizeof(struct bpg_in),
    .out_size = sizeof(struct bpg_out),
    .late = true,
    .illegal = illegal,
    .create = create,
    .destroy = destroy,
    .eval = eval,
    .observe = observe,
    .tick = tick,
};
