/* SPDX-License-Identifier: Apache-2.0 */
/* Noise on inputs whose qualifier in the port list is false. Neither model nor RTL may depend on
 * them then, and the harness tests that for every driver. Half of the noise is the port's last
 * qualified values, since only those reach state that they should not: an address that is held, a
 * set that is in use. */
#ifndef MEMTWIN_HARNESS_NOISE_H
#define MEMTWIN_HARNESS_NOISE_H

#include <stdint.h>

#include "harness/layout.h"

#define NOISE_SEEN 4 /* remembered values of each port */

struct noise {
    const struct layout *l;
    uint64_t random;
    unsigned *ports; /* inputs with a qualifier */
    unsigned n_ports;
    unsigned char *seen; /* NOISE_SEEN in structs */
    uint64_t *n_seen;    /* number of values of each input so far */
    void *before;        /* an out struct: without noise */
};

/* The same seed gives the same noise. Returns 0, or -1 if out of memory; free it in both cases. */
int noise_init(struct noise *n, const struct layout *l, uint64_t seed);
void noise_free(struct noise *n);

/* Replaces the unqualified fields of *in. `out`: the model's outputs for *in. held: NULL, or inputs
 * of the cycle before, whose fields are kept as noise. */
void noise_apply(struct noise *n, void *in, const void *out, const void *held);

/* Puts noise on the inputs and computes the model's outputs, with the observed ones. Returns NULL,
 * or a static text if an output depends on an unqualified input. */
const char *noise_eval(struct noise *n, const void *model, void *in, void *out);

#endif
