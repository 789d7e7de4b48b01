// SPDX-License-Identifier: Apache-2.0
/* The timing rules of a GDDR5 channel: what they are, and what a command puts off. */
#include "dram/gddr5_inside.h"

uint32_t gddr5_group(const struct gddr5_size *size, uint32_t bank) {
    return size->group_high ? bank / (size->banks / size->groups) : bank & (size->groups - 1);
}

struct gddr5_timing gddr5_derived(const struct gddr5_timing *timing) {
    struct gddr5_timing t = *timing;
    if (!t.rcdwr)
        t.rcdwr = t.rcd > t.wl + 2 ? t.rcd - (t.wl + 1) : 1;
    if (!t.rtw)
        t.rtw = t.cl + t.burst + 2 > t.wl ? t.cl + t.burst + 2 - t.wl : 1;
    if (!t.wtr)
        t.wtr = t.wl + t.burst + t.cdlr;
    if (!t.wtp)
        t.wtp = t.wl + t.burst + t.wr;
    if (!t.rrefd)
        t.rrefd = t.rrd;
    return t;
}

static uint32_t above(uint32_t a, uint32_t b) {
    return a > b ? a - b : 0;
}

unsigned gddr5_rules(const struct gddr5_size *size, struct gddr5_rule rules[GDDR5_MAX_RULES]) {
    const struct gddr5_timing t = gddr5_derived(&size->timing);
    const bool groups = size->groups > 1, pb = t.refipb;
    const uint32_t ccdl = groups ? t.ccdl : 0, rtpl = groups ? t.rtpl : 0;
    const uint32_t rrdl = groups ? t.rrdl : 0;
    const uint32_t wtrl = groups && t.cdlrl ? t.wl + t.burst + t.cdlrl : 0;
    const struct gddr5_rule all[] = {
        {GDDR5_ACT, GDDR5_ACT, GDDR5_BANK, 1, t.rc, "tRC"},
        {GDDR5_ACT, GDDR5_ACT, GDDR5_CHANNEL, 1, t.rrd, "tRRD"},
        {GDDR5_ACT, GDDR5_ACT, GDDR5_GROUP, 1, rrdl, "tRRDL"},
        {GDDR5_ACT, GDDR5_ACT, GDDR5_CHANNEL, 4, t.faw, "tFAW"},
        {GDDR5_ACT, GDDR5_ACT, GDDR5_CHANNEL, 32, t.aw32, "t32AW"},
        {GDDR5_ACT, GDDR5_RD, GDDR5_BANK, 1, t.rcd, "tRCDRD"},
        {GDDR5_ACT, GDDR5_WR, GDDR5_BANK, 1, t.rcdwr, "tRCDWR"},
        {GDDR5_ACT, GDDR5_PRE, GDDR5_BANK, 1, t.ras, "tRAS"},
        {GDDR5_PRE, GDDR5_ACT, GDDR5_BANK, 1, t.rp, "tRP"},
        {GDDR5_PRE, GDDR5_PRE, GDDR5_CHANNEL, 1, t.ppd, "tPPD"},
        {GDDR5_PRE, GDDR5_PREA, GDDR5_CHANNEL, 1, t.ppd, "tPPD"},
        {GDDR5_RD, GDDR5_PRE, GDDR5_BANK, 1, t.rtp, "tRTP"},
        {GDDR5_RD, GDDR5_PRE, GDDR5_GROUP, 1, rtpl, "tRTPL"},
        {GDDR5_WR, GDDR5_PRE, GDDR5_BANK, 1, t.wtp, "tWTP"},
        {GDDR5_RD, GDDR5_RD, GDDR5_CHANNEL, 1, t.ccd, "tCCD"},
        {GDDR5_WR, GDDR5_WR, GDDR5_CHANNEL, 1, t.ccd, "tCCD"},
        {GDDR5_RD, GDDR5_RD, GDDR5_GROUP, 1, ccdl, "tCCDL"},
        {GDDR5_WR, GDDR5_WR, GDDR5_GROUP, 1, ccdl, "tCCDL"},
        {GDDR5_RD, GDDR5_WR, GDDR5_CHANNEL, 1, t.rtw, "tRTW"},
        {GDDR5_WR, GDDR5_RD, GDDR5_CHANNEL, 1, t.wtr, "tWTR"},
        {GDDR5_WR, GDDR5_RD, GDDR5_GROUP, 1, wtrl, "tWTRL"},
        {GDDR5_RD, GDDR5_RD, GDDR5_CHANNEL, 1, t.burst, "data bus"},
        {GDDR5_WR, GDDR5_WR, GDDR5_CHANNEL, 1, t.burst, "data bus"},
        {GDDR5_RD, GDDR5_WR, GDDR5_CHANNEL, 1, above(t.cl + t.burst, t.wl), "data bus"},
        {GDDR5_WR, GDDR5_RD, GDDR5_CHANNEL, 1, above(t.wl + t.burst, t.cl), "data bus"},
        {GDDR5_ACT, GDDR5_PREA, GDDR5_CHANNEL, 1, t.ras, "tRAS"},
        {GDDR5_RD, GDDR5_PREA, GDDR5_CHANNEL, 1, t.rtp > rtpl ? t.rtp : rtpl, "tRTP"},
        {GDDR5_WR, GDDR5_PREA, GDDR5_CHANNEL, 1, t.wtp, "tWTP"},
        {GDDR5_PREA, GDDR5_ACT, GDDR5_CHANNEL, 1, t.rp, "tRP"},
        {GDDR5_PREA, GDDR5_REF, GDDR5_CHANNEL, 1, t.rp, "tRP"},
        {GDDR5_PRE, GDDR5_REF, GDDR5_CHANNEL, 1, t.rp, "tRP"},
        {GDDR5_ACT, GDDR5_REF, GDDR5_CHANNEL, 1, t.rc, "tRC"},
        {GDDR5_REF, GDDR5_ACT, GDDR5_CHANNEL, 1, t.rfc, "tRFC"},
        {GDDR5_REF, GDDR5_REF, GDDR5_CHANNEL, 1, t.rfc, "tRFC"},
        {GDDR5_ACT, GDDR5_REFPB, GDDR5_BANK, 1, pb ? t.rc : 0, "tRC"},
        {GDDR5_ACT, GDDR5_REFPB, GDDR5_CHANNEL, 1, pb ? t.rrd : 0, "tRRD"},
        {GDDR5_ACT, GDDR5_REFPB, GDDR5_GROUP, 1, pb ? rrdl : 0, "tRRDL"},
        {GDDR5_PRE, GDDR5_REFPB, GDDR5_BANK, 1, pb ? t.rp : 0, "tRP"},
        {GDDR5_REFPB, GDDR5_ACT, GDDR5_BANK, 1, t.rfcpb, "tRFCpb"},
        {GDDR5_REFPB, GDDR5_REFPB, GDDR5_BANK, 1, t.rfcpb, "tRFCpb"},
        {GDDR5_REFPB, GDDR5_ACT, GDDR5_CHANNEL, 1, t.rrefd, "tRREFD"},
        {GDDR5_REFPB, GDDR5_REFPB, GDDR5_CHANNEL, 1, t.rrefd, "tRREFD"},
    };
    unsigned n = 0;
    for (unsigned i = 0; i < sizeof all / sizeof all[0]; i++)
        if (all[i].distance)
            rules[n++] = all[i];
    return n;
}

/* Of several rules the longest counts. */
static void add_gap(struct gaps *gaps, uint32_t to, uint32_t distance) {
    uint32_t i = 0;
    while (i < gaps->n && gaps->gap[i].to != to)
        i++;
    if (i == gaps->n)
        gaps->gap[gaps->n++] = (struct gap){to, distance};
    else if (distance > gaps->gap[i].distance)
        gaps->gap[i].distance = distance;
}

void gddr5_compile_rules(struct gddr5 *g) {
    struct gddr5_rule rules[GDDR5_MAX_RULES];
    unsigned n = gddr5_rules(&g->size, rules);
    for (unsigned i = 0; i < n; i++) {
        const struct gddr5_rule *r = &rules[i];
        if (r->back > 1)
            g->window[g->windows++] = *r;
        else
            add_gap(&g->gap[r->scope][r->from], r->to, r->distance);
    }
}

static void put_off(uint64_t ready[GDDR5_CMDS], const struct gaps *gaps, uint64_t now) {
    for (uint32_t i = 0; i < gaps->n; i++) {
        const struct gap *gap = &gaps->gap[i];
        if (now + gap->distance > ready[gap->to])
            ready[gap->to] = now + gap->distance;
    }
}

/* All that a command forbids for a while. */
void gddr5_apply_rules(struct gddr5 *g, enum gddr5_cmd cmd, struct bank *b, uint64_t now) {
    put_off(g->ready, &g->gap[GDDR5_CHANNEL][cmd], now);
    if (!b)
        return;
    put_off(g->group_ready[b->group], &g->gap[GDDR5_GROUP][cmd], now);
    put_off(b->ready, &g->gap[GDDR5_BANK][cmd], now);
    if (cmd != GDDR5_ACT || !g->windows)
        return;
    g->acts[g->n_acts++ % GDDR5_WINDOW] = now;
    for (unsigned i = 0; i < g->windows; i++) {
        const struct gddr5_rule *r = &g->window[i];
        if (g->n_acts < r->back)
            continue;
        uint64_t until = g->acts[(g->n_acts - r->back) % GDDR5_WINDOW] + r->distance;
        if (until > g->ready[GDDR5_ACT])
            g->ready[GDDR5_ACT] = until;
    }
}
