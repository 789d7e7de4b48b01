/* SPDX-License-Identifier: Apache-2.0 */
/* The twin harness: Verilog twins attached to block instances of a running system, recordings,
 * replay.
 *
 * The golden model is the C block itself. A twin is a shared object per block and parameter point,
 * built on demand (tb/harness/twin.mk) from the RTL under the source root ($MEMTWIN_HOME, else the
 * folder above the program's own). $MEMTWIN_RTL names another rtl/ folder, for planted faults.
 */
#ifndef MEMTWIN_HARNESS_HARNESS_H
#define MEMTWIN_HARNESS_HARNESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "block/block.h"

enum twin_mode { TWIN_LOCKSTEP, TWIN_DRIVE };

struct harness;

/* The first mismatch of a run, by time, then attachment order, then port order. */
struct mismatch {
    char instance[BLOCK_NAME_MAX];
    const char *block; /* block type's name */
    char params[512];  /* NAME=VALUE ... */
    uint64_t cycle;    /* of the instance's clock, from power-up */
    char port[64];
    char model[320], rtl[320]; /* values in hex */
    char inputs[4096];         /* inputs of the last cycles, one line each */
};

/* stop: set to true by a mismatch; owned by the caller. */
struct harness *harness_create(volatile bool *stop);
void harness_destroy(struct harness *h);

/* Attaches a twin to an instance, and builds it first if needed. seed: random power-up state of the
 * RTL. Returns 0, or -1 with one line in err (with the log's path if the build failed). */
int harness_attach(struct harness *h, struct block_inst *inst, enum twin_mode mode, uint64_t seed,
                   char *err, size_t err_size);

/* Records the instance's inputs and model outputs up to and including cycle `last` to a vector
 * file. noise: unqualified inputs have the noise that a twin gets, to reproduce its mismatch; else
 * they are as the system drives them. Returns 0, or -1 with one line in err. The file appears at
 * its path, complete, after that cycle, harness_end_recordings or harness_destroy. */
int harness_record(struct harness *h, struct block_inst *inst, const char *path, uint64_t last,
                   bool noise, char *err, size_t err_size);

/* Completes open recordings, or drops them. Returns 0, or -1 with one line in err if one could not
 * be written; call it again then, for the others. */
int harness_end_recordings(struct harness *h, bool keep, char *err, size_t err_size);

struct harness_count {
    unsigned twins;
    uint64_t cycles; /* compared, summed over twins */
    /* Cycles in which the RTL was evaluated; in the others it was at a fixpoint
     * (docs/use/harness.md). */
    uint64_t evaluated;
    uint64_t mismatches; /* ports that differed so far */
};
/* Counts over the twins of the type, or over all if it is NULL. */
struct harness_count harness_count(const struct harness *h, const struct block_type *type);
/* NULL if none. */
const struct mismatch *harness_first_mismatch(const struct harness *h);
void harness_print_mismatch(const struct mismatch *m, const char *replay_file, FILE *out);

/* ---- One block alone ---- */

struct cosim_driver; /* harness/cosim.h */

struct cosim_opts {
    const struct block_type *type;
    struct block_params params;
    uint64_t cycles, seed;
    const char *record;  /* vector file to write, or NULL */
    bool model_only;     /* no twin: coverage and rule checks of the model alone */
    const char *plant;   /* "PORT[BIT]@CYCLE" (without [BIT]: 0): flips that bit of the model's
                            value there, or NULL */
    volatile bool *stop; /* set on interrupt */
    void (*progress)(void *ctx, uint64_t done, uint64_t total);
    void *progress_ctx;
    const struct cosim_driver *driver; /* NULL: the block's own */
};

/* Runs the block's driver against model and twin, and prints coverage and verdict to out. Returns
 * the exit code: 0 good, 1 input error, 2 internal error (a broken rule of the driver, or coverage
 * below its floor; both are named), 3 mismatch (report printed, replay file written). */
int cosim_run(const struct cosim_opts *opts, FILE *out);

enum replay_engine { REPLAY_TWIN, REPLAY_ICARUS, REPLAY_MODEL };
enum replay_ports {
    REPLAY_ALL,
    REPLAY_NO_OBSERVED, /* without the PORT_OBS ones: for a netlist with OBSERVE=0 */
};

/* Runs a vector file's inputs through the Verilated RTL, through the same RTL in Icarus (four
 * states: X on a compared output differs), or through the C model, and compares with the recorded
 * outputs. wave: NULL, or a file to write, VCD or FST by its extension .vcd or .fst; a FIFO of
 * another name gets VCD. Returns the exit code: 0, 1 (unreadable file: prints file, line and
 * value), 2, 3 (prints the first difference). */
int replay_run(const char *vectors, enum replay_engine engine, enum replay_ports ports,
               const char *wave, FILE *out);

#endif
