/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of an instant on several threads, bit-identical to one.
 *
 * A share is some SMs, and some L2 partitions with their channels, next to each other and always
 * the same. In a phase of an instant (channels and banks; SMs) parts of different shares have
 * nothing in common: each share has a context of its own, and a port of the crossbar belongs to one
 * part. What depends on the order of the parts is done after the phase, in that order: draws of L2
 * banks and faults. Built-in workloads share what they compute: their SMs are ticked by the caller.
 * Channels are ticked together with the next edge of the L2 or the SMs, whichever is first, because
 * no part reads them before.
 *
 * A phase with little to do is done by the caller, share after share. So is one whose shares cost
 * more on several threads, which is tried now and then: processors may be busy, or far apart.
 */
#ifndef MEMTWIN_GPU_THREADS_H
#define MEMTWIN_GPU_THREADS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SHARES_OF_THREAD 2

struct gpu;
struct threads;

/* always: all threads, whether that pays or not. Returns 0, or -1 with one line in err;
 * threads_free either way. */
int threads_init(struct gpu *g, uint32_t n, bool always, char *err, size_t err_size);
void threads_free(struct gpu *g);

/* The edge of the DRAM, in this instant. */
void threads_note_channels(struct gpu *g);
/* Advances the DRAM by `cycles` edges at once (dram_advance). */
void threads_advance_channels(struct gpu *g, uint64_t cycles);
/* The edge of the L2, after that. Returns how many parts were ticked. */
uint32_t threads_tick_banks(struct gpu *g, uint64_t cycle);
/* The edge of the SMs. The same. */
uint32_t threads_tick_sms(struct gpu *g, uint64_t cycle);
/* All contexts know this instant. */
void threads_set_now(struct gpu *g);

#endif
