/* SPDX-License-Identifier: Apache-2.0 */
/* Port between the L1 TLB of an SM and the GMMU. It carries requests to the GMMU and messages to
 * the TLB. Requests stay in order, and so do messages. */
#ifndef MEMTWIN_TLB_MMU_PORT_H
#define MEMTWIN_TLB_MMU_PORT_H

#include <stdbool.h>
#include <stdint.h>

#include "config/config.h"
#include "lib/bit_set.h"
#include "lib/ring.h"
#include "uvm/uvm.h"

/* Maximum number of SMs, and number of words in a set of SMs (lib/bit_set.h). */
#define MMU_MAX_SMS 512
#define MMU_SM_WORDS (MMU_MAX_SMS / 64)

enum mmu_kind {
    MMU_TRANSLATION, /* the page is in the page table */
    MMU_NACK,        /* Nack-Replayable (far-fault): the page is not in the page table */
    MMU_REPLAY,      /* the page has arrived: the tracked far-fault is over */
    MMU_AGAIN        /* the page arrived, but has since been evicted: it must be requested again */
};

struct mmu_message {
    uint64_t ready; /* first SM cycle in which the TLB sees the message */
    uint32_t page;
    uint8_t kind; /* enum mmu_kind */
    bool tracked; /* for a Nack: true if the far-fault is tracked; used only as a check, because the
                     TLB derives this by counting */
};

/* Returns the maximum number of tracked far-faults per SM, or UINT32_MAX if there is no limit.
 * The maximum is the same for the TLB and the GMMU. A blocking TLB has only the far-fault that
 * the SM waits for. */
static inline uint32_t mmu_far_faults(const struct config *cfg) {
    if (cfg->uvm_faults == FAULTS_BLOCKING)
        return 1;
    return cfg->uvm_far_faults ? (uint32_t)cfg->uvm_far_faults : UINT32_MAX;
}

/* Request for a page's translation. `replay` is true if an earlier request for the translation
 * was Nacked. */
#define MMU_REQUEST(page, replay) ((page) << 1 | (uint32_t)(replay))
#define MMU_REQUEST_PAGE(request) ((request) >> 1)
#define MMU_REQUEST_REPLAY(request) ((bool)((request)&1))

struct mmu_port {
    RING(uint32_t) ask; /* requests of the TLB, made with MMU_REQUEST */
    uint64_t *asking;   /* not owned; set of SMs with a request, shared by all ports */
    uint32_t sm;        /* index of the SM */
    RING(struct mmu_message) messages; /* messages to the TLB */
    uint64_t next; /* cycle in which the TLB sees the next message, or UINT64_MAX */
};

/* Initializes the port of a TLB that waits for at most `pages` pages at a time. */
static inline void mmu_port_init(struct mmu_port *p, uint32_t sm, uint64_t *asking,
                                 uint32_t pages) {
    p->sm = sm;
    p->asking = asking;
    p->next = UINT64_MAX;
    ring_init(&p->messages, 2 * pages); /* for each page, a Nack and the page's arrival */
    ring_init(&p->ask, pages);
}

static inline void mmu_port_free(struct mmu_port *p) {
    ring_free(&p->ask);
    ring_free(&p->messages);
}

static inline void mmu_port_ask(struct mmu_port *p, uint32_t page, bool replay) {
    ring_push(&p->ask, MMU_REQUEST(page, replay));
    bit_set_add(p->asking, p->sm);
}

/* Removes the oldest request. */
static inline void mmu_port_asked(struct mmu_port *p) {
    ring_drop(&p->ask);
    if (!p->ask.count)
        bit_set_remove(p->asking, p->sm);
}

static inline void mmu_port_tell(struct mmu_port *p, const struct mmu_message *m) {
    ring_push(&p->messages, *m);
    p->next = ring_first(&p->messages)->ready;
}

/* Removes and returns the message visible in this cycle. There must be a message. */
static inline struct mmu_message mmu_port_take(struct mmu_port *p) {
    struct mmu_message m = ring_pop(&p->messages);
    p->next = p->messages.count ? ring_first(&p->messages)->ready : UINT64_MAX;
    return m;
}

#endif
