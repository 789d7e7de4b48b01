// SPDX-License-Identifier: Apache-2.0
#include "mil/mil_ports.h"

#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"

/* What is being worked out is known at once, and waits for its cycle: `left` of them. */
struct division {
    unsigned left; /* 0: none */
    uint32_t by;   /* failures >> INTERVAL_W; instructions */
    uint32_t max;  /* in flight */
};

struct kernel {
    uint32_t inflight, max, limit; /* max: in the interval */
    uint32_t rf, req, minst, ratio;
    uint32_t quota, share, next_share;
    bool update;
    struct division new_limit, new_ratio;
};

struct mil {
    /* Parameters, and what follows from them */
    unsigned n, interval_w, ratio_max, quota_w, inflight_w;
    unsigned room_bits, ratio_bits;
    uint32_t schedulers, none; /* none: the limit that is none */
    uint32_t rf_max, minst_max, quota_max;
    enum mil_limit limit;
    enum mil_order order;
    enum mil_zero zero;
    struct block_params params;

    struct kernel k[MIL_MAX_KERNELS];
    unsigned last;        /* kernel that issued last */
    unsigned shares_left; /* cycles until next_share takes effect; 0: no computation is running */
    enum mil_err err;
};

/* ---- Parameters ---- */

static const struct param_desc params[MIL_N_PARAMS] = {
    {"KERNELS", 2, 1, MIL_MAX_KERNELS, "kernels on the SM"},
    {"SCHEDULERS", 4, 1, 4, "warp schedulers of the SM: most memory instructions in a cycle"},
    {"INTERVAL_W", 10, 4, 16, "log2 of the requests from a decision to the next"},
    {"RF_W", 12, 4, 24, "bits of a failure counter"},
    {"INFLIGHT_W", 8, 4, 10, "bits of a counter of instructions in flight"},
    {"MINST_W", 10, 4, 16, "bits of a counter of instructions"},
    {"RATIO_MAX", 32, 2, 64, "most requests per instruction"},
    {"QUOTA_W", 20, 8, 24, "bits of a quota"},
    {"LIMIT", MIL_LIMIT_DYNAMIC, MIL_LIMIT_NONE, MIL_LIMIT_DYNAMIC,
     "of instructions in flight: 0 none, 1 static, 2 dynamic"},
    {"ORDER", MIL_ORDER_QUOTAS, MIL_ORDER_NONE, MIL_ORDER_QUOTAS,
     "of kernels: 0 none, 1 round robin, 2 quotas"},
    {"ZERO", MIL_ZERO_OPEN, MIL_ZERO_OPEN, MIL_ZERO_STEP,
     "LIMIT 2, too few failures: 0 open, 1 keep, 2 step"},
};

static const char *illegal(const struct block_params *p) {
    int64_t interval_w = p->v[MIL_INTERVAL_W], product = 1;
    if (p->v[MIL_RF_W] < interval_w)
        return "RF_W must be at least INTERVAL_W";
    if (p->v[MIL_MINST_W] < interval_w || p->v[MIL_MINST_W] > interval_w + 2)
        return "MINST_W must be from INTERVAL_W to INTERVAL_W + 2";
    for (int64_t k = 0; k < p->v[MIL_KERNELS]; k++)
        product *= p->v[MIL_RATIO_MAX];
    return product > INT64_C(1) << p->v[MIL_QUOTA_W]
               ? "RATIO_MAX to the power of KERNELS must be at most 2^QUOTA_W"
               : NULL;
}

/* ---- Creation ---- */

/* All that is measured, and what follows from it. */
static void restart_measurement(struct mil *m, struct kernel *k) {
    k->max = k->rf = k->req = k->minst = k->quota = 0;
    k->ratio = m->order == MIL_ORDER_QUOTAS;
    k->new_limit.left = k->new_ratio.left = 0;
    if (m->limit == MIL_LIMIT_DYNAMIC) {
        k->limit = m->none;
        k->update = false;
    }
}

/* Before the first interval has ended, and when a kernel starts. */
static void share_alike(struct mil *m) {
    m->shares_left = 0;
    for (unsigned i = 0; i < m->n; i++)
        m->k[i].share = m->order == MIL_ORDER_QUOTAS;
}

static void reset(struct mil *m) {
    for (unsigned i = 0; i < m->n; i++) {
        struct kernel *k = &m->k[i];
        restart_measurement(m, k);
        k->inflight = 0;
        k->limit = m->none;
        k->update = false;
    }
    share_alike(m);
    m->last = m->n - 1;
    m->err = MIL_OK;
}

static void *create(const struct block_params *p) {
    struct mil *m = alloc_zeroed(1, sizeof *m);
    m->n = (unsigned)p->v[MIL_KERNELS];
    m->interval_w = (unsigned)p->v[MIL_INTERVAL_W];
    m->ratio_max = (unsigned)p->v[MIL_RATIO_MAX];
    m->quota_w = (unsigned)p->v[MIL_QUOTA_W];
    m->inflight_w = (unsigned)p->v[MIL_INFLIGHT_W];
    m->room_bits = mil_room_bits(p);
    m->ratio_bits = mil_ratio_bits(p);
    m->schedulers = (uint32_t)p->v[MIL_SCHEDULERS];
    m->none = (uint32_t)bits_low(m->inflight_w);
    m->rf_max = (uint32_t)bits_low((unsigned)p->v[MIL_RF_W]);
    m->minst_max = (uint32_t)bits_low((unsigned)p->v[MIL_MINST_W]);
    m->quota_max = (uint32_t)bits_low(m->quota_w);
    m->limit = (enum mil_limit)p->v[MIL_LIMIT];
    m->order = (enum mil_order)p->v[MIL_ORDER];
    m->zero = (enum mil_zero)p->v[MIL_ZERO];
    m->params = *p;
    reset(m);
    return m;
}

/* ---- Outputs ---- */

static uint32_t least(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

static uint32_t room_of(const struct mil *m, const struct kernel *k) {
    return k->limit > k->inflight ? least(m->schedulers, k->limit - k->inflight) : 0;
}

/* The kernels that may issue, of those that have room. */
static unsigned favoured(const struct mil *m, unsigned want, unsigned able) {
    unsigned of = want & able, best;
    if (m->order == MIL_ORDER_NONE || !of)
        return m->order == MIL_ORDER_NONE ? able : 0;
    if (m->order == MIL_ORDER_TURNS)
        return 1u << bits_next(of, m->last);
    best = bits_lowest(of);
    for (unsigned i = best + 1; i < m->n; i++)
        if (of >> i & 1 && m->k[i].quota > m->k[best].quota)
            best = i;
    return 1u << best;
}

static void eval(const void *model, const void *in_, void *out_) {
    const struct mil *m = model;
    const struct mil_in *in = in_;
    struct mil_out *out = out_;
    unsigned able = 0;
    out->room = out->limit = out->update = 0;
    for (unsigned i = 0; i < m->n; i++) {
        uint64_t room = room_of(m, &m->k[i]);
        able |= (unsigned)(room > 0) << i;
        out->room |= room << i * m->room_bits;
        out->limit |= (uint64_t)m->k[i].limit << i * m->inflight_w;
        out->update |= (uint64_t)m->k[i].update << i;
    }
    out->go = favoured(m, (unsigned)in->want, able);
    out->err = m->err;
}

/* Field k of a wide vector, which is 0 so far. */
static void put(uint32_t *vector, unsigned k, unsigned width, uint32_t value) {
    unsigned bit = k * width;
    uint64_t at = (uint64_t)value << bit % 32;
    vector[bit / 32] |= (uint32_t)at;
    if (at >> 32)
        vector[bit / 32 + 1] |= (uint32_t)(at >> 32);
}

static void observe(const void *model, const void *in, void *out_) {
    const struct mil *m = model;
    struct mil_out *out = out_;
    (void)in;
    out->st_inflight = out->st_max = out->st_req = out->st_minst = out->st_ratio = 0;
    memset(out->st_rf, 0, sizeof out->st_rf);
    memset(out->st_quota, 0, sizeof out->st_quota);
    memset(out->st_share, 0, sizeof out->st_share);
    for (unsigned i = 0; i < m->n; i++) {
        const struct kernel *k = &m->k[i];
        out->st_inflight |= (uint64_t)k->inflight << i * m->inflight_w;
        out->st_max |= (uint64_t)k->max << i * m->inflight_w;
        out->st_req |= (uint64_t)k->req << i * m->interval_w;
        out->st_minst |= (uint64_t)k->minst << i * m->params.v[MIL_MINST_W];
        out->st_ratio |= (uint64_t)k->ratio << i * m->ratio_bits;
        put(out->st_rf, i, (unsigned)m->params.v[MIL_RF_W], k->rf);
        put(out->st_quota, i, m->quota_w, k->quota);
        put(out->st_share, i, m->quota_w, k->share);
    }
    out->st_busy = m->shares_left > 0;
}

/* ---- The clock edge: one kernel ---- */

/* What a kernel does in a cycle. */
struct events {
    bool start, acc, fail, set;
    uint32_t iss, done, set_limit;
};

static struct events events_of(const struct mil *m, const struct mil_in *in, unsigned i) {
    return (struct events){
        .start = in->start >> i & 1,
        .acc = in->acc_valid && in->acc_kernel == i,
        .fail = in->fail_valid && in->fail_kernel == i,
        .set = in->set_valid && in->set_kernel == i,
        .iss = mil_field(in->iss, i, m->room_bits),
        .done = mil_field(in->done, i, 2),
        .set_limit = (uint32_t)in->set_limit,
    };
}

static uint32_t limit_of(const struct mil *m, const struct kernel *k) {
    uint32_t q = k->new_limit.by;
    if (q)
        return k->new_limit.max < q ? 1 : k->new_limit.max / q;
    return m->zero == MIL_ZERO_OPEN   ? m->none
           : m->zero == MIL_ZERO_KEEP ? k->limit
                                      : least(k->limit + 1, m->none);
}

static uint32_t ratio_of(const struct mil *m, const struct kernel *k) {
    uint32_t n = k->new_ratio.by, r;
    if (!n)
        return k->ratio;
    r = ((UINT32_C(1) << m->interval_w) + n / 2) / n;
    return r ? least(r, m->ratio_max) : 1;
}

static void fly(struct mil *m, struct kernel *k, const struct events *e) {
    uint32_t flown = k->inflight + e->iss;
    k->inflight = flown < e->done ? 0 : least(flown - e->done, m->none);
    if (m->limit == MIL_LIMIT_DYNAMIC && k->max < k->inflight)
        k->max = k->inflight;
}

static void count(struct mil *m, struct kernel *k, const struct events *e) {
    if (m->limit == MIL_LIMIT_DYNAMIC)
        k->rf = least(k->rf + e->fail, m->rf_max);
    if (m->order == MIL_ORDER_QUOTAS)
        k->minst = least(k->minst + e->iss, m->minst_max);
    if (m->limit == MIL_LIMIT_DYNAMIC || m->order == MIL_ORDER_QUOTAS)
        k->req += e->acc;
}

static void end_interval(struct mil *m, struct kernel *k) {
    if (m->limit == MIL_LIMIT_DYNAMIC) {
        k->new_limit = (struct division){m->inflight_w, k->rf >> m->interval_w, k->max};
        k->max = k->inflight;
    }
    if (m->order == MIL_ORDER_QUOTAS)
        k->new_ratio = (struct division){m->interval_w + 2, k->minst, 0};
    k->rf = k->req = k->minst = 0;
}

/* Returns whether there is a new ratio. */
static bool tick_kernel(struct mil *m, struct kernel *k, const struct events *e) {
    bool new_ratio = false;
    k->update = false;
    if (e->start)
        restart_measurement(m, k);
    if (k->new_limit.left && --k->new_limit.left == 0) {
        k->limit = limit_of(m, k);
        k->update = true;
    }
    if (k->new_ratio.left && --k->new_ratio.left == 0) {
        k->ratio = ratio_of(m, k);
        new_ratio = true;
    }
    if (m->limit == MIL_LIMIT_STATIC && e->set) {
        k->limit = e->set_limit ? e->set_limit : 1;
        k->update = true;
    }
    fly(m, k, e);
    count(m, k, e);
    if (k->req >> m->interval_w)
        end_interval(m, k);
    return new_ratio;
}

/* ---- The clock edge: quotas and shares ---- */

static void use_quotas(struct mil *m, const struct mil_in *in) {
    bool refill = false;
    for (unsigned i = 0; i < m->n; i++) {
        struct kernel *k = &m->k[i];
        k->quota -= least(k->quota, mil_field(in->iss, i, m->room_bits));
        refill = refill || (in->live >> i & 1 && !k->quota);
    }
    for (unsigned i = 0; refill && i < m->n; i++)
        if (in->live >> i & 1)
            m->k[i].quota = least(m->k[i].quota + m->k[i].share, m->quota_max);
}

/* Steps of Euclid's algorithm by subtraction; *a becomes the greatest common divisor. */
static unsigned euclid(uint32_t *a, uint32_t b) {
    unsigned steps = 0;
    for (; b && *a != b; steps++)
        if (*a > b)
            *a -= b;
        else
            b -= *a;
    return steps;
}

/* Computes the shares from the current ratios, and the cycles that the block needs for it. */
static void begin_shares(struct mil *m) {
    uint32_t multiple = m->k[0].ratio;
    m->shares_left = 2 + m->n * (m->quota_w + 1);
    for (unsigned i = 1; i < m->n; i++) {
        uint32_t r = m->k[i].ratio, divisor = r;
        m->shares_left += 2 * m->quota_w + m->ratio_bits + 5 + euclid(&divisor, multiple % r);
        multiple = multiple / divisor * r;
    }
    for (unsigned i = 0; i < m->n; i++)
        m->k[i].next_share = multiple / m->k[i].ratio;
}

static void tick_quotas(struct mil *m, const struct mil_in *in, bool new_ratio) {
    if (in->start)
        share_alike(m);
    use_quotas(m, in);
    if (in->start)
        return;
    if (m->shares_left && --m->shares_left == 0)
        for (unsigned i = 0; i < m->n; i++)
            m->k[i].share = m->k[i].next_share;
    if (new_ratio)
        begin_shares(m);
}

/* ---- The clock edge ---- */

static enum mil_err fault(const struct mil *m, const struct mil_in *in) {
    struct mil_out out;
    bool below = false, beyond = false;
    eval(m, in, &out);
    for (unsigned i = 0; i < m->n; i++) {
        uint32_t iss = mil_field(in->iss, i, m->room_bits);
        below = below || m->k[i].inflight + iss < mil_field(in->done, i, 2);
        beyond = beyond || iss > (out.go >> i & 1 ? mil_field(out.room, i, m->room_bits) : 0);
    }
    if (below)
        return MIL_ERR_DONE;
    if ((in->set_valid && in->set_kernel >= m->n) || (in->acc_valid && in->acc_kernel >= m->n) ||
        (in->fail_valid && in->fail_kernel >= m->n))
        return MIL_ERR_KERNEL;
    return beyond ? MIL_ERR_ISSUED : MIL_OK;
}

static void tick(void *model, const void *in_) {
    struct mil *m = model;
    const struct mil_in *in = in_;
    bool new_ratio = false;
    if (in->rst) {
        reset(m);
        return;
    }
    if (!m->err)
        m->err = fault(m, in);
    for (unsigned i = 0; i < m->n; i++) {
        struct events e = events_of(m, in, i);
        if (tick_kernel(m, &m->k[i], &e))
            new_ratio = true;
    }
    if (m->order == MIL_ORDER_QUOTAS)
        tick_quotas(m, in, new_ratio);
    for (unsigned i = m->n; i-- > 0;)
        if (mil_field(in->iss, i, m->room_bits))
            m->last = i;
}

uint64_t mil_next_event(const void *model) {
    const struct mil *m = model;
    bool busy = m->shares_left > 0;
    for (unsigned i = 0; i < m->n; i++)
        busy = busy || m->k[i].update || m->k[i].new_limit.left || m->k[i].new_ratio.left;
    return busy ? 0 : UINT64_MAX;
}

void mil_pass(void *model, unsigned kernel, uint64_t cycles) {
    struct mil *m = model;
    struct kernel *k = &m->k[kernel];
    if (m->limit == MIL_LIMIT_DYNAMIC)
        k->rf = cycles > m->rf_max - k->rf ? m->rf_max : k->rf + (uint32_t)cycles;
}

MIL_PORTS(BLOCK_PORT_FUNCTIONS)

static const struct port_desc ports[] = {MIL_PORTS(BLOCK_PORT_ENTRY)};

const struct block_type mil_type = {
    .name = "mil",
    .params = params,
    .n_params = MIL_N_PARAMS,
    .ports = ports,
    .n_ports = sizeof ports / sizeof *ports,
    .in_size = sizeof(struct mil_in),
    .out_size = sizeof(struct mil_out),
    .late = true,
    .illegal = illegal,
    .create = create,
    .destroy = free,
    .eval = eval,
    .observe = observe,
    .tick = tick,
};
