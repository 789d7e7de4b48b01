// SPDX-License-Identifier: Apache-2.0
#include "hir/hir_score.h"

#include <string.h>

#include "lib/bits.h"

/* ---- Create and reset ---- */

static unsigned log2_of(int64_t x) {
    return bits_lowest((uint64_t)x);
}

void hir_geometry_init(struct hir_geometry *g, const struct block_params *p) {
    *g = (struct hir_geometry){
        .sets = (unsigned)p->v[HIR_SETS],
        .ways = (unsigned)p->v[HIR_WAYS],
        .pages = (unsigned)p->v[HIR_PAGES],
        .entries = (unsigned)(p->v[HIR_SETS] * p->v[HIR_WAYS]),
        .set_bits = log2_of(p->v[HIR_SETS]),
        .tag_bits = (unsigned)p->v[HIR_SET_W] - log2_of(p->v[HIR_SETS]),
        .tags = UINT64_C(1) << (p->v[HIR_SET_W] - log2_of(p->v[HIR_SETS])),
        .count_w = (unsigned)p->v[HIR_COUNT_W],
        .count_max = bits_low((unsigned)p->v[HIR_COUNT_W]),
        .lost_max = bits_low((unsigned)p->v[HIR_LOST_W]),
        .number_mask = bits_low((unsigned)p->v[HIR_SET_W]),
    };
}

/* Sets the state that follows a reset, or that follows the sending of all entries. */
static void clear_state(struct hir_score *s) {
    s->was_hit = false;
    s->lost = 0;
    s->since = s->sent = s->n = 0;
    memset(s->in_set, 0, s->g.sets * sizeof *s->in_set);
}

void hir_score_init(struct hir_score *s, const struct hir_geometry *g) {
    s->g = *g;
    clear_state(s);
}

/* ---- Checking ---- */

enum hir_state hir_score_state(const struct hir_score *s, bool out_ready) {
    bool last = s->sent + 1 == s->n;
    switch (s->since) {
    case 0:
        return s->n || s->was_hit ? HIR_STATE_HOLDS : HIR_STATE_EMPTY;
    case 1:
        return HIR_STATE_BEGIN;
    case 2:
        return s->n ? HIR_STATE_ORDER : HIR_STATE_NONE;
    case 3:
        return HIR_STATE_ENTRY;
    default:
        if (last)
            return out_ready ? HIR_STATE_LAST_LEAVES : HIR_STATE_LAST_STANDS;
        return out_ready ? HIR_STATE_LEAVES : HIR_STATE_STANDS;
    }
}

static struct hir_look look_up(const struct hir_score *s, bool out_ready) {
    struct hir_look look = {.state = hir_score_state(s, out_ready), .any = s->was_hit};
    if (!s->was_hit)
        return look;
    look.row = (unsigned)(s->number % s->g.sets);
    look.item = s->n;
    look.way = s->in_set[look.row];
    for (unsigned way = 0; way < s->in_set[look.row]; way++) {
        unsigned item = s->way_item[look.row][way];
        if (s->items[item].number != s->number)
            continue;
        look.found = true;
        look.item = item;
        look.way = way;
    }
    look.loses = look.way == s->g.ways;
    return look;
}

static const char *check_look(const struct hir_score *s, const struct hir_out *out,
                              const struct hir_look *look) {
    if (out->st_look != look->any)
        return "a hit is not looked up in the cycle after it";
    if (out->st_count != s->n)
        return "st_count is not the number of page sets that were touched";
    if (!look->any)
        return NULL;
    if (out->st_row != look->row)
        return "st_row is not the set of the page set";
    if (out->st_found != look->found)
        return "a page set is found that was not touched, or not found though it was";
    if (out->st_lose != look->loses)
        return "a hit is lost though there is room, or kept though there is none";
    if (!look->loses && out->st_way != look->way)
        return "the entry is not in the lowest free way";
    return NULL;
}

static uint64_t counts_of(const struct hir_score *s, const struct hir_item *item) {
    uint64_t counts = 0;
    for (unsigned i = 0; i < s->g.pages; i++)
        counts |= (uint64_t)item->touches[i] << i * s->g.count_w;
    return counts;
}

static const char *check_out(const struct hir_score *s, const struct hir_out *out) {
    const struct hir_item *item = &s->items[s->sent];
    if (out->out_valid != (s->since >= HIR_FLUSH_LATENCY))
        return "an entry is output too early, too late, or does not exist";
    if (!out->out_valid)
        return NULL;
    if (out->out_set != item->number)
        return "entries are not sent in the order of first touch";
    if (out->out_counts != counts_of(s, item))
        return "the counters of an entry differ from the touches of its pages";
    if (out->out_last != (s->sent + 1 == s->n))
        return "out_last does not mark the last entry";
    return NULL;
}

static const char *check_wires(const struct hir_score *s, const struct hir_out *out) {
    if (out->busy != hir_score_busy(s))
        return "busy does not last from the cycle after flush until all entries are sent";
    if (out->hit_ready != !out->busy)
        return "hit_ready is not the inverse of busy";
    if (out->lost != s->lost)
        return "lost is not the number of hits to full sets";
    return NULL;
}

const char *hir_score_check(const struct hir_score *s, const struct hir_in *in,
                            const struct hir_out *out, struct hir_look *look) {
    *look = look_up(s, in->out_ready);
    const char *broken = check_wires(s, out);
    if (!broken)
        broken = check_look(s, out, look);
    return broken ? broken : check_out(s, out);
}

/* ---- The clock edge ---- */

static void count_access(struct hir_score *s, const struct hir_look *look) {
    struct hir_item *item = &s->items[look->item];
    if (look->loses) {
        s->lost += s->lost < s->g.lost_max;
        return;
    }
    if (!look->found) {
        *item = (struct hir_item){.number = s->number};
        s->way_item[look->row][look->way] = s->n++;
        s->in_set[look->row]++;
    }
    item->touches[s->page] += item->touches[s->page] < s->g.count_max;
}

void hir_score_tick(struct hir_score *s, const struct hir_in *in, const struct hir_look *look) {
    bool busy = hir_score_busy(s);
    if (look->any)
        count_access(s, look);
    s->sent += look->state == HIR_STATE_LEAVES;
    s->since += busy ? s->since < HIR_FLUSH_LATENCY : in->flush;
    if (in->rst || look->state == HIR_STATE_NONE || look->state == HIR_STATE_LAST_LEAVES)
        clear_state(s);
    s->was_hit = in->hit_valid && !busy && !in->rst;
    s->number = in->hit_set;
    s->page = (unsigned)in->hit_page;
}
