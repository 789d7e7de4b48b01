/* Where a line lives: its partition, its line number within the partition, its set. One place for the
 * functions that later papers vary. Lines are byte addresses / LINE_BYTES. */
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

/* Modulo set index. */
static inline uint32_t addr_set(uint64_t line, uint32_t sets) {
    return (uint32_t)((sets & (sets - 1)) == 0 ? (line & (sets - 1)) : line % sets);
}

#endif
