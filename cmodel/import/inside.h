/* SPDX-License-Identifier: Apache-2.0 */
/* Internal interface of the import room: the options' values, and the keys made from them. */
#ifndef MEMTWIN_IMPORT_INSIDE_H
#define MEMTWIN_IMPORT_INSIDE_H

#include <stdint.h>

#include "import/import.h"

/* Reads an option file, and a file of the crossbar's network ("key = value;"). Record the first
 * error. */
void import_options(struct import *m, const char *path);
struct import_network {
    int64_t input_buffer, vc_buffer, ejection_buffer, boundary_buffer, speedup;
};
void import_network(struct import *m, struct import_network *n);

/* Opens a file and adds its path to m->path. Returns NULL with a recorded error if it cannot. */
FILE *import_open(struct import *m, const char *path);

/* Sets the keys of each part from the options, and records the losses. */
void import_map(struct import *m);

/* Records the first error, at the option's file and line. */
__attribute__((format(printf, 3, 4))) void
import_fail(struct import *m, const struct import_option *o, const char *fmt, ...);
/* Records that an option asks for what MemTwin does not have. */
__attribute__((format(printf, 3, 4))) void
import_lose(struct import *m, const struct import_option *o, const char *fmt, ...);

#endif
