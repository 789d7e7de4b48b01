/* SPDX-License-Identifier: Apache-2.0 */
/* Reads one kernel of a trace (.traceg): its header, then its CTAs one after the other.
 *
 * A CTA is parsed as a whole into a compact form and is then decoded warp by warp. The compact form
 * has about 4 bytes for an arithmetic instruction and 16 for a regular access. The constant part of
 * an instruction, i.e. the opcode and registers, is stored once per kernel.
 */
#ifndef MEMTWIN_TRACE_TRACEG_H
#define MEMTWIN_TRACE_TRACEG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/kernel.h"
#include "trace/input.h"
#include "trace/odd.h"

#define TRACE_ADDRESS_BITS 47         /* number of bits in a global address */
#define TRACE_WINDOW_BYTES (1u << 24) /* size of the shared window and of the local window */
#define TRACE_MAX_WARPS 32            /* maximum number of warps of a CTA: 1024 threads */

struct traceg_header {
    char *name; /* owned; up to TRACE_LINE_MAX bytes, with ? for control characters */
    uint32_t grid[3], block[3];
    uint32_t shared_bytes, regs;      /* bytes per CTA; registers per thread, 0 if unknown */
    uint64_t shared_base, local_base; /* generic addresses of the windows; 0 if unknown */
    uint64_t stream;                  /* CUDA stream */
    uint32_t version; /* version of the tracer (the digits before the dot); 0 if not given */
    bool line_info;
};

/* A parsed CTA. It is all zero if empty. */
struct traceg_block {
    uint8_t *code;     /* owned */
    size_t room, used; /* in bytes */
    struct {
        uint32_t begin, end; /* offsets in `code` */
        uint32_t lanes;      /* mask of lanes with a thread */
    } warp[TRACE_MAX_WARPS];
};

struct traceg;

/* Reads the header. Takes ownership of the input even on an error. Returns NULL with "file:line:
 * reason" in err on error. */
struct traceg *traceg_open(struct trace_input *in, struct error *err);
void traceg_close(struct traceg *t);

const struct traceg_header *traceg_header(const struct traceg *t);
/* Returns the launch, without step functions. Its name is valid as long as t. */
struct kernel_launch traceg_launch(const struct traceg *t);
/* Returns the name of the file for messages. */
const char *traceg_file(const struct traceg *t);
/* Returns the number of CTAs in the grid. */
uint64_t traceg_blocks(const struct traceg *t);

/* Returns the number of registers up to the highest that the CTAs so far use. */
uint32_t traceg_registers(const struct traceg *t);

/* Returns the number of bytes of text read so far. */
uint64_t traceg_bytes(const struct traceg *t);

/* Returns true if the file was a raw .trace, which has been sorted. */
bool traceg_is_sorted(const struct traceg *t);

/* Returns the ODD_ENTRIES counts of the part that was read so far. */
const struct traceg_odd *traceg_odd(const struct traceg *t);

/* Parses the next CTA of the file. Returns 1 if it was parsed, 0 if the file and the grid are
 * complete, or -1 on an error. */
int traceg_block(struct traceg *t, struct traceg_block *b);
void traceg_block_free(struct traceg_block *b);

/* Decodes the warp instruction at *position and advances *position. Makes a WARP_EXIT at the end of
 * the warp. */
void traceg_decode(const struct traceg *t, const struct traceg_block *b, uint32_t warp,
                   uint32_t *position, struct warp_inst *inst);

/* Returns "file:line: reason" after an error. */
const char *traceg_error(const struct traceg *t);

#endif
