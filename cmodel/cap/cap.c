// SPDX-License-Identifier: Apache-2.0
#include "cap/cap_ports.h"

#include <stdlib.h>

#include "lib/alloc.h"

enum { LARGEST = 4 }; /* log2 of the maximum number of blocks in a prefetch */

/* A query in the pipeline. */
struct question {
    bool valid, full;
    unsigned limit, /* log2 of the maximum number of blocks for the group */
        fit;        /* log2 of the maximum number of blocks for the available capacity */
};

struct cap {
    unsigned groups, over;
    uint64_t c_num, c_den;

    uint64_t known; /* bit g is 1 if the size of group g was set */
    bool agg_known;
    uint64_t req[CAP_MAX_GROUPS], agg;
    struct question asked; /* query of the previous cycle */
    bool answers;
    unsigned size;
};

/* ---- Parameters ---- */

static const struct param_desc params[CAP_N_PARAMS] = {
    {"GROUPS", 32, 1, CAP_MAX_GROUPS, "number of page groups"},
    {"AVAIL_W", 22, 4, 28, "width of a page count"},
    {"SIZE_W", 18, 5, 24, "width of a block count"},
    {"C_NUM", 11, 1, 255, "numerator of the factor c"},
    {"C_DEN", 10, 1, 255, "denominator of the factor c, at most C_NUM"},
    {"OVER", 3, 0, LARGEST, "log2 of the blocks prefetched at once while memory is oversubscribed"},
};

static const char *find_illegal(const struct block_params *p) {
    return p->v[CAP_C_NUM] < p->v[CAP_C_DEN] ? "C_NUM must be at least C_DEN" : NULL;
}

static void *create_cap(const struct block_params *p) {
    struct cap *m = alloc_zeroed(1, sizeof *m);
    m->groups = (unsigned)p->v[CAP_GROUPS];
    m->c_num = (uint64_t)p->v[CAP_C_NUM];
    m->c_den = (uint64_t)p->v[CAP_C_DEN];
    m->over = (unsigned)p->v[CAP_OVER];
    return m;
}

/* ---- Outputs ---- */

static void eval_cap(const void *model, const void *in, void *out_) {
    const struct cap *m = model;
    struct cap_out *out = out_;
    (void)in;
    out->ans_valid = m->answers;
    out->ans_size = m->answers ? m->size : 0;
}

static void observe_cap(const void *model, const void *in, void *out_) {
    const struct cap *m = model;
    struct cap_out *out = out_;
    (void)in;
    out->st_ask = m->asked.valid;
    out->st_limit = m->asked.valid ? m->asked.limit : 0;
    out->st_fit = out->st_limit ? m->asked.fit : 0;
}

/* ---- The clock edge ---- */

static unsigned min_pages(unsigned a, unsigned b) {
    return a < b ? a : b;
}

static unsigned log2_floor(uint64_t blocks) {
    unsigned k = 0;
    while (k < LARGEST && blocks >> k > 1)
        k++;
    return k;
}

/* Returns the greatest k with C_DEN * avail * req >= C_NUM * 16 * 2^k * agg, or 0 if there is
 * none. */
static unsigned fits(const struct cap *m, uint64_t avail, uint64_t req) {
    uint64_t have = m->c_den * avail * req, needs = m->c_num * 16 * m->agg;
    unsigned k = LARGEST;
    while (k > 0 && have < needs << k)
        k--;
    return k;
}

static struct question make_question(const struct cap *m, const struct cap_in *in) {
    struct question q = {.valid = in->ask_valid, .full = in->ask_full};
    unsigned group = (unsigned)in->ask_group;
    if (!q.valid || !(m->known >> group & 1) || !m->agg_known)
        return q;
    q.limit = log2_floor(m->req[group]);
    q.fit = fits(m, in->ask_avail, m->req[group]);
    return q;
}

static void set_state(struct cap *m, const struct cap_in *in) {
    if (in->set_valid && in->set_group < m->groups) {
        m->known |= UINT64_C(1) << in->set_group;
        m->req[in->set_group] = in->set_req;
    }
    if (in->agg_valid) {
        m->agg_known = true;
        m->agg = in->agg;
    }
}

static void tick_cap(void *model, const void *in_) {
    struct cap *m = model;
    const struct cap_in *in = in_;
    const struct question *q = &m->asked;
    if (in->rst) {
        m->known = 0;
        m->agg_known = m->answers = m->asked.valid = false;
        return;
    }
    m->answers = q->valid;
    m->size = min_pages(q->limit, q->full ? m->over : q->fit);
    m->asked = make_question(m, in);
    set_state(m, in);
}

CAP_PORTS(BLOCK_PORT_FUNCTIONS)

static const struct port_desc ports[] = {CAP_PORTS(BLOCK_PORT_ENTRY)};

const struct block_type cap_type = {
    .name = "cap",
    .params = params,
    .n_params = CAP_N_PARAMS,
    .ports = ports,
    .n_ports = sizeof ports / sizeof *ports,
    .in_size = sizeof(struct cap_in),
    .out_size = sizeof(struct cap_out),
    .late = true,
    .illegal = find_illegal,
    .create = create_cap,
    .destroy = free,
    .eval = eval_cap,
    .observe = observe_cap,
    .tick = tick_cap,
};
