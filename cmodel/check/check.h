/* SPDX-License-Identifier: Apache-2.0 */
/* Checks data end to end with an independent memory model, which decides which values a load may
 * return.
 *
 * Every byte that a store writes is a stamp made from the store's version number. A byte that was
 * never stored to has the stamp of version 0. The memory system moves these stamps as data.
 * Independently of the memory system, the check records which stores were made and acknowledged,
 * and decides for each load whether all its bytes have allowed values.
 *
 * Loads. For each byte, a load by SM s may return the stamp of any store that is not superseded for
 * s. Store b supersedes store a if two conditions are true. First, a happened before b: a was
 * acknowledged before b entered its SM's L1, or both are from the same SM and a entered first.
 * Second, b is from s and entered the L1 before the load, or b was complete when the kernel began
 * (L1s are empty when a kernel begins), or when the L1 of s was last emptied (check_sm_emptied).
 * Workloads that run concurrently have separate lines; each of their kernels ends only for its own
 * lines (check_kernel_end_range).
 *
 * Atomics. An atomic is both a store and a load. The L2 executes atomics in the order in which it
 * receives them, and the response acknowledges the atomic. An atomic may replace any value that a
 * load entering just before it might return, except its own stamp. Atomics do not use L1s, so one
 * more rule applies: if store a was acknowledged before store b entered, a is superseded for every
 * atomic that entered after b was acknowledged. If two atomics replace the same version of a byte,
 * an update is lost. (A lost update is detected only if the version is certain, that is, in words
 * that every store has written as a whole, and in bytes whose stamp belongs to only one version.)
 *
 * Write-back L1s. A store is acknowledged when the write-back of its line has moved its bytes to
 * the L2 (check_line_acked). When a kernel ends, all stores must be acknowledged.
 */
#ifndef MEMTWIN_CHECK_CHECK_H
#define MEMTWIN_CHECK_CHECK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/line.h"

/* Returns a version's stamp at byte address `addr`. The stamps of the four bytes of an aligned
 * word together identify the version. They differ from the version's stamps in other words, so that
 * data from a wrong line are detected. Version 0, which is the initial content of memory, also has
 * stamps. */
uint8_t check_stamp(uint32_t version, uint64_t addr);
/* Writes a version's stamps into the masked bytes of a line's data. `line` is a byte address /
 * LINE_BYTES. */
void check_stamp_line(uint8_t data[LINE_BYTES], uint64_t line, const struct byte_mask *mask,
                      uint32_t version);

struct check;

/* Creates a check for `n_sms` SMs, at most 65535. */
struct check *check_create(unsigned n_sms);
void check_destroy(struct check *c);

/* Records a store that enters the L1D. Must be called in the order of the SM's stores. The version
 * must be the next one: over all SMs, versions count up from 1 without gaps. */
void check_store(struct check *c, unsigned sm, uint64_t line, const struct byte_mask *mask,
                 uint32_t version);
/* Records that the store's acknowledgement has reached the SM. Fails if the version is
 * unknown, is that of an atomic or of another SM's store, or was already acknowledged. */
void check_store_acked(struct check *c, unsigned sm, uint32_t version);
/* Records that a write-back of the masked bytes has reached the L2. Acknowledges the SM's stores to
 * the line, up to `version`, that write no bytes outside `mask`. (A write-back of other bytes of
 * the line may still be in flight, because a sectored L2 replies sector by sector.) Does not
 * acknowledge atomics. Fails if no store is acknowledged. */
void check_line_acked(struct check *c, unsigned sm, uint64_t line, const struct byte_mask *mask,
                      uint32_t version);
/* Records that an L1D drops the masked bytes of a line, which are newer than those in the L2.
 * Removes the SM's stores to these bytes that are not acknowledged. Fails if there is none. */
void check_line_forgotten(struct check *c, unsigned sm, uint64_t line,
                          const struct byte_mask *mask);
/* Returns a ticket for a load that enters the L1D. The ticket orders the load among the stores. It
 * may be used for several lines, and is valid until the kernel ends. */
uint64_t check_load(struct check *c, unsigned sm);
/* Checks the masked bytes that a load has received. Fails if the ticket is from an earlier kernel.
 * Does not check that each load gets exactly one response. */
void check_load_done(struct check *c, unsigned sm, uint64_t ticket, uint64_t line,
                     const struct byte_mask *mask, const uint8_t data[LINE_BYTES]);
/* Records an atomic that enters the L1D as a store with the next version. Returns its ticket. */
uint64_t check_atomic(struct check *c, unsigned sm, uint64_t line, const struct byte_mask *mask,
                      uint32_t version);
/* Checks the masked `old` bytes that an atomic replaced, and acknowledges the atomic. Fails unless
 * check_atomic() returned `ticket` for this SM, line, mask and version, and the atomic is not yet
 * acknowledged. */
void check_atomic_done(struct check *c, unsigned sm, uint64_t ticket, uint64_t line,
                       const struct byte_mask *mask, uint32_t version,
                       const uint8_t old[LINE_BYTES]);
/* Ends a kernel. All its warps have exited, and L1s have no valid lines. Fails if a store is
 * unacknowledged. */
void check_kernel_end(struct check *c);
/* Records that the SM's L1 has no valid lines, and that no access of the SM is in flight. From now
 * on, a load of the SM sees all stores that were acknowledged before the newest store entered. */
void check_sm_emptied(struct check *c, unsigned sm);
/* Ends a kernel for the lines from `first` up to, but not including, `end`, while other kernels
 * continue. No access to these lines may be in flight, and they must not be in any L1. Tickets for
 * other lines stay valid. */
void check_kernel_end_range(struct check *c, uint64_t first, uint64_t end);
/* Checks the final memory, after check_kernel_end(). Every line that was ever stored to must
 * contain values that a load could return now. `read` fills in the line's bytes, including dirty
 * bytes in the L2. */
void check_final(struct check *c, void (*read)(void *ctx, uint64_t line, uint8_t data[LINE_BYTES]),
                 void *ctx);

/* Reports a failure. The lane check (sm/lanes.h) also calls this function. Only the first failure
 * is kept. */
void check_fail(struct check *c, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Returns the first failure as one line (address, SM, actual and allowed values), or NULL. The text
 * is valid until check_destroy(). After the first failure, accesses are counted but not checked. */
const char *check_failure(const struct check *c);
uint64_t check_loads_checked(const struct check *c); /* number of checked loads and atomics */
uint64_t check_bytes_checked(const struct check *c); /* number of masked bytes checked */

#endif
