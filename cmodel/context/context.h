/* SPDX-License-Identifier: Apache-2.0 */
/* The context of a simulation, which all parts of one system share: the instant, the requests, the
 * data check, planted faults and failures. */
#ifndef MEMTWIN_CONTEXT_CONTEXT_H
#define MEMTWIN_CONTEXT_CONTEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "block/block_part.h"
#include "context/watcher.h"
#include "lib/request.h"

/* sim.plant */
enum {
    PLANT_NONE,
    PLANT_LOSE_STORE,
    PLANT_STALE_LINE,
    PLANT_DOUBLE_REPLY,
    PLANT_LOSE_REPLY,
    PLANT_LOSE_LANE,
    PLANT_LOST_UPDATE,
    PLANT_NO_SHOOTDOWN,
    PLANT_LOSE_PAGE,
    PLANT_LOSE_ARRIVAL,
    PLANT_LOSE_FRAME,
    PLANT_KEEP_LINES,
    PLANT_WRONG_BANK,
    PLANT_WRONG_REST,
    PLANT_WRONG_SET,
    PLANT_WRONG_SIZE,
    PLANT_LOSE_EXPIRY
};

struct check;
struct uvm;

#define CONTEXT_ERROR_MAX 200
/* SM cycle from which a planted fault (sim.plant) shows at the first opportunity. */
#define CONTEXT_PLANT_FROM 2000

enum context_fault {
    CONTEXT_OK,
    CONTEXT_BROKEN,    /* the memory system violated its contract */
    CONTEXT_BAD_INPUT, /* the workload made an impossible request */
    CONTEXT_INTERNAL   /* a part of the model is inconsistent */
};

/* A line whose L2 bank is to be drawn. */
struct undrawn {
    uint64_t line;
    uint32_t packet; /* request that needs it, or REQUEST_NONE */
};

struct context {
    uint64_t now;      /* instants with an edge so far; a request makes at most one hop in each */
    uint64_t progress; /* grows whenever anything issues or moves */
    uint64_t sm_cycle;
    uint64_t
        time; /* in SM cycles: that of this instant, or the next if the SMs have no edge in it */
    uint64_t ctas_ended; /* over all SMs */
    uint64_t sms_due;    /* SM cycle in which every SM has to be ticked */
    uint64_t dram_cycle; /* of the DRAM channels, the last one ticked; counts from 1 */
    uint64_t dram_at;    /* instant of that tick */
    uint64_t dram_next;  /* first cycle in which a tick of a channel may do anything */
    struct request_pool pool;
    /* With several threads: lines whose L2 bank is drawn after the cycle of all SMs, in the order
     * of the requests. Not owned; NULL: draw at once. */
    struct undrawn *undrawn;
    uint32_t n_undrawn, undrawn_room;
    struct block_list blocks;      /* all hardware blocks, registered by their owners */
    struct check *check;           /* not owned; NULL: no check */
    const struct watcher *watcher; /* not owned; NULL if there is no watcher */
    bool carry;                    /* requests carry data */
    struct uvm *uvm;     /* not owned; NULL if pages do not move (uvm.mode is not paged) */
    uint32_t version;    /* of the last store */
    int plant;           /* PLANT_ */
    bool planted;        /* the planted fault has changed something */
    uint64_t plant_line; /* the line with the planted fault; ~0: none */
    enum context_fault fault;
    char error[CONTEXT_ERROR_MAX]; /* one line, for the first fault */
};

/* Records the first fault; the run ends after this cycle. */
void context_fail(struct context *c, enum context_fault fault, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* True for the one opportunity at which the planted fault of this kind takes effect. */
static inline bool context_plant(struct context *c, int kind) {
    if (c->plant != kind || c->planted || c->sm_cycle < CONTEXT_PLANT_FROM)
        return false;
    c->planted = true;
    return true;
}

/* Whether a permanent planted fault is active (broken logic, not a single upset). The caller sets
 * `planted` once the fault has changed something. */
static inline bool context_plant_stuck(const struct context *c, int kind) {
    return c->plant == kind && c->sm_cycle >= CONTEXT_PLANT_FROM;
}

#endif
