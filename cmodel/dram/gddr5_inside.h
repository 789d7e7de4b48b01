/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of a GDDR5 channel share. gddr5_schedule.c has the cycle, and calls
 * gddr5_commands.c and gddr5_queues.c; gddr5.c makes the channel. */
#ifndef MEMTWIN_DRAM_GDDR5_INSIDE_H
#define MEMTWIN_DRAM_GDDR5_INSIDE_H

#include <stddef.h>

#include "dram/gddr5.h"
#include "lib/wrap.h"

/* A request, from its push until its data have left. */
struct entry {
    uint64_t row;
    uint64_t order;   /* of arrival */
    uint64_t arrived; /* cycle */
    uint32_t bank, col, tag;
    uint32_t prev, next; /* in its bank's list, while its column command is not issued; free list */
    uint32_t before, after; /* in the order of arrival, while its column command is not issued */
    uint32_t waits_for;     /* an older request of the other kind to the same place */
    uint32_t served_before, older; /* of its list, at its arrival: requests served, and waiting */
    bool write;
    bool awaited;    /* another waits for it */
    bool started;    /* a command was issued for it */
    bool closed_row; /* a PRE was issued for it */
    bool opened_row; /* an ACT was issued for it */
};

/* Requests of one kind that wait in one bank, oldest first. */
struct waiting {
    uint32_t first, last, count;
    uint32_t served;
    /* What the bank would do next for them; entry GDDR5_NONE: nothing. */
    uint32_t entry;
    uint8_t cmd;
    uint64_t order; /* of that entry */
};

/* What a command puts off: each `to` once. */
struct gaps {
    uint32_t n;
    struct gap {
        uint32_t to, distance;
    } gap[GDDR5_CMDS];
};

struct bank {
    uint64_t ready[GDDR5_CMDS];
    uint64_t row;
    struct waiting waiting[2];
    uint32_t group;
    uint32_t taken;   /* request that it has taken out of the queue; GDDR5_NONE */
    uint32_t serving; /* requests that have begun and whose data have not left */
    bool open;
};

/* Column commands whose data are on their way, in order. */
struct flight {
    struct landing {
        uint64_t done;
        uint32_t entry;
    } * slot;      /* owned */
    uint64_t done; /* of the first; UINT64_MAX: there is none */
    uint32_t head, count, capacity;
};

/* n-th of them. */
static inline struct landing *gddr5_landing(const struct flight *f, uint32_t n) {
    return &f->slot[wrap(f->head + n, f->capacity)];
}

enum { READS, WRITES };

struct gddr5 {
    struct gddr5_size size;
    struct gddr5_timing timing;
    struct gaps gap[GDDR5_SCOPES][GDDR5_CMDS]; /* rules with back = 1, by `from` */
    struct gddr5_rule window[2];               /* rules between ACTs with back > 1 */
    unsigned windows;
    uint64_t acts[GDDR5_WINDOW]; /* cycles of the last ACTs */
    uint64_t n_acts;
    uint64_t ready[GDDR5_CMDS]; /* channel */
    uint64_t group_ready[GDDR5_MAX_BANKS][GDDR5_CMDS];
    struct bank bank[GDDR5_MAX_BANKS];
    uint64_t able[2];             /* banks with a command that serves reads, writes */
    uint64_t want[2][GDDR5_CMDS]; /* banks in `able` by their next command */
    uint64_t open;                /* banks with an open row */
    uint64_t takers;              /* banks that can take a request */
    uint32_t turn;                /* bank with the highest priority */
    struct {
        uint32_t first, last;
    } arrivals[2];       /* oldest and youngest waiting request, or GDDR5_NONE */
    uint32_t urgent[2];  /* the oldest if it has waited longer than `patience`, or GDDR5_NONE */
    uint64_t patience;   /* CK */
    uint64_t urgent_due; /* lower bound of the CK in which the next request becomes urgent */
    uint32_t run_for;    /* the run of this mode ends after it; GDDR5_NONE */
    uint64_t group_banks[GDDR5_MAX_BANKS];
    uint32_t ready_requests[2]; /* waiting, and for no other request */
    uint32_t waiting[2];
    uint32_t held[2];
    uint32_t served; /* column commands since the mode was entered */
    int mode;
    uint32_t drain_to;   /* a run of writes continues while more than this number of writes wait */
    struct entry *entry; /* owned */
    uint32_t free;
    struct flight flight[2];
    uint64_t orders, next, refresh_due;
    bool foresees;    /* no command can go before look_at: a queue that banks take from, in which
                         no request becomes urgent and no bank is refreshed by itself */
    uint64_t look_at; /* may be too early */
    uint64_t bank_refresh_due;
    uint32_t refresh_bank; /* whose turn it is */
    struct gddr5_stats stats;
    gddr5_trace_fn trace;
    void *trace_ctx;
};

/* ---- rules ---- */

void gddr5_compile_rules(struct gddr5 *g);

/* The cycle from which the rules of a bank and its group let a command go there; and with those of
 * the channel. */
static inline uint64_t gddr5_bank_ready(const struct gddr5 *g, const struct bank *b, unsigned cmd) {
    const uint64_t at = b->ready[cmd], group = g->group_ready[b->group][cmd];
    return at > group ? at : group;
}

static inline uint64_t gddr5_ready(const struct gddr5 *g, const struct bank *b, unsigned cmd) {
    const uint64_t at = gddr5_bank_ready(g, b, cmd);
    return at > g->ready[cmd] ? at : g->ready[cmd];
}

/* ---- queues ---- */

/* FCFS and one queue keep reads and writes in one list. */
static inline bool gddr5_one_list(const struct gddr5_size *s) {
    return s->fcfs || s->queue != GDDR5_SPLIT;
}

static inline int gddr5_list(const struct gddr5 *g, bool write) {
    return write && !gddr5_one_list(&g->size) ? WRITES : READS;
}

/* One bank takes a request, if any can. */
void gddr5_take_next(struct gddr5 *g, uint64_t now);

/* What the bank would do next for the requests in that list. */
void gddr5_choose(struct gddr5 *g, struct bank *b, int list);
/* Its column command has gone: it leaves its bank's list for those on their way, until `done`. */
void gddr5_leave(struct gddr5 *g, uint32_t number, uint64_t done);
/* The oldest requests become urgent when they have waited for too long, unless for another. */
void gddr5_find_urgent(struct gddr5 *g, uint64_t now);
/* Writes whose data are done give their entries back. */
void gddr5_retire_writes(struct gddr5 *g, uint64_t now);

/* ---- commands ---- */

/* The command that this request needs. */
void gddr5_issue(struct gddr5 *g, uint32_t number, enum gddr5_cmd cmd, uint64_t now);
/* A refresh is due: all banks are closed, then it is made. */
void gddr5_refresh(struct gddr5 *g, uint64_t now);
/* The next step of a REFpb: a PRE or the REFpb itself, if it may go now. Returns the cycle of that
 * step: `now` if it was made. */
uint64_t gddr5_refresh_bank(struct gddr5 *g, uint64_t now);

#endif
