/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the text lines of a trace file, which is plain or compressed (trace/unpack.h). */
#ifndef MEMTWIN_TRACE_INPUT_H
#define MEMTWIN_TRACE_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/error.h"
#include "os/hash.h"

#define TRACE_LINE_MAX (64 * 1024) /* maximum size of a line in bytes */

struct trace_input;

/* Opens a regular file. Error messages call the file `name`. Returns NULL with one line in err on
 * error. */
struct trace_input *trace_input_open(const char *name, const char *path, struct error *err);
/* Opens a file or pipe for read_until_stop; "-" is standard input. Returns its descriptor, or -1
 * with errno on error. */
int trace_stream_open(const char *path);
/* Opens a file or pipe that is read once, until its end or a stop; "-" is standard input. Hashes
 * the bytes as they are read. */
struct trace_input *trace_input_stream(const char *path, struct error *err);
/* Computes the hash of the bytes read so far, which, after the last line, is the hash of the whole
 * stream. */
void trace_input_hash(const struct trace_input *in, char hash[HASH_SIZE]);
/* Opens the content of a file in memory. The caller owns the memory, which must outlive the input.
 * Error messages call the file `name`. */
struct trace_input *trace_input_memory(const char *name, const void *data, size_t size,
                                       struct error *err);
/* Opens the file of an input, which is not a stream, once more at its beginning. */
struct trace_input *trace_input_again(const struct trace_input *in, struct error *err);
void trace_input_close(struct trace_input *in);

/* Reads the next line, without its end (LF or CR LF) and without a byte order mark at the start of
 * the file. SCAN_AHEAD bytes after the line may be read (trace/scan.h), the first of which is not
 * part of a number or word. The line is valid until the next call. Returns false at the end of
 * the file or on an error (then trace_input_error is not NULL). */
bool trace_input_line(struct trace_input *in, const char **line, size_t *size);

/* Returns the number of the line read last, counted from 1. */
uint64_t trace_input_number(const struct trace_input *in);
/* Returns true if the line read last has no line feed because the file ends in that line. */
bool trace_input_cut(const struct trace_input *in);
/* Returns the number of bytes of text read so far. */
uint64_t trace_input_bytes(const struct trace_input *in);
const char *trace_input_name(const struct trace_input *in);
/* Returns the reason why reading stopped before the end, without file and line, or NULL if there
 * was no error. */
const char *trace_input_error(const struct trace_input *in);

#endif
