/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a .tracez file of Accel-Sim 2 as the text of a .traceg file. The file consists of the text
 * of the header, a zero byte, the sizes of a zstd dictionary and of a piece, the dictionary, the
 * pieces of each warp (zstd frames of lines), an index of blocks and warps, and the offset of the
 * index. All numbers are little-endian. (accel-sim-framework, pull request 553) */
#ifndef MEMTWIN_TRACE_TRACEZ_H
#define MEMTWIN_TRACE_TRACEZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns true if the name ends in .tracez, or if the first n bytes of a file are a header's text
 * and its zero byte, before any block. */
bool tracez_is(const char *name, const uint8_t *first, size_t n);

struct tracez;

/* Opens a file, which must stay open, or (if fd is negative) its content in memory. Returns NULL
 * with the reason in *error on error. */
struct tracez *tracez_open(int fd, const uint8_t *data, size_t size, const char **error);
void tracez_close(struct tracez *z);

/* Copies up to `room` bytes of text. Returns their number, or 0 at the end or on an error, with the
 * reason in *error. */
size_t tracez_read(struct tracez *z, char *to, size_t room, const char **error);

#endif
