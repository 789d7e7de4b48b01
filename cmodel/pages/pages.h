/* SPDX-License-Identifier: Apache-2.0 */
/* Managed memory: the pages and where each one is.
 *
 * Each device array of a workload is an allocation of its own, rounded up as UVM drivers do: whole
 * chunks of 2 MB, and a rest of 64 KB times a power of two. Its pages have successive numbers that
 * begin at a multiple of the pages of a chunk, so that a page's number gives its block (64 KB) and
 * its chunk; numbers between allocations are unused. Caches and DRAM use device addresses. GPU
 * memory is a number of frames; which frame a page occupies makes no difference and is not
 * modelled (docs/understand/uvm.md).
 */
#ifndef MEMTWIN_PAGES_PAGES_H
#define MEMTWIN_PAGES_PAGES_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/kernel.h"

#define PAGE_BYTES 4096
#define PAGE_LINES 32      /* of 128 B */
#define BLOCK_PAGES 16     /* of a basic block, 64 KB */
#define CHUNK_PAGES 512    /* of a chunk, 2 MB */
#define PAGE_GROUPS 32     /* allocations that hardware beside the page walkers knows; */
#define PAGE_BLOCK_BITS 16 /* and bits of the number of a block there */
#define PAGE_NONE UINT32_MAX

enum page_state {
    PAGE_NOT,      /* there is no such page */
    PAGE_HOST,     /* in host memory */
    PAGE_WAITED,   /* the same; the driver was asked for it or is about to bring it */
    PAGE_COMING,   /* on its way to the GPU: has a frame */
    PAGE_RESIDENT, /* in GPU memory and in the page table */
    PAGE_LEAVING,  /* in GPU memory, no longer in the page table: its last accesses finish */
    PAGE_GOING, /* waits for its way to the host, or is on it; has a frame until that is given back
                 */
    PAGE_STATES
};

extern const char *const page_state_name[PAGE_STATES];

struct page {
    uint8_t state;    /* enum page_state */
    bool dirty;       /* stored to since it came */
    bool again;       /* LEAVING, GOING: faulted on meanwhile */
    bool unserved;    /* WAITED: its fault waits for others (uvm.service=serial) */
    uint32_t holds;   /* accesses that have its translation and are not done; its lines on their way
                         to DRAM */
    uint32_t waiters; /* SMs that wait for it to come, or were told and have not replayed yet */
};

struct page_alloc {
    const char *name;     /* not owned */
    uint64_t base, bytes; /* device byte address and size, as the workload has it */
    uint32_t first;       /* page number of `base`: a multiple of CHUNK_PAGES */
    uint32_t pages;       /* allocated: rounded up; the last ones may hold no line */
    uint32_t chunk_pages; /* of its last, perhaps smaller chunk: BLOCK_PAGES times a power of two */
};

struct pages {
    struct page *page;        /* owned; by number */
    uint32_t n;               /* numbers in use, those that are no pages too */
    struct page_alloc *alloc; /* owned; in the order of their pages and of their addresses */
    uint32_t n_allocs;
    uint32_t *by_base; /* owned; on_touch: allocations in the order of their addresses */
    bool on_touch;     /* no table of arrays (a trace): a 2 MB region becomes an allocation when it
                          is first touched, and order of addresses is not order of pages */
    uint32_t last;     /* allocation found last */
    uint32_t capacity; /* frames of GPU memory */
    uint32_t free;     /* free frames */
    uint32_t in[PAGE_STATES]; /* pages in each state; PAGE_NOT is not counted */
    uint32_t unserved;        /* pages that are `unserved` */
};

/* Makes the pages of the arrays (n_arrays 0: on touch), all in host memory. The caller sets the
 * capacity. */
void pages_init(struct pages *p, const struct device_array *arrays, unsigned n_arrays);
void pages_free(struct pages *p);

/* Rounds up the size of an allocation: k * 2 MB + 64 KB * 2^i, or whole chunks. */
uint64_t pages_rounded(uint64_t bytes);

/* The page of a line (byte address / 128), or PAGE_NONE: it is in no allocation (local memory). */
uint32_t pages_of_line(struct pages *p, uint64_t line);
/* The lines of a page: the first, and how many, at most PAGE_LINES; 0 for a page beyond the end of
 * its array. */
uint32_t pages_lines(const struct pages *p, uint32_t page, uint64_t *first);
/* The allocation of a page that exists. */
const struct page_alloc *pages_alloc(const struct pages *p, uint32_t page);
/* Blocks of a chunk: the leaves of its tree, 32 or, of an allocation's last chunk, perhaps fewer.
 */
uint32_t pages_leaves(const struct pages *p, uint32_t chunk);
/* Bit i is set if leaf i has a page that stays in GPU memory or is requested there. */
uint32_t pages_valid_leaves(const struct pages *p, uint32_t chunk);
/* Pages that hold lines: the footprint of the arrays. */
uint32_t pages_footprint(const struct pages *p);

void pages_move(struct pages *p, uint32_t page, enum page_state to);

static inline bool page_exists(const struct pages *p, uint32_t page) {
    return page < p->n && p->page[page].state != PAGE_NOT;
}

/* In GPU memory and not about to leave, or going to be brought. */
static inline bool page_stays(const struct page *page) {
    return (page->state == PAGE_WAITED && !page->unserved) || page->state == PAGE_COMING ||
           page->state == PAGE_RESIDENT;
}

/* In host memory, and the driver is not going to bring it yet. */
static inline bool page_wanted(const struct pages *p, uint32_t page) {
    return page < p->n && (p->page[page].state == PAGE_HOST || p->page[page].unserved);
}

/* How many pages are wanted. */
static inline uint32_t pages_wanted(const struct pages *p) {
    return p->in[PAGE_HOST] + p->unserved;
}

/* How many pages the driver is going to bring: they need frames. */
static inline uint32_t pages_expected(const struct pages *p) {
    return p->in[PAGE_WAITED] - p->unserved;
}

/* Free frames that these do not need. */
static inline uint32_t pages_spare(const struct pages *p) {
    return p->free > pages_expected(p) ? p->free - pages_expected(p) : 0;
}

/* May be chosen to leave: in GPU memory, and all that waited for it have got it. */
static inline bool page_evictable(const struct pages *p, uint32_t page) {
    return page < p->n && p->page[page].state == PAGE_RESIDENT && !p->page[page].waiters;
}

#endif
