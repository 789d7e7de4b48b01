/* SPDX-License-Identifier: Apache-2.0 */
/* Defines the context of a simulation, which all parts of a system share: the current instant, the
 * request pool, the data check, planted faults and errors. */
#ifndef MEMTWIN_CONTEXT_CONTEXT_H
#define MEMTWIN_CONTEXT_CONTEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "block/block_part.h"
#include "context/watcher.h"
#include "lib/request.h"
#include "config/values.def"

/* Values of sim.planted_fault. */
enum { SIM_PLANTED_FAULT_VALUES(VALUE_ENUMERATOR) };

struct check;
struct uvm;

/* First SM cycle in which a planted fault (sim.planted_fault) may take effect. */
#define CONTEXT_PLANT_FROM 2000

enum context_fault {
    CONTEXT_OK,
    CONTEXT_BROKEN,    /* the memory system violated its contract */
    CONTEXT_BAD_INPUT, /* the workload made an impossible request */
    CONTEXT_INTERNAL   /* a part of the model is inconsistent */
};

struct context {
    uint64_t now;      /* number of instants so far; a request makes at most one hop per instant */
    uint64_t progress; /* changes whenever anything issues or moves */
    uint64_t sm_cycle;
    uint64_t time; /* SM cycle of this instant, or the next SM cycle if the SMs have no clock edge
                      in this instant */
    uint64_t ctas_ended;   /* number of CTAs that have ended on all SMs */
    uint64_t sms_due;      /* SM cycle in which every SM must be ticked */
    uint64_t dram_cycle;   /* cycle of the last tick of the DRAM channels, counted from 1 */
    uint64_t dram_at;      /* instant of the last tick of the DRAM channels */
    uint64_t dram_replies; /* number of replies in the reply queues of all channels */
    uint64_t dram_next;    /* first DRAM cycle in which a tick of a channel may change state */
    struct request_pool pool;
    struct block_list blocks;         /* all hardware blocks, registered by their owners */
    struct check *check;              /* not owned; NULL if there is no check */
    const struct watcher *watcher;    /* not owned; NULL if there is no watcher */
    const struct load_watcher *loads; /* not owned; NULL if loads are not watched */
    bool carry;                       /* requests carry data */
    struct uvm *uvm;     /* not owned; NULL if pages do not move (uvm.mode is not paged) */
    uint32_t version;    /* version of the last store */
    int plant;           /* kind of the planted fault (PLANT_...) */
    bool plant_made;     /* the planted fault has taken effect */
    uint64_t plant_line; /* line with the planted fault, or ~0 if there is none */
    enum context_fault fault;
    struct error error; /* message of the first fault */
};

/* Records the fault if it is the first one. The run ends after this cycle. */
void context_fail(struct context *c, enum context_fault fault, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Returns true once, when the planted fault of this kind takes effect. */
static inline bool context_plant(struct context *c, int kind) {
    if (c->plant != kind || c->plant_made || c->sm_cycle < CONTEXT_PLANT_FROM)
        return false;
    c->plant_made = true;
    return true;
}

/* True if a permanent planted fault (broken logic, not a single upset) is active. The caller sets
 * `plant_made` once the fault has changed something. */
static inline bool context_plant_stuck(const struct context *c, int kind) {
    return c->plant == kind && c->sm_cycle >= CONTEXT_PLANT_FROM;
}

#endif
