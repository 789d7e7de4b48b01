// SPDX-License-Identifier: Apache-2.0
/* patterns (Yu et al. 2019): makes page references in the order of one of six access patterns
 * (page_string.h).
 *
 * Warp i mod W makes reference i: it loads the first L lines of the page, one word per lane, and
 * each lane adds 1 and the sum of its words to its tally, in the page's last line. A CTA has one
 * warp, which waits for its loads before the next reference. If W is 1, the order is exact.
 * Otherwise it is approximate, and all CTAs must be resident at the same time. The string is part
 * of the program and causes no accesses.
 *
 * Thread-level accesses, with R references: data: 32 R L loads, 32 R atomics.
 */
#include "lane.h"
#include "page_string.h"

#include <stdio.h>
#include <stdlib.h>

#include "lib/alloc.h"

#define LINE_WORDS WARP_LANES
#define PAGE_WORDS 1024 /* 4 KB */
#define TALLY (PAGE_WORDS - LINE_WORDS)
#define SEED 0x9a7

enum { INDEX, VALUE, SUM }; /* registers */

struct patterns {
    struct lane_workload base;
    uint64_t type, pages, repeats, warps, lines;
    struct page_string string;
    ARRAY(int32_t) data; /* [pages][PAGE_WORDS] */
};

struct patterns_warp {
    struct warp_head head;
    uint64_t i, line;
    int32_t value[WARP_LANES], sum[WARP_LANES];
};

static void patterns_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                          struct warp_inst *inst) {
    struct patterns *m = ctx;
    struct patterns_warp *w = state;
    const uint64_t page = w->i < m->string.n ? m->string.page[w->i] : 0;
    const uint64_t word = page * PAGE_WORDS;
    int32_t old;
    (void)cta;

    WARP_BEGIN();
    for (w->i = place->cta[0]; w->i < m->string.n; w->i += m->warps) {
        ALU(4, w->sum[l] = 1, R(INDEX) | R(SUM), 0);
        for (w->line = 0; w->line < m->lines; w->line++) {
            LD(w->value[l], m->data, [word + w->line * LINE_WORDS + l], R(VALUE), R(INDEX));
            ALU(1, w->sum[l] += w->value[l], R(SUM), R(SUM) | R(VALUE));
        }
        ATOMIC(old, old + w->sum[l], m->data, [word + TALLY + l], 0, R(INDEX) | R(SUM));
    }
    WARP_END();
}

static bool patterns_next(struct workload *w, struct kernel_launch *launch) {
    struct patterns *m = (struct patterns *)w;
    if (m->base.launched++ > 0)
        return false;
    *launch = (struct kernel_launch){
        .name = "patterns",
        .grid = {(uint32_t)m->warps, 1, 1},
        .block = {WARP_LANES, 1, 1},
        .warp_state_size = sizeof(struct patterns_warp),
        .step = patterns_step,
        .ctx = m,
    };
    return true;
}

/* Fills the words of each page except the tallies, which stay 0. */
static void patterns_inputs(const struct patterns *m, int32_t *data) {
    struct rng r = {SEED};
    for (uint64_t page = 0; page < m->pages; page++)
        for (uint64_t i = 0; i < TALLY; i++)
            data[page * PAGE_WORDS + i] = (int32_t)rng_below(&r, 16);
}

static void refer(const struct patterns *m, int32_t *page) {
    for (uint64_t i = 0; i < LINE_WORDS; i++) {
        page[TALLY + i]++;
        for (uint64_t line = 0; line < m->lines; line++)
            page[TALLY + i] += page[line * LINE_WORDS + i];
    }
}

static int patterns_verify(struct workload *w, struct error *err) {
    struct patterns *m = (struct patterns *)w;
    int32_t *data = alloc_zeroed(m->pages * PAGE_WORDS, sizeof *data);
    patterns_inputs(m, data);
    for (uint32_t i = 0; i < m->string.n; i++)
        refer(m, &data[m->string.page[i] * PAGE_WORDS]);
    int rc = verify_ints("data", m->data.v, data, m->pages * PAGE_WORDS, err);
    free(data);
    return rc == 0 ? verify_accesses(w, err) : rc;
}

static void patterns_destroy(struct workload *w) {
    page_string_free(&((struct patterns *)w)->string);
    workload_free(w);
}

static bool patterns_create(struct workload *w, const uint64_t *v) {
    struct patterns *m = (struct patterns *)w;
    m->type = v[0], m->pages = v[1], m->repeats = v[2], m->warps = v[3], m->lines = v[4];
    m->base.w.launches = 1;
    page_string_init(&m->string, (enum page_pattern)m->type, (uint32_t)m->pages,
                     (uint32_t)m->repeats);
    if (!NEW_ARRAY(m, data, m->pages * PAGE_WORDS))
        return false;
    patterns_inputs(m, m->data.v);
    const uint64_t lanes = (uint64_t)m->string.n * WARP_LANES;
    expect_accesses(m->data.dev, lanes * m->lines, 0);
    expect_atomics(m->data.dev, lanes);
    return true;
}

const struct workload_type workload_patterns = {
    .name = "patterns",
    .suite = "Yu et al. 2019",
    .doc = "references to pages in the order of one of six access patterns",
    .size_doc = "T[,K[,N[,W[,L]]]]: type 1 to 6, pages, repeats (types 2 and 5), warps, lines "
                "loaded per page",
    .default_size = "2,512,4,8,4",
    .size = {{"T", 1, 6},
             {"K", 1, PAGE_STRING_PAGES},
             {"N", 1, PAGE_STRING_REPEATS},
             {"W", 1, 65536},
             {"L", 1, TALLY / LINE_WORDS}},
    .state_size = sizeof(struct patterns),
    .next = patterns_next,
    .verify = patterns_verify,
    .destroy = patterns_destroy,
    .create = patterns_create,
};
