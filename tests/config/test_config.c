/* Tests of the configuration: files, overrides, relations, and what each error says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "config/config.h"

/* Writes text to a file, loads it over the defaults; the file's name in err becomes FILE. */
static int load_bytes(struct config *cfg, const char *text, size_t len, char *err,
                      size_t err_size) {
    char path[] = "/tmp/memtwin-test-XXXXXX", full[512] = "";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, len), (ssize_t)len);
    close(fd);
    config_default(cfg);
    int result = config_load(cfg, path, full, sizeof full);
    unlink(path);
    size_t n = strncmp(full, path, strlen(path)) == 0 ? strlen(path) : 0;
    snprintf(err, err_size, "%s%s", n ? "FILE" : "", full + n);
    return result;
}

static int load(struct config *cfg, const char *text, char *err, size_t err_size) {
    return load_bytes(cfg, text, strlen(text), err, err_size);
}

static void expect_error(const char *text, const char *expected) {
    struct config cfg;
    char err[512];
    assert_int_equal(load(&cfg, text, err, sizeof err), -1);
    assert_string_equal(err, expected);
}

static void defaults_are_in_range_and_legal(void **state) {
    (void)state;
    struct config cfg;
    char err[256];
    config_default(&cfg);
#define INT(section, key, def, min, max, doc)                                                      \
    assert_int_equal(cfg.section##_##key, def);                                                    \
    assert_true(cfg.section##_##key >= (min) && cfg.section##_##key <= (max));
#define ENUM(section, key, def, values, doc) assert_int_equal(cfg.section##_##key, def);
#include "config/config.def"
#undef INT
#undef ENUM
    assert_int_equal(config_check(&cfg, err, sizeof err), 0);
}

static void file_sets_what_it_names_and_no_more(void **state) {
    (void)state;
    struct config cfg, expected;
    char err[512];
    config_default(&expected);
    expected.sm_count = 4;
    expected.l1d_mshr = MSHR_KIND_DL;
    expected.sim_plant = PLANT_STALE_LINE;
    assert_int_equal(load(&cfg,
                          "; a comment\n# another\n\n[sm]\r\ncount = 4 ; beside\n"
                          "[l1d]\n\tmshr=dl\n[sim]\nplant : stale_line",
                          err, sizeof err),
                     0);
    assert_memory_equal(&cfg, &expected, sizeof cfg);
}

static void indented_lines_are_keys_of_their_own(void **state) {
    (void)state;
    struct config cfg;
    char err[512];
    assert_int_equal(load(&cfg, "[sm]\n  count = 4\n  warps = 9\n", err, sizeof err), 0);
    assert_int_equal(cfg.sm_count, 4);
    assert_int_equal(cfg.sm_warps, 9);
}

static void values_at_the_ends_of_the_range(void **state) {
    (void)state;
    struct config cfg;
    char err[512];
    assert_int_equal(
        load(&cfg, "[sm]\ncount = 128\n[sim]\nmax_cycles = 1000000000000", err, sizeof err), 0);
    assert_int_equal(cfg.sm_count, 128);
    assert_int_equal(cfg.sim_max_cycles, 1000000000000);
    expect_error("[sm]\ncount = 129\n", "FILE:2: sm.count: 129 is outside 1..128");
    expect_error("[sm]\ncount = 0\n", "FILE:2: sm.count: 0 is outside 1..128");
    expect_error("[sm]\ncount = -1\n", "FILE:2: sm.count: -1 is outside 1..128");
    expect_error("[sm]\ncount = 18446744073709551617\n",
                 "FILE:2: sm.count: 18446744073709551617 is outside 1..128");
}

static void each_error_names_file_line_and_value(void **state) {
    (void)state;
    expect_error("[sm]\ncount = four\n", "FILE:2: sm.count: 'four' is not an integer");
    expect_error("[sm]\ncount = 4.0\n", "FILE:2: sm.count: '4.0' is not an integer");
    expect_error("[sm]\ncount = 0x4\n", "FILE:2: sm.count: '0x4' is not an integer");
    expect_error("[sm]\ncount = 4 4\n", "FILE:2: sm.count: '4 4' is not an integer");
    expect_error("[sm]\ncount = 4 # four\n", "FILE:2: sm.count: '4 # four' is not an integer");
    expect_error("[sm]\ncount = -\n", "FILE:2: sm.count: '-' is not an integer");
    expect_error("[sm]\ncount =\n", "FILE:2: sm.count: '' is not an integer");
    expect_error("[l1d]\nmshr = stat\n",
                 "FILE:2: l1d.mshr: 'stat' is not one of static|dl|implicit|unlimited");
    expect_error("[l1d]\nmshr = static|dl\n",
                 "FILE:2: l1d.mshr: 'static|dl' is not one of static|dl|implicit|unlimited");
    expect_error("[sm]\n\ncuont = 4\n",
                 "FILE:3: unknown key 'cuont' in section 'sm' (see memtwin list keys)");
    expect_error("[sm]\n[l3]\nsets = 4\n", "FILE:2: unknown section 'l3' (see memtwin list keys)");
    expect_error("[empty]\n[sm]\n", "FILE:1: unknown section 'empty' (see memtwin list keys)");
    expect_error("count = 4\n", "FILE:1: key 'count' stands outside any section");
    expect_error("[sm]\ncount = 4\nwarps = 8\ncount = 4\n",
                 "FILE:4: key 'count' is given twice in section 'sm'");
    expect_error("[sm]\ncount = 4\n[l2]\nsets = 4\n[sm]\ncount = 5\n",
                 "FILE:6: key 'count' is given twice in section 'sm'");
}

static void malformed_lines(void **state) {
    (void)state;
    expect_error("[sm]\ncount\n", "FILE:2: neither [section] nor key = value");
    expect_error("[sm\ncount = 4\n", "FILE:1: neither [section] nor key = value");
    /* the first of two errors is told */
    expect_error("[sm]\nfoo\nbar = 4\n", "FILE:2: neither [section] nor key = value");
    expect_error("[sm]\nbar = 4\nfoo\n",
                 "FILE:2: unknown key 'bar' in section 'sm' (see memtwin list keys)");
}

static void lines_that_are_too_long(void **state) {
    (void)state;
    struct config cfg;
    char text[1024], err[512];
    for (unsigned width = 190; width < 210; width++) {
        snprintf(text, sizeof text, "[sm]\ncount = %0*d\nwarps = 9\n", width - 8, 4);
        if (load(&cfg, text, err, sizeof err) == 0)
            assert_true(cfg.sm_count == 4 && cfg.sm_warps == 9);
        else
            assert_string_equal(err, "FILE:2: line longer than 198 characters");
        assert_int_equal(err[0] == '\0', width <= 198);
    }
}

static void binary_files(void **state) {
    (void)state;
    struct config cfg;
    char err[512];
    static const char text[] = "[sm]\ncount = 4\0 0\n";
    assert_int_equal(load_bytes(&cfg, text, sizeof text - 1, err, sizeof err), -1);
    assert_string_equal(err, "FILE:2: a zero byte: not a text file");
}

static void missing_files(void **state) {
    (void)state;
    struct config cfg;
    char err[256];
    assert_int_equal(config_load(&cfg, "/nonexistent/x.ini", err, sizeof err), -1);
    assert_string_equal(err, "/nonexistent/x.ini: No such file or directory");
    assert_int_equal(config_load(&cfg, "/", err, sizeof err), -1);
    assert_string_equal(err, "/: Is a directory");
}

static void overrides(void **state) {
    (void)state;
    static const struct {
        const char *assignment, *error;
    } bad[] = {
        {"", "-s : expected section.key=value"},
        {"sm.count", "-s sm.count: expected section.key=value"},
        {"count=4", "-s count=4: expected section.key=value"},
        {"sm.count=", "-s sm.count=: sm.count: '' is not an integer"},
        {"sm.count= 4", "-s sm.count= 4: sm.count: ' 4' is not an integer"},
        {"sm.count=1=2", "-s sm.count=1=2: sm.count: '1=2' is not an integer"},
        {"sm.count=500", "-s sm.count=500: sm.count: 500 is outside 1..128"},
        {"sm.foo=1", "-s sm.foo=1: unknown key 'foo' in section 'sm' (see memtwin list keys)"},
        {"foo.bar=1", "-s foo.bar=1: unknown section 'foo' (see memtwin list keys)"},
        {"l2.mshr=best",
         "-s l2.mshr=best: l2.mshr: 'best' is not one of static|dl|implicit|unlimited"},
    };
    struct config cfg;
    char err[256];
    config_default(&cfg);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(config_set(&cfg, bad[i].assignment, err, sizeof err), -1);
        assert_string_equal(err, bad[i].error);
    }
    assert_int_equal(config_set(&cfg, "sm.count=7", err, sizeof err), 0);
    assert_int_equal(config_set(&cfg, "l2.mshr=dl", err, sizeof err), 0);
    assert_int_equal(cfg.sm_count, 7);
    assert_int_equal(cfg.l2_mshr, MSHR_KIND_DL);
}

static void set_indices_and_their_sets(void **state) {
    (void)state;
    struct config cfg;
    char err[256];
    config_default(&cfg);
    assert_int_equal(config_set(&cfg, "l1d.set_index=bxor", err, sizeof err), 0);
    assert_int_equal(config_check(&cfg, err, sizeof err), 0);
    cfg.l1d_sets = 48;
    assert_int_equal(config_check(&cfg, err, sizeof err), -1);
    assert_string_equal(err, "l1d.set_index=bxor needs a power of two of sets, not l1d.sets=48");
    config_default(&cfg);
    assert_int_equal(config_set(&cfg, "l2.set_index=fermi", err, sizeof err), 0);
    cfg.l2_sets = 128;
    assert_int_equal(config_check(&cfg, err, sizeof err), -1);
    assert_string_equal(err, "l2.set_index=fermi needs 32 or 64 sets, not l2.sets=128");
}

static void relations(void **state) {
    (void)state;
    struct config cfg;
    char err[256];
    config_default(&cfg);
    cfg.l1d_dl_sets = 64;
    assert_int_equal(config_check(&cfg, err, sizeof err), 0); /* not in use */
    cfg.l1d_mshr = MSHR_KIND_DL;
    assert_int_equal(config_check(&cfg, err, sizeof err), -1);
    assert_string_equal(err, "l1d.dl_reserved_heads=64 must be below l1d.dl_sets=64");
    cfg.l1d_dl_reserved_heads = 63;
    assert_int_equal(config_check(&cfg, err, sizeof err), 0);
    cfg.l2_mshr = MSHR_KIND_DL;
    cfg.l2_dl_sets = 8;
    assert_int_equal(config_check(&cfg, err, sizeof err), -1);
    assert_string_equal(err, "l2.dl_reserved_heads=32 must be below l2.dl_sets=8");
    config_default(&cfg);
    cfg.l1d_mshr_word = 32;
    cfg.l2_mshr_word = 12;
    assert_int_equal(config_check(&cfg, err, sizeof err), -1);
    assert_string_equal(err, "l2.mshr_word=12 is not a power of two");
    config_default(&cfg);
    cfg.sm_warps = 1;
    assert_int_equal(config_check(&cfg, err, sizeof err), -1);
    assert_string_equal(err, "sm.schedulers=2 is above sm.warps=1");
    config_default(&cfg);
    cfg.dram_latency = cfg.dram_line_cycles;
    assert_int_equal(config_check(&cfg, err, sizeof err), 0);
    cfg.dram_latency--;
    assert_int_equal(config_check(&cfg, err, sizeof err), -1);
    assert_string_equal(err, "dram.latency=7 is below dram.line_cycles=8, which is a part of it");
}

/* Sets the same key in the config that ctx is. */
static void copy_key(void *ctx, const char *section, const char *key, const char *value,
                     const char *doc) {
    char assignment[128], err[256];
    assert_true(doc && doc[0]);
    snprintf(assignment, sizeof assignment, "%s.%s=%s", section, key, value);
    assert_int_equal(config_set(ctx, assignment, err, sizeof err), 0);
}

static void each_key_is_listed_with_a_value_that_reads_back(void **state) {
    (void)state;
    struct config cfg, copy;
    config_default(&cfg);
    cfg.sm_count = 3;
    cfg.l1d_mshr = MSHR_KIND_DL;
    cfg.sim_plant = PLANT_LOSE_REPLY;
    memset(&copy, 0, sizeof copy);
    config_each(&cfg, copy_key, &copy);
    assert_memory_equal(&cfg, &copy, sizeof cfg);
}

static void shipped_configurations_are_legal(void **state) {
    (void)state;
    static const char *const names[] = {"pascal28", "tiny"};
    struct config cfg;
    char path[4096], err[512];
    const char *home = getenv("MEMTWIN_HOME");
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        snprintf(path, sizeof path, "%s/sim/configs/%s.ini", home ? home : ".", names[i]);
        config_default(&cfg);
        assert_int_equal(config_load(&cfg, path, err, sizeof err), 0);
        assert_int_equal(config_check(&cfg, err, sizeof err), 0);
        /* DL-MSHRs of as many slots as the static ones */
        assert_int_equal(cfg.l1d_mshr_entries * cfg.l1d_mshr_slots,
                         cfg.l1d_dl_sets * cfg.l1d_dl_slots);
        assert_int_equal(cfg.l2_mshr_entries * cfg.l2_mshr_slots, cfg.l2_dl_sets * cfg.l2_dl_slots);
    }
}

/* The figures of Table 2 of the paper. */
static void pascal28_is_the_papers_machine(void **state) {
    (void)state;
    struct config cfg;
    char path[4096], err[512];
    const char *home = getenv("MEMTWIN_HOME");
    snprintf(path, sizeof path, "%s/sim/configs/pascal28.ini", home ? home : ".");
    memset(&cfg, 0, sizeof cfg); /* so that the file has to name every key of the machine */
    assert_int_equal(config_load(&cfg, path, err, sizeof err), 0);
    assert_int_equal(cfg.sm_count, 28);
    assert_int_equal(cfg.sm_warps, 48);
    assert_int_equal(cfg.sm_ctas, 8);
    assert_int_equal(cfg.l1d_sets * cfg.l1d_ways * 128, 16 * 1024);
    assert_int_equal(cfg.l1d_mshr_entries, 32);
    assert_int_equal(cfg.l1d_mshr_slots, 8);
    assert_int_equal(cfg.l2_partitions, 8);
    assert_int_equal(cfg.l2_sets * cfg.l2_ways * 128, 128 * 1024);
    assert_int_equal(cfg.l2_mshr_entries, 32);
    assert_int_equal(cfg.l2_mshr_slots, 4);
    assert_int_equal(cfg.clock_sm_mhz, 1137);
    assert_int_equal(cfg.clock_l2_mhz, 1137);
    /* 345.6 GB/s */
    assert_int_equal(cfg.l2_partitions * 128 * cfg.clock_dram_mhz / cfg.dram_line_cycles, 345600);
    assert_true(cfg.icnt_flit_bytes && cfg.dram_queue && cfg.l1d_hit_latency && cfg.l2_latency);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_are_in_range_and_legal),
        cmocka_unit_test(file_sets_what_it_names_and_no_more),
        cmocka_unit_test(indented_lines_are_keys_of_their_own),
        cmocka_unit_test(values_at_the_ends_of_the_range),
        cmocka_unit_test(each_error_names_file_line_and_value),
        cmocka_unit_test(malformed_lines),
        cmocka_unit_test(lines_that_are_too_long),
        cmocka_unit_test(binary_files),
        cmocka_unit_test(missing_files),
        cmocka_unit_test(overrides),
        cmocka_unit_test(set_indices_and_their_sets),
        cmocka_unit_test(relations),
        cmocka_unit_test(each_key_is_listed_with_a_value_that_reads_back),
        cmocka_unit_test(shipped_configurations_are_legal),
        cmocka_unit_test(pascal28_is_the_papers_machine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
