/* SPDX-License-Identifier: Apache-2.0 */
/* Threads that do the shares of a piece of work, again and again; the caller is one of them.
 *
 * A piece takes microseconds, so threads wait for the next one in a loop. After some time without
 * one they sleep, and cost nothing; to wake them takes longer than a piece. Each thread begins with
 * shares of its own and goes on with those that nobody has begun: if the others do not run, since
 * the processors have something else to do, the caller does all shares and does not wait.
 */
#ifndef MEMTWIN_LIB_TEAM_H
#define MEMTWIN_LIB_TEAM_H

#include <stdbool.h>
#include <stdint.h>

struct team;

/* A piece has so many shares; work does one. NULL: errno says why. */
struct team *team_create(uint32_t threads, uint32_t shares, void (*work)(void *ctx, uint32_t share),
                         void *ctx);
void team_destroy(struct team *t); /* NULL is good too */
/* Returns when all shares are done; what the threads have written is seen by all. */
void team_run(struct team *t);

#endif
