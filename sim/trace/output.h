/* SPDX-License-Identifier: Apache-2.0 */
/* Writes an output file, plain or compressed with xz. */
#ifndef MEMTWIN_TRACE_OUTPUT_H
#define MEMTWIN_TRACE_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/error.h"

struct trace_output;

/* Creates the file. Messages call it `shown`. Returns NULL with one line in err on error. */
struct trace_output *trace_output_open(const char *path, const char *shown, bool xz,
                                       struct error *err);
/* Writes data. trace_output_close reports errors. */
void trace_output_write(struct trace_output *out, const void *data, size_t size);
/* Closes the file. Sets *bytes (may be NULL) to the number of bytes of text written, before
 * compression. Returns 0, or -1 with one line in err if any write failed. */
int trace_output_close(struct trace_output *out, uint64_t *bytes, struct error *err);

#endif
