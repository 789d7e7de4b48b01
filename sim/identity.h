/* SPDX-License-Identifier: Apache-2.0 */
/* Computes the identity of a result, a hash of everything that its statistics depend on. */
#ifndef MEMTWIN_SIM_IDENTITY_H
#define MEMTWIN_SIM_IDENTITY_H

#include "config/config.h"
#include "os/hash.h"

/* Sets `program` to the hash of the program file if it was built from a modified tree, else to an
 * empty string. The hash distinguishes different programs of the same version. Returns 0, or -1
 * with one line in err. */
int identity_program(char program[HASH_SIZE], struct error *err);

/* Computes the hash of the values of all keys, the workload with its size or the trace's content
 * hash, the version and identity_program. trace_hash is NULL for a workload; otherwise, `workload`
 * is ignored. Twins and checks are left out, because they change no statistic. */
void identity_of(const struct config *cfg, const char *workload, const char *trace_hash,
                 const char *program, char identity[HASH_SIZE]);

#endif
