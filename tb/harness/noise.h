/* SPDX-License-Identifier: Apache-2.0 */
/* What stands at an input while it means nothing, that is while its qualifier in the port list is
 * false. Neither model nor RTL may look at it then, so a driver cannot forget to try it. Half of it
 * is what the port had when it last meant something, since only that finds what it should not:
 * an address that is held, a set that is in use. */
#ifndef MEMTWIN_HARNESS_NOISE_H
#define MEMTWIN_HARNESS_NOISE_H

#include <stdint.h>

#include "harness/layout.h"

#define NOISE_SEEN 4 /* values of each port that are remembered */

struct noise {
    const struct layout *l;
    uint64_t random;
    unsigned *ports; /* inputs that do not always mean something */
    unsigned n_ports;
    unsigned char *seen; /* NOISE_SEEN in structs */
    uint64_t *n_seen;    /* of each input, values so far */
    void *before;        /* an out struct: without noise */
};

/* The same seed gives the same noise. Returns 0, or -1 if out of memory; to be freed in any case.
 */
int noise_init(struct noise *n, const struct layout *l, uint64_t seed);
void noise_free(struct noise *n);

/* Replaces those fields of *in. `out`: the model's outputs for these inputs. held: NULL, or inputs
 * of the cycle before whose fields stay instead. */
void noise_apply(struct noise *n, void *in, const void *out, const void *held);

/* The model's outputs, observed ones too, for these inputs, which get noise. Returns NULL, or a
 * static text if an output depends on what means nothing. */
const char *noise_eval(struct noise *n, const void *model, void *in, void *out);

#endif
