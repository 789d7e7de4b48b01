/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the block's RTL in Icarus, a four-state simulator, and compares it with a recording. An X or
 * Z on a compared output differs from every recorded value. */
#ifndef MEMTWIN_HARNESS_BENCH_H
#define MEMTWIN_HARNESS_BENCH_H

#include <signal.h>
#include <stdint.h>

#include "harness/vectors.h"

/* True if the wave file is FST or VCD. The extension .fst in upper or lower case means FST; files
 * named .vcd and all other FIFOs are VCD. */
bool is_fst(const char *path);
bool is_vcd(const char *path);

struct bench_result {
    uint64_t cycles;          /* number of cycles in the recording */
    bool passed;              /* true if the bench printed its PASS marker with the right count */
    uint64_t cycle;           /* the first cycle that differs; unused if passed */
    char port[64];            /* the first port in list order that differs in that cycle */
    char want[320], got[320]; /* expected and actual values in hex */
};

/* Runs the reader's remaining cycles through Icarus in a temporary folder. If `observed` is set,
 * also compares PORT_OBS ports. `wave` is the wave file to write, FST or VCD according to its
 * name, or NULL for none. Returns 0 with *result, or -1 with a one-line message in err. *bad_input
 * is true if the vector file is wrong or Icarus cannot compile the RTL. Stops if *interrupted is
 * set. */
int bench_run(struct vec_reader *r, bool observed, const char *wave,
              const volatile sig_atomic_t *interrupted, struct bench_result *result,
              bool *bad_input, struct error *err);

#endif
