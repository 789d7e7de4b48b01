// SPDX-License-Identifier: Apache-2.0
#include "loads.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "lib/alloc.h"
#include "lib/bits.h"
#include "lib/random.h"
#include "loads_inside.h"

#define SEED 1

/* ---- spans of a load ---- */

/* Walks along the path of a load. `at` never decreases and never exceeds the load's end, so the
 * spans add up to the load's latency. */
struct walk {
    struct load_row *row;
    uint64_t at;
};

/* Ends the stage in cycle `to`, but not before it began and not after `limit`. */
static void walk_to(struct walk *w, enum load_span span, uint64_t to, uint64_t limit) {
    to = to < limit ? to : limit;
    if (to <= w->at)
        return;
    w->row->span[span] += (uint32_t)(to - w->at);
    w->at = to;
}

/* Returns the SM cycle that is `cycles` cycles of a clock of `mhz` after SM cycle `from`. */
static uint64_t time_after(const struct config *cfg, uint64_t from, uint64_t cycles, int64_t mhz) {
    const uint64_t clock = (uint64_t)mhz;
    return from + (cycles * (uint64_t)cfg->clock_sm_mhz + clock - 1) / clock;
}

/* Adds the spans before the L1D accepts the load. The pipeline before the tags takes
 * l1d.hit_latency - 1 cycles; the cycles beyond them are waits for the tags. */
static void walk_out(struct walk *w, const struct config *cfg, const struct watched_load *l) {
    const uint64_t accept = l->times.l1d_accept;
    const uint64_t delay = (uint64_t)cfg->l1d_hit_latency - 1;
    const uint64_t wait = l->piped > delay ? l->piped - delay : 0;
    walk_to(w, SPAN_lsu, accept - l->translating - l->piped, accept);
    walk_to(w, SPAN_tlb, accept - l->piped, accept);
    walk_to(w, SPAN_l1d_pipe, accept - wait, accept);
    walk_to(w, SPAN_l1d_wait, accept, accept);
}

/* Adds the spans in the L2 bank and the DRAM channel. */
static void walk_l2(struct walk *w, const struct config *cfg, const struct watched_load *l) {
    const struct request_times *t = &l->times;
    const uint64_t *at = l->marks.at;
    const bool dram = t->from_dram != 0;
    const uint64_t end = dram ? t->to_dram : t->to_reply;
    walk_to(w, SPAN_l2_pipe, at[MARK_BUFFERED], end);
    walk_to(w, SPAN_l2_in, at[MARK_ACCEPTED], end);
    if (dram) {
        const int64_t delay = cfg->dram_model == MODEL_GPGPUSIM ? cfg->dram_extra_latency : 0;
        walk_to(w, SPAN_l2_miss, t->to_dram, t->to_reply);
        walk_to(w, SPAN_dram_delay,
                time_after(cfg, t->to_dram, (uint64_t)delay, cfg->clock_dram_mhz),
                at[MARK_DRAM_BEGIN]);
        walk_to(w, SPAN_dram_queue, at[MARK_DRAM_BEGIN], t->from_dram);
        walk_to(w, SPAN_dram_row, at[MARK_DRAM_READ], t->from_dram);
        walk_to(w, SPAN_dram_data, t->from_dram, t->to_reply);
    }
    walk_to(w, SPAN_l2_drain, at[MARK_REPLIED], t->to_reply);
    walk_to(w, SPAN_l2_reply, t->to_reply, t->to_reply);
}

/* Adds the spans of a load that the L1D sent on, or that joined a fetch. */
static void walk_miss(struct walk *w, const struct config *cfg, const struct watched_load *l) {
    const struct request_times *t = &l->times;
    const struct request_marks *m = &l->marks;
    const uint64_t *at = m->at;
    walk_to(w, SPAN_l1d_miss, t->to_icnt, l->done);
    walk_to(w, SPAN_req_input, at[MARK_GRANTED], t->to_l2);
    walk_to(w, SPAN_req_switch,
            time_after(cfg, at[MARK_GRANTED], m->crossing[0], cfg->clock_icnt_mhz), t->to_l2);
    walk_to(w, SPAN_req_output, t->to_l2, t->to_reply);
    walk_l2(w, cfg, l);
    walk_to(w, SPAN_reply_input, at[MARK_GRANTED_BACK], t->back);
    walk_to(w, SPAN_reply_switch,
            time_after(cfg, at[MARK_GRANTED_BACK], m->crossing[1], cfg->clock_icnt_mhz), t->back);
    walk_to(w, SPAN_reply_output, t->back, l->done);
    walk_to(w, SPAN_l1d_drain, at[MARK_RESPONDED], l->done);
}

static void note_path(struct load_row *row, const struct config *cfg,
                      const struct watched_load *l) {
    struct walk w = {row, l->issued};
    row->missed = l->times.to_icnt != 0;
    walk_out(&w, cfg, l);
    if (row->missed)
        walk_miss(&w, cfg, l);
    else
        walk_to(&w, SPAN_l1d_hit, l->marks.at[MARK_RESPONDED], l->done);
    walk_to(&w, SPAN_l1d_response, l->done, l->done);
}

static struct load_row row_of(const struct loads *l, const struct watched_load *load) {
    struct load_row row = {
        .seq = l->n,
        .issued = load->issued,
        .latency = load->done - load->issued,
        .address = load->line * LINE_BYTES + mask_first(&load->mask),
        .l2_from = load->marks.at[MARK_L2_FROM],
        .l2_to = load->marks.at[MARK_L2_TO],
        .dram_row = load->marks.dram_row,
        .bytes = (uint32_t)(bits_count(load->mask.w[0]) + bits_count(load->mask.w[1])),
        .index = load->index,
        .n = load->n,
        .cta = {load->place.cta[0], load->place.cta[1], load->place.cta[2]},
        .sm = (uint16_t)load->sm,
        .warp = (uint16_t)load->warp,
        .cta_warp = (uint16_t)load->place.warp,
        .l2_bank = load->marks.l2_bank,
        .dram_bank = load->times.from_dram ? load->marks.dram_bank : LOAD_NO_DRAM,
        .opened = load->marks.opened,
    };
    note_path(&row, l->cfg, load);
    return row;
}

/* ---- instructions ---- */

static uint32_t kernel_of(struct loads *l, const char *name) {
    if (l->n_kernels && l->kernel[l->last_kernel] == name)
        return l->last_kernel;
    uint32_t i = 0;
    while (i < l->n_kernels && strcmp(l->kernel[i], name) != 0)
        i++;
    if (i == l->n_kernels) {
        l->kernel = alloc_grown(l->kernel, l->n_kernels, &l->kernels_room, sizeof *l->kernel);
        l->kernel[l->n_kernels++] = name;
    }
    return l->last_kernel = i;
}

static bool same_inst(const struct load_inst *i, uint32_t kernel, const struct watched_load *l) {
    if (i->kernel != kernel || i->has_pc != l->has_pc)
        return false;
    return l->has_pc ? i->pc == l->pc : memcmp(&i->form, &l->form, sizeof i->form) == 0;
}

/* Returns the index of the load's instruction. The last index stands for all instructions that have
 * no place of their own. */
static uint32_t inst_of(struct loads *l, const struct watched_load *load) {
    const uint32_t kernel = kernel_of(l, load->kernel);
    uint64_t key = load->has_pc ? load->pc : XXH3_64bits(&load->form, sizeof load->form);
    key = key * 2 + load->has_pc + ((uint64_t)kernel << 40);
    uint32_t at = HASH_MAP_START, i;
    while ((i = hash_map_next(&l->inst_of, key, &at)) != HASH_MAP_NONE)
        if (same_inst(&l->inst[i], kernel, load))
            return i;
    if (l->n_insts == LOADS_INSTS)
        return LOADS_INSTS;
    hash_map_add(&l->inst_of, key, l->n_insts);
    l->inst[l->n_insts] = (struct load_inst){
        .kernel = kernel, .has_pc = load->has_pc, .pc = load->pc, .form = load->form};
    return l->n_insts++;
}

/* ---- samples ---- */

/* Offers a load to a sample of at most `most` loads, in which each offered load is equally likely
 * to be. */
static void offer(struct loads *l, struct load_sample *s, uint32_t most,
                  const struct load_row *row) {
    s->offered++;
    if (s->n < most) {
        if (!s->row)
            s->row = alloc_array(most, sizeof *s->row);
        s->row[s->n++] = *row;
        return;
    }
    const uint64_t place = (random_next(&l->random) >> 11) % s->offered;
    if (place < most)
        s->row[place] = *row;
}

/* True if load a is slower than load b, or as slow and earlier. */
static bool slower(const struct load_row *a, const struct load_row *b) {
    return a->latency != b->latency ? a->latency > b->latency : a->seq < b->seq;
}

/* Moves the load at position i of the heap down to its place. */
static void sink(struct load_row *heap, uint32_t n, uint32_t i) {
    for (uint32_t child; (child = 2 * i + 1) < n; i = child) {
        child += child + 1 < n && slower(&heap[child], &heap[child + 1]);
        if (slower(&heap[child], &heap[i]))
            return;
        const struct load_row row = heap[i];
        heap[i] = heap[child];
        heap[child] = row;
    }
}

static void offer_slowest(struct loads *l, const struct load_row *row) {
    if (l->n_slowest == LOADS_SLOWEST) {
        if (!slower(row, &l->slowest[0]))
            return;
        l->slowest[0] = *row;
        sink(l->slowest, l->n_slowest, 0);
        return;
    }
    l->slowest[l->n_slowest++] = *row;
    if (l->n_slowest == LOADS_SLOWEST)
        for (uint32_t i = LOADS_SLOWEST / 2; i-- > 0;)
            sink(l->slowest, l->n_slowest, i);
}

static uint32_t bucket_of(uint64_t latency) {
    if (latency < LOADS_EXACT)
        return (uint32_t)latency;
    const unsigned log = 63 - (unsigned)__builtin_clzll(latency);
    const uint32_t part = (uint32_t)(latency >> (log - 6)) - LOADS_BUCKETS_PER_2;
    return LOADS_EXACT + (log - 10) * LOADS_BUCKETS_PER_2 + part;
}

uint64_t loads_bucket_from(uint32_t bucket) {
    if (bucket < LOADS_EXACT)
        return bucket;
    const uint32_t n = bucket - LOADS_EXACT;
    return (uint64_t)(LOADS_BUCKETS_PER_2 + n % LOADS_BUCKETS_PER_2)
           << (n / LOADS_BUCKETS_PER_2 + 4);
}

/* True if the load has a byte in the chosen range. */
static bool in_range(const struct loads *l, const struct watched_load *load) {
    const uint64_t line = load->line * LINE_BYTES, end = line + LINE_BYTES - 1;
    if (l->first > end || l->last < line)
        return false;
    const unsigned from = l->first > line ? (unsigned)(l->first - line) : 0;
    const unsigned to = l->last < end ? (unsigned)(l->last - line) : LINE_BYTES - 1;
    const struct byte_mask range = mask_range(from, to - from + 1);
    return mask_meet(&load->mask, &range);
}

static void load_done(void *ctx, const struct watched_load *load) {
    struct loads *l = ctx;
    struct load_row row = row_of(l, load);
    row.inst = inst_of(l, load);
    struct load_inst *inst = &l->inst[row.inst];
    l->n++;
    l->latency += row.latency;
    inst->latency += row.latency;
    for (int s = 0; s < LOAD_SPANS; s++) {
        l->span[s] += row.span[s];
        inst->span[s] += row.span[s];
    }
    inst->loads++;
    l->latencies[bucket_of(row.latency)]++;
    if (!in_range(l, load))
        return;
    offer(l, &l->all, LOADS_SAMPLED, &row);
    offer(l, &l->by_latency[bucket_of(row.latency)], LOADS_PER_LATENCY, &row);
    offer(l, &inst->sample, LOADS_PER_INST, &row);
    offer_slowest(l, &row);
}

/* ---- interface ---- */

static const char *read_address(const char *text, uint64_t *address) {
    char *end;
    if (*text < '0' || *text > '9')
        return NULL;
    errno = 0;
    const bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    *address = strtoull(text, &end, hex ? 16 : 10);
    return errno ? NULL : end;
}

bool loads_range(const char *text, uint64_t *first, uint64_t *last) {
    const char *end = read_address(text, first);
    if (!end)
        return false;
    *last = *first;
    if (*end == '-' && !(end = read_address(end + 1, last)))
        return false;
    return !*end && *first <= *last;
}

struct loads *loads_begin(const char *path, const char *range, const struct config *cfg,
                          struct error *err) {
    struct loads *l = alloc_zeroed(1, sizeof *l);
    if (new_file_open(&l->file, path, err)) {
        free(l);
        return NULL;
    }
    l->open = true;
    l->cfg = cfg;
    l->last = UINT64_MAX;
    if (range)
        loads_range(range, &l->first, &l->last);
    l->random = SEED;
    l->watcher = (struct load_watcher){l, load_done};
    l->slowest = alloc_array(LOADS_SLOWEST, sizeof *l->slowest);
    l->inst = alloc_zeroed(LOADS_INSTS + 1, sizeof *l->inst);
    return l;
}

bool loads_empty(const struct loads *l, uint64_t *seen) {
    *seen = l->n;
    return !l->all.offered;
}

const struct load_watcher *loads_watcher(const struct loads *l) {
    return &l->watcher;
}

void loads_drop(struct loads *l) {
    if (!l)
        return;
    if (l->open)
        new_file_drop(&l->file);
    for (uint32_t b = 0; b < LOADS_BUCKETS; b++)
        free(l->by_latency[b].row);
    for (uint32_t i = 0; i <= LOADS_INSTS; i++)
        free(l->inst[i].sample.row);
    free(l->all.row);
    free(l->slowest);
    free(l->inst);
    free(l->kernel);
    hash_map_free(&l->inst_of);
    free(l);
}

int loads_end(struct loads *l, const struct report *r, struct gpu *gpu, const struct run_opts *opts,
              struct error *err) {
    loads_write(l, r, gpu, opts);
    l->open = false;
    const int bad = new_file_commit(&l->file, err);
    loads_drop(l);
    return bad;
}
