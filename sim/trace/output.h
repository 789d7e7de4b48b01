/* SPDX-License-Identifier: Apache-2.0 */
/* An output file, plain or compressed by xz. */
#ifndef MEMTWIN_TRACE_OUTPUT_H
#define MEMTWIN_TRACE_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct trace_output;

/* Creates the file, or truncates it. Returns NULL with one line in err if it cannot. */
struct trace_output *trace_output_open(const char *path, bool xz, char *err, size_t err_size);
/* Writes data. Errors are reported by trace_output_close. */
void trace_output_write(struct trace_output *out, const void *data, size_t size);
/* Closes the file. Returns 0, or -1 with one line in err if any write failed. `*bytes` (may be
 * NULL): bytes of text written, before compression. */
int trace_output_close(struct trace_output *out, uint64_t *bytes, char *err, size_t err_size);

#endif
