// SPDX-License-Identifier: Apache-2.0
#include "mshr/mshr_score.h"

#include <string.h>

#include "dl_mshr/dl_mshr.h"
#include "dl_mshr_paper/dl_mshr_paper.h"
#include "lib/bits.h"
#include "static_mshr/static_mshr.h"

/* ---- Create and reset ---- */

void mshr_shape_init(struct mshr_shape *g, const struct block_type *type,
                     const struct block_params *p) {
    unsigned payload = (unsigned)p->v[MSHR_PAYLOAD_W];
    *g = (struct mshr_shape){
        .sets = (unsigned)p->v[MSHR_SETS],
        .slots = (unsigned)p->v[MSHR_SLOTS],
        .set_w = mshr_clog2(p->v[MSHR_SETS]),
        .payload_words = (payload + 31) / 32,
        .addr_mask = bits_low((unsigned)p->v[MSHR_ADDR_W]),
        .last_payload_mask = payload % 32 ? (uint32_t)bits_low(payload % 32) : ~0u,
    };
    if (type == &dl_mshr_type) {
        g->heads_only = (unsigned)p->v[DL_MSHR_HEADS];
        g->addr_out = p->v[DL_MSHR_ADDR_OUT];
        g->looks = g->promises = true;
    } else if (type == &dl_mshr_paper_type) {
        g->heads_only = (unsigned)p->v[DL_MSHR_PAPER_RESERVED_HEADS];
        g->early_free = p->v[DL_MSHR_PAPER_EARLY_FREE];
        g->walk = p->v[DL_MSHR_PAPER_TAIL] == DL_MSHR_PAPER_WALK;
    } else {
        g->heads_only = g->sets;
        g->looks = p->v[STATIC_MSHR_LOOKUP] == 2;
        g->addr_out = p->v[STATIC_MSHR_ADDR_OUT];
    }
}

/* Sets the state after reset. */
static void clear_state(struct mshr_score *s) {
    memset(s->entry, 0, sizeof s->entry);
    for (int i = 0; i < MSHR_SCORE_MAX_SLOTS; i++)
        s->record[i].next = i + 1 < MSHR_SCORE_MAX_SLOTS ? i + 1 : MSHR_SCORE_NONE;
    s->free_record = 0;
    memset(s->slot_used, 0, sizeof s->slot_used);
    s->live_entries = 0;
    s->draining = s->linking = MSHR_SCORE_NONE;
    s->looked_up = s->faulty = s->late = s->stale = s->gap = false;
}

void mshr_score_init(struct mshr_score *s, const struct mshr_shape *g) {
    s->g = *g;
    clear_state(s);
}

int mshr_score_find(const struct mshr_score *s, uint64_t addr) {
    for (unsigned i = 0; i < s->g.sets; i++)
        if (s->entry[i].matchable && s->entry[i].addr == addr)
            return (int)i;
    return MSHR_SCORE_NONE;
}

/* ---- Checking ---- */

static uint64_t hash_payload(const struct mshr_shape *g, const uint32_t *words) {
    uint64_t h = 1;
    for (unsigned i = 0; i < g->payload_words; i++)
        h = (h ^ words[i]) * 0x100000001B3u;
    return h;
}

static bool legal_move(unsigned from, unsigned to) {
#define X(a, b, need) (from == (a) && to == (b)) ||
    return MSHR_MOVES(X) false;
#undef X
}

static const char *check_state(struct mshr_score *s, const struct mshr_out *out) {
    unsigned free_heads = 0, free_shared = 0;
    for (unsigned i = 0; i < s->g.sets; i++) {
        unsigned to = mshr_state_of(out, i);
        if (to == MSHR_S0)
            *(i < s->g.heads_only ? &free_heads : &free_shared) += 1;
        if (!s->seen_state || to == MSHR_ERR)
            continue;
        unsigned from = mshr_state_of(&s->before, i);
        if (from == to)
            continue;
        if (!legal_move(from, to))
            return "a slot set made an illegal state change";
        if (from == MSHR_S0 && to >= MSHR_S6) {
            if (s->linking == MSHR_SCORE_NONE)
                return "a set was attached without a link";
            *(s->linking == s->draining && !s->entry[s->linking].matchable
                  ? &s->drain.tail
                  : &s->entry[s->linking].tail) = i;
        }
    }
    if (out->st_free_heads != free_heads || out->st_free_shared != free_shared)
        return "a free count is not the number of free sets";
    return NULL;
}

/* Checks room: a request takes at most one set, and if there is room it is accepted. */
static const char *check_room(const struct mshr_score *s, const struct mshr_in *in,
                              const struct mshr_out *out) {
    uint64_t heads = out->st_free_heads, attached = out->st_free_shared;
    if (out->room != (heads < attached ? heads : attached))
        return "room is not the smaller number of free sets";
    if (in->req_valid && out->room && !out->req_ready && !s->stale)
        return "a request was refused although there was room";
    if (s->seen_state && out->room + 1 < s->before.room)
        return "room fell by more than one request";
    if (out->empty != (heads + attached == s->g.sets) || (out->empty && s->live_entries))
        return "empty is wrong";
    return NULL;
}

static const char *check_response(const struct mshr_score *s, const struct mshr_in *in,
                                  const struct mshr_out *out) {
    const struct mshr_record *r = &s->record[s->drain.first];
    bool grows = s->late && in->req_valid && out->req_ready;
    if (out->rsp_slot != r->slot)
        return "a response is not the oldest request of its entry";
    if (hash_payload(&s->g, out->rsp_payload) != r->payload_hash)
        return "the payload of a response differs from that of its request";
    if (out->rsp_last != (r->next == MSHR_SCORE_NONE && !grows))
        return "rsp_last is wrong";
    return NULL;
}

static const char *check_request(const struct mshr_score *s, const struct mshr_out *out,
                                 int match) {
    if (out->req_primary != (match == MSHR_SCORE_NONE))
        return "req_primary is wrong";
    if (out->req_ready == (out->req_refuse != MSHR_REFUSE_NONE))
        return "req_ready and req_refuse contradict each other";
    if (s->stale)
        return out->req_refuse != MSHR_REFUSE_STALE ? "accepted after the drain" : NULL;
    if (!out->req_ready) {
        bool new_block = out->req_refuse == MSHR_REFUSE_ENTRY_FULL;
        return new_block != (match == MSHR_SCORE_NONE) ? "refused for the wrong reason" : NULL;
    }
    if (out->req_primary && out->req_head >= s->g.sets)
        return "req_head is not the number of a set";
    if (out->req_primary && s->entry[out->req_head].in_use)
        return "a set in use was allocated as head";
    if (s->free_record == MSHR_SCORE_NONE)
        return "more requests accepted than there are slots";
    if (out->req_slot >= (uint64_t)s->g.sets * s->g.slots)
        return "req_slot is not the number of a slot";
    if (s->slot_used[out->req_slot])
        return "a request was assigned to a slot in use";
    return NULL;
}

/* Returns the block address that ret_addr must be. */
static uint64_t returned_addr(const struct mshr_score *s, const struct mshr_in *in) {
    bool known = s->g.addr_out && !mshr_score_bad_return(s, in->ret_head);
    return known ? s->entry[in->ret_head].addr : 0;
}

static const char *check_error(const struct mshr_score *s, const struct mshr_out *out) {
    if (out->err != MSHR_ERR_RETURN || !s->faulty)
        return "an error without a cause";
    if (out->req_ready || out->ret_ready || out->rsp_valid)
        return "the block continues after an error";
    return NULL;
}

const char *mshr_score_check(struct mshr_score *s, const struct mshr_in *in,
                             const struct mshr_out *out, struct mshr_look *look) {
    *look = (struct mshr_look){.match = MSHR_SCORE_NONE};
    if (in->rst)
        return NULL;
    if (out->err)
        return check_error(s, out);
    look->late = s->late;
    bool answers = in->req_valid || s->g.promises; /* dl_mshr answers without a request too */
    if (answers)
        look->match = s->late ? s->draining : mshr_score_find(s, mshr_score_asked(s, in));
    look->ret = in->ret_valid && out->ret_ready;
    look->bad = look->ret && mshr_score_bad_return(s, in->ret_head);

    bool drains = s->draining != MSHR_SCORE_NONE;
    const char *broken = check_state(s, out);
    if (!broken && s->g.promises)
        broken = check_room(s, in, out);
    if (broken)
        return broken;
    bool ends = out->rsp_valid && in->rsp_ready && out->rsp_last;
    if (out->ret_ready != (!drains || (ends && !s->late)))
        return "ret_ready is wrong";
    if (out->rsp_valid != (drains && !s->gap))
        return "rsp_valid is wrong";
    if (in->ret_valid && out->ret_addr != returned_addr(s, in))
        return "ret_addr is not the block address of ret_head";
    if (out->rsp_valid)
        broken = check_response(s, in, out);
    if (!broken && answers)
        broken = check_request(s, out, look->match);
    return broken;
}

/* ---- The clock edge ---- */

static void store_request(struct mshr_score *s, const struct mshr_in *in,
                          const struct mshr_out *out, struct mshr_entry *e) {
    int r = s->free_record;
    s->free_record = s->record[r].next;
    s->slot_used[out->req_slot] = true;
    s->record[r] = (struct mshr_record){.slot = out->req_slot,
                                        .payload_hash = hash_payload(&s->g, in->req_payload),
                                        .next = MSHR_SCORE_NONE};
    *(e->count ? &s->record[e->last].next : &e->first) = r;
    e->last = r;
    e->count++;
}

static void accept_request(struct mshr_score *s, const struct mshr_in *in,
                           const struct mshr_out *out, const struct mshr_look *look) {
    int head = out->req_primary ? (int)out->req_head : look->match;
    struct mshr_entry *e = look->late ? &s->drain : &s->entry[head];
    if (out->req_primary) {
        *e = (struct mshr_entry){.in_use = true,
                                 .matchable = true,
                                 .addr = mshr_score_asked(s, in),
                                 .tail = (unsigned)head};
        s->live_entries++;
    } else if (e->count % s->g.slots == 0) {
        s->linking = head;
    }
    store_request(s, in, out, e);
}

static void take_response(struct mshr_score *s) {
    int r = s->drain.first;
    s->drain.first = s->record[r].next;
    s->slot_used[s->record[r].slot] = false;
    s->record[r].next = s->free_record;
    s->free_record = r;
    s->drained++;
    if (s->drain.first == MSHR_SCORE_NONE) {
        if (!s->g.early_free)
            s->entry[s->draining].in_use = false;
        s->live_entries--;
        s->draining = MSHR_SCORE_NONE;
        s->stale |= s->late;
        s->late = false;
    }
}

static void begin_drain(struct mshr_score *s, int head) {
    s->entry[head].matchable = false;
    s->drain = s->entry[head];
    s->entry[head].in_use = !s->g.early_free;
    s->draining = head;
    s->drained = 0;
}

static void count_cycle(struct mshr_score *s, const struct mshr_in *in, const struct mshr_out *out,
                        const struct mshr_look *look) {
    bool taken = out->rsp_valid && in->rsp_ready;
    s->linking = MSHR_SCORE_NONE;
    s->gap = taken && !out->rsp_last && s->record[s->drain.first].next == MSHR_SCORE_NONE;
    if (in->req_valid && out->req_ready)
        accept_request(s, in, out, look);
    if (taken)
        take_response(s);
    if (look->bad)
        s->faulty = true;
    else if (look->ret)
        begin_drain(s, (int)in->ret_head);
}

/* Notes a lookup, and whether the block in the lookup register is under drain from now on. */
static void note_lookup(struct mshr_score *s, const struct mshr_in *in,
                        const struct mshr_look *look) {
    if (in->look) {
        s->looked_up = true;
        s->looked = in->look_addr;
        s->late = s->stale = false;
    }
    if (look->ret && !look->bad)
        s->late = s->g.looks && s->looked_up && s->looked == s->drain.addr;
}

void mshr_score_tick(struct mshr_score *s, const struct mshr_in *in, const struct mshr_out *out,
                     const struct mshr_look *look) {
    if (in->rst)
        clear_state(s);
    else if (!out->err)
        count_cycle(s, in, out, look);
    if (!in->rst)
        note_lookup(s, in, look);
    s->seen_state = !in->rst;
    s->before = *out;
}
