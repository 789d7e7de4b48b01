// SPDX-License-Identifier: Apache-2.0
/* utf8: lengths of good, malformed and cut characters; repaired texts. */
#include <stdlib.h>
#include <string.h>

#include "lib/utf8.h"
#include "tests/test.h"

static void test_length(void **state) {
    (void)state;
    static const struct {
        const char *text;
        size_t length;
        bool cut;
    } rows[] = {
        {"a", 1, false},
        {"\x7f", 1, false},
        {"\xc3\xbc", 2, false},
        {"\xe2\x82\xac", 3, false},
        {"\xf0\x9f\x98\x80", 4, false},
        {"\xf4\x8f\xbf\xbf", 4, false},
        {"", 0, false},
        {"\x80", 0, false},
        {"\xc0\x80", 0, false},         /* overlong */
        {"\xe0\x9f\xbf", 0, false},     /* overlong */
        {"\xf0\x8f\xbf\xbf", 0, false}, /* overlong */
        {"\xed\xa0\x80", 0, false},     /* surrogate */
        {"\xf4\x90\x80\x80", 0, false}, /* above U+10FFFF */
        {"\xf5\x80\x80\x80", 0, false},
        {"\xff", 0, false},
        {"\xe2\x82x", 0, false},
        {"\xc3", 0, true},
        {"\xe2\x82", 0, true},
        {"\xf0\x9f\x98", 0, true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        bool cut;
        assert_int_equal(utf8_length(rows[i].text, strlen(rows[i].text), &cut), rows[i].length);
        assert_int_equal(cut, rows[i].cut);
    }
}

static void expect_repaired(const char *text, const char *want) {
    char *got = utf8_repaired(text);
    assert_string_equal(got, want);
    assert_true(utf8_is_valid(got));
    assert_int_equal(utf8_is_valid(text), strcmp(text, want) == 0);
    free(got);
}

static void test_repaired(void **state) {
    (void)state;
    expect_repaired("", "");
    expect_repaired("gr\xc3\xbc\xc3\x9f"
                    "e",
                    "gr\xc3\xbc\xc3\x9f"
                    "e");
    expect_repaired("\xff", "\xef\xbf\xbd");
    expect_repaired("a\xe2\x82"
                    "b",
                    "a\xef\xbf\xbd\xef\xbf\xbd"
                    "b");
    expect_repaired("a\xc3", "a\xef\xbf\xbd");
}

static void test_unprintable(void **state) {
    (void)state;
    static const struct {
        const char *text;
        size_t length;
        bool unprintable;
    } rows[] = {
        {"a", 1, false},
        {"\n", 1, true},
        {"\x7f", 1, true},
        {"\xc2\x9b", 2, true},
        {"\xc2\xa0", 2, false},
        {"\xff", 1, true},
        {"\xe2\x80\xa7", 3, false}, /* U+2027 */
        {"\xe2\x80\xa8", 3, true},  /* ends a line */
        {"\xe2\x80\xa9", 3, true},
        {"\xe2\x80\xaa", 3, true}, /* changes the direction */
        {"\xe2\x80\xae", 3, true},
        {"\xe2\x80\xaf", 3, false},
        {"\xe2\x81\x9f", 3, false},
        {"\xe2\x81\xa0", 3, true}, /* U+2060 */
        {"\xe2\x81\xa9", 3, true},
        {"\xe2\x81\xaf", 3, true},
        {"\xe2\x81\xb0", 3, false},
        {"\xe2\x80\x8a", 3, false},
        {"\xe2\x80\x8b", 3, true}, /* U+200B, without a shape */
        {"\xc2\xad", 2, true},
        {"\xef\xbb\xbf", 3, true},     /* byte order mark */
        {"\xef\xbf\xbd", 3, false},    /* U+FFFD */
        {"\xf3\xa0\x81\xbf", 4, true}, /* U+E007F */
        {"\xf3\xa1\x80\x80", 4, false},
        {"\xe2\x82\xac", 3, false},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t length;
        assert_int_equal(utf8_is_unprintable(rows[i].text, strlen(rows[i].text), &length),
                         rows[i].unprintable);
        assert_int_equal(length, rows[i].length);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_length),
        cmocka_unit_test(test_repaired),
        cmocka_unit_test(test_unprintable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
