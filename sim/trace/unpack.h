/* SPDX-License-Identifier: Apache-2.0 */
/* Compressed data, a piece at a time: xz, gzip and zstd, found by their first bytes. Members that
 * follow each other are one text. */
#ifndef MEMTWIN_TRACE_UNPACK_H
#define MEMTWIN_TRACE_UNPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define UNPACK_MAGIC 6 /* bytes that tell what the data are */

enum unpack_kind { UNPACK_NOT, UNPACK_XZ, UNPACK_GZIP, UNPACK_ZSTD };

/* The kind by the first n bytes; UNPACK_NOT if they are not compressed in a known format. */
enum unpack_kind unpack_kind_of(const uint8_t *first, size_t n);
/* The kind that a name ends in: .xz, .gz, .zst. */
enum unpack_kind unpack_kind_named(const char *name);
/* "xz", "gzip", "zstd" */
const char *unpack_name(enum unpack_kind kind);

struct unpack;

/* NULL: out of memory. */
struct unpack *unpack_new(enum unpack_kind kind);
void unpack_free(struct unpack *u);

/* What is packed, and room for what is unpacked; both move on. */
struct unpack_piece {
    const uint8_t *in;
    size_t in_left;
    uint8_t *out;
    size_t out_left;
    bool last; /* nothing comes behind `in` */
};

/* Goes on until `in` or `out` is used up. True if there may be more; false at the end, or on an
 * error, whose reason is in *error then. */
bool unpack_step(struct unpack *u, struct unpack_piece *p, const char **error);

#endif
