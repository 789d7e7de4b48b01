// SPDX-License-Identifier: Apache-2.0
#include "dram/layout.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "lib/bits.h"

/* Writes the letters of `text` to `letter`, lowest bit first, without dots. Returns the number of
 * bits up to the highest one used, or -1 with one line in err. */
static int read_letters(const char *text, char letter[64], struct error *err) {
    unsigned bits = 0;
    for (size_t i = strlen(text); i-- > 0;) {
        if (text[i] == '.')
            continue;
        if (!strchr("RBCS0", text[i]))
            return error_set(err, "'%c' is not R, B, C, S, 0 or a dot", text[i]);
        if (bits == 64)
            return error_set(err, "more than 64 bits");
        letter[bits++] = text[i];
    }
    while (bits && letter[bits - 1] == '0')
        bits--;
    if (bits && memchr(letter, '0', bits))
        return error_set(err, "a 0 below a letter: unused bits must be the highest");
    return (int)bits;
}

/* Writes the runs of the letter `which` to l->run, from index `first` on, and the letter's number
 * of bits to *width. Returns the number of runs. */
static uint8_t find_runs(struct dram_layout *l, unsigned first, const char *letter, unsigned bits,
                         char which, uint8_t *width) {
    uint8_t runs = 0;
    *width = 0;
    for (unsigned bit = 0; bit < bits;) {
        unsigned end = bit;
        while (end < bits && letter[end] == which)
            end++;
        if (end > bit) {
            l->run[first + runs++] = (struct layout_run){bits_low(end - bit), (uint8_t)bit, *width};
            *width = (uint8_t)(*width + end - bit);
        }
        bit = end > bit ? end : bit + 1;
    }
    return runs;
}

static int check_widths(const struct dram_layout *l, const char *letter, uint32_t atom_bytes,
                        uint32_t banks, struct error *err) {
    if (UINT64_C(1) << l->offset_bits != atom_bytes)
        return error_set(err, "%u S bits, but an atom has %u bytes", l->offset_bits,
                         (unsigned)atom_bytes);
    for (unsigned i = 0; i < l->offset_bits; i++)
        if (letter[i] != 'S')
            return error_set(err, "the S bits are not the lowest");
    if (UINT64_C(1) << l->bank_bits != banks)
        return error_set(err, "%u B bits, but there are %u banks", l->bank_bits, (unsigned)banks);
    if (!l->row_bits || l->col_bits > 32)
        return error_set(err, l->row_bits ? "more than 32 C bits" : "no R bit");
    return 0;
}

int dram_layout_parse(struct dram_layout *layout, const char *text, uint32_t atom_bytes,
                      uint32_t banks, struct error *err) {
    struct dram_layout *l = layout;
    char letter[64];
    memset(l, 0, sizeof *l);
    int n = read_letters(text, letter, err);
    if (n < 0)
        return -1;
    unsigned bits = (unsigned)n;
    find_runs(l, 0, letter, bits, 'S', &l->offset_bits);
    l->rows = find_runs(l, 0, letter, bits, 'R', &l->row_bits);
    l->banks = find_runs(l, l->rows, letter, bits, 'B', &l->bank_bits);
    l->cols = find_runs(l, l->rows + l->banks, letter, bits, 'C', &l->col_bits);
    if (check_widths(l, letter, atom_bytes, banks, err) != 0)
        return -1;
    if (bits < 64) { /* the remaining address bits extend the row */
        memmove(&l->run[l->rows + 1], &l->run[l->rows],
                (size_t)(l->banks + l->cols) * sizeof l->run[0]);
        l->run[l->rows++] = (struct layout_run){UINT64_MAX, (uint8_t)bits, l->row_bits};
    }
    return 0;
}

static uint64_t gather(const struct layout_run *run, unsigned n, uint64_t address) {
    uint64_t value = 0;
    for (unsigned i = 0; i < n; i++)
        value |= (address >> run[i].shift & run[i].mask) << run[i].to;
    return value;
}

struct dram_place dram_layout_find(const struct dram_layout *layout, uint64_t address) {
    const struct layout_run *row = layout->run, *bank = row + layout->rows;
    const struct layout_run *col = bank + layout->banks;
    return (struct dram_place){gather(row, layout->rows, address),
                               (uint32_t)gather(bank, layout->banks, address),
                               (uint32_t)gather(col, layout->cols, address)};
}

static uint64_t mask_of(const struct layout_run *run, unsigned n) {
    uint64_t mask = 0;
    for (unsigned i = 0; i < n; i++)
        mask |= run[i].mask << run[i].shift;
    return mask;
}

uint64_t dram_layout_bank_mask(const struct dram_layout *layout) {
    return mask_of(layout->run + layout->rows, layout->banks);
}

uint64_t dram_layout_col_mask(const struct dram_layout *layout) {
    return mask_of(layout->run + layout->rows + layout->banks, layout->cols);
}
