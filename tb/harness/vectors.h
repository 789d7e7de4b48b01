/* SPDX-License-Identifier: Apache-2.0 */
/* Vector files: the inputs and outputs of one block, cycle by cycle, as text (docs/use/harness.md
 * has the format). A file that lacks its end marker, or whose count differs, is an error: a
 * truncated file never passes. */
#ifndef MEMTWIN_HARNESS_VECTORS_H
#define MEMTWIN_HARNESS_VECTORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/layout.h"

#define VECTORS_MAGIC "memtwin-vectors 2"

struct vec_writer;

/* NULL with one line in err. The file appears with vec_finish. */
struct vec_writer *vec_create(const char *path, const struct layout *l, char *err, size_t err_size);
/* One cycle. `qualify` is the struct on which the qualifiers are evaluated (`out`, unless a fault
 * has been planted into `out`). The given and compare bits are the qualifiers of inputs and
 * outputs; the compare bits are all 0 in cycle 0, before the first clock edge. */
void vec_write(struct vec_writer *w, const void *in, const void *out, const void *qualify);
/* Ends the file and moves it to its place. Frees the writer. Returns 0, or -1 with one line in err.
 */
int vec_finish(struct vec_writer *w, char *err, size_t err_size);
void vec_drop(struct vec_writer *w);

struct vec_reader;

/* Opens a file and reads its header. NULL with one line "FILE:LINE: what is wrong" in err. */
struct vec_reader *vec_open(const char *path, char *err, size_t err_size);
const struct layout *vec_layout(const struct vec_reader *r);
/* Reads a cycle into zeroed structs of the block; compare[i] says whether output port i is
 * compared. Returns 1, 0 after the last cycle, or -1 with "FILE:LINE: ..." in err. */
int vec_read(struct vec_reader *r, void *in, void *out, bool *compare, char *err, size_t err_size);
/* The last cycle as its four hex fields, "INPUTS GIVEN OUTPUTS COMPARE". */
const char *vec_line(const struct vec_reader *r);
void vec_close(struct vec_reader *r);

#endif
