// SPDX-License-Identifier: Apache-2.0
#include "trace/unpack.h"

#include <lzma.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "lib/alloc.h"

#define XZ_MEMORY (UINT64_C(128) << 20)
#define ZSTD_WINDOW_LOG 27 /* log2 of the window in bytes: 128 MiB */

struct unpack {
    enum unpack_kind kind;
    bool between; /* true at the end of a member, where the data may end */
    lzma_stream lzma;
    z_stream z;
    ZSTD_DStream *zstd;
};

static const struct {
    const char *name, *suffix, *damaged;
    size_t size;
    uint8_t magic[UNPACK_MAGIC];
} kinds[] = {
#define DAMAGED ": the compressed data are damaged"
    [UNPACK_NOT] = {"", "", "", 0, {0}},
    [UNPACK_XZ] = {"xz", ".xz", "xz" DAMAGED, 6, {0xfd, '7', 'z', 'X', 'Z', 0}},
    [UNPACK_GZIP] = {"gzip", ".gz", "gzip" DAMAGED, 3, {0x1f, 0x8b, 8}},
    [UNPACK_ZSTD] = {"zstd", ".zst", "zstd" DAMAGED, 4, {0x28, 0xb5, 0x2f, 0xfd}},
#undef DAMAGED
};

enum unpack_kind unpack_kind_of(const uint8_t *first, size_t n) {
    for (int k = UNPACK_XZ; k <= UNPACK_ZSTD; k++)
        if (n >= kinds[k].size && memcmp(first, kinds[k].magic, kinds[k].size) == 0)
            return (enum unpack_kind)k;
    return UNPACK_NOT;
}

enum unpack_kind unpack_kind_named(const char *name) {
    size_t len = strlen(name);
    for (int k = UNPACK_XZ; k <= UNPACK_ZSTD; k++) {
        size_t n = strlen(kinds[k].suffix);
        if (len > n && strcmp(name + len - n, kinds[k].suffix) == 0)
            return (enum unpack_kind)k;
    }
    return UNPACK_NOT;
}

const char *unpack_name(enum unpack_kind kind) {
    return kinds[kind].name;
}

struct unpack *unpack_new(enum unpack_kind kind) {
    struct unpack *u = alloc_zeroed(1, sizeof *u);
    bool good = false;
    u->kind = kind;
    u->lzma = (lzma_stream)LZMA_STREAM_INIT;
    if (kind == UNPACK_XZ)
        good = lzma_stream_decoder(&u->lzma, XZ_MEMORY, 0) == LZMA_OK;
    else if (kind == UNPACK_GZIP)
        good = inflateInit2(&u->z, 16 + MAX_WBITS) == Z_OK;
    else if ((u->zstd = ZSTD_createDStream()))
        good = !ZSTD_isError(ZSTD_DCtx_setParameter(u->zstd, ZSTD_d_windowLogMax, ZSTD_WINDOW_LOG));
    if (!good)
        alloc_fail(0);
    return u;
}

void unpack_free(struct unpack *u) {
    if (!u)
        return;
    lzma_end(&u->lzma);
    if (u->kind == UNPACK_GZIP)
        inflateEnd(&u->z);
    ZSTD_freeDStream(u->zstd);
    free(u);
}

/* ---- Members ---- */

/* True if the first n bytes may begin a member. A frame of zstd may also be one to be skipped. */
static bool begins_member(enum unpack_kind kind, const uint8_t *first, size_t n) {
    return memcmp(first, kinds[kind].magic, n < kinds[kind].size ? n : kinds[kind].size) == 0 ||
           (kind == UNPACK_ZSTD && (*first & 0xf0) == 0x50);
}

/* Handles the end of a member. Another member, padding zeros (not in zstd) or nothing may follow.
 * Returns false if no other member has begun. */
static bool next_member(struct unpack *u, struct unpack_piece *p, const char **error) {
    while (p->in_left && *p->in == 0 && u->kind != UNPACK_ZSTD)
        p->in++, p->in_left--;
    if (p->in_left == 0)
        return false;
    u->between = false;
    if (!begins_member(u->kind, p->in, p->in_left))
        *error = kinds[u->kind].damaged;
    return !*error;
}

/* ---- xz ---- */

static const char *xz_error(lzma_ret ret) {
    switch (ret) {
    case LZMA_MEMLIMIT_ERROR:
        return "xz: needs more than 128 MiB to decompress";
    case LZMA_MEM_ERROR:
        alloc_fail(0);
    case LZMA_BUF_ERROR:
        return "xz: the file is cut off";
    case LZMA_OPTIONS_ERROR:
        return "xz: unsupported options";
    default:
        return kinds[UNPACK_XZ].damaged;
    }
}

static bool step_xz(struct unpack *u, struct unpack_piece *p, const char **error) {
    lzma_stream *z = &u->lzma;
    if (u->between) {
        if (!next_member(u, p, error))
            return !p->last && !*error;
        if (lzma_stream_decoder(z, XZ_MEMORY, 0) != LZMA_OK)
            alloc_fail(0);
    }
    z->next_in = p->in;
    z->avail_in = p->in_left;
    z->next_out = p->out;
    z->avail_out = p->out_left;
    lzma_ret ret = lzma_code(z, p->last ? LZMA_FINISH : LZMA_RUN);
    p->in = z->next_in;
    p->in_left = z->avail_in;
    p->out = z->next_out;
    p->out_left = z->avail_out;
    u->between = ret == LZMA_STREAM_END;
    if (ret != LZMA_OK && ret != LZMA_STREAM_END)
        *error = xz_error(ret);
    return !*error;
}

/* ---- gzip ---- */

static const char *gzip_error(int ret, bool last) {
    switch (ret) {
    case Z_OK:
    case Z_BUF_ERROR:
        return last ? "gzip: the file is cut off" : NULL;
    case Z_STREAM_END:
        return NULL;
    case Z_MEM_ERROR:
        alloc_fail(0);
    default:
        return kinds[UNPACK_GZIP].damaged;
    }
}

static bool step_gzip(struct unpack *u, struct unpack_piece *p, const char **error) {
    z_stream *z = &u->z;
    if (u->between) {
        if (!next_member(u, p, error))
            return !p->last && !*error;
        inflateReset(z);
    }
    z->next_in = (Bytef *)(uintptr_t)p->in;
    z->avail_in = (uInt)p->in_left;
    z->next_out = p->out;
    z->avail_out = (uInt)p->out_left;
    int ret = inflate(z, Z_NO_FLUSH);
    p->in = z->next_in;
    p->in_left = z->avail_in;
    p->out = z->next_out;
    p->out_left = z->avail_out;
    u->between = ret == Z_STREAM_END;
    *error = gzip_error(ret, p->last && p->out_left && p->in_left == 0);
    return !*error;
}

/* ---- zstd ---- */

static const char *zstd_error(size_t ret) {
    switch (ZSTD_getErrorCode(ret)) {
    case ZSTD_error_frameParameter_windowTooLarge:
        return "zstd: needs more than 128 MiB to decompress";
    case ZSTD_error_memory_allocation:
        alloc_fail(0);
    default:
        return kinds[UNPACK_ZSTD].damaged;
    }
}

static bool step_zstd(struct unpack *u, struct unpack_piece *p, const char **error) {
    ZSTD_inBuffer in = {p->in, p->in_left, 0};
    ZSTD_outBuffer out = {p->out, p->out_left, 0};
    if (u->between && !next_member(u, p, error))
        return !p->last && !*error;
    size_t ret = ZSTD_decompressStream(u->zstd, &out, &in);
    p->in += in.pos;
    p->in_left -= in.pos;
    p->out += out.pos;
    p->out_left -= out.pos;
    u->between = ret == 0;
    if (ZSTD_isError(ret))
        *error = zstd_error(ret);
    else if (ret && p->last && p->in_left == 0 && p->out_left)
        *error = "zstd: the file is cut off";
    return !*error;
}

bool unpack_step(struct unpack *u, struct unpack_piece *p, const char **error) {
    *error = NULL;
    switch (u->kind) {
    case UNPACK_XZ:
        return step_xz(u, p, error);
    case UNPACK_GZIP:
        return step_gzip(u, p, error);
    default:
        return step_zstd(u, p, error);
    }
}
