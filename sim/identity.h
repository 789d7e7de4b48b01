/* SPDX-License-Identifier: Apache-2.0 */
/* Identity of a result: a hash of everything that determines its statistics. */
#ifndef MEMTWIN_SIM_IDENTITY_H
#define MEMTWIN_SIM_IDENTITY_H

#include "config/config.h"
#include "harness/hash.h"

/* Hash of the program file if it was built from a modified tree, else empty: distinguishes programs
 * of the same version. Returns 0, or -1 with one line in err. */
int identity_program(char program[HASH_SIZE], char *err, size_t err_size);

/* Hash of the values of all keys, the workload with its size or the trace's content hash (the other
 * is NULL), the version and identity_program. Twins and checks change no statistic and are not
 * included. Returns 0, or -1 with one line in err. */
int identity_of(const struct config *cfg, const char *workload, const char *trace_hash,
                const char *program, char identity[HASH_SIZE], char *err, size_t err_size);

#endif
