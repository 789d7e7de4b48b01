/* SPDX-License-Identifier: Apache-2.0 */
/* Checks the driver's bookkeeping (--check). Records the state of each page, and which pages
 * have a frame, from the driver's calls and independently of the page table. An impossible state
 * fails the check and ends the run. */
#ifndef MEMTWIN_UVM_ACCOUNT_H
#define MEMTWIN_UVM_ACCOUNT_H

#include <stdbool.h>
#include <stdint.h>

#include "context/context.h"
#include "pages/pages.h"

struct account;

/* Creates the check. It does not own the arguments. */
struct account *account_create(struct context *context, const struct pages *pages);
void account_destroy(struct account *a);

/* Records that the page changes its state. Call it before the page table is updated. */
void account_move(struct account *a, uint32_t page, enum page_state to);
/* Records that the page gets a frame if `has` is true, or else that it frees its frame. */
void account_frame(struct account *a, uint32_t page, bool has);
/* Checks, after a tick of the driver, that the page table, frames and counts agree. Recounts the
 * pages occasionally, or always if `all` is true. */
void account_settle(struct account *a, bool all);

/* Checks an access to a line of the page. `translated` is true if the access has just received
 * its translation. */
void account_use(struct account *a, uint32_t page, uint64_t line, bool translated);
/* Checks that the page is held, before a hold is released. */
void account_release(struct account *a, uint32_t page, uint64_t line);
/* Checks that no page is held. Call it when nothing is in flight. */
void account_all_released(struct account *a);

#endif
