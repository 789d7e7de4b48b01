// SPDX-License-Identifier: Apache-2.0
#include "hir/hir_ports.h"

#include <stdlib.h>

#include "lib/alloc.h"

/* An entry is freed only together with all others, so the ways in use of a set are always its
 * lowest ones: their number says which are in use, and which is the lowest free one. */
struct hir {
    /* Parameters, and what follows from them */
    unsigned ways, count_w;
    uint64_t row_mask, count_max; /* row: the set of a page-set number */
    uint32_t lost_max;

    bool look; /* of the cycle before: a hit, being looked up: the next two */
    uint8_t page;
    uint64_t number;

    uint8_t *used;              /* ways in use of each set */
    uint64_t *numbers, *counts; /* page set and counters of each entry: set * ways + way */
    uint16_t *order;            /* entries in use, in the order of first touch */
    uint32_t count, lost;       /* entries in use; hits lost */
    unsigned age;               /* cycles since `flush`, as far as HIR_FLUSH_LATENCY; 0: not busy */
    uint32_t sent;              /* entries that have left */
};

/* ---- Parameters ---- */

static const struct param_desc params[HIR_N_PARAMS] = {
    {"SETS", 128, 1, 1024, "sets, a power of two"},
    {"WAYS", 8, 1, 16, "entries of a set"},
    {"SET_W", 48, 4, 48, "bits of a page-set number"},
    {"PAGES", 16, 2, 32, "pages of a page set, a power of two: counters of an entry"},
    {"COUNT_W", 2, 1, 4, "bits of a counter"},
    {"LOST_W", 16, 1, 16, "bits of the counter of lost hits"},
};

static const char *illegal(const struct block_params *p) {
    uint64_t sets = (uint64_t)p->v[HIR_SETS], pages = (uint64_t)p->v[HIR_PAGES];
    if (!bits_power_of_two(sets))
        return "SETS must be a power of two";
    if (!bits_power_of_two(pages))
        return "PAGES must be a power of two";
    if (p->v[HIR_SET_W] <= bits_lowest(sets))
        return "SET_W must be more than log2(SETS)";
    if (p->v[HIR_PAGES] * p->v[HIR_COUNT_W] > 64)
        return "PAGES * COUNT_W must be at most 64";
    return NULL;
}

/* ---- Creation ---- */

/* The sets that are in use are those of the entries in the order. */
static void free_entries(struct hir *m) {
    for (uint32_t i = 0; i < m->count; i++)
        m->used[m->order[i] / m->ways] = 0;
    m->count = m->lost = m->sent = 0;
    m->age = 0;
}

static void destroy(void *model) {
    struct hir *m = model;
    free(m->used);
    free(m->numbers);
    free(m->counts);
    free(m->order);
    free(m);
}

static void *create(const struct block_params *p) {
    struct hir *m = alloc_zeroed(1, sizeof *m);
    m->ways = (unsigned)p->v[HIR_WAYS];
    m->count_w = (unsigned)p->v[HIR_COUNT_W];
    m->row_mask = (uint64_t)p->v[HIR_SETS] - 1;
    m->count_max = bits_low(m->count_w);
    m->lost_max = (uint32_t)bits_low((unsigned)p->v[HIR_LOST_W]);
    size_t sets = (size_t)p->v[HIR_SETS], entries = sets * m->ways;
    m->used = alloc_zeroed(sets, sizeof *m->used);
    m->numbers = alloc_zeroed(entries, sizeof *m->numbers);
    m->counts = alloc_zeroed(entries, sizeof *m->counts);
    m->order = alloc_zeroed(entries, sizeof *m->order);
    return m;
}

/* ---- Outputs ---- */

static void eval(const void *model, const void *in, void *out_) {
    const struct hir *m = model;
    struct hir_out *out = out_;
    (void)in;
    out->busy = m->age > 0;
    out->hit_ready = !out->busy;
    out->lost = m->lost;
    out->out_valid = m->age == HIR_FLUSH_LATENCY;
    out->out_set = out->out_counts = out->out_last = 0;
    if (!out->out_valid)
        return;
    unsigned entry = m->order[m->sent];
    out->out_set = m->numbers[entry];
    out->out_counts = m->counts[entry];
    out->out_last = m->sent + 1 == m->count;
}

static uint32_t row_of(const struct hir *m) {
    return (uint32_t)(m->number & m->row_mask);
}

/* The way of the page set that is being looked up; the ways in use of its set if it has none. */
static unsigned find(const struct hir *m, uint32_t row) {
    const uint64_t *at = &m->numbers[(size_t)row * m->ways];
    unsigned way = 0;
    while (way < m->used[row] && at[way] != m->number)
        way++;
    return way;
}

static void observe(const void *model, const void *in, void *out_) {
    const struct hir *m = model;
    struct hir_out *out = out_;
    (void)in;
    out->st_count = m->count;
    out->st_look = m->look;
    out->st_row = out->st_found = out->st_lose = out->st_way = 0;
    if (!m->look)
        return;
    uint32_t row = row_of(m);
    unsigned way = find(m, row);
    out->st_row = row;
    out->st_found = way < m->used[row];
    out->st_lose = way == m->ways;
    out->st_way = out->st_lose ? 0 : way;
}

/* ---- The clock edge ---- */

static void make_entry(struct hir *m, uint32_t row, uint32_t entry) {
    m->used[row]++;
    m->numbers[entry] = m->number;
    m->counts[entry] = 0;
    m->order[m->count++] = (uint16_t)entry;
}

static void look_up(struct hir *m) {
    uint32_t row = row_of(m);
    unsigned way = find(m, row), shift = m->page * m->count_w;
    uint32_t entry = row * m->ways + way;
    if (way == m->ways) {
        m->lost += m->lost < m->lost_max;
        return;
    }
    if (way == m->used[row])
        make_entry(m, row, entry);
    if ((m->counts[entry] >> shift & m->count_max) < m->count_max)
        m->counts[entry] += UINT64_C(1) << shift;
}

/* A cycle in which it is busy. Whether there is anything to send is seen when the order is read. */
static void send(struct hir *m, bool ready) {
    if (m->age < HIR_FLUSH_LATENCY) {
        bool reads = m->age++ == HIR_FLUSH_LATENCY - 2;
        if (reads && !m->count)
            free_entries(m);
        return;
    }
    m->sent += ready;
    if (m->sent == m->count)
        free_entries(m);
}

static void tick(void *model, const void *in_) {
    struct hir *m = model;
    const struct hir_in *in = in_;
    if (in->rst) {
        free_entries(m);
        m->look = false;
        return;
    }
    bool idle = !m->age;
    if (m->look)
        look_up(m);
    if (!idle)
        send(m, in->out_ready);
    else if (in->flush)
        m->age = 1;
    m->look = idle && in->hit_valid;
    m->number = in->hit_set;
    m->page = (uint8_t)in->hit_page;
}

uint64_t hir_next_event(const void *model) {
    const struct hir *m = model;
    return m->look || m->age ? 0 : UINT64_MAX;
}

HIR_PORTS(BLOCK_PORT_FUNCTIONS)

static const struct port_desc ports[] = {HIR_PORTS(BLOCK_PORT_ENTRY)};

const struct block_type hir_type = {
    .name = "hir",
    .params = params,
    .n_params = HIR_N_PARAMS,
    .ports = ports,
    .n_ports = sizeof ports / sizeof *ports,
    .in_size = sizeof(struct hir_in),
    .out_size = sizeof(struct hir_out),
    .late = true,
    .illegal = illegal,
    .create = create,
    .destroy = destroy,
    .eval = eval,
    .observe = observe,
    .tick = tick,
};
