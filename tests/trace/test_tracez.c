// SPDX-License-Identifier: Apache-2.0
/* Tests of .tracez files of Accel-Sim 2: their text, in memory and from a file, with and without a
 * dictionary; files that are cut off anywhere, and files with a wrong byte anywhere.
 * tier: test, 1 s */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#include "tests/test.h"
#include "trace/input.h"
#include "trace/reader.h"

#define ROOM (16 * 1024)
#define HEADER                                                                                     \
    "-kernel name = k\n-grid dim = (2,1,1)\n-block dim = (64,1,1)\n-shmem = 0\n-nregs = 8\n"       \
    "-accelsim tracer version = 5\n"
#define LOAD "0000 ffffffff 1 R2 LDG.E 1 R4 4 1 0x7f0000000000 4 0\n"
#define ADD "0010 ffffffff 1 R3 FADD 1 R2 0 0\n"
#define END "0020 ffffffff 0 EXIT 0 0 0\n"

/* A warp with a load, an add and an exit, in two pieces; and a warp with an exit. */
static const char *const pieces[2][2] = {{LOAD ADD, END}, {END, NULL}};
static const uint32_t lines[2][2] = {{2, 1}, {1, 0}};

static const char expected[] =
    HEADER "\n#\n#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 3\n" LOAD ADD END
           "warp = 1\ninsts = 1\n" END "#END_TB\n"
           "#BEGIN_TB\nthread block = 1,0,0\nwarp = 0\ninsts = 3\n" LOAD ADD END
           "warp = 1\ninsts = 1\n" END "#END_TB\n";

struct file {
    uint8_t bytes[ROOM];
    size_t n;
};

static void put(struct file *f, const void *data, size_t n) {
    assert_true(f->n + n <= ROOM);
    memcpy(f->bytes + f->n, data, n);
    f->n += n;
}

static void put32(struct file *f, uint32_t v) {
    put(f, &v, sizeof v);
}

static void put64(struct file *f, uint64_t v) {
    put(f, &v, sizeof v);
}

static void put_piece(struct file *f, const char *text, const char *dictionary) {
    uint8_t packed[1024];
    ZSTD_CCtx *c = ZSTD_createCCtx();
    const size_t n = ZSTD_compress_usingDict(c, packed, sizeof packed, text, strlen(text),
                                             dictionary, strlen(dictionary), 3);
    ZSTD_freeCCtx(c);
    assert_false(ZSTD_isError(n));
    put32(f, (uint32_t)n);
    put(f, packed, n);
}

/* Makes the file of `expected`. */
static struct file make_file(const char *dictionary) {
    struct file f = {.n = 0};
    uint64_t warp_at[2][2];
    put(&f, HEADER, sizeof HEADER);
    put32(&f, (uint32_t)strlen(dictionary));
    put32(&f, 2);
    put(&f, dictionary, strlen(dictionary));
    for (int b = 0; b < 2; b++)
        for (int w = 0; w < 2; w++) {
            warp_at[b][w] = f.n;
            put32(&f, lines[w][0] + lines[w][1]);
            put32(&f, pieces[w][1] ? 2 : 1);
            for (int p = 0; p < 2 && pieces[w][p]; p++)
                put_piece(&f, pieces[w][p], dictionary);
        }
    const uint64_t index = f.n;
    put32(&f, 2);
    for (uint32_t b = 0; b < 2; b++) {
        const uint32_t block[11] = {b, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2};
        put(&f, block, sizeof block);
        for (int w = 0; w < 2; w++) {
            put32(&f, lines[w][0] + lines[w][1]);
            put32(&f, pieces[w][1] ? 2 : 1);
            put64(&f, warp_at[b][w]);
            for (int p = 0; p < 2 && pieces[w][p]; p++)
                put32(&f, lines[w][p]);
        }
    }
    put64(&f, index);
    return f;
}

/* Returns the text of the input, or NULL after an error. The caller frees it. */
static char *text_of(struct trace_input *in) {
    char *text = calloc(1, 4 * sizeof expected);
    const char *line;
    size_t n, used = 0;
    while (in && trace_input_line(in, &line, &n) && used + n < 4 * sizeof expected - 2) {
        memcpy(text + used, line, n);
        used += n;
        text[used++] = '\n';
    }
    if (in && !trace_input_error(in))
        return text;
    free(text);
    return NULL;
}

static void check_text(struct trace_input *in) {
    char *text = text_of(in);
    assert_non_null(text);
    assert_string_equal(text, expected);
    free(text);
    trace_input_close(in);
}

static void text_in_memory(void **state) {
    (void)state;
    struct error err;
    const struct file plain = make_file(""), packed = make_file(LOAD ADD END);
    check_text(trace_input_memory("k.tracez", plain.bytes, plain.n, &err));
    check_text(trace_input_memory("no suffix", packed.bytes, packed.n, &err));
}

static void write_file(const char *path, const void *data, size_t n) {
    FILE *to = fopen(path, "wb");
    assert_non_null(to);
    assert_int_equal(fwrite(data, 1, n, to), n);
    assert_int_equal(fclose(to), 0);
}

/* Counts a trace at a path. */
static struct trace_counts count_file(const char *path) {
    struct trace t;
    struct trace_counts counts;
    struct error err;
    if (trace_find(&t, path, &(struct trace_how){0}, &err) ||
        trace_count(&t, NULL, NULL, &counts, &err))
        fail_msg("%s", err.text);
    trace_free(&t);
    return counts;
}

static void counts_of_a_file(void **state) {
    (void)state;
    char folder[] = "/tmp/memtwin-test-XXXXXX", path[64], list[64];
    const struct file f = make_file(LOAD);
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/kernel-1-ctx_0x1.tracez", folder);
    snprintf(list, sizeof list, "%s/kernelslist.g", folder);
    write_file(path, f.bytes, f.n);
    write_file(list, "kernel-1-ctx_0x1.tracez\n", 24);
    const struct trace_counts one = count_file(path), all = count_file(folder);
    assert_int_equal(one.insts, 8);
    assert_int_equal(one.loads, 2);
    assert_int_equal(one.warps, 4);
    assert_memory_equal(&one, &all, sizeof one);
    unlink(path);
    unlink(list);
    rmdir(folder);
}

/* A file that is cut off, or has a wrong byte, is an error or another text. */
static void damaged_files(void **state) {
    (void)state;
    const struct file good = make_file(LOAD);
    struct error err;
    for (size_t n = 0; n < good.n; n++) {
        struct trace_input *in = trace_input_memory("k.tracez", good.bytes, n, &err);
        char *text = text_of(in);
        assert_null(text);
        trace_input_close(in);
    }
    for (size_t i = 0; i < good.n; i++)
        for (uint8_t flip = 1; flip; flip = (uint8_t)(flip << 1)) {
            struct file bad = good;
            bad.bytes[i] ^= flip;
            struct trace_input *in = trace_input_memory("k.tracez", bad.bytes, bad.n, &err);
            free(text_of(in));
            trace_input_close(in);
        }
}

static void reasons(void **state) {
    (void)state;
    struct error err;
    const struct file f = make_file("");
    assert_null(trace_input_memory("k.tracez", "\x28\xb5\x2f\xfd\x04\x58", 6, &err));
    assert_string_equal(err.text, "k.tracez: the file is not in .tracez format: it does not begin "
                                  "with a kernel's header and a zero byte");
    assert_null(trace_input_memory("k.tracez", f.bytes, sizeof HEADER + 7, &err));
    assert_string_equal(err.text, "k.tracez: the file is cut off");
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(text_in_memory),
                                       cmocka_unit_test(counts_of_a_file),
                                       cmocka_unit_test(damaged_files), cmocka_unit_test(reasons)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
