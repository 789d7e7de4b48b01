/* SPDX-License-Identifier: Apache-2.0 */
/* The Icarus bench: the block's RTL in four states against a recording. An X or Z on an output that
 * is compared differs from every recorded value. */
#ifndef MEMTWIN_HARNESS_BENCH_H
#define MEMTWIN_HARNESS_BENCH_H

#include <signal.h>
#include <stdint.h>

#include "harness/vectors.h"

struct bench_result {
    uint64_t cycles;          /* in the recording */
    bool passed;              /* the bench's PASS marker was seen, with the right count */
    uint64_t cycle;           /* if not passed: first cycle that differs */
    char port[64];            /* first port in it that differs, in list order */
    char want[320], got[320]; /* expected and actual values in hex */
};

/* Runs the remaining cycles of the reader through Icarus in a temporary folder. observed: compare
 * PORT_OBS ports too. wave: file to write, FST or VCD by its name, or NULL. Returns 0 with *result,
 * or -1 with one line in err; *bad_input is true if the vector file is wrong or Icarus does not
 * compile the RTL. Stops when *interrupted is set. */
int bench_run(struct vec_reader *r, bool observed, const char *wave,
              const volatile sig_atomic_t *interrupted, struct bench_result *result,
              bool *bad_input, char *err, size_t err_size);

#endif
