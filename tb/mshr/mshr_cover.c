// SPDX-License-Identifier: Apache-2.0
#include "mshr/mshr_cover.h"

#include <stdio.h>

/* Requirements of a point. ATTACH needs sets that can be attached, and ATTACH_TWO needs two of
 * them in one MSHR entry. */
enum mshr_need { ANY, MULTI_SLOT, SINGLE_SLOT, ATTACH, ATTACH_MULTI, ATTACH_SINGLE, ATTACH_TWO };

static const struct mshr_move {
    uint8_t from, to;
    enum mshr_need need;
} moves[] = {
#define X(from, to, need) {from, to, need},
    MSHR_MOVES(X)
#undef X
};
enum { N_MOVES = sizeof moves / sizeof *moves };

static const struct mshr_cell {
    enum mshr_cross cross;
    uint8_t state;
    enum mshr_need need;
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
    *c = (struct mshr_cover){.g = *g, .fresh_head = MSHR_SCORE_NONE};
}

static void count_event(struct mshr_cover *c, enum mshr_event e, bool condition) {
    c->events[e] += condition;
}

/* ---- A cycle ---- */

static void cover_request(struct mshr_cover *c, const struct mshr_score *s,
                          const struct mshr_in *in, const struct mshr_out *out,
                          const struct mshr_look *look) {
    int match = look->match;
    bool hits_ret = look->ret && match != MSHR_SCORE_NONE && in->ret_head == (uint64_t)match;
    bool full = out->req_refuse == MSHR_REFUSE_MERGE_FULL;
    count_event(c, EV_WALK, !c->g.looks && out->req_refuse == MSHR_REFUSE_WALK);
    count_event(c, EV_STALE, s->stale);
    count_event(c, EV_DRAIN_REFUSE, full && look->late);
    count_event(c, EV_ENTRY_FULL, out->req_refuse == MSHR_REFUSE_ENTRY_FULL);
    count_event(c, EV_MERGE_FULL, full);
    count_event(c, EV_MERGE_FULL_DRAINING, full && s->draining != MSHR_SCORE_NONE);
    count_event(c, EV_RET_AND_REFUSE, full && hits_ret);
    if (!out->req_ready)
        return;
    count_event(c, EV_NO_ROOM, c->g.promises && !out->room);
    count_event(c, EV_LAST_ROOM, c->g.promises && out->room == 1);
    bool second = s->draining != MSHR_SCORE_NONE && s->drain.addr == mshr_score_asked(s, in);
    if (out->req_primary) {
        uint64_t top = c->g.addr_mask ^ c->g.addr_mask >> 1;
        count_event(c, EV_NEAR,
                    mshr_score_find(s, mshr_score_asked(s, in) ^ top) != MSHR_SCORE_NONE);
        count_event(c, EV_PRIMARY, true);
        count_event(c, EV_LATE, second);
        return;
    }
    bool link = mshr_score_match(s, look)->count % c->g.slots == 0;
    count_event(c, link ? EV_LINK : EV_MERGE, true);
    count_event(c, link ? EV_DRAIN_LINK : EV_DRAIN_MERGE, look->late);
    count_event(c, EV_DRAIN_LAST, look->late && out->rsp_valid && s->drain.first == s->drain.last);
    count_event(c, EV_DRAIN_GAP, look->late && s->gap);
    count_event(c, link ? EV_RET_AND_LINK : EV_RET_AND_MERGE, hits_ret);
    count_event(c, EV_LATE_MERGE, second && !look->late);
    count_event(c, EV_PAIR, c->fresh_head == match);
}

static void cross_events(struct mshr_cover *c, enum mshr_cross kind, const struct mshr_out *out,
                         unsigned set) {
    unsigned state = mshr_state_of(out, set);
    if (state < MSHR_SCORE_N_STATES)
        c->crosses[kind][state]++;
}

static void cross_request(struct mshr_cover *c, const struct mshr_score *s,
                          const struct mshr_out *out, const struct mshr_look *look) {
    if (look->match == MSHR_SCORE_NONE || out->req_refuse == MSHR_REFUSE_WALK)
        return;
    const struct mshr_entry *e = mshr_score_match(s, look);
    if (!out->req_ready)
        cross_events(c, CR_REFUSE, out, e->tail);
    else
        cross_events(c, e->count % c->g.slots ? CR_MERGE : CR_LINK, out, e->tail);
}

static void cross_return(struct mshr_cover *c, const struct mshr_score *s,
                         const struct mshr_out *out, unsigned head, bool bad) {
    if (head >= c->g.sets)
        return;
    cross_events(c, bad ? CR_BAD_RET : CR_RET, out, head);
    if (!bad && s->entry[head].tail != head)
        cross_events(c, CR_RET_TAIL, out, s->entry[head].tail);
}

static void cover_state(struct mshr_cover *c, const struct mshr_score *s,
                        const struct mshr_out *out) {
    count_event(c, EV_POOL_EMPTY, !out->st_free_heads && !out->st_free_shared);
    count_event(c, EV_SHARED_EMPTY, !out->st_free_shared && out->st_free_heads);
    if (!s->seen_state)
        return;
    count_event(c, EV_POOL_FULL,
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
    count_event(c, EV_RET_WAITS, !out->ret_ready);
    count_event(c, EV_RET_ON_LAST, look->ret && out->rsp_valid && out->rsp_last);
    count_event(c, EV_RET_FIRST_CYCLE, look->ret && c->fresh_head == (int)in->ret_head);
    if (look->ret)
        cross_return(c, s, out, (unsigned)in->ret_head, look->bad);
    if (look->ret && !look->bad) {
        count_event(c, EV_SHARED_FIRST, !c->drained_any && in->ret_head >= c->g.heads_only);
        c->drained_any = true;
    }
}

static void cover_response(struct mshr_cover *c, const struct mshr_score *s,
                           const struct mshr_in *in, const struct mshr_out *out) {
    bool stalls = out->rsp_valid && !in->rsp_ready, fire = out->rsp_valid && in->rsp_ready;
    count_event(c, EV_STALL_MID_DRAIN, stalls && s->drained && !out->rsp_last);
    count_event(c, EV_STALL_LAST, stalls && out->rsp_last);
    count_event(c, EV_ALLOC_AND_FREE,
                fire && out->rsp_last && in->req_valid && out->req_ready && out->req_primary);
}

static void cover_look(struct mshr_cover *c, const struct mshr_score *s, const struct mshr_in *in,
                       const struct mshr_out *out, const struct mshr_look *look) {
    bool accepted = in->req_valid && out->req_ready, ret = look->ret && !look->bad;
    bool same = in->look && in->look_addr == s->looked;
    uint64_t old_addr = ret ? s->entry[in->ret_head].addr : 0;
    count_event(c, EV_LOOK_AHEAD, in->look && accepted && !same);
    count_event(c, EV_LOOK_OPENED, same && accepted && out->req_primary);
    count_event(c, EV_LOOK_JOINED, same && accepted && !out->req_primary);
    count_event(c, EV_LOOK_NEAR,
                accepted && in->look &&
                    (in->look_addr ^ s->looked) == (c->g.addr_mask ^ c->g.addr_mask >> 1));
    count_event(c, EV_LOOK_RET, ret && in->look && in->look_addr == old_addr);
    count_event(c, EV_KEPT_RET, ret && !in->look && s->looked_up && s->looked == old_addr);
    count_event(c, EV_KEPT_LONG, accepted && c->cycle >= c->look_cycle + 16);
    count_event(c, EV_SUCCESSIVE,
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
        cross_request(c, s, out, look);
    }
    if (in->ret_valid)
        cover_return(c, s, in, out, look);
    cover_response(c, s, in, out);
    if (c->g.looks)
        cover_look(c, s, in, out, look);
    if (!in->req_valid)
        c->fresh_head = MSHR_SCORE_NONE;
    else if (out->req_ready)
        c->fresh_head = out->req_primary ? (int)out->req_head : MSHR_SCORE_NONE;
}

/* Covers a reset and the other inputs of its cycle. */
static void cover_reset(struct mshr_cover *c, const struct mshr_score *s, const struct mshr_in *in,
                        const struct mshr_out *out) {
    c->fresh_head = MSHR_SCORE_NONE;
    c->drained_any = false;
    if (!s->seen_state)
        return;
    count_event(c, EV_RESET, true);
    count_event(c, EV_RESET_PAST_HEAD, mshr_score_past_head(s));
    count_event(c, EV_RESET_PRIMARY, in->req_valid && out->req_ready && out->req_primary);
    count_event(c, EV_RESET_RET,
                in->ret_valid && out->ret_ready && !mshr_score_bad_return(s, in->ret_head));
}

void mshr_cover_cycle(struct mshr_cover *c, const struct mshr_score *s, const struct mshr_in *in,
                      const struct mshr_out *out, const struct mshr_look *look) {
    if (in->rst)
        cover_reset(c, s, in, out);
    else if (out->err)
        count_event(c, EV_ERROR, true);
    else
        cover_working(c, s, in, out, look);
    if (in->look && !in->rst)
        c->look_cycle = c->cycle;
    c->cycle++;
}

/* ---- Points that are possible at the parameters ---- */

static bool is_possible(const struct mshr_shape *g, enum mshr_need need) {
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

/* True if less than half of the sets can be heads. */
static bool few_heads(const struct mshr_shape *g) {
    return g->looks && g->heads_only && 2 * g->heads_only < g->sets;
}

/* Returns the maximum number of slots in an MSHR entry. */
static unsigned longest_chain(const struct mshr_shape *g) {
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
        return g->sets > 1 && (g->slots > 1 || (shared && g->sets > 2));
    case EV_LATE:
    case EV_NEAR:
    case EV_ALLOC_AND_FREE:
        return g->sets > 1;
    case EV_MERGE_FULL_DRAINING:
        return g->sets > 1 || g->looks;
    case EV_SHARED_EMPTY:
        return shared && g->heads_only;
    case EV_ENTRY_FULL:
    case EV_POOL_EMPTY: /* all reserved heads must track different blocks */
        return g->addr_mask > g->heads_only;
    case EV_LOOK_JOINED:
        return g->looks && (shared || g->slots > 1);
    case EV_DRAIN_MERGE:
        return g->looks && g->slots > 1;
    case EV_DRAIN_LINK:
        return g->looks && shared;
    case EV_DRAIN_LAST:
        return g->looks && (shared || g->slots > 1);
    case EV_DRAIN_GAP:
        return g->looks && longest_chain(g) > 2;
    case EV_DRAIN_REFUSE:
    case EV_STALE:
    case EV_LOOK_AHEAD:
    case EV_LOOK_OPENED:
    case EV_LOOK_NEAR:
    case EV_LOOK_RET:
    case EV_KEPT_RET:
    case EV_KEPT_LONG:
        return g->looks;
    case EV_SUCCESSIVE:
        return g->looks && g->sets > 1;
    case EV_NO_ROOM:
    case EV_LAST_ROOM:
        return g->promises;
    case EV_STALL_MID_DRAIN:
        return longest_chain(g) > 2;
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
    for (const struct mshr_move *m = moves; m < moves + N_MOVES; m++) {
        /* with few heads, most sets are attached, so a lone head rarely gets one later */
        bool rare = m->from == MSHR_S4 && m->to == MSHR_S3 && few_heads(&c->g);
        if (!is_possible(&c->g, m->need))
            continue;
        snprintf(*name, sizeof *name, "S%u->S%u", m->from, m->to);
        c->points[n++] = (struct cover_point){*name++, c->moves[m->from][m->to], rare ? 0 : floor};
    }
    for (const struct mshr_cell *m = cells; m < cells + N_CELLS; m++) {
        /* faults are too rare to require one in each state before RET */
        bool rare = m->cross == CR_BAD_RET && m->state != MSHR_S0 && !mshr_releasing(m->state);
        rare = rare || (m->cross == CR_LINK && m->state == MSHR_S4 && few_heads(&c->g));
        if (!is_possible(&c->g, m->need))
            continue;
        snprintf(*name, sizeof *name, "%s S%u", crosses[m->cross], m->state);
        c->points[n++] =
            (struct cover_point){*name++, c->crosses[m->cross][m->state], rare ? 0 : floor};
    }
    *points = c->points;
    return n;
}
