/* SPDX-License-Identifier: Apache-2.0 */
/* Packets, and the queues that hold them, as text. */
#ifndef MEMTWIN_LIB_PACKET_DUMP_H
#define MEMTWIN_LIB_PACKET_DUMP_H

#include <stdint.h>
#include <stdio.h>

#include "lib/fifo.h"
#include "lib/packet.h"
#include "lib/timed_fifo.h"

extern const char *const packet_kind_name[]; /* by enum packet_kind */

void packet_dump(const struct packet_pool *pool, uint32_t number, FILE *out);
/* A line for the queue `name` of the i-th part of that kind, if it holds anything. */
void packet_dump_fifo(const struct packet_pool *pool, const struct fifo *q, const char *part,
                      uint32_t i, const char *name, FILE *out);
void packet_dump_timed(const struct packet_pool *pool, const struct timed_fifo *q, const char *part,
                       uint32_t i, const char *name, FILE *out);

#endif
