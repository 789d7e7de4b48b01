// SPDX-License-Identifier: Apache-2.0
#include "pages/book.h"

#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"

/* Maximum size of a run in bytes: a 64-bit number with 7 bits per byte, and one byte for the
 * count. */
#define RUN_BYTES_MAX (10 + 1)

/* Uses of a page. The uses in one epoch form a run. A run is stored as the number of epochs
 * since the previous run, or since epoch 0 (7 bits per byte, lowest bits first, with the top bit
 * set in all bytes but the last), followed by the number of uses, which fits in one byte. */
struct uses {
    uint8_t *run;        /* owned */
    uint32_t used, size; /* number of bytes used and allocated */
    uint32_t next_byte;  /* while reading: offset of the next run in `run` */
    uint64_t epoch;      /* epoch of the run being written or read */
    uint8_t left; /* number of uses in the run that have been written or are still to be read */
    bool changed; /* while reading: true if the page is listed in book.changed */
};

struct book {
    struct uses *page; /* owned; indexed by page number */
    uint32_t n;
    uint32_t *changed; /* owned; pages that book_changed() will return; has room for every page */
    uint32_t n_changed;
    uint32_t *order; /* owned; pages in order of first use */
    uint32_t n_order, order_size;
    uint64_t *region; /* owned; base addresses of book_write_region() */
    uint32_t n_regions;
    uint64_t n_uses;
    bool is_read;
};

struct book *book_create(void) {
    return alloc_zeroed(1, sizeof(struct book));
}

void book_destroy(struct book *b) {
    if (!b)
        return;
    for (uint32_t i = 0; i < b->n; i++)
        free(b->page[i].run);
    free(b->page);
    free(b->changed);
    free(b->order);
    free(b->region);
    free(b);
}

/* ---- first pass ---- */

static void make_page(struct book *b, uint32_t page) {
    uint64_t n = 2 * (uint64_t)page + 1;
    b->changed = alloc_resized(b->changed, n, sizeof *b->changed);
    b->page = alloc_resized(b->page, n, sizeof *b->page);
    memset(&b->page[b->n], 0, (n - b->n) * sizeof *b->page);
    b->n = n < UINT32_MAX ? (uint32_t)n : UINT32_MAX;
}

static void add_order(struct book *b, uint32_t page) {
    b->order = alloc_grown(b->order, b->n_order, &b->order_size, sizeof *b->order);
    b->order[b->n_order++] = page;
}

/* Ensures room for one more run. */
static void widen_uses(struct uses *u) {
    if (u->size - u->used >= RUN_BYTES_MAX)
        return;
    u->size = u->size ? 2 * u->size : 2 * RUN_BYTES_MAX;
    u->run = alloc_resized(u->run, u->size, 1);
}

/* Writes the number of uses in the current run, if there is one. */
static void end_run(struct uses *u) {
    if (u->left)
        u->run[u->used++] = u->left;
    u->left = 0;
}

static void begin_run(struct uses *u, uint64_t epoch) {
    end_run(u);
    widen_uses(u);
    uint64_t ahead = epoch - u->epoch;
    for (; ahead >> 7; ahead >>= 7)
        u->run[u->used++] = (uint8_t)(0x80 | (ahead & 0x7f));
    u->run[u->used++] = (uint8_t)ahead;
    u->epoch = epoch;
}

void book_write(struct book *b, uint32_t page) {
    uint64_t epoch = b->n_uses / BOOK_EPOCH;
    if (page >= b->n)
        make_page(b, page);
    struct uses *u = &b->page[page];
    if (!u->used)
        add_order(b, page);
    if (!u->left || u->epoch != epoch)
        begin_run(u, epoch);
    u->left++;
    b->n_uses++;
}

void book_write_region(struct book *b, uint64_t base) {
    b->region = alloc_resized(b->region, b->n_regions + (size_t)1, sizeof *b->region);
    b->region[b->n_regions++] = base;
}

/* ---- second pass ---- */

/* Reads the run at `next_byte`. Sets `left` to 0 if there are no more runs. */
static void read_run(struct uses *u) {
    u->left = 0;
    if (u->next_byte == u->used)
        return;
    uint64_t ahead = 0;
    for (unsigned shift = 0;; shift += 7) {
        uint8_t byte = u->run[u->next_byte++];
        ahead |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80))
            break;
    }
    u->epoch += ahead;
    u->left = u->run[u->next_byte++];
}

bool book_is_read(const struct book *b) {
    return b->is_read;
}

void book_read(struct book *b) {
    for (uint32_t i = 0; i < b->n; i++) {
        struct uses *u = &b->page[i];
        if (!b->is_read)
            end_run(u);
        u->changed = false;
        u->epoch = 0;
        u->next_byte = 0;
        read_run(u);
    }
    b->n_changed = 0;
    b->is_read = true;
}

void book_use(struct book *b, uint32_t page) {
    if (page >= b->n || !b->page[page].left)
        return;
    struct uses *u = &b->page[page];
    if (--u->left)
        return;
    read_run(u);
    if (!u->changed)
        b->changed[b->n_changed++] = page;
    u->changed = true;
}

uint64_t book_next(const struct book *b, uint32_t page) {
    return page < b->n && b->page[page].left ? b->page[page].epoch : BOOK_NEVER;
}

bool book_changed(struct book *b, uint32_t *page) {
    if (!b->n_changed)
        return false;
    *page = b->changed[--b->n_changed];
    b->page[*page].changed = false;
    return true;
}

const uint32_t *book_order(const struct book *b, uint32_t *n) {
    *n = b->n_order;
    return b->order;
}

const uint64_t *book_regions(const struct book *b, uint32_t *n) {
    *n = b->n_regions;
    return b->region;
}
