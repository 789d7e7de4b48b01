/* SPDX-License-Identifier: Apache-2.0 */
/* End-to-end data check: an independent memory that knows what each load may return.
 *
 * Every byte that a store writes carries a stamp made from the store's version number, and a byte
 * that was never stored to has the stamp of version 0. The memory system moves stamps as its data.
 * The check keeps, apart from the system, which stores have been made and acknowledged, and says
 * for each load whether the bytes it got are among those it may have got.
 *
 * What a load by SM s may return for a byte: the stamp of any store to it that is not superseded
 * for s. Store a is superseded by store b if a happened before b (a was acknowledged before b
 * entered its L1, or both come from one SM and a entered first) and b is from s and entered the L1
 * before the load did, or b was already complete when the kernel began (L1s are empty at a kernel's
 * start). Of kernels that run at once, each has its own lines, for which it ends alone
 * (check_kernel_end_range).
 *
 * Atomics. An atomic is a store and a load at once, done at the L2 in the order in which the L2
 * sees them; it is acknowledged when it is answered. What it may have replaced in a byte is what a
 * load that entered just before it might return, except its own stamp. Further, since L1s stand
 * between the L2 and loads only, store a is superseded for every atomic that entered after store b
 * was acknowledged, if a was acknowledged before b entered. And what one atomic has replaced no
 * other can replace: two that got the same version of a byte are a lost update. (Told where the
 * version is certain: in words that stores have written in whole, and in bytes whose stamp only one
 * version explains.)
 *
 * Write-back L1s. A store is acknowledged when its bytes have reached the L2, with the write-back
 * of its line: check_line_acked. At a kernel's end all must be.
 */
#ifndef MEMTWIN_CHECK_CHECK_H
#define MEMTWIN_CHECK_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/line.h"

/* Stamp of version v at byte address `addr`. Four bytes of an aligned word together identify v, and
 * differ from the same version's at other words, so that data of a wrong line shows (version 0 too:
 * memory that was never stored to must hold the stamps of version 0). */
uint8_t check_stamp(uint32_t version, uint64_t addr);
/* Writes the stamps of v into the masked bytes of a line's data. line = byte address / LINE_BYTES.
 */
void check_stamp_line(uint8_t data[LINE_BYTES], uint64_t line, const struct byte_mask *mask,
                      uint32_t version);

struct check;

/* n_sms: at most 65535. */
struct check *check_create(unsigned n_sms);
void check_destroy(struct check *c);

/* A store enters the L1D (in that SM's order). The version must be new: versions count up from 1,
 * without gaps, in the order of calls of check_store over all SMs. */
void check_store(struct check *c, unsigned sm, uint64_t line, const struct byte_mask *mask,
                 uint32_t version);
/* The store's acknowledgement has reached the SM. It is a failure if it comes twice, for an unknown
 * version, for an atomic, or at an SM that did not make the store. */
void check_store_acked(struct check *c, unsigned sm, uint32_t version);
/* Acknowledges all stores of that SM to that line with versions up to `version` that write no bytes
 * outside `mask`: a write-back of the masked bytes has reached the L2. (A write-back of other bytes
 * of the line may still be in flight: a sectored L2 answers sector by sector.) Atomics are not
 * included. It is a failure if there is no such store. */
void check_line_acked(struct check *c, unsigned sm, uint64_t line, const struct byte_mask *mask,
                      uint32_t version);
/* A load enters the L1D. Returns a ticket that orders it among the stores. One ticket may serve
 * several lines; it is good until the kernel's end. */
uint64_t check_load(struct check *c, unsigned sm);
/* The load got these bytes (masked ones count). A ticket of an earlier kernel is a failure. Whether
 * each load is answered once is not checked here. */
void check_load_done(struct check *c, unsigned sm, uint64_t ticket, uint64_t line,
                     const struct byte_mask *mask, const uint8_t data[LINE_BYTES]);
/* An atomic enters the L1D: a store of that fresh version, as check_store. Returns its ticket. */
uint64_t check_atomic(struct check *c, unsigned sm, uint64_t line, const struct byte_mask *mask,
                      uint32_t version);
/* The atomic was done and has been answered: `old` are the bytes that it replaced (masked ones
 * count). Acknowledges the version. A version that is not fresh from check_atomic of this SM with
 * this line, mask and ticket, or that was answered before: a failure. */
void check_atomic_done(struct check *c, unsigned sm, uint64_t ticket, uint64_t line,
                       const struct byte_mask *mask, uint32_t version,
                       const uint8_t old[LINE_BYTES]);
/* All warps have exited and all stores were acknowledged; L1s are invalid from here on. An
 * unacknowledged store is a failure. */
void check_kernel_end(struct check *c);
/* The same for the lines from `first` up to `end` while kernels that do not use them go on: no
 * access to them is under way, and no L1 holds one. Tickets of others stay good. */
void check_kernel_end_range(struct check *c, uint64_t first, uint64_t end);
/* Walks all lines that were ever stored to: what memory holds (dirty lines of the L2 written back)
 * must be what a load could return now, in all bytes. `read` fills the line's bytes. After
 * check_kernel_end. */
void check_final(struct check *c, void (*read)(void *ctx, uint64_t line, uint8_t data[LINE_BYTES]),
                 void *ctx);

/* Another part of the check (lanes.h) has found something. Only the first failure is kept. */
void check_fail(struct check *c, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* First failure as one line (address, SM, got, allowed), or NULL. The text lives until
 * check_destroy. After the first failure nothing more is checked, only counted. */
const char *check_failure(const struct check *c);
uint64_t check_loads_checked(const struct check *c); /* check_load_done, check_atomic_done calls */
uint64_t check_bytes_checked(const struct check *c); /* their masked bytes */

#endif
