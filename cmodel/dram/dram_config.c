// SPDX-License-Identifier: Apache-2.0
/* The [dram] section of a configuration: relations between its keys, and the device it describes.
 */
#include <inttypes.h>
#include <stdio.h>

#include "dram/dram.h"
#include "lib/bits.h"

struct gddr5_size dram_device(const struct config *cfg) {
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
        .rtw = (uint32_t)cfg->dram_rtw,
        .wtr = (uint32_t)cfg->dram_wtr,
        .wtp = (uint32_t)cfg->dram_wtp,
        .rtpl = (uint32_t)cfg->dram_rtpl,
        .faw = (uint32_t)cfg->dram_faw,
        .aw32 = (uint32_t)cfg->dram_aw32,
        .rrdl = (uint32_t)cfg->dram_rrdl,
        .cdlrl = (uint32_t)cfg->dram_cdlrl,
        .ppd = (uint32_t)cfg->dram_ppd,
        .rfc = (uint32_t)cfg->dram_rfc,
        .refi = (uint32_t)cfg->dram_refi,
        .rfcpb = (uint32_t)cfg->dram_rfcpb,
        .refipb = (uint32_t)cfg->dram_refipb,
        .rrefd = (uint32_t)cfg->dram_rrefd,
    };
    return (struct gddr5_size){
        .timing = t,
        .banks = (uint32_t)cfg->dram_banks,
        .groups = (uint32_t)cfg->dram_groups,
        .group_high = cfg->dram_group_bits != 0,
        .two_buses = cfg->dram_buses == 2,
        .row_in_turn = cfg->dram_command_order != 0,
        .fcfs = cfg->dram_scheduler != 0,
        .queue = (enum gddr5_queue)cfg->dram_queue,
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
           (uint64_t)(cfg->dram_return_queue + cfg->dram_extra_latency + 1);
}

/* ---- relations ---- */

struct value {
    const char *key;
    int64_t value;
};

#define VALUE(key)                                                                                 \
    { #key, cfg->dram_##key }

static int check_powers(const struct config *cfg, char *err, size_t err_size) {
    const struct value powers[] = {VALUE(banks), VALUE(groups), VALUE(atom_bytes)};
    for (unsigned i = 0; i < sizeof powers / sizeof powers[0]; i++)
        if (!bits_power_of_two((uint64_t)powers[i].value)) {
            snprintf(err, err_size, "dram.%s=%" PRId64 " is not a power of two", powers[i].key,
                     powers[i].value);
            return -1;
        }
    return 0;
}

/* The first of each pair must not be below the second; a first of 0 means: none. */
static int check_order(const struct config *cfg, char *err, size_t err_size) {
    const struct {
        struct value high, low;
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
        snprintf(err, err_size, "dram.%s=%" PRId64 " is below dram.%s=%" PRId64, pairs[i].high.key,
                 pairs[i].high.value, pairs[i].low.key, pairs[i].low.value);
        return -1;
    }
    return 0;
}

static int check_queues(const struct config *cfg, char *err, size_t err_size) {
    if (cfg->dram_write_low >= cfg->dram_write_high) {
        snprintf(err, err_size, "dram.write_low=%" PRId64 " must be below dram.write_high=%" PRId64,
                 cfg->dram_write_low, cfg->dram_write_high);
        return -1;
    }
    const struct value queues[] = {VALUE(read_queue), VALUE(write_queue)};
    for (unsigned i = 0; i < 2; i++)
        if (queues[i].value * cfg->dram_atom_bytes < LINE_BYTES) {
            snprintf(err, err_size,
                     "dram.%s=%" PRId64 " has no room for the %" PRId64
                     " atoms of a line (dram.atom_bytes=%" PRId64 ")",
                     queues[i].key, queues[i].value, LINE_BYTES / cfg->dram_atom_bytes,
                     cfg->dram_atom_bytes);
            return -1;
        }
    return 0;
}

static uint32_t longest(uint32_t a, uint32_t b) {
    return a > b ? a : b;
}

static int check_interval(const struct value *interval, const struct value *rfc, int64_t least,
                          char *err, size_t err_size) {
    if (rfc->value && interval->value > least)
        return 0;
    if (!rfc->value)
        snprintf(err, err_size, "dram.%s=%" PRId64 " needs dram.%s", interval->key, interval->value,
                 rfc->key);
    else
        snprintf(err, err_size,
                 "dram.%s=%" PRId64 " leaves no time between refreshes: a refresh and the "
                 "commands before it take up to %" PRId64,
                 interval->key, interval->value, least);
    return -1;
}

/* After a refresh there must be time for something else. A bank's must be over when the next bank's
 * is due, except tRFCpb, and leave its bank the time for an access before its next. */
static int check_refresh(const struct config *cfg, char *err, size_t err_size) {
    const struct value refi = VALUE(refi), rfc = VALUE(rfc);
    const struct value refipb = VALUE(refipb), rfcpb = VALUE(rfcpb);
    const struct gddr5_size size = dram_device(cfg);
    const struct gddr5_timing t = gddr5_derived(&size.timing);
    const int64_t access =
        (int64_t)t.rp + t.rc + t.rcd + t.rcdwr + t.rtp + t.rtpl + t.wtp + t.wtr + t.cdlrl + t.rtw;
    const int64_t turn =
        longest(t.rc, longest(t.ras, longest(t.wtp, longest(t.rtp, t.rtpl))) + t.rp) +
        longest(t.rrd, t.rrdl) + (int64_t)t.rrefd + t.ppd;
    const int64_t all_turns = (access + t.rfcpb) / cfg->dram_banks;
    if (refi.value && refipb.value) {
        snprintf(err, err_size,
                 "dram.refi=%" PRId64 " and dram.refipb=%" PRId64 ": one of them must be 0",
                 refi.value, refipb.value);
        return -1;
    }
    if (refi.value)
        return check_interval(&refi, &rfc, access + t.rfc, err, err_size);
    if (refipb.value)
        return check_interval(&refipb, &rfcpb, turn > all_turns ? turn : all_turns, err, err_size);
    return 0;
}

int dram_check(const struct config *cfg, char *err, size_t err_size) {
    if (check_powers(cfg, err, err_size) != 0 || check_order(cfg, err, err_size) != 0 ||
        check_queues(cfg, err, err_size) != 0 || check_refresh(cfg, err, err_size) != 0)
        return -1;
    if (cfg->dram_scheduler && cfg->dram_queue) {
        snprintf(err, err_size, "dram.scheduler=fcfs needs dram.queue=split");
        return -1;
    }
    if (cfg->dram_command_order && (cfg->dram_queue != GDDR5_TAKEN || cfg->dram_buses != 1)) {
        snprintf(err, err_size, "dram.command_order=turn needs dram.queue=taken and dram.buses=1");
        return -1;
    }
    if (cfg->dram_buses == 1 && !cfg->dram_command_order && cfg->dram_burst == 1 &&
        cfg->dram_ccd == 1) {
        snprintf(err, err_size,
                 "dram.burst=1 with dram.ccd=1 leaves no cycle for row commands on "
                 "one command bus; set dram.buses=2");
        return -1;
    }
    struct dram_layout layout;
    char why[128];
    if (dram_layout_parse(&layout, cfg->dram_address_map, (uint32_t)cfg->dram_atom_bytes,
                          (uint32_t)cfg->dram_banks, why, sizeof why) == 0)
        return 0;
    snprintf(err, err_size, "dram.address_map=%s: %s", cfg->dram_address_map, why);
    return -1;
}
