// SPDX-License-Identifier: Apache-2.0
#include "trace/tracez.h"

#include <endian.h>
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

#include "lib/alloc.h"

#define HEADER_MAX (1u << 20)           /* bytes of a header, of which a name may have 64 KiB */
#define PIECE_MAX (UINT64_C(128) << 20) /* bytes of a dictionary or a piece, packed or not */
#define BLOCK_WORDS 11                  /* numbers of a block in the index */
#define ENDED "the file is cut off"

/* Part of the text that comes next. */
enum part { PART_BLOCK, PART_WARP, PART_PIECE };

struct tracez {
    int fd;              /* not owned; -1 if the file is in memory */
    const uint8_t *data; /* not owned */
    uint64_t size;
    enum part next;
    uint64_t index;                 /* offset of what follows in the index */
    uint64_t piece;                 /* offset of the next piece of the warp */
    uint32_t blocks, warps, pieces; /* numbers that are left in the file, block and warp */
    uint32_t warp;                  /* index of the next warp in the block */
    char *text;                     /* owned; text[used..filled-1] has not been returned yet */
    size_t room, used, filled;
    uint8_t *packed; /* owned */
    size_t packed_room;
    ZSTD_DCtx *context;     /* owned */
    ZSTD_DDict *dictionary; /* owned; NULL if there is none */
    const char *error;      /* NULL if none */
};

bool tracez_is(const char *name, const uint8_t *first, size_t n) {
    static const char suffix[] = ".tracez";
    const size_t len = strlen(name);
    if (len >= sizeof suffix && strcmp(name + len - (sizeof suffix - 1), suffix) == 0)
        return true;
    const uint8_t *zero = n && *first == '-' ? memchr(first, '\0', n) : NULL;
    return zero && !memmem(first, (size_t)(zero - first), "#BEGIN_TB", 9);
}

static bool fail(struct tracez *z, const char *why) {
    if (!z->error)
        z->error = why;
    return false;
}

/* ---- Bytes ---- */

static bool read_bytes(struct tracez *z, uint64_t offset, void *to, size_t n) {
    if (offset > z->size || n > z->size - offset)
        return fail(z, ENDED);
    if (z->fd < 0) {
        memcpy(to, z->data + offset, n);
        return true;
    }
    for (size_t done = 0; done < n;) {
        const ssize_t got = pread(z->fd, (char *)to + done, n - done, (off_t)(offset + done));
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return fail(z, got < 0 ? strerror(errno) : ENDED);
        done += (size_t)got;
    }
    return true;
}

/* Reads n 32-bit numbers at *offset and advances it. */
static bool read_words(struct tracez *z, uint64_t *offset, uint32_t *word, unsigned n) {
    if (!read_bytes(z, *offset, word, n * sizeof *word))
        return false;
    for (unsigned i = 0; i < n; i++)
        word[i] = le32toh(word[i]);
    *offset += n * sizeof *word;
    return true;
}

static void reserve_text(struct tracez *z, size_t n) {
    z->text = alloc_reserved(z->text, &z->room, n, 1);
}

/* ---- Opening ---- */

/* Reads the text before the first zero byte, and sets *after to the offset behind that byte. */
static bool read_header(struct tracez *z, uint64_t *after) {
    const size_t n = z->size < HEADER_MAX ? (size_t)z->size : HEADER_MAX;
    reserve_text(z, n + 3);
    if (!read_bytes(z, 0, z->text, n))
        return false;
    const char *end = memchr(z->text, '\0', n);
    if (!end || z->text[0] != '-')
        return fail(z, "the file is not in .tracez format: it does not begin with a kernel's "
                       "header and a zero byte");
    *after = (uint64_t)(end - z->text) + 1;
    z->filled = (size_t)*after - 1;
    memcpy(z->text + z->filled, "\n#\n", 3);
    z->filled += 3;
    return true;
}

static bool read_dictionary(struct tracez *z, uint64_t offset) {
    uint32_t size[2];
    if (!read_words(z, &offset, size, 2))
        return false;
    if (size[0] > PIECE_MAX)
        return fail(z, "a dictionary of more than 128 MiB");
    if (!size[0])
        return true;
    z->packed = alloc_reserved(z->packed, &z->packed_room, size[0], 1);
    if (!read_bytes(z, offset, z->packed, size[0]))
        return false;
    z->dictionary = ZSTD_createDDict(z->packed, size[0]);
    return z->dictionary || fail(z, "the dictionary is damaged");
}

static bool read_index(struct tracez *z) {
    uint64_t offset;
    if (z->size < sizeof offset)
        return fail(z, ENDED);
    if (!read_bytes(z, z->size - sizeof offset, &offset, sizeof offset))
        return false;
    z->index = le64toh(offset);
    return read_words(z, &z->index, &z->blocks, 1);
}

struct tracez *tracez_open(int fd, const uint8_t *data, size_t size, const char **error) {
    struct tracez *z = alloc_zeroed(1, sizeof *z);
    struct stat st;
    uint64_t after = 0;
    z->fd = fd;
    z->data = data;
    z->size = size;
    z->context = ZSTD_createDCtx();
    if (!z->context)
        alloc_fail(0);
    if (fd >= 0 && fstat(fd, &st))
        fail(z, strerror(errno));
    else if (fd >= 0)
        z->size = (uint64_t)st.st_size;
    if (!z->error && read_header(z, &after) && read_dictionary(z, after) && read_index(z)) {
        z->next = PART_BLOCK;
        return z;
    }
    *error = z->error;
    tracez_close(z);
    return NULL;
}

void tracez_close(struct tracez *z) {
    if (!z)
        return;
    ZSTD_freeDCtx(z->context);
    ZSTD_freeDDict(z->dictionary);
    free(z->text);
    free(z->packed);
    free(z);
}

/* ---- Text ---- */

__attribute__((format(printf, 2, 3))) static void put_text(struct tracez *z, const char *format,
                                                           ...);

static void put_text(struct tracez *z, const char *format, ...) {
    va_list args;
    reserve_text(z, 128);
    va_start(args, format);
    z->filled = (size_t)vsnprintf(z->text, 128, format, args);
    va_end(args);
}

/* Makes the lines that begin a block, or nothing after the last one. */
static bool put_block(struct tracez *z) {
    uint32_t word[BLOCK_WORDS];
    if (!z->blocks) /* the offset of the index follows it, and ends the file */
        return z->index + sizeof z->index != z->size && fail(z, "the index is damaged");
    if (!read_words(z, &z->index, word, BLOCK_WORDS))
        return false;
    z->blocks--;
    z->warp = 0;
    z->warps = word[BLOCK_WORDS - 1];
    z->next = PART_WARP;
    put_text(z, "#BEGIN_TB\nthread block = %" PRIu32 ",%" PRIu32 ",%" PRIu32 "\n", word[0], word[1],
             word[2]);
    return true;
}

/* Makes the lines that begin a warp, or those that end the block. */
static bool put_warp(struct tracez *z) {
    uint32_t count[2], head[2];
    uint64_t offset;
    if (z->warp == z->warps) {
        z->next = PART_BLOCK;
        put_text(z, "#END_TB\n");
        return true;
    }
    if (!read_words(z, &z->index, count, 2) || !read_bytes(z, z->index, &offset, sizeof offset))
        return false;
    z->index += sizeof offset + (uint64_t)count[1] * sizeof count[1];
    z->piece = le64toh(offset);
    z->pieces = count[1];
    if (z->pieces && !read_words(z, &z->piece, head, 2))
        return false;
    z->next = z->pieces ? PART_PIECE : PART_WARP;
    put_text(z, "warp = %" PRIu32 "\ninsts = %" PRIu32 "\n", z->warp++, count[0]);
    return true;
}

/* Unpacks a piece of a warp's lines. */
static bool put_piece(struct tracez *z) {
    uint32_t packed;
    if (!read_words(z, &z->piece, &packed, 1))
        return false;
    if (packed > PIECE_MAX)
        return fail(z, "a piece of more than 128 MiB");
    z->packed = alloc_reserved(z->packed, &z->packed_room, packed, 1);
    if (!read_bytes(z, z->piece, z->packed, packed))
        return false;
    z->piece += packed;
    const unsigned long long size = ZSTD_getFrameContentSize(z->packed, packed);
    if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN)
        return fail(z, "a piece is damaged");
    if (size > PIECE_MAX)
        return fail(z, "a piece of more than 128 MiB");
    reserve_text(z, (size_t)size + 1);
    z->filled = ZSTD_decompress_usingDDict(z->context, z->text, (size_t)size, z->packed, packed,
                                           z->dictionary);
    if (ZSTD_isError(z->filled))
        return fail(z, "a piece is damaged");
    if (z->filled && z->text[z->filled - 1] != '\n')
        z->text[z->filled++] = '\n';
    if (!--z->pieces)
        z->next = PART_WARP;
    return true;
}

/* Makes the next text. Returns false at the end or on an error. */
static bool put_next(struct tracez *z) {
    static bool (*const put[])(struct tracez * z) = {
        [PART_BLOCK] = put_block, [PART_WARP] = put_warp, [PART_PIECE] = put_piece};
    z->used = z->filled = 0;
    return put[z->next](z);
}

size_t tracez_read(struct tracez *z, char *to, size_t room, const char **error) {
    while (z->used == z->filled)
        if (z->error || !put_next(z)) {
            z->used = z->filled = 0;
            *error = z->error;
            return 0;
        }
    const size_t left = z->filled - z->used, n = left < room ? left : room;
    memcpy(to, z->text + z->used, n);
    z->used += n;
    return n;
}
