// SPDX-License-Identifier: Apache-2.0
#include "limiter/limiter.h"

#include <inttypes.h>
#include <string.h>

#include "lib/bits.h"
#include "lib/numbers.h"
#include "mil/mil_ports.h"

/* Minimum and maximum width in bits of a limit and of a counter of instructions in flight. */
enum { LIMIT_BITS = 8, LIMIT_BITS_MAX = 10 };

/* Returns the kind of limit that mil.limit selects: no limit, the block's decision, or a list. */
static enum mil_limit limit_kind(const struct config *cfg) {
    if (strcmp(cfg->mil_limit, "none") == 0)
        return MIL_LIMIT_NONE;
    return strcmp(cfg->mil_limit, "dynamic") == 0 ? MIL_LIMIT_DYNAMIC : MIL_LIMIT_STATIC;
}

bool limiter_wanted(const struct config *cfg) {
    return limit_kind(cfg) != MIL_LIMIT_NONE || cfg->mil_order != MIL_ORDER_NONE;
}

/* ---- configuration ---- */

/* Returns the width in bits of a counter of up to `in_flight` instructions in flight. */
static uint32_t limit_bits(int64_t in_flight) {
    const uint32_t bits = bits_to_hold((uint64_t)in_flight);
    return bits > LIMIT_BITS ? bits : LIMIT_BITS;
}

/* Returns the largest limit. In the block, a value of all ones means no limit. */
static uint32_t most_limit(int64_t in_flight) {
    return (uint32_t)bits_low(limit_bits(in_flight)) - 1;
}

/* Checks a list of limits. A malformed list is an error even if only one kernel runs. */
static int check_limits(const struct config *cfg, uint32_t kernels, int64_t in_flight,
                        struct error *err) {
    size_t length;
    const uint32_t most = most_limit(in_flight);
    const char *wrong = numbers_wrong(cfg->mil_limit, most, true, &length);
    if (wrong)
        return error_set(err,
                         "mil.limit=%s: '%.*s' is not a limit: a number from 1 to %" PRIu32
                         ", or none; mil.limit may also be none or dynamic",
                         cfg->mil_limit, (int)length, wrong, most);
    const uint32_t n = numbers_count(cfg->mil_limit);
    if (kernels < 2 || n == kernels)
        return 0;
    return error_set(err,
                     "mil.limit needs a limit for each of the %" PRIu32
                     " workloads, for example 8,none; mil.limit=%s has %" PRIu32,
                     kernels, cfg->mil_limit, n);
}

int limiter_check(const struct config *cfg, uint32_t kernels, int64_t in_flight,
                  struct error *err) {
    if (limit_kind(cfg) == MIL_LIMIT_STATIC && check_limits(cfg, kernels, in_flight, err) != 0)
        return -1;
    if (!limiter_wanted(cfg) || kernels < 2)
        return 0;
    if (cfg->l1d_model != MODEL_SIMPLE)
        return error_set(err, "mil.limit and mil.order need l1d.model=simple, not gpgpusim");
    if (limit_bits(in_flight) > LIMIT_BITS_MAX)
        return error_set(err,
                         "mil.limit and mil.order need at most %d memory instructions in an SM: "
                         "sm.pending_loads, sm.lsu_queue, the queues of l1d.mrpb_queues and the "
                         "L1D's pipeline add up to %" PRId64,
                         (1 << LIMIT_BITS_MAX) - 1, in_flight);
    return 0;
}

/* log2 of the number of a workload's requests per decision interval (Dai 2017, section 4.3). */
enum { INTERVAL_BITS = 10 };

/* Returns the smallest legal quota width that holds all shares. */
static int64_t quota_bits(uint32_t kernels) {
    enum { RATIO_BITS = 5, LEAST = 8 }; /* RATIO_BITS: log2 of RATIO_MAX; LEAST: legal minimum */
    const int64_t bits = (int64_t)RATIO_BITS * kernels;
    return bits > LEAST ? bits : LEAST;
}

static struct block_params params_of(const struct config *cfg, uint32_t kernels,
                                     int64_t in_flight) {
    struct block_params p;
    block_params_default(&mil_type, &p);
    p.v[MIL_KERNELS] = kernels;
    p.v[MIL_SCHEDULERS] = cfg->sm_schedulers;
    p.v[MIL_INTERVAL_W] = INTERVAL_BITS;
    p.v[MIL_RF_W] = cfg->mil_failure_bits;
    p.v[MIL_INFLIGHT_W] = limit_bits(in_flight);
    p.v[MIL_MINST_W] = INTERVAL_BITS;
    p.v[MIL_QUOTA_W] = quota_bits(kernels);
    p.v[MIL_LIMIT] = limit_kind(cfg);
    p.v[MIL_ORDER] = cfg->mil_order;
    p.v[MIL_ZERO] = cfg->mil_fallback;
    return p;
}

int limiter_init(struct limiter *l, struct block_list *blocks, const struct config *cfg,
                 uint32_t kernels, int64_t in_flight, uint32_t sm, struct error *err) {
    char name[32];
    const struct block_params p = params_of(cfg, kernels, in_flight);
    l->kernels = l->to_set = kernels;
    l->decides = limit_kind(cfg) == MIL_LIMIT_DYNAMIC;
    l->room_bits = bits_to_hold((uint64_t)cfg->sm_schedulers);
    l->limit_bits = limit_bits(in_flight);
    if (limit_kind(cfg) == MIL_LIMIT_STATIC) {
        numbers_read(cfg->mil_limit, most_limit(in_flight), true, l->limit, WORKLOADS_AT_ONCE);
        l->to_set = 0;
    }
    snprintf(name, sizeof name, "sm.%u.mil", (unsigned)sm);
    return block_part_init(&l->block, blocks, &mil_type, &p, name, err);
}

void limiter_free(struct limiter *l) {
    block_part_free(&l->block);
}

/* ---- a cycle ---- */

static uint32_t no_limit(const struct limiter *l) {
    return (uint32_t)bits_low(l->limit_bits);
}

/* Returns the inputs of the cycle that are known so far. */
static struct mil_in make_inputs(const struct limiter *l) {
    struct mil_in in = {
        .live = l->live_kernels,
        .start = l->start,
        .want = l->want,
        .iss = l->iss,
        .done = l->done,
        .acc_valid = l->takes,
        .acc_kernel = l->takes ? l->accept_kernel : 0,
        .fail_valid = l->fails,
        .fail_kernel = l->fails ? l->refuse_kernel : 0,
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
    l->live_kernels = live;
    l->want = want;
    struct mil_in in = make_inputs(l);
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
        [MIL_ERR_KERNEL] = "kernel: no kernel has this number",
        [MIL_ERR_ISSUED] = "issued: more memory instructions than go and room allow",
    };
    return fault[l->err];
}

void limiter_tick(struct limiter *l) {
    struct mil_in in = make_inputs(l);
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
