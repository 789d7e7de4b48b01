/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps the pages of managed memory and their locations.
 *
 * Each device array of a workload is its own allocation, rounded up as UVM drivers do: to whole
 * chunks of 2 MB plus a remainder of 64 KB times a power of two. The pages of an allocation have
 * consecutive numbers that begin at a multiple of CHUNK_PAGES, so that a page's number gives its
 * block (64 KB) and its chunk. Numbers between allocations are unused. Caches and DRAM use
 * device addresses. GPU memory is modeled as a number of frames. Which frame a page gets makes no
 * difference (docs/understand/uvm.md). */
#ifndef MEMTWIN_PAGES_PAGES_H
#define MEMTWIN_PAGES_PAGES_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/kernel.h"

#define PAGE_BYTES 4096
#define PAGE_LINES 32   /* lines of 128 B per page */
#define BLOCK_PAGES 16  /* pages per basic block (64 KB) */
#define CHUNK_PAGES 512 /* pages per chunk (2 MB) */
#define PAGE_GROUPS 32  /* maximum number of allocations if a policy has hardware at the walkers */
#define PAGE_BLOCK_BITS 16 /* width in bits of a block number in that hardware */
#define PAGE_NONE UINT32_MAX

enum page_state {
    PAGE_NOT,      /* unused page number */
    PAGE_HOST,     /* in host memory */
    PAGE_WAITED,   /* in host memory; the driver has a fault or a prefetch for it */
    PAGE_COMING,   /* on its way to the GPU; has a frame */
    PAGE_RESIDENT, /* in GPU memory and in the page table */
    PAGE_LEAVING,  /* in GPU memory but not in the page table, until its last accesses complete */
    PAGE_GOING,    /* waiting for its transfer to the host, or being transferred; has a frame until
                      the driver frees it */
    PAGE_STATES
};

extern const char *const page_state_name[PAGE_STATES];

struct page {
    uint8_t state;    /* enum page_state */
    bool dirty;       /* true if the page has been stored to since it arrived */
    bool again;       /* LEAVING or GOING: true if the page has faulted again */
    bool unserved;    /* WAITED: true if the page's fault waits for its turn (uvm.service=serial) */
    uint32_t holds;   /* number of unfinished accesses that have the page's translation, plus the
                         page's lines on their way to DRAM */
    uint32_t waiters; /* number of SMs that wait for the page, or were notified of its arrival and
                         have not replayed yet */
};

struct page_alloc {
    const char *name;     /* not owned */
    uint64_t base, bytes; /* device byte address and size as in the workload */
    uint32_t first;       /* page number of `base`: a multiple of CHUNK_PAGES */
    uint32_t pages;       /* number of pages, rounded up; the last pages may contain no line */
    uint32_t chunk_pages; /* number of pages in the last chunk, which may be smaller: BLOCK_PAGES
                             times a power of two */
};

struct pages {
    struct page *page;        /* owned; indexed by page number */
    uint32_t n;               /* number of page numbers, including unused ones */
    struct page_alloc *alloc; /* owned; in page order, and in address order unless on_touch */
    uint32_t n_allocs;
    uint32_t *by_base; /* owned; if on_touch, indices of the allocations in address order */
    bool on_touch; /* true if there is no table of arrays (a trace); a 2 MB region then becomes an
                      allocation on its first access, and page numbers are not in address order */
    uint32_t last; /* index of the allocation found last */
    uint32_t capacity;        /* number of frames in GPU memory */
    uint32_t free;            /* number of free frames */
    uint32_t in[PAGE_STATES]; /* number of pages in each state; PAGE_NOT is not counted */
    uint32_t unserved;        /* number of pages with `unserved` set */
};

/* Creates the pages of the arrays, all in host memory. If n_arrays is 0, pages are created on
 * the first touch. The caller sets the capacity. */
void pages_init(struct pages *p, const struct device_array *arrays, unsigned n_arrays);
void pages_free(struct pages *p);

/* Returns the rounded size of an allocation: k * 2 MB + 64 KB * 2^i, or whole chunks. */
uint64_t pages_rounded(uint64_t bytes);

/* Returns the page of a line (byte address / 128), or PAGE_NONE if the line is in no allocation,
 * like the lines of local memory. */
uint32_t pages_of_line(struct pages *p, uint64_t line);
/* Returns the number of lines in a page, at most PAGE_LINES, or 0 if the page is beyond the end of
 * its array. Sets *first to the first line. */
uint32_t pages_lines(const struct pages *p, uint32_t page, uint64_t *first);
/* Returns the allocation of an existing page. */
const struct page_alloc *pages_alloc(const struct pages *p, uint32_t page);
/* Returns the number of blocks in a chunk, which are the leaves of its tree. This is 32, or less
 * in the last chunk of an allocation. */
uint32_t pages_leaves(const struct pages *p, uint32_t chunk);
/* Returns a mask of leaves, in which bit i is 1 if page_stays() is true for a page in leaf i. */
uint32_t pages_valid_leaves(const struct pages *p, uint32_t chunk);
/* Returns the number of pages with lines, which is the footprint of the arrays. */
uint32_t pages_footprint(const struct pages *p);

void pages_move(struct pages *p, uint32_t page, enum page_state to);

static inline bool page_exists(const struct pages *p, uint32_t page) {
    return page < p->n && p->page[page].state != PAGE_NOT;
}

/* True if the page is in GPU memory and not leaving, or will be moved there. */
static inline bool page_stays(const struct page *page) {
    return (page->state == PAGE_WAITED && !page->unserved) || page->state == PAGE_COMING ||
           page->state == PAGE_RESIDENT;
}

/* True if the page is in host memory and the driver has not begun to serve a fault or prefetch for
 * it. */
static inline bool page_wanted(const struct pages *p, uint32_t page) {
    return page < p->n && (p->page[page].state == PAGE_HOST || p->page[page].unserved);
}

/* Returns the number of wanted pages; see page_wanted(). */
static inline uint32_t pages_wanted(const struct pages *p) {
    return p->in[PAGE_HOST] + p->unserved;
}

/* Returns the number of pages that the driver will move to the GPU. Each of them needs a frame. */
static inline uint32_t pages_expected(const struct pages *p) {
    return p->in[PAGE_WAITED] - p->unserved;
}

/* Returns the number of free frames that expected pages do not need. */
static inline uint32_t pages_spare(const struct pages *p) {
    return p->free > pages_expected(p) ? p->free - pages_expected(p) : 0;
}

/* True if the page may be evicted, that is, if it is in GPU memory and no SM waits for it. */
static inline bool page_evictable(const struct pages *p, uint32_t page) {
    return page < p->n && p->page[page].state == PAGE_RESIDENT && !p->page[page].waiters;
}

#endif
