/* SPDX-License-Identifier: Apache-2.0 */
/* Lays out a block's ports at given parameters as two bit vectors, one of all inputs and one of all
 * outputs, including observed ones. Ports are in list order, with the first in the low bits. Vector
 * files and the Icarus bench use these vectors. */
#ifndef MEMTWIN_HARNESS_LAYOUT_H
#define MEMTWIN_HARNESS_LAYOUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "block/block.h"

struct port_place {
    const struct port_desc *desc;
    unsigned width;   /* number of bits */
    unsigned low_bit; /* index of the lowest bit in its vector */
    size_t size;      /* number of bytes in the struct's field */
};

struct layout {
    const struct block_type *type;
    struct block_params params;
    char params_text[512];
    unsigned n_in, n_out;       /* numbers of input ports and of output ports */
    unsigned in_bits, out_bits; /* numbers of bits in the input vector and the output vector */
    struct port_place *in, *out;
};

/* Lays out the ports. Returns 0, or -1 with a one-line message in err if a port's width is not in
 * the range of its list. */
int layout_init(struct layout *l, const struct block_type *type, const struct block_params *p,
                struct error *err);
void layout_free(struct layout *l);

/* Returns "IN", "OUT" or "OBS". */
const char *port_dir_name(enum port_dir dir);

/* Prints a field's value in hex without a prefix, with as few digits as its width allows, or more
 * if the field has bits above the width. Returns the number of characters. */
size_t place_hex(const struct port_place *place, const void *base, char *buf, size_t size);
void place_flip(const struct port_place *place, unsigned bit, void *base);
bool place_same(const struct port_place *place, const void *a, const void *b);
/* True if the field has no bit above the port's width. */
bool place_in_width(const struct port_place *place, const void *base);

/* Returns the number of hex digits in a vector of `bits` bits. */
static inline size_t hex_digits(unsigned bits) {
    return (bits + 3) / 4;
}
/* Packs all fields of a struct into one hex vector, high digit first. `digits` must have room for
 * hex_digits + 1 bytes. */
void pack_hex(const struct port_place *places, unsigned n, unsigned bits, const void *base,
              char *digits);
/* Unpacks a hex vector. Returns false if a digit is not hex or sets a bit beyond the vector. */
bool unpack_hex(const struct port_place *places, unsigned n, unsigned bits, const char *digits,
                void *base);

#endif
