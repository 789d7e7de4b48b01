/* SPDX-License-Identifier: Apache-2.0 */
/* One model and its twin, cycle by cycle: applies inputs, compares all outputs, remembers the last
 * inputs, and describes the first difference. The harness, cosim and replay all compare here. */
#ifndef MEMTWIN_HARNESS_LANE_H
#define MEMTWIN_HARNESS_LANE_H

#include <stdbool.h>
#include <stdint.h>

#include "harness/harness.h"
#include "harness/layout.h"
#include "harness/twin.h"

#define LANE_HISTORY 8 /* cycles of inputs in a mismatch report */

struct lane {
    const struct layout *l;
    const struct twin_table *table; /* NULL: no twin, `other` is filled by the caller */
    void *twin;
    void *other;            /* outputs compared with the model's: those of the RTL */
    unsigned char *history; /* LANE_HISTORY in structs */
    uint64_t cycle;         /* current cycle, 0 from power-up */
    unsigned differing;     /* ports that differ in this cycle */
    int first; /* first of them: output number; input number + LANE_INPUT; LANE_FAULT */
};

#define LANE_NONE (-1)
#define LANE_FAULT (-2)
#define LANE_INPUT 10000

/* Returns 0, or -1 with one line in err. table may be NULL. */
int lane_init(struct lane *lane, const struct layout *l, const struct twin_table *table,
              uint64_t seed, char *err, size_t err_size);
void lane_free(struct lane *lane);

/* Remembers the inputs, settles the twin, and compares. `model` has the model's outputs with the
 * observed ones; `qualify` is the struct for the qualifiers (`model`, unless it has a planted
 * fault). bits: compare bits of a recording that replace the qualifiers, or NULL. Returns the
 * number of ports that differ; sets `differing` and `first`. Cycle 0 compares nothing, since
 * neither side is reset before the first clock edge. */
unsigned lane_eval(struct lane *lane, const void *in, const void *model, const void *qualify,
                   const bool *bits);
/* Applies the clock edge. */
void lane_tick(struct lane *lane);
/* Compared cycles in which the twin's RTL was evaluated, not at a fixpoint. 0 without a twin. */
uint64_t lane_evaluated(const struct lane *lane);
/* Fills in the mismatch of the current cycle; `model` as given to lane_eval. */
void lane_report(const struct lane *lane, const char *instance, const void *model,
                 struct mismatch *m);
/* Fills in block and last inputs of a mismatch that the caller found in `cycle`. */
void lane_describe(const struct lane *lane, const char *instance, uint64_t cycle,
                   struct mismatch *m);
/* Remembers the inputs of the current cycle (lane_eval does so itself). */
void lane_remember(struct lane *lane, const void *in);

/* Prints a mismatch; left, right: names of the two sides. */
void mismatch_print(const struct mismatch *m, const char *left, const char *right, FILE *out);
/* Prints the command that runs a replay file, with its environment. */
void mismatch_print_command(const char *replay_file, FILE *out);

#endif
