/* SPDX-License-Identifier: Apache-2.0 */
/* Finds a trace that a command line names, with its path, kernels and content hash.
 * docs/use/traces.md lists the kinds of path. */
#ifndef MEMTWIN_TRACE_LIST_H
#define MEMTWIN_TRACE_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/hash_map.h"
#include "os/hash.h"
#include "trace/input.h"
#include "trace/traceg.h"

#define TRACE_SKIPPED 3 /* maximum number of skipped lines that are shown */

/* Contents of a kernelslist.g. */
struct trace_list {
    struct trace_kernel {
        char *name;            /* owned; name as written in the list */
        uint64_t line, number; /* number: counted from 1 */
        size_t copies;         /* number of copies that the list has before the kernel */
        uint32_t regs;         /* registers per thread, if trace_how.check needed to count them */
        uint32_t stream;       /* index in the streams of the trace */
    } * kernel;                /* owned */
    size_t n_kernels;
    struct kernel_copy *copy; /* owned; of each MemcpyHtoD line */
    size_t copies;
    uint64_t copy_bytes, /* number of bytes that these lines copy */
        calls;           /* number of lines of other calls, such as cudaMalloc */
    uint64_t n_skipped;  /* number of lines with an unknown format; `skipped` has the first */
    struct {
        uint64_t line;
        char text[48];
    } skipped[TRACE_SKIPPED];
};

/* Reads a list, up to the end of `in`. Returns 0, or -1 with "file:line: reason" in err. */
int trace_list_read(struct trace_list *list, struct trace_input *in, struct error *err);
void trace_list_free(struct trace_list *list);

/* A kernel that was left out. */
struct trace_left_out {
    uint64_t number; /* in the list */
    char *why;       /* owned; "FILE:LINE: reason" */
};

/* An oddity of one kernel's file. */
struct trace_odd {
    size_t kernel; /* index in the list of the trace */
    bool sorted;   /* true if the line is that of a raw .trace after sorting */
    enum trace_oddity kind;
    struct traceg_odd count;
};

/* How a trace is found. All zero for all kernels, of which a bad one is an error, and no
 * warnings. */
struct trace_how {
    const char *kernels; /* choice of kernels (trace/choice.h); NULL for all */
    bool skip_bad;       /* leaves out kernels that cannot be opened .. */
    bool read_all;       /* .. or read to their end, which is tried */
    bool strict;         /* an oddity is an error, or makes a kernel bad */
    /* Checks that a kernel can be launched. Returns 0, or -1 with one line in err. May be NULL. */
    int (*check)(void *ctx, const struct kernel_launch *launch, struct error *err);
    void (*warn)(void *ctx, const char *line); /* may be NULL */
    void *ctx;                                 /* not owned; of both functions */
};

/* A trace. trace_find has checked that each kernel's file can be opened and begins with a
 * header. */
struct trace {
    char *path;             /* owned; path as given, or path of the list in the given folder */
    char *folder;           /* owned; folder of the kernels, with a trailing slash */
    bool single;            /* true if `path` is a single kernel and the list was made for it */
    int spool;              /* descriptor of the unnamed copy of a pipe; -1 if not a pipe */
    struct trace_list list; /* owned */
    bool strict;            /* true if an oddity is an error */
    bool ends_bad;          /* true if trace_find ended at a bad kernel */
    uint64_t ctas;          /* total number of CTAs in all kernels */
    uint64_t listed;        /* number of kernels before any was left out */
    uint64_t *stream;       /* owned; the CUDA streams of the kernels, in the order of their first
                               kernels */
    uint32_t n_streams;     /* 1 in most traces */
    struct hash_map by_stream;       /* maps a CUDA stream to its index */
    struct trace_left_out *left_out; /* owned; in the order in which they were found */
    size_t n_left_out;
    struct trace_odd *odd; /* owned; of the kernels that were read, in their order */
    uint32_t n_odd, odd_room;
};

/* Finds a list, a kernel, or a list in a folder. Reads "-" and pipes to their end. Calls `warn`
 * with the first skipped lines and unmodeled features. Returns 0, or -1 with one line in err; call
 * trace_free in both cases. */
int trace_find(struct trace *t, const char *path, const struct trace_how *how, struct error *err);
void trace_free(struct trace *t);

/* Adds a kernel that cannot be read to those that were left out. */
void trace_leave_out(struct trace *t, uint64_t number, const char *why);
/* Returns 0 if nothing was odd in the kernel's file so far, or -1 with one line in err. */
int trace_refuse_odd(const struct traceg *k, struct error *err);
/* Adds what was odd in the file of kernel i. */
void trace_add_odd(struct trace *t, size_t i, const struct traceg *k);
/* Calls `warn` once for each kind of oddity or unknown opcode, with its kernels. */
void trace_warn_odd(const struct trace *t, void (*warn)(void *ctx, const char *line), void *ctx);
/* Calls `warn` for up to `most` kernels that were left out, and once with their number. */
void trace_warn_left_out(const struct trace *t, size_t most,
                         void (*warn)(void *ctx, const char *line), void *ctx);
/* Returns the name of kernel i's file for messages. */
const char *trace_kernel_name(const struct trace *t, size_t i);
/* Makes the text about an oddity, such as "'FOO' is an unknown opcode, taken as arithmetic". */
void trace_odd_print(enum trace_oddity kind, const struct traceg_odd *odd, char *to, size_t size);
/* Reads the limit of a copy of a trace, in bytes: 4 GiB, or what the variable says. Returns 0, or
 * -1 with one line in err. */
#define TRACE_COPY_LIMIT "MEMTWIN_PIPE_MIB"
int trace_copy_limit(uint64_t *limit, struct error *err);

/* Returns true if the file is the list or one of the kernels. */
bool trace_has(const struct trace *t, const char *path);
/* Opens kernel i of the list. Returns NULL with one line in err on error. */
struct traceg *trace_open_kernel(const struct trace *t, size_t i, struct error *err);

/* Hashes the bytes of the list followed by those of its kernels' files, or of the single kernel's
 * file. Returns 0, or -1 with one line in err. */
int trace_hash(const struct trace *t, char hash[HASH_SIZE], struct error *err);

#endif
