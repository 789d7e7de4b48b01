/* SPDX-License-Identifier: Apache-2.0 */
/* Between the L1 TLB of an SM and the GMMU: requests one way, messages the other, in order. */
#ifndef MEMTWIN_TLB_MMU_PORT_H
#define MEMTWIN_TLB_MMU_PORT_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "config/config.h"
#include "lib/alloc.h"
#include "lib/bit_set.h"
#include "lib/fifo.h"
#include "lib/wrap.h"
#include "uvm/uvm.h"

/* Most SMs, and words of a set of SMs (lib/bit_set.h). */
#define MMU_MAX_SMS 512
#define MMU_SM_WORDS (MMU_MAX_SMS / 64)

enum mmu_kind {
    MMU_TRANSLATION, /* the page is in the page table */
    MMU_NACK,        /* Nack-Replayable: it is not, a far-fault */
    MMU_REPLAY,      /* it has come: the far-fault that was tracked is over */
    MMU_AGAIN        /* it was, and has been evicted since: ask again */
};

struct mmu_message {
    uint64_t ready; /* first SM cycle in which the TLB sees it */
    uint32_t page;
    uint8_t kind; /* enum mmu_kind */
    bool tracked; /* of a Nack, and no part of it: what the TLB has to know by counting */
};

/* Far-faults of an SM that the GMMU tracks, as both sides know; UINT32_MAX: any number. One that
 * blocks tracks the fault that the SM waits for and no other. */
static inline uint32_t mmu_far_faults(const struct config *cfg) {
    if (cfg->uvm_faults == FAULTS_BLOCKING)
        return 1;
    return cfg->uvm_far_faults ? (uint32_t)cfg->uvm_far_faults : UINT32_MAX;
}

/* A request: the page whose translation is wanted; replay: it was asked for before, and Nacked. */
#define MMU_REQUEST(page, replay) ((page) << 1 | (uint32_t)(replay))
#define MMU_REQUEST_PAGE(request) ((request) >> 1)
#define MMU_REQUEST_REPLAY(request) ((bool)((request)&1))

struct mmu_port {
    struct fifo ask;        /* requests of the TLB: MMU_REQUEST */
    uint64_t *asking;       /* not owned; of all ports: the set of SMs that ask */
    uint32_t sm;            /* its number there */
    struct mmu_message *to; /* owned; to the TLB, a ring */
    uint32_t head, count, capacity;
    uint64_t next; /* cycle in which the TLB sees the next message; UINT64_MAX: there is none */
};

/* Initialises the port of a TLB that waits for at most `pages` pages at once. */
static inline void mmu_port_init(struct mmu_port *p, uint32_t sm, uint64_t *asking,
                                 uint32_t pages) {
    p->sm = sm;
    p->asking = asking;
    p->head = p->count = 0;
    p->next = UINT64_MAX;
    p->capacity = 2 * pages; /* of each: a Nack, and behind it that the page has come */
    p->to = alloc_zeroed(p->capacity, sizeof *p->to);
    fifo_init(&p->ask, pages);
}

static inline void mmu_port_free(struct mmu_port *p) {
    fifo_free(&p->ask);
    free(p->to);
    p->to = NULL;
}

static inline void mmu_port_ask(struct mmu_port *p, uint32_t page, bool replay) {
    fifo_push(&p->ask, MMU_REQUEST(page, replay));
    bit_set_add(p->asking, p->sm);
}

/* The oldest request leaves. */
static inline void mmu_port_asked(struct mmu_port *p) {
    fifo_pop(&p->ask);
    if (!p->ask.count)
        bit_set_remove(p->asking, p->sm);
}

static inline struct mmu_message *mmu_port_at(const struct mmu_port *p, uint32_t i) {
    return &p->to[wrap(p->head + i, p->capacity)];
}

static inline void mmu_port_tell(struct mmu_port *p, const struct mmu_message *m) {
    assert(p->count < p->capacity);
    *mmu_port_at(p, p->count++) = *m;
    p->next = mmu_port_at(p, 0)->ready;
}

/* The message that is seen in this cycle leaves; there is one. */
static inline struct mmu_message mmu_port_take(struct mmu_port *p) {
    struct mmu_message m = p->to[p->head];
    if (++p->head == p->capacity)
        p->head = 0;
    p->count--;
    p->next = p->count ? mmu_port_at(p, 0)->ready : UINT64_MAX;
    return m;
}

#endif
