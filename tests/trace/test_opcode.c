// SPDX-License-Identifier: Apache-2.0
/* Tests what each class of opcodes means: operation, space, size, registers, and what is odd.
 * tier: test, 1 s */
#include "tests/trace/traceg_fixture.h"

static struct opcode find(const char *text) {
    struct opcode o;
    opcode_find(text, strlen(text), &o);
    return o;
}

/* ---- The table ---- */

/* Words are sorted, each is found, and a longer one is not. */
static void every_word_is_known(void **state) {
    static const char *const words[] = {
#define OPCODE_CLASS(name, op, space, unit, marks, model)
#define OPCODE(word, name) #word,
#include "trace/opcode.def"
#undef OPCODE_CLASS
#undef OPCODE
    };
    const size_t n = sizeof words / sizeof words[0];
    assert_true(n > 300);
    for (size_t i = 0; i < n; i++) {
        char longer[32];
        if (find(words[i]).odd == ODD_UNKNOWN)
            fail_msg("%s is not found", words[i]);
        if (i > 0 && strcmp(words[i - 1], words[i]) >= 0)
            fail_msg("%s is not after %s", words[i], words[i - 1]);
        snprintf(longer, sizeof longer, "%s_", words[i]);
        assert_int_equal(find(longer).odd, ODD_UNKNOWN);
    }
}

static void classes(void **state) {
    static const struct {
        const char *text;
        uint8_t op, space, size, odd;
    } table[] = {
        {"LDG.E", WARP_LOAD, OPCODE_GLOBAL, 4, ODD_NONE},
        {"LDGMC.E.ADD.F32x4.RN", WARP_LOAD, OPCODE_GLOBAL, 16, ODD_NONE},
        {"LDU.E.64", WARP_LOAD, OPCODE_GENERIC, 8, ODD_NONE},
        {"STG.E.U8", WARP_STORE, OPCODE_GLOBAL, 1, ODD_NONE},
        {"REDG.E.ADD.F16x2.RN.STRONG.GPU", WARP_ATOMIC, OPCODE_GLOBAL, 4, ODD_NONE},
        {"LDSLK", WARP_SHARED, OPCODE_SHARED, 4, ODD_NONE},
        {"STSCUL.64", WARP_SHARED, OPCODE_SHARED, 8, ODD_NONE},
        {"REDS.ADD", WARP_SHARED, OPCODE_SHARED, 4, ODD_NONE},
        {"SYNCS.EXCH.64", WARP_SHARED, OPCODE_SHARED, 8, ODD_NONE},
        {"SYNCS.PHASECHK.TRANS64.TRYWAIT", WARP_SHARED, OPCODE_SHARED, 4, ODD_NONE},
        {"ARRIVES.LDGSTSBAR.64", WARP_SHARED, OPCODE_SHARED, 8, ODD_NONE},
        {"STAS.128", WARP_SHARED, OPCODE_SHARED, 16, ODD_REMOTE},
        {"REDAS.ADD", WARP_SHARED, OPCODE_SHARED, 4, ODD_REMOTE},
        {"SULDGA.CA.32", WARP_LOAD, OPCODE_GENERIC, 4, ODD_NONE},
        {"SUSTGA", WARP_STORE, OPCODE_GENERIC, 4, ODD_NONE},
        {"USTGR", WARP_STORE, OPCODE_GLOBAL, 4, ODD_NONE},
        {"UREDGR.ADD.64", WARP_ATOMIC, OPCODE_GLOBAL, 8, ODD_NONE},
        {"RRO.SINCOS", WARP_SFU, OPCODE_NO_ACCESS, 0, ODD_NONE},
        {"DMNMX", WARP_FP64, OPCODE_NO_ACCESS, 0, ODD_NONE},
        {"UTMALDG.2D", WARP_ALU, OPCODE_NO_ACCESS, 0, ODD_BULK},
        {"UTMASTG.5D.IM2COL", WARP_ALU, OPCODE_NO_ACCESS, 0, ODD_BULK},
        {"UBLKCP.S.G", WARP_ALU, OPCODE_NO_ACCESS, 0, ODD_BULK},
        {"UTMAPF.L2.2D", WARP_ALU, OPCODE_NO_ACCESS, 0, ODD_NONE},
        {"UTMACCTL.PF", WARP_ALU, OPCODE_NO_ACCESS, 0, ODD_NONE},
        {"QSPC.E.S", WARP_ALU, OPCODE_NO_ACCESS, 0, ODD_NONE},
        {"FENCE.VIEW.ASYNC.S", WARP_ALU, OPCODE_NO_ACCESS, 0, ODD_NONE},
        {"LDTM.x32", WARP_ALU, OPCODE_NO_ACCESS, 0, ODD_NONE},
        {"UTCHMMA.2CTA", WARP_ALU, OPCODE_NO_ACCESS, 0, ODD_NONE},
        {"HGMMA.64x128x16.F32", WARP_ALU, OPCODE_NO_ACCESS, 0, ODD_NONE},
        {"SUATOM.P.2D.ADD", WARP_ALU, OPCODE_NO_ACCESS, 0, ODD_NONE},
        {"REDUX.SUM", WARP_ALU, OPCODE_NO_ACCESS, 0, ODD_NONE},
        {"XMAD.MRG", WARP_ALU, OPCODE_NO_ACCESS, 0, ODD_NONE},
        {"UIADD3.64", WARP_ALU, OPCODE_NO_ACCESS, 0, ODD_NONE},
        {"BAR.ARV", WARP_ALU, OPCODE_NO_ACCESS, 0, ODD_NONE},
        {"LDX.E.64", WARP_ALU, OPCODE_NO_ACCESS, 0, ODD_UNKNOWN},
        {".E", WARP_ALU, OPCODE_NO_ACCESS, 0, ODD_UNKNOWN},
        {"ldg", WARP_ALU, OPCODE_NO_ACCESS, 0, ODD_UNKNOWN},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const struct opcode o = find(table[i].text);
        if (o.op != table[i].op || o.space != table[i].space || o.size != table[i].size ||
            o.odd != table[i].odd)
            fail_msg("%s: op %u, space %u, %u B, odd %u", table[i].text, o.op, o.space, o.size,
                     o.odd);
    }
}

/* A width that the model does not have becomes the next one, or the largest. */
static void widths(void **state) {
    static const struct {
        const char *text;
        uint8_t size, odd, registers;
    } table[] = {
        {"LDG.E.ENL2.256", 32, ODD_NONE, 4},
        {"STG.E.ENL2.256", 32, ODD_NONE, 4},
        {"LDG.E.96", 16, ODD_WIDTH, 4},
        {"LDG.24", 4, ODD_WIDTH, 1},
        {"LDG.512", 32, ODD_WIDTH, 4},
        {"LDG.4294967328", 32, ODD_WIDTH, 4},
        {"LDG.4", 1, ODD_WIDTH, 1},
        {"LDS.256", 16, ODD_WIDTH, 4},
        {"LD.E.256", 16, ODD_WIDTH, 4},
        {"LDL.96", 16, ODD_WIDTH, 4},
        {"ATOMG.E.CAS.16", 4, ODD_NONE, 1},
        {"ATOMG.E.EXCH.128", 8, ODD_WIDTH, 2},
        {"ATOMG.E.ADD.BF16x4.RN", 8, ODD_NONE, 2},
        {"ATOMG.E.ADD.96", 8, ODD_WIDTH, 2},
        {"LDG.E.LTC128B.128", 16, ODD_NONE, 4},
        {"LDG.E.16x", 4, ODD_NONE, 1},
        {"LDSM.16.M88.2", 16, ODD_NONE, 2},
        {"LDG.F32x99999999", 32, ODD_WIDTH, 4},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const struct opcode o = find(table[i].text);
        if (o.size != table[i].size || o.odd != table[i].odd || o.dst_regs != table[i].registers)
            fail_msg("%s: %u B, odd %u, %u registers", table[i].text, o.size, o.odd, o.dst_regs);
    }
}

/* ---- Lines ---- */

/* Opens a trace of one warp of n instructions: these lines and an EXIT. */
static const struct traceg_odd *odd_in(struct one_block *o, unsigned n, const char *lines) {
    char text[8192];
    snprintf(text, sizeof text,
             V4 "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = %u\n%s" EXIT END, n, lines);
    one_open(o, text);
    return traceg_odd(o->t);
}

static void odd_instructions_are_counted(void **state) {
    struct one_block o;
    const struct traceg_odd *odd =
        odd_in(&o, 10,
               "0 1 0 FOO.A 0 0\n0 3 0 BAZ 1 R2 4 0 0x0 0x8\n0 1 0 FOO.B 0 0\n"
               "0 1 0 UTMALDG.2D 1 R2 16 0 0x10\n0 0 0 UBLKCP.S.G 1 R2 0\n"
               "0 1 0 FADD 1 R2 4 0 0x1\n0 1 0 SYNCS.ARRIVE 1 R2 0\n"
               "0 3 1 R2 LDG.E.96 1 R4 12 0 0xc 0x18\n0 1 0 REDAS.ADD 1 R2 4 0 0x8\n");
    static const struct {
        unsigned i;
        const char *text;
        uint64_t count, line;
    } table[] = {{ODD_UNKNOWN, "FOO.A", 2, 18},     {ODDITIES, "BAZ", 1, 19},
                 {ODD_BULK, "UTMALDG.2D", 2, 21},   {ODD_STRAY, "FADD", 1, 23},
                 {ODD_BARE, "SYNCS.ARRIVE", 1, 24}, {ODD_WIDTH, "LDG.E.96", 1, 25},
                 {ODD_REMOTE, "REDAS.ADD", 1, 26}};
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        const struct traceg_odd *got = &odd[table[i].i];
        assert_string_equal(got->opcode, table[i].text);
        assert_int_equal(got->times, table[i].count);
        assert_int_equal(got->line, table[i].line);
    }
    assert_int_equal(odd[ODD_BULK].bytes, 16);
    assert_int_equal(odd[ODD_UNALIGNED].times, 0);
    char text[128];
    trace_odd_print(ODD_BULK, &odd[ODD_BULK], text, sizeof text);
    assert_string_equal(text, "'UTMALDG.2D' is a bulk copy, taken as arithmetic");
    one_close(&o);
}

/* A kernel with more unknown opcodes than are counted one by one. */
static void many_unknown_opcodes(void **state) {
    char lines[4096] = "";
    const unsigned many = ODD_UNKNOWN_MAX + 5;
    for (unsigned i = 0, at = 0; i < many; i++)
        at += (unsigned)snprintf(lines + at, sizeof lines - at, "%x0 1 0 FOO%u 0 0\n", i, i);
    struct one_block o;
    const struct traceg_odd *odd = odd_in(&o, many + 1, lines);
    const struct traceg_odd *rest = &odd[ODD_ENTRIES - 1];
    assert_int_equal(rest->times, 5);
    assert_string_equal(rest->opcode, "FOO16, ..");
    one_close(&o);
}

static void accesses(void **state) {
    struct warp_inst i = only("0 3 1 R8 LDG.E.ENL2.256 1 R2 32 0 0x7f0000000020 0x7f0000000060 0");
    assert_int_equal(i.op, WARP_LOAD);
    assert_int_equal(i.size, 32);
    assert_int_equal(i.addr[1], BASE + 0x60);
    /* Addresses that are no multiples of 32 B are rounded down. */
    i = only("0 ffffffff 1 R8 LDG.E.ENL2.256 1 R2 32 1 0x7f0000000000 16 0");
    assert_int_equal(i.addr[3], BASE + 0x20);
    i = only("0 1 1 R8 LDG.E.96 1 R2 12 0 0x7f000000000c 0");
    assert_int_equal(i.size, 16);
    assert_int_equal(i.addr[0], BASE);
    /* An instruction of uniform registers is one access. */
    i = only("0 ffffffff 0 UREDGR.ADD 1 R2 4 1 0x7f0000000000 0 0");
    assert_int_equal(i.op, WARP_ATOMIC);
    assert_int_equal(i.mask, 1);
    i = only(
        "0 fffffff0 0 USTGR.64 1 R2 8 2 0x7f0000000040 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 "
        "0 0 0 0 0 0");
    assert_int_equal(i.op, WARP_STORE);
    assert_int_equal(i.mask, 0x10);
    assert_int_equal(i.addr[4], BASE + 0x40);
    /* Without addresses they are arithmetic. */
    assert_int_equal(only("0 1 0 SYNCS.ARRIVE.TRANS64 1 R2 0 0").op, WARP_ALU);
    assert_int_equal(only("0 1 1 R2 SULDGA 1 R4 0 0").op, WARP_ALU);
    i = only("0 ffffffff 0 SYNCS.EXCH.64 1 R8 8 1 0x7f2c00000000 16 0");
    assert_int_equal(i.op, WARP_SHARED);
    assert_int_equal(i.passes, 4);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_word_is_known),
        cmocka_unit_test(classes),
        cmocka_unit_test(widths),
        cmocka_unit_test(odd_instructions_are_counted),
        cmocka_unit_test(many_unknown_opcodes),
        cmocka_unit_test(accesses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
