// SPDX-License-Identifier: Apache-2.0
#include "trace/input.h"

#include <errno.h>
#include <fcntl.h>
#include <lzma.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TEXT_ROOM (256 * 1024) /* bytes of text held; above TRACE_LINE_MAX */
#define RAW_ROOM (64 * 1024)   /* bytes of an xz file held */
#define XZ_MEMORY (UINT64_C(128) << 20)

static const unsigned char xz_magic[6] = {0xfd, '7', 'z', 'X', 'Z', 0};

struct trace_input {
    char *name;
    int fd; /* -1: from memory */
    const uint8_t *memory;
    size_t memory_left;
    bool xz, raw_ended, ended;
    lzma_stream lzma;
    uint8_t *raw; /* owned; of an xz file */
    char *text;   /* owned; text[at..filled-1] is not yet handed out */
    size_t at, filled;
    uint64_t line, bytes;
    char error[128];
};

static void fail(struct trace_input *in, const char *what) {
    snprintf(in->error, sizeof in->error, "%s", what);
    in->ended = true;
}

/* Bytes of the file as it is. 0 at its end or on an error. */
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
        n = read(in->fd, to, room);
    while (n < 0 && errno == EINTR);
    if (n < 0)
        fail(in, strerror(errno));
    return n < 0 ? 0 : (size_t)n;
}

static const char *xz_error(lzma_ret ret) {
    switch (ret) {
    case LZMA_MEMLIMIT_ERROR:
        return "xz: needs more than 128 MiB to decompress";
    case LZMA_MEM_ERROR:
        return "out of memory";
    case LZMA_BUF_ERROR:
        return "xz: the file is cut off";
    case LZMA_FORMAT_ERROR:
        return "xz: not in xz format";
    case LZMA_OPTIONS_ERROR:
        return "xz: unsupported options";
    default:
        return "xz: the compressed data are damaged";
    }
}

/* Decompressed bytes. 0 at the end or on an error. */
static size_t read_xz(struct trace_input *in, void *to, size_t room) {
    lzma_stream *z = &in->lzma;
    z->next_out = to;
    z->avail_out = room;
    while (z->avail_out == room) {
        if (z->avail_in == 0 && !in->raw_ended) {
            z->next_in = in->raw;
            z->avail_in = read_raw(in, in->raw, RAW_ROOM);
            in->raw_ended = z->avail_in == 0;
            if (in->error[0])
                return 0;
        }
        lzma_ret ret = lzma_code(z, in->raw_ended ? LZMA_FINISH : LZMA_RUN);
        if (ret == LZMA_STREAM_END)
            break;
        if (ret != LZMA_OK) {
            fail(in, xz_error(ret));
            break;
        }
    }
    return room - z->avail_out;
}

/* Makes room and adds text. False if nothing came. */
static bool fill(struct trace_input *in) {
    if (in->ended)
        return false;
    memmove(in->text, in->text + in->at, in->filled - in->at);
    in->filled -= in->at;
    in->at = 0;
    size_t room = TEXT_ROOM - in->filled, n = 0;
    if (room)
        n = in->xz ? read_xz(in, in->text + in->filled, room)
                   : read_raw(in, in->text + in->filled, room);
    if (n == 0)
        in->ended = true;
    in->filled += n;
    in->bytes += n;
    return n > 0;
}

/* Reads the first bytes, and decides whether they are xz. */
static int begin(struct trace_input *in, char *err, size_t err_size) {
    lzma_ret ret = LZMA_OK;
    size_t n = 0, got = 0;
    while (n < sizeof xz_magic && (got = read_raw(in, in->raw + n, RAW_ROOM - n)) > 0)
        n += got;
    in->xz = n >= sizeof xz_magic && memcmp(in->raw, xz_magic, sizeof xz_magic) == 0;
    if (in->xz) {
        in->lzma.next_in = in->raw;
        in->lzma.avail_in = n;
        ret = lzma_stream_decoder(&in->lzma, XZ_MEMORY, LZMA_CONCATENATED);
    } else if (n) {
        memcpy(in->text, in->raw, n);
        in->filled = in->bytes = n;
    }
    size_t len = strlen(in->name);
    if (ret != LZMA_OK)
        fail(in, xz_error(ret));
    else if (!in->error[0] && !in->xz && len > 3 && strcmp(in->name + len - 3, ".xz") == 0)
        fail(in, "xz: not in xz format");
    if (!in->error[0])
        return 0;
    snprintf(err, err_size, "%s: %s", in->name, in->error);
    return -1;
}

static struct trace_input *input_new(const char *name, int fd, const void *data, size_t size,
                                     char *err, size_t err_size) {
    struct trace_input *in = calloc(1, sizeof *in);
    if (in) {
        in->fd = fd;
        in->memory = data;
        in->memory_left = size;
        in->lzma = (lzma_stream)LZMA_STREAM_INIT;
        in->name = strdup(name);
        in->raw = malloc(RAW_ROOM);
        in->text = malloc(TEXT_ROOM + 1);
    }
    if (!in || !in->name || !in->raw || !in->text) {
        snprintf(err, err_size, "%s: out of memory", name);
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

struct trace_input *trace_input_open(const char *path, char *err, size_t err_size) {
    struct stat st;
    /* Not to hang on a pipe without a writer. */
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0 || fstat(fd, &st) != 0) {
        snprintf(err, err_size, "%s: %s", path, strerror(errno));
        if (fd >= 0)
            close(fd);
        return NULL;
    }
    if (!S_ISREG(st.st_mode)) {
        snprintf(err, err_size, "%s: not a regular file", path);
        close(fd);
        return NULL;
    }
    return input_new(path, fd, NULL, 0, err, err_size);
}

struct trace_input *trace_input_memory(const char *name, const void *data, size_t size, char *err,
                                       size_t err_size) {
    return input_new(name, -1, data, size, err, err_size);
}

void trace_input_close(struct trace_input *in) {
    if (!in)
        return;
    lzma_end(&in->lzma);
    if (in->fd >= 0)
        close(in->fd);
    free(in->name);
    free(in->raw);
    free(in->text);
    free(in);
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

uint64_t trace_input_bytes(const struct trace_input *in) {
    return in->bytes;
}

const char *trace_input_name(const struct trace_input *in) {
    return in->name;
}

const char *trace_input_error(const struct trace_input *in) {
    return in->error[0] ? in->error : NULL;
}
