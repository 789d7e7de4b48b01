#include "check/lanes.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A line that the instruction's lanes touch. */
struct touched {
    uint64_t line;
    uint8_t byte[LINE_BYTES]; /* 1: a lane's */
    bool entered, answered;
};

struct account {
    bool write;
    uint32_t id;   /* of a load, once a line has entered */
    uint32_t n;    /* lines */
    uint32_t left; /* of these: not entered */
    struct touched line[WARP_LANES];
};

struct lanes {
    struct check *check; /* not owned */
    unsigned sm;
    uint32_t insts, head, count; /* the LSU's instructions: a ring */
    uint32_t loads;
    struct account *inst; /* owned */
    struct account *load; /* owned; by id; n = 0: none */
};

struct lanes *lanes_create(struct check *check, unsigned sm, uint32_t insts, uint32_t loads) {
    struct lanes *l = calloc(1, sizeof *l);
    if (!l)
        return NULL;
    *l = (struct lanes){.check = check, .sm = sm, .insts = insts, .loads = loads};
    l->inst = calloc(insts, sizeof *l->inst);
    l->load = calloc(loads, sizeof *l->load);
    if (l->inst && l->load)
        return l;
    lanes_destroy(l);
    return NULL;
}

void lanes_destroy(struct lanes *l) {
    if (!l)
        return;
    free(l->inst);
    free(l->load);
    free(l);
}

static struct touched *find(struct account *a, uint64_t line) {
    for (uint32_t i = 0; i < a->n; i++)
        if (a->line[i].line == line)
            return &a->line[i];
    return NULL;
}

static void touch(struct account *a, uint64_t addr) {
    struct touched *t = find(a, addr / LINE_BYTES);
    if (!t) {
        if (a->n == WARP_LANES)
            return; /* lanes that are not aligned: the LSU ends the run */
        t = &a->line[a->n++];
        memset(t, 0, sizeof *t);
        t->line = addr / LINE_BYTES;
    }
    t->byte[addr % LINE_BYTES] = 1;
}

void lanes_issue(struct lanes *l, const struct warp_inst *inst) {
    if (l->count == l->insts) {
        check_fail(l->check, "SM %u: more than %" PRIu32 " memory instructions wait for the L1D",
                   l->sm, l->insts);
        return;
    }
    struct account *a = &l->inst[(l->head + l->count++) % l->insts];
    a->write = inst->op == WARP_STORE;
    a->n = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        for (unsigned b = 0; (inst->mask >> lane & 1) && b < inst->size; b++)
            touch(a, inst->addr[lane] + b);
    a->left = a->n;
}

/* The first byte at which the access and the lanes differ, or LINE_BYTES. */
static unsigned first_difference(const struct touched *t, const struct byte_mask *mask) {
    unsigned b = 0;
    while (b < LINE_BYTES && t->byte[b] == (mask->w[b / 64] >> b % 64 & 1))
        b++;
    return b;
}

void lanes_enter(struct lanes *l, bool write, uint32_t id, uint64_t line,
                 const struct byte_mask *mask) {
    struct account *a = l->count ? &l->inst[l->head] : NULL;
    struct touched *t = a ? find(a, line) : NULL;
    const char *what = write ? "store" : "load";
    if (!t || t->entered || a->write != write || (!write && id >= l->loads) ||
        (!write && a->left < a->n && a->id != id)) {
        check_fail(l->check,
                   "coalescing: a %s of SM %u enters line 0x%" PRIx64
                   ", but the oldest instruction's lanes do not ask for that",
                   what, l->sm, line * LINE_BYTES);
        return;
    }
    unsigned b = first_difference(t, mask);
    if (b < LINE_BYTES) {
        check_fail(l->check,
                   "coalescing: a %s of SM %u enters line 0x%" PRIx64 " %s byte %u, which %s", what,
                   l->sm, line * LINE_BYTES, t->byte[b] ? "without" : "with", b,
                   t->byte[b] ? "a lane asks for" : "no lane asks for");
        return;
    }
    if (!write && a->left == a->n) {
        a->id = id;
        l->load[id].n = a->n;
        memcpy(l->load[id].line, a->line, a->n * sizeof a->line[0]);
    }
    t->entered = true;
    if (!write)
        l->load[id].line[t - a->line].entered = true;
    if (--a->left)
        return;
    l->head = (l->head + 1) % l->insts;
    l->count--;
}

void lanes_answer(struct lanes *l, uint32_t id, uint64_t line) {
    struct touched *t = id < l->loads ? find(&l->load[id], line) : NULL;
    if (t && t->entered && !t->answered) {
        t->answered = true;
        return;
    }
    check_fail(l->check,
               "coalescing: a load of SM %u is answered line 0x%" PRIx64
               " that it does not wait for",
               l->sm, line * LINE_BYTES);
}

void lanes_complete(struct lanes *l, uint32_t id) {
    struct account *a = &l->load[id];
    for (uint32_t i = 0; i < a->n; i++)
        if (!a->line[i].answered)
            check_fail(l->check,
                       "coalescing: a load of SM %u completes without its bytes in line 0x%" PRIx64,
                       l->sm, a->line[i].line * LINE_BYTES);
    a->n = 0;
}

void lanes_end(struct lanes *l) {
    if (l->count)
        check_fail(l->check,
                   "coalescing: a %s of SM %u never entered line 0x%" PRIx64 " in its kernel",
                   l->inst[l->head].write ? "store" : "load", l->sm,
                   l->inst[l->head].line[0].line * LINE_BYTES);
    for (uint32_t id = 0; id < l->loads; id++)
        if (l->load[id].n)
            check_fail(l->check, "coalescing: a load of SM %u never completed in its kernel",
                       l->sm);
}
