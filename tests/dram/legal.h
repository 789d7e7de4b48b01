/* SPDX-License-Identifier: Apache-2.0 */
/* Checker of GDDR5 command traces, written from the list of rules that every trace must obey. It
 * is independent of the model, and shares only the names of parameters and commands with gddr5.h.
 * Cycles are signed numbers. NEVER is the cycle of an event that has not occurred. */
#ifndef MEMTWIN_TESTS_DRAM_LEGAL_H
#define MEMTWIN_TESTS_DRAM_LEGAL_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "dram/gddr5.h"

#define NEVER (-1000000000)

struct dram_command {
    int64_t at;
    enum gddr5_cmd cmd;
    uint32_t bank, col, tag;
    uint64_t row;
};

struct dram_legal {
    struct gddr5_size size;
    int64_t rcdwr, rtw, wtr, wtrl, wtp, rrefd;
    struct {
        bool open;
        uint64_t row;
        int64_t act, rd, wr, pre, refpb;
    } bank[GDDR5_MAX_BANKS];
    int64_t act, rd, wr, pre, prea, ref, refpb; /* cycle of the last such command to any bank */
    int64_t bus_end;                            /* first cycle in which the data bus is free */
    int64_t acts[32];
    unsigned n_acts;
    int64_t last_row, /* cycle of the last row command */
        last_column;  /* cycle of the last column command */
};

static inline void legal_init(struct dram_legal *l, const struct gddr5_size *size) {
    const struct gddr5_timing *t = &size->timing;
    int64_t cl = t->cl, wl = t->wl, b = t->burst;
    memset(l, 0, sizeof *l);
    l->size = *size;
    l->rcdwr = t->rcdwr ? t->rcdwr : (int64_t)t->rcd - (wl + 1);
    l->rtw = t->rtw ? t->rtw : cl + b + 2 - wl;
    l->wtr = t->wtr ? t->wtr : wl + b + t->cdlr;
    l->wtrl = t->cdlrl ? wl + b + t->cdlrl : 0;
    l->rrefd = t->rrefd ? t->rrefd : t->rrd;
    l->wtp = t->wtp ? t->wtp : wl + b + t->wr;
    for (uint32_t i = 0; i < GDDR5_MAX_BANKS; i++)
        l->bank[i].act = l->bank[i].rd = l->bank[i].wr = l->bank[i].pre = l->bank[i].refpb = NEVER;
    l->act = l->rd = l->wr = l->pre = l->prea = l->ref = l->refpb = NEVER;
    l->bus_end = l->last_row = l->last_column = NEVER;
}

/* First cycle that the rules allow, and the rule that determines it. */
struct bound {
    int64_t at;
    const char *rule;
};

static inline void not_before(struct bound *b, int64_t at, const char *rule) {
    if (at > b->at)
        *b = (struct bound){at, rule};
}

static inline bool same_group(const struct dram_legal *l, uint32_t a, uint32_t b) {
    const uint32_t groups = l->size.groups;
    return a % groups == b % groups;
}

/* Applies the rules that ACT and REFpb have in common. */
static inline void bound_row(const struct dram_legal *l, uint32_t bank, struct bound *b) {
    const struct gddr5_timing *t = &l->size.timing;
    not_before(b, l->bank[bank].act + t->rc, "tRC");
    not_before(b, l->bank[bank].pre + t->rp, "tRP");
    not_before(b, l->prea + t->rp, "tRP");
    not_before(b, l->act + t->rrd, "tRRD");
    not_before(b, l->ref + t->rfc, "tRFC");
    not_before(b, l->bank[bank].refpb + t->rfcpb, "tRFCpb");
    not_before(b, l->refpb + l->rrefd, "tRREFD");
    for (uint32_t i = 0; l->size.groups > 1 && i < l->size.banks; i++)
        if (same_group(l, i, bank))
            not_before(b, l->bank[i].act + t->rrdl, "tRRDL");
}

static inline void bound_act(const struct dram_legal *l, uint32_t bank, struct bound *b) {
    const struct gddr5_timing *t = &l->size.timing;
    bound_row(l, bank, b);
    if (t->faw && l->n_acts >= 4)
        not_before(b, l->acts[(l->n_acts - 4) % 32] + t->faw, "tFAW");
    if (t->aw32 && l->n_acts >= 32)
        not_before(b, l->acts[l->n_acts % 32] + t->aw32, "t32AW");
}

static inline void bound_column(const struct dram_legal *l, bool write, uint32_t bank,
                                struct bound *b) {
    const struct gddr5_timing *t = &l->size.timing;
    if (write) {
        not_before(b, l->bank[bank].act + l->rcdwr, "tRCDWR");
        not_before(b, l->wr + t->ccd, "tCCD");
        not_before(b, l->rd + l->rtw, "tRTW");
        not_before(b, l->bus_end - t->wl, "data bus");
    } else {
        not_before(b, l->bank[bank].act + t->rcd, "tRCDRD");
        not_before(b, l->rd + t->ccd, "tCCD");
        not_before(b, l->wr + l->wtr, "tWTR");
        not_before(b, l->bus_end - t->cl, "data bus");
    }
    for (uint32_t i = 0; l->size.groups > 1 && i < l->size.banks; i++)
        if (same_group(l, i, bank)) {
            not_before(b, (write ? l->bank[i].wr : l->bank[i].rd) + t->ccdl, "tCCDL");
            if (!write)
                not_before(b, l->bank[i].wr + l->wtrl, "tWTRL");
        }
}

static inline void bound_pre(const struct dram_legal *l, uint32_t bank, struct bound *b) {
    const struct gddr5_timing *t = &l->size.timing;
    not_before(b, l->bank[bank].act + t->ras, "tRAS");
    not_before(b, l->bank[bank].rd + t->rtp, "tRTP");
    not_before(b, l->bank[bank].wr + l->wtp, "tWTP");
    not_before(b, l->pre + t->ppd, "tPPD");
    for (uint32_t i = 0; l->size.groups > 1 && i < l->size.banks; i++)
        if (same_group(l, i, bank))
            not_before(b, l->bank[i].rd + t->rtpl, "tRTPL");
}

static inline void bound_ref(const struct dram_legal *l, struct bound *b) {
    const struct gddr5_timing *t = &l->size.timing;
    not_before(b, l->pre + t->rp, "tRP to REF");
    not_before(b, l->prea + t->rp, "tRP to REF");
    not_before(b, l->act + t->rc, "tRC to REF");
    not_before(b, l->ref + t->rfc, "tRFC");
}

/* Returns the first cycle in which the timings allow this command, and the rule that determines
 * it. */
static inline struct bound legal_bound(const struct dram_legal *l, enum gddr5_cmd cmd,
                                       uint32_t bank) {
    struct bound b = {NEVER, "none"};
    if (cmd == GDDR5_ACT)
        bound_act(l, bank, &b);
    else if (cmd == GDDR5_RD || cmd == GDDR5_WR)
        bound_column(l, cmd == GDDR5_WR, bank, &b);
    else if (cmd == GDDR5_PRE)
        bound_pre(l, bank, &b);
    else if (cmd == GDDR5_REF)
        bound_ref(l, &b);
    else if (cmd == GDDR5_REFPB)
        bound_row(l, bank, &b);
    else
        for (uint32_t i = 0; i < l->size.banks; i++)
            if (l->bank[i].open)
                bound_pre(l, i, &b);
    return b;
}

static inline const char *legal_state(const struct dram_legal *l, const struct dram_command *c) {
    bool any_open = false;
    for (uint32_t i = 0; i < l->size.banks; i++)
        any_open |= l->bank[i].open;
    switch (c->cmd) {
    case GDDR5_ACT:
        return l->bank[c->bank].open ? "ACT of an open bank" : NULL;
    case GDDR5_RD:
    case GDDR5_WR:
        if (!l->bank[c->bank].open)
            return "column command to a closed bank";
        return l->bank[c->bank].row != c->row ? "column command to another row" : NULL;
    case GDDR5_PRE:
        return l->bank[c->bank].open ? NULL : "PRE of a closed bank";
    case GDDR5_REFPB:
        return l->bank[c->bank].open ? "REFpb of an open bank" : NULL;
    case GDDR5_REF:
        return any_open ? "REF with an open bank" : NULL;
    default:
        return any_open ? NULL : "PREA with no open bank";
    }
}

static inline const char *legal_bus(const struct dram_legal *l, const struct dram_command *c) {
    bool column = c->cmd == GDDR5_RD || c->cmd == GDDR5_WR;
    int64_t latest = l->last_row > l->last_column ? l->last_row : l->last_column;
    if (c->at < latest)
        return "time runs back";
    if (c->at == (l->size.two_buses || (l->size.shared_queue && column)
                      ? (column ? l->last_column : l->last_row)
                      : latest))
        return "two commands in a cycle";
    return NULL;
}

static inline void legal_apply(struct dram_legal *l, const struct dram_command *c) {
    const struct gddr5_timing *t = &l->size.timing;
    if (c->cmd == GDDR5_RD || c->cmd == GDDR5_WR) {
        int64_t latency = c->cmd == GDDR5_RD ? t->cl : t->wl;
        l->bus_end = c->at + latency + t->burst;
        l->last_column = c->at;
        *(c->cmd == GDDR5_RD ? &l->rd : &l->wr) = c->at;
        *(c->cmd == GDDR5_RD ? &l->bank[c->bank].rd : &l->bank[c->bank].wr) = c->at;
        return;
    }
    l->last_row = c->at;
    if (c->cmd == GDDR5_ACT) {
        l->bank[c->bank].open = true;
        l->bank[c->bank].row = c->row;
        l->bank[c->bank].act = l->act = l->acts[l->n_acts++ % 32] = c->at;
    } else if (c->cmd == GDDR5_PRE) {
        l->bank[c->bank].open = false;
        l->bank[c->bank].pre = l->pre = c->at;
    } else if (c->cmd == GDDR5_PREA) {
        for (uint32_t i = 0; i < l->size.banks; i++)
            l->bank[i].open = false;
        l->prea = c->at;
    } else if (c->cmd == GDDR5_REFPB) {
        l->bank[c->bank].refpb = l->refpb = c->at;
    } else {
        l->ref = c->at;
    }
}

/* Checks the next command of a trace. Returns the rule that it breaks, or NULL if there is none. */
static inline const char *legal_step(struct dram_legal *l, const struct dram_command *c) {
    const char *why = legal_bus(l, c);
    if (!why)
        why = legal_state(l, c);
    struct bound b = legal_bound(l, c->cmd, c->bank);
    if (!why && c->at < b.at)
        why = b.rule;
    legal_apply(l, c);
    return why;
}

/* Checks that every request, identified by its index, has exactly one column command, and that the
 * command has the request's address. Returns the error, or NULL if there is none. `seen` must
 * contain n zeros. */
static inline const char *legal_conserved(const struct dram_command *c, uint64_t n_commands,
                                          const struct gddr5_req *req, uint64_t n, uint8_t *seen) {
    for (uint64_t i = 0; i < n_commands; i++) {
        if (c[i].cmd != GDDR5_RD && c[i].cmd != GDDR5_WR)
            continue;
        if (c[i].tag >= n)
            return "a column command without a request";
        const struct gddr5_req *r = &req[c[i].tag];
        if (r->bank != c[i].bank || r->row != c[i].row || r->col != c[i].col ||
            r->write != (c[i].cmd == GDDR5_WR))
            return "a column command to another place";
        if (seen[c[i].tag]++)
            return "a second column command for a request";
    }
    for (uint64_t i = 0; i < n; i++)
        if (!seen[i])
            return "a request without a column command";
    return NULL;
}

#endif
