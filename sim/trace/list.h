/* SPDX-License-Identifier: Apache-2.0 */
/* Finds a trace that a command line names, with its path, kernels and content hash.
 * docs/use/traces.md lists the kinds of path. */
#ifndef MEMTWIN_TRACE_LIST_H
#define MEMTWIN_TRACE_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "os/hash.h"
#include "trace/input.h"
#include "trace/traceg.h"

#define TRACE_SKIPPED 3 /* maximum number of skipped lines that are shown */

/* Contents of a kernelslist.g. */
struct trace_list {
    struct {
        char *name; /* owned; name as written in the list */
        uint64_t line;
    } * kernel; /* owned */
    size_t n_kernels;
    uint64_t copies,    /* number of MemcpyHtoD lines */
        copy_bytes;     /* number of bytes that these lines copy */
    uint64_t n_skipped; /* number of lines with an unknown format; `skipped` has the first */
    struct {
        uint64_t line;
        char text[48];
    } skipped[TRACE_SKIPPED];
};

/* Reads a list, up to the end of `in`. Returns 0, or -1 with "file:line: reason" in err. */
int trace_list_read(struct trace_list *list, struct trace_input *in, struct error *err);
void trace_list_free(struct trace_list *list);

/* A trace. trace_find has checked that each kernel's file can be opened and begins with a
 * header. */
struct trace {
    char *path;             /* owned; path as given, or path of the list in the given folder */
    char *folder;           /* owned; folder of the kernels, with a trailing slash */
    bool single;            /* true if `path` is a single kernel and the list was made for it */
    int spool;              /* descriptor of the unnamed copy of a pipe; -1 if not a pipe */
    struct trace_list list; /* owned */
    uint64_t ctas;          /* total number of CTAs in all kernels */
    void (*warn)(void *ctx, const char *line); /* may be NULL */
    void *warn_ctx;                            /* not owned */
};

/* Finds a list, a kernel, or a list in a folder. Reads "-" and pipes to their end. Calls `warn`
 * (may be NULL) with the first skipped lines and unmodeled features, and stores it for what is odd
 * in a kernel's file. Returns 0, or -1 with one line in err; call trace_free in both cases. */
int trace_find(struct trace *t, const char *path, void (*warn)(void *ctx, const char *line),
               void *ctx, struct error *err);
void trace_free(struct trace *t);

/* Returns true if the file is the list or one of the kernels. */
bool trace_has(const struct trace *t, const char *path);
/* Opens kernel i of the list. Returns NULL with one line in err on error. */
struct traceg *trace_open_kernel(const struct trace *t, size_t i, struct error *err);

/* Hashes the bytes of the list followed by those of its kernels' files, or of the single kernel's
 * file. Returns 0, or -1 with one line in err. */
int trace_hash(const struct trace *t, char hash[HASH_SIZE], struct error *err);

#endif
