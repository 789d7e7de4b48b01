/* SPDX-License-Identifier: Apache-2.0 */
/* Prints requests and the queues that contain them. */
#ifndef MEMTWIN_LIB_REQUEST_DUMP_H
#define MEMTWIN_LIB_REQUEST_DUMP_H

#include <stdint.h>
#include <stdio.h>

#include "lib/ring.h"
#include "lib/request.h"
#include "lib/timed_fifo.h"

extern const char *const request_kind_name[]; /* indexed by enum request_kind */

void request_dump(const struct request_pool *pool, uint32_t number, FILE *out);
/* Each prints one line for queue `name` of instance i of `part`, unless the queue is empty. */
void request_dump_fifo(const struct request_pool *pool, const struct fifo *q, const char *part,
                       uint32_t i, const char *name, FILE *out);
void request_dump_timed(const struct request_pool *pool, const struct timed_fifo *q,
                        const char *part, uint32_t i, const char *name, FILE *out);

#endif
