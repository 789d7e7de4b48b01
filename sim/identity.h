/* SPDX-License-Identifier: Apache-2.0 */
/* What a result stands for. */
#ifndef MEMTWIN_SIM_IDENTITY_H
#define MEMTWIN_SIM_IDENTITY_H

#include "config/config.h"
#include "harness/hash.h"

/* What tells this program from others of its version: a hash of it, if it is of a modified tree;
 * else empty. 0, or -1 with one line in err. */
int identity_program(char program[HASH_SIZE], char *err, size_t err_size);

/* A hash of the values of all keys, of the workload with its size or the trace's content hash (the
 * other one is NULL), of the version and of identity_program. Twins and checks change no statistic:
 * they do not count. 0, or -1 with one line in err. */
int identity_of(const struct config *cfg, const char *workload, const char *trace_hash,
                const char *program, char identity[HASH_SIZE], char *err, size_t err_size);

#endif
