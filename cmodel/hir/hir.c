// SPDX-License-Identifier: Apache-2.0
#include "hir/hir_ports.h"

#include <stdlib.h>

#include "lib/alloc.h"

/* All entries are freed together, so a set always uses its lowest ways, and its number of ways
 * in use is also the number of its lowest free way. */
struct hir {
    /* Parameters and values derived from them */
    unsigned ways, count_w;
    uint64_t row_mask, count_max; /* row_mask selects the set (row) in a page-set number */
    uint32_t lost_max;

    bool look; /* true if the next two fields hold a hit of the previous cycle to look up */
    uint8_t page;
    uint64_t number;

    uint8_t *used;     /* number of ways in use in each set */
    uint64_t *numbers, /* page-set number of each entry, indexed by set * ways + way */
        *counts;       /* packed counters of each entry, indexed by set * ways + way */
    uint16_t *order;   /* entries in use, in order of first touch */
    uint32_t count,    /* number of entries in use */
        lost;          /* number of lost hits since the entries were last freed */
    unsigned age;      /* cycles since `flush`, saturating at HIR_FLUSH_LATENCY; 0 if not busy */
    uint32_t sent;     /* number of entries sent in the current flush */
};

/* ---- Parameters ---- */

static const struct param_desc params[HIR_N_PARAMS] = {
    {"SETS", 128, 1, 1024, "number of sets, a power of two"},
    {"WAYS", 8, 1, 16, "entries per set"},
    {"SET_W", 48, 4, 48, "page-set number width"},
    {"PAGES", 16, 2, 32, "pages per page set, and counters per entry; a power of two"},
    {"COUNT_W", 2, 1, 4, "counter width"},
    {"LOST_W", 16, 1, 16, "width of the counter of lost hits"},
};

static const char *find_illegal(const struct block_params *p) {
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

/* Frees all entries. Clears only the sets that have entries. */
static void free_entries(struct hir *m) {
    for (uint32_t i = 0; i < m->count; i++)
        m->used[m->order[i] / m->ways] = 0;
    m->count = m->lost = m->sent = 0;
    m->age = 0;
}

static void destroy_hir(void *model) {
    struct hir *m = model;
    free(m->used);
    free(m->numbers);
    free(m->counts);
    free(m->order);
    free(m);
}

static void *create_hir(const struct block_params *p) {
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

static void eval_hir(const void *model, const void *in, void *out_) {
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

/* Returns the way of the page set that is being looked up, or the number of ways in use if the
 * page set has no entry. */
static unsigned find_entry(const struct hir *m, uint32_t row) {
    const uint64_t *ways = &m->numbers[(size_t)row * m->ways];
    unsigned way = 0;
    while (way < m->used[row] && ways[way] != m->number)
        way++;
    return way;
}

static void observe_hir(const void *model, const void *in, void *out_) {
    const struct hir *m = model;
    struct hir_out *out = out_;
    (void)in;
    out->st_count = m->count;
    out->st_look = m->look;
    out->st_row = out->st_found = out->st_lose = out->st_way = 0;
    if (!m->look)
        return;
    uint32_t row = row_of(m);
    unsigned way = find_entry(m, row);
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
    unsigned way = find_entry(m, row), shift = m->page * m->count_w;
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

/* Processes a busy cycle. If no entry is in use, the flush ends in the cycle that would read the
 * first entry. */
static void send_entry(struct hir *m, bool ready) {
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

static void tick_hir(void *model, const void *in_) {
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
        send_entry(m, in->out_ready);
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
    .illegal = find_illegal,
    .create = create_hir,
    .destroy = destroy_hir,
    .eval = eval_hir,
    .observe = observe_hir,
    .tick = tick_hir,
};
