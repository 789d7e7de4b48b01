/* SPDX-License-Identifier: Apache-2.0 */
/* A trace named on a command line: its path, kernels and content hash. docs/use/traces.md lists
 * what may be named. */
#ifndef MEMTWIN_TRACE_LIST_H
#define MEMTWIN_TRACE_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "harness/hash.h"
#include "trace/input.h"
#include "trace/traceg.h"

#define TRACE_SKIPPED 3 /* skipped lines that are shown */

/* Contents of a kernelslist.g. */
struct trace_list {
    struct {
        char *name; /* owned; as in the list */
        uint64_t line;
    } * kernel; /* owned */
    size_t n_kernels;
    uint64_t copies, copy_bytes; /* MemcpyHtoD lines */
    uint64_t n_skipped;          /* lines that are not in the format; the first ones: */
    struct {
        uint64_t line;
        char text[48];
    } skipped[TRACE_SKIPPED];
};

/* Reads a list, up to the end of `in`. 0, or -1 with "file:line: reason" in err. */
int trace_list_read(struct trace_list *list, struct trace_input *in, char *err, size_t err_size);
void trace_list_free(struct trace_list *list);

/* A trace. Each of its kernels can be opened and begins with a header. */
struct trace {
    char *path;             /* as given, or the list of a given folder; owned */
    char *folder;           /* of the kernels, with its slash; owned */
    bool single;            /* `path` is a kernel, and the list was made for it */
    int spool;              /* unnamed copy of a pipe; -1: not a pipe */
    struct trace_list list; /* owned */
    uint64_t ctas;          /* of all kernels */
};

/* Finds a list, a kernel, or a list in a folder; "-" and pipes are read to their end. `warn` (may
 * be NULL) is called with some of the skipped lines and unmodelled features. 0, or -1 with one line
 * in err; call trace_free in both cases. */
int trace_find(struct trace *t, const char *path, void (*warn)(void *ctx, const char *line),
               void *ctx, char *err, size_t err_size);
void trace_free(struct trace *t);

/* Whether the file is the list or one of the kernels. */
bool trace_has(const struct trace *t, const char *path);
/* NULL with one line in err. */
struct traceg *trace_open_kernel(const struct trace *t, size_t i, char *err, size_t err_size);

/* Hash of the bytes of the list followed by those of its kernels' files, or of the single kernel's
 * file. 0, or -1 with one line in err. */
int trace_hash(const struct trace *t, char hash[HASH_SIZE], char *err, size_t err_size);

#endif
