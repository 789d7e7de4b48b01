// SPDX-License-Identifier: Apache-2.0
#include "bpg/bpg_ports.h"

#include <stdlib.h>
#include <string.h>

#include "cache/addr_map.h"
#include "lib/alloc.h"
#include "lib/bits.h"

/* A set of a shadow array is modeled as a list of its tags, most recently used first, because
 * the ways cannot be observed. In a full set, the last tag is the least recently used. */
struct bpg {
    /* Parameters, and derived values */
    unsigned calculators, ways, scale;
    uint32_t sets, interval, hits_max, fails_max;
    enum set_index index;
    uint32_t passed_over; /* mask of the set-number bits that are 0 in a sampled set */
    unsigned row_shift, tag_shift;
    uint64_t tag_mask, adjusted_mask;

    uint32_t cube[BPG_MAX_CALCULATORS]; /* entries from `calculators` on are never read */
    uint8_t lmax;
    bool update;

    bool fail, /* a failure was reported in the previous cycle */
        look;  /* the previous cycle's access, which is in the next three fields, is being looked
                  up */
    uint8_t op, id;
    uint64_t addr;

    uint32_t count, fails, hits[BPG_MAX_CALCULATORS];
    uint8_t *used; /* number of tags per sampled set and calculator */
    uint64_t *tag; /* `ways` tags per sampled set and calculator */

    /* Decision in progress */
    unsigned phase; /* number of cycles since the interval's end; 0 if no decision is in progress */
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
    {"ADDR_W", 40, 1, 48, "line number width"},
    {"ID_W", 5, 1, 8, "user ID width (warp or CTA slot number)"},
    {"SETS", 32, 1, 4096, "number of L1D sets, a power of two"},
    {"WAYS", 4, 1, 16, "number of L1D ways"},
    {"INDEX", SET_BXOR, SET_BMOD, SET_IPOLY,
     "set-index function of the L1D: 0 bmod, 1 bxor, 2 fermi, 3 xor, 6 d_prime, 7 ipoly"},
    {"SAMPLED", 4, 1, 64, "number of sampled sets, a power of two"},
    {"TAG_W", 32, 1, 48, "stored tag width"},
    {"CALCULATORS", 8, 1, BPG_MAX_CALCULATORS, "number of Adjusted Hits calculators"},
    {"INTERVAL", 1000, 4, 1048575, "accesses between two decisions"},
    {"HIT_W", 10, 2, 16, "hit counter width"},
    {"FAIL_W", 12, 2, 16, "failure counter width"},
    {"HIT_SCALE", 3, 0, 7, "left shift of the hit count before the failures are subtracted"},
};

/* Returns log2 of a power of two. */
static unsigned log2_of(int64_t x) {
    return bits_lowest((uint64_t)x);
}

/* Returns NULL if f allows this number of sets, and set and tag identify the line. Otherwise
 * returns an error message. The tag consists of the line number's bits from log2(SETS) up. */
static const char *illegal_index(enum set_index f, uint32_t sets) {
    if (!set_index_is_exact(f))
        return "INDEX must be 0 to 3, 6 or 7: set and tag must determine the line";
    if (!set_index_needs(f, sets))
        return NULL;
    return f == SET_FERMI ? "INDEX=2 (fermi) needs SETS=32 or SETS=64"
                          : "INDEX=7 (ipoly) needs SETS of at least 8";
}

static const char *find_illegal(const struct block_params *p) {
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

/* Resets all state except the table of cubes. */
static void reset_bpg(struct bpg *m) {
    memset(m->used, 0, lists(m) * sizeof *m->used);
    memset(m->hits, 0, sizeof m->hits);
    m->count = m->fails = m->phase = 0;
    m->look = m->fail = m->update = false;
    m->lmax = (uint8_t)m->calculators;
}

static void destroy_bpg(void *model) {
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

static void *create_bpg(const struct block_params *p) {
    struct bpg *m = alloc_zeroed(1, sizeof *m);
    set_parameters(m, p);
    m->used = alloc_zeroed(lists(m), sizeof *m->used);
    m->tag = alloc_zeroed((size_t)lists(m) * m->ways, sizeof *m->tag);
    reset_bpg(m);
    return m;
}

/* ---- Outputs ---- */

static void eval_bpg(const void *model, const void *in_, void *out_) {
    const struct bpg *m = model;
    const struct bpg_in *in = in_;
    struct bpg_out *out = out_;
    out->lmax = m->lmax;
    out->update = m->update;
    out->ask_past = m->lmax < m->calculators && in->ask_id >= m->lmax;
}

/* Location, in the shadow arrays, of the access that is being looked up. */
struct bpg_place {
    uint32_t set;
    bool sampled;
    unsigned list; /* index of calculator 1's list; the other calculators' lists follow */
    uint64_t tag;
};

static struct bpg_place place_of(const struct bpg *m) {
    uint32_t set = addr_set(m->index, m->addr, m->sets);
    return (struct bpg_place){.set = set,
                              .sampled = !(set & m->passed_over),
                              .list = (set >> m->row_shift) * m->calculators,
                              .tag = m->addr >> m->tag_shift & m->tag_mask};
}

/* Returns the position of a tag in a list, or the number of tags in the list if the tag is
 * absent. */
static unsigned find_line(const struct bpg *m, unsigned list, uint64_t tag) {
    const uint64_t *entry = &m->tag[(size_t)list * m->ways];
    unsigned i = 0;
    while (i < m->used[list] && entry[i] != tag)
        i++;
    return i;
}

static void observe_look(const struct bpg *m, struct bpg_out *out) {
    struct bpg_place entry = place_of(m);
    out->st_set = entry.set;
    out->st_sampled = entry.sampled;
    for (unsigned k = 0; entry.sampled && k < m->calculators; k++)
        if (find_line(m, entry.list + k, entry.tag) < m->used[entry.list + k])
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

/* Returns the number, from 1 on, of the calculator judged in this cycle, or 0 if there is none. */
static unsigned judged(const struct bpg *m) {
    return m->phase > 2 ? m->phase - 2 : 0;
}

static void observe_bpg(const void *model, const void *in, void *out_) {
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

/* Makes the tag the most recently used one in its list. `i` is the tag's position, or the number of
 * tags in the list if the tag is new. A new tag replaces the last tag of a full list. */
static void use_line(struct bpg *m, unsigned list, unsigned i, uint64_t tag) {
    uint64_t *entry = &m->tag[(size_t)list * m->ways];
    if (i == m->used[list] && i < m->ways)
        m->used[list]++;
    else if (i == m->ways)
        i--;
    memmove(entry + 1, entry, i * sizeof *entry);
    entry[0] = tag;
}

static void evict_line(struct bpg *m, unsigned list, unsigned i) {
    uint64_t *entry = &m->tag[(size_t)list * m->ways + i];
    memmove(entry, entry + 1, (--m->used[list] - i) * sizeof *entry);
}

/* Processes the access in calculator k, counted from 0. */
static void calculate(struct bpg *m, unsigned k, unsigned list, uint64_t tag) {
    unsigned i = find_line(m, list, tag);
    bool found = i < m->used[list];
    if (m->op == BPG_EVICT) {
        if (found)
            evict_line(m, list, i);
        return;
    }
    if (found || m->op != BPG_UPDATE)
        use_line(m, list, i, tag);
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
        struct bpg_place entry = place_of(m);
        for (unsigned k = m->id; entry.sampled && k < m->calculators; k++)
            calculate(m, k, entry.list + k, entry.tag);
    }
    if (++m->count == m->interval)
        end_interval(m);
}

/* Runs one cycle of a decision. Adjusted(k) is computed in the cycle in which entry k of the table
 * of cubes is read, and is judged two cycles later. */
static void make_decision(struct bpg *m) {
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

static void advance_turn(struct bpg *m, const struct bpg_in *in) {
    m->update = false;
    if (m->phase)
        make_decision(m);
    count_failures(m, m->fail);
    if (m->look)
        look_up(m);
    m->fail = in->fail;
    m->look = in->acc_valid;
    m->op = (uint8_t)in->acc_op;
    m->id = (uint8_t)in->acc_id;
    m->addr = in->acc_addr;
}

static void tick_bpg(void *model, const void *in_) {
    struct bpg *m = model;
    const struct bpg_in *in = in_;
    if (in->rst || in->launch)
        reset_bpg(m);
    else
        advance_turn(m, in);
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
    .illegal = find_illegal,
    .create = create_bpg,
    .destroy = destroy_bpg,
    .eval = eval_bpg,
    .observe = observe_bpg,
    .tick = tick_bpg,
};
