/* SPDX-License-Identifier: Apache-2.0 */
/* Opens traces that are given as text in memory. */
#ifndef MEMTWIN_TESTS_TRACE_TRACEG_FIXTURE_H
#define MEMTWIN_TESTS_TRACE_TRACEG_FIXTURE_H

#include <lzma.h>

#include "trace/banks.h"
#include "trace/list.h"
#include "trace/opcode.h"
#include "trace/traceg.h"
#include "tests/test.h"

/* The first 13 lines of a trace. */
#define HEADER_OF(version, lineinfo, grid, block)                                                  \
    "-kernel name = _Z3addPfS_\n"                                                                  \
    "-kernel id = 1\n"                                                                             \
    "-grid dim = " grid "\n"                                                                       \
    "-block dim = " block "\n"                                                                     \
    "-shmem = 4096\n"                                                                              \
    "-nregs = 24\n"                                                                                \
    "-cuda stream id = 0\n"                                                                        \
    "-shmem base_addr = 0x00007f2c00000000\n"                                                      \
    "-local mem base_addr = 0x00007f2c01000000\n"                                                  \
    "-accelsim tracer version = " version "\n"                                                     \
    "-enable lineinfo = " lineinfo "\n"                                                            \
    "\n"                                                                                           \
    "#traces format = PC mask dest_num [reg_dests] opcode src_num [reg_srcs] mem_width ...\n"
/* Lines 14 to 17 of a trace. The first instruction is line 18. */
#define ONE_WARP(n) "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = " n "\n"
#define EXIT "00f0 ffffffff 0 EXIT 0 0 0\n"
#define END "#END_TB\n"
#define V4 HEADER_OF("4", "0", "(1,1,1)", "(32,1,1)")

#define BASE UINT64_C(0x7f0000000000)

static inline struct traceg *open_bytes(const char *name, const void *data, size_t size,
                                        struct error *err) {
    struct trace_input *in = trace_input_memory(name, data, size, err);
    return in ? traceg_open(in, err) : NULL;
}

static inline struct traceg *open_text(const char *text) {
    struct error err;
    struct traceg *t = open_bytes("t", text, strlen(text), &err);
    if (!t)
        fail_msg("%s", err.text);
    return t;
}

/* Trace of one block, with a position in each of the block's warps. */
struct one_block {
    struct traceg *t;
    struct traceg_block b;
    uint32_t at[TRACE_MAX_WARPS];
};

static inline void one_open(struct one_block *o, const char *text) {
    memset(o, 0, sizeof *o);
    o->t = open_text(text);
    if (traceg_block(o->t, &o->b) != 1)
        fail_msg("%s", traceg_error(o->t));
    for (unsigned w = 0; w < TRACE_MAX_WARPS; w++)
        o->at[w] = o->b.warp[w].begin;
}

static inline struct warp_inst one_step(struct one_block *o, unsigned warp) {
    struct warp_inst inst;
    memset(&inst, 0xee, sizeof inst);
    traceg_decode(o->t, &o->b, warp, &o->at[warp], &inst);
    warp_inst_expand(&inst);
    return inst;
}

static inline void one_close(struct one_block *o) {
    assert_int_equal(traceg_block(o->t, &o->b), 0);
    traceg_block_free(&o->b);
    traceg_close(o->t);
}

static inline struct reg_set regs(unsigned first, unsigned n) {
    struct reg_set s = {{0}};
    for (unsigned r = first; r < first + n; r++)
        s.w[r / 64] |= UINT64_C(1) << r % 64;
    return s;
}

static inline void assert_regs(struct reg_set got, struct reg_set want) {
    assert_memory_equal(&got, &want, sizeof got);
}

static inline void assert_exit(struct one_block *o, unsigned warp) {
    struct warp_inst inst = one_step(o, warp);
    assert_int_equal(inst.op, WARP_EXIT);
    assert_int_equal(inst.mask, 0);
    assert_true(regs_none(&inst.src) || inst.repeat == 1);
}

/* Returns the only instruction in a version-4 trace with one warp. */
static inline struct warp_inst only(const char *line) {
    char text[4096];
    struct one_block o;
    snprintf(text, sizeof text, V4 ONE_WARP("2") "%s\n" EXIT END, line);
    one_open(&o, text);
    struct warp_inst inst = one_step(&o, 0);
    assert_exit(&o, 0);
    one_close(&o);
    return inst;
}

#endif
