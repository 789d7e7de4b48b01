/* SPDX-License-Identifier: Apache-2.0 */
/* A file that is written as it is or through xz. */
#ifndef MEMTWIN_TRACE_OUTPUT_H
#define MEMTWIN_TRACE_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct trace_output;

/* Creates the file, or truncates it. Returns NULL with one line in err if it cannot. */
struct trace_output *trace_output_open(const char *path, bool xz, char *err, size_t err_size);
/* Errors are kept until the end. */
void trace_output_write(struct trace_output *out, const void *data, size_t size);
/* Returns 0, or -1 with one line in err if anything could not be written. `*bytes` (may be NULL):
 * of text that went in. */
int trace_output_close(struct trace_output *out, uint64_t *bytes, char *err, size_t err_size);

#endif
