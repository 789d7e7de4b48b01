/* SPDX-License-Identifier: Apache-2.0 */
/* The driver's book-keeping, checked (--check): where each page is and which have a frame, kept
 * apart from the page table from what the driver says that it does. What must never be ends the run
 * as a failure of the check. */
#ifndef MEMTWIN_UVM_ACCOUNT_H
#define MEMTWIN_UVM_ACCOUNT_H

#include <stdbool.h>
#include <stdint.h>

#include "context/context.h"
#include "pages/pages.h"

struct account;

/* Neither is owned. */
struct account *account_create(struct context *context, const struct pages *pages);
void account_destroy(struct account *a);

/* The page goes to another state; told before the page table knows. */
void account_move(struct account *a, uint32_t page, enum page_state to);
/* The page gets a frame, or gives it back. */
void account_frame(struct account *a, uint32_t page, bool has);
/* Checks after a step of the driver that table, frames and counts agree. Recounts the pages
 * occasionally, and always if `all`. */
void account_settle(struct account *a, bool all);

/* An access uses a line of the page. `translated` is set if it has just got its translation. */
void account_use(struct account *a, uint32_t page, uint64_t line, bool translated);
/* A hold of the page is about to be released. */
void account_release(struct account *a, uint32_t page, uint64_t line);
/* Nothing is on its way, so no page may be held. */
void account_all_released(struct account *a);

#endif
