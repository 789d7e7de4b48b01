/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a twin cycle by cycle next to its model. A lane applies inputs, compares all outputs,
 * stores the last inputs, and describes the first difference. Harness, cosim and replay use
 * lanes. */
#ifndef MEMTWIN_HARNESS_LANE_H
#define MEMTWIN_HARNESS_LANE_H

#include <stdbool.h>
#include <stdint.h>

#include "harness/harness.h"
#include "harness/layout.h"
#include "harness/twin.h"

#define LANE_HISTORY 8 /* number of cycles whose inputs are in a mismatch report */

struct lane {
    const struct layout *l;
    /* NULL if there is no twin, in which case the caller sets `other` */
    const struct twin_table *table;
    void *twin;
    void *other;            /* the RTL's outputs, which are compared with the model's */
    unsigned char *history; /* input structs of the last LANE_HISTORY cycles */
    uint64_t cycle;         /* current cycle, 0 at power-up */
    uint64_t evals;     /* number of evals that the twin had computed after the last lane_eval */
    uint64_t evaluated; /* number of compared cycles with a computed eval */
    unsigned differing; /* number of ports that differ in this cycle */
    int first; /* first differing port: an output number, LANE_INPUT + an input number, or LANE_NONE
                  or LANE_FAULT */
};

#define LANE_NONE (-1)
#define LANE_FAULT (-2)
#define LANE_INPUT 10000

/* Initializes a lane. `table` may be NULL. Returns 0, or -1 with a one-line message in err. */
int lane_init(struct lane *lane, const struct layout *l, const struct twin_table *table,
              uint64_t seed, struct error *err);
void lane_free(struct lane *lane);

/* Stores the inputs, settles the twin, and compares. `model` has all outputs of the model,
 * including observed ones. The qualifiers are evaluated on `qualify`, which is `model` unless
 * `model` has a planted fault. `bits` is NULL, or has the compare bits of a recording, which
 * replace the qualifiers. Returns the number of differing ports, and sets `differing` and `first`.
 * Compares nothing in cycle 0, since neither side is reset before the first clock edge. */
unsigned lane_eval(struct lane *lane, const void *in, const void *model, const void *qualify,
                   const bool *bits);
/* Applies the clock edge. */
void lane_tick(struct lane *lane);
/* Returns the number of compared cycles in which the twin's RTL was evaluated because it was not
 * at a fixpoint. Returns 0 if there is no twin. */
uint64_t lane_evaluated(const struct lane *lane);
/* Sets *m to the mismatch of the current cycle. `model` has the same outputs as for lane_eval. */
void lane_report(const struct lane *lane, const char *instance, const void *model,
                 struct mismatch *m);
/* Sets the block and the last inputs in a mismatch that the caller found in `cycle`. */
void lane_describe(const struct lane *lane, const char *instance, uint64_t cycle,
                   struct mismatch *m);
/* Stores the inputs of the current cycle; lane_eval includes this. */
void lane_remember(struct lane *lane, const void *in);

/* Prints a mismatch. `left` and `right` are the names of the two sides. */
void mismatch_print(const struct mismatch *m, const char *left, const char *right, FILE *out);
/* Prints the command that runs a replay file, with its environment variables. */
void mismatch_print_command(const char *replay_file, FILE *out);

#endif
