/* SPDX-License-Identifier: Apache-2.0 */
/* The twin harness attaches Verilog twins to block instances in a running system, and makes and
 * replays recordings.
 *
 * The golden model is the C block itself. A twin is a shared object for one block and parameter
 * point. It is built on demand (tb/harness/twin.mk) from the RTL under the source root
 * ($MEMTWIN_HOME, else the folder above the program's own). $MEMTWIN_RTL names another rtl/
 * folder, for planted faults. */
#ifndef MEMTWIN_HARNESS_HARNESS_H
#define MEMTWIN_HARNESS_HARNESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "block/block.h"

enum twin_mode { TWIN_LOCKSTEP, TWIN_DRIVE };

struct harness;

/* The first mismatch in a run, in order of time, then attachment, then port. */
struct mismatch {
    char instance[BLOCK_NAME_MAX];
    const char *block; /* name of the block type */
    char params[512];  /* list of NAME=VALUE */
    uint64_t cycle;    /* cycle of the instance's clock, counted from power-up */
    char port[64];
    char model[320], rtl[320]; /* values in hexadecimal */
    char inputs[4096];         /* inputs of the last cycles, one line per cycle */
};

/* Creates a harness. A mismatch sets *stop, which the caller owns. */
struct harness *harness_create(volatile bool *stop);
void harness_destroy(struct harness *h);

/* Attaches a twin to an instance, and builds the twin first if needed. `seed` selects the random
 * power-up state of the RTL. Returns 0, or -1 with a one-line message in err, which contains the
 * log's path if the build failed. */
int harness_attach(struct harness *h, struct block_inst *inst, enum twin_mode mode, uint64_t seed,
                   struct error *err);

/* Records the instance's inputs and model outputs up to and including cycle `last` in a vector
 * file. If `noise` is set, invalid inputs have the noise that a twin gets, to reproduce its
 * mismatch. If not, they are recorded as the system drives them. Returns 0, or -1 with a one-line
 * message in err. The complete file appears at its path after that cycle, or at
 * harness_end_recordings or harness_destroy. */
int harness_record(struct harness *h, struct block_inst *inst, const char *path, uint64_t last,
                   bool noise, struct error *err);

/* Completes all open recordings, or drops them if `keep` is not set. Returns 0, or -1 with a
 * one-line message in err if one could not be written. In this case, another call completes the
 * others. */
int harness_end_recordings(struct harness *h, bool keep, struct error *err);

struct harness_count {
    unsigned twins;
    uint64_t cycles; /* number of compared cycles, summed over twins */
    /* Number of cycles in which the RTL was evaluated. In all other cycles it was at a fixpoint
     * (docs/use/harness.md). */
    uint64_t evaluated;
    uint64_t mismatches; /* number of differing ports so far */
};
/* Returns the counts of all twins of the type, or of all twins if `type` is NULL. */
struct harness_count harness_count(const struct harness *h, const struct block_type *type);
/* Returns the first mismatch, or NULL if there was none. */
const struct mismatch *harness_first_mismatch(const struct harness *h);
void harness_print_mismatch(const struct mismatch *m, const char *replay_file, FILE *out);

/* ---- One block alone ---- */

struct cosim_driver; /* defined in harness/cosim.h */
struct cover_point;  /* defined in harness/cosim.h */

struct cosim_result {
    const char *verdict;           /* "PASS", "COVERAGE", "MISMATCH" or "RULE BROKEN" */
    const char *params;            /* list of NAME=VALUE */
    uint64_t cycles, compared, at; /* at: cycle of the mismatch or the broken rule */
    uint64_t seed;                 /* seed of the mismatch or the broken rule, else the first one */
    unsigned seeds;                /* number of seeds, from `seed` on */
    const char *what;              /* port that differs, or broken rule; NULL for neither */
    const char *expected, *got;    /* values of model and RTL in hexadecimal, or NULL */
    /* without points that have no hits and need none at these parameters */
    const struct cover_point *points;
    size_t n;
    bool floors; /* true if the floors apply */
};

struct cosim_opts {
    const struct block_type *type;
    struct block_params params;
    uint64_t cycles, seed;
    /* If this is above 1, a run that is long enough for coverage floors is divided over this many
     * seeds, from `seed` on. At most 8. */
    unsigned seeds;
    const char *record; /* vector file to write, or NULL for none */
    bool model_only;   /* true to run coverage and rule checks of the model alone, without a twin */
    const char *plant; /* bit of the model's output to flip, as "PORT[BIT]@CYCLE" (BIT is 0 if it is
                          left out), or NULL for none */
    volatile bool *stop; /* is set by an interrupt */
    void (*progress)(void *ctx, uint64_t done, uint64_t total);
    void *progress_ctx;
    /* Is called with the result, unless the run was interrupted or could not start; may be NULL. */
    void (*report)(void *ctx, const struct cosim_result *result);
    void *report_ctx;
    const struct cosim_driver *driver; /* NULL for the block's own driver */
};

/* Runs the block's driver with the model and the twin, one seed after the other, and prints the
 * coverage of all seeds together and the verdict to `out`. Stops at the first seed with a fault.
 * Returns the exit code. It is 0 if the run is good, 1 after an input error, and 2 after an
 * internal error (the output names the broken rule of the driver, or the points below their
 * floors). It is 3 after a mismatch (prints a report and writes a replay file). */
int cosim_run(const struct cosim_opts *opts, FILE *out);

enum replay_engine { REPLAY_TWIN, REPLAY_ICARUS, REPLAY_MODEL };
enum replay_ports {
    REPLAY_ALL,
    REPLAY_NO_OBSERVED, /* all except PORT_OBS ports, of the block without its observer */
};

/* Runs the inputs in a vector file through the Verilated RTL, the same RTL in Icarus (in which an X
 * or Z on a compared output is a difference), or the C model. Compares the outputs with the
 * recorded ones. `wave` is the wave file to write, or NULL for none. Its extension .vcd or .fst
 * selects VCD or FST; a FIFO with another name gets VCD. Returns the exit code: 0 if the outputs
 * are equal, 1 for an unreadable file (prints file, line and value), 2 after an internal error, 3
 * after a difference (prints the first one). */
int replay_run(const char *vectors, enum replay_engine engine, enum replay_ports ports,
               const char *wave, FILE *out);

struct replay_window {
    uint64_t from, to;
};

/* Replays as replay_run() does, up to cycle `to` and with the cycles from `from` on in the wave.
 * REPLAY_ICARUS writes all cycles. */
int replay_window_run(const char *vectors, enum replay_engine engine, enum replay_ports ports,
                      const char *wave, const struct replay_window *window, FILE *out);

#endif
