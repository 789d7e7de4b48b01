/* SPDX-License-Identifier: Apache-2.0 */
/* Where an address lies in a DRAM channel: a mask string with one letter for each address bit, the
 * leftmost the highest, as GPGPU-Sim writes them:
 *
 *     0000RRRR.RRRRRRRR.RBBBCCCC.BCCSSSSS
 *
 * R row, B bank, C column, S byte in the atom (what one column command moves), 0 not used (at the
 * top only); dots are for the eye. The bits of a letter make a number, the rightmost is its bit 0.
 * Address bits above the highest letter lengthen the row, so that no two addresses share a place.
 */
#ifndef MEMTWIN_DRAM_LAYOUT_H
#define MEMTWIN_DRAM_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

#define LAYOUT_MAX_RUNS 64

struct dram_place {
    uint64_t row;
    uint32_t bank, col;
};

/* Bits of one letter that stand together. */
struct layout_run {
    uint64_t mask; /* after the shift */
    uint8_t shift; /* of the address */
    uint8_t to;    /* position in the number */
};

struct dram_layout {
    struct layout_run run[LAYOUT_MAX_RUNS]; /* of rows, then banks, then columns */
    uint8_t rows, banks, cols;              /* runs of each */
    uint8_t row_bits, bank_bits, col_bits, offset_bits;
};

/* atom_bytes and banks are powers of two. Returns 0, or -1 with what is wrong in err. */
int dram_layout_parse(struct dram_layout *layout, const char *text, uint32_t atom_bytes,
                      uint32_t banks, char *err, size_t err_size);

/* The address bits that are the bank, and those that are the column. */
uint64_t dram_layout_bank_mask(const struct dram_layout *layout);
uint64_t dram_layout_col_mask(const struct dram_layout *layout);

/* The place of a byte address within the channel. */
struct dram_place dram_layout_find(const struct dram_layout *layout, uint64_t address);

#endif
