/* Where a line lives: its partition, its line number within the partition, its set. One place for
 * the functions that later papers vary. Lines are byte addresses / LINE_BYTES. */
#ifndef MEMTWIN_CACHE_ADDR_MAP_H
#define MEMTWIN_CACHE_ADDR_MAP_H

#include <stdint.h>

/* Bits of a line number: device addresses of 47 bits. Also ADDR_W of the MSHRs. */
#define ADDR_LINE_BITS 40

struct addr_map {
    uint32_t partitions;
    uint32_t interleave; /* consecutive lines in one partition */
};

/* Modulo over chunks of `interleave` lines. */
static inline uint32_t addr_partition(const struct addr_map *m, uint64_t line) {
    return (uint32_t)(line / m->interleave % m->partitions);
}

/* Lines of a partition, numbered without gaps. */
static inline uint64_t addr_local(const struct addr_map *m, uint64_t line) {
    return line / m->interleave / m->partitions * m->interleave + line % m->interleave;
}

/* Set-index functions, in the order of the keys l1d.set_index and l2.set_index (reference: the same
 * functions in GPGPU-Sim's cache strings, letters L, X and H). */
enum set_index { SET_BMOD, SET_BXOR, SET_FERMI };

static inline uint32_t addr_set(enum set_index f, uint64_t line, uint32_t sets) {
    uint32_t low = (uint32_t)((sets & (sets - 1)) == 0 ? (line & (sets - 1)) : line % sets);
    switch (f) {
    case SET_BXOR: /* a power of two of sets; the line bits above 7 folded in */
        return low ^ (uint32_t)(line >> 7 & (sets - 1));
    case SET_FERMI: /* 32 or 64 sets: address bits 13, 14, 15, 17, 19 folded into the low five */
        return low ^ (uint32_t)((line >> 6 & 7) | (line >> 10 & 1) << 3 | (line >> 12 & 1) << 4);
    default:
        return low;
    }
}

#endif
