// SPDX-License-Identifier: Apache-2.0
/* Checks relations between the keys of section [dram], and derives the device that they
 * describe. */
#include <inttypes.h>
#include <stdio.h>

#include "dram/dram.h"
#include "lib/bits.h"

struct gddr5_size dram_device(const struct config *cfg) {
    const bool banks = cfg->dram_refresh == DRAM_REFRESH_BANK; /* banks refresh in turn */
    const struct gddr5_timing t = {
        .burst = (uint32_t)cfg->dram_burst,
        .cl = (uint32_t)cfg->dram_cl,
        .wl = (uint32_t)cfg->dram_wl,
        .rcd = (uint32_t)cfg->dram_rcd,
        .rp = (uint32_t)cfg->dram_rp,
        .ras = (uint32_t)cfg->dram_ras,
        .rc = (uint32_t)cfg->dram_rc,
        .rrd = (uint32_t)cfg->dram_rrd,
        .ccd = (uint32_t)cfg->dram_ccd,
        .ccdl = (uint32_t)cfg->dram_ccdl,
        .wr = (uint32_t)cfg->dram_wr,
        .cdlr = (uint32_t)cfg->dram_cdlr,
        .rtp = (uint32_t)cfg->dram_rtp,
        .rcdwr = (uint32_t)cfg->dram_rcdwr,
        .rtpl = (uint32_t)cfg->dram_rtpl,
        .faw = (uint32_t)cfg->dram_faw,
        .aw32 = (uint32_t)cfg->dram_aw32,
        .rrdl = (uint32_t)cfg->dram_rrdl,
        .cdlrl = (uint32_t)cfg->dram_cdlrl,
        .ppd = (uint32_t)cfg->dram_ppd,
        .rfc = banks ? 0 : (uint32_t)cfg->dram_rfc,
        .refi = banks ? 0 : (uint32_t)cfg->dram_refi,
        .rfcpb = banks ? (uint32_t)cfg->dram_rfc : 0,
        .refipb = banks ? (uint32_t)cfg->dram_refi : 0,
        .rrefd = (uint32_t)cfg->dram_rrefd,
    };
    return (struct gddr5_size){
        .timing = t,
        .banks = (uint32_t)cfg->dram_banks,
        .groups = (uint32_t)cfg->dram_groups,
        .two_buses = cfg->dram_buses == 2,
        .fcfs = cfg->dram_scheduler == DRAM_FCFS,
        .shared_queue = cfg->dram_model == MODEL_GPGPUSIM,
        .read_queue = (uint32_t)cfg->dram_read_queue,
        .write_queue = (uint32_t)cfg->dram_write_queue,
        .write_high = (uint32_t)cfg->dram_write_high,
        .write_low = (uint32_t)cfg->dram_write_low,
        .streak_cap = (uint32_t)cfg->dram_streak_cap,
        .age_cap = (uint32_t)cfg->dram_age_cap,
    };
}

uint64_t dram_longest_wait(const struct config *cfg) {
    const struct gddr5_size size = dram_device(cfg);
    const struct gddr5_timing t = gddr5_derived(&size.timing);
    const uint32_t all[] = {t.burst, t.cl,   t.wl,   t.rcd,  t.rcdwr, t.rp,  t.ras,   t.rc,
                            t.rrd,   t.ccd,  t.ccdl, t.rtw,  t.wtr,   t.wtp, t.rtp,   t.rtpl,
                            t.faw,   t.aw32, t.rfc,  t.rrdl, t.cdlrl, t.ppd, t.rrefd, t.rfcpb};
    uint64_t sum = (uint64_t)cfg->dram_extra_latency;
    for (unsigned i = 0; i < sizeof all / sizeof all[0]; i++)
        sum += all[i];
    return sum;
}

uint64_t dram_requests(const struct config *cfg) {
    const struct gddr5_size size = dram_device(cfg);
    return (uint64_t)gddr5_entries(&size) +
           (uint64_t)(cfg->dram_reply_queue + cfg->dram_extra_latency + 1);
}

/* ---- relations ---- */

struct dram_value {
    const char *key;
    int64_t value;
};

#define VALUE(key)                                                                                 \
    { #key, cfg->dram_##key }

static int check_powers(const struct config *cfg, struct error *err) {
    const struct dram_value powers[] = {VALUE(banks), VALUE(groups), VALUE(atom_bytes)};
    for (unsigned i = 0; i < sizeof powers / sizeof powers[0]; i++)
        if (!bits_power_of_two((uint64_t)powers[i].value))
            return error_set(err, "dram.%s=%" PRId64 " is not a power of two", powers[i].key,
                             powers[i].value);
    return 0;
}

/* Checks that the first key of each pair is not less than the second. An optional first key may be
 * 0. */
static int check_order(const struct config *cfg, struct error *err) {
    const struct {
        struct dram_value high, low;
        bool optional;
    } pairs[] = {
        {VALUE(banks), VALUE(groups), false}, {VALUE(write_queue), VALUE(write_high), false},
        {VALUE(rc), VALUE(ras), false},       {VALUE(ccdl), VALUE(ccd), true},
        {VALUE(faw), VALUE(rrd), true},       {VALUE(aw32), VALUE(faw), true},
        {VALUE(rrdl), VALUE(rrd), true},      {VALUE(cdlrl), VALUE(cdlr), true},
    };
    for (unsigned i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        if (pairs[i].high.value >= pairs[i].low.value ||
            (pairs[i].optional && !pairs[i].high.value))
            continue;
        return error_set(err, "dram.%s=%" PRId64 " is below dram.%s=%" PRId64, pairs[i].high.key,
                         pairs[i].high.value, pairs[i].low.key, pairs[i].low.value);
    }
    return 0;
}

static int check_queues(const struct config *cfg, struct error *err) {
    if (cfg->dram_write_low >= cfg->dram_write_high)
        return error_set(err, "dram.write_low=%" PRId64 " must be below dram.write_high=%" PRId64,
                         cfg->dram_write_low, cfg->dram_write_high);
    const struct dram_value queues[] = {VALUE(read_queue), VALUE(write_queue)};
    for (unsigned i = 0; i < 2; i++)
        if (queues[i].value * cfg->dram_atom_bytes < LINE_BYTES)
            return error_set(err,
                             "dram.%s=%" PRId64 " has no room for the %" PRId64
                             " atoms of a line (dram.atom_bytes=%" PRId64 ")",
                             queues[i].key, queues[i].value, LINE_BYTES / cfg->dram_atom_bytes,
                             cfg->dram_atom_bytes);
    return 0;
}

static uint32_t maximum(uint32_t a, uint32_t b) {
    return a > b ? a : b;
}

static int check_interval(const struct dram_value *interval, const struct dram_value *rfc,
                          int64_t least, struct error *err) {
    if (rfc->value && interval->value > least)
        return 0;
    if (!rfc->value)
        error_set(err, "dram.%s=%" PRId64 " needs dram.%s", interval->key, interval->value,
                  rfc->key);
    else
        error_set(err,
                  "dram.%s=%" PRId64 " leaves no time between refreshes: a refresh and the "
                  "commands before it take up to %" PRId64,
                  interval->key, interval->value, least);
    return -1;
}

/* Checks that refresh leaves time for other commands. A bank's refresh, without its tRFCpb, must
 * have ended when the next bank's refresh is due. Each bank must have time for an access between
 * two of its refreshes. */
static int check_refresh(const struct config *cfg, struct error *err) {
    const struct dram_value refi = VALUE(refi), rfc = VALUE(rfc);
    const struct gddr5_size size = dram_device(cfg);
    const struct gddr5_timing t = gddr5_derived(&size.timing);
    const int64_t access =
        (int64_t)t.rp + t.rc + t.rcd + t.rcdwr + t.rtp + t.rtpl + t.wtp + t.wtr + t.cdlrl + t.rtw;
    const int64_t turn =
        maximum(t.rc, maximum(t.ras, maximum(t.wtp, maximum(t.rtp, t.rtpl))) + t.rp) +
        maximum(t.rrd, t.rrdl) + (int64_t)t.rrefd + t.ppd;
    const int64_t all_turns = (access + t.rfcpb) / cfg->dram_banks;
    if (!refi.value)
        return 0;
    if (cfg->dram_refresh == DRAM_REFRESH_ALL)
        return check_interval(&refi, &rfc, access + t.rfc, err);
    return check_interval(&refi, &rfc, turn > all_turns ? turn : all_turns, err);
}

int dram_check(const struct config *cfg, struct error *err) {
    if (check_powers(cfg, err) != 0 || check_order(cfg, err) != 0 || check_queues(cfg, err) != 0 ||
        check_refresh(cfg, err) != 0)
        return -1;
    if (cfg->dram_scheduler == DRAM_FCFS && cfg->dram_model != MODEL_SIMPLE)
        return error_set(err, "dram.scheduler=fcfs needs dram.model=simple");
    if (cfg->dram_buses == 1 && cfg->dram_model == MODEL_SIMPLE && cfg->dram_burst == 1 &&
        cfg->dram_ccd == 1)
        return error_set(err, "dram.burst=1 with dram.ccd=1 leaves no cycle for row commands on "
                              "one command bus; set dram.buses=2");
    struct dram_layout layout;
    struct error why;
    if (dram_layout_parse(&layout, cfg->dram_address_map, (uint32_t)cfg->dram_atom_bytes,
                          (uint32_t)cfg->dram_banks, &why) == 0)
        return 0;
    return error_set(err, "dram.address_map=%s: %s", cfg->dram_address_map, why.text);
}
