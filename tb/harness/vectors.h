/* SPDX-License-Identifier: Apache-2.0 */
/* Writes and reads vector files. A vector file contains the inputs and outputs of one block, cycle
 * by cycle, as text (docs/use/harness.md describes the format). A missing end marker or a wrong
 * count is an error, so a truncated file never passes. */
#ifndef MEMTWIN_HARNESS_VECTORS_H
#define MEMTWIN_HARNESS_VECTORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/layout.h"

#define VECTORS_MAGIC "memtwin-vectors 2"

struct vec_writer;

/* Returns a writer, or NULL with a one-line message in err. vec_finish moves the file to its
 * path. */
struct vec_writer *vec_create(const char *path, const struct layout *l, struct error *err);
/* Writes one cycle. The qualifiers are evaluated on `qualify`, which is `out` unless a fault has
 * been planted into `out`. The given and compare bits are the qualifiers of inputs and outputs.
 * The compare bits are all 0 in cycle 0, before the first clock edge. */
void vec_write(struct vec_writer *w, const void *in, const void *out, const void *qualify);
/* Must be called before vec_write if the next cycle is the first of another run, whose outputs do
 * not follow from the cycles before. Its compare bits are all 0. */
void vec_restart(struct vec_writer *w);
/* Ends the file and moves it to its path. Frees the writer. Returns 0, or -1 with a one-line
 * message in err. */
int vec_finish(struct vec_writer *w, struct error *err);
void vec_drop(struct vec_writer *w);

struct vec_reader;

/* Opens a file and reads its header. Returns NULL with the message "FILE:LINE: error" in err if
 * that fails. */
struct vec_reader *vec_open(const char *path, struct error *err);
const struct layout *vec_layout(const struct vec_reader *r);
/* Reads a cycle into zeroed structs of the block, and sets compare[i] to true if output port i is
 * compared. Returns 1, 0 after the last cycle, or -1 with "FILE:LINE: ..." in err. */
int vec_read(struct vec_reader *r, void *in, void *out, bool *compare, struct error *err);
/* Returns the last cycle's line, which has four hex fields, "INPUTS GIVEN OUTPUTS COMPARE". */
const char *vec_line(const struct vec_reader *r);
void vec_close(struct vec_reader *r);

#endif
