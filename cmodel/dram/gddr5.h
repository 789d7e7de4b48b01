/* SPDX-License-Identifier: Apache-2.0 */
/* One GDDR5 channel, command by command: banks, timing rules, read and write queues, scheduler.
 *
 * Cycles are those of the command clock (CK). A caller ticks in rising cycles and may leave out all
 * cycles before gddr5_next_event: nothing would happen in them. A request that is pushed in cycle c
 * (after the tick of c) has its first command in c + 1 at the earliest. What the scheduler does and
 * why: docs/understand/dram.md.
 *
 * Sources: timing of the GTX480 and TITANX descriptions of GPGPU-Sim; Rixner et al., Memory Access
 * Scheduling, ISCA 2000 (FR-FCFS).
 */
#ifndef MEMTWIN_DRAM_GDDR5_H
#define MEMTWIN_DRAM_GDDR5_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/level.h"

#define GDDR5_NONE UINT32_MAX
#define GDDR5_MAX_BANKS 64
#define GDDR5_MAX_RULES 48
#define GDDR5_WINDOW 32        /* ACTs that are remembered for tFAW and t32AW */
#define GDDR5_LATENCY_BINS 24u /* bin n: latencies 2^n .. 2^(n+1) - 1; the last: all above */

enum gddr5_cmd {
    GDDR5_ACT,
    GDDR5_RD,
    GDDR5_WR,
    GDDR5_PRE,
    GDDR5_PREA, /* all banks */
    GDDR5_REF,  /* all banks */
    GDDR5_REFPB,
    GDDR5_CMDS
};

extern const char *const gddr5_cmd_name[GDDR5_CMDS];

/* In CK. A 0 in the second group means: derived as written there; in the third: no such limit. */
struct gddr5_timing {
    uint32_t burst; /* data bus per column command */
    uint32_t cl, wl, rcd, rp, ras, rc, rrd;
    uint32_t ccd, ccdl; /* column to column of one kind: any bank; same group */
    uint32_t wr, cdlr;  /* end of write data to PRE, same bank; to RD */
    uint32_t rtp;       /* RD to PRE, same bank */

    uint32_t rcdwr; /* rcd - (wl + 1) */
    uint32_t rtw;   /* RD to WR: cl + burst + 2 - wl */
    uint32_t wtr;   /* WR to RD: wl + burst + cdlr */
    uint32_t wtp;   /* WR to PRE: wl + burst + wr */

    uint32_t rrefd; /* REFpb to ACT or REFpb of another bank: rrd */

    uint32_t rtpl;          /* RD to PRE, same group */
    uint32_t rrdl;          /* ACT to ACT, same group */
    uint32_t cdlrl;         /* end of write data to RD, same group */
    uint32_t ppd;           /* PRE to PRE, any bank */
    uint32_t faw, aw32;     /* 4, 32 ACTs: first to fifth, first to 33rd */
    uint32_t rfc, refi;     /* REF to next command; REF to REF on average (0: no refresh) */
    uint32_t rfcpb, refipb; /* the same of REFpb: its bank; of all banks, which take turns */
};

enum gddr5_scope { GDDR5_BANK, GDDR5_GROUP, GDDR5_CHANNEL, GDDR5_SCOPES };

/* `to` comes at least `distance` after the back-th last `from` in the scope. */
struct gddr5_rule {
    uint8_t from, to, scope, back;
    uint32_t distance;
    const char *name;
};

/* GDDR5_SPLIT: writes wait apart from reads. GDDR5_SHARED: in one queue. GDDR5_TAKEN: in one queue
 * that each bank takes its next request out of. */
enum gddr5_queue { GDDR5_SPLIT, GDDR5_SHARED, GDDR5_TAKEN };

struct gddr5_size {
    struct gddr5_timing timing;
    uint32_t banks, groups; /* powers of two, groups <= banks <= GDDR5_MAX_BANKS */
    bool group_high;        /* a bank's group is in the high bits of its number, not the low ones */
    bool two_buses;         /* a row and a column command may go in one cycle */
    bool row_in_turn; /* GDDR5_TAKEN, one bus: they may if the row's bank is looked at before */
    bool fcfs;        /* not FR-FCFS: GDDR5_SPLIT */
    enum gddr5_queue queue;
    uint32_t read_queue, write_queue; /* but for GDDR5_SPLIT, the former is for both */
    uint32_t write_high, write_low;   /* low < high <= write_queue */
    uint32_t streak_cap;              /* row hits that may pass an older request; 0: any number */
    uint32_t age_cap;                 /* CK after which the oldest request is urgent; 0: never */
};

struct gddr5_req {
    uint64_t row;
    uint32_t bank, col, tag;
    bool write;
};

struct gddr5_stats {
    uint64_t commands[GDDR5_CMDS];
    uint64_t hits, misses, conflicts; /* requests: row was open; bank was closed; other row open */
    uint64_t busy;                    /* CK: data bus in use */
    uint64_t turns;                   /* changes between read and write mode */
    /* CK, from the push to the last data: of reads [0] and of writes [1] */
    uint64_t latency_sum[2], latency_min[2], latency_max[2];
    uint64_t latency_bin[2][GDDR5_LATENCY_BINS];
    struct level held[2]; /* entries of the read and the write queue */
    struct level full[2]; /* 1: that queue is full */
    struct level banks;   /* banks that a request is being served in */
};

typedef void (*gddr5_trace_fn)(void *ctx, uint64_t cycle, enum gddr5_cmd cmd, uint32_t bank,
                               uint64_t row, uint32_t col, uint32_t tag);

struct gddr5; /* opaque */

/* The sizes must be good: those that dram_check lets through are. */
struct gddr5 *gddr5_create(const struct gddr5_size *size);
void gddr5_destroy(struct gddr5 *g);

/* Requests that a channel of this size holds, at most. */
uint32_t gddr5_entries(const struct gddr5_size *size);
/* The timing with the derived values filled in. */
struct gddr5_timing gddr5_derived(const struct gddr5_timing *timing);
/* Writes the rules that a channel of this size keeps; returns their number. */
unsigned gddr5_rules(const struct gddr5_size *size, struct gddr5_rule rules[GDDR5_MAX_RULES]);
/* Group of a bank. */
uint32_t gddr5_group(const struct gddr5_size *size, uint32_t bank);

/* Every command is shown to fn from here on, in order. Of PREA and REF the bank, row and column are
 * 0, of REFpb the last two, of ACT the column, of PRE the row is the one that is closed; the tag is
 * that of the request that the command is for (GDDR5_NONE: of none). */
void gddr5_trace(struct gddr5 *g, gddr5_trace_fn fn, void *ctx);

/* Free entries of the read or the write queue. */
uint32_t gddr5_room(const struct gddr5 *g, bool write);
/* There must be room. Tags come back as they are; they need not differ. */
void gddr5_push(struct gddr5 *g, uint64_t now, const struct gddr5_req *req);
/* One cycle. Returns the tag of the request whose column command was issued in it, or GDDR5_NONE.
 */
uint32_t gddr5_tick(struct gddr5 *g, uint64_t now);
/* The oldest read whose data are complete in cycle `now`, or GDDR5_NONE. It holds its entry until
 * it is taken. Data are complete burst cycles after they began, and at most one read's a cycle. */
uint32_t gddr5_done(const struct gddr5 *g, uint64_t now);
void gddr5_take(struct gddr5 *g, uint64_t now);
/* The earliest cycle after the last tick in which a tick, or taking a read, can do anything;
 * UINT64_MAX if none can without a new request. */
uint64_t gddr5_next_event(const struct gddr5 *g);
/* Nothing is queued and no data are on their way. */
bool gddr5_empty(const struct gddr5 *g);
/* Calls fn for every request that holds an entry; issued: its column command has gone. */
void gddr5_each(const struct gddr5 *g, void (*fn)(void *ctx, uint32_t tag, bool issued), void *ctx);
/* CK up to `now` in which data were on the bus: without those that are still to come. */
uint64_t gddr5_bus_used(const struct gddr5 *g, uint64_t now);
/* Levels in it are as of their last change: use level_area(.., now). */
const struct gddr5_stats *gddr5_stats(const struct gddr5 *g);

#endif
