/* SPDX-License-Identifier: Apache-2.0 */
/* Handles the address layout of a DRAM channel. A layout is a mask string with one letter for each
 * address bit, the highest bit first, in GPGPU-Sim's notation:
 *
 *     0000RRRR.RRRRRRRR.RBBBCCCC.BCCSSSSS
 *
 * R is a bit of the row, B a bit of the bank, C a bit of the column, and S a bit of the byte's
 * position in the atom (the unit of a column command). 0 is an unused bit; only the highest bits
 * may be unused. Dots are ignored. The bits of a letter form a number, and the rightmost bit is bit
 * 0. Address bits above the highest letter extend the row, so that no two addresses share a
 * location.
 */
#ifndef MEMTWIN_DRAM_LAYOUT_H
#define MEMTWIN_DRAM_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

#include "lib/error.h"

#define LAYOUT_MAX_RUNS 64

struct dram_place {
    uint64_t row;
    uint32_t bank, col;
};

/* A run of adjacent bits with the same letter. */
struct layout_run {
    uint64_t mask; /* mask to apply after the shift */
    uint8_t shift; /* right shift of the address in bits */
    uint8_t to;    /* position in the number that the letter's bits form */
};

struct dram_layout {
    struct layout_run run[LAYOUT_MAX_RUNS]; /* runs of row, then bank, then column bits */
    uint8_t rows,                           /* number of runs of row bits */
        banks,                              /* number of runs of bank bits */
        cols;                               /* number of runs of column bits */
    uint8_t row_bits, bank_bits, col_bits, offset_bits;
};

/* Parses a layout. `atom_bytes` and `banks` must be powers of two. Returns 0, or -1 with one line
 * in err. */
int dram_layout_parse(struct dram_layout *layout, const char *text, uint32_t atom_bytes,
                      uint32_t banks, struct error *err);

/* Returns the mask of the address bits that form the bank number. */
uint64_t dram_layout_bank_mask(const struct dram_layout *layout);
/* Returns the mask of the address bits that form the column number. */
uint64_t dram_layout_col_mask(const struct dram_layout *layout);

/* Returns the location of a byte address within the channel. */
struct dram_place dram_layout_find(const struct dram_layout *layout, uint64_t address);

#endif
