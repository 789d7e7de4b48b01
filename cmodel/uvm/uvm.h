/* SPDX-License-Identifier: Apache-2.0 */
/* Host side of unified memory: the driver, which accepts page faults, moves pages over PCIe and
 * evicts other pages, and the states of the pages (pages.h). See docs/understand/uvm.md.
 *
 * Time is in SM cycles. The GMMU (gmmu/gmmu.h) requests pages. The driver replies through the
 * hooks, which gpu/paging.c sets. */
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

/* Values of uvm.mode. */
enum { UVM_MODE_VALUES(VALUE_ENUMERATOR) };
/* Values of uvm.faults. */
enum { UVM_FAULTS_VALUES(VALUE_ENUMERATOR) };
/* Values of uvm.service. */
enum { UVM_SERVICE_VALUES(VALUE_ENUMERATOR) };
/* Values of uvm.user_prefetch. */
enum { UVM_USER_PREFETCH_VALUES(VALUE_ENUMERATOR) };
/* Values of uvm.write_back. */
enum { UVM_WRITE_BACK_VALUES(VALUE_ENUMERATOR) };

struct uvm_hooks {
    void *ctx;
    /* Replays the requests that wait for the page, which has become resident. */
    void (*arrived)(void *ctx, uint32_t page);
    /* Removes the page, which has left the page table, from all TLBs. */
    void (*shoot)(void *ctx, uint32_t page);
    /* Drops the page's lines from all caches after the last use of the page has ended. If data
     * are carried (context.carry), copies the page from GPU memory to the host. */
    void (*drop)(void *ctx, uint32_t page);
    /* Copies the page from the host to GPU memory if data are carried. */
    void (*fill)(void *ctx, uint32_t page);
};

struct block_type;
struct uvm;

/* Checks relations between keys. Returns 0, or -1 with one line in err. */
int uvm_check(const struct config *cfg, struct error *err);
/* True if a first pass is needed, because the eviction policy or the prefetcher uses future
 * accesses. */
bool uvm_two_pass(const struct config *cfg);

/* Creates the driver, for uvm.mode=copy or paged. `book` is written until book_read() is called,
 * and then read. `book` may be NULL, and is not owned. */
struct uvm *uvm_create(const struct config *cfg, struct context *context, struct book *book);
void uvm_destroy(struct uvm *u);
void uvm_set_hooks(struct uvm *u, const struct uvm_hooks *hooks);

/* Allocates the workload's arrays in host memory and, if uvm.mode=copy, begins the copy. Call it
 * once, before the first launch. Returns 0, or -1 with one line in err. */
int uvm_begin(struct uvm *u, const struct workload *workload, struct error *err);
/* True if a copy (uvm.mode=copy) is in progress, so that no kernel may start. */
bool uvm_copying(const struct uvm *u);

/* If uvm.user_prefetch=launch, begins to move pages from the host to the GPU before a launch, as
 * long as frames are free. Otherwise does nothing. */
void uvm_prefetch_arrays(struct uvm *u, uint64_t cycle);
/* True while pages moved by uvm_prefetch_arrays() are still to arrive. The launch must then wait.
 */
bool uvm_prefetching(const struct uvm *u);

struct pages *uvm_pages(struct uvm *u);

/* Reports that a page walk has found the page resident. */
void uvm_walk_hit(struct uvm *u, uint32_t page);
/* Reports a far-fault, which is a page walk that has not found the page on the GPU. Further
 * far-faults on the page have no effect until the page arrives. */
void uvm_fault(struct uvm *u, uint32_t page, uint64_t cycle);

/* True if a policy needs the block at the page walkers. */
bool uvm_needs_block(const struct uvm *u, const struct block_type *block);
/* Returns the state of the eviction policy, for its hardware blocks. Returns NULL before
 * uvm_begin(). */
void *uvm_evictor_state(const struct uvm *u);
/* Sends an entry of `bytes` bytes from the eviction policy's hardware to the policy on the host.
 * The transfer ends with the entry if `last` is true. `from` is the sender's name, in static
 * storage. */
void uvm_send(struct uvm *u, const char *from, const uint64_t entry[2], uint32_t bytes, bool last);
/* Sets the port of a block for the prefetchers that need the block, before uvm_begin(). The port is
 * not owned. */
void uvm_set_port(struct uvm *u, const struct block_type *block, const void *port);

/* Ticks one SM cycle. Call it before the ticks of the GMMU and the SMs. */
void uvm_tick(struct uvm *u, uint64_t cycle);
/* Returns the earliest cycle, from `cycle` on, in which uvm_tick() may change state without another
 * call before it. Returns UINT64_MAX if there is none. */
uint64_t uvm_next_event(const struct uvm *u, uint64_t cycle);
/* Returns the longest time in SM cycles between two actions of a busy driver or link, for the
 * watchdog. */
uint64_t uvm_longest_wait(const struct config *cfg);

void uvm_add_stats(const struct uvm *u, struct stats *s);
void uvm_gauges(const struct uvm *u, const struct gauge_reader *to);
void uvm_dump(const struct uvm *u, FILE *out);

/* ---- accesses, in the caches ---- */

/* Counts a use of a page by an access that has received its translation, and holds the page
 * until it is released. Does nothing for a line outside all pages. Each hold must be released
 * once. */
void uvm_hold(struct uvm *u, uint64_t line, bool write);
/* Holds the page of a line on its way from the L2 to DRAM, without counting a use. */
void uvm_keep(struct uvm *u, uint64_t line);
/* Releases one hold on the line's page. */
void uvm_release(struct uvm *u, uint64_t line);

/* Fails the data check unless the page is in GPU memory. Called when the L1D accepts an access
 * or DRAM completes a read or write. */
void uvm_see(struct uvm *u, uint64_t line);
/* Fails the data check if a page is held at a kernel's end, when nothing is in flight. */
void uvm_all_released(const struct uvm *u);

#endif
