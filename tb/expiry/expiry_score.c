// SPDX-License-Identifier: Apache-2.0
#include "expiry/expiry_score.h"

#include <string.h>

void expiry_geometry_init(struct expiry_geometry *g, const struct block_params *p) {
    g->entries = (unsigned)p->v[EXPIRY_ENTRIES];
    g->pages = (unsigned)p->v[EXPIRY_PAGES];
    g->take = (unsigned)p->v[EXPIRY_TAKE];
    g->block_mask = bits_low((unsigned)p->v[EXPIRY_BLOCK_W]);
}

void expiry_score_init(struct expiry_score *s, const struct expiry_geometry *g) {
    memset(s, 0, sizeof *s);
    s->g = *g;
}

/* ---- Order of updates ---- */

static int expiry_score_place(const struct expiry_score *s, uint32_t block) {
    for (unsigned i = 0; i < s->n; i++)
        if (s->items[i].block == block)
            return (int)i;
    return -1;
}

static void take_out(struct expiry_score *s, unsigned place) {
    s->used[s->items[place].way] = false;
    s->n--;
    memmove(&s->items[place], &s->items[place + 1], (s->n - place) * sizeof s->items[0]);
}

static void put_last(struct expiry_score *s, struct expiry_item item) {
    s->used[item.way] = true;
    s->items[s->n++] = item;
}

/* ---- Expected outputs ---- */

/* Finds the entry of the current operation. */
static void find_entry(const struct expiry_score *s, struct expiry_look *look) {
    int place = s->now.kind == KIND_TAKE ? -1 : expiry_score_place(s, s->now.block);
    look->found = place >= 0;
    look->made = s->now.kind == KIND_EXPIRE && !look->found && s->n < s->g.entries;
    look->use = look->found || s->now.kind == KIND_EXPIRE || (s->now.kind == KIND_TAKE && s->n);
    look->place = look->found ? (unsigned)place : 0;
    if (look->made)
        while (s->used[look->way])
            look->way++;
    else if (look->use)
        look->way = s->items[look->place].way;
    look->outputs = s->now.kind != KIND_EXPIRE || (!look->found && !look->made);
}

static void find_output(const struct expiry_score *s, struct expiry_look *look) {
    static const enum expiry_why whys[N_KINDS] = {EXPIRY_NOTHING, EXPIRY_RECALLED, EXPIRY_FULL,
                                                  EXPIRY_TAKEN};
    look->valid = look->outputs && s->left == 0;
    look->why = look->use ? whys[s->now.kind] : EXPIRY_NOTHING;
    look->last = s->now.kind != KIND_TAKE || s->n < 2 || s->outputs + 1 == s->g.take;
}

/* Returns the operation that starts in an idle cycle, and stores the operation that follows it in
 * *next. */
static struct expiry_op begin_op(const struct expiry_score *s, const struct expiry_in *in,
                                 bool ready, struct expiry_op *next) {
    struct expiry_op expire = {KIND_EXPIRE, (uint32_t)in->exp_block, (unsigned)in->exp_page};
    struct expiry_op recall = {KIND_RECALL, (uint32_t)in->rec_block, 0}, none = {0};
    bool exp_first = s->exp_age > s->rec_age;
    *next = none;
    if (!ready)
        return s->next;
    if (in->exp_valid && in->rec_valid) {
        *next = exp_first ? recall : expire;
        return exp_first ? expire : recall;
    }
    if (in->exp_valid)
        return expire;
    if (in->rec_valid)
        return recall;
    if (s->take_asked || in->take)
        none.kind = KIND_TAKE;
    return none;
}

static const char *check_output(const struct expiry_score *s, const struct expiry_out *out,
                                const struct expiry_look *look) {
    if (out->out_valid != look->valid)
        return "out_valid is set in the wrong cycle";
    if (!look->valid)
        return NULL;
    if (out->out_why != (uint64_t)look->why)
        return "out_why is wrong";
    if (out->out_last != look->last)
        return "out_last is wrong";
    if (!look->use)
        return NULL;
    const struct expiry_item *item = &s->items[look->place];
    if (out->out_block != item->block)
        return "out_block is wrong";
    return out->out_mask != item->mask ? "out_mask is not the set of expired pages" : NULL;
}

static const char *check_state(const struct expiry_score *s, const struct expiry_out *out,
                               const struct expiry_look *look) {
    if (out->st_entries != s->n)
        return "st_entries is wrong";
    if (out->st_look != (s->now.kind && s->left == 1))
        return "st_look is wrong";
    if (!out->st_look)
        return NULL;
    if (out->st_found != look->found || out->st_use != look->use)
        return "st_found or st_use is wrong";
    return look->use && out->st_way != look->way ? "st_way is wrong" : NULL;
}

const char *expiry_score_check(const struct expiry_score *s, const struct expiry_in *in,
                               const struct expiry_out *out, struct expiry_look *look) {
    const char *broken;
    *look = (struct expiry_look){.ready = !s->now.kind && !s->next.kind};
    if (s->now.kind && s->left <= 1) {
        look->known = true;
        find_entry(s, look);
        find_output(s, look);
    }
    if (!s->now.kind)
        look->begin = begin_op(s, in, look->ready, &look->next);
    if (out->exp_ready != look->ready || out->rec_ready != look->ready)
        return "ready is not the inverse of an operation in progress";
    broken = check_output(s, out, look);
    return broken ? broken : check_state(s, out, look);
}

/* ---- The clock edge ---- */

static void expire_page(struct expiry_score *s, const struct expiry_look *look) {
    struct expiry_item item = {s->now.block, UINT32_C(1) << s->now.page, look->way};
    if (look->found)
        item.mask |= s->items[look->place].mask;
    if (!look->made)
        take_out(s, look->place);
    put_last(s, item);
}

static void leave_page(struct expiry_score *s, const struct expiry_look *look) {
    if (s->now.kind == KIND_EXPIRE)
        expire_page(s, look);
    else if (look->use)
        take_out(s, look->place);
    s->outputs++;
    s->left = EXPIRY_NEXT_CYCLES - 1;
    if (look->last)
        s->now.kind = KIND_NONE;
}

static void go_on(struct expiry_score *s, const struct expiry_in *in,
                  const struct expiry_look *look) {
    if (look->valid) {
        if (in->out_ready)
            leave_page(s, look);
        return;
    }
    if (s->left == 1 && !look->outputs) {
        expire_page(s, look);
        s->now.kind = KIND_NONE;
    }
    s->left--;
}

void expiry_score_tick(struct expiry_score *s, const struct expiry_in *in,
                       const struct expiry_look *look) {
    if (in->rst) {
        struct expiry_geometry g = s->g;
        expiry_score_init(s, &g);
        return;
    }
    s->take_asked = s->take_asked || in->take;
    if (s->now.kind) {
        go_on(s, in, look);
    } else {
        s->now = look->begin;
        s->next = look->next;
        s->left = EXPIRY_OP_CYCLES - 1;
        s->outputs = 0;
        if (s->now.kind == KIND_TAKE)
            s->take_asked = false;
    }
    s->exp_age = in->exp_valid && !look->ready ? s->exp_age + 1 : 0;
    s->rec_age = in->rec_valid && !look->ready ? s->rec_age + 1 : 0;
}
