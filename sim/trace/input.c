// SPDX-License-Identifier: Apache-2.0
#include "trace/input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/alloc.h"
#include "os/interrupt.h"
#include "trace/scan.h"
#include "trace/tracez.h"
#include "trace/unpack.h"

#define TEXT_ROOM (256 * 1024) /* size of the text buffer in bytes; more than TRACE_LINE_MAX */
#define RAW_ROOM (64 * 1024)   /* size of the buffer for a compressed file in bytes */

struct trace_input {
    char *name;
    int fd; /* -1 if the file is in memory */
    const uint8_t *memory;
    size_t memory_left, memory_size;
    bool ended;
    struct unpack *unpack;     /* owned; NULL if the file is not compressed as a whole */
    struct tracez *tracez;     /* owned; NULL if the file is not a .tracez */
    struct hash *hash;         /* owned; hash of the bytes read; NULL if not computed */
    struct unpack_piece piece; /* part of raw that is not yet unpacked */
    uint8_t *raw;              /* owned; bytes of a compressed file */
    char *text;                /* owned; text[begin..filled-1] has not been returned yet */
    size_t begin, filled;
    uint64_t line, bytes;
    bool cut; /* true if the line read last has no line feed because the file ends in that line */
    char error[128];
};

static void fail_input(struct trace_input *in, const char *what) {
    snprintf(in->error, sizeof in->error, "%s", what);
    in->ended = true;
}

/* Reads bytes of the file. Returns 0 at its end or on an error. */
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
        fail_input(in, read_error(errno));
    if (n > 0 && in->hash)
        hash_add(in->hash, to, (size_t)n);
    return n < 0 ? 0 : (size_t)n;
}

/* Reads decompressed bytes. Returns 0 at the end or on an error. */
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
        fail_input(in, error);
    return room - p->out_left;
}

/* Reads text of a .tracez file. Returns 0 at the end or on an error. */
static size_t read_tracez(struct trace_input *in, void *to, size_t room) {
    const char *error = NULL;
    const size_t n = tracez_read(in->tracez, to, room, &error);
    if (error)
        fail_input(in, error);
    return n;
}

/* Makes room and reads more text. Returns false if there is no more text. */
static bool fill_buffer(struct trace_input *in) {
    if (in->ended)
        return false;
    memmove(in->text, in->text + in->begin, in->filled - in->begin);
    in->filled -= in->begin;
    in->begin = 0;
    size_t room = TEXT_ROOM - in->filled, n = 0;
    if (room)
        n = in->tracez   ? read_tracez(in, in->text + in->filled, room)
            : in->unpack ? read_packed(in, in->text + in->filled, room)
                         : read_raw(in, in->text + in->filled, room);
    if (n == 0)
        in->ended = true;
    in->filled += n;
    in->bytes += n;
    return n > 0;
}

/* Reads the first bytes and detects compression. */
static int begin_file(struct trace_input *in, struct error *err) {
    char what[64];
    size_t n = 0, got = 0;
    while (n < UNPACK_MAGIC && (got = read_raw(in, in->raw + n, RAW_ROOM - n)) > 0)
        n += got;
    const enum unpack_kind kind = unpack_kind_of(in->raw, n), named = unpack_kind_named(in->name);
    if (!in->error[0] && !in->hash && tracez_is(in->name, in->raw, n)) {
        const char *error = NULL;
        const uint8_t *begin = in->fd < 0 ? in->memory - n : NULL;
        in->tracez = tracez_open(in->fd, begin, n + in->memory_left, &error);
        if (error)
            fail_input(in, error);
    } else if (kind) {
        in->piece = (struct unpack_piece){.in = in->raw, .in_left = n};
        in->unpack = unpack_new(kind);
    } else if (n) {
        memcpy(in->text, in->raw, n);
        in->filled = in->bytes = n;
    }
    if (!in->error[0] && !kind && named) {
        snprintf(what, sizeof what, "%s: the file is not in %s format", unpack_name(named),
                 unpack_name(named));
        fail_input(in, what);
    }
    if (!in->error[0])
        return 0;
    return error_set(err, "%s: %s", in->name, in->error);
}

/* Makes an input that owns fd. */
static struct trace_input *input_new(const char *name, int fd, const void *data, size_t size,
                                     bool hashed, struct error *err) {
    struct trace_input *in = alloc_zeroed(1, sizeof *in);
    in->fd = fd;
    in->memory = data;
    in->memory_left = in->memory_size = size;
    in->name = alloc_text(name);
    in->raw = alloc_bytes(RAW_ROOM);
    in->text = alloc_zeroed(TEXT_ROOM + 1 + SCAN_AHEAD, 1);
    in->hash = hashed ? hash_new() : NULL;
    if (begin_file(in, err) != 0) {
        trace_input_close(in);
        return NULL;
    }
    return in;
}

struct trace_input *trace_input_open(const char *name, const char *path, struct error *err) {
    struct stat st;
    /* O_NONBLOCK avoids hanging on a pipe without a writer. */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0 || fstat(fd, &st) != 0) {
        error_set(err, "%s: %s", name, strerror(errno));
        if (fd >= 0)
            close(fd);
        return NULL;
    }
    if (!S_ISREG(st.st_mode)) {
        error_set(err, "%s: not a regular file", name);
        close(fd);
        return NULL;
    }
    return input_new(name, fd, NULL, 0, false, err);
}

int trace_stream_open(const char *path) {
    /* read_until_stop waits for a pipe's data, and a stop ends its wait. */
    return strcmp(path, "-") == 0 ? fcntl(0, F_DUPFD_CLOEXEC, 0)
                                  : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
}

struct trace_input *trace_input_stream(const char *path, struct error *err) {
    int fd = trace_stream_open(path);
    if (fd >= 0)
        return input_new(path, fd, NULL, 0, true, err);
    error_set(err, "%s: %s", path, strerror(errno));
    return NULL;
}

struct trace_input *trace_input_memory(const char *name, const void *data, size_t size,
                                       struct error *err) {
    return input_new(name, -1, data, size, false, err);
}

struct trace_input *trace_input_again(const struct trace_input *in, struct error *err) {
    char link[32];
    if (in->fd < 0)
        return trace_input_memory(in->name, in->memory - (in->memory_size - in->memory_left),
                                  in->memory_size, err);
    snprintf(link, sizeof link, "/proc/self/fd/%d", in->fd);
    return trace_input_open(in->name, link, err);
}

void trace_input_close(struct trace_input *in) {
    if (!in)
        return;
    unpack_free(in->unpack);
    tracez_close(in->tracez);
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
    size_t seen = 0; /* number of bytes in which no line feed was found */
    if (in->error[0])
        return false;
    for (;;) {
        const char *from = in->text + in->begin + seen;
        if (in->filled - in->begin > seen)
            end = memchr(from, '\n', in->filled - in->begin - seen);
        if (end)
            break;
        seen = in->filled - in->begin;
        if (seen > TRACE_LINE_MAX || !fill_buffer(in))
            break;
    }
    if (in->error[0])
        return false;
    if (!end) { /* the last line may have no line feed */
        if (in->begin == in->filled)
            return false;
        end = in->text + in->filled;
        in->text[in->filled] = '\n';
        in->cut = true;
    }
    if (!in->line++ && end - (in->text + in->begin) >= 3 &&
        memcmp(in->text + in->begin, "\xef\xbb\xbf", 3) == 0)
        in->begin += 3; /* a byte order mark */
    *line = in->text + in->begin;
    *size = (size_t)(end - *line);
    if (*size > TRACE_LINE_MAX) {
        fail_input(in, "line of more than 65536 bytes");
        return false;
    }
    in->begin += *size + (end < in->text + in->filled);
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
