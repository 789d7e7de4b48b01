// SPDX-License-Identifier: Apache-2.0
/* Tests of address layouts: decoding, compared with a bit-by-bit decoder, and the text of each
 * error. */
#include "dram/layout.h"
#include "tests/test.h"

/* Decodes an address bit by bit from the right. Bits above the leftmost letter belong to the
 * row. */
static struct dram_place read_slowly(const char *text, uint64_t address) {
    struct dram_place p = {0, 0, 0};
    unsigned row = 0, bank = 0, col = 0, bits = 0, top = 0;
    for (size_t i = strlen(text); i-- > 0;)
        if (text[i] != '.') {
            bits++;
            top = text[i] == '0' ? top : bits;
        }
    bits = 0;
    for (size_t i = strlen(text); i-- > 0 && bits < top;) {
        uint64_t bit = address >> bits & 1;
        if (text[i] == '.')
            continue;
        if (text[i] == 'R')
            p.row |= bit << row++;
        else if (text[i] == 'B')
            p.bank |= (uint32_t)bit << bank++;
        else if (text[i] == 'C')
            p.col |= (uint32_t)bit << col++;
        bits++;
    }
    p.row |= top < 64 ? address >> top << row : 0;
    return p;
}

static void places_are_those_of_the_string(void **state) {
    static const struct {
        const char *text;
        uint32_t atom, banks;
    } good[] = {{"0000RRRR.RRRRRRRR.BBBCCCCB.CCSSSSSS", 64, 16},
                {"0000RRRR.RRRRRRRR.RBBBCCCC.BCCSSSSS", 32, 16},
                {"RRRRRRRR.RRBCCBCC.SSSSS", 32, 4},
                {"RCRCRCBRBSSSS", 16, 4},
                {"RSSSSSSS", 128, 1},
                {"RRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRBBSSSSS", 32, 4}};
    srand(1);
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        struct dram_layout l;
        struct error err;
        assert_int_equal(dram_layout_parse(&l, good[i].text, good[i].atom, good[i].banks, &err), 0);
        for (unsigned n = 0; n < 2000; n++) {
            uint64_t address = (uint64_t)rand() << 42 ^ (uint64_t)rand() << 21 ^ (uint64_t)rand();
            address >>= rand() % 40;
            struct dram_place got = dram_layout_find(&l, address);
            struct dram_place expected = read_slowly(good[i].text, address);
            assert_int_equal(got.row, expected.row);
            assert_int_equal(got.bank, expected.bank);
            assert_int_equal(got.col, expected.col);
        }
    }
}

/* The expected place, computed by hand, is row 5, bank 9 (1001), column 41 (1010 01), byte 3. */
static void a_place_by_hand(void **state) {
    struct dram_layout l;
    struct error err;
    const char *gtx480 = "0000RRRR.RRRRRRRR.BBBCCCCB.CCSSSSSS";
    assert_int_equal(dram_layout_parse(&l, gtx480, 64, 16, &err), 0);
    uint64_t address = 5u << 16 | 4u << 13 | 10u << 9 | 1u << 8 | 1u << 6 | 3;
    struct dram_place p = dram_layout_find(&l, address);
    assert_int_equal(p.row, 5);
    assert_int_equal(p.bank, 9);
    assert_int_equal(p.col, 41);
    /* bits not used by the string extend the row */
    assert_int_equal(dram_layout_find(&l, address | UINT64_C(1) << 28).row, 5 + (1 << 12));
    assert_int_equal(dram_layout_find(&l, address | UINT64_C(1) << 40).row, 5 + (1 << 24));
}

static void each_error_says_what(void **state) {
    static const struct {
        const char *text, *error;
    } bad[] = {
        {"RRBBBBCCSSSSX", "'X' is not R, B, C, S, 0 or a dot"},
        {"RRBBBBCC SSSSS", "' ' is not R, B, C, S, 0 or a dot"},
        {"RRBBBB0CSSSSS", "a 0 below a letter: unused bits must be the highest"},
        {"RRBBBBCCSSSS", "4 S bits, but an atom has 32 bytes"},
        {"RRBBBBCSCSSSS", "the S bits are not the lowest"},
        {"RRBBBCCSSSSS", "3 B bits, but there are 16 banks"},
        {"00BBBBCCSSSSS", "no R bit"},
        {"", "0 S bits, but an atom has 32 bytes"},
        {"RRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRRBBBBSSSSS", "more than 64 bits"},
        {"RCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCCBBBBSSSSS", "more than 32 C bits"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct dram_layout l;
        struct error err = {0};
        assert_int_equal(dram_layout_parse(&l, bad[i].text, 32, 16, &err), -1);
        assert_string_equal(err.text, bad[i].error);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_are_those_of_the_string),
        cmocka_unit_test(a_place_by_hand),
        cmocka_unit_test(each_error_says_what),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
