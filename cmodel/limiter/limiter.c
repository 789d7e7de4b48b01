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

static uint32_t read_limits(const struct config *cfg, uint32_t limit[LIMITER_KERNELS]) {
    return numbers_read(cfg->mil_limits, NUMBER_NONE - 1, true, limit, LIMITER_KERNELS);
}

static int check_limits(const struct config *cfg, uint32_t kernels, char *err, size_t err_size) {
    uint32_t limit[LIMITER_KERNELS];
    if (read_limits(cfg, limit) == kernels)
        return 0;
    return config_refuse(err, err_size,
                         "mil.limit=static needs mil.limits with a limit from 1 up, or none, for "
                         "each of %" PRIu32 " workloads, as in 8,none; not '%s'",
                         kernels, cfg->mil_limits);
}

int limiter_check(const struct config *cfg, uint32_t kernels, char *err, size_t err_size) {
    const int64_t most = cfg->sm_pending_loads + cfg->sm_lsu_queue;
    if (!limiter_wanted(cfg) || kernels < 2)
        return 0;
    if (cfg->l1d_responses != 1)
        return config_refuse(err, err_size,
                             "mil.limit and mil.order need l1d.responses=1, not %" PRId64,
                             cfg->l1d_responses);
    if (INT64_C(1) << cfg->mil_inflight_bits <= most)
        return config_refuse(err, err_size,
                             "2^mil.inflight_bits=%" PRId64
                             " must be above the memory instructions that an SM can hold, "
                             "sm.pending_loads + sm.lsu_queue = %" PRId64,
                             INT64_C(1) << cfg->mil_inflight_bits, most);
    if (cfg->mil_failure_bits < cfg->mil_interval_bits)
        return config_refuse(err, err_size,
                             "mil.failure_bits=%" PRId64 " is below mil.interval_bits=%" PRId64,
                             cfg->mil_failure_bits, cfg->mil_interval_bits);
    return cfg->mil_limit == MIL_LIMIT_STATIC ? check_limits(cfg, kernels, err, err_size) : 0;
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
    in.set_limit = l->limit[l->to_set] < no_limit(l) ? l->limit[l->to_set] : no_limit(l);
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
        if (out.go >> k & 1)
            l->may[k] = mil_field(out.room, k, l->room_bits);
        if (out.update >> k & 1)
            take_decision(l, s, mil_field(out.limit, k, l->limit_bits));
        if (l->to_set == l->kernels)
            l->limit[k] = mil_field(out.limit, k, l->limit_bits);
    }
    l->err = valid ? (uint32_t)out.err : 0;
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
    fprintf(out, "sm.%u.mil: limits of memory instructions", (unsigned)sm);
    for (uint32_t k = 0; k < l->kernels; k++)
        fprintf(out, "%s %" PRIu32, k ? "," : "", l->limit[k]);
    fputc('\n', out);
}
