// SPDX-License-Identifier: Apache-2.0
/* Tests the .traceg reader with hand-written traces of every variant of the format. */
#include "tests/trace/traceg_fixture.h"

/* ---- Format variants ---- */

static void header_is_read(void **state) {
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

/* Checks three loads, one with each address mode. */
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
    /* versions 4 and 5 have the immediate value, version 3 does not, and older versions have the
     * block and the warp */
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
    struct one_block o;
    one_open(&o, "-kernel name = k\r\n-grid dim = (1,1,1)\r\n-block dim = (32,1,1)\r\n"
                 "-accelsim tracer version = 3\r\n#\r\n#BEGIN_TB\r\nthread block = 0,0,0\r\n"
                 "warp = 0\r\ninsts = 1\r\n0000 ffffffff 0 EXIT 0 0\r\n#END_TB");
    assert_string_equal(traceg_header(o.t)->name, "k");
    assert_exit(&o, 0);
    one_close(&o);
}

/* Reads files in which some lines are longer than one read, with many short lines between them. */
static void long_files(void **state) {
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
    static const char text[] = V4 ONE_WARP("2") "0040 ffffffff 1 R6 LDG.E 1 R4 4 1 0x7f0000000000 "
                                                "4 0\n" EXIT END;
    uint8_t packed[4096];
    struct error err;
    size_t size = 0;
    assert_int_equal(lzma_easy_buffer_encode(6, LZMA_CHECK_CRC64, NULL, (const uint8_t *)text,
                                             sizeof text - 1, packed, &size, sizeof packed),
                     LZMA_OK);
    struct one_block o = {.t = open_bytes("k.traceg.xz", packed, size, &err)};
    assert_non_null(o.t);
    assert_int_equal(traceg_block(o.t, &o.b), 1);
    assert_int_equal(one_step(&o, 0).addr[31], BASE + 124);
    assert_exit(&o, 0);
    one_close(&o);
    /* a file may be cut off anywhere, and the error must say so */
    for (size_t cut = 6; cut < size; cut++) {
        struct traceg_block b = {0};
        struct traceg *t = open_bytes("k.traceg.xz", packed, cut, &err);
        if (t) {
            assert_int_equal(traceg_block(t, &b), -1);
            error_set(&err, "%s", traceg_error(t));
            traceg_block_free(&b);
            traceg_close(t);
        }
        if (!strstr(err.text, "xz: the file is cut off"))
            fail_msg("at %zu of %zu: %s", cut, size, err.text);
    }
    packed[size / 2] ^= 0x10;
    assert_null(open_bytes("k.traceg.xz", packed, size, &err));
    assert_non_null(strstr(err.text, "k.traceg.xz:"));
    assert_non_null(strstr(err.text, "damaged"));
    assert_null(open_bytes("k.traceg.xz", text, sizeof text - 1, &err));
    assert_string_equal(err.text, "k.traceg.xz: xz: the file is not in xz format");
}

/* ---- Blocks and warps ---- */

static void blocks_in_file_order(void **state) {
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
    /* one warp has no instructions, and one is left out */
    assert_int_equal(traceg_block(t, &b), 1);
    assert_int_equal(b.used, 0); /* the previous block has been removed */
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
    /* An EXIT of all lanes is arithmetic if the warp goes on; the last line ends the warp. */
    one_open(&o, V4 ONE_WARP("4") EXIT EXIT "0030 00000001 1 R2 MOV 0 0 0\n"
                                            "0040 00000001 0 EXIT 0 0 0\n" END);
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(one_step(&o, 0).op, WARP_ALU);
    assert_int_equal(one_step(&o, 0).op, WARP_EXIT);
    assert_int_equal(o.at[0], o.b.warp[0].end);
    assert_int_equal(traceg_odd(o.t)[ODD_EARLY_EXIT].times, 2);
    assert_int_equal(traceg_odd(o.t)[ODD_EARLY_EXIT].line, 19);
    one_close(&o);
    /* the warp ends without EXIT */
    one_open(&o, V4 ONE_WARP("1") "0000 ffffffff 1 R1 MOV 0 0 0\n" END);
    assert_int_equal(one_step(&o, 0).op, WARP_ALU);
    assert_exit(&o, 0);
    assert_exit(&o, 0);
    one_close(&o);
}

/* Checks a file whose CTAs have these coordinates; 'x': the CTA has an instruction. Returns the
 * number of CTAs that are taken as empty; `full` shows the CTAs that are not. */
static uint64_t left_out(const char *blocks, char full[8]) {
    char text[4096] = HEADER_OF("4", "0", "(4,1,1)", "(32,1,1)");
    struct traceg_block b = {0};
    for (const char *c = blocks; *c; c += 2) {
        char *end = text + strlen(text);
        sprintf(end, "#BEGIN_TB\nthread block = %c,0,0\n%s" END, c[0],
                c[1] == 'x' ? "warp = 0\ninsts = 1\n" EXIT : "warp = 0\ninsts = 0\n");
    }
    struct traceg *t = open_text(text);
    memset(full, 0, 8);
    for (unsigned i = 0; traceg_block(t, &b) > 0; i++)
        full[i] = b.used ? 'x' : '-';
    assert_string_equal(traceg_error(t), "");
    const uint64_t n = traceg_odd(t)[ODD_EMPTY_BLOCK].times;
    traceg_block_free(&b);
    traceg_close(t);
    return n;
}

/* Post-processing leaves out CTAs without instructions, or repeats 0,0,0 for them. */
static void blocks_left_out(void **state) {
    static const struct {
        const char *blocks, *full;
        unsigned n;
    } table[] = {{"0x1x2x3x", "xxxx", 0}, {"0x2x3x", "xxx-", 1},   {"0x1x", "xx--", 2},
                 {"3x1x0x", "xxx-", 1},   {"0x0-2x3x", "x-xx", 1}, {"0x1-2x3x", "x-xx", 0}};
    for (unsigned i = 0; i < sizeof table / sizeof *table; i++) {
        char full[8];
        assert_int_equal(left_out(table[i].blocks, full), table[i].n);
        assert_string_equal(full, table[i].full);
    }
}

/* ---- Opcodes ---- */

static void operations(void **state) {
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
    static const struct {
        const char *line;
        unsigned size, /* bytes per lane */
            dst,       /* number of destination registers, from R20 on */
            src;       /* number of source registers, from R40 on */
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
    /* the registers are 252 to 254, followed by RZ */
    assert_regs(only("0 1 1 R252 LDG.E.128 1 R2 16 0 0x0 0").dst, regs(252, 3));
}

static void first_level_bypass(void **state) {
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
    struct warp_inst i = only("0 3 1 R2 LDL 1 R1 4 0 0x7f2c01000010 0x7f2c01000020 0");
    assert_int_equal(i.op, WARP_LOAD);
    assert_int_equal(i.space, SPACE_LOCAL);
    assert_int_equal(i.addr[0], 0x10);
    assert_int_equal(i.addr[1], 0x20);
    i = only("0 3 0 STL.64 2 R1 R2 8 1 0xfffd10 0 0"); /* an offset, folded into 512 KiB */
    assert_int_equal(i.op, WARP_STORE);
    assert_int_equal(i.space, SPACE_LOCAL);
    assert_int_equal(i.addr[1], 0x7fd10);
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
    i = only("0 1 1 R2 ATOM.E.ADD 2 R4 R6 4 0 0x7f2c01000010 0"); /* atomics access global memory */
    assert_int_equal(i.op, WARP_ATOMIC);
    assert_int_equal(i.space, SPACE_GLOBAL);
    assert_int_equal(i.addr[0], UINT64_C(0x7f2c01000010));
    i = only("0 ffffffff 1 R2 LDSM.16.M88.4 1 R4 4 1 0x0 16 0");
    assert_int_equal(i.op, WARP_SHARED);
    assert_int_equal(i.passes, 4);
    i = only("0 1 1 R2 ATOMG.E.ADD.F16 2 R4 R6 2 0 0x7f0000000012 0"); /* the access is to the word
                                                                          that contains the value */
    assert_int_equal(i.addr[0], BASE + 0x10);
    assert_int_equal(only("0 1 1 R2 LDC 1 R4 4 0 0x160 0").op, WARP_ALU);
    assert_int_equal(only("0 1 1 R2 TEX.B.LL 1 R4 4 0 0x161 0").op, WARP_ALU);
}

/* If the addresses of the windows are unknown, only the low 24 bits of a local address are used,
 * and a generic address is global. */
static void windows_unknown(void **state) {
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

/* Reads instructions at one pc whose lines begin alike. */
static void same_pc(void **state) {
    struct one_block o;
    one_open(&o, V4 ONE_WARP("5") "0 1 1 R2 LDC 1 R4 1 0 0x0\n0 1 1 R2 LDC 1 R4 16 0 0x0\n"
                                  "0 1 1 R2 PRMT 1 R41 0\n0 1 1 R2 PRMT 1 R4 0\n" EXIT END);
    for (unsigned n = 0; n < 4; n++)
        assert_regs(one_step(&o, 0).src, regs(n == 2 ? 41 : 4, 1));
    assert_exit(&o, 0);
    one_close(&o);
}

/* Lines that begin alike are recognized by their text. Each has its own mask and registers. */
static void recalled(void **state) {
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

/* Tests addresses in mode 1, which are converted when they are read. */
static void strides(void **state) {
    struct warp_inst i = only("0 ffffffff 1 R2 LDG.E 1 R4 4 1 0x7f0000001000 -128 0");
    assert_int_equal(i.addr[0], BASE + 0x1000);
    assert_int_equal(i.addr[31], BASE + 0x1000 - 31 * 128);
    i = only("0 7 1 R2 LDG.E 1 R4 4 1 0x10 8589934592 0"); /* the stride has more than 32 bits */
    assert_int_equal(i.addr[2], 0x10 + (UINT64_C(2) << 33));
    /* two lanes share a word */
    i = only("0 f 1 R2 ATOMG.E.ADD.F16 2 R4 R6 2 1 0x7f0000000010 2 0");
    assert_int_equal(i.addr[1], BASE + 0x10);
    assert_int_equal(i.addr[3], BASE + 0x14);
    i = only("0 6 1 R2 LDL 1 R1 4 1 0x7f2c01000010 16 0");
    /* a stack at the end of the window, by its offset and by its generic address */
    assert_int_equal(only("0 1 1 R1 LDL.LU 1 R1 4 1 0xfff72c 0").addr[0], 0x7f72c);
    assert_int_equal(only("0 1 0 ST 2 R4 R6 4 0 0x7f2c01fffc40 0").addr[0], 0x7fc40);
    i = only("0 6 1 R2 LDL 1 R1 4 1 0x7f2c01000010 16 0");
    assert_int_equal(i.addr[1], 0x10);
    assert_int_equal(i.addr[2], 0x20);
}

/* Each lane of a generic access goes to the memory of its window. */
static void mixed_windows(void **state) {
    struct one_block o;
    one_open(&o, V4 ONE_WARP("3") "0 0000000f 1 R2 LD.E.64 1 R4 8 0 "
                                  "0x7f2c00000008 0x7f0000000010 0x7f2c01000018 0x7f2c00000020 0\n"
                                  "0 ffffffff 0 ST.E 2 R4 R6 4 1 0x7f2bffffffc0 4 0\n" EXIT END);
    static const struct {
        uint32_t mask, op, space;
    } want[] = {{2, WARP_LOAD, SPACE_GLOBAL},
                {9, WARP_SHARED, SPACE_GLOBAL},
                {4, WARP_LOAD, SPACE_LOCAL},
                {0xffff, WARP_STORE, SPACE_GLOBAL},
                {0xffff0000, WARP_SHARED, SPACE_GLOBAL}};
    static const uint64_t addr[] = {BASE + 0x10, 0, 0x18, UINT64_C(0x7f2bffffffc0), 0};
    for (unsigned i = 0; i < sizeof want / sizeof *want; i++) {
        const struct warp_inst inst = one_step(&o, 0);
        assert_int_equal(inst.mask, want[i].mask);
        assert_int_equal(inst.op, want[i].op);
        assert_int_equal(inst.space, want[i].space);
        assert_regs(inst.dst, i < 3 ? regs(2, 2) : regs(0, 0));
        if (addr[i])
            assert_int_equal(inst.addr[__builtin_ctz(inst.mask)], addr[i]);
    }
    assert_exit(&o, 0);
    one_close(&o);
    /* an atomic has two spaces: local memory is global to it */
    one_open(&o, V4 ONE_WARP("2") "0 3 1 R2 ATOM.E.ADD 2 R4 R6 4 0 0x7f2c00000010 0x7f2c01000010 "
                                  "0\n" EXIT END);
    assert_int_equal(one_step(&o, 0).op, WARP_ATOMIC);
    assert_int_equal(one_step(&o, 0).op, WARP_SHARED);
    assert_exit(&o, 0);
    one_close(&o);
    /* lanes so far apart that both windows lie between two of them */
    one_open(&o, V4 ONE_WARP("2") "0 7 1 R2 LD.E 1 R4 4 1 0x7f2bf0000000 268435456 0\n" EXIT END);
    assert_int_equal(one_step(&o, 0).mask, 5);
    assert_int_equal(one_step(&o, 0).mask, 2);
    assert_exit(&o, 0);
    one_close(&o);
}

/* Addresses that are no multiples of the width are rounded down and counted. */
static void unaligned(void **state) {
    struct one_block o;
    one_open(&o, V4 ONE_WARP("5") "0 1 1 R2 LDG.E 1 R4 4 0 0x7f0000000010 0\n"
                                  "0 f 1 R2 LDG.E.64 1 R4 8 1 0x7f0000000014 6 0\n"
                                  "0 1 1 R2 LDL.64 1 R1 8 0 0xfff72c 0\n"
                                  "0 3 1 R2 LDS.128 1 R1 16 0 0x8 0x18 0\n" EXIT END);
    assert_int_equal(one_step(&o, 0).addr[0], BASE + 0x10);
    const struct warp_inst i = one_step(&o, 0);
    assert_int_equal(i.addr[0], BASE + 0x10);
    assert_int_equal(i.addr[1], BASE + 0x18);
    assert_int_equal(i.addr[3], BASE + 0x20);
    assert_int_equal(one_step(&o, 0).addr[0], 0x7f728);
    assert_int_equal(one_step(&o, 0).passes, 1);
    assert_exit(&o, 0);
    assert_int_equal(traceg_odd(o.t)[ODD_UNALIGNED].times, 3);
    assert_int_equal(traceg_odd(o.t)[ODD_UNALIGNED].line, 19);
    one_close(&o);
}

static void immediates(void **state) {
    only("0 1 0 NOP 0 0 18446744073709551615");
    only("0 1 0 NOP 0 0 -9223372036854775808");
    only("0 1 0 NOP 0 0 0xffffffffffffffff");
}

#define V6                                                                                         \
    "-kernel name = k\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-accelsim tracer version = "    \
    "6\n#\n"

/* Lines of tracer version 6: clusters, uniform registers and predicates, commit groups, bulk copies
 * with their bytes, two immediates, and values of registers. */
static void version_6(void **state) {
    struct one_block o;
    one_open(&o,
             V6 "#BEGIN_TB\nthread block = 0,0,0\ncluster id = 0,0,0\ncluster cta = 0,0,0\n"
                "cluster rank = 0\nwarp = 0\ninsts = 8\n"
                "0 ffffffff 1 UR4 UMOV 2 UP1 P0 0 7 9 NoVal\n"
                "10 ffffffff 1 R2 LDG.E.64 2 R4 UR6 8 1 0x7f0000000000 8 0 0 Val 1 5 1 0x2 32 x\n"
                "20 ffffffff 1 R24 HGMMA.64x128x16.F32 1 UR4 1 0 0\n"
                "30 1 0 UTMALDG.2D 1 UR8 16 0x40 0 8192 128 4 0x7f0000000000 3 128 -64 0 0\n"
                "40 1 0 UBLKCP.S.G 1 UR8 16 0x40 1 0xf 4096 0 3 2 0x7f0000000000 0x7f0000000080\n"
                "50 1 0 UTMAPF.L2.2D 1 UR8 16 0 0 64 0 4 0x7f0000000000 0 0\n"
                "60 ffffffff 0 BAR.SYNC 0 0 1 64\n" EXIT END);
    const struct warp_inst uniform = one_step(&o, 0);
    assert_true(regs_none(&uniform.dst) && regs_none(&uniform.src));
    const struct warp_inst load = one_step(&o, 0);
    assert_int_equal(load.op, WARP_LOAD);
    assert_int_equal(load.addr[1], BASE + 8);
    assert_int_equal(load.src.w[0], 1u << 4);
    for (unsigned i = 0; i < 4; i++)
        assert_int_equal(one_step(&o, 0).op, WARP_ALU);
    assert_int_equal(one_step(&o, 0).op, WARP_BARRIER);
    assert_exit(&o, 0);
    assert_int_equal(traceg_odd(o.t)[ODD_BULK].times, 2);
    assert_int_equal(traceg_odd(o.t)[ODD_BULK].bytes, 8192 + 4096);
    one_close(&o);
}

/* Bulk copies before tracer version 6: lists of addresses, or those of lanes. Two immediates. */
static void bulk_of_version_5(void **state) {
    struct one_block o;
    one_open(&o, V4 ONE_WARP(
                     "4") "0 1 0 UTMALDG.2D 2 R4 UR5 16 3 3 0x7f0000000000 0x7f0000000080 0x10 0\n"
                          "10 1 0 UTMALDG.2D 2 R4 R5 16 4 0x7f0000000000 2 128 0 9\n"
                          "20 3 0 UBLKCP.S.G 1 R8 4 1 0x7f0000000000 16 0\n" EXIT END);
    for (unsigned i = 0; i < 3; i++)
        assert_int_equal(one_step(&o, 0).op, WARP_ALU);
    assert_exit(&o, 0);
    assert_int_equal(traceg_odd(o.t)[ODD_BULK].times, 3);
    assert_int_equal(traceg_odd(o.t)[ODD_BULK].bytes, 3 * 16 + 2 * 16 + 2 * 4);
    one_close(&o);
}

/* A number of registers that no GPU has is unknown; the instructions show how many there are. */
static void odd_registers(void **state) {
    static const char *const numbers[] = {"257", "21955", "-1", "18446744073709551615"};
    for (unsigned i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        char text[4096];
        struct one_block o;
        snprintf(text, sizeof text,
                 "-nregs = %s\n-kernel name = k\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n"
                 "-accelsim tracer version = 4\n#\n" ONE_WARP(
                     "2") "0 1 1 R20 LDG.E.128 1 R4 16 0 0x0 0\n" EXIT END,
                 numbers[i]);
        one_open(&o, text);
        assert_int_equal(traceg_header(o.t)->regs, 0);
        const struct traceg_odd *odd = &traceg_odd(o.t)[ODD_REGISTERS];
        assert_string_equal(odd->opcode + strlen("-nregs = "), numbers[i]);
        assert_int_equal(odd->line, 1);
        assert_int_equal(traceg_registers(o.t), 24);
        one_close(&o);
    }
}

/* The first unknown line of the header is kept for a warning; known lines that are not used are not
 * counted. */
static void odd_header(void **state) {
    struct one_block o;
    one_open(&o, "-kernel id = 1\n-binary version = 70\n-cuda stream id = 0\n-nvbit version = 1.5\n"
                 "-f\xc3\xa4o = bar\n-kernel name = k\n-grid dim = (1,1,1)\n"
                 "-block dim = (32,1,1)\n-bar\n-accelsim tracer version = 4\n#\n" ONE_WARP("1")
                     EXIT END);
    assert_int_equal(traceg_odd(o.t)[ODD_HEADER].times, 2);
    assert_int_equal(traceg_odd(o.t)[ODD_HEADER].line, 5);
    assert_string_equal(traceg_odd(o.t)[ODD_HEADER].opcode, "-f??o");
    one_close(&o);
}

/* The last #END_TB may be missing if all instructions are there. */
static void open_end(void **state) {
    struct one_block o;
    one_open(&o, V4 ONE_WARP("1") EXIT);
    assert_int_equal(traceg_odd(o.t)[ODD_OPEN_END].line, 18);
    one_close(&o);
    one_open(&o, V4 ONE_WARP("1") "00f0 ffffffff 0 EXIT 0 0 0");
    assert_int_equal(traceg_odd(o.t)[ODD_OPEN_END].line, 18);
    one_close(&o);
    struct traceg_block b = {0};
    struct traceg *t = open_text(V4 ONE_WARP("1") "00f0 ffffffff 0 NOP 0 0 0"); /* perhaps cut */
    assert_int_equal(traceg_block(t, &b), -1);
    assert_string_equal(traceg_error(t), "t:18: the file ends inside a block, without #END_TB (the "
                                         "file ends in this line)");
    traceg_block_free(&b);
    traceg_close(t);
}

/* LDGSTS becomes two instructions: a global load without a register, and a shared store. */
static void async_copy(void **state) {
    struct warp_inst i =
        only("0 ffffffff 0 LDGSTS.E.BYPASS.LTC128B.128 2 R2 R4 16 1 0x7f0000000000 16 0");
    assert_int_equal(i.op, WARP_LOAD);
    assert_int_equal(i.size, 16);
    assert_true(i.skip_l1);
    assert_true(regs_none(&i.dst));
    assert_int_equal(i.addr[31], BASE + 16 * 31);
    assert_int_equal(i.async, ASYNC_COPY);
    i = only("0 ffffffff 0 LDGSTS.E.64 2 R2 R4 8 1 0x400 8 0");
    assert_int_equal(i.op, WARP_SHARED);
    assert_int_equal(i.passes, 2);
    assert_int_equal(i.async, ASYNC_COPY);
    assert_int_equal(i.addr[31], 0x400 + 8 * 31);
    assert_int_equal(only("0 1 0 LDGSTS.E 2 R2 R4 4 0 0x7f2c00000400 0").op, WARP_SHARED);
    assert_int_equal(only("0 0 0 LDGSTS.E 2 R2 R4 4 1 0x0 0 0").async, ASYNC_NONE);
}

/* DEPBAR waits for all groups of copies but the last N, which is the line's immediate. */
static void async_groups(void **state) {
    static const struct {
        const char *end;
        uint32_t keep;
    } table[] = {{"", 0},     {" 0", 0},  {" 1", 1},   {" 63", 63},    {" 64", 63},
                 {" 0x1", 1}, {" -1", 0}, {" 0 2", 2}, {" 3 Val 7", 3}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        char line[100];
        snprintf(line, sizeof line, "0 ffffffff 0 DEPBAR.LE 0 0%s", table[i].end);
        const struct warp_inst inst = only(line);
        assert_int_equal(inst.op, WARP_ALU);
        assert_int_equal(inst.async, ASYNC_WAIT);
        assert_int_equal(inst.keep, table[i].keep);
        assert_int_equal(inst.passes, 1);
    }
    const struct warp_inst inst = only("0 ffffffff 0 LDGDEPBAR 0 0 1");
    assert_int_equal(inst.op, WARP_ALU);
    assert_int_equal(inst.async, ASYNC_CLOSE);
    assert_int_equal(only("0 0 0 DEPBAR.LE 0 0 5").async, ASYNC_NONE);
    assert_int_equal(only("0 0 0 LDGDEPBAR 0 0 0").async, ASYNC_NONE);
    assert_int_equal(only("0 ffffffff 0 NOP 0 0 1").async, ASYNC_NONE);
}

/* If all lanes are predicated off, the instruction uses an issue slot and makes no access. */
static void no_lanes(void **state) {
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
    uint64_t a[32];
    for (uint32_t size = 1; size <= 16; size *= 2)
        for (uint32_t stride = 0; stride <= 64; stride++) {
            /* computes the reference: the number of different words per group and bank */
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
    /* the common cases of the rule */
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
    /* the two lanes are in different quarters */
    assert_int_equal(banks_passes(0x80000001, a, 16), 2);
    assert_int_equal(banks_passes(0x3, a, 16), 2);
    a[1] = 64;
    assert_int_equal(banks_passes(0x3, a, 16), 1);
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
        cmocka_unit_test(version_6),
        cmocka_unit_test(bulk_of_version_5),
        cmocka_unit_test(blocks_left_out),
        cmocka_unit_test(operations),
        cmocka_unit_test(widths_and_registers),
        cmocka_unit_test(first_level_bypass),
        cmocka_unit_test(spaces),
        cmocka_unit_test(windows_unknown),
        cmocka_unit_test(same_pc),
        cmocka_unit_test(recalled),
        cmocka_unit_test(strides),
        cmocka_unit_test(mixed_windows),
        cmocka_unit_test(unaligned),
        cmocka_unit_test(immediates),
        cmocka_unit_test(odd_registers),
        cmocka_unit_test(odd_header),
        cmocka_unit_test(open_end),
        cmocka_unit_test(async_copy),
        cmocka_unit_test(async_groups),
        cmocka_unit_test(no_lanes),
        cmocka_unit_test(conflicts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
