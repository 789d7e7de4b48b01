/* SPDX-License-Identifier: Apache-2.0 */
/* Models a GDDR5 channel command by command: banks, timing rules, read and write queues, and
 * scheduler.
 *
 * Cycles are cycles of the command clock (CK). A caller ticks in increasing cycles and may skip all
 * cycles before gddr5_next_event(). The first command for a request that is pushed in cycle c,
 * after the tick of c, is issued in c + 1 at the earliest. docs/understand/dram.md describes the
 * scheduling decisions and their reasons.
 *
 * Sources: timing in GPGPU-Sim's descriptions of GTX480 and TITANX; Rixner et al., Memory Access
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
#define GDDR5_WINDOW 32        /* number of recent ACTs stored for tFAW and t32AW */
#define GDDR5_LATENCY_BINS 24u /* bin n: latencies 2^n .. 2^(n+1) - 1; last bin: no maximum */

enum gddr5_cmd {
    GDDR5_ACT,
    GDDR5_RD,
    GDDR5_WR,
    GDDR5_PRE,
    GDDR5_PREA, /* precharges all banks */
    GDDR5_REF,  /* refreshes all banks */
    GDDR5_REFPB,
    GDDR5_CMDS
};

extern const char *const gddr5_cmd_name[GDDR5_CMDS];

/* Timing in CK. In the second and third groups, 0 selects the formula in the comment. In the last
 * group, 0 means that there is no limit. */
struct gddr5_timing {
    uint32_t burst; /* number of CK for which a column command uses the data bus */
    uint32_t cl, wl, rcd, rp, ras, rc, rrd;
    uint32_t ccd, /* column command to column command of the same kind in any bank */
        ccdl;     /* column command to column command of the same kind in the same group */
    uint32_t wr,  /* end of write data to PRE in the same bank */
        cdlr;     /* end of write data to RD in any bank */
    uint32_t rtp; /* RD to PRE in the same bank */

    uint32_t rcdwr; /* rcd - (wl + 1) */
    uint32_t rtw;   /* RD to WR: cl + burst + 2 - wl */
    uint32_t wtr;   /* WR to RD: wl + burst + cdlr */
    uint32_t wtp;   /* WR to PRE: wl + burst + wr */

    uint32_t rrefd; /* REFpb to ACT or REFpb in another bank: rrd */

    uint32_t rtpl;  /* RD to PRE in the same group */
    uint32_t rrdl;  /* ACT to ACT in the same group */
    uint32_t cdlrl; /* end of write data to RD in the same group */
    uint32_t ppd;   /* PRE to PRE in any bank */
    uint32_t faw,   /* ACT to the fourth ACT after it */
        aw32;       /* ACT to the 32nd ACT after it */
    uint32_t rfc,   /* REF to the next command */
        refi;       /* average time from REF to REF; 0 for no REF */
    uint32_t rfcpb, /* REFpb to the next command in the same bank */
        refipb;     /* average time from REFpb to the next bank's REFpb; 0 for no REFpb */
};

enum gddr5_scope { GDDR5_BANK, GDDR5_GROUP, GDDR5_CHANNEL, GDDR5_SCOPES };

/* Timing rule: `to` is issued at least `distance` CK after the back-th most recent `from` in the
 * scope. */
struct gddr5_rule {
    uint8_t from, to, scope, back;
    uint32_t distance;
    const char *name;
};

struct gddr5_size {
    struct gddr5_timing timing;
    uint32_t banks, groups; /* powers of two; groups <= banks <= GDDR5_MAX_BANKS */
    bool two_buses;         /* a row command and a column command may be issued in one cycle */
    bool shared_queue; /* true if reads and writes share a queue from which the banks, in turn, take
                          their next requests, and false if writes wait in a separate queue. With a
                          shared queue and one bus, a row and a column command may be issued in one
                          cycle if the row command's bank has its turn first */
    bool fcfs;         /* true for FCFS, false for FR-FCFS; must be false if `shared_queue` */
    uint32_t read_queue, /* number of entries in the read queue or the shared queue */
        write_queue;     /* number of entries in the write queue */
    uint32_t write_high, /* number of waiting writes at which write mode begins; <= write_queue */
        write_low;       /* number of waiting writes at which write mode ends; < write_high */
    uint32_t streak_cap; /* maximum number of row hits that may overtake an older request; 0 for no
                            limit */
    uint32_t age_cap;    /* age in CK at which the oldest request becomes urgent; 0 for never */
};

struct gddr5_req {
    uint64_t row;
    uint32_t bank, col, tag;
    bool write;
};

struct gddr5_stats {
    uint64_t commands[GDDR5_CMDS];
    uint64_t hits,  /* number of requests that found their row open */
        misses,     /* number of requests that found no row open */
        conflicts;  /* number of requests that found another row open */
    uint64_t busy;  /* number of CK in which the data bus is busy */
    uint64_t turns; /* number of changes between read and write mode */
    /* Statistics of the number of CK from the push to the last data, for reads (index 0) and writes
     * (index 1). */
    uint64_t latency_sum[2], latency_min[2], latency_max[2];
    uint64_t latency_bin[2][GDDR5_LATENCY_BINS];
    struct level held[2]; /* number of occupied entries for reads (index 0) and writes (index 1) */
    struct level full[2]; /* 1 while no entry is free for reads (index 0) or writes (index 1) */
    struct level banks;   /* number of banks that are serving a request */
};

typedef void (*gddr5_trace_fn)(void *ctx, uint64_t cycle, enum gddr5_cmd cmd, uint32_t bank,
                               uint64_t row, uint32_t col, uint32_t tag);

struct gddr5;

/* Creates a channel. The sizes must be valid: dram_check() accepts only valid sizes. */
struct gddr5 *gddr5_create(const struct gddr5_size *size);
void gddr5_destroy(struct gddr5 *g);

/* Returns the maximum number of requests in a channel of this size. */
uint32_t gddr5_entries(const struct gddr5_size *size);
/* Returns the timing with the derived values filled in. */
struct gddr5_timing gddr5_derived(const struct gddr5_timing *timing);
/* Writes the timing rules of a channel of this size. Returns the number of rules. */
unsigned gddr5_rules(const struct gddr5_size *size, struct gddr5_rule rules[GDDR5_MAX_RULES]);
/* Returns the group of a bank. */
uint32_t gddr5_group(const struct gddr5_size *size, uint32_t bank);

/* Makes the channel call fn for every command that it issues after this call, in order. The column
 * is 0 except for RD and WR, the row is 0 for PREA, REF and REFpb, and the bank is 0 for PREA and
 * REF. For PRE, the row is the closed row. The tag is the tag of the command's request, or
 * GDDR5_NONE. */
void gddr5_trace(struct gddr5 *g, gddr5_trace_fn fn, void *ctx);

/* Returns the number of free entries for writes, or for reads if `write` is false. A shared queue
 * has the same entries for both. */
uint32_t gddr5_room(const struct gddr5 *g, bool write);
/* Pushes a request; there must be room. Tags are returned unchanged and need not be unique. */
void gddr5_push(struct gddr5 *g, uint64_t now, const struct gddr5_req *req);
/* Ticks one cycle. Returns the tag of the request whose column command is issued in this cycle, or
 * GDDR5_NONE. */
uint32_t gddr5_tick(struct gddr5 *g, uint64_t now);
/* Returns the tag of the oldest read whose data are complete in cycle `now`, or GDDR5_NONE. The
 * read keeps its entry until gddr5_take(). A read's data are complete `burst` cycles after they
 * begin. At most one read is completed per cycle. */
uint32_t gddr5_done(const struct gddr5 *g, uint64_t now);
void gddr5_take(struct gddr5 *g, uint64_t now);
/* Returns the earliest cycle after the last tick in which a tick, or taking a read, can change
 * state, or UINT64_MAX if nothing changes without a new request. */
uint64_t gddr5_next_event(const struct gddr5 *g);
/* True if no request is queued and no data are in flight. */
bool gddr5_empty(const struct gddr5 *g);
/* Calls fn for every request that occupies an entry. `issued` is true if the request's column
 * command was issued. */
void gddr5_each(const struct gddr5 *g, void (*fn)(void *ctx, uint32_t tag, bool issued), void *ctx);
/* Returns the number of CK up to `now` in which data were on the bus. */
uint64_t gddr5_bus_used(const struct gddr5 *g, uint64_t now);
/* Returns the statistics. Each level is as of its last change, so use level_area(.., now). */
const struct gddr5_stats *gddr5_stats(const struct gddr5 *g);

#endif
