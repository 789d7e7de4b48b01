// SPDX-License-Identifier: Apache-2.0
#include "mil/mil_ports.h"

#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"

/* Operands of a computation whose result takes effect after `left` cycles. */
struct division {
    unsigned left; /* number of cycles left; 0 if no computation is running */
    uint32_t by;   /* divisor: failures >> INTERVAL_W, or number of instructions */
    uint32_t max;  /* maximum number of instructions in flight, for a limit; else 0 */
};

struct mil_kernel {
    uint32_t inflight, /* number of instructions in flight */
        max,           /* maximum of `inflight` in the interval */
        limit;         /* limit on `inflight`; all ones if there is no limit */
    uint32_t rf, req, minst, ratio;
    uint32_t quota, share, next_share;
    bool update;
    struct division new_limit, new_ratio;
};

struct mil {
    /* Parameters and values derived from them */
    unsigned n, interval_w, ratio_max, quota_w, inflight_w;
    unsigned room_bits, ratio_bits;
    uint32_t schedulers, /* number of warp schedulers */
        none;            /* value of a limit that means no limit */
    uint32_t rf_max, minst_max, quota_max;
    enum mil_limit limit;
    enum mil_order order;
    enum mil_zero zero;
    struct block_params params;

    struct mil_kernel k[MIL_MAX_KERNELS];
    unsigned last;        /* number of the kernel that issued last */
    unsigned shares_left; /* number of cycles until next_share takes effect; 0 if no computation is
                             running */
    enum mil_err err;
};

/* ---- Parameters ---- */

static const struct param_desc params[MIL_N_PARAMS] = {
    {"KERNELS", 2, 1, MIL_MAX_KERNELS, "number of kernels on the SM"},
    {"SCHEDULERS", 4, 1, 4, "warp schedulers per SM: maximum memory instructions per cycle"},
    {"INTERVAL_W", 10, 4, 16, "log2 of the requests between two decisions"},
    {"RF_W", 12, 4, 24, "failure counter width"},
    {"INFLIGHT_W", 8, 4, 10, "width of the counter of instructions in flight"},
    {"MINST_W", 10, 4, 16, "width of the instruction counter"},
    {"RATIO_MAX", 32, 2, 64, "maximum requests per instruction"},
    {"QUOTA_W", 20, 8, 24, "quota width"},
    {"LIMIT", MIL_LIMIT_DYNAMIC, MIL_LIMIT_NONE, MIL_LIMIT_DYNAMIC,
     "limit on instructions in flight: 0 none, 1 static, 2 dynamic"},
    {"ORDER", MIL_ORDER_QUOTAS, MIL_ORDER_NONE, MIL_ORDER_QUOTAS,
     "issue order among kernels: 0 none, 1 round robin, 2 quotas"},
    {"ZERO", MIL_ZERO_OPEN, MIL_ZERO_OPEN, MIL_ZERO_STEP,
     "LIMIT=2: limit after an interval with too few failures: 0 none, 1 unchanged, 2 one step up"},
};

static const char *find_illegal(const struct block_params *p) {
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

/* Resets all measurements of a kernel and the values derived from them. */
static void restart_measurement(struct mil *m, struct mil_kernel *k) {
    k->max = k->rf = k->req = k->minst = k->quota = 0;
    k->ratio = m->order == MIL_ORDER_QUOTAS;
    k->new_limit.left = k->new_ratio.left = 0;
    if (m->limit == MIL_LIMIT_DYNAMIC) {
        k->limit = m->none;
        k->update = false;
    }
}

/* Gives all kernels equal shares. Called at reset and when a kernel starts. */
static void share_alike(struct mil *m) {
    m->shares_left = 0;
    for (unsigned i = 0; i < m->n; i++)
        m->k[i].share = m->order == MIL_ORDER_QUOTAS;
}

static void reset_mil(struct mil *m) {
    for (unsigned i = 0; i < m->n; i++) {
        struct mil_kernel *k = &m->k[i];
        restart_measurement(m, k);
        k->inflight = 0;
        k->limit = m->none;
        k->update = false;
    }
    share_alike(m);
    m->last = m->n - 1;
    m->err = MIL_OK;
}

static void *create_mil(const struct block_params *p) {
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
    reset_mil(m);
    return m;
}

/* ---- Outputs ---- */

static uint32_t min_count(uint32_t a, uint32_t b) {
    return a < b ? a : b;
}

static uint32_t room_of(const struct mil *m, const struct mil_kernel *k) {
    return k->limit > k->inflight ? min_count(m->schedulers, k->limit - k->inflight) : 0;
}

/* Returns a mask of the kernels that may issue, out of the kernels with room. */
static unsigned favored(const struct mil *m, unsigned want, unsigned able) {
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

static void eval_mil(const void *model, const void *in_, void *out_) {
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
    out->go = favored(m, (unsigned)in->want, able);
    out->err = m->err;
}

/* Writes field k of a wide vector. The field must be 0. */
static void put_field(uint32_t *vector, unsigned k, unsigned width, uint32_t value) {
    unsigned bit = k * width;
    uint64_t bits = (uint64_t)value << bit % 32;
    vector[bit / 32] |= (uint32_t)bits;
    if (bits >> 32)
        vector[bit / 32 + 1] |= (uint32_t)(bits >> 32);
}

static void observe_mil(const void *model, const void *in, void *out_) {
    const struct mil *m = model;
    struct mil_out *out = out_;
    (void)in;
    out->st_inflight = out->st_max = out->st_req = out->st_minst = out->st_ratio = 0;
    memset(out->st_rf, 0, sizeof out->st_rf);
    memset(out->st_quota, 0, sizeof out->st_quota);
    memset(out->st_share, 0, sizeof out->st_share);
    for (unsigned i = 0; i < m->n; i++) {
        const struct mil_kernel *k = &m->k[i];
        out->st_inflight |= (uint64_t)k->inflight << i * m->inflight_w;
        out->st_max |= (uint64_t)k->max << i * m->inflight_w;
        out->st_req |= (uint64_t)k->req << i * m->interval_w;
        out->st_minst |= (uint64_t)k->minst << i * m->params.v[MIL_MINST_W];
        out->st_ratio |= (uint64_t)k->ratio << i * m->ratio_bits;
        put_field(out->st_rf, i, (unsigned)m->params.v[MIL_RF_W], k->rf);
        put_field(out->st_quota, i, m->quota_w, k->quota);
        put_field(out->st_share, i, m->quota_w, k->share);
    }
    out->st_busy = m->shares_left > 0;
}

/* ---- The clock edge: one kernel ---- */

/* Events of a kernel in a cycle. */
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

static uint32_t limit_of(const struct mil *m, const struct mil_kernel *k) {
    uint32_t q = k->new_limit.by;
    if (q)
        return k->new_limit.max < q ? 1 : k->new_limit.max / q;
    return m->zero == MIL_ZERO_OPEN   ? m->none
           : m->zero == MIL_ZERO_KEEP ? k->limit
                                      : min_count(k->limit + 1, m->none);
}

static uint32_t ratio_of(const struct mil *m, const struct mil_kernel *k) {
    uint32_t n = k->new_ratio.by, r;
    if (!n)
        return k->ratio;
    r = ((UINT32_C(1) << m->interval_w) + n / 2) / n;
    return r ? min_count(r, m->ratio_max) : 1;
}

static void count_flight(struct mil *m, struct mil_kernel *k, const struct events *e) {
    uint32_t flown = k->inflight + e->iss;
    k->inflight = flown < e->done ? 0 : min_count(flown - e->done, m->none);
    if (m->limit == MIL_LIMIT_DYNAMIC && k->max < k->inflight)
        k->max = k->inflight;
}

static void count_events(struct mil *m, struct mil_kernel *k, const struct events *e) {
    if (m->limit == MIL_LIMIT_DYNAMIC)
        k->rf = min_count(k->rf + e->fail, m->rf_max);
    if (m->order == MIL_ORDER_QUOTAS)
        k->minst = min_count(k->minst + e->iss, m->minst_max);
    if (m->limit == MIL_LIMIT_DYNAMIC || m->order == MIL_ORDER_QUOTAS)
        k->req += e->acc;
}

static void end_interval(struct mil *m, struct mil_kernel *k) {
    if (m->limit == MIL_LIMIT_DYNAMIC) {
        k->new_limit = (struct division){m->inflight_w, k->rf >> m->interval_w, k->max};
        k->max = k->inflight;
    }
    if (m->order == MIL_ORDER_QUOTAS)
        k->new_ratio = (struct division){m->interval_w + 2, k->minst, 0};
    k->rf = k->req = k->minst = 0;
}

/* Ticks one kernel. Returns true if it has a new ratio. */
static bool tick_kernel(struct mil *m, struct mil_kernel *k, const struct events *e) {
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
    count_flight(m, k, e);
    count_events(m, k, e);
    if (k->req >> m->interval_w)
        end_interval(m, k);
    return new_ratio;
}

/* ---- The clock edge: quotas and shares ---- */

static void use_quotas(struct mil *m, const struct mil_in *in) {
    bool refill = false;
    for (unsigned i = 0; i < m->n; i++) {
        struct mil_kernel *k = &m->k[i];
        k->quota -= min_count(k->quota, mil_field(in->iss, i, m->room_bits));
        refill = refill || (in->live >> i & 1 && !k->quota);
    }
    for (unsigned i = 0; refill && i < m->n; i++)
        if (in->live >> i & 1)
            m->k[i].quota = min_count(m->k[i].quota + m->k[i].share, m->quota_max);
}

/* Runs Euclid's algorithm by subtraction and returns the number of steps. *a becomes the greatest
 * common divisor. */
static unsigned euclid(uint32_t *a, uint32_t b) {
    unsigned steps = 0;
    for (; b && *a != b; steps++)
        if (*a > b)
            *a -= b;
        else
            b -= *a;
    return steps;
}

/* Computes the shares from the current ratios, and the number of cycles that the block takes to
 * compute them. */
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

static enum mil_err find_fault(const struct mil *m, const struct mil_in *in) {
    struct mil_out out;
    bool below = false, beyond = false;
    eval_mil(m, in, &out);
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

static void tick_mil(void *model, const void *in_) {
    struct mil *m = model;
    const struct mil_in *in = in_;
    bool new_ratio = false;
    if (in->rst) {
        reset_mil(m);
        return;
    }
    if (!m->err)
        m->err = find_fault(m, in);
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
    struct mil_kernel *k = &m->k[kernel];
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
    .illegal = find_illegal,
    .create = create_mil,
    .destroy = free,
    .eval = eval_mil,
    .observe = observe_mil,
    .tick = tick_mil,
};
