/* SPDX-License-Identifier: Apache-2.0 */
/* A block's ports at given parameters, laid out as two bit vectors: all inputs, and all outputs
 * (observed ones too), in list order, the first port in the low bits. Vector files and the Icarus
 * bench use them. */
#ifndef MEMTWIN_HARNESS_LAYOUT_H
#define MEMTWIN_HARNESS_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "block/block.h"

struct port_place {
    const struct port_desc *desc;
    unsigned width; /* bits */
    unsigned at;    /* lowest bit in its vector */
    size_t size;    /* bytes of the struct field */
};

struct layout {
    const struct block_type *type;
    struct block_params params;
    char params_text[512];
    unsigned n_in, n_out;       /* ports */
    unsigned in_bits, out_bits; /* of the vectors */
    struct port_place *in, *out;
};

/* Returns 0, or -1 with one line in err (a port wider than its list says, or out of memory). */
int layout_init(struct layout *l, const struct block_type *type, const struct block_params *p,
                char *err, size_t err_size);
void layout_free(struct layout *l);

/* "IN", "OUT" or "OBS". */
const char *port_dir_name(enum port_dir dir);

/* Prints a field's value as hex without prefix, with the digits of its width, or more if the field
 * has bits above it. Returns the number of characters. */
size_t place_hex(const struct port_place *place, const void *base, char *buf, size_t size);
void place_flip(const struct port_place *place, unsigned bit, void *base);
bool place_same(const struct port_place *place, const void *a, const void *b);
/* True if the field has no bit above the port's width. */
bool place_in_width(const struct port_place *place, const void *base);

/* Hex digits of a vector of `bits` bits. */
static inline size_t hex_digits(unsigned bits) {
    return (bits + 3) / 4;
}
/* Packs all fields of a struct into one hex vector, high digit first. `digits` holds hex_digits + 1
 * bytes. */
void pack_hex(const struct port_place *places, unsigned n, unsigned bits, const void *base,
              char *digits);
/* Unpacks a hex vector. Returns false if a digit is not hex or sets a bit above the vector. */
bool unpack_hex(const struct port_place *places, unsigned n, unsigned bits, const char *digits,
                void *base);

#endif
