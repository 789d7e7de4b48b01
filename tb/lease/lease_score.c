// SPDX-License-Identifier: Apache-2.0
#include "lease/lease_score.h"

#include <string.h>

void lease_geometry_init(struct lease_geometry *g, const struct block_params *p) {
    *g = (struct lease_geometry){
        .lanes = (unsigned)p->v[LEASE_LANES],
        .entries = (unsigned)p->v[LEASE_ENTRIES],
        .block_w = (unsigned)p->v[LEASE_BLOCK_W],
        .count_w = (unsigned)p->v[LEASE_COUNT_W],
        .pages = (unsigned)p->v[LEASE_PAGES],
        .groups = (unsigned)p->v[LEASE_GROUPS],
        .life_w = (unsigned)p->v[LEASE_LIFE_W],
        .weight = (unsigned)p->v[LEASE_WEIGHT],
        .page_w = lease_page_bits(p),
        .group_w = lease_group_bits(p),
        .quota_w = lease_quota_bits(p),
        .duty = (uint32_t)p->v[LEASE_DUTY],
        .period = (uint32_t)p->v[LEASE_PERIOD],
    };
    while (1u << g->entry_bits < g->entries)
        g->entry_bits++;
    g->count_max = (uint32_t)bits_low(g->count_w);
    g->lease_max = (uint32_t)bits_low(g->life_w) - 1;
}

static void begin_window(struct lease_score *s) {
    memset(s->window, 0, sizeof s->window);
    for (unsigned g = 0; g < s->g.groups; g++)
        s->group[g].entries = 0;
    s->cycle = 0;
    s->n_steps = 0;
}

void lease_score_init(struct lease_score *s, const struct lease_geometry *g) {
    *s = (struct lease_score){.g = *g};
    begin_window(s);
}

/* Returns the access in lane `lane`. */
static struct lease_access lease_access_of(const struct lease_geometry *g,
                                           const struct lease_in *in, unsigned lane) {
    return (struct lease_access){
        .valid = in->acc_valid >> lane & 1,
        .block = lease_field(in->acc_block, lane, g->block_w),
        .page = lease_field(in->acc_page, lane, g->page_w),
        .group = lease_field(in->acc_group, lane, g->group_w),
    };
}

/* ---- Expected outputs ---- */

const struct lease_step *lease_score_step(const struct lease_score *s) {
    for (unsigned i = s->n_steps; i-- > 0;)
        if (s->step[i].cycle <= s->cycle)
            return &s->step[i];
    return NULL;
}

static const char *check_update(const struct lease_score *s, const struct lease_out *out) {
    const struct lease_step *step = lease_score_step(s);
    bool shows = step && step->update && step->cycle == s->cycle;
    if (out->st_phase != (step ? step->phase : LEASE_PHASE_SAMPLE))
        return "st_phase does not match the number of entries";
    if (out->upd_valid != shows)
        return "upd_valid is set in the wrong cycle";
    if (shows && out->upd_group != step->group)
        return "upd_group is not the next group with entries";
    return shows && out->upd_lease != step->lease ? "upd_lease does not match the entries" : NULL;
}

static const char *check_entry(const struct lease_score *s, const struct lease_out *out,
                               unsigned e) {
    const struct lease_sample *is = &s->window[SHOWS_COUNT - 1].entry[e];
    uint32_t pages = lease_field(out->st_pages, e, s->g.pages);
    if (lease_field(out->st_count, e, s->g.count_w) != is->count)
        return "a count does not match the accesses up to six cycles before";
    return pages != is->pages ? "pages do not match the accesses up to six cycles before" : NULL;
}

const char *lease_score_check(const struct lease_score *s, const struct lease_out *out) {
    uint64_t missed = s->window[SHOWS_COUNT - 1].missed;
    const char *broken = check_update(s, out);
    for (unsigned e = 0; e < s->g.entries && !broken; e++)
        broken = check_entry(s, out, e);
    if (!broken && out->duty != (s->cycle < s->g.duty))
        broken = "duty is not set in the first DUTY cycles of a period";
    if (!broken && out->st_used != bits_low(s->window[SHOWS_ENTRY - 1].used))
        broken = "st_used does not match the accesses up to three cycles before";
    if (!broken && out->st_missed != (missed < 65535 ? missed : 65535))
        broken = "st_missed does not match the accesses up to six cycles before";
    return broken;
}

/* ---- The clock edge: accesses ---- */

int lease_score_find(const struct lease_window *w, uint32_t block) {
    for (unsigned e = 0; e < w->used; e++)
        if (w->entry[e].block == block)
            return (int)e;
    return -1;
}

static bool has_room(const struct lease_score *s, uint32_t g) {
    return g < s->g.groups && s->group[g].entries < s->group[g].quota;
}

static void choose_lease(struct lease_score *s, struct lease_window *w) {
    s->able = 0;
    s->chosen = -1;
    for (unsigned l = 0; l < s->g.lanes; l++) {
        const struct lease_access *a = &s->access[l];
        if (!a->valid || lease_score_find(w, a->block) >= 0 || !has_room(s, a->group))
            continue;
        if (!s->able)
            s->chosen = (int)l;
        s->able |= UINT32_C(1) << l;
    }
    if (w->used == s->g.entries) {
        w->missed += bits_count(s->able);
        s->chosen = -1;
    }
    if (s->chosen >= 0) {
        const struct lease_access *a = &s->access[s->chosen];
        w->entry[w->used++] = (struct lease_sample){.block = a->block, .group = a->group};
        s->group[a->group].entries++;
    }
}

static void count_window(struct lease_score *s, struct lease_window *w) {
    for (unsigned l = 0; l < s->g.lanes; l++) {
        const struct lease_access *a = &s->access[l];
        int e = a->valid ? lease_score_find(w, a->block) : -1;
        s->in_entry[l] = e;
        if (e < 0)
            continue;
        if (w->entry[e].count < s->g.count_max)
            w->entry[e].count++;
        w->entry[e].pages |= UINT32_C(1) << a->page;
    }
}

static void tick_window(struct lease_score *s, const struct lease_in *in) {
    memmove(&s->window[1], &s->window[0], (SHOWS_COUNT - 1) * sizeof s->window[0]);
    for (unsigned l = 0; l < s->g.lanes; l++) {
        s->access[l] = lease_access_of(&s->g, in, l);
        s->access[l].valid = s->access[l].valid && s->cycle < s->g.duty;
    }
    choose_lease(s, &s->window[0]);
    count_window(s, &s->window[0]);
    if (in->quota_valid && in->quota_group < s->g.groups)
        s->group[in->quota_group].quota = (uint32_t)in->quota;
}

/* ---- The clock edge: leases ---- */

uint32_t lease_score_f(const struct lease_sample *e) {
    return 16 * e->count / bits_count(e->pages);
}

/* Returns the greatest x with x <= (sample - lease) / 2^WEIGHT. */
static int part_of(int far, unsigned weight) {
    int part = -(1 << 17), step = 1 << 18;
    for (; step; step /= 2)
        if ((int64_t)(part + step) * (INT64_C(1) << weight) <= far)
            part += step;
    return part;
}

static void move_lease(struct lease_score *s, unsigned g) {
    const struct lease_window *w = &s->window[0];
    struct lease_group *is = &s->group[g];
    uint32_t sum = 0;
    int lease;
    for (unsigned e = 0; e < w->used; e++)
        if (w->entry[e].group == g)
            sum += lease_score_f(&w->entry[e]);
    lease = (int)((sum / is->entries + 8) >> 4);
    if (is->leased)
        lease = (int)is->lease + part_of(lease - (int)is->lease, s->g.weight);
    is->lease = lease < 1 ? 1 : lease > (int)s->g.lease_max ? s->g.lease_max : (uint32_t)lease;
    is->leased = true;
}

static void add_step(struct lease_score *s, uint32_t cycle, enum lease_phase phase) {
    s->step[s->n_steps++] = (struct lease_step){.cycle = cycle, .phase = phase};
}

static void plan_window(struct lease_score *s) {
    uint32_t cycle = s->g.duty + 5;
    add_step(s, cycle, LEASE_PHASE_ENTRIES);
    for (unsigned g = 0; g < s->g.groups; g++) {
        cycle += 2;
        if (!s->group[g].entries)
            continue;
        cycle += s->group[g].entries * (s->g.count_w + 7);
        add_step(s, cycle, LEASE_PHASE_GROUP);
        cycle += s->g.count_w + s->g.entry_bits + 7;
        move_lease(s, g);
        add_step(s, cycle, LEASE_PHASE_ENTRIES);
        s->step[s->n_steps - 1].update = true;
        s->step[s->n_steps - 1].group = g;
        s->step[s->n_steps - 1].lease = s->group[g].lease;
    }
    if (s->step[s->n_steps - 1].cycle == cycle)
        s->step[s->n_steps - 1].phase = LEASE_PHASE_IDLE;
    else
        add_step(s, cycle, LEASE_PHASE_IDLE);
}

void lease_score_tick(struct lease_score *s, const struct lease_in *in) {
    if (in->rst) {
        memset(s->group, 0, sizeof s->group);
        begin_window(s);
        return;
    }
    tick_window(s, in);
    if (++s->cycle == s->g.duty)
        plan_window(s);
    if (s->cycle == s->g.period)
        begin_window(s);
}
