// SPDX-License-Identifier: Apache-2.0
#include "lib/alloc.h"
#include "trace/output.h"

#include <errno.h>
#include <lzma.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define XZ_LEVEL 1 /* higher levels are much slower, and hardly smaller on regular traces */
#define XZ_ROOM (64 * 1024)

struct trace_output {
    FILE *f;
    char *shown; /* owned; path in messages */
    bool xz, failed;
    int error; /* errno of the first failure */
    lzma_stream lzma;
    uint8_t *packed; /* owned; XZ_ROOM bytes */
    uint64_t bytes;
};

static void fail_output(struct trace_output *out, int error) {
    if (!out->failed)
        out->error = error;
    out->failed = true;
}

static void write_file(struct trace_output *out, const void *data, size_t size) {
    if (!out->failed && fwrite(data, 1, size, out->f) != size)
        fail_output(out, errno);
}

static void write_xz(struct trace_output *out, const void *data, size_t size, lzma_action action) {
    lzma_stream *z = &out->lzma;
    lzma_ret ret = LZMA_OK;
    z->next_in = data;
    z->avail_in = size;
    while (!out->failed && ret == LZMA_OK && (z->avail_in || action == LZMA_FINISH)) {
        z->next_out = out->packed;
        z->avail_out = XZ_ROOM;
        ret = lzma_code(z, action);
        write_file(out, out->packed, XZ_ROOM - z->avail_out);
        if (ret != LZMA_OK && ret != LZMA_STREAM_END)
            alloc_fail(0);
    }
}

struct trace_output *trace_output_open(const char *path, const char *shown, bool xz,
                                       struct error *err) {
    struct trace_output *out = alloc_zeroed(1, sizeof *out);
    out->xz = xz;
    out->shown = alloc_text(shown);
    out->packed = alloc_bytes(XZ_ROOM);
    out->lzma = (lzma_stream)LZMA_STREAM_INIT;
    if (xz && lzma_easy_encoder(&out->lzma, XZ_LEVEL, LZMA_CHECK_CRC32) != LZMA_OK)
        alloc_fail(0);
    if ((out->f = fopen(path, "wbxe")))
        return out;
    error_set(err, "%s: %s", shown, strerror(errno));
    lzma_end(&out->lzma);
    free(out->shown);
    free(out->packed);
    free(out);
    return NULL;
}

void trace_output_write(struct trace_output *out, const void *data, size_t size) {
    out->bytes += size;
    if (out->xz)
        write_xz(out, data, size, LZMA_RUN);
    else
        write_file(out, data, size);
}

int trace_output_close(struct trace_output *out, uint64_t *bytes, struct error *err) {
    if (out->xz)
        write_xz(out, NULL, 0, LZMA_FINISH);
    if (fclose(out->f) != 0)
        fail_output(out, errno);
    bool failed = out->failed;
    if (failed)
        error_set(err, "%s: %s", out->shown, strerror(out->error));
    if (bytes)
        *bytes = out->bytes;
    lzma_end(&out->lzma);
    free(out->shown);
    free(out->packed);
    free(out);
    return failed ? -1 : 0;
}
