/* SPDX-License-Identifier: Apache-2.0 */
/* Adds noise to inputs whose qualifier in the port list is false. Neither model nor RTL may depend
 * on such inputs, and the harness tests this with every driver. Half of the noise repeats the
 * port's last valid values, since only these match state in use, such as an address that is stored
 * or a set that is in use. */
#ifndef MEMTWIN_HARNESS_NOISE_H
#define MEMTWIN_HARNESS_NOISE_H

#include <stdint.h>

#include "harness/layout.h"

#define NOISE_SEEN 4 /* number of stored values per port */

struct noise {
    const struct layout *l;
    uint64_t random;
    unsigned *ports; /* numbers of the inputs with a qualifier */
    unsigned n_ports;
    unsigned char *seen; /* the last NOISE_SEEN input structs */
    uint64_t *n_seen;    /* number of values stored for each input so far */
    void *before;        /* outputs without noise, as an out struct */
};

/* Initializes a generator. The same seed gives the same noise. */
void noise_init(struct noise *n, const struct layout *l, uint64_t seed);
void noise_free(struct noise *n);

/* Replaces the invalid fields of *in. `out` has the model's outputs for *in. `held` is NULL, or
 * has the previous cycle's inputs, whose fields are kept as noise. */
void noise_apply(struct noise *n, void *in, const void *out, const void *held);

/* Puts noise on the inputs and computes the model's outputs, including observed ones. Returns a
 * static text if an output depends on an invalid input, else NULL. */
const char *noise_eval(struct noise *n, const void *model, void *in, void *out);

#endif
