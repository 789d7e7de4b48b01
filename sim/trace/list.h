/* SPDX-License-Identifier: Apache-2.0 */
/* A trace as it is named on a command line: where it is, which kernels it has, and its content
 * hash. docs/use/traces.md says what may be named. */
#ifndef MEMTWIN_TRACE_LIST_H
#define MEMTWIN_TRACE_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/hash.h"
#include "trace/input.h"
#include "trace/traceg.h"

#define TRACE_SKIPPED 3 /* lines of which there is more than their number to say */

/* What a kernelslist.g says. */
struct trace_list {
    struct {
        char *name; /* owned; as it stands there */
        uint64_t line;
    } * kernel; /* owned */
    size_t n_kernels;
    uint64_t copies, copy_bytes; /* MemcpyHtoD lines */
    uint64_t n_skipped;          /* lines that are none of the format; the first: */
    struct {
        uint64_t line;
        char text[48];
    } skipped[TRACE_SKIPPED];
};

/* Reads a list, up to the end of `in`. 0, or -1 with "file:line: reason" in err. */
int trace_list_read(struct trace_list *list, struct trace_input *in, char *err, size_t err_size);
void trace_list_free(struct trace_list *list);

/* A trace that was found: each of its kernels can be opened and begins with a header. */
struct trace {
    char *path;             /* as given, of a folder its list; owned */
    char *folder;           /* of the kernels, with its slash; owned */
    bool single;            /* `path` is a kernel, and the list was made for it */
    int spool;              /* what came through a pipe, in a file without a name; -1: did not */
    struct trace_list list; /* owned */
    uint64_t ctas;          /* of all kernels */
};

/* Finds a list, a kernel, or a list in a folder; "-" and pipes are read to their end. `warn` (may
 * be NULL) gets some lines of what is skipped and not modelled. 0, or -1 with one line in err;
 * trace_free is for both. */
int trace_find(struct trace *t, const char *path, void (*warn)(void *ctx, const char *line),
               void *ctx, char *err, size_t err_size);
void trace_free(struct trace *t);

/* Is that file the list, or one of the kernels? */
bool trace_has(const struct trace *t, const char *path);
/* NULL with one line in err. */
struct traceg *trace_open_kernel(const struct trace *t, size_t i, char *err, size_t err_size);

/* Hash of the bytes of the list and of its kernels' files, one after the other; of a kernel that
 * was named, of that file. 0, or -1 with one line in err. */
int trace_hash(const struct trace *t, char hash[HASH_SIZE], char *err, size_t err_size);

#endif
