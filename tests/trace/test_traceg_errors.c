// SPDX-License-Identifier: Apache-2.0
/* Tests of errors in traces. Each message must name the line with the error. */
#include "tests/trace/traceg_fixture.h"

static void refuse(unsigned line, const char *reason, const char *text, size_t size) {
    char place[32];
    struct error err;
    struct traceg_block b = {0};
    struct traceg *t = open_bytes("t", text, size, &err);
    if (t) {
        int got;
        while ((got = traceg_block(t, &b)) > 0)
            ;
        error_set(&err, "%s", got < 0 ? traceg_error(t) : "was taken");
        assert_int_equal(traceg_block(t, &b), got); /* a repeated call returns the same value */
    }
    traceg_block_free(&b);
    traceg_close(t);
    snprintf(place, sizeof place, "t:%u: ", line);
    if (strncmp(err.text, place, strlen(place)) != 0 || !strstr(err.text, reason))
        fail_msg("expected '%s..%s', got '%s'", place, reason, err.text);
}

static void header_errors(void **state) {
    static const struct {
        unsigned line;
        const char *reason, *text;
    } table[] = {
        {1, "expected '-key = value' or '#' in the header, not 'hello'", "hello\n"},
        {0, "the file is empty", ""},
        {1, "the header has no '-kernel name'", "#BEGIN_TB\n"},
        {2, "the header has no '-grid dim'", "-kernel name = k\n#BEGIN_TB\n"},
        {3, "the header has no '-block dim'", "-kernel name = k\n-grid dim = (1,1,1)\n#\n"},
        {3, "the file ends inside the header",
         "-kernel name = k\n-grid dim = (1,1,1)\n-block dim = (1,1,1)\n"},
        {2, "-kernel name is given twice", "-kernel name = k\n-kernel name = k\n"},
        {1, "the kernel has no name", "-kernel name = \n"},
        {1, "expected (x,y,z), not '1,1,1'", "-grid dim = 1,1,1\n"},
        {1, "expected (x,y,z)", "-grid dim = (1,1\n"},
        {1, "expected (x,y,z)", "-grid dim = (1,1,1) x\n"},
        {1, "expected (x,y,z)", "-grid dim = (1,-1,1)\n"},
        {1, "expected (x,y,z)", "-grid dim = (1,1,99999999999)\n"},
        {1, "expected positive sizes, not '(1,0,1)'", "-grid dim = (1,0,1)\n"},
        {1, "at most 2^40 blocks", "-grid dim = (4294967295,4294967295,4294967295)\n"},
        {1, "at most 2^40 blocks", "-grid dim = (1048576,1048576,2)\n"},
        {1, "at most 1024 threads, not '(1025,1,1)'", "-block dim = (1025,1,1)\n"},
        {1, "at most 1024 threads", "-block dim = (32,32,2)\n"},
        {1, "at most 1024 threads", "-block dim = (65536,65536,4294967295)\n"},
        {1, "expected a number up to 4294967295, not '4294967296'", "-shmem = 4294967296\n"},
        {1, "expected a number up to 4294967295, not '-1'", "-shmem = -1\n"},
        {1, "expected a number up to 256, not 'x'", "-nregs = x\n"},
        {1, "expected a number up to 256, not '7x'", "-nregs = 7x\n"},
        {1, "expected a number up to 256", "-nregs = 99999999999999999999999999\n"},
        {1, "expected a hexadecimal address, not 'here'", "-shmem base_addr = here\n"},
        {1, "expected a hexadecimal address", "-local mem base_addr = 0x1ffffffffffffffff\n"},
        {1, "a tracer version from 1 to 6, not '7'", "-accelsim tracer version = 7\n"},
        {1, "a tracer version from 1 to 6, not '0'", "-accelsim tracer version = 0\n"},
        {1, "a tracer version from 1 to 6, not 'x'", "-accelsim tracer version = x\n"},
        {1, "expected a number up to 1, not '2'", "-enable lineinfo = 2\n"},
    };
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        refuse(table[i].line, table[i].reason, table[i].text, strlen(table[i].text));
}

static void a_file_that_is_cut(void **state) {
    static const char line[] = "-accelsim tracer version = x";
    refuse(1, "not 'x' (the file ends in this line)", line, strlen(line));
}

static void block_errors(void **state) {
    static const struct {
        unsigned line;
        const char *reason, *text;
    } table[] = {
        {14, "expected #BEGIN_TB, not 'warp'", "warp = 0\n"},
        {13, "the file ends after 0 of 1 blocks", ""},
        {15, "expected 'thread block = x,y,z', not 'warp'", "#BEGIN_TB\nwarp = 0\n"},
        {15, "expected 'thread block = x,y,z'", "#BEGIN_TB\nthread block = 0,0\n"},
        {15, "block 1,0,0 is outside the grid of 1 x 1 x 1", "#BEGIN_TB\nthread block = 1,0,0\n"},
        {14, "the file ends inside a block", "#BEGIN_TB\n"},
        {15, "the file ends inside a block, without #END_TB", "#BEGIN_TB\nthread block = 0,0,0\n"},
        {16, "the file ends inside a block", "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\n"},
        {16, "expected 'warp = w' or #END_TB, not 'insts'",
         "#BEGIN_TB\nthread block = 0,0,0\ninsts = 0\n"},
        {16, "warp 1 in a block of 32 threads", "#BEGIN_TB\nthread block = 0,0,0\nwarp = 1\n"},
        {17, "expected 'insts = n', not '0000'",
         "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\n0000 1 0 EXIT 0 0 0\n"},
        {17, "expected 'insts = n'", "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = -1\n"},
        {19, "warp 0 appears twice", ONE_WARP("1") EXIT "warp = 0\n"},
        {19, "warp 0 has 1 of 2 instructions", ONE_WARP("2") EXIT END},
        {18, "warp 0 has 1 of 999999999999999999 instructions",
         ONE_WARP("999999999999999999") EXIT},
        {17, "expected 'insts = n'", ONE_WARP("9999999999999999999999")},
        {19, "expected 'warp = w' or #END_TB, not '00f0'", ONE_WARP("1") EXIT EXIT END},
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
             HEADER_OF("4", "0", "(3,1,1)", "(32,1,1)"));
    refuse(19, "the file ends after 1 of 3 blocks", text, strlen(text));
    strcat(text, ONE_WARP("1") EXIT END);
    refuse(23, "block 0,0,0 appears twice", text, strlen(text));
}

static void instruction_errors(void **state) {
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
        {"expected a register R0 to R255, not 'Q0'", "0 1 1 Q0 MOV 0 0 0"},
        {"expected a register R0 to R255, but the line ends here", "0 1 0 MOV 2 R1"},
        {"expected an opcode, but the line ends here", "0 1 1 R1"},
        {"expected the memory width, a number up to 1024, not '-4'", "0 1 1 R1 LDG 1 R2 -4 0 0x0"},
        {"expected the memory width", "0 1 0 NOP 0"},
        {"expected a memory width above 0 for this opcode", "0 1 1 R1 LDG.E 1 R2 0 0"},
        {"expected an address mode, 0, 1 or 2, not '3'", "0 1 1 R1 LDG.E 1 R2 4 3 0x0"},
        {"expected an address mode, 0, 1 or 2, but the line ends here", "0 1 1 R1 LDG.E 1 R2 4"},
        {"expected a hexadecimal address, not '0xg'", "0 1 1 R1 LDG.E 1 R2 4 0 0xg"},
        {"expected a hexadecimal address, but the line ends here", "0 3 1 R1 LDG.E 1 R2 4 0 0x0"},
        {"expected a decimal distance, but the line ends here", "0 3 1 R1 LDG.E 1 R2 4 1 0x0"},
        {"expected a decimal distance, not '0x4'", "0 7 1 R1 LDG.E 1 R2 4 2 0x0 4 0x4"},
        {"address mode 1 with mask 00000005, which is not a single run",
         "0 5 1 R1 LDG.E 1 R2 4 1 0x0 4 0"},
        {"address 0x800000000000 has more than 47 bits",
         "0 1 1 R1 LDG.E 1 R2 4 0 0x800000000000 0"},
        {"address 0x800000000000 has more than 47 bits",
         "0 3 1 R1 LDG.E 1 R2 4 1 0x7ffffffffffc 4 0"},
        {"address 0xfffffffffffffffc has more than 47 bits", "0 3 1 R1 LDG.E 1 R2 4 1 0x0 -4 0"},
        {"0x7f2c02000000 is outside the local window", "0 1 1 R1 LDL 1 R2 4 0 0x7f2c02000000 0"},
        {"local addresses 0x0 and 0x80000 of the kernel are 512 KiB or more apart",
         "0 3 1 R1 LDL 1 R2 4 0 0x0 0x80000 0"},
        {"expected an immediate number, not 'x'", "0 1 0 NOP 0 0 x"},
        {"expected an immediate number, not '--1'", "0 1 0 NOP 0 0 --1"},
        {"expected an immediate number, not '123456789012345678901'",
         "0 1 0 NOP 0 0 123456789012345678901"},
        {"expected the end of the line, not '7'", "0 1 0 NOP 0 0 0 1 7"},
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
    refuse(18, "the instruction belongs to block 0,0,0, warp 1", text, strlen(text));
    snprintf(text, sizeof text, "%s" ONE_WARP("1") EXIT END,
             HEADER_OF("2", "0", "(1,1,1)", "(32,1,1)"));
    refuse(18, "expected block x, y, z and warp", text, strlen(text));
}

static void odd_bytes(void **state) {
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
        cmocka_unit_test(header_errors), cmocka_unit_test(a_file_that_is_cut),
        cmocka_unit_test(block_errors),  cmocka_unit_test(instruction_errors),
        cmocka_unit_test(odd_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
