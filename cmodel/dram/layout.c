// SPDX-License-Identifier: Apache-2.0
#include "dram/layout.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "lib/bits.h"

/* The string without dots, lowest bit first. Returns the number of bits, or -1. */
static int read_letters(const char *text, char letter[64], char *err, size_t err_size) {
    unsigned bits = 0;
    for (size_t i = strlen(text); i-- > 0;) {
        if (text[i] == '.')
            continue;
        if (!strchr("RBCS0", text[i])) {
            snprintf(err, err_size, "'%c' is not R, B, C, S, 0 or a dot", text[i]);
            return -1;
        }
        if (bits == 64) {
            snprintf(err, err_size, "more than 64 bits");
            return -1;
        }
        letter[bits++] = text[i];
    }
    while (bits && letter[bits - 1] == '0')
        bits--;
    if (bits && memchr(letter, '0', bits)) {
        snprintf(err, err_size, "a 0 below a letter: unused bits must be the highest");
        return -1;
    }
    return (int)bits;
}

/* Appends the runs of one letter. Returns their number. */
static uint8_t find_runs(struct dram_layout *l, unsigned first, const char *letter, unsigned bits,
                         char which, uint8_t *width) {
    uint8_t runs = 0;
    *width = 0;
    for (unsigned at = 0; at < bits;) {
        unsigned end = at;
        while (end < bits && letter[end] == which)
            end++;
        if (end > at) {
            l->run[first + runs++] = (struct layout_run){bits_low(end - at), (uint8_t)at, *width};
            *width = (uint8_t)(*width + end - at);
        }
        at = end > at ? end : at + 1;
    }
    return runs;
}

static int check_widths(const struct dram_layout *l, const char *letter, uint32_t atom_bytes,
                        uint32_t banks, char *err, size_t err_size) {
    if (UINT64_C(1) << l->offset_bits != atom_bytes) {
        snprintf(err, err_size, "%u bits S, but an atom has %u bytes", l->offset_bits,
                 (unsigned)atom_bytes);
        return -1;
    }
    for (unsigned i = 0; i < l->offset_bits; i++)
        if (letter[i] != 'S') {
            snprintf(err, err_size, "the bits S are not the lowest");
            return -1;
        }
    if (UINT64_C(1) << l->bank_bits != banks) {
        snprintf(err, err_size, "%u bits B, but there are %u banks", l->bank_bits, (unsigned)banks);
        return -1;
    }
    if (!l->row_bits || l->col_bits > 32) {
        snprintf(err, err_size, l->row_bits ? "more than 32 bits C" : "no bit R");
        return -1;
    }
    return 0;
}

int dram_layout_parse(struct dram_layout *layout, const char *text, uint32_t atom_bytes,
                      uint32_t banks, char *err, size_t err_size) {
    struct dram_layout *l = layout;
    char letter[64];
    memset(l, 0, sizeof *l);
    int n = read_letters(text, letter, err, err_size);
    if (n < 0)
        return -1;
    unsigned bits = (unsigned)n;
    find_runs(l, 0, letter, bits, 'S', &l->offset_bits);
    l->rows = find_runs(l, 0, letter, bits, 'R', &l->row_bits);
    l->banks = find_runs(l, l->rows, letter, bits, 'B', &l->bank_bits);
    l->cols = find_runs(l, l->rows + l->banks, letter, bits, 'C', &l->col_bits);
    if (check_widths(l, letter, atom_bytes, banks, err, err_size) != 0)
        return -1;
    if (bits < 64) { /* the rest of the address */
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
