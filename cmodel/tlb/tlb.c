// SPDX-License-Identifier: Apache-2.0
#include "tlb/tlb.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"

#define NONE LRU_NONE

/* ---- creation and destruction ---- */

static void init_tables(struct tlb *t, const struct config *cfg) {
    t->misses = t->n_free = (uint32_t)cfg->tlb_l1_misses;
    t->places = t->room = (uint32_t)cfg->tlb_l1_waiting;
    t->miss = alloc_zeroed(t->misses, sizeof *t->miss);
    t->parked = alloc_zeroed(t->places, sizeof *t->parked);
    lru_table_init(&t->missing, t->misses, t->misses, LRU_MODULO);
    for (uint32_t i = 0; i < t->places; i++)
        t->parked[i].next = i + 1 < t->places ? i + 1 : NONE;
    t->free = 0;
}

void tlb_init(struct tlb *t, const struct config *cfg, struct context *context, struct uvm *uvm,
              struct mmu_port *port, uint32_t sm, struct stats *stats) {
    *t = (struct tlb){
        .context = context,
        .uvm = uvm,
        .pages = uvm_pages(uvm),
        .stats = stats,
        .port = port,
        .sm = sm,
        .blocking = cfg->uvm_faults == FAULTS_BLOCKING,
        .limit = mmu_far_faults(cfg),
        .ready_first = NONE,
        .ready_last = NONE,
    };
    lru_table_init(&t->entries, (uint32_t)cfg->tlb_l1_entries, (uint32_t)cfg->tlb_l1_entries,
                   LRU_MODULO);
    init_tables(t, cfg);
}

void tlb_free(struct tlb *t) {
    lru_table_free(&t->entries);
    lru_table_free(&t->missing);
    free(t->miss);
    free(t->parked);
    memset(t, 0, sizeof *t);
}

/* ---- parked accesses ---- */

/* Appends the linked slots from `first` to `last` to a chain. */
static void append_chain(struct tlb *t, uint32_t *chain_first, uint32_t *chain_last, uint32_t first,
                         uint32_t last) {
    *(*chain_first == NONE ? chain_first : &t->parked[*chain_last].next) = first;
    *chain_last = last;
}

static void hold(struct tlb *t, const struct request *a) {
    uvm_hold(t->uvm, a->line, a->kind != REQUEST_LOAD);
    stat_add(t->stats, STAT_tlb_accesses, 1);
}

/* Parks the access. There must be a free place. */
static void park(struct tlb *t, struct tlb_miss *m, const struct request *a, uint64_t cycle) {
    uint32_t slot = t->free;
    t->free = t->parked[slot].next;
    t->room--;
    t->parked[slot] = (struct tlb_parked){*a, cycle, NONE};
    t->parked[slot].access.sm.parked = true;
    append_chain(t, &m->first, &m->last, slot, slot);
    t->context->progress++;
}

/* Removes the oldest ready access. */
static void unpark_access(struct tlb *t) {
    uint32_t slot = t->ready_first;
    t->ready_first = t->parked[slot].next;
    t->parked[slot].next = t->free;
    t->free = slot;
    t->room++;
}

/* ---- the miss table ---- */

static uint32_t page_of(const struct tlb *t, uint32_t miss) {
    return t->missing.slot[miss].key;
}

/* Returns the slot of the page's miss, or NONE if there is no miss. */
static uint32_t find_miss(const struct tlb *t, uint32_t page) {
    return t->n_free == t->misses ? NONE : lru_table_find(&t->missing, page);
}

static void ask_gmmu(struct tlb *t, uint32_t miss) {
    t->miss[miss].state = TLB_ASKED;
    mmu_port_ask(t->port, page_of(t, miss), t->miss[miss].faulted);
}

/* Opens a miss, requests its translation and returns its slot. There must be a free slot. */
static uint32_t open_miss(struct tlb *t, uint32_t page) {
    lru_table_insert(&t->missing, page);
    t->n_free--;
    uint32_t miss = find_miss(t, page);
    t->miss[miss] = (struct tlb_miss){.order = t->order++, .first = NONE, .last = NONE};
    ask_gmmu(t, miss);
    return miss;
}

static uint32_t oldest_untracked(const struct tlb *t) {
    uint32_t oldest = NONE;
    for (uint32_t i = 0; i < t->misses; i++)
        if (t->miss[i].state == TLB_UNTRACKED &&
            (oldest == NONE || t->miss[i].order < t->miss[oldest].order))
            oldest = i;
    return oldest;
}

/* Repeats the requests of untracked far-faults while the GMMU can track them. */
static void ask_again(struct tlb *t) {
    while (t->untracked && t->tracked + t->asked_again < t->limit) {
        uint32_t miss = oldest_untracked(t);
        t->untracked--;
        t->asked_again++;
        t->miss[miss].again = true;
        stat_add(t->stats, STAT_tlb_replays, 1);
        ask_gmmu(t, miss);
    }
}

/* ---- messages ---- */

/* Records the reply to the request of a miss. */
static void answered(struct tlb *t, struct tlb_miss *m) {
    t->asked_again -= m->again;
    m->again = false;
}

/* Makes the accesses of a miss ready for the L1D, after the accesses that are already ready. */
static void release_parked(struct tlb *t, const struct tlb_miss *m, uint64_t cycle) {
    for (uint32_t slot = m->first; slot != NONE; slot = t->parked[slot].next) {
        struct tlb_parked *p = &t->parked[slot];
        hold(t, &p->access);
        p->access.sm.translating = (uint32_t)(cycle - p->since);
        stat_add(t->stats, STAT_tlb_wait, p->access.sm.translating);
    }
    append_chain(t, &t->ready_first, &t->ready_last, m->first, m->last);
}

static void take_translation(struct tlb *t, uint32_t miss, uint64_t cycle) {
    struct tlb_miss *m = &t->miss[miss];
    uint32_t page = page_of(t, miss);
    answered(t, m);
    t->faulted -= m->faulted;
    lru_table_insert(&t->entries, page);
    release_parked(t, m, cycle);
    if (m->waits)
        t->pages->page[page].waiters--;
    m->state = TLB_FREE;
    lru_table_remove(&t->missing, page);
    t->n_free++;
}

/* Handles a Nack. No message says whether the GMMU tracks the fault, so the TLB derives this by
 * counting. `truth` is used only to check the result. */
static void take_nack(struct tlb *t, uint32_t miss, bool truth) {
    struct tlb_miss *m = &t->miss[miss];
    bool tracked = t->tracked < t->limit;
    answered(t, m);
    t->faulted += !m->faulted;
    m->faulted = true;
    m->waits = tracked;
    m->state = tracked ? TLB_TRACKED : TLB_UNTRACKED;
    *(tracked ? &t->tracked : &t->untracked) += 1;
    stat_add(t->stats, STAT_tlb_nacks, 1);
    stat_add(t->stats, STAT_tlb_nacks_untracked, !tracked);
    if (tracked != truth)
        context_fail(t->context, CONTEXT_BROKEN,
                     "SM %u: the TLB wrongly considers the fault on page %u %stracked",
                     (unsigned)t->sm, (unsigned)page_of(t, miss), tracked ? "" : "un");
}

static void take_replay(struct tlb *t, uint32_t miss) {
    t->tracked--;
    stat_add(t->stats, STAT_tlb_replays, 1);
    ask_gmmu(t, miss);
}

/* True if the message is valid in the state of the miss. */
static bool is_expected(const struct tlb *t, uint32_t miss, const struct mmu_message *m) {
    if (miss != NONE && t->miss[miss].state == (m->kind == MMU_REPLAY ? TLB_TRACKED : TLB_ASKED))
        return true;
    context_fail(t->context, CONTEXT_BROKEN, "SM %u: unexpected message %u for page %u",
                 (unsigned)t->sm, (unsigned)m->kind, (unsigned)m->page);
    return false;
}

static void take_message(struct tlb *t, uint64_t cycle) {
    if (t->port->next > cycle)
        return;
    const struct mmu_message m = mmu_port_take(t->port);
    uint32_t miss = find_miss(t, m.page);
    if (!is_expected(t, miss, &m))
        return;
    switch ((enum mmu_kind)m.kind) {
    case MMU_TRANSLATION:
        take_translation(t, miss, cycle);
        break;
    case MMU_NACK:
        take_nack(t, miss, m.tracked);
        break;
    case MMU_REPLAY:
        take_replay(t, miss);
        break;
    case MMU_AGAIN:
        ask_gmmu(t, miss);
        break;
    }
    ask_again(t);
    t->context->progress++;
}

/* ---- an access ---- */

static void count_refusal(struct tlb *t, uint64_t cycles) {
    stat_add(t->stats, STAT_tlb_refusals, cycles);
    stat_add(t->stats, t->reason, cycles);
}

static const struct request *refuse_access(struct tlb *t, enum stat_id reason) {
    t->refused = true;
    t->reason = reason;
    count_refusal(t, 1);
    return NULL;
}

static const struct request *let_through(struct tlb *t, const struct request *head) {
    t->offers = TLB_OFFERS_HEAD;
    return head;
}

/* Parks the access until its translation arrives, or refuses it. Returns NULL, because no access is
 * offered in this cycle. */
static const struct request *wait(struct tlb *t, uint32_t miss, uint32_t page,
                                  const struct request *head, uint64_t cycle, bool *took) {
    if (miss == NONE && !t->n_free)
        return refuse_access(t, STAT_tlb_refusals_misses);
    if (!t->room)
        return refuse_access(t, STAT_tlb_refusals_waiting);
    stat_add(t->stats, miss == NONE ? STAT_tlb_misses : STAT_tlb_merges, 1);
    park(t, &t->miss[miss == NONE ? open_miss(t, page) : miss], head, cycle);
    *took = true;
    return NULL;
}

static const struct request *look_up(struct tlb *t, const struct request *head, uint64_t cycle,
                                     bool *took) {
    uint32_t page = pages_of_line(t->pages, head->line);
    if (page == PAGE_NONE)
        return let_through(t, head);
    if (t->blocking && t->faulted)
        return refuse_access(t, STAT_tlb_refusals_blocked);
    uint32_t miss = find_miss(t, page);
    if (miss != NONE || !lru_table_touch(&t->entries, page))
        return wait(t, miss, page, head, cycle, took);
    hold(t, head);
    stat_add(t->stats, STAT_tlb_hits, 1);
    return let_through(t, head);
}

/* ---- the stage ---- */

static const struct request *first_ready(const struct tlb *t) {
    return &t->parked[t->ready_first].access;
}

static const struct request *offer_access(void *stage, const struct request *head, uint64_t cycle,
                                          bool *took) {
    struct tlb *t = stage;
    *took = t->refused = false;
    take_message(t, cycle);
    if (t->offers == TLB_OFFERS_HEAD)
        return head;
    if (t->ready_first != NONE) {
        t->offers = TLB_OFFERS_PARKED;
        return first_ready(t);
    }
    return head ? look_up(t, head, cycle, took) : NULL;
}

static bool take_offer(void *stage) {
    struct tlb *t = stage;
    bool head = t->offers == TLB_OFFERS_HEAD;
    if (!head)
        unpark_access(t);
    t->offers = TLB_OFFERS_NONE;
    return head;
}

/* If n is 1, predicts the request after the offer. This is the next ready access, or else the
 * next access from the previous stage, because most accesses hit in the TLB. If a pipeline
 * follows the TLB (l1d.model=gpgpusim), there may be no offer. */
static const struct request *peek_access(const void *stage, uint32_t n,
                                         const struct request *const before[2]) {
    const struct tlb *t = stage;
    const bool head = t->offers == TLB_OFFERS_HEAD, parked = t->offers == TLB_OFFERS_PARKED;
    if (n == 0)
        return head ? before[0] : parked ? first_ready(t) : NULL;
    const uint32_t ready = parked ? t->parked[t->ready_first].next : t->ready_first;
    if (ready != NONE)
        return &t->parked[ready].access;
    return head ? before[1] : before[0];
}

/* Returns the cycle of the next event if no message arrives, or UINT64_MAX. A refused head is
 * refused again until a message arrives. */
static uint64_t next_event(const void *stage, const struct request *head, uint64_t cycle) {
    const struct tlb *t = stage;
    bool acts = t->offers == TLB_OFFERS_NONE && (t->ready_first != NONE || (head && !t->refused));
    return acts ? cycle : UINT64_MAX;
}

static void advance_stage(void *stage, const struct request *head, uint64_t cycles) {
    struct tlb *t = stage;
    (void)head;
    if (t->refused)
        count_refusal(t, cycles);
}

static bool is_empty(const void *stage) {
    return tlb_empty(stage);
}

static const struct stage_type tlb_type = {
    .offer = offer_access,
    .take = take_offer,
    .peek = peek_access,
    .next_event = next_event,
    .advance = advance_stage,
    .empty = is_empty,
    .parks = true,
};

struct stage tlb_stage(struct tlb *t) {
    return (struct stage){.type = &tlb_type, .state = t, .input = &t->port->next};
}

/* ---- evictions ---- */

/* Removes the page's entry. Accesses that already have the translation continue to the L1D. */
void tlb_shoot(struct tlb *t, uint32_t page) {
    stat_add(t->stats, STAT_tlb_shootdowns, lru_table_remove(&t->entries, page));
}

/* ---- dump ---- */

void tlb_dump(const struct tlb *t, FILE *out) {
    static const char *const state_name[] = {"", "requested", "tracked", "not tracked"};
    if (tlb_empty(t))
        return;
    fprintf(out, "sm.%u tlb %u/%u accesses wait, far-faults tracked %u, requested again %u%s:",
            (unsigned)t->sm, (unsigned)(t->places - t->room), (unsigned)t->places,
            (unsigned)t->tracked, (unsigned)t->asked_again,
            t->blocking && t->faulted ? ", blocked" : "");
    for (uint32_t i = 0; i < t->misses; i++)
        if (t->miss[i].state != TLB_FREE)
            fprintf(out, " [page %u %s]", (unsigned)page_of(t, i), state_name[t->miss[i].state]);
    fputc('\n', out);
}
