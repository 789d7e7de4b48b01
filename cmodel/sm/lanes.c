// SPDX-License-Identifier: Apache-2.0
#include "sm/lanes.h"
#include "check/check.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"

#define MAX_TOUCHED (WARP_LANES * 4) /* four words of local memory per lane, all apart */

/* A line, or a part of one, that the instruction's lanes touch. */
struct touched {
    uint64_t line;
    uint8_t part;             /* of the line, from 0 on: a sector or segment */
    uint8_t half;             /* of the warp, if an atomic's are apart; else 0 */
    uint8_t byte[LINE_BYTES]; /* lanes that have it; of a load or store 1 for one and more */
    uint8_t times;            /* accesses that this makes: the most in `byte` */
    uint8_t entered, answered;
};

struct account {
    enum warp_op op;
    bool local, result;   /* result: a load, or an atomic with one */
    bool begun;           /* an access has entered */
    uint32_t id;          /* of a load, once it has begun */
    uint32_t part_bytes;  /* of a line: a sector, a segment, or all of it */
    uint32_t n;           /* lines, or parts of them */
    uint32_t left;        /* accesses that have not entered */
    struct account *next; /* the next younger one of its queue */
    struct touched touched[MAX_TOUCHED];
};

/* Instructions with accesses that have not entered, oldest first. */
struct account_queue {
    struct account *first, *last;
};

/* An access that waits for its translation. */
struct parked {
    struct lanes_access access;
    struct parked *next; /* the next younger one */
};

struct lanes {
    struct check *check; /* not owned */
    unsigned sm, warps;
    int64_t coalesce;      /* sm.coalesce */
    bool descending;       /* sm.access_order */
    uint64_t insts, count; /* instructions that may wait, that do */
    uint32_t loads, queues;
    struct account_queue *queue; /* owned, and the accounts in it */
    struct account *load;        /* owned; by id; n = 0: none */
    struct parked *parked;       /* owned; oldest first */
};

struct lanes *lanes_create(struct check *check, const struct config *cfg, unsigned sm) {
    struct lanes *l = alloc_zeroed(1, sizeof *l);
    *l = (struct lanes){
        .check = check,
        .sm = sm,
        .warps = (unsigned)cfg->sm_warps,
        .coalesce = cfg->sm_coalesce,
        .descending = cfg->sm_access_order == ACCESS_DESCENDING,
        .insts = (uint64_t)(cfg->sm_lsu_queue + cfg->l1d_mrpb_queues * cfg->l1d_mrpb_depth),
        .loads = (uint32_t)cfg->sm_pending_loads,
        .queues = cfg->l1d_mrpb_queues ? (uint32_t)cfg->l1d_mrpb_queues : 1,
    };
    l->queue = alloc_zeroed(l->queues, sizeof *l->queue);
    l->load = alloc_zeroed(l->loads, sizeof *l->load);
    return l;
}

/* The oldest instruction of the queue has entered. */
static void drop_first(struct lanes *l, struct account_queue *q) {
    struct account *a = q->first;
    q->first = a->next;
    l->count--;
    free(a);
}

/* The parked access that `at` points to. */
static void drop_parked(struct parked **at) {
    struct parked *p = *at;
    *at = p->next;
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

static struct touched *find(struct account *a, uint64_t line, unsigned offset, unsigned half) {
    for (uint32_t i = 0; i < a->n; i++)
        if (a->touched[i].line == line && a->touched[i].part == offset / a->part_bytes &&
            a->touched[i].half == half)
            return &a->touched[i];
    return NULL;
}

static void touch(struct account *a, uint64_t addr, unsigned half) {
    unsigned offset = addr % LINE_BYTES;
    struct touched *t = find(a, addr / LINE_BYTES, offset, half);
    if (!t) {
        if (a->n == MAX_TOUCHED)
            return; /* lanes that are not aligned: the LSU ends the run */
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

/* Device address of byte `at` of the local memory of that lane of that warp slot: 4 B words of the
 * 32 lanes side by side, 128 Ki words and one of padding a window. */
static uint64_t local_address(const struct lanes *l, unsigned warp, unsigned lane, uint64_t at) {
    uint64_t window = (uint64_t)l->sm * l->warps + warp;
    uint64_t first_word = (UINT64_C(1) << 44) + window * 131073 * 32;
    return (first_word + at / 4 * 32 + lane) * 4 + at % 4;
}

/* A place behind the queue's youngest; NULL, with a failure, if there can be none. */
static struct account *append(struct lanes *l, struct account_queue *q) {
    if (l->count >= l->insts) {
        check_fail(l->check, "SM %u: more than %" PRIu64 " memory instructions wait for the L1D",
                   l->sm, l->count);
        return NULL;
    }
    struct account *a = alloc_array(1, sizeof *a);
    *(q->first ? &q->last->next : &q->first) = a;
    q->last = a;
    a->next = NULL;
    l->count++;
    return a;
}

void lanes_issue(struct lanes *l, const struct warp_inst *inst, unsigned warp, uint32_t queue) {
    struct account *a = append(l, &l->queue[queue]);
    if (!a)
        return;
    a->op = inst->op;
    a->local = inst->space == SPACE_LOCAL;
    a->result = inst->op != WARP_STORE && !(inst->op == WARP_ATOMIC && regs_none(&inst->dst));
    a->begun = false;
    a->part_bytes = part_bytes_of(l, inst);
    a->n = a->left = 0;
    bool halves = l->coalesce == COALESCE_SEGMENT && a->op == WARP_ATOMIC;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        for (unsigned b = 0; (inst->mask >> lane & 1) && b < inst->size; b++)
            touch(a,
                  a->local ? local_address(l, warp, lane, warp_inst_addr(inst, lane) + b)
                           : warp_inst_addr(inst, lane) + b,
                  halves ? lane / 16 : 0);
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

/* Whether the next access of the line has that byte: the nth has those that more than n lanes ask
 * for. */
static bool asks(const struct lanes *l, const struct touched *t, unsigned b) {
    return t->byte[b] > (l->descending ? t->times - 1 - t->entered : t->entered);
}

/* The first byte at which the access and the lanes differ, or LINE_BYTES. */
static unsigned first_difference(const struct lanes *l, const struct touched *t,
                                 const struct byte_mask *mask) {
    unsigned b = 0;
    while (b < LINE_BYTES && asks(l, t, b) == in_mask(mask, b))
        b++;
    return b;
}

/* That the next access of that place is of: one half of the warp, then the other. */
static struct touched *next_of(const struct lanes *l, struct account *a, uint64_t line,
                               unsigned offset) {
    struct touched *t = find(a, line, offset, l->descending);
    return t && t->entered < t->times ? t : find(a, line, offset, !l->descending);
}

static bool expected(const struct lanes *l, const struct account *a, const struct touched *t,
                     const struct lanes_access *in) {
    return t && t->entered < t->times && a->op == in->op && a->local == in->local &&
           (!a->result || (in->id < l->loads && (!a->begun || a->id == in->id)));
}

/* The load's own account, from its first access on. */
static void begin(struct lanes *l, struct account *a, uint32_t id) {
    a->begun = true;
    a->id = id;
    if (!a->result)
        return;
    struct account *load = &l->load[id];
    load->op = a->op;
    load->part_bytes = a->part_bytes;
    load->n = a->n;
    memcpy(load->touched, a->touched, a->n * sizeof a->touched[0]);
}

/* An access leaves the LSU. */
static void leave(struct lanes *l, const struct lanes_access *in) {
    struct account_queue *q = &l->queue[in->queue];
    struct account *a = q->first;
    unsigned first = first_byte(&in->mask);
    struct touched *t = a && first < LINE_BYTES ? next_of(l, a, in->line, first) : NULL;
    const char *what = name_of(in->op);
    if (!expected(l, a, t, in)) {
        check_fail(l->check,
                   "coalescing: a %s of SM %u enters line 0x%" PRIx64
                   ", but the oldest instruction's lanes do not ask for that",
                   what, l->sm, in->line * LINE_BYTES);
        return;
    }
    unsigned b = first_difference(l, t, &in->mask);
    if (b < LINE_BYTES) {
        bool asked = asks(l, t, b);
        check_fail(l->check,
                   "coalescing: a %s of SM %u enters line 0x%" PRIx64 " %s byte %u, which %s", what,
                   l->sm, in->line * LINE_BYTES, asked ? "without" : "with", b,
                   asked ? "a lane asks for" : "no lane asks for");
        return;
    }
    if (!a->begun)
        begin(l, a, in->id);
    t->entered++;
    if (a->result)
        l->load[in->id].touched[t - a->touched].entered++;
    if (--a->left == 0)
        drop_first(l, q);
}

/* Where the oldest parked access of the line is, or else the end of the list. */
static struct parked **find_parked(struct lanes *l, uint64_t line) {
    struct parked **at = &l->parked;
    while (*at && (*at)->access.line != line)
        at = &(*at)->next;
    return at;
}

void lanes_enter(struct lanes *l, const struct lanes_access *in) {
    if (*find_parked(l, in->line))
        check_fail(l->check, "SM %u: a %s enters line 0x%" PRIx64 " before one that waits for it",
                   l->sm, name_of(in->op), in->line * LINE_BYTES);
    leave(l, in);
}

void lanes_park(struct lanes *l, const struct lanes_access *in) {
    struct parked **end = &l->parked, *p = alloc_array(1, sizeof *p);
    leave(l, in);
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
    struct parked **at = find_parked(l, in->line);
    if (*at && same_access(&(*at)->access, in)) {
        drop_parked(at);
        return;
    }
    check_fail(l->check,
               "SM %u: a %s enters line 0x%" PRIx64 ", but is not the oldest that waits for it",
               l->sm, name_of(in->op), in->line * LINE_BYTES);
}

void lanes_answer(struct lanes *l, uint32_t id, uint64_t line, unsigned offset) {
    for (unsigned half = 0; half < 2 && id < l->loads && offset < LINE_BYTES; half++) {
        struct touched *t = find(&l->load[id], line, offset, half);
        if (t && t->answered < t->entered) {
            t->answered++;
            return;
        }
    }
    check_fail(l->check,
               "coalescing: a load of SM %u is answered line 0x%" PRIx64
               " that it does not wait for",
               l->sm, line * LINE_BYTES);
}

void lanes_complete(struct lanes *l, uint32_t id) {
    struct account *a = &l->load[id];
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
                       "coalescing: a %s of SM %u never entered line 0x%" PRIx64 " in its kernel",
                       name_of(l->queue[i].first->op), l->sm,
                       l->queue[i].first->touched[0].line * LINE_BYTES);
    if (l->parked)
        check_fail(l->check, "SM %u: a %s still waits for line 0x%" PRIx64 " at its kernel's end",
                   l->sm, name_of(l->parked->access.op), l->parked->access.line * LINE_BYTES);
    for (uint32_t id = 0; id < l->loads; id++)
        if (l->load[id].n)
            check_fail(l->check, "coalescing: a load of SM %u never completed in its kernel",
                       l->sm);
}
