/* SPDX-License-Identifier: Apache-2.0 */
/* Decompresses xz, gzip and zstd data piece by piece. Detects the format from the first bytes.
 * Consecutive compressed members form one text. */
#ifndef MEMTWIN_TRACE_UNPACK_H
#define MEMTWIN_TRACE_UNPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define UNPACK_MAGIC 6 /* number of bytes needed to detect the format */

enum unpack_kind { UNPACK_NOT, UNPACK_XZ, UNPACK_GZIP, UNPACK_ZSTD };

/* Detects the format from the first n bytes. Returns UNPACK_NOT if it is unknown. */
enum unpack_kind unpack_kind_of(const uint8_t *first, size_t n);
/* Returns the format that the extension of a name implies (.xz, .gz or .zst), or UNPACK_NOT. */
enum unpack_kind unpack_kind_named(const char *name);
/* Returns "xz", "gzip" or "zstd". */
const char *unpack_name(enum unpack_kind kind);

struct unpack;

/* Makes a decompressor. */
struct unpack *unpack_new(enum unpack_kind kind);
void unpack_free(struct unpack *u);

/* Compressed input and room for output. Both advance. */
struct unpack_piece {
    const uint8_t *in;
    size_t in_left;
    uint8_t *out;
    size_t out_left;
    bool last; /* true if `in` is the end of the data */
};

/* Decompresses until `in` or `out` is used up. Returns true if there may be more data, or false at
 * the end or on an error, with the reason in *error. */
bool unpack_step(struct unpack *u, struct unpack_piece *p, const char **error);

#endif
