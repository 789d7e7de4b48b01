// SPDX-License-Identifier: Apache-2.0
#include "sm/lanes.h"
#include "check/check.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "mrpb/mrpb.h"

#define MAX_TOUCHED (WARP_LANES * 4) /* four words of local memory per lane */

/* Line, or part of a line, that the instruction's lanes touch. */
struct touched {
    uint64_t line;
    uint8_t part;             /* index of the part (sector or segment) in the line */
    uint8_t half;             /* half of the warp if the halves of an atomic are separate, else 0 */
    uint8_t byte[LINE_BYTES]; /* number of lanes per byte; at most 1 in a load or store */
    uint8_t times;            /* number of accesses needed: the maximum of `byte` */
    uint8_t entered, answered; /* number of accesses that have entered; with a response */
};

struct sm_account {
    enum warp_op op;
    bool local, result;      /* result: true for a load, or an atomic with a result */
    bool begun;              /* true if an access has entered */
    bool passes;             /* true for a load that may enter before older loads; `id` is valid */
    uint32_t id;             /* load table entry, valid if `begun` or `passes` is true */
    uint32_t part_bytes;     /* bytes per part of a line: a sector, a segment, or a line */
    uint32_t n;              /* number of entries in `touched` */
    uint32_t left;           /* number of accesses that have not entered */
    struct sm_account *next; /* next younger instruction in its queue */
    struct touched touched[MAX_TOUCHED];
};

/* Instructions with accesses that have not entered, oldest first. */
struct account_queue {
    struct sm_account *first, *last;
};

/* Access that waits for its translation. */
struct parked {
    struct lanes_access access;
    struct parked *next; /* next younger access */
};

struct lanes {
    struct check *check; /* not owned */
    unsigned sm, warps;
    unsigned cta_warps, all_warps; /* of a CTA, of the machine (lanes_interleave), or 0 */
    int64_t coalesce;              /* sm.coalesce */
    bool descending;               /* true if accesses come in the reverse order (sm.model) */
    uint64_t insts, count;         /* maximum and current number of instructions */
    uint32_t loads, queues;
    struct account_queue *queue; /* owned, with the records in it */
    struct sm_account *load;     /* owned; one per load table entry; n is 0 if the entry is free */
    struct parked *parked;       /* owned; oldest first */
};

struct lanes *lanes_create(struct check *check, const struct config *cfg, unsigned sm) {
    struct lanes *l = alloc_zeroed(1, sizeof *l);
    *l = (struct lanes){
        .check = check,
        .sm = sm,
        .warps = (unsigned)cfg->sm_warps,
        .coalesce = cfg->sm_coalesce,
        .descending = cfg->sm_model == MODEL_GPGPUSIM,
        .insts = (uint64_t)(cfg->sm_lsu_queue + cfg->l1d_mrpb_queues * MRPB_DEPTH),
        .loads = (uint32_t)cfg->sm_pending_loads,
        .queues = cfg->l1d_mrpb_queues ? (uint32_t)cfg->l1d_mrpb_queues : 1,
    };
    l->queue = alloc_zeroed(l->queues, sizeof *l->queue);
    l->load = alloc_zeroed(l->loads, sizeof *l->load);
    return l;
}

/* Removes the oldest instruction of the queue. */
static void drop_first(struct lanes *l, struct account_queue *q) {
    struct sm_account *a = q->first;
    q->first = a->next;
    l->count--;
    free(a);
}

/* Removes the parked access that `link` points to. */
static void drop_parked(struct parked **link) {
    struct parked *p = *link;
    *link = p->next;
    free(p);
}

void lanes_destroy(struct lanes *l) {
    if (!l)
        return;
    for (uint32_t i = 0; i < l->queues; i++)
        while (l->queue[i].first)
            drop_first(l, &l->queue[i]);
    while (l->parked)
        drop_parked(&l->parked);
    free(l->queue);
    free(l->load);
    free(l);
}

static const char *name_of(enum warp_op op) {
    return op == WARP_LOAD ? "load" : op == WARP_STORE ? "store" : "atomic";
}

static uint32_t part_bytes_of(const struct lanes *l, const struct warp_inst *inst) {
    if (l->coalesce == COALESCE_SECTOR || (l->coalesce == COALESCE_SEGMENT && inst->size == 1))
        return 32;
    return l->coalesce == COALESCE_SEGMENT && inst->size == 2 ? 64 : LINE_BYTES;
}

static struct touched *find_touched(struct sm_account *a, uint64_t line, unsigned offset,
                                    unsigned half) {
    for (uint32_t i = 0; i < a->n; i++)
        if (a->touched[i].line == line && a->touched[i].part == offset / a->part_bytes &&
            a->touched[i].half == half)
            return &a->touched[i];
    return NULL;
}

static void touch_bytes(struct sm_account *a, uint64_t addr, unsigned half) {
    unsigned offset = addr % LINE_BYTES;
    struct touched *t = find_touched(a, addr / LINE_BYTES, offset, half);
    if (!t) {
        if (a->n == MAX_TOUCHED)
            return; /* unaligned lanes: the LSU ends the run */
        t = &a->touched[a->n++];
        memset(t, 0, sizeof *t);
        t->line = addr / LINE_BYTES;
        t->part = (uint8_t)(offset / a->part_bytes);
        t->half = (uint8_t)half;
    }
    if (a->op == WARP_ATOMIC || t->byte[offset] == 0)
        t->byte[offset]++;
    if (t->byte[offset] > t->times) {
        t->times = t->byte[offset];
        a->left++;
    }
}

void lanes_interleave(struct lanes *l, unsigned sms, unsigned warps, unsigned ctas) {
    l->cta_warps = warps;
    l->all_warps = sms * warps * ctas;
}

/* Returns the device address of byte `byte` in the local memory of a lane. The 4 B words of the 32
 * lanes are adjacent. Without lanes_interleave(), a slot's window has 128 Ki words per lane, plus
 * one word of padding. */
static uint64_t local_address(const struct lanes *l, unsigned slot, unsigned lane, uint64_t byte) {
    const uint64_t word = byte / 4;
    const uint64_t base = l->all_warps ? UINT64_C(0x400020080000) : UINT64_C(1) << 46;
    const uint64_t row = l->all_warps ? word * l->all_warps + l->sm * l->cta_warps + slot
                                      : ((uint64_t)l->sm * l->warps + slot) * 131073 + word;
    return base + row * 128 + lane * 4 + byte % 4;
}

/* Appends an instruction's record to the queue. If there are too many records, fails the check
 * and returns NULL. */
static struct sm_account *append_account(struct lanes *l, struct account_queue *q) {
    if (l->count >= l->insts) {
        check_fail(l->check, "SM %u: more than %" PRIu64 " memory instructions wait for the L1D",
                   l->sm, l->count);
        return NULL;
    }
    struct sm_account *a = alloc_array(1, sizeof *a);
    *(q->first ? &q->last->next : &q->first) = a;
    q->last = a;
    a->next = NULL;
    l->count++;
    return a;
}

void lanes_issue(struct lanes *l, const struct warp_inst *inst, unsigned slot, uint32_t queue) {
    struct sm_account *a = append_account(l, &l->queue[queue]);
    if (!a)
        return;
    a->op = inst->op;
    a->local = inst->space == SPACE_LOCAL;
    a->result = inst->op != WARP_STORE && !(inst->op == WARP_ATOMIC && regs_none(&inst->dst));
    a->begun = a->passes = false;
    a->part_bytes = part_bytes_of(l, inst);
    a->n = a->left = 0;
    bool halves = l->coalesce == COALESCE_SEGMENT && a->op == WARP_ATOMIC;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        for (unsigned b = 0; (inst->mask >> lane & 1) && b < inst->size; b++)
            touch_bytes(a,
                        a->local ? local_address(l, slot, lane, warp_inst_addr(inst, lane) + b)
                                 : warp_inst_addr(inst, lane) + b,
                        halves ? lane / 16 : 0);
}

void lanes_let_pass(struct lanes *l, uint32_t id, uint32_t queue) {
    struct account_queue *q = &l->queue[queue];
    if (!q->first)
        return;
    q->last->passes = true;
    q->last->id = id;
}

/* Moves the load of the access to the front of the queue, if it may pass all older instructions. */
static void bring_load(struct account_queue *q, const struct lanes_access *in) {
    struct sm_account **link = &q->first, *before = NULL;
    while (*link && (*link)->passes && (*link)->id != in->id) {
        before = *link;
        link = &before->next;
    }
    struct sm_account *a = *link;
    if (!before || !a || !a->passes)
        return;
    *link = a->next;
    if (q->last == a)
        q->last = before;
    a->next = q->first;
    q->first = a;
}

static bool in_mask(const struct byte_mask *mask, unsigned b) {
    return mask->w[b / 64] >> b % 64 & 1;
}

static unsigned first_byte(const struct byte_mask *mask) {
    unsigned b = 0;
    while (b < LINE_BYTES && !in_mask(mask, b))
        b++;
    return b;
}

/* True if the next access to the line must have byte b. Access n (0, 1, ...) has the
 * bytes that more than n lanes access. Accesses leave in ascending or descending order of n. */
static bool asks_byte(const struct lanes *l, const struct touched *t, unsigned b) {
    return t->byte[b] > (l->descending ? t->times - 1 - t->entered : t->entered);
}

/* Returns the first byte in which the access and the lanes differ, or LINE_BYTES if they agree. */
static unsigned first_difference(const struct lanes *l, const struct touched *t,
                                 const struct byte_mask *mask) {
    unsigned b = 0;
    while (b < LINE_BYTES && asks_byte(l, t, b) == in_mask(mask, b))
        b++;
    return b;
}

/* Returns the element of `touched` for the next access to the part of the line that contains
 * `offset`, or NULL. If the halves of the warp are separate, one half completes first: lanes 0 to
 * 15, or lanes 16 to 31 if `descending`. */
static struct touched *next_of(const struct lanes *l, struct sm_account *a, uint64_t line,
                               unsigned offset) {
    struct touched *t = find_touched(a, line, offset, l->descending);
    return t && t->entered < t->times ? t : find_touched(a, line, offset, !l->descending);
}

static bool is_expected(const struct lanes *l, const struct sm_account *a, const struct touched *t,
                        const struct lanes_access *in) {
    return t && t->entered < t->times && a->op == in->op && a->local == in->local &&
           (!a->result || (in->id < l->loads && (!a->begun || a->id == in->id)));
}

/* Begins an instruction's record at its first access. Copies the record to the load table entry
 * if the instruction has a result. */
static void begin_account(struct lanes *l, struct sm_account *a, uint32_t id) {
    a->begun = true;
    a->id = id;
    if (!a->result)
        return;
    struct sm_account *load = &l->load[id];
    load->op = a->op;
    load->part_bytes = a->part_bytes;
    load->n = a->n;
    memcpy(load->touched, a->touched, a->n * sizeof a->touched[0]);
}

/* Records that an access leaves the LSU. */
static void leave_lsu(struct lanes *l, const struct lanes_access *in) {
    struct account_queue *q = &l->queue[in->queue];
    if (in->op == WARP_LOAD)
        bring_load(q, in);
    struct sm_account *a = q->first;
    unsigned first = first_byte(&in->mask);
    struct touched *t = a && first < LINE_BYTES ? next_of(l, a, in->line, first) : NULL;
    const char *what = name_of(in->op);
    if (!is_expected(l, a, t, in)) {
        check_fail(l->check,
                   "coalescing: a %s of SM %u enters line 0x%" PRIx64
                   ", which the oldest instruction's lanes do not request",
                   what, l->sm, in->line * LINE_BYTES);
        return;
    }
    unsigned b = first_difference(l, t, &in->mask);
    if (b < LINE_BYTES) {
        bool asked = asks_byte(l, t, b);
        check_fail(l->check,
                   "coalescing: a %s of SM %u enters line 0x%" PRIx64 " %s byte %u, which %s", what,
                   l->sm, in->line * LINE_BYTES, asked ? "without" : "with", b,
                   asked ? "a lane requests" : "no lane requests");
        return;
    }
    if (!a->begun)
        begin_account(l, a, in->id);
    t->entered++;
    if (a->result)
        l->load[in->id].touched[t - a->touched].entered++;
    if (--a->left == 0)
        drop_first(l, q);
}

/* Returns the link to the oldest parked access to the line, or the link at the end of the list. */
static struct parked **find_parked(struct lanes *l, uint64_t line) {
    struct parked **link = &l->parked;
    while (*link && (*link)->access.line != line)
        link = &(*link)->next;
    return link;
}

void lanes_enter(struct lanes *l, const struct lanes_access *in) {
    if (*find_parked(l, in->line))
        check_fail(l->check,
                   "SM %u: a %s enters line 0x%" PRIx64 " before an older access that waits for it",
                   l->sm, name_of(in->op), in->line * LINE_BYTES);
    leave_lsu(l, in);
}

void lanes_park(struct lanes *l, const struct lanes_access *in) {
    struct parked **end = &l->parked, *p = alloc_array(1, sizeof *p);
    leave_lsu(l, in);
    *p = (struct parked){*in, NULL};
    while (*end)
        end = &(*end)->next;
    *end = p;
}

static bool same_access(const struct lanes_access *a, const struct lanes_access *b) {
    return a->op == b->op && a->local == b->local && a->id == b->id &&
           a->mask.w[0] == b->mask.w[0] && a->mask.w[1] == b->mask.w[1];
}

void lanes_unpark(struct lanes *l, const struct lanes_access *in) {
    struct parked **link = find_parked(l, in->line);
    if (*link && same_access(&(*link)->access, in)) {
        drop_parked(link);
        return;
    }
    check_fail(l->check,
               "SM %u: a %s enters line 0x%" PRIx64
               ", but is not the oldest access that waits for it",
               l->sm, name_of(in->op), in->line * LINE_BYTES);
}

void lanes_answer(struct lanes *l, uint32_t id, uint64_t line, unsigned offset) {
    for (unsigned half = 0; half < 2 && id < l->loads && offset < LINE_BYTES; half++) {
        struct touched *t = find_touched(&l->load[id], line, offset, half);
        if (t && t->answered < t->entered) {
            t->answered++;
            return;
        }
    }
    check_fail(l->check,
               "coalescing: a load of SM %u receives line 0x%" PRIx64
               ", for which it does not wait",
               l->sm, line * LINE_BYTES);
}

void lanes_complete(struct lanes *l, uint32_t id) {
    struct sm_account *a = &l->load[id];
    for (uint32_t i = 0; i < a->n; i++)
        if (a->touched[i].answered < a->touched[i].times)
            check_fail(l->check,
                       "coalescing: a load of SM %u completes without its bytes in line 0x%" PRIx64,
                       l->sm, a->touched[i].line * LINE_BYTES);
    a->n = 0;
}

void lanes_end(struct lanes *l) {
    for (uint32_t i = 0; i < l->queues; i++)
        if (l->queue[i].first)
            check_fail(l->check,
                       "coalescing: a %s of SM %u never entered line 0x%" PRIx64
                       " during its kernel",
                       name_of(l->queue[i].first->op), l->sm,
                       l->queue[i].first->touched[0].line * LINE_BYTES);
    if (l->parked)
        check_fail(l->check, "SM %u: a %s still waits for line 0x%" PRIx64 " at its kernel's end",
                   l->sm, name_of(l->parked->access.op), l->parked->access.line * LINE_BYTES);
    for (uint32_t id = 0; id < l->loads; id++)
        if (l->load[id].n)
            check_fail(l->check, "coalescing: a load of SM %u never completed during its kernel",
                       l->sm);
}
