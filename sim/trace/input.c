// SPDX-License-Identifier: Apache-2.0
#include "trace/input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "harness/interrupt.h"
#include "lib/message.h"
#include "trace/unpack.h"

#define TEXT_ROOM (256 * 1024) /* bytes of text held; above TRACE_LINE_MAX */
#define RAW_ROOM (64 * 1024)   /* bytes of a compressed file held */

struct trace_input {
    char *name;
    int fd; /* -1: from memory */
    const uint8_t *memory;
    size_t memory_left;
    bool ended;
    struct unpack *unpack;     /* owned; NULL: plain text */
    struct hash *hash;         /* owned; of the bytes read; NULL: not computed */
    struct unpack_piece piece; /* of raw, not yet unpacked */
    uint8_t *raw;              /* owned; of a compressed file */
    char *text;                /* owned; text[at..filled-1] is not yet handed out */
    size_t at, filled;
    uint64_t line, bytes;
    bool cut; /* the last line returned lacks its line feed: the file ends in it */
    char error[128];
};

static void fail(struct trace_input *in, const char *what) {
    snprintf(in->error, sizeof in->error, "%s", what);
    in->ended = true;
}

/* Reads bytes of the file. 0 at its end or on an error. */
static size_t read_raw(struct trace_input *in, void *to, size_t room) {
    if (in->fd < 0) {
        size_t n = in->memory_left < room ? in->memory_left : room;
        if (n)
            memcpy(to, in->memory, n);
        in->memory += n;
        in->memory_left -= n;
        return n;
    }
    ssize_t n;
    do
        n = in->hash ? read_until_stop(in->fd, to, room) : read(in->fd, to, room);
    while (n < 0 && errno == EINTR && !in->hash);
    if (n < 0)
        fail(in, read_error(errno));
    if (n > 0 && in->hash)
        hash_add(in->hash, to, (size_t)n);
    return n < 0 ? 0 : (size_t)n;
}

/* Reads decompressed bytes. 0 at the end or on an error. */
static size_t read_packed(struct trace_input *in, void *to, size_t room) {
    struct unpack_piece *p = &in->piece;
    const char *error = NULL;
    bool more = true;
    p->out = to;
    p->out_left = room;
    while (more && p->out_left == room) {
        if (p->in_left == 0 && !p->last) {
            p->in = in->raw;
            p->in_left = read_raw(in, in->raw, RAW_ROOM);
            p->last = p->in_left == 0;
            if (in->error[0])
                return 0;
        }
        more = unpack_step(in->unpack, p, &error);
    }
    if (error)
        fail(in, error);
    return room - p->out_left;
}

/* Makes room and reads more text. False if there is none. */
static bool fill(struct trace_input *in) {
    if (in->ended)
        return false;
    memmove(in->text, in->text + in->at, in->filled - in->at);
    in->filled -= in->at;
    in->at = 0;
    size_t room = TEXT_ROOM - in->filled, n = 0;
    if (room)
        n = in->unpack ? read_packed(in, in->text + in->filled, room)
                       : read_raw(in, in->text + in->filled, room);
    if (n == 0)
        in->ended = true;
    in->filled += n;
    in->bytes += n;
    return n > 0;
}

/* Reads the first bytes and detects compression. */
static int begin(struct trace_input *in, char *err, size_t err_size) {
    char what[64];
    size_t n = 0, got = 0;
    while (n < UNPACK_MAGIC && (got = read_raw(in, in->raw + n, RAW_ROOM - n)) > 0)
        n += got;
    const enum unpack_kind kind = unpack_kind_of(in->raw, n), named = unpack_kind_named(in->name);
    if (kind) {
        in->piece = (struct unpack_piece){.in = in->raw, .in_left = n};
        if (!(in->unpack = unpack_new(kind)))
            fail(in, "out of memory");
    } else if (n) {
        memcpy(in->text, in->raw, n);
        in->filled = in->bytes = n;
    }
    if (!in->error[0] && !kind && named) {
        snprintf(what, sizeof what, "%s: not in %s format", unpack_name(named), unpack_name(named));
        fail(in, what);
    }
    if (!in->error[0])
        return 0;
    message_print(err, err_size, "%s: %s", in->name, in->error);
    return -1;
}

/* Makes an input that owns fd. */
static struct trace_input *input_new(const char *name, int fd, const void *data, size_t size,
                                     bool hashed, char *err, size_t err_size) {
    struct trace_input *in = calloc(1, sizeof *in);
    if (in) {
        in->fd = fd;
        in->memory = data;
        in->memory_left = size;
        in->name = strdup(name);
        in->raw = malloc(RAW_ROOM);
        in->text = malloc(TEXT_ROOM + 1);
        in->hash = hashed ? hash_new() : NULL;
    }
    if (!in || !in->name || !in->raw || !in->text || (hashed && !in->hash)) {
        message_print(err, err_size, "%s: out of memory", name);
        if (!in && fd >= 0)
            close(fd);
        trace_input_close(in);
        return NULL;
    }
    if (begin(in, err, err_size) != 0) {
        trace_input_close(in);
        return NULL;
    }
    return in;
}

struct trace_input *trace_input_open(const char *name, const char *path, char *err,
                                     size_t err_size) {
    struct stat st;
    /* Do not hang on a pipe without a writer. */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0 || fstat(fd, &st) != 0) {
        message_print(err, err_size, "%s: %s", name, strerror(errno));
        if (fd >= 0)
            close(fd);
        return NULL;
    }
    if (!S_ISREG(st.st_mode)) {
        message_print(err, err_size, "%s: not a regular file", name);
        close(fd);
        return NULL;
    }
    return input_new(name, fd, NULL, 0, false, err, err_size);
}

int trace_stream_open(const char *path) {
    /* Waiting for a pipe is left to reading, which a stop can end. */
    return strcmp(path, "-") == 0 ? fcntl(0, F_DUPFD_CLOEXEC, 0)
                                  : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
}

struct trace_input *trace_input_stream(const char *path, char *err, size_t err_size) {
    int fd = trace_stream_open(path);
    if (fd >= 0)
        return input_new(path, fd, NULL, 0, true, err, err_size);
    message_print(err, err_size, "%s: %s", path, strerror(errno));
    return NULL;
}

struct trace_input *trace_input_memory(const char *name, const void *data, size_t size, char *err,
                                       size_t err_size) {
    return input_new(name, -1, data, size, false, err, err_size);
}

void trace_input_close(struct trace_input *in) {
    if (!in)
        return;
    unpack_free(in->unpack);
    hash_free(in->hash);
    if (in->fd >= 0)
        close(in->fd);
    free(in->name);
    free(in->raw);
    free(in->text);
    free(in);
}

void trace_input_hash(const struct trace_input *in, char hash[HASH_SIZE]) {
    hash_digits(in->hash, hash);
}

bool trace_input_line(struct trace_input *in, const char **line, size_t *size) {
    const char *end = NULL;
    size_t seen = 0; /* bytes without a line feed */
    if (in->error[0])
        return false;
    for (;;) {
        const char *from = in->text + in->at + seen;
        if (in->filled - in->at > seen)
            end = memchr(from, '\n', in->filled - in->at - seen);
        if (end)
            break;
        seen = in->filled - in->at;
        if (seen > TRACE_LINE_MAX || !fill(in))
            break;
    }
    if (in->error[0])
        return false;
    if (!end) { /* the last line may lack its line feed */
        if (in->at == in->filled)
            return false;
        end = in->text + in->filled;
        in->text[in->filled] = '\n';
        in->cut = true;
    }
    in->line++;
    *line = in->text + in->at;
    *size = (size_t)(end - *line);
    if (*size > TRACE_LINE_MAX) {
        fail(in, "line of more than 65536 bytes");
        return false;
    }
    in->at += *size + (end < in->text + in->filled);
    if (*size && (*line)[*size - 1] == '\r')
        --*size;
    return true;
}

uint64_t trace_input_number(const struct trace_input *in) {
    return in->line;
}

bool trace_input_cut(const struct trace_input *in) {
    return in->cut;
}

uint64_t trace_input_bytes(const struct trace_input *in) {
    return in->bytes;
}

const char *trace_input_name(const struct trace_input *in) {
    return in->name;
}

const char *trace_input_error(const struct trace_input *in) {
    return in->error[0] ? in->error : NULL;
}
