/* SPDX-License-Identifier: Apache-2.0 */
/* Text lines of a trace file: plain, or compressed (trace/unpack.h). */
#ifndef MEMTWIN_TRACE_INPUT_H
#define MEMTWIN_TRACE_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/hash.h"

#define TRACE_LINE_MAX (64 * 1024) /* bytes of a line */

struct trace_input;

/* Opens a regular file, which errors call `name`. NULL with one line in err. */
struct trace_input *trace_input_open(const char *name, const char *path, char *err,
                                     size_t err_size);
/* Opens a descriptor for read_until_stop; "-" is standard input. -1 with errno. */
int trace_stream_open(const char *path);
/* Opens a file or pipe that is read once, until its end or a stop; "-" is standard input. The bytes
 * are hashed as they are read. */
struct trace_input *trace_input_stream(const char *path, char *err, size_t err_size);
/* Hash of the bytes read so far; of the whole stream after the last line. */
void trace_input_hash(const struct trace_input *in, char hash[HASH_SIZE]);
/* The same content from memory, which stays the caller's and must outlive the input; `name` stands
 * for the path in errors. */
struct trace_input *trace_input_memory(const char *name, const void *data, size_t size, char *err,
                                       size_t err_size);
void trace_input_close(struct trace_input *in);

/* Reads the next line, without its end (LF or CR LF). The byte after it may be read and belongs to
 * no number or word. The line is valid until the next call. False at the end of the file or on an
 * error (then trace_input_error is not NULL). */
bool trace_input_line(struct trace_input *in, const char **line, size_t *size);

/* Number of the line read last, from 1. */
uint64_t trace_input_number(const struct trace_input *in);
/* Whether the last line returned lacks its line feed because the file ends in it. */
bool trace_input_cut(const struct trace_input *in);
/* Bytes of text read so far. */
uint64_t trace_input_bytes(const struct trace_input *in);
const char *trace_input_name(const struct trace_input *in);
/* Why reading stopped before the end, without file and line; NULL: no error. */
const char *trace_input_error(const struct trace_input *in);

#endif
