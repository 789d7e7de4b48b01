/* SPDX-License-Identifier: Apache-2.0 */
/* A thread pool that repeatedly runs a piece of work, divided into shares. The caller is one of the
 * threads.
 *
 * A piece takes microseconds, so idle threads spin until the next one. After some time they sleep;
 * waking them takes longer than a piece. Each thread begins with its own shares and continues with
 * shares that no thread has begun: if the other threads get no processor, the caller does all
 * shares without waiting.
 */
#ifndef MEMTWIN_LIB_TEAM_H
#define MEMTWIN_LIB_TEAM_H

#include <stdbool.h>
#include <stdint.h>

struct team;

/* Creates a pool. `shares` is the number of shares of a piece; `work` does one. Returns NULL on
 * failure, with the reason in errno. */
struct team *team_create(uint32_t threads, uint32_t shares, void (*work)(void *ctx, uint32_t share),
                         void *ctx);
void team_destroy(struct team *t); /* t may be NULL */
/* Runs a piece. Returns when all shares are done and their writes are visible to all threads. */
void team_run(struct team *t);

#endif
