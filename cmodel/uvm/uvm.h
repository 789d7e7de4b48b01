/* SPDX-License-Identifier: Apache-2.0 */
/* The host side of unified memory: the driver, which accepts page faults, moves pages over PCIe and
 * evicts others, and its state of pages (pages.h). docs/understand/uvm.md.
 *
 * Time is in SM cycles. The GMMU (gmmu/gmmu.h) requests pages; the driver answers through the
 * hooks, which the gpu sets.
 */
#ifndef MEMTWIN_UVM_UVM_H
#define MEMTWIN_UVM_UVM_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "config/config.h"
#include "context/context.h"
#include "kernel/kernel.h"
#include "stats/gauge.h"
#include "stats/stats.h"
#include "pages/book.h"
#include "pages/pages.h"

/* uvm.mode */
enum { UVM_OFF, UVM_COPY, UVM_PAGED };
/* uvm.faults */
enum { FAULTS_REPLAYABLE, FAULTS_BLOCKING };
/* uvm.service */
enum { SERVICE_EACH, SERVICE_SET, SERVICE_SERIAL };
/* uvm.user_prefetch */
enum { USER_PREFETCH_NONE, USER_PREFETCH_LAUNCH };
/* uvm.write_back */
enum { WRITE_BACK_ALL, WRITE_BACK_DIRTY };
/* uvm.free_at */
enum { FREE_AT_START, FREE_AT_END };

struct uvm_hooks {
    void *ctx;
    /* The page has become resident: requests that wait for it are replayed. */
    void (*arrived)(void *ctx, uint32_t page);
    /* The page has left the page table: removes it from all TLBs. */
    void (*shoot)(void *ctx, uint32_t page);
    /* The last use of the page has ended: drops its lines from all caches. With data
     * (context.carry), copies the page from GPU memory to the host. */
    void (*drop)(void *ctx, uint32_t page);
    /* With data, copies the page from the host to GPU memory. */
    void (*fill)(void *ctx, uint32_t page);
};

struct block_type;
struct uvm;

/* Relations between keys. Returns 0, or -1 with one line in err. */
int uvm_check(const struct config *cfg, char *err, size_t err_size);
/* Whether a first pass is needed (the eviction policy or the prefetcher knows the future). */
bool uvm_two_pass(const struct config *cfg);

/* For uvm.mode=copy or paged. book: to be written (before book_read), to be read, or NULL; not
 * owned. */
struct uvm *uvm_create(const struct config *cfg, struct context *context, struct book *book);
void uvm_destroy(struct uvm *u);
void uvm_set_hooks(struct uvm *u, const struct uvm_hooks *hooks);

/* Allocates the arrays of the workload in host memory, and with uvm.mode=copy begins the copy. Call
 * it once, before the first launch. Returns 0, or -1 with one line in err. */
int uvm_begin(struct uvm *u, const struct workload *workload, char *err, size_t err_size);
/* Whether a copy (uvm.mode=copy) is in progress, so that no kernel may start. */
bool uvm_copying(const struct uvm *u);

/* Before a launch with uvm.user_prefetch=launch: begins to move all pages at the host to the GPU.
 * No-op with `none`. */
void uvm_prefetch_arrays(struct uvm *u, uint64_t cycle);
/* Whether some of the pages have not arrived yet, so that the launch may not start. */
bool uvm_prefetching(const struct uvm *u);

struct pages *uvm_pages(struct uvm *u);

/* A page walk has found the page. */
void uvm_walk_hit(struct uvm *u, uint32_t page);
/* A page walk has not found the page: a far-fault. There is at most one per page until the page
 * arrives; further ones are no-ops. */
void uvm_fault(struct uvm *u, uint32_t page, uint64_t cycle);

/* Whether a policy needs that block at the page walkers. */
bool uvm_needs_block(const struct uvm *u, const struct block_type *block);
/* The state of the eviction policy, for its blocks; NULL before uvm_begin. */
void *uvm_evictor_state(const struct uvm *u);
/* Sends an entry of `bytes` bytes from the eviction policy's hardware to the policy on the host.
 * `last` ends the transfer. from: name of the sender, static storage. */
void uvm_send(struct uvm *u, const char *from, const uint64_t entry[2], uint32_t bytes, bool last);
/* Gives the port of a block to the prefetchers that need it. Before uvm_begin; not owned. */
void uvm_set_port(struct uvm *u, const struct block_type *block, const void *port);

/* One SM cycle, before the GMMU's and the SMs'. */
void uvm_tick(struct uvm *u, uint64_t cycle);
/* The earliest cycle, from `cycle` on, in which uvm_tick may do anything without another call
 * before it; UINT64_MAX: never. */
uint64_t uvm_next_event(const struct uvm *u, uint64_t cycle);
/* For the watchdog: longest time in SM cycles between two actions of a busy driver or link. */
uint64_t uvm_longest_wait(const struct config *cfg);

void uvm_add_stats(const struct uvm *u, struct stats *s);
void uvm_gauges(const struct uvm *u, const struct gauge_reader *to);
void uvm_dump(const struct uvm *u, FILE *out);

/* ---- accesses, in the caches ---- */

/* An access has got the translation of its line's page: counts a use, and holds the page until it
 * is released. No-op for a line outside all pages. Each hold is released once. */
void uvm_hold(struct uvm *u, uint64_t line, bool write);
/* Holds the page of a line on its way from the L2 to DRAM, without counting a use. */
void uvm_keep(struct uvm *u, uint64_t line);
void uvm_release(struct uvm *u, uint64_t line);

/* For the data check: fails unless the page is in GPU memory when the L1D accepts an access or DRAM
 * completes a read or write. */
void uvm_see(struct uvm *u, uint64_t line);
/* For the data check: fails if a page is held at a kernel's end, when nothing is in flight. */
void uvm_all_released(const struct uvm *u);

#endif
