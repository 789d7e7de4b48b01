/* SPDX-License-Identifier: Apache-2.0 */
/* Decompresses data piece by piece: xz, gzip and zstd, detected by their first bytes. Consecutive
 * members are one text. */
#ifndef MEMTWIN_TRACE_UNPACK_H
#define MEMTWIN_TRACE_UNPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define UNPACK_MAGIC 6 /* bytes needed to detect the format */

enum unpack_kind { UNPACK_NOT, UNPACK_XZ, UNPACK_GZIP, UNPACK_ZSTD };

/* The kind by the first n bytes; UNPACK_NOT if they are not compressed in a known format. */
enum unpack_kind unpack_kind_of(const uint8_t *first, size_t n);
/* The kind by the extension of a name: .xz, .gz, .zst. */
enum unpack_kind unpack_kind_named(const char *name);
/* "xz", "gzip", "zstd" */
const char *unpack_name(enum unpack_kind kind);

struct unpack;

/* Makes a decompressor. NULL: out of memory. */
struct unpack *unpack_new(enum unpack_kind kind);
void unpack_free(struct unpack *u);

/* Compressed input and room for output; both advance. */
struct unpack_piece {
    const uint8_t *in;
    size_t in_left;
    uint8_t *out;
    size_t out_left;
    bool last; /* `in` is the end of the data */
};

/* Decompresses until `in` or `out` is used up. True if there may be more; false at the end, or on
 * an error, with the reason in *error. */
bool unpack_step(struct unpack *u, struct unpack_piece *p, const char **error);

#endif
