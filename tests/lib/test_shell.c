// SPDX-License-Identifier: Apache-2.0
/* shell: words that bash reads as the text they stand for. */
#include <stdlib.h>
#include <string.h>

#include "lib/shell.h"
#include "tests/test.h"

static void expect_word(const char *text, const char *want) {
    char *word = shell_word(text), command[512], got[256] = "";
    assert_string_equal(word, want);
    snprintf(command, sizeof command, "bash -c 'eval \"printf %%s $1\"' _ \"$WORD\"");
    assert_int_equal(setenv("WORD", word, 1), 0);
    FILE *f = popen(command, "r");
    assert_non_null(f);
    got[fread(got, 1, sizeof got - 1, f)] = '\0';
    assert_int_equal(pclose(f), 0);
    assert_string_equal(got, text);
    free(word);
}

static void test_words(void **state) {
    (void)state;
    expect_word("a/b-c_1.ini", "a/b-c_1.ini");
    expect_word("", "''");
    expect_word("a b", "'a b'");
    expect_word("it's $(x)", "'it'\\''s $(x)'");
    expect_word("*?[a]{b,c}~!", "'*?[a]{b,c}~!'");
    expect_word("gr\xc3\xbc\xc3\x9f", "'gr\xc3\xbc\xc3\x9f'");
    expect_word("a\033[31m\n'\\", "$'a\\033[31m\\012\\047\\134'");
    expect_word("\xff"
                "1",
                "$'\\3771'");
    expect_word("\xc2\x9b", "$'\\302\\233'");
    expect_word("a\xe2\x80\xae", "$'a\\342\\200\\256'"); /* U+202E */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
