/* What all parts of one system share: the instant, the packets, the data check, faults and
 * failures. */
#ifndef MEMTWIN_GPU_FRAME_H
#define MEMTWIN_GPU_FRAME_H

#include <stdbool.h>
#include <stdint.h>

#include "check/check.h"
#include "config/config.h"
#include "lib/packet.h"

#define FRAME_ERROR_MAX 200
/* SM cycle from which a planted fault (sim.plant) shows at the first opportunity. */
#define FRAME_PLANT_FROM 2000

enum frame_fault {
    FRAME_OK,
    FRAME_BROKEN,    /* the memory system did what it must never do */
    FRAME_BAD_INPUT, /* the workload asked for what cannot be */
    FRAME_INTERNAL   /* neither's fault: out of memory */
};

struct frame {
    uint64_t now;      /* instants with an edge so far: a packet makes at most one hop in each */
    uint64_t progress; /* grows whenever anything issues or moves */
    uint64_t sm_cycle;
    uint64_t ctas_ended; /* over all SMs */
    struct packet_pool pool;
    struct check *check; /* not owned; NULL: no check */
    bool carry;          /* data move with the packets */
    struct uvm *uvm;     /* not owned; NULL: pages do not come and go (uvm.mode is not paged) */
    uint32_t version;    /* of the last store */
    int plant;           /* PLANT_ */
    bool planted;        /* the planted fault has changed something */
    uint64_t plant_line; /* the line that it concerns; ~0: none */
    enum frame_fault fault;
    char error[FRAME_ERROR_MAX]; /* one line, for the first fault */
};

/* Records the first fault; the run ends after this cycle. */
void frame_fail(struct frame *f, enum frame_fault fault, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* True for the one opportunity at which the planted fault of this kind is to show. */
static inline bool frame_plant(struct frame *f, int kind) {
    if (f->plant != kind || f->planted || f->sm_cycle < FRAME_PLANT_FROM)
        return false;
    f->planted = true;
    return true;
}

/* A planted fault that stays (broken logic, not a single upset). Who asks sets `planted` once it
 * has changed something. */
static inline bool frame_plant_stuck(const struct frame *f, int kind) {
    return f->plant == kind && f->sm_cycle >= FRAME_PLANT_FROM;
}

#endif
