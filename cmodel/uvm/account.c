// SPDX-License-Identifier: Apache-2.0
#include "uvm/account.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "check/check.h"
#include "lib/alloc.h"

#define RECOUNT_STEPS 4096

struct page_entry {
    uint8_t state; /* enum page_state */
    bool frame;
};

struct account {
    struct context *context;
    const struct pages *pages;
    struct page_entry *page; /* owned; indexed by page number */
    uint32_t n;
    uint32_t in[PAGE_STATES], frames;
    uint64_t steps;
};

/* Allowed next states of each state, as a mask with one bit per state. */
static const uint8_t next_states[PAGE_STATES] = {
    [PAGE_HOST] = 1 << PAGE_WAITED,     [PAGE_WAITED] = 1 << PAGE_COMING,
    [PAGE_COMING] = 1 << PAGE_RESIDENT, [PAGE_RESIDENT] = 1 << PAGE_LEAVING,
    [PAGE_GOING] = 1 << PAGE_HOST,      [PAGE_LEAVING] = 1 << PAGE_GOING | 1 << PAGE_HOST,
};

struct account *account_create(struct context *context, const struct pages *pages) {
    struct account *a = alloc_zeroed(1, sizeof *a);
    a->context = context;
    a->pages = pages;
    return a;
}

void account_destroy(struct account *a) {
    if (!a)
        return;
    free(a->page);
    free(a);
}

/* Adds entries for new pages, which are in host memory. Returns false if `a` is NULL, which
 * means that nothing is checked. */
static bool cover_pages(struct account *a) {
    if (!a)
        return false;
    const struct pages *p = a->pages;
    if (a->n != p->n)
        a->page = alloc_resized(a->page, p->n, sizeof *a->page);
    for (; a->n < p->n; a->n++) {
        bool exists = p->page[a->n].state != PAGE_NOT;
        a->page[a->n] = (struct page_entry){exists ? PAGE_HOST : PAGE_NOT, false};
        a->in[PAGE_HOST] += exists;
    }
    return true;
}

void account_move(struct account *a, uint32_t page, enum page_state to) {
    if (!cover_pages(a))
        return;
    struct page_entry *e = &a->page[page];
    if (!(next_states[e->state] >> to & 1))
        context_fail(a->context, CONTEXT_BROKEN, "page %u goes from %s to %s", (unsigned)page,
                     page_state_name[e->state], page_state_name[to]);
    a->in[e->state]--;
    a->in[to]++;
    e->state = (uint8_t)to;
}

void account_frame(struct account *a, uint32_t page, bool has) {
    if (!cover_pages(a))
        return;
    struct page_entry *e = &a->page[page];
    if (e->frame == has)
        context_fail(a->context, CONTEXT_BROKEN, "page %u %s", (unsigned)page,
                     has ? "has a frame and gets another"
                         : "returns a frame that it does not have");
    e->frame = has;
    a->frames += has ? 1 : UINT32_MAX;
}

/* ---- counts ---- */

static bool needs_frame(enum page_state state) {
    return state == PAGE_COMING || state == PAGE_RESIDENT || state == PAGE_LEAVING;
}

static void check_page(struct account *a, uint32_t page) {
    const struct page_entry *e = &a->page[page];
    enum page_state state = a->pages->page[page].state;
    if (e->state != state)
        context_fail(a->context, CONTEXT_BROKEN, "page %u is %s, but should be %s", (unsigned)page,
                     page_state_name[state], page_state_name[e->state]);
    if (needs_frame(e->state) ? !e->frame : e->frame && e->state != PAGE_GOING)
        context_fail(a->context, CONTEXT_BROKEN, "page %u is %s, but has %s frame", (unsigned)page,
                     page_state_name[e->state], e->frame ? "a" : "no");
}

static void recount(struct account *a) {
    uint32_t in[PAGE_STATES] = {0}, frames = 0;
    for (uint32_t i = 0; i < a->n; i++) {
        check_page(a, i);
        in[a->page[i].state]++;
        frames += a->page[i].frame;
    }
    in[PAGE_NOT] = 0;
    if (memcmp(in, a->in, sizeof in) != 0 || frames != a->frames)
        context_fail(a->context, CONTEXT_BROKEN, "the account of pages is inconsistent");
}

void account_settle(struct account *a, bool all) {
    if (!cover_pages(a))
        return;
    const struct pages *p = a->pages;
    for (unsigned s = PAGE_HOST; s < PAGE_STATES; s++)
        if (a->in[s] != p->in[s])
            context_fail(a->context, CONTEXT_BROKEN, "%u pages are %s, but there should be %u",
                         (unsigned)p->in[s], page_state_name[s], (unsigned)a->in[s]);
    if (a->frames > p->capacity || p->capacity - a->frames != p->free)
        context_fail(a->context, CONTEXT_BROKEN, "%u of %u frames are in use, but %u are free",
                     (unsigned)a->frames, (unsigned)p->capacity, (unsigned)p->free);
    if (all || a->steps++ % RECOUNT_STEPS == 0)
        recount(a);
}

/* ---- accesses ---- */

void account_use(struct account *a, uint32_t page, uint64_t line, bool translated) {
    if (!cover_pages(a))
        return;
    uint8_t state = a->page[page].state;
    if (state == PAGE_RESIDENT || (state == PAGE_LEAVING && !translated))
        return;
    context_fail(a->context, CONTEXT_BROKEN,
                 "access to a page that is not in GPU memory: page %u, address 0x%" PRIx64
                 ", which is %s",
                 (unsigned)page, line * LINE_BYTES, page_state_name[state]);
}

void account_release(struct account *a, uint32_t page, uint64_t line) {
    if (!a || a->pages->page[page].holds)
        return;
    context_fail(a->context, CONTEXT_BROKEN,
                 "page %u is released but not held, at address 0x%" PRIx64, (unsigned)page,
                 line * LINE_BYTES);
}

void account_all_released(struct account *a) {
    if (!cover_pages(a))
        return;
    for (uint32_t i = 0; i < a->n; i++)
        if (a->pages->page[i].holds)
            context_fail(a->context, CONTEXT_BROKEN,
                         "page %u is held %u times, but no access is in flight", (unsigned)i,
                         (unsigned)a->pages->page[i].holds);
    account_settle(a, true);
}
