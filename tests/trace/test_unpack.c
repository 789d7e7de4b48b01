// SPDX-License-Identifier: Apache-2.0
/* Tests of compressed text in every format: complete, in several members, cut off anywhere, and
 * damaged.
 * tier: test, 1 s */
#include <lzma.h>
#include <zlib.h>
#include <zstd.h>

#include "trace/input.h"
#include "tests/test.h"

#define ROOM (64 * 1024)
#define LINES 20000

static size_t pack_xz(const char *text, size_t n, uint8_t *to) {
    size_t at = 0;
    assert_int_equal(
        lzma_easy_buffer_encode(1, LZMA_CHECK_CRC32, NULL, (const uint8_t *)text, n, to, &at, ROOM),
        LZMA_OK);
    return at;
}

static size_t pack_gzip(const char *text, size_t n, uint8_t *to) {
    z_stream z = {.next_in = (Bytef *)(uintptr_t)text,
                  .avail_in = (uInt)n,
                  .next_out = to,
                  .avail_out = ROOM};
    assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    deflateEnd(&z);
    return z.total_out;
}

static size_t pack_zstd(const char *text, size_t n, uint8_t *to) {
    size_t got = ZSTD_compress(to, ROOM, text, n, 3);
    assert_false(ZSTD_isError(got));
    return got;
}

static const struct {
    const char *name;
    size_t (*pack)(const char *text, size_t n, uint8_t *to);
} formats[] = {{"xz", pack_xz}, {"gzip", pack_gzip}, {"zstd", pack_zstd}};
enum { FORMATS = sizeof formats / sizeof formats[0] };

struct trace_fixture {
    char *text; /* LINES numbers, one per line */
    size_t size;
    uint8_t packed[2 * ROOM];
    struct error err;
};

static int setup(void **state) {
    struct trace_fixture *f = calloc(1, sizeof *f);
    f->text = malloc(LINES * 8);
    for (unsigned i = 0; i < LINES; i++)
        f->size += (size_t)sprintf(f->text + f->size, "%u\n", i);
    *state = f;
    return 0;
}

static int teardown(void **state) {
    struct trace_fixture *f = *state;
    free(f->text);
    free(f);
    return 0;
}

/* Unpacks the first n bytes of f->packed. Returns the number of lines with the expected contents.
 * Sets f->err to the error, or to an empty text. */
static unsigned read_all(struct trace_fixture *f, size_t n) {
    uint8_t *exact = malloc(n); /* exactly n bytes, so that a sanitizer detects reads after them */
    memcpy(exact, f->packed, n);
    f->err.text[0] = '\0';
    struct trace_input *in = trace_input_memory("t", exact, n, &f->err);
    const char *line;
    size_t size;
    unsigned lines = 0;
    while (in && trace_input_line(in, &line, &size))
        if (strtoul(line, NULL, 10) == lines % LINES)
            lines++;
    if (in && trace_input_error(in))
        error_set(&f->err, "%s", trace_input_error(in));
    trace_input_close(in);
    free(exact);
    return lines;
}

static void members_are_one_text(void **state) {
    struct trace_fixture *f = *state;
    for (unsigned k = 0; k < FORMATS; k++) {
        /* offset of the middle of a line */
        size_t half = (size_t)(strstr(f->text, "\n10000\n") + 3 - f->text);
        size_t n = formats[k].pack(f->text, half, f->packed);
        n += formats[k].pack(f->text + half, f->size - half, f->packed + n);
        assert_int_equal(read_all(f, n), LINES);
        assert_string_equal(f->err.text, "");
        memset(f->packed + n, 0, 1024); /* padding, as in the blocks of tapes */
        if (formats[k].pack != pack_zstd)
            assert_int_equal(read_all(f, n + 1024), LINES);
        assert_string_equal(f->err.text, "");
        memset(f->packed + n, 'x', 16);
        for (size_t rest = 1; rest <= 16; rest += 5) {
            char want[64];
            read_all(f, n + rest);
            snprintf(want, sizeof want, "%s: the compressed data are damaged", formats[k].name);
            assert_string_equal(f->err.text, want);
        }
    }
}

static void a_cut_is_an_error(void **state) {
    struct trace_fixture *f = *state;
    for (unsigned k = 0; k < FORMATS; k++) {
        size_t n = formats[k].pack(f->text, f->size, f->packed);
        for (size_t cut = 8; cut < n; cut += cut < n - 40 ? 997 : 1) {
            char want[64];
            read_all(f, cut);
            snprintf(want, sizeof want, "%s: the file is cut off", formats[k].name);
            assert_string_equal(f->err.text, want);
        }
    }
}

static void damage_is_an_error(void **state) {
    struct trace_fixture *f = *state;
    for (unsigned k = 0; k < FORMATS; k++) {
        size_t n = formats[k].pack(f->text, f->size, f->packed);
        for (size_t at = n / 4; at < n - 8; at += n / 16) {
            f->packed[at] ^= 0x55;
            unsigned lines = read_all(f, n);
            /* zstd has a checksum only if one is requested */
            assert_true(f->err.text[0] || lines < LINES || formats[k].pack == pack_zstd);
            f->packed[at] ^= 0x55;
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(members_are_one_text),
        cmocka_unit_test(a_cut_is_an_error),
        cmocka_unit_test(damage_is_an_error),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
