// SPDX-License-Identifier: Apache-2.0
#include "limiter/limiter.h"

#include <inttypes.h>

#include "lib/bits.h"
#include "lib/numbers.h"
#include "mil/mil_ports.h"

bool limiter_wanted(const struct config *cfg) {
    return cfg->mil_limit != MIL_LIMIT_NONE || cfg->mil_order != MIL_ORDER_NONE;
}

/* ---- configuration ---- */

/* The greatest limit that is one: the block has all ones for none. */
static uint32_t most_limit(const struct config *cfg) {
    return (uint32_t)bits_low((uint32_t)cfg->mil_inflight_bits) - 1;
}

static uint32_t read_limits(const struct config *cfg, uint32_t limit[KERNELS_AT_ONCE]) {
    return numbers_read(cfg->mil_limits, most_limit(cfg), true, limit, KERNELS_AT_ONCE);
}

/* A malformed list is an error even if mil.limit does not use it. */
static int check_limits(const struct config *cfg, uint32_t kernels, char *err, size_t err_size) {
    uint32_t limit[KERNELS_AT_ONCE];
    size_t length;
    const char *wrong = numbers_wrong(cfg->mil_limits, most_limit(cfg), true, &length);
    if (wrong)
        return config_refuse(err, err_size,
                             "mil.limits=%s: '%.*s' is not a limit: a number from 1 to %" PRIu32
                             " (mil.inflight_bits=%" PRId64 "), or none",
                             cfg->mil_limits, (int)length, wrong, most_limit(cfg),
                             cfg->mil_inflight_bits);
    const uint32_t n = read_limits(cfg, limit);
    if (kernels < 2 || cfg->mil_limit != MIL_LIMIT_STATIC || n == kernels)
        return 0;
    return config_refuse(err, err_size,
                         "mil.limit=static needs a limit in mil.limits for each of the %" PRIu32
                         " workloads, for example 8,none; mil.limits=%s has %" PRIu32,
                         kernels, cfg->mil_limits, n);
}

int limiter_check(const struct config *cfg, uint32_t kernels, int64_t in_flight, char *err,
                  size_t err_size) {
    if (check_limits(cfg, kernels, err, err_size) != 0)
        return -1;
    if (!limiter_wanted(cfg) || kernels < 2)
        return 0;
    if (cfg->l1d_responses != 1)
        return config_refuse(err, err_size,
                             "mil.limit and mil.order need l1d.responses=1, not %" PRId64,
                             cfg->l1d_responses);
    if (INT64_C(1) << cfg->mil_inflight_bits <= in_flight)
        return config_refuse(err, err_size,
                             "2^mil.inflight_bits=%" PRId64
                             " must be above the memory instructions that an SM can hold: "
                             "sm.pending_loads, sm.lsu_queue, l1d.mrpb_queues x l1d.mrpb_depth and "
                             "the L1D's pipeline make %" PRId64,
                             INT64_C(1) << cfg->mil_inflight_bits, in_flight);
    if (cfg->mil_failure_bits < cfg->mil_interval_bits)
        return config_refuse(err, err_size,
                             "mil.failure_bits=%" PRId64 " is below mil.interval_bits=%" PRId64,
                             cfg->mil_failure_bits, cfg->mil_interval_bits);
    return 0;
}

/* The narrowest quotas that hold all shares. */
static int64_t quota_bits(uint32_t kernels) {
    enum { RATIO_BITS = 5, LEAST = 8 }; /* of RATIO_MAX = 32; legal */
    const int64_t bits = (int64_t)RATIO_BITS * kernels;
    return bits > LEAST ? bits : LEAST;
}

static struct block_params params_of(const struct config *cfg, uint32_t kernels) {
    struct block_params p;
    block_params_default(&mil_type, &p);
    p.v[MIL_KERNELS] = kernels;
    p.v[MIL_SCHEDULERS] = cfg->sm_schedulers;
    p.v[MIL_INTERVAL_W] = cfg->mil_interval_bits;
    p.v[MIL_RF_W] = cfg->mil_failure_bits;
    p.v[MIL_INFLIGHT_W] = cfg->mil_inflight_bits;
    p.v[MIL_MINST_W] = cfg->mil_interval_bits;
    p.v[MIL_QUOTA_W] = quota_bits(kernels);
    p.v[MIL_LIMIT] = cfg->mil_limit;
    p.v[MIL_ORDER] = cfg->mil_order;
    p.v[MIL_ZERO] = cfg->mil_zero;
    return p;
}

int limiter_init(struct limiter *l, struct block_list *blocks, const struct config *cfg,
                 uint32_t kernels, uint32_t sm, char *err, size_t err_size) {
    char name[32];
    const struct block_params p = params_of(cfg, kernels);
    l->kernels = l->to_set = kernels;
    l->decides = cfg->mil_limit == MIL_LIMIT_DYNAMIC;
    l->room_bits = bits_to_hold((uint64_t)cfg->sm_schedulers);
    l->limit_bits = (uint32_t)cfg->mil_inflight_bits;
    if (cfg->mil_limit == MIL_LIMIT_STATIC) {
        read_limits(cfg, l->limit);
        l->to_set = 0;
    }
    snprintf(name, sizeof name, "sm.%u.mil", (unsigned)sm);
    return block_part_init(&l->block, blocks, &mil_type, &p, name, err, err_size);
}

void limiter_free(struct limiter *l) {
    block_part_free(&l->block);
}

/* ---- a cycle ---- */

static uint32_t no_limit(const struct limiter *l) {
    return (uint32_t)bits_low(l->limit_bits);
}

/* The inputs of the cycle, as far as they are known. */
static struct mil_in inputs(const struct limiter *l) {
    struct mil_in in = {
        .live = l->live,
        .start = l->start,
        .want = l->want,
        .iss = l->iss,
        .done = l->done,
        .acc_valid = l->takes,
        .acc_kernel = l->takes ? l->taken : 0,
        .fail_valid = l->fails,
        .fail_kernel = l->fails ? l->failed : 0,
    };
    if (!l->sets)
        return in;
    in.set_valid = 1;
    in.set_kernel = l->to_set;
    in.set_limit = l->limit[l->to_set] == NUMBER_NONE ? no_limit(l) : l->limit[l->to_set];
    return in;
}

static void take_decision(struct limiter *l, struct stats *s, uint32_t limit) {
    stat_add(s, STAT_mil_decisions, 1);
    if (limit == no_limit(l))
        stat_add(s, STAT_mil_decisions_open, 1);
    else
        hist_add(s, HIST_mil_limit_hist, limit);
}

void limiter_ask(struct limiter *l, struct stats *s, uint32_t live, uint32_t want) {
    struct mil_out out;
    l->sets = l->to_set < l->kernels && !l->block.reset;
    l->live = live;
    l->want = want;
    struct mil_in in = inputs(l);
    const bool valid = block_part_eval(&l->block, &in, &out, true);
    for (uint32_t k = 0; k < l->kernels; k++) {
        l->may[k] = 0;
        if (!valid)
            continue;
        if (out.go >> k & 1 && l->to_set == l->kernels)
            l->may[k] = mil_field(out.room, k, l->room_bits);
        if (out.update >> k & 1 && l->decides)
            take_decision(l, s, mil_field(out.limit, k, l->limit_bits));
        if (l->to_set == l->kernels)
            l->limit[k] = mil_field(out.limit, k, l->limit_bits);
    }
    l->err = valid ? (uint32_t)out.err : 0;
}

const char *limiter_fault(const struct limiter *l) {
    static const char *const fault[] = {
        [MIL_OK] = "none",
        [MIL_ERR_DONE] = "done: more memory instructions than are in flight",
        [MIL_ERR_KERNEL] = "kernel: there is none of that number",
        [MIL_ERR_ISSUED] = "issued: more memory instructions than go and room allow",
    };
    return fault[l->err];
}

void limiter_tick(struct limiter *l) {
    struct mil_in in = inputs(l);
    in.rst = l->block.reset;
    block_part_tick(&l->block, &in);
    l->to_set += l->sets;
    l->sets = l->takes = l->fails = false;
    l->start = 0;
    l->iss = l->done = 0;
}

void limiter_dump(const struct limiter *l, uint32_t sm, FILE *out) {
    if (!limiter_on(l))
        return;
    struct mil_out state;
    mil_type.observe(l->block.inst.model, NULL, &state);
    fprintf(out, "sm.%u.mil: memory instructions in flight:", (unsigned)sm);
    for (uint32_t k = 0; k < l->kernels; k++) {
        fprintf(out, "%s workload %" PRIu32 ": %" PRIu32 ", limit ", k ? ";" : "", k,
                mil_field(state.st_inflight, k, l->limit_bits));
        if (l->limit[k] < no_limit(l))
            fprintf(out, "%" PRIu32, l->limit[k]);
        else
            fputs("none", out);
    }
    fputc('\n', out);
}
