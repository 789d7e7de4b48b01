// SPDX-License-Identifier: Apache-2.0
#include "cap/cap_score.h"

void cap_geometry_init(struct cap_geometry *g, const struct block_params *p) {
    *g = (struct cap_geometry){
        .groups = (unsigned)p->v[CAP_GROUPS],
        .group_mask = bits_round_up((uint64_t)p->v[CAP_GROUPS]) - 1,
        .avail_max = bits_low((unsigned)p->v[CAP_AVAIL_W]),
        .size_max = bits_low((unsigned)p->v[CAP_SIZE_W]),
        .num = (uint64_t)p->v[CAP_C_NUM],
        .den = (uint64_t)p->v[CAP_C_DEN],
        .over = (unsigned)p->v[CAP_OVER],
    };
    if (!g->group_mask)
        g->group_mask = 1;
}

uint64_t cap_least_avail(const struct cap_geometry *g, uint64_t req, uint64_t agg, unsigned k) {
    uint64_t by = g->den * req;
    return ((g->num * agg << (k + 4)) + by - 1) / by;
}

/* Returns log2 of a number of blocks, rounded down, at most 4. */
static unsigned size_of(uint64_t blocks) {
    return blocks >= 16 ? 4 : blocks >= 8 ? 3 : blocks >= 4 ? 2 : blocks >= 2 ? 1 : 0;
}

static unsigned fit_of(const struct cap_geometry *g, const struct cap_question *q) {
    uint64_t by = 16 * q->agg * g->num;
    return by ? size_of(q->avail * q->req * g->den / by) : 4;
}

struct cap_question cap_score_question(const struct cap_score *s, const struct cap_in *in) {
    struct cap_question q = {
        .valid = in->ask_valid && !in->rst,
        .full = in->ask_full,
        .group = (unsigned)in->ask_group,
        .avail = in->ask_avail,
        .agg = s->agg,
    };
    q.known = q.group < s->g.groups && s->known[q.group] && s->agg_known;
    if (!q.known)
        return q;
    q.req = s->req[q.group];
    q.limit = size_of(q.req);
    q.fit = fit_of(&s->g, &q);
    q.size = q.full ? s->g.over : q.fit;
    if (q.size > q.limit)
        q.size = q.limit;
    return q;
}

void cap_score_init(struct cap_score *s, const struct cap_geometry *g) {
    *s = (struct cap_score){.g = *g};
}

static const char *check_compared(const struct cap_question *q, const struct cap_out *out) {
    if (out->st_ask != q->valid)
        return "st_ask differs from ask_valid of the previous cycle";
    if (!q->valid)
        return NULL;
    if (out->st_limit != q->limit)
        return "st_limit is not log2 of the group's blocks";
    return q->limit && out->st_fit != q->fit ? "st_fit is not the greatest size that fits" : NULL;
}

const char *cap_score_check(const struct cap_score *s, const struct cap_out *out) {
    const struct cap_question *due = &s->way[1];
    if (out->ans_valid != due->valid)
        return "ans_valid differs from ask_valid two cycles earlier";
    if (out->ans_size != (due->valid ? due->size : 0))
        return due->valid ? "ans_size is wrong" : "ans_size without ans_valid";
    return check_compared(&s->way[0], out);
}

void cap_score_tick(struct cap_score *s, const struct cap_in *in) {
    s->way[1] = s->way[0];
    s->way[0] = cap_score_question(s, in);
    if (in->rst)
        *s = (struct cap_score){.g = s->g};
    if (!in->rst && in->set_valid && in->set_group < s->g.groups) {
        s->known[in->set_group] = true;
        s->req[in->set_group] = in->set_req;
    }
    if (!in->rst && in->agg_valid) {
        s->agg_known = true;
        s->agg = in->agg;
    }
}
