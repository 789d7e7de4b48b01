/* SPDX-License-Identifier: Apache-2.0 */
/* Unified memory on the host's side: the driver, which takes page faults, brings pages over PCIe
 * and evicts others; and what it knows of pages (pages.h). docs/understand/uvm.md.
 *
 * Time is SM cycles. The GMMU (gmmu/gmmu.h) asks for pages; the driver answers through the hooks,
 * which the gpu sets.
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
/* A first pass is needed (the eviction or prefetch policy knows the future). */
bool uvm_two_pass(const struct config *cfg);

/* uvm.mode=copy or paged. book: to be written (not yet book_read), to be read, or NULL; not owned.
 */
struct uvm *uvm_create(const struct config *cfg, struct context *context, struct book *book);
void uvm_destroy(struct uvm *u);
void uvm_set_hooks(struct uvm *u, const struct uvm_hooks *hooks);

/* The arrays of the workload are allocated, all in host memory (mode copy: and the copy begins).
 * Once, before the first launch. Returns 0, or -1 with one line in err. */
int uvm_begin(struct uvm *u, const struct workload *workload, char *err, size_t err_size);
/* mode copy: not all data are there yet, no kernel may start. */
bool uvm_copying(const struct uvm *u);

/* uvm.user_prefetch=launch: a launch is about to begin, what is at the host is to come before it.
 * Nothing happens with `none`. */
void uvm_prefetch_arrays(struct uvm *u, uint64_t cycle);
/* These have not all come yet: the launch may not start. */
bool uvm_prefetching(const struct uvm *u);

struct pages *uvm_pages(struct uvm *u);

/* A page walk has found the page. */
void uvm_walk_hit(struct uvm *u, uint32_t page);
/* A page walk has not found it: a far-fault, of which there is one for each page at most until the
 * page has come (others on it join: nothing happens). */
void uvm_fault(struct uvm *u, uint32_t page, uint64_t cycle);

/* A policy needs the block beside the page walkers. */
bool uvm_needs_block(const struct uvm *u, const struct block_type *block);
/* The state of the eviction policy, for its blocks; NULL before uvm_begin. */
void *uvm_evictor_state(const struct uvm *u);
/* The eviction policy's hardware sends an entry to the host, where the policy hears it. `last` ends
 * a transfer, in which an entry takes that many bytes. from: who sends, a constant text. */
void uvm_send(struct uvm *u, const char *from, const uint64_t entry[2], uint32_t bytes, bool last);
/* The prefetchers that need the block get its port. Before uvm_begin; not owned. */
void uvm_set_port(struct uvm *u, const struct block_type *block, const void *port);

/* One SM cycle, before the GMMU's and the SMs'. */
void uvm_tick(struct uvm *u, uint64_t cycle);
/* The earliest cycle, from `cycle` on, in which uvm_tick may do anything without another call
 * before it; UINT64_MAX: never. */
uint64_t uvm_next_event(const struct uvm *u, uint64_t cycle);
/* The longest time in SM cycles between two things that the driver or a link does while it has
 * something to do: for the watchdog. */
uint64_t uvm_longest_wait(const struct config *cfg);

void uvm_add_stats(const struct uvm *u, struct stats *s);
void uvm_gauges(const struct uvm *u, const struct gauge_reader *to);
void uvm_dump(const struct uvm *u, FILE *out);

/* ---- accesses, in the caches ---- */

/* An access has got the translation of its line's page: the page stays until it is released. A use
 * of the page. Nothing happens for a line of no page. Each hold is released once. */
void uvm_hold(struct uvm *u, uint64_t line, bool write);
/* The same of a line on its way from the L2 to DRAM: no use of the page. */
void uvm_keep(struct uvm *u, uint64_t line);
void uvm_release(struct uvm *u, uint64_t line);

/* With a check: the L1D takes an access, or DRAM has done a read or write: the page must be there.
 */
void uvm_see(struct uvm *u, uint64_t line);
/* With a check: nothing is on its way (a kernel's end), so nothing may be held. */
void uvm_all_released(const struct uvm *u);

#endif
