/* SPDX-License-Identifier: Apache-2.0 */
/* Declares the internals of a GDDR5 channel that its files share. gddr5_schedule.c runs the cycle
 * and calls gddr5_commands.c and gddr5_queues.c; gddr5.c creates the channel. */
#ifndef MEMTWIN_DRAM_GDDR5_INSIDE_H
#define MEMTWIN_DRAM_GDDR5_INSIDE_H

#include <stddef.h>

#include "dram/gddr5.h"
#include "lib/timed_fifo.h"

/* A request, from its push until its data have left. */
struct dram_entry {
    uint64_t row;
    uint64_t order;   /* position in the order of arrival, counted from 1 */
    uint64_t arrived; /* cycle of arrival */
    uint32_t bank, col, tag;
    uint32_t prev, next;    /* neighbors in its bank's list; `next` also links the free list */
    uint32_t before, after; /* neighbors in order of arrival while it is in its bank's list */
    uint32_t waits_for; /* older request of the other kind to the same location, or GDDR5_NONE */
    uint32_t served_before, /* number of requests in its list that were served before it arrived */
        older;              /* number of requests that waited in its list when it arrived */
    bool write;
    bool awaited;    /* another request waits for this one */
    bool started;    /* a command was issued for the request */
    bool closed_row; /* a PRE was issued for the request */
    bool opened_row; /* an ACT was issued for the request */
};

/* Requests of one list that wait in one bank, oldest first. */
struct gddr5_waiting {
    uint32_t first, last, count;
    uint32_t served; /* number of requests served so far */
    uint32_t entry;  /* request that the bank serves next, or GDDR5_NONE if there is none */
    uint8_t cmd;     /* next command for `entry` */
    uint64_t order;  /* `order` of `entry` */
};

/* Minimum gaps after a command. Each command `to` occurs only once. */
struct gddr5_gaps {
    uint32_t n;
    struct gap {
        uint32_t to, distance;
    } gap[GDDR5_CMDS];
};

struct gddr5_bank {
    uint64_t ready[GDDR5_CMDS];
    uint64_t row;
    struct gddr5_waiting waiting[2];
    uint32_t group;
    uint32_t held_request; /* request taken out of the shared queue, or GDDR5_NONE */
    uint32_t serving;      /* number of requests with a command issued but incomplete data */
    bool open;
};

enum { READS, WRITES };

struct gddr5 {
    struct gddr5_size size;
    struct gddr5_timing timing;
    struct gddr5_gaps gap[GDDR5_SCOPES][GDDR5_CMDS]; /* rules with back = 1, indexed by `from` */
    struct gddr5_rule window[2];                     /* rules between ACTs with back > 1 */
    unsigned windows;
    uint64_t acts[GDDR5_WINDOW]; /* cycles of the last ACTs */
    uint64_t n_acts;
    uint64_t ready[GDDR5_CMDS]; /* earliest cycle of each command in the channel */
    uint64_t group_ready[GDDR5_MAX_BANKS][GDDR5_CMDS];
    struct gddr5_bank bank[GDDR5_MAX_BANKS];
    uint64_t able[2];             /* sets of banks that can serve a request in each list */
    uint64_t want[2][GDDR5_CMDS]; /* sets of banks in `able`, by their next command */
    uint64_t open;                /* set of banks with an open row */
    uint64_t takers;              /* set of banks that can take a request out of the shared queue */
    uint32_t turn;                /* bank with the highest priority */
    struct {
        uint32_t first, last;
    } arrivals[2];       /* oldest and youngest waiting request per list, or GDDR5_NONE */
    uint32_t urgent[2];  /* per list: the oldest request if its age is at least `patience`, or
                            GDDR5_NONE */
    uint64_t patience;   /* age at which a request becomes urgent, in CK */
    uint64_t urgent_due; /* lower bound of the CK in which the next request becomes urgent */
    uint32_t run_for;    /* request that must be served before the mode changes, or GDDR5_NONE */
    uint64_t group_banks[GDDR5_MAX_BANKS];
    uint32_t ready_requests[2]; /* per list: number of requests that wait for no other request */
    uint32_t waiting[2];
    uint32_t held[2];
    uint32_t served; /* number of column commands since the mode was entered */
    int mode;
    uint32_t drain_to; /* a run of writes continues while more than this number of writes wait */
    struct dram_entry *entry; /* owned */
    uint32_t free;
    struct timed_fifo flight[2]; /* entries with data in flight */
    uint64_t orders, next, refresh_due;
    bool foresees;    /* true if look_at is used: with a shared queue, no age cap and no REFpb */
    uint64_t look_at; /* no command can be issued before this cycle */
    uint64_t bank_refresh_due;
    uint32_t refresh_bank; /* next bank to refresh */
    struct gddr5_stats stats;
    gddr5_trace_fn trace;
    void *trace_ctx;
};

/* ---- rules ---- */

void gddr5_compile_rules(struct gddr5 *g);

/* Returns the first cycle in which the timing rules of a bank and its group allow a command. */
static inline uint64_t gddr5_bank_ready(const struct gddr5 *g, const struct gddr5_bank *b,
                                        unsigned cmd) {
    const uint64_t ready = b->ready[cmd], group = g->group_ready[b->group][cmd];
    return ready > group ? ready : group;
}

/* Returns the first cycle in which the timing rules of a bank, its group and the channel allow a
 * command. */
static inline uint64_t gddr5_ready(const struct gddr5 *g, const struct gddr5_bank *b,
                                   unsigned cmd) {
    const uint64_t ready = gddr5_bank_ready(g, b, cmd);
    return ready > g->ready[cmd] ? ready : g->ready[cmd];
}

/* ---- queues ---- */

/* True if reads and writes share one list, because of FCFS or a shared queue. */
static inline bool gddr5_one_list(const struct gddr5_size *s) {
    return s->fcfs || s->shared_queue;
}

static inline int gddr5_list(const struct gddr5 *g, bool write) {
    return write && !gddr5_one_list(&g->size) ? WRITES : READS;
}

/* Moves one request from the shared queue to its bank, if any bank can take a request. */
void gddr5_take_next(struct gddr5 *g, uint64_t now);

/* Chooses the bank's next request and command in list `list`. */
void gddr5_choose(struct gddr5 *g, struct gddr5_bank *b, int list);
/* Moves a request whose column command was issued from its bank's list to the requests in flight,
 * where it stays until `done`. */
void gddr5_leave(struct gddr5 *g, uint32_t number, uint64_t done);
/* Marks the oldest request of each list as urgent if it has waited too long and does not wait for
 * another request. */
void gddr5_find_urgent(struct gddr5 *g, uint64_t now);
/* Frees the entries of writes whose data are complete. */
void gddr5_retire_writes(struct gddr5 *g, uint64_t now);

/* ---- commands ---- */

/* Issues the command that the request needs. */
void gddr5_issue(struct gddr5 *g, uint32_t number, enum gddr5_cmd cmd, uint64_t now);
/* Performs the next step of a refresh of all banks (a PREA, or the REF itself), which must be due,
 * if the step is allowed in this cycle. */
void gddr5_refresh(struct gddr5 *g, uint64_t now);
/* Performs the next step of a bank's refresh (a PRE, or the REFpb itself) if the step is due and
 * allowed in this cycle. Returns `now` if the step was performed, otherwise its earliest cycle. */
uint64_t gddr5_refresh_bank(struct gddr5 *g, uint64_t now);

#endif
