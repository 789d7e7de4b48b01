/* SPDX-License-Identifier: Apache-2.0 */
/* One kernel of a trace (.traceg): its header, and its thread blocks one after the other.
 *
 * A block is parsed as a whole into a compact form, about 4 bytes for an arithmetic instruction and
 * 16 for a regular access, and is then decoded warp by warp. The constant part of an instruction,
 * opcode and registers, is stored once per kernel.
 */
#ifndef MEMTWIN_TRACE_TRACEG_H
#define MEMTWIN_TRACE_TRACEG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/kernel.h"
#include "trace/input.h"

#define TRACE_NAME_MAX 256            /* characters of a kernel's name that are kept */
#define TRACE_ERROR_MAX 1024          /* "file:line: reason" */
#define TRACE_ADDRESS_BITS 47         /* of a global address */
#define TRACE_WINDOW_BYTES (1u << 24) /* of the shared and of the local window */
#define TRACE_MAX_WARPS 32            /* of a block: 1024 threads */

struct traceg_header {
    char name[TRACE_NAME_MAX];
    uint32_t grid[3], block[3];
    uint32_t shared_bytes, regs;      /* a CTA; a thread */
    uint64_t shared_base, local_base; /* generic addresses of the windows; 0: unknown */
    uint32_t version;                 /* of the tracer, the digits before the dot; 0: none given */
    bool line_info;
};

/* A parsed block. All zero: empty. */
struct traceg_block {
    uint8_t *code;     /* owned */
    size_t room, used; /* bytes */
    struct {
        uint32_t begin, end; /* in code */
        uint32_t lanes;      /* lanes with a thread */
    } warp[TRACE_MAX_WARPS];
};

struct traceg;

/* Reads the header. Takes over the input, also on an error (NULL, "file:line: reason" in err). */
struct traceg *traceg_open(struct trace_input *in, char *err, size_t err_size);
void traceg_close(struct traceg *t);

const struct traceg_header *traceg_header(const struct traceg *t);

/* Bytes of text read so far. */
uint64_t traceg_bytes(const struct traceg *t);

/* Parses the next block of the file. Returns 1, or 0 if there is none left and the grid is whole,
 * or -1 on an error. */
int traceg_block(struct traceg *t, struct traceg_block *b);
void traceg_block_free(struct traceg_block *b);

/* Decodes the warp instruction at *at and advances *at; a WARP_EXIT at the end of the warp. */
void traceg_decode(const struct traceg *t, const struct traceg_block *b, uint32_t warp,
                   uint32_t *at, struct warp_inst *inst);

/* "file:line: reason" after an error. */
const char *traceg_error(const struct traceg *t);

#endif
