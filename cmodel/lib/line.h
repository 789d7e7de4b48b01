/* SPDX-License-Identifier: Apache-2.0 */
/* Sizes of cache lines and sectors, and sets of bytes within a line. */
#ifndef MEMTWIN_LIB_LINE_H
#define MEMTWIN_LIB_LINE_H

#include <stdbool.h>
#include <stdint.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "lib/bits.h"

#define LINE_BITS 7 /* width in bits of an offset in a line */
#define LINE_BYTES (1 << LINE_BITS)
#define SECTOR_BITS 5
#define SECTOR_BYTES (1 << SECTOR_BITS)
#define LINE_SECTORS (LINE_BYTES / SECTOR_BYTES)
#define SECTORS_ALL 15u

/* Set of bytes in a line, with one bit per byte. */
struct byte_mask {
    uint64_t w[2];
};

/* Each returns the sectors that the mask touches, with bit s for sector s. */
static inline unsigned mask_sector_bits_plain(const struct byte_mask *m) {
    const uint64_t low = UINT64_C(0xffffffff);
    return (unsigned)((m->w[0] & low) != 0) | (unsigned)(m->w[0] > low) << 1 |
           (unsigned)((m->w[1] & low) != 0) << 2 | (unsigned)(m->w[1] > low) << 3;
}

static inline unsigned mask_sector_bits(const struct byte_mask *m) {
#ifdef __SSE2__ /* one comparison for all four sectors */
    const __m128i mask = _mm_loadu_si128((const __m128i *)m->w);
    const __m128i none = _mm_cmpeq_epi32(mask, _mm_setzero_si128());
    return SECTORS_ALL & ~(unsigned)_mm_movemask_ps(_mm_castsi128_ps(none));
#else
    return mask_sector_bits_plain(m);
#endif
}

static inline unsigned mask_sectors(const struct byte_mask *m) {
    return bits_count4(mask_sector_bits(m));
}

static inline struct byte_mask mask_of_sectors(unsigned bits) {
    static const uint64_t half[] = {0, 0xffffffff, 0xffffffff00000000, UINT64_MAX};
    return (struct byte_mask){{half[bits & 3], half[bits >> 2 & 3]}};
}

static inline bool mask_none(const struct byte_mask *m) {
    return (m->w[0] | m->w[1]) == 0;
}

static inline bool mask_within(const struct byte_mask *m, const struct byte_mask *of) {
    return ((m->w[0] & ~of->w[0]) | (m->w[1] & ~of->w[1])) == 0;
}

static inline struct byte_mask mask_both(const struct byte_mask *a, const struct byte_mask *b) {
    return (struct byte_mask){{a->w[0] & b->w[0], a->w[1] & b->w[1]}};
}

static inline bool mask_meet(const struct byte_mask *a, const struct byte_mask *b) {
    return ((a->w[0] & b->w[0]) | (a->w[1] & b->w[1])) != 0;
}

/* Returns a mask of n bytes from byte `first` on. */
static inline struct byte_mask mask_range(unsigned first, unsigned n) {
    struct byte_mask m = {{0, 0}};
    if (first >= 64)
        m.w[1] = bits_low(n) << (first - 64);
    else
        m.w[0] = bits_low(n) << first;
    if (first < 64 && first + n > 64)
        m.w[1] = bits_low(first + n - 64);
    return m;
}

static inline void mask_add(struct byte_mask *to, const struct byte_mask *m) {
    to->w[0] |= m->w[0];
    to->w[1] |= m->w[1];
}

static inline void mask_remove(struct byte_mask *from, const struct byte_mask *m) {
    from->w[0] &= ~m->w[0];
    from->w[1] &= ~m->w[1];
}

/* Returns the lowest byte of a non-empty mask. */
static inline unsigned mask_first(const struct byte_mask *m) {
    return m->w[0] ? (unsigned)__builtin_ctzll(m->w[0]) : 64 + (unsigned)__builtin_ctzll(m->w[1]);
}

static inline bool mask_bit(const struct byte_mask *m, unsigned byte) {
    return (m->w[byte / 64] >> (byte % 64)) & 1;
}

/* Copies the masked bytes of a line. */
void mask_copy(uint8_t *to, const uint8_t *from, const struct byte_mask *mask);

#endif
