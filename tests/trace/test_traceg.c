// SPDX-License-Identifier: Apache-2.0
/* The .traceg reader against hand-written traces: every variant of the format, every error with its
 * line. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <lzma.h>

#include "trace/banks.h"
#include "trace/opcode.h"
#include "trace/traceg.h"

/* 13 lines */
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
/* Lines 14 to 17; the first instruction is line 18. */
#define ONE_WARP(n) "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = " n "\n"
#define EXIT "00f0 ffffffff 0 EXIT 0 0 0\n"
#define END "#END_TB\n"
#define V4 HEADER_OF("4", "0", "(1,1,1)", "(32,1,1)")

#define BASE UINT64_C(0x7f0000000000)

/* ---- Helpers ---- */

static struct traceg *open_bytes(const char *name, const void *data, size_t size, char *err) {
    struct trace_input *in = trace_input_memory(name, data, size, err, TRACE_ERROR_MAX);
    return in ? traceg_open(in, err, TRACE_ERROR_MAX) : NULL;
}

static struct traceg *open_text(const char *text) {
    char err[TRACE_ERROR_MAX];
    struct traceg *t = open_bytes("t", text, strlen(text), err);
    if (!t)
        fail_msg("%s", err);
    return t;
}

/* A trace of one block, and where each warp of it stands. */
struct one_block {
    struct traceg *t;
    struct traceg_block b;
    uint32_t at[TRACE_MAX_WARPS];
};

static void one_open(struct one_block *o, const char *text) {
    memset(o, 0, sizeof *o);
    o->t = open_text(text);
    if (traceg_block(o->t, &o->b) != 1)
        fail_msg("%s", traceg_error(o->t));
    for (unsigned w = 0; w < TRACE_MAX_WARPS; w++)
        o->at[w] = o->b.warp[w].begin;
}

static struct warp_inst one_step(struct one_block *o, unsigned warp) {
    struct warp_inst inst;
    memset(&inst, 0xee, sizeof inst);
    traceg_decode(o->t, &o->b, warp, &o->at[warp], &inst);
    warp_inst_expand(&inst);
    return inst;
}

static void one_close(struct one_block *o) {
    assert_int_equal(traceg_block(o->t, &o->b), 0);
    traceg_block_free(&o->b);
    traceg_close(o->t);
}

static struct reg_set regs(unsigned first, unsigned n) {
    struct reg_set s = {{0}};
    for (unsigned r = first; r < first + n; r++)
        s.w[r / 64] |= UINT64_C(1) << r % 64;
    return s;
}

static void assert_regs(struct reg_set got, struct reg_set want) {
    assert_memory_equal(&got, &want, sizeof got);
}

static void assert_exit(struct one_block *o, unsigned warp) {
    struct warp_inst inst = one_step(o, warp);
    assert_int_equal(inst.op, WARP_EXIT);
    assert_int_equal(inst.mask, 0);
    assert_true(regs_none(&inst.src) || inst.repeat == 1);
}

/* The one instruction of a version-4 trace of one warp. */
static struct warp_inst only(const char *line) {
    char text[4096];
    struct one_block o;
    snprintf(text, sizeof text, V4 ONE_WARP("2") "%s\n" EXIT END, line);
    one_open(&o, text);
    struct warp_inst inst = one_step(&o, 0);
    assert_exit(&o, 0);
    one_close(&o);
    return inst;
}

/* ---- Format variants ---- */

static void header_is_read(void **state) {
    (void)state;
    struct traceg *t =
        open_text(HEADER_OF("4", "1", "(3,2,5)", "(8,4,2)") "-not a key = 1\n#BEGIN_TB\n");
    const struct traceg_header *h = traceg_header(t);
    assert_string_equal(h->name, "_Z3addPfS_");
    assert_int_equal(h->grid[0], 3);
    assert_int_equal(h->grid[1], 2);
    assert_int_equal(h->grid[2], 5);
    assert_int_equal(h->block[0], 8);
    assert_int_equal(h->block[1], 4);
    assert_int_equal(h->block[2], 2);
    assert_int_equal(h->shared_bytes, 4096);
    assert_int_equal(h->regs, 24);
    assert_int_equal(h->shared_base, UINT64_C(0x7f2c00000000));
    assert_int_equal(h->local_base, UINT64_C(0x7f2c01000000));
    assert_int_equal(h->version, 4);
    assert_true(h->line_info);
    traceg_close(t);
}

/* Three loads, one of each address mode. */
static void check_modes(const char *text) {
    struct one_block o;
    one_open(&o, text);
    struct warp_inst i = one_step(&o, 0);
    assert_int_equal(i.op, WARP_LOAD);
    assert_int_equal(i.mask, 0x3);
    assert_int_equal(i.size, 4);
    assert_int_equal(i.space, SPACE_GLOBAL);
    assert_int_equal(i.repeat, 1);
    assert_false(i.skip_l1);
    assert_regs(i.dst, regs(6, 1));
    assert_regs(i.src, regs(4, 1));
    assert_int_equal(i.addr[0], BASE);
    assert_int_equal(i.addr[1], BASE + 0x80);
    i = one_step(&o, 0);
    assert_int_equal(i.mask, UINT32_MAX);
    for (unsigned l = 0; l < 32; l++)
        assert_int_equal(i.addr[l], BASE + 4 * l);
    i = one_step(&o, 0);
    assert_int_equal(i.mask, 0x7);
    assert_int_equal(i.addr[0], BASE);
    assert_int_equal(i.addr[1], BASE + 128);
    assert_int_equal(i.addr[2], BASE + 64);
    assert_exit(&o, 0);
    one_close(&o);
}

static void versions_and_modes(void **state) {
    (void)state;
    /* 4 and 5 with the immediate, 3 without, before that with block and warp. */
    check_modes(HEADER_OF("4", "0", "(1,1,1)", "(32,1,1)") ONE_WARP(
        "4") "0040 00000003 1 R6 LDG.E.SYS 1 R4 4 0 0x00007f0000000000 0x00007f0000000080 0\n"
             "0040 ffffffff 1 R6 LDG.E.SYS 1 R4 4 1 0x7f0000000000 4 0\n"
             "0040 00000007 1 R6 LDG.E.SYS 1 R4 4 2 0x7f0000000000 128 -64 0\n" EXIT END);
    check_modes(HEADER_OF("5", "1", "(1,1,1)", "(32,1,1)") ONE_WARP(
        "4") "17 0040 00000003 1 R6 LDG.E.SYS 1 R4 4 0 0x7f0000000000 0x7f0000000080 0x10 \n"
             "17 0040 ffffffff 1 R6 LDG.E.SYS 1 R4 4 1 0x7f0000000000 4 -1 \n"
             "18 0050 00000007 1 R6 LDG.E.SYS 1 R4 4 2 0x7f0000000000 128 -64 0\n"
             "19 00f0 ffffffff 0 EXIT 0 0 0\n" END);
    check_modes(HEADER_OF("3", "0", "(1,1,1)", "(32,1,1)") ONE_WARP(
        "4") "0040 00000003 1 R6 LDG.E.SYS 1 R4 4 0 0x00007f0000000000 0x00007f0000000080 \n"
             "0050 ffffffff 1 R6 LDG.E.SYS 1 R4 4 1 0x7f0000000000 4\n"
             "0060 00000007 1 R6 LDG.E.SYS 1 R4 4 2 0x7f0000000000 128 -64\n"
             "00f0 ffffffff 0 EXIT 0 0 \n" END);
    check_modes(HEADER_OF("1.2", "0", "(1,1,1)", "(32,1,1)") ONE_WARP(
        "4") "0 0 0 0 0040 00000003 1 R6 LDG.E.SYS 1 R4 4 0 0x7f0000000000 0x7f0000000080 \n"
             "0 0 0 0 0040 ffffffff 1 R6 LDG.E.SYS 1 R4 4 1 0x7f0000000000 4\n"
             "0 0 0 0 0040 00000007 1 R6 LDG.E.SYS 1 R4 4 2 0x7f0000000000 128 -64\n"
             "0 0 0 0 00f0 ffffffff 0 EXIT 0 0 \n" END);
}

static void mode_0_with_holes(void **state) {
    (void)state;
    struct warp_inst i = only("0010 80000101 0 STG.E.64 2 R2 R4 8 0 0x10 0xff0 0x7ffffffffff8 0");
    assert_int_equal(i.op, WARP_STORE);
    assert_int_equal(i.mask, 0x80000101);
    assert_int_equal(i.addr[0], 0x10);
    assert_int_equal(i.addr[8], 0xff0);
    assert_int_equal(i.addr[31], UINT64_C(0x7ffffffffff8));
    i = only("0010 0000ff00 1 R4 LDG.E.128 1 R2 16 1 0x7f0000001000 -16 0");
    for (unsigned l = 8; l < 16; l++)
        assert_int_equal(i.addr[l], UINT64_C(0x7f0000001000) - 16 * (l - 8));
    i = only("0010 ffffffff 1 R4 LDG.E 1 R2 4 1 0x7f0000001000 -4 0");
    for (unsigned l = 0; l < 32; l++)
        assert_int_equal(i.addr[l], UINT64_C(0x7f0000001000) - 4 * l);
    i = only("0010 ffffffff 1 R4 LDG.E 1 R2 4 1 0x1000 1073741824 0");
    for (unsigned l = 0; l < 32; l++)
        assert_int_equal(i.addr[l], UINT64_C(0x1000) + ((uint64_t)l << 30));
}

static void crlf_and_missing_last_line_end(void **state) {
    (void)state;
    struct one_block o;
    one_open(&o, "-kernel name = k\r\n-grid dim = (1,1,1)\r\n-block dim = (32,1,1)\r\n"
                 "-accelsim tracer version = 3\r\n#\r\n#BEGIN_TB\r\nthread block = 0,0,0\r\n"
                 "warp = 0\r\ninsts = 1\r\n0000 ffffffff 0 EXIT 0 0\r\n#END_TB");
    assert_string_equal(traceg_header(o.t)->name, "k");
    assert_exit(&o, 0);
    one_close(&o);
}

/* Lines longer than what is read at once, between them many short ones. */
static void long_files(void **state) {
    (void)state;
    enum { N = 40000 };
    char *text = malloc(N * 40 + 4096), *p = text;
    struct one_block o;
    p += sprintf(p, HEADER_OF("4", "0", "(1,1,1)", "(32,1,1)") ONE_WARP("%d"), N + 1);
    for (int i = 0; i < N; i++)
        p += sprintf(p, "%04x ffffffff 1 R%d IADD3 1 R%d 0 0\n", i % 300 * 16, i % 250, i % 241);
    sprintf(p, EXIT END);
    one_open(&o, text);
    for (int i = 0; i < N; i++) {
        struct warp_inst inst = one_step(&o, 0);
        assert_regs(inst.dst, regs((unsigned)i % 250, 1));
        assert_regs(inst.src, regs((unsigned)i % 241, 1));
    }
    assert_exit(&o, 0);
    one_close(&o);
    free(text);
}

static void xz_is_the_same(void **state) {
    (void)state;
    static const char text[] = V4 ONE_WARP("2") "0040 ffffffff 1 R6 LDG.E 1 R4 4 1 0x7f0000000000 "
                                                "4 0\n" EXIT END;
    uint8_t packed[4096];
    char err[TRACE_ERROR_MAX];
    size_t size = 0;
    assert_int_equal(lzma_easy_buffer_encode(6, LZMA_CHECK_CRC64, NULL, (const uint8_t *)text,
                                             sizeof text - 1, packed, &size, sizeof packed),
                     LZMA_OK);
    struct one_block o = {.t = open_bytes("k.traceg.xz", packed, size, err)};
    assert_non_null(o.t);
    assert_int_equal(traceg_block(o.t, &o.b), 1);
    assert_int_equal(one_step(&o, 0).addr[31], BASE + 124);
    assert_exit(&o, 0);
    one_close(&o);
    /* Cut off anywhere: an error that says so. */
    for (size_t cut = 6; cut < size; cut++) {
        struct traceg_block b = {0};
        struct traceg *t = open_bytes("k.traceg.xz", packed, cut, err);
        if (t) {
            assert_int_equal(traceg_block(t, &b), -1);
            snprintf(err, sizeof err, "%s", traceg_error(t));
            traceg_block_free(&b);
            traceg_close(t);
        }
        if (!strstr(err, "xz: the file is cut off"))
            fail_msg("at %zu of %zu: %s", cut, size, err);
    }
    packed[size / 2] ^= 0x10;
    assert_null(open_bytes("k.traceg.xz", packed, size, err));
    assert_non_null(strstr(err, "k.traceg.xz:"));
    assert_non_null(strstr(err, "damaged"));
    assert_null(open_bytes("k.traceg.xz", text, sizeof text - 1, err));
    assert_string_equal(err, "k.traceg.xz: xz: not in xz format");
}

/* ---- Blocks and warps ---- */

static void blocks_in_file_order(void **state) {
    (void)state;
    struct traceg_block b = {0};
    struct warp_inst inst;
    struct traceg *t = open_text(HEADER_OF(
        "3", "0", "(2,1,1)",
        "(48,1,1)") "#BEGIN_TB\nthread block = 1,0,0\n"
                    "warp = 1\ninsts = 2\n0000 0000ffff 1 R1 MOV 0 0\n0010 0000ffff 0 EXIT 0 0\n"
                    "warp = 0\ninsts = 2\n0000 ffffffff 1 R2 MOV 0 0\n0010 ffffffff 0 EXIT 0 "
                    "0\n#END_TB\n"
                    "# between two blocks\n\n"
                    "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 0\n#END_TB\n");
    assert_int_equal(traceg_block(t, &b), 1);
    assert_int_equal(b.warp[0].lanes, UINT32_MAX);
    assert_int_equal(b.warp[1].lanes, 0xffff);
    for (unsigned w = 0; w < 2; w++) {
        uint32_t at = b.warp[w].begin;
        traceg_decode(t, &b, w, &at, &inst);
        assert_int_equal(inst.op, WARP_ALU);
        assert_int_equal(inst.mask, b.warp[w].lanes);
        assert_regs(inst.dst, regs(w ? 1 : 2, 1));
        traceg_decode(t, &b, w, &at, &inst);
        assert_int_equal(inst.op, WARP_EXIT);
    }
    assert_true(b.used > 0);
    assert_int_equal(traceg_block(t, &b), 1); /* a warp without instructions, one left out */
    assert_int_equal(b.used, 0);              /* the former block is gone */
    for (unsigned w = 0; w < 2; w++) {
        uint32_t at = b.warp[w].begin;
        traceg_decode(t, &b, w, &at, &inst);
        assert_int_equal(inst.op, WARP_EXIT);
    }
    assert_int_equal(traceg_block(t, &b), 0);
    traceg_block_free(&b);
    traceg_close(t);
}

static void exits(void **state) {
    (void)state;
    struct one_block o;
    one_open(&o, V4 ONE_WARP("5") "0000 0000ffff 0 EXIT 0 0 0\n"
                                  "0010 00000000 0 EXIT 0 0 0\n"
                                  "0020 ffff0000 1 R1 MOV 0 0 0\n"
                                  "0030 0f000000 0 EXIT 0 0 0\n"
                                  "0040 f0ff0000 0 EXIT 0 0 0\n" END);
    const uint32_t masks[] = {0xffff, 0, 0xffff0000, 0xf000000};
    for (unsigned i = 0; i < 4; i++) {
        struct warp_inst inst = one_step(&o, 0);
        assert_int_equal(inst.op, WARP_ALU);
        assert_int_equal(inst.mask, masks[i]);
    }
    assert_exit(&o, 0);
    one_close(&o);
    one_open(&o, V4 ONE_WARP("1") "0000 ffffffff 1 R1 MOV 0 0 0\n" END); /* ends without an EXIT */
    assert_int_equal(one_step(&o, 0).op, WARP_ALU);
    assert_exit(&o, 0);
    assert_exit(&o, 0);
    one_close(&o);
}

/* ---- Opcodes ---- */

static void operations(void **state) {
    (void)state;
    static const struct {
        const char *opcode;
        enum warp_op op;
    } table[] = {{"IADD3", WARP_ALU},
                 {"IMAD.MOV.U32", WARP_ALU},
                 {"HMMA.1688.F32", WARP_ALU},
                 {"MEMBAR.SC.GPU", WARP_ALU},
                 {"DEPBAR", WARP_ALU},
                 {"LDGDEPBAR", WARP_ALU},
                 {"NOP", WARP_ALU},
                 {"S2R", WARP_ALU},
                 {"BRA", WARP_ALU},
                 {"B2R.RESULT", WARP_ALU},
                 {"MUFU.RSQ", WARP_SFU},
                 {"DADD", WARP_FP64},
                 {"DSETP.GEU.AND", WARP_FP64},
                 {"DMMA.884", WARP_FP64},
                 {"BAR.SYNC", WARP_BARRIER},
                 {"BAR.RED.POPC", WARP_BARRIER},
                 {"BAR.ARV", WARP_ALU}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        char line[100];
        snprintf(line, sizeof line, "0000 0000ffff 1 R20 %s 1 R30 0 0", table[i].opcode);
        struct warp_inst inst = only(line);
        if (inst.op != table[i].op)
            fail_msg("%s: %d, not %d", table[i].opcode, (int)inst.op, (int)table[i].op);
        assert_int_equal(inst.mask, 0xffff);
        unsigned pair = inst.op == WARP_FP64 ? 2 : 1;
        assert_regs(inst.dst, regs(20, pair));
        assert_regs(inst.src, regs(30, pair));
    }
}

static void widths_and_registers(void **state) {
    (void)state;
    static const struct {
        const char *line;
        unsigned size, dst, src; /* registers from R20 and from R40 */
    } table[] = {
        {"0 1 1 R20 LDG.E.U8 1 R40 1 0 0x7f0000000001 0", 1, 1, 1},
        {"0 1 1 R20 LDG.E.S8 1 R40 1 0 0x7f0000000001 0", 1, 1, 1},
        {"0 1 1 R20 LDG.E.U16.CONSTANT 1 R40 2 0 0x7f0000000002 0", 2, 1, 1},
        {"0 1 1 R20 LDG.E 1 R40 4 0 0x7f0000000004 0", 4, 1, 1},
        {"0 1 1 R20 LDG.E.64 1 R40 8 0 0x7f0000000008 0", 8, 2, 1},
        {"0 1 1 R20 LDG.E.128.SYS 1 R40 16 0 0x7f0000000010 0", 16, 4, 1},
        {"0 1 0 STG.E.64 2 R60 R40 8 0 0x7f0000000008 0", 8, 0, 2},
        {"0 1 0 STG.E.128 2 R60 R40 16 0 0x7f0000000010 0", 16, 0, 4},
        {"0 1 1 R20 ATOMG.E.ADD.F32.FTZ.RN.STRONG.GPU 2 R60 R40 4 0 0x7f0000000004 0", 4, 1, 1},
        {"0 1 1 R20 ATOM.E.CAS.64 2 R60 R40 8 0 0x7f0000000008 0", 8, 2, 2},
        {"0 1 1 R20 ATOMG.E.CAS.16 2 R60 R40 2 0 0x7f0000000006 0", 4, 1, 1},
        {"0 1 1 R20 ATOMG.E.EXCH.128 2 R60 R40 16 0 0x7f0000000010 0", 8, 2, 2},
        {"0 1 0 STG.E.64 1 R40 8 0 0x7f0000000008 0", 8, 0, 1},
        {"0 1 1 R20 LDSM.16.M88.4 1 R40 4 0 0x10 0", 16, 4, 1},
        {"0 1 0 RED.E.ADD.F64.RN 2 R60 R40 8 0 0x7f0000000008 0", 8, 0, 2},
        {"0 1 1 R20 IMAD.WIDE 1 R40 0 0", 0, 2, 1},
        {"0 1 1 R255 LDG.E.128 1 R40 16 0 0x7f0000000010 0", 16, 0, 1},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        struct warp_inst inst = only(table[i].line);
        if (table[i].size && inst.size != table[i].size)
            fail_msg("%s: %u B, not %u", table[i].line, inst.size, table[i].size);
        assert_regs(inst.dst, regs(20, table[i].dst));
        struct reg_set src = regs(40, table[i].src);
        if (strstr(table[i].line, "R60"))
            regs_add(&src, &(struct reg_set){{UINT64_C(1) << 60}});
        assert_regs(inst.src, src);
    }
    /* 252 to 254, then RZ */
    assert_regs(only("0 1 1 R252 LDG.E.128 1 R2 16 0 0x0 0").dst, regs(252, 3));
}

static void first_level_bypass(void **state) {
    (void)state;
    assert_true(only("0 1 1 R2 LDG.E.STRONG.GPU 1 R4 4 0 0x0 0").skip_l1);
    assert_true(only("0 1 1 R2 LDG.E.64.STRONG.SYS 1 R4 8 0 0x0 0").skip_l1);
    assert_true(only("0 1 1 R2 LD.E.STRONG.GPU 1 R4 4 0 0x0 0").skip_l1);
    assert_true(only("0 1 1 R2 LDG.E.CV 1 R4 4 0 0x0 0").skip_l1);
    assert_false(only("0 1 1 R2 LDG.E.SYS 1 R4 4 0 0x0 0").skip_l1);
    assert_false(only("0 1 1 R2 LDG.E.CONSTANT 1 R4 4 0 0x0 0").skip_l1);
    assert_false(only("0 1 1 R2 LDG.E.STRONG.CTA 1 R4 4 0 0x0 0").skip_l1);
    assert_false(only("0 1 0 STG.E.STRONG.GPU 2 R4 R2 4 0 0x0 0").skip_l1);
}

static void spaces(void **state) {
    (void)state;
    struct warp_inst i = only("0 3 1 R2 LDL 1 R1 4 0 0x7f2c01000010 0x7f2c01000020 0");
    assert_int_equal(i.op, WARP_LOAD);
    assert_int_equal(i.space, SPACE_LOCAL);
    assert_int_equal(i.addr[0], 0x10);
    assert_int_equal(i.addr[1], 0x20);
    i = only("0 3 0 STL.64 2 R1 R2 8 1 0xfffd10 0 0"); /* an offset already */
    assert_int_equal(i.op, WARP_STORE);
    assert_int_equal(i.space, SPACE_LOCAL);
    assert_int_equal(i.addr[1], 0xfffd10);
    i = only("0 3 1 R2 LD.E 1 R4 4 1 0x7f2c01000100 0 0");
    assert_int_equal(i.op, WARP_LOAD);
    assert_int_equal(i.space, SPACE_LOCAL);
    assert_int_equal(i.addr[1], 0x100);
    i = only("0 ffffffff 1 R2 LD.E 1 R4 4 1 0x7f2c00000000 128 0");
    assert_int_equal(i.op, WARP_SHARED);
    assert_int_equal(i.passes, 32);
    assert_regs(i.dst, regs(2, 1));
    i = only("0 ffffffff 0 ST.E 2 R4 R6 4 1 0x7f2b00000000 4 0");
    assert_int_equal(i.op, WARP_STORE);
    assert_int_equal(i.space, SPACE_GLOBAL);
    assert_int_equal(only("0 1 1 R2 ATOMS.ADD 2 R4 R6 4 0 0x10 0").op, WARP_SHARED);
    assert_int_equal(only("0 1 1 R2 ATOM.E.ADD 2 R4 R6 4 0 0x7f2c00000010 0").op, WARP_SHARED);
    assert_int_equal(only("0 1 1 R2 ATOM.E.ADD 2 R4 R6 4 0 0x7f0000000010 0").op, WARP_ATOMIC);
    i = only("0 1 1 R2 ATOM.E.ADD 2 R4 R6 4 0 0x7f2c01000010 0"); /* atomics are global */
    assert_int_equal(i.op, WARP_ATOMIC);
    assert_int_equal(i.space, SPACE_GLOBAL);
    assert_int_equal(i.addr[0], UINT64_C(0x7f2c01000010));
    i = only("0 ffffffff 1 R2 LDSM.16.M88.4 1 R4 4 1 0x0 16 0");
    assert_int_equal(i.op, WARP_SHARED);
    assert_int_equal(i.passes, 4);
    i = only("0 1 1 R2 ATOMG.E.ADD.F16 2 R4 R6 2 0 0x7f0000000012 0"); /* its word */
    assert_int_equal(i.addr[0], BASE + 0x10);
    assert_int_equal(only("0 1 1 R2 LDC 1 R4 4 0 0x160 0").op, WARP_ALU);
    assert_int_equal(only("0 1 1 R2 TEX.B.LL 1 R4 4 0 0x161 0").op, WARP_ALU);
}

/* Without the windows' addresses: local by its low 24 bits, generic is global. */
static void windows_unknown(void **state) {
    (void)state;
    struct one_block o;
    one_open(&o,
             "-kernel name = k\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n"
             "-accelsim tracer version = 3\n#\n" ONE_WARP(
                 "3") "0 1 1 R2 LDL 1 R1 4 0 0x7f2c01000010\n0 1 1 R2 LD 1 R1 4 0 0x10\n" EXIT END);
    struct warp_inst i = one_step(&o, 0);
    assert_int_equal(i.space, SPACE_LOCAL);
    assert_int_equal(i.addr[0], 0x10);
    i = one_step(&o, 0);
    assert_int_equal(i.op, WARP_LOAD);
    assert_int_equal(i.space, SPACE_GLOBAL);
    assert_exit(&o, 0);
    one_close(&o);
}

/* Instructions at one pc that begin alike. */
static void same_pc(void **state) {
    (void)state;
    struct one_block o;
    one_open(&o, V4 ONE_WARP("5") "0 1 1 R2 LDC 1 R4 1 0 0x0\n0 1 1 R2 LDC 1 R4 16 0 0x0\n"
                                  "0 1 1 R2 PRMT 1 R41 0\n0 1 1 R2 PRMT 1 R4 0\n" EXIT END);
    for (unsigned n = 0; n < 4; n++)
        assert_regs(one_step(&o, 0).src, regs(n == 2 ? 41 : 4, 1));
    assert_exit(&o, 0);
    one_close(&o);
}

/* Lines that begin alike are recognised by their text: each has its own mask and registers. */
static void recalled(void **state) {
    (void)state;
    static const char *const lines[] = {
        "0010 0000000f 1 R2 LDG.E 1 R4 4 1 0x7f0000000000 4 0",
        "0010 00000003 1 R2 LDG.E 1 R4 4 1 0x7f0000000000 4 0",
        "0010 0000000f 1 R3 LDG.E 1 R4 4 1 0x7f0000000000 4 0",
        "0010 0000000f 16 R10 R11 R12 R13 R14 R15 R16 R17 R18 R19 R20 R21 R22 R23 R24 R25 MOV 0 0"};
    static const unsigned order[] = {0, 1, 0, 0, 1, 1, 2, 0, 3, 3, 0, 2, 1, 3};
    char text[4096] = V4 ONE_WARP("15");
    struct one_block o;
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
        strcat(text, lines[order[i]]);
        strcat(text, "\n");
    }
    strcat(text, EXIT END);
    one_open(&o, text);
    for (size_t i = 0; i < sizeof order / sizeof order[0]; i++) {
        const struct warp_inst inst = one_step(&o, 0);
        assert_int_equal(inst.mask, order[i] == 1 ? 3 : 15);
        assert_int_equal(inst.op, order[i] == 3 ? WARP_ALU : WARP_LOAD);
        assert_regs(inst.dst, order[i] == 3 ? regs(10, 16) : regs(order[i] == 2 ? 3 : 2, 1));
    }
    assert_exit(&o, 0);
    one_close(&o);
}

/* Addresses of mode 1 that are not kept as they are read. */
static void strides(void **state) {
    (void)state;
    struct warp_inst i = only("0 ffffffff 1 R2 LDG.E 1 R4 4 1 0x7f0000001000 -128 0");
    assert_int_equal(i.addr[0], BASE + 0x1000);
    assert_int_equal(i.addr[31], BASE + 0x1000 - 31 * 128);
    i = only("0 7 1 R2 LDG.E 1 R4 4 1 0x10 8589934592 0"); /* more than 32 bits */
    assert_int_equal(i.addr[2], 0x10 + (UINT64_C(2) << 33));
    i = only("0 f 1 R2 ATOMG.E.ADD.F16 2 R4 R6 2 1 0x7f0000000010 2 0"); /* the words of each two */
    assert_int_equal(i.addr[1], BASE + 0x10);
    assert_int_equal(i.addr[3], BASE + 0x14);
    i = only("0 6 1 R2 LDL 1 R1 4 1 0x7f2c01000010 16 0");
    assert_int_equal(i.addr[1], 0x10);
    assert_int_equal(i.addr[2], 0x20);
}

/* LDGSTS comes twice: a global load without a register, a shared store. */
static void async_copy(void **state) {
    (void)state;
    struct warp_inst i =
        only("0 ffffffff 0 LDGSTS.E.BYPASS.LTC128B.128 2 R2 R4 16 1 0x7f0000000000 16 0");
    assert_int_equal(i.op, WARP_LOAD);
    assert_int_equal(i.size, 16);
    assert_true(i.skip_l1);
    assert_true(regs_none(&i.dst));
    assert_int_equal(i.addr[31], BASE + 16 * 31);
    i = only("0 ffffffff 0 LDGSTS.E.64 2 R2 R4 8 1 0x400 8 0");
    assert_int_equal(i.op, WARP_SHARED);
    assert_int_equal(i.passes, 2);
    assert_int_equal(only("0 1 0 LDGSTS.E 2 R2 R4 4 0 0x7f2c00000400 0").op, WARP_SHARED);
}

/* All lanes predicated off: an issue slot, no access. */
static void no_lanes(void **state) {
    (void)state;
    static const char *const lines[] = {
        "0 0 1 R2 LDG.E 1 R4 4 0 0", "0 0 1 R2 LDG.E 1 R4 4 1 0x0 0 0",
        "0 0 1 R2 LDG.E 1 R4 4 2 0x0 0", "0 0 1 R2 LDS 1 R4 4 1 0x0 0 0", "0 0 0 BAR.SYNC 0 0 0"};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        struct warp_inst inst = only(lines[i]);
        assert_int_equal(inst.op, WARP_ALU);
        assert_int_equal(inst.mask, 0);
    }
}

static void conflicts(void **state) {
    (void)state;
    uint64_t a[32];
    for (uint32_t size = 1; size <= 16; size *= 2)
        for (uint32_t stride = 0; stride <= 64; stride++) {
            /* Count it again, plainly: per group and bank the different words. */
            const uint32_t words = size > 4 ? size / 4 : 1, lanes = 32 / words;
            uint32_t want = 0;
            for (uint32_t l = 0; l < 32; l++)
                a[l] = (uint64_t)l * stride * size;
            for (uint32_t g = 0; g < 32; g += lanes) {
                uint32_t most = 0;
                for (uint32_t bank = 0; bank < 32; bank++) {
                    uint32_t n = 0;
                    for (uint64_t word = bank; word <= 32 * 64 * 4; word += 32) {
                        bool used = false;
                        for (uint32_t l = g; l < g + lanes; l++)
                            used |= word >= a[l] / 4 && word < a[l] / 4 + words;
                        n += used;
                    }
                    most = n > most ? n : most;
                }
                want += most;
            }
            assert_int_equal(banks_passes(UINT32_MAX, a, size), want);
        }
    /* What the rule says of the common cases. */
    const struct {
        uint32_t size, stride, passes;
    } known[] = {{4, 4, 1}, {4, 0, 1}, {4, 8, 2}, {4, 128, 32}, {1, 1, 1}, {8, 8, 2}, {16, 16, 4}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        for (uint32_t l = 0; l < 32; l++)
            a[l] = l * known[i].stride;
        assert_int_equal(banks_passes(UINT32_MAX, a, known[i].size), known[i].passes);
    }
    a[0] = 0;
    a[1] = 128;
    assert_int_equal(banks_passes(0x80000001, a, 4), 2);
    assert_int_equal(banks_passes(0x80000001, a, 16), 2); /* different quarters */
    assert_int_equal(banks_passes(0x3, a, 16), 2);
    a[1] = 64;
    assert_int_equal(banks_passes(0x3, a, 16), 1);
}

/* ---- Errors ---- */

static void refuse(unsigned line, const char *reason, const char *text, size_t size) {
    char err[TRACE_ERROR_MAX], place[32];
    struct traceg_block b = {0};
    struct traceg *t = open_bytes("t", text, size, err);
    if (t) {
        int got;
        while ((got = traceg_block(t, &b)) > 0)
            ;
        snprintf(err, sizeof err, "%s", got < 0 ? traceg_error(t) : "was taken");
        assert_int_equal(traceg_block(t, &b), got); /* stays so */
    }
    traceg_block_free(&b);
    traceg_close(t);
    snprintf(place, sizeof place, "t:%u: ", line);
    if (strncmp(err, place, strlen(place)) != 0 || !strstr(err, reason))
        fail_msg("expected '%s..%s', got '%s'", place, reason, err);
}

static void header_errors(void **state) {
    (void)state;
    static const struct {
        unsigned line;
        const char *reason, *text;
    } table[] = {
        {1, "expected '-key = value' or '#' in the header, not 'hello'", "hello\n"},
        {0, "the file is empty", ""},
        {1, "the header has no '-kernel name'", "#BEGIN_TB\n"},
        {2, "the header has no '-grid dim'", "-kernel name = k\n#BEGIN_TB\n"},
        {3, "the header has no '-block dim'", "-kernel name = k\n-grid dim = (1,1,1)\n#\n"},
        {3, "the file ends in the header",
         "-kernel name = k\n-grid dim = (1,1,1)\n-block dim = (1,1,1)\n"},
        {2, "-kernel name is given twice", "-kernel name = k\n-kernel name = k\n"},
        {1, "the kernel has no name", "-kernel name = \n"},
        {1, "expected (x,y,z), not '1,1,1'", "-grid dim = 1,1,1\n"},
        {1, "expected (x,y,z)", "-grid dim = (1,1\n"},
        {1, "expected (x,y,z)", "-grid dim = (1,1,1) x\n"},
        {1, "expected (x,y,z)", "-grid dim = (1,-1,1)\n"},
        {1, "expected (x,y,z)", "-grid dim = (1,1,99999999999)\n"},
        {1, "expected sizes above 0, not '(1,0,1)'", "-grid dim = (1,0,1)\n"},
        {1, "at most 2^40 blocks", "-grid dim = (4294967295,4294967295,4294967295)\n"},
        {1, "at most 2^40 blocks", "-grid dim = (1048576,1048576,2)\n"},
        {1, "at most 1024 threads, not '(1025,1,1)'", "-block dim = (1025,1,1)\n"},
        {1, "at most 1024 threads", "-block dim = (32,32,2)\n"},
        {1, "at most 1024 threads", "-block dim = (65536,65536,4294967295)\n"},
        {1, "expected a number up to 4294967295, not '4294967296'", "-shmem = 4294967296\n"},
        {1, "expected a number up to 4294967295, not '-1'", "-shmem = -1\n"},
        {1, "expected a number up to 256", "-nregs = 257\n"},
        {1, "expected a number up to 256", "-nregs = 99999999999999999999999999\n"},
        {1, "expected a hexadecimal address, not 'here'", "-shmem base_addr = here\n"},
        {1, "expected a hexadecimal address", "-local mem base_addr = 0x1ffffffffffffffff\n"},
        {1, "a tracer version from 1 to 5, not '6'", "-accelsim tracer version = 6\n"},
        {1, "a tracer version from 1 to 5, not '0'", "-accelsim tracer version = 0\n"},
        {1, "a tracer version from 1 to 5, not 'x'", "-accelsim tracer version = x\n"},
        {1, "expected a number up to 1, not '2'", "-enable lineinfo = 2\n"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        refuse(table[i].line, table[i].reason, table[i].text, strlen(table[i].text));
}

static void a_file_that_is_cut(void **state) {
    (void)state;
    static const char line[] = "-accelsim tracer version = x";
    refuse(1, "not 'x' (the file ends in this line)", line, strlen(line));
}

static void block_errors(void **state) {
    (void)state;
    static const struct {
        unsigned line;
        const char *reason, *text;
    } table[] = {
        {14, "expected #BEGIN_TB, not 'warp'", "warp = 0\n"},
        {13, "the file ends after 0 of 1 blocks", ""},
        {15, "expected 'thread block = x,y,z', not 'warp'", "#BEGIN_TB\nwarp = 0\n"},
        {15, "expected 'thread block = x,y,z'", "#BEGIN_TB\nthread block = 0,0\n"},
        {15, "block 1,0,0 is outside the grid of 1 x 1 x 1", "#BEGIN_TB\nthread block = 1,0,0\n"},
        {14, "the file ends in a block", "#BEGIN_TB\n"},
        {15, "the file ends in a block, without #END_TB", "#BEGIN_TB\nthread block = 0,0,0\n"},
        {16, "the file ends in a block", "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\n"},
        {16, "expected 'warp = w' or #END_TB, not 'insts'",
         "#BEGIN_TB\nthread block = 0,0,0\ninsts = 0\n"},
        {16, "warp 1 in a block of 32 threads", "#BEGIN_TB\nthread block = 0,0,0\nwarp = 1\n"},
        {17, "expected 'insts = n', not '0000'",
         "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\n0000 1 0 EXIT 0 0 0\n"},
        {17, "expected 'insts = n'", "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = -1\n"},
        {19, "warp 0 comes twice", ONE_WARP("1") EXIT "warp = 0\n"},
        {19, "warp 0 has 1 of 2 instructions", ONE_WARP("2") EXIT END},
        {18, "warp 0 has 1 of 999999999999999999 instructions",
         ONE_WARP("999999999999999999") EXIT},
        {17, "expected 'insts = n'", ONE_WARP("9999999999999999999999")},
        {19, "expected 'warp = w' or #END_TB, not '00f0'", ONE_WARP("1") EXIT EXIT END},
        {19, "an instruction behind the exit of all lanes", ONE_WARP("2") EXIT EXIT END},
        {20, "more blocks than the 1 of the grid", ONE_WARP("1") EXIT END "#BEGIN_TB\n"},
        {20, "expected #BEGIN_TB, not 'more'", ONE_WARP("1") EXIT END "more\n"},
    };
    char text[8192];
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        snprintf(text, sizeof text, V4 "%s", table[i].text);
        refuse(table[i].line, table[i].reason, text, strlen(text));
    }
    snprintf(text, sizeof text, "%s" ONE_WARP("1") EXIT END,
             HEADER_OF("4", "0", "(2,1,1)", "(32)"));
    refuse(4, "expected (x,y,z), not '(32)'", text, strlen(text));
    snprintf(text, sizeof text, "%s" ONE_WARP("1") EXIT END,
             HEADER_OF("4", "0", "(2,1,1)", "(32,1,1)"));
    refuse(19, "the file ends after 1 of 2 blocks", text, strlen(text));
    strcat(text, ONE_WARP("1") EXIT END);
    refuse(21, "block 0,0,0 comes twice", text, strlen(text));
}

static void instruction_errors(void **state) {
    (void)state;
    static const struct {
        const char *reason, *line;
    } table[] = {
        {"expected a hexadecimal pc, not 'xyz'", "xyz ffffffff 0 NOP 0 0 0"},
        {"expected a hexadecimal pc", "11112222333344445 ffffffff 0 NOP 0 0 0"},
        {"expected a mask of 32 lanes, not '1ffffffff'", "0 1ffffffff 0 NOP 0 0 0"},
        {"expected a mask of 32 lanes, but the line ends here", "0"},
        {"a number of registers up to 16, not '17'", "0 1 17 R1 R1 R1 R1 R1 R1 R1 R1 R1 NOP 0 0 0"},
        {"a number of registers up to 16, not 'R1'", "0 1 R1 NOP 0 0 0"},
        {"expected a register R0 to R255, not 'R256'", "0 1 1 R256 MOV 0 0 0"},
        {"expected a register R0 to R255, not 'P0'", "0 1 1 P0 MOV 0 0 0"},
        {"expected a register R0 to R255, but the line ends here", "0 1 0 MOV 2 R1"},
        {"expected an opcode, but the line ends here", "0 1 1 R1"},
        {"a width of 8, 16, 32, 64 or 128 bits, not 'LDG.E.256'",
         "0 1 1 R1 LDG.E.256 1 R2 32 0 0x0"},
        {"a width of 8, 16, 32, 64 or 128 bits, not 'LDG.24'", "0 1 1 R1 LDG.24 1 R2 4 0 0x0"},
        {"a width of 8, 16, 32, 64 or 128 bits", "0 1 1 R1 LDG.4294967328 1 R2 4 0 0x0"},
        {"expected the memory width, a number up to 1024, not '-4'", "0 1 1 R1 LDG 1 R2 -4 0 0x0"},
        {"expected the memory width", "0 1 0 NOP 0"},
        {"expected a memory width above 0 for this opcode", "0 1 1 R1 LDG.E 1 R2 0 0"},
        {"addresses of an opcode that is not known to access memory",
         "0 1 1 R1 LDX.E 1 R2 4 0 0x80"},
        {"expected an address mode, 0, 1 or 2, not '3'", "0 1 1 R1 LDG.E 1 R2 4 3 0x0"},
        {"expected an address mode, 0, 1 or 2, but the line ends here", "0 1 1 R1 LDG.E 1 R2 4"},
        {"expected a hexadecimal address, not '0xg'", "0 1 1 R1 LDG.E 1 R2 4 0 0xg"},
        {"expected a hexadecimal address, but the line ends here", "0 3 1 R1 LDG.E 1 R2 4 0 0x0"},
        {"expected a decimal distance, but the line ends here", "0 3 1 R1 LDG.E 1 R2 4 1 0x0"},
        {"expected a decimal distance, not '0x4'", "0 7 1 R1 LDG.E 1 R2 4 2 0x0 4 0x4"},
        {"address mode 1 with a mask 00000005 that is not one run",
         "0 5 1 R1 LDG.E 1 R2 4 1 0x0 4 0"},
        {"address 0x2 is not a multiple of the width of 4 B", "0 1 1 R1 LDG.E 1 R2 4 0 0x2 0"},
        {"address 0x2 is not a multiple of the width of 4 B", "0 3 1 R1 LDG.E 1 R2 4 1 0x0 2 0"},
        {"address 0x8 is not a multiple of the width of 16 B", "0 1 1 R1 LDS.128 1 R2 4 0 0x8 0"},
        {"address 0x800000000000 has more than 47 bits",
         "0 1 1 R1 LDG.E 1 R2 4 0 0x800000000000 0"},
        {"address 0x800000000000 has more than 47 bits",
         "0 3 1 R1 LDG.E 1 R2 4 1 0x7ffffffffffc 4 0"},
        {"address 0xfffffffffffffffc has more than 47 bits", "0 3 1 R1 LDG.E 1 R2 4 1 0x0 -4 0"},
        {"0x7f2c02000000 is outside the local window", "0 1 1 R1 LDL 1 R2 4 0 0x7f2c02000000 0"},
        {"expected the immediate, a number, not 'x'", "0 1 0 NOP 0 0 x"},
        {"expected the end of the line, not '7'", "0 1 0 NOP 0 0 0 7"},
    };
    char text[8192];
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        snprintf(text, sizeof text, V4 ONE_WARP("3") "0 ffffffff 0 NOP 0 0 0\n%s\n" EXIT END,
                 table[i].line);
        refuse(19, table[i].reason, text, strlen(text));
    }
    snprintf(text, sizeof text, "%s" ONE_WARP("1") "00f0 ffffffff 0 EXIT 0 0 0\n" END,
             HEADER_OF("4", "0", "(1,1,1)", "(31,1,1)"));
    refuse(18, "a mask of lanes that have a thread, not 'ffffffff'", text, strlen(text));
    snprintf(text, sizeof text,
             "%s" ONE_WARP("1") "00f0 ffffffff 0 EXIT 0 0 0\nwarp = 1\ninsts = 1\n"
                                "00f0 ffffffff 0 EXIT 0 0 0\n" END,
             HEADER_OF("4", "0", "(1,1,1)", "(63,1,1)"));
    refuse(21, "a mask of lanes that have a thread, not 'ffffffff'", text, strlen(text));
    snprintf(text, sizeof text, "%s" ONE_WARP("1") "x 00f0 ffffffff 0 EXIT 0 0 0\n" END,
             HEADER_OF("4", "1", "(1,1,1)", "(32,1,1)"));
    refuse(18, "expected a line number (lineinfo is on), not 'x'", text, strlen(text));
    snprintf(text, sizeof text, "%s" ONE_WARP("1") "0 0 0 1 00f0 ffffffff 0 EXIT 0 0\n" END,
             HEADER_OF("2", "0", "(1,1,1)", "(64,1,1)"));
    refuse(18, "the instruction is of block 0,0,0, warp 1", text, strlen(text));
    snprintf(text, sizeof text, "%s" ONE_WARP("1") EXIT END,
             HEADER_OF("2", "0", "(1,1,1)", "(32,1,1)"));
    refuse(18, "expected block x, y, z and warp", text, strlen(text));
}

static void odd_bytes(void **state) {
    (void)state;
    char *text = malloc(200000);
    int n = snprintf(text, 200000, V4 ONE_WARP("1") "0000 ffffffff 0 NOP");
    text[n] = '\0';
    memcpy(text + n + 1, " 0 0\n", 5);
    refuse(18, "expected an opcode, not 'NOP?'", text, (size_t)n + 6);
    memset(text, 'x', 200000);
    refuse(1, "line of more than 65536 bytes", text, 200000);
    memset(text, '-', 65537);
    text[65537] = '\n';
    refuse(1, "line of more than 65536 bytes", text, 65538);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(header_is_read),
        cmocka_unit_test(versions_and_modes),
        cmocka_unit_test(mode_0_with_holes),
        cmocka_unit_test(crlf_and_missing_last_line_end),
        cmocka_unit_test(long_files),
        cmocka_unit_test(xz_is_the_same),
        cmocka_unit_test(blocks_in_file_order),
        cmocka_unit_test(exits),
        cmocka_unit_test(operations),
        cmocka_unit_test(widths_and_registers),
        cmocka_unit_test(first_level_bypass),
        cmocka_unit_test(spaces),
        cmocka_unit_test(windows_unknown),
        cmocka_unit_test(same_pc),
        cmocka_unit_test(recalled),
        cmocka_unit_test(strides),
        cmocka_unit_test(async_copy),
        cmocka_unit_test(no_lanes),
        cmocka_unit_test(conflicts),
        cmocka_unit_test(header_errors),
        cmocka_unit_test(a_file_that_is_cut),
        cmocka_unit_test(block_errors),
        cmocka_unit_test(instruction_errors),
        cmocka_unit_test(odd_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
