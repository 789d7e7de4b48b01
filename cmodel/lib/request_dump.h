/* SPDX-License-Identifier: Apache-2.0 */
/* Requests, and the queues that hold them, as text. */
#ifndef MEMTWIN_LIB_REQUEST_DUMP_H
#define MEMTWIN_LIB_REQUEST_DUMP_H

#include <stdint.h>
#include <stdio.h>

#include "lib/fifo.h"
#include "lib/request.h"
#include "lib/timed_fifo.h"

extern const char *const request_kind_name[]; /* by enum request_kind */

void request_dump(const struct request_pool *pool, uint32_t number, FILE *out);
/* A line for the queue `name` of the i-th part of that kind, if it holds anything. */
void request_dump_fifo(const struct request_pool *pool, const struct fifo *q, const char *part,
                       uint32_t i, const char *name, FILE *out);
void request_dump_timed(const struct request_pool *pool, const struct timed_fifo *q,
                        const char *part, uint32_t i, const char *name, FILE *out);

#endif
