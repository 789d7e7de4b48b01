// SPDX-License-Identifier: Apache-2.0
#include "trace/traceg_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "trace/scan.h"
#include "lib/bits.h"

#define MOST_IMMEDIATES 2
#define IMMEDIATE_DIGITS 20           /* of 2^64 - 1 in decimal */
#define SEEN_GRID (UINT64_C(1) << 27) /* CTAs; repeats are not detected in a larger grid */

struct traceg *traceg_open(struct trace_input *in, struct error *err) {
    struct traceg *t = alloc_zeroed(1, sizeof *t);
    t->in = in;
    t->local_low = UINT64_MAX;
    t->recent = alloc_array(RECENT, sizeof *t->recent);
    t->begun_as = alloc_zeroed(1u << BEGINNINGS_LOG2, sizeof *t->begun_as);
    memset(t->recent, 0xff, RECENT * sizeof *t->recent);
    traceg_read_header(t);
    if (!t->error.text[0]) {
        t->seen = t->n_blocks <= SEEN_GRID ? alloc_zeroed(t->n_blocks / 8 + 1, 1) : NULL;
        return t;
    }
    error_set(err, "%s", t->error.text);
    traceg_close(t);
    return NULL;
}

void traceg_close(struct traceg *t) {
    if (!t)
        return;
    trace_input_close(t->in);
    free(t->header.name);
    free(t->seen);
    free(t->forms);
    free(t->texts);
    hash_map_free(&t->by_text);
    free(t->recent);
    free(t->begun_as);
    free(t);
}

const struct traceg_header *traceg_header(const struct traceg *t) {
    return &t->header;
}

uint32_t traceg_registers(const struct traceg *t) {
    struct reg_set all = {{0}};
    for (uint32_t i = 0; i < t->n_forms; i++) {
        regs_add(&all, &t->forms[i].src);
        regs_add(&all, &t->forms[i].dst);
    }
    uint32_t n = WARP_REGS;
    while (n && !(all.w[(n - 1) / 64] >> (n - 1) % 64 & 1))
        n--;
    return n;
}

uint64_t traceg_bytes(const struct traceg *t) {
    return trace_input_bytes(t->in);
}

struct kernel_launch traceg_launch(const struct traceg *t) {
    const struct traceg_header *h = &t->header;
    return (struct kernel_launch){
        .name = h->name,
        .grid = {h->grid[0], h->grid[1], h->grid[2]},
        .block = {h->block[0], h->block[1], h->block[2]},
        .shared_bytes = h->shared_bytes,
        .regs = h->regs,
    };
}

const char *traceg_file(const struct traceg *t) {
    return trace_input_name(t->in);
}

uint64_t traceg_blocks(const struct traceg *t) {
    return t->n_blocks;
}

bool traceg_is_sorted(const struct traceg *t) {
    return t->sorted;
}

const char *traceg_error(const struct traceg *t) {
    return t->error.text;
}

/* ---- CTAs ---- */

/* Reads "tbx tby tbz warp", which tracers before version 3 write. */
static int read_prefix(struct traceg *t, const char **p) {
    const char *from = *p;
    uint64_t v[4];
    for (unsigned i = 0; i < 4; i++) {
        if (!scan_decimal(p, &v[i]) || !scan_field_end(*p))
            return traceg_fail_at(t, from,
                                  "expected block x, y, z and warp (tracer version below 3)");
        scan_spaces(p);
    }
    if (v[0] != t->cta[0] || v[1] != t->cta[1] || v[2] != t->cta[2] || v[3] != t->warp)
        return traceg_fail(t, "the instruction belongs to block %llu,%llu,%llu, warp %llu",
                           (unsigned long long)v[0], (unsigned long long)v[1],
                           (unsigned long long)v[2], (unsigned long long)v[3]);
    return 0;
}

static int read_pc(struct traceg *t, const char **p, uint64_t *pc) {
    uint64_t line;
    const char *from = *p;
    if (t->header.line_info) {
        if (!scan_decimal(p, &line) || !scan_field_end(*p))
            return traceg_fail_at(t, from, "expected a line number (lineinfo is on)");
        scan_spaces(p);
        from = *p;
    }
    if (!scan_hex(p, pc) || !scan_field_end(*p))
        return traceg_fail_at(t, from, "expected a hexadecimal pc");
    scan_spaces(p);
    return 0;
}

static int read_mask(struct traceg *t, const char **p, uint32_t *mask) {
    uint64_t v;
    const char *from = *p;
    const uint32_t lanes = t->b->warp[t->warp].lanes;
    if (!scan_hex(p, &v) || !scan_field_end(*p) || v > UINT32_MAX)
        return traceg_fail_at(t, from, "expected a mask of 32 lanes");
    if (v & ~(uint64_t)lanes)
        return traceg_fail_at(t, from, "expected a mask of lanes that have a thread");
    *mask = (uint32_t)v;
    scan_spaces(p);
    return 0;
}

/* Returns true at "Val" or "NoVal", with which tracers begin values of registers. */
static bool at_values(const char *p) {
    return *p == 'V' || *p == 'N';
}

/* Reads an immediate of up to 64 bits, signed or not. Sets t->immediate to its value, read as a
 * decimal number if it is one, or to 0 if it is negative or longer. */
static int read_immediate(struct traceg *t, const char **p) {
    const char *from = *p;
    uint64_t v = 0;
    *p += **p == '-';
    const char *digits = *p, *end = digits;
    const bool decimal = scan_decimal(&end, &t->immediate) && scan_field_end(end);
    const bool hex = scan_hex(p, &v);
    if ((!hex && (*p == digits || *p - digits > IMMEDIATE_DIGITS)) || !scan_field_end(*p))
        return traceg_fail_at(t, from, "expected an immediate number");
    if (from != digits || !decimal)
        t->immediate = from == digits && hex ? v : 0;
    scan_spaces(p);
    return 0;
}

/* Reads the rest of a line: immediates, and values of registers, which are skipped. */
static int read_rest(struct traceg *t, const char **p) {
    scan_spaces(p);
    t->immediate = 0;
    for (unsigned i = 0; i < MOST_IMMEDIATES && !traceg_at_line_end(t, *p) && !at_values(*p); i++)
        if (read_immediate(t, p) != 0)
            return -1;
    return traceg_at_line_end(t, *p) || at_values(*p)
               ? 0
               : traceg_fail_at(t, *p, "expected the end of the line");
}

/* Reads the pc, the mask and the form of a line. */
static int read_beginning(struct traceg *t, const char **p, uint32_t *form, uint32_t *mask) {
    const char *from = *p;
    uint64_t pc = 0;
    if (traceg_recall(t, p, form, mask))
        return 0;
    if (read_pc(t, p, &pc) != 0 || read_mask(t, p, mask) != 0 ||
        traceg_find_form(t, p, pc, form) != 0)
        return -1;
    traceg_remember(t, from, *p, *form, *mask);
    return 0;
}

static int read_inst(struct traceg *t) {
    const char *p = t->line;
    uint32_t form = NO_FORM;
    struct trace_access a;
    if (t->header.version < 3 && read_prefix(t, &p) != 0)
        return -1;
    if (read_beginning(t, &p, &form, &a.mask) != 0)
        return -1;
    if (!t->live_lanes)
        traceg_undo_exit(t);
    a.n = bits_count32(a.mask);
    const struct traceg_form *f = &t->forms[form];
    if (f->opcode.bulk) {
        if (traceg_read_bulk(t, &p, f->width, &a) != 0)
            return -1;
    } else if (f->width && traceg_read_addresses(t, &p, &a) != 0) {
        return -1;
    }
    if (read_rest(t, &p) != 0)
        return -1;
    return traceg_put(t, form, &a);
}

/* Reads "insts = n" and the n lines after it. */
static int read_warp(struct traceg *t) {
    uint64_t n;
    int got = traceg_next_line(t);
    const char *p = got > 0 ? traceg_value_of(t, t->line, "insts") : NULL;
    if (got <= 0)
        return got < 0 ? -1 : traceg_fail(t, "the file ends inside a block");
    if (!p || !scan_decimal(&p, &n) || !traceg_at_line_end(t, p))
        return traceg_fail_at(t, t->line, "expected 'insts = n'");
    if (t->again && n)
        return traceg_fail(t, "block %u,%u,%u appears twice", t->cta[0], t->cta[1], t->cta[2]);
    t->live_lanes = t->b->warp[t->warp].lanes;
    for (uint64_t i = 0; i < n; i++) {
        got = traceg_next_line(t);
        if (got < 0)
            return -1;
        if (got == 0 || t->line[0] == '#' || t->line[0] == 'w')
            return traceg_fail(t, "warp %u has %llu of %llu instructions", t->warp,
                               (unsigned long long)i, (unsigned long long)n);
        t->last = i + 1 == n;
        if (read_inst(t) != 0)
            return -1;
    }
    return 0;
}

static int read_coordinates(struct traceg *t) {
    const uint32_t *g = t->header.grid, *c = t->cta;
    int got = traceg_next_line(t);
    const char *p = got > 0 ? traceg_value_of(t, t->line, "thread block") : NULL;
    if (got <= 0)
        return got < 0 ? -1 : traceg_fail(t, "the file ends inside a block");
    if (!p || !traceg_scan_triple(&p, t->cta) || !traceg_at_line_end(t, p))
        return traceg_fail_at(t, t->line, "expected 'thread block = x,y,z'");
    if (c[0] >= g[0] || c[1] >= g[1] || c[2] >= g[2])
        return traceg_fail(t, "block %u,%u,%u is outside the grid of %u x %u x %u", c[0], c[1],
                           c[2], g[0], g[1], g[2]);
    const uint64_t i = c[0] + (uint64_t)g[0] * (c[1] + (uint64_t)g[1] * c[2]);
    t->again = t->seen && t->seen[i / 8] & 1u << i % 8;
    if (t->seen)
        t->seen[i / 8] |= (uint8_t)(1u << i % 8);
    return 0;
}

static void reset_block(const struct traceg *t, struct traceg_block *b) {
    b->used = 0;
    memset(b->warp, 0, sizeof b->warp);
    for (uint32_t w = 0; w < t->warps; w++) {
        uint32_t left = t->threads - w * WARP_LANES;
        b->warp[w].lanes = left >= WARP_LANES ? UINT32_MAX : (1u << left) - 1;
    }
}

/* Returns true if the file ends where only the last #END_TB is missing: all warps of the last CTA
 * are there with all their instructions. `seen` is the mask of its warps. */
static bool is_whole(const struct traceg *t, uint32_t seen) {
    const bool last = t->read_blocks + 1 == t->n_blocks, cut = trace_input_cut(t->in);
    return last && bits_count32(seen) == t->warps && !(cut && t->live_lanes);
}

/* Reads the warps of a CTA, to #END_TB. */
static int read_body(struct traceg *t) {
    uint32_t seen = 0; /* mask of the warps read so far */
    int got;
    while ((got = traceg_next_line(t)) > 0 && !traceg_line_is(t, "#END_TB")) {
        uint64_t w;
        if (!seen && t->size > 8 && memcmp(t->line, "cluster ", 8) == 0)
            continue; /* tracer version 6 */
        const char *p = traceg_value_of(t, t->line, "warp");
        if (!p || !scan_decimal(&p, &w) || !traceg_at_line_end(t, p))
            return traceg_fail_at(t, t->line, "expected 'warp = w' or #END_TB");
        if (w >= t->warps)
            return traceg_fail(t, "warp %llu in a block of %u threads", (unsigned long long)w,
                               t->threads);
        if (seen & 1u << w)
            return traceg_fail(t, "warp %llu appears twice", (unsigned long long)w);
        seen |= 1u << w;
        t->warp = (uint32_t)w;
        t->b->warp[w].begin = (uint32_t)t->b->used;
        if (read_warp(t) != 0)
            return -1;
        t->b->warp[w].end = (uint32_t)t->b->used;
    }
    if (t->again)
        traceg_note(t, ODD_EMPTY_BLOCK);
    if (got != 0)
        return got > 0 ? 0 : -1;
    if (!is_whole(t, seen))
        return traceg_fail(t, "the file ends inside a block, without #END_TB");
    traceg_note(t, ODD_OPEN_END);
    return 0;
}

/* Reads to the next #BEGIN_TB. Returns 1 if there is one, 0 if the file ends, or -1 on an error. */
static int find_block(struct traceg *t) {
    int got = t->begun;
    t->begun = false;
    while (!got) {
        got = traceg_next_line(t);
        if (got <= 0)
            return got;
        got = traceg_line_is(t, "#BEGIN_TB");
        if (!got && !t->read_blocks && !t->sorted && t->line[0] >= '0' && t->line[0] <= '9')
            return traceg_sort(t) == 0 ? find_block(t) : -1;
        if (!got && t->line[0] != '#')
            return traceg_fail_at(t, t->line, "expected #BEGIN_TB");
    }
    return 1;
}

/* Checks that nothing follows the last CTA. */
static int expect_end(struct traceg *t) {
    int got = find_block(t);
    if (got > 0)
        return traceg_fail(t, "more blocks than the %llu of the grid",
                           (unsigned long long)t->n_blocks);
    return got;
}

/* Adds the CTAs that are missing at the end of the file as empty ones. Returns 1, or -1 if the file
 * has less than half of the CTAs: it was probably cut. */
static int put_missing(struct traceg *t) {
    const uint64_t there = t->read_blocks - t->odd[ODD_EMPTY_BLOCK].times;
    if (there < t->n_blocks - there)
        return traceg_fail(t, "the file ends after %llu of %llu blocks", (unsigned long long)there,
                           (unsigned long long)t->n_blocks);
    traceg_note(t, ODD_EMPTY_BLOCK);
    t->read_blocks++;
    return 1;
}

int traceg_block(struct traceg *t, struct traceg_block *b) {
    if (t->error.text[0])
        return -1;
    if (t->read_blocks == t->n_blocks)
        return 0;
    const int got = find_block(t);
    if (got < 0)
        return -1;
    t->b = b;
    reset_block(t, b);
    if (got == 0)
        return put_missing(t);
    if (read_coordinates(t) != 0 || read_body(t) != 0)
        return -1;
    if (++t->read_blocks == t->n_blocks && expect_end(t) != 0)
        return -1;
    return 1;
}

void traceg_block_free(struct traceg_block *b) {
    free(b->code);
    memset(b, 0, sizeof *b);
}
