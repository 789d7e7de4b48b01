// SPDX-License-Identifier: Apache-2.0
#include "mshr/mshr_cover.h"

#include <stdio.h>

/* What a point needs: attachable sets at all, two of them behind one head. */
enum need { ANY, MULTI_SLOT, SINGLE_SLOT, ATTACH, ATTACH_MULTI, ATTACH_SINGLE, ATTACH_TWO };

static const struct move {
    uint8_t from, to;
    enum need need;
} moves[] = {
#define X(from, to, need) {from, to, need},
    MSHR_MOVES(X)
#undef X
};
enum { N_MOVES = sizeof moves / sizeof *moves };

static const struct cell {
    enum mshr_cross cross;
    uint8_t state;
    enum need need;
} cells[] = {
    {CR_MERGE, 1, MULTI_SLOT},
    {CR_MERGE, 6, ATTACH_MULTI},
    {CR_LINK, 2, ATTACH},
    {CR_LINK, 4, ATTACH},
    {CR_LINK, 7, ATTACH_TWO},
    {CR_LINK, 9, ATTACH_TWO},
    {CR_REFUSE, 2, ANY},
    {CR_REFUSE, 4, ANY},
    {CR_REFUSE, 7, ATTACH},
    {CR_REFUSE, 9, ATTACH},
    {CR_RET, 1, MULTI_SLOT},
    {CR_RET, 2, ANY},
    {CR_RET, 3, ATTACH},
    {CR_RET, 4, ANY},
    {CR_RET_TAIL, 6, ATTACH_MULTI},
    {CR_RET_TAIL, 7, ATTACH},
    {CR_RET_TAIL, 9, ATTACH},
    {CR_BAD_RET, 0, ANY},
    {CR_BAD_RET, 5, ANY},
    {CR_BAD_RET, 6, ATTACH_MULTI},
    {CR_BAD_RET, 7, ATTACH},
    {CR_BAD_RET, 8, ATTACH_TWO},
    {CR_BAD_RET, 9, ATTACH},
    {CR_BAD_RET, 10, ATTACH},
};
enum { N_CELLS = sizeof cells / sizeof *cells };

void mshr_cover_init(struct mshr_cover *c, const struct mshr_shape *g) {
    *c = (struct mshr_cover){.g = *g, .fresh_head = NONE};
}

static void hit(struct mshr_cover *c, enum mshr_event e, bool condition) {
    c->events[e] += condition;
}

/* ---- A cycle ---- */

static void cover_request(struct mshr_cover *c, const struct mshr_score *s,
                          const struct mshr_in *in, const struct mshr_out *out,
                          const struct mshr_look *look) {
    int match = look->match;
    bool of_ret = look->ret && match != NONE && in->ret_head == (uint64_t)match;
    bool full = out->req_refuse == MSHR_REFUSE_MERGE_FULL;
    hit(c, EV_WALK, out->req_refuse == MSHR_REFUSE_WALK);
    hit(c, EV_ENTRY_FULL, out->req_refuse == MSHR_REFUSE_ENTRY_FULL);
    hit(c, EV_MERGE_FULL, full);
    hit(c, EV_MERGE_FULL_DRAINING, full && s->draining != NONE);
    hit(c, EV_RET_AND_REFUSE, full && of_ret);
    if (!out->req_ready)
        return;
    bool second = s->draining != NONE && s->drain.addr == mshr_score_asked(s, in);
    if (out->req_primary) {
        uint64_t top = c->g.addr_mask ^ c->g.addr_mask >> 1;
        hit(c, EV_NEAR, mshr_score_find(s, mshr_score_asked(s, in) ^ top) != NONE);
        hit(c, EV_PRIMARY, true);
        hit(c, EV_LATE, second);
        return;
    }
    bool link = s->entry[match].count % c->g.slots == 0;
    hit(c, link ? EV_LINK : EV_MERGE, true);
    hit(c, link ? EV_RET_AND_LINK : EV_RET_AND_MERGE, of_ret);
    hit(c, EV_LATE_MERGE, second);
    hit(c, EV_PAIR, c->fresh_head == match);
}

static void cross(struct mshr_cover *c, enum mshr_cross kind, const struct mshr_out *out,
                  unsigned set) {
    unsigned state = mshr_state_of(out, set);
    if (state < N_STATES)
        c->crosses[kind][state]++;
}

static void cross_request(struct mshr_cover *c, const struct mshr_score *s,
                          const struct mshr_out *out, int match) {
    if (match == NONE || out->req_refuse == MSHR_REFUSE_WALK)
        return;
    const struct mshr_entry *e = &s->entry[match];
    if (!out->req_ready)
        cross(c, CR_REFUSE, out, e->tail);
    else
        cross(c, e->count % c->g.slots ? CR_MERGE : CR_LINK, out, e->tail);
}

static void cross_return(struct mshr_cover *c, const struct mshr_score *s,
                         const struct mshr_out *out, unsigned head, bool bad) {
    if (head >= c->g.sets)
        return;
    cross(c, bad ? CR_BAD_RET : CR_RET, out, head);
    if (!bad && s->entry[head].tail != head)
        cross(c, CR_RET_TAIL, out, s->entry[head].tail);
}

static void cover_state(struct mshr_cover *c, const struct mshr_score *s,
                        const struct mshr_out *out) {
    hit(c, EV_POOL_EMPTY, !out->st_free_heads && !out->st_free_shared);
    hit(c, EV_SHARED_EMPTY, !out->st_free_shared && out->st_free_heads);
    if (!s->seen_state)
        return;
    hit(c, EV_POOL_FULL,
        out->st_free_heads + out->st_free_shared == c->g.sets &&
            s->before.st_free_heads + s->before.st_free_shared < c->g.sets);
    for (unsigned i = 0; i < c->g.sets; i++) {
        unsigned from = mshr_state_of(&s->before, i), to = mshr_state_of(out, i);
        if (from != to && to != MSHR_ERR)
            c->moves[from][to]++;
    }
}

static void cover_return(struct mshr_cover *c, const struct mshr_score *s, const struct mshr_in *in,
                         const struct mshr_out *out, const struct mshr_look *look) {
    hit(c, EV_RET_WAITS, !out->ret_ready);
    hit(c, EV_RET_ON_LAST, look->ret && out->rsp_valid && out->rsp_last);
    hit(c, EV_RET_FIRST_CYCLE, look->ret && c->fresh_head == (int)in->ret_head);
    if (look->ret)
        cross_return(c, s, out, (unsigned)in->ret_head, look->bad);
    if (look->ret && !look->bad) {
        hit(c, EV_SHARED_FIRST, !c->drained_any && in->ret_head >= c->g.heads_only);
        c->drained_any = true;
    }
}

static void cover_response(struct mshr_cover *c, const struct mshr_score *s,
                           const struct mshr_in *in, const struct mshr_out *out) {
    bool stalls = out->rsp_valid && !in->rsp_ready, fire = out->rsp_valid && in->rsp_ready;
    hit(c, EV_STALL_MID_DRAIN, stalls && s->drained && !out->rsp_last);
    hit(c, EV_STALL_LAST, stalls && out->rsp_last);
    hit(c, EV_ALLOC_AND_FREE,
        fire && out->rsp_last && in->req_valid && out->req_ready && out->req_primary);
}

static void cover_look(struct mshr_cover *c, const struct mshr_score *s, const struct mshr_in *in,
                       const struct mshr_out *out, const struct mshr_look *look) {
    bool accepted = in->req_valid && out->req_ready, ret = look->ret && !look->bad;
    bool same = in->look && in->look_addr == s->looked;
    uint64_t gone = ret ? s->entry[in->ret_head].addr : 0;
    hit(c, EV_LOOK_AHEAD, in->look && accepted && !same);
    hit(c, EV_LOOK_OPENED, same && accepted && out->req_primary);
    hit(c, EV_LOOK_JOINED, same && accepted && !out->req_primary);
    hit(c, EV_LOOK_NEAR,
        accepted && in->look &&
            (in->look_addr ^ s->looked) == (c->g.addr_mask ^ c->g.addr_mask >> 1));
    hit(c, EV_LOOK_RET, ret && in->look && in->look_addr == gone);
    hit(c, EV_KEPT_RET, ret && !in->look && s->looked_up && s->looked == gone);
    hit(c, EV_KEPT_LONG, accepted && c->cycle >= c->look_cycle + 16);
    hit(c, EV_SUCCESSIVE,
        accepted && c->accepted_cycle + 1 == c->cycle && c->accepted_addr != s->looked);
    if (accepted) {
        c->accepted_addr = s->looked;
        c->accepted_cycle = c->cycle;
    }
}

static void cover_working(struct mshr_cover *c, const struct mshr_score *s,
                          const struct mshr_in *in, const struct mshr_out *out,
                          const struct mshr_look *look) {
    cover_state(c, s, out);
    if (in->req_valid) {
        cover_request(c, s, in, out, look);
        cross_request(c, s, out, look->match);
    }
    if (in->ret_valid)
        cover_return(c, s, in, out, look);
    cover_response(c, s, in, out);
    if (c->g.looks)
        cover_look(c, s, in, out, look);
    if (!in->req_valid)
        c->fresh_head = NONE;
    else if (out->req_ready)
        c->fresh_head = out->req_primary ? (int)out->req_head : NONE;
}

/* And what else comes in the cycle of reset. */
static void cover_reset(struct mshr_cover *c, const struct mshr_score *s, const struct mshr_in *in,
                        const struct mshr_out *out) {
    c->fresh_head = NONE;
    c->drained_any = false;
    if (!s->seen_state)
        return;
    hit(c, EV_RESET, true);
    hit(c, EV_RESET_PAST_HEAD, mshr_score_past_head(s));
    hit(c, EV_RESET_PRIMARY, in->req_valid && out->req_ready && out->req_primary);
    hit(c, EV_RESET_RET,
        in->ret_valid && out->ret_ready && !mshr_score_bad_return(s, in->ret_head));
}

void mshr_cover_cycle(struct mshr_cover *c, const struct mshr_score *s, const struct mshr_in *in,
                      const struct mshr_out *out, const struct mshr_look *look) {
    if (in->rst)
        cover_reset(c, s, in, out);
    else if (out->err)
        hit(c, EV_ERROR, true);
    else
        cover_working(c, s, in, out, look);
    if (in->look && !in->rst)
        c->look_cycle = c->cycle;
    c->cycle++;
}

/* ---- What the parameters allow ---- */

static bool possible(const struct mshr_shape *g, enum need need) {
    unsigned shared = g->sets - g->heads_only;
    bool two = shared >= 2 && g->sets >= 3;
    switch (need) {
    case ANY:
        return true;
    case MULTI_SLOT:
        return g->slots > 1;
    case SINGLE_SLOT:
        return g->slots == 1;
    case ATTACH:
        return shared >= 1;
    case ATTACH_MULTI:
        return shared >= 1 && g->slots > 1;
    case ATTACH_SINGLE:
        return shared >= 1 && g->slots == 1;
    default:
        return two;
    }
}

/* Slots that one super-entry can have at most. */
static unsigned longest(const struct mshr_shape *g) {
    unsigned shared = g->sets - g->heads_only;
    unsigned attachable = g->heads_only ? shared : g->sets - 1;
    return g->slots * (1 + attachable);
}

static bool event_possible(const struct mshr_shape *g, enum mshr_event e) {
    bool shared = g->heads_only < g->sets;
    switch (e) {
    case EV_WALK:
        return g->walk;
    case EV_MERGE:
    case EV_RET_AND_MERGE:
        return g->slots > 1;
    case EV_LINK:
    case EV_RET_AND_LINK:
        return shared;
    case EV_PAIR:
        return shared || g->slots > 1;
    case EV_LATE_MERGE:
        return g->slots > 1 || (shared && g->sets > 2);
    case EV_SHARED_EMPTY:
        return shared && g->heads_only;
    case EV_ENTRY_FULL:
    case EV_POOL_EMPTY: /* reserved heads take different blocks */
        return g->addr_mask > g->heads_only;
    case EV_LOOK_JOINED:
        return g->looks && (shared || g->slots > 1);
    case EV_LOOK_AHEAD:
    case EV_LOOK_OPENED:
    case EV_LOOK_NEAR:
    case EV_LOOK_RET:
    case EV_KEPT_RET:
    case EV_KEPT_LONG:
    case EV_SUCCESSIVE:
        return g->looks;
    case EV_STALL_MID_DRAIN:
        return longest(g) > 2;
    case EV_RESET_PAST_HEAD:
        return shared && g->heads_only;
    case EV_SHARED_FIRST:
        return mshr_shares_heads(g) && g->addr_mask >= g->heads_only;
    default:
        return true;
    }
}

size_t mshr_cover_points(struct mshr_cover *c, uint64_t floor, const struct cover_point **points) {
    static const char *const events[] = {
#define X(id, text) text,
        MSHR_EVENTS(X)
#undef X
    };
    static const char *const crosses[] = {
#define X(id, text) text,
        MSHR_CROSSES(X)
#undef X
    };
    size_t n = 0;
    char(*name)[sizeof c->names[0]] = c->names;
    for (unsigned e = 0; e < N_EVENTS; e++)
        c->points[n++] = (struct cover_point){
            events[e], c->events[e], event_possible(&c->g, (enum mshr_event)e) ? floor : 0};
    for (const struct move *m = moves; m < moves + N_MOVES; m++) {
        if (!possible(&c->g, m->need))
            continue;
        snprintf(*name, sizeof *name, "S%u->S%u", m->from, m->to);
        c->points[n++] = (struct cover_point){*name++, c->moves[m->from][m->to], floor};
    }
    for (const struct cell *m = cells; m < cells + N_CELLS; m++) {
        /* Upsets are too rare to ask for one in each state that waits for RET. */
        bool rare = m->cross == CR_BAD_RET && m->state != MSHR_S0 && !mshr_releasing(m->state);
        if (!possible(&c->g, m->need))
            continue;
        snprintf(*name, sizeof *name, "%s S%u", crosses[m->cross], m->state);
        c->points[n++] =
            (struct cover_point){*name++, c->crosses[m->cross][m->state], rare ? 0 : floor};
    }
    *points = c->points;
    return n;
}
