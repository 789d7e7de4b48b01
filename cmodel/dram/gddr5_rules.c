// SPDX-License-Identifier: Apache-2.0
/* Computes the timing rules of a GDDR5 channel. gddr5_commands.c applies them. */
#include "dram/gddr5_inside.h"

uint32_t gddr5_group(const struct gddr5_size *size, uint32_t bank) {
    return bank & (size->groups - 1);
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

static uint32_t subtract_floor(uint32_t a, uint32_t b) {
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
        {GDDR5_RD, GDDR5_WR, GDDR5_CHANNEL, 1, subtract_floor(t.cl + t.burst, t.wl), "data bus"},
        {GDDR5_WR, GDDR5_RD, GDDR5_CHANNEL, 1, subtract_floor(t.wl + t.burst, t.cl), "data bus"},
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
