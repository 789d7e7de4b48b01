/* SPDX-License-Identifier: Apache-2.0 */
/* Defines scanners for the fields of a line. The line must end with a byte that belongs to no field
 * (LF or CR). Each scanner moves *p past the text that it reads. If it returns a bool, false means
 * that the text has another format. */
#ifndef MEMTWIN_TRACE_SCAN_H
#define MEMTWIN_TRACE_SCAN_H

#include <endian.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static inline void scan_spaces(const char **p) {
    while (**p == ' ' || **p == '\t')
        ++*p;
}

/* Returns true if the field ends at p, with a blank or at the end of the line. */
static inline bool scan_field_end(const char *p) {
    return *p == ' ' || *p == '\t' || *p == '\n' || *p == '\r';
}

/* Returns the value of a hexadecimal digit, or -1. */
static inline int scan_hex_digit(char c) {
    static const unsigned char above[256] = {
        ['0'] = 1,  ['1'] = 2,  ['2'] = 3,  ['3'] = 4,  ['4'] = 5,  ['5'] = 6,
        ['6'] = 7,  ['7'] = 8,  ['8'] = 9,  ['9'] = 10, ['a'] = 11, ['b'] = 12,
        ['c'] = 13, ['d'] = 14, ['e'] = 15, ['f'] = 16, ['A'] = 11, ['B'] = 12,
        ['C'] = 13, ['D'] = 14, ['E'] = 15, ['F'] = 16}; /* value + 1; 0 if not a digit */
    return above[(unsigned char)c] - 1;
}

/* Reads 1 to 16 hexadecimal digits, optionally after "0x". */
static inline bool scan_hex(const char **p, uint64_t *value) {
    const char *s = *p;
    if (s[0] == '0' && (s[1] | 0x20) == 'x')
        s += 2;
    const char *from = s;
    uint64_t v = 0;
    for (int d; (d = scan_hex_digit(*s)) >= 0; s++)
        v = v << 4 | (unsigned)d;
    *value = v;
    *p = s;
    return s > from && s - from <= 16;
}

/* Reads 1 to 18 decimal digits. */
static inline bool scan_decimal(const char **p, uint64_t *value) {
    const char *s = *p;
    uint64_t v = 0;
    for (; *s >= '0' && *s <= '9'; s++)
        v = v * 10 + (unsigned)(*s - '0');
    *value = v;
    bool good = s > *p && s - *p <= 18;
    *p = s;
    return good;
}

/* Number of bytes behind a line that scan_short reads. */
#define SCAN_AHEAD 9

/* Reads up to 8 digits, all at once, if no more follow. Returns false and reads nothing otherwise.
 * In the bytes of `x`, digits are 0 to 9; the first byte is the lowest. */
static inline bool scan_short(const char **p, uint64_t *value) {
    uint64_t x;
    memcpy(&x, *p, sizeof x);
    x = le64toh(x) ^ UINT64_C(0x3030303030303030);
    const uint64_t high = UINT64_C(0x8080808080808080);
    const uint64_t others = (((x & ~high) + UINT64_C(0x7676767676767676)) | x) & high;
    const unsigned n = others ? (unsigned)__builtin_ctzll(others) / 8 : 8;
    if (n == 0 || (n == 8 && (*p)[8] >= '0' && (*p)[8] <= '9'))
        return false;
    x <<= 64 - 8 * n; /* zeros in front */
    x = (x * 10 + (x >> 8)) & UINT64_C(0x00ff00ff00ff00ff);
    x = (x * 100 + (x >> 16)) & UINT64_C(0x0000ffff0000ffff);
    *value = (x * 10000 + (x >> 32)) & UINT32_MAX;
    *p += n;
    return true;
}

static inline bool scan_signed(const char **p, int64_t *value) {
    bool minus = **p == '-';
    uint64_t v;
    *p += minus || **p == '+';
    bool good = scan_short(p, &v) || scan_decimal(p, &v);
    *value = minus ? -(int64_t)v : (int64_t)v;
    return good;
}

#endif
