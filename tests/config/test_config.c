// SPDX-License-Identifier: Apache-2.0
/* Tests of the configuration: files, overrides, relations between keys, and the text of each
 * error. */
#include <unistd.h>

#include "cache/addr_map.h"
#include "config/config.h"
#include "gpu/gpu.h"
#include "l1d/l1d.h"
#include "l2/l2.h"
#include "mrpb/mrpb.h"
#include "sm/coalesce.h"
#include "sm/sched.h"
#include "tests/test.h"

/* Folder that contains all.ini, a file that names every key. */
static char folder[] = "/tmp/memtwin-test-XXXXXX";

static void write_file(const char *name, const char *text, size_t len) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_int_equal(fwrite(text, 1, len, f), len);
    assert_int_equal(fclose(f), 0);
}

static void write_text(const char *name, const char *text) {
    write_file(name, text, strlen(text));
}

static void write_key(void *ctx, const char *section, const char *key, const char *value,
                      const char *doc) {
    (void)doc;
    fprintf(ctx, "[%s]\n%s = %s\n", section, key, value);
}

static int make_folder(void **state) {
    char path[512];
    struct config cfg;
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/all.ini", folder);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    config_default(&cfg);
    config_each(&cfg, write_key, f);
    return fclose(f);
}

static int remove_folder(void **state) {
    char command[512];
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

static int load_name(struct config *cfg, struct config_sources *from, const char *name,
                     struct error *err) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return config_load(cfg, from, path, folder, err);
}

/* Writes `text` to a file and loads the file. Replaces the file's name in err with FILE. */
static int load_bytes(struct config *cfg, const char *text, size_t len, struct error *err) {
    static struct config_sources from;
    char path[512];
    struct error full = {0};
    write_file("x.ini", text, len);
    snprintf(path, sizeof path, "%s/x.ini", folder);
    int result = load_name(cfg, &from, "x.ini", &full);
    size_t n = strncmp(full.text, path, strlen(path)) == 0 ? strlen(path) : 0;
    error_set(err, "%s%s", n ? "FILE" : "", full.text + n);
    return result;
}

static int load(struct config *cfg, const char *text, struct error *err) {
    return load_bytes(cfg, text, strlen(text), err);
}

static void expect_error(const char *text, const char *expected) {
    struct config cfg;
    struct error err;
    assert_int_equal(load(&cfg, text, &err), -1);
    assert_string_equal(err.text, expected);
}

static void defaults_are_in_range_and_legal(void **state) {
    struct config cfg;
    struct error err;
    config_default(&cfg);
#define INT(section, key, def, min, max, ...)                                                      \
    assert_int_equal(cfg.section##_##key, def);                                                    \
    assert_true(cfg.section##_##key >= (min) && cfg.section##_##key <= (max));
#define ENUM(section, key, def, values, ...) assert_int_equal(cfg.section##_##key, def);
#define STR(section, key, def, ...) assert_string_equal(cfg.section##_##key, def);
#include "config/keys.def"
#undef INT
#undef ENUM
#undef STR
    assert_int_equal(gpu_check(&cfg, &err), 0);
}

/* Checks that a condition, "section.key=value|value", names a key and values that the key accepts.
 */
static void expect_condition(char *condition) {
    struct config cfg;
    char assignment[256], *rest;
    struct error err;
    char *values = strchr(condition, '=') + 1;
    values[-1] = '\0';
    if (values[-2] == '!')
        values[-2] = '\0';
    config_default(&cfg);
    for (char *v = strtok_r(values, "|", &rest); v; v = strtok_r(NULL, "|", &rest)) {
        snprintf(assignment, sizeof assignment, "%s=%s", condition, v);
        if (config_set(&cfg, assignment, &err))
            fail_msg("%s: %s", assignment, err.text);
    }
}

/* What a key needs is stated as a list of conditions on existing keys and values. */
static void needs_are_conditions(void **state) {
    (void)state;
    static const char *const needs[][2] = {
#define INT(section, key, def, min, max, ...) {CONFIG_KEY_TEXTS(__VA_ARGS__)},
#define ENUM(section, key, def, values, ...) {CONFIG_KEY_TEXTS(__VA_ARGS__)},
#define STR(section, key, def, ...) {CONFIG_KEY_TEXTS(__VA_ARGS__)},
#include "config/keys.def"
#undef INT
#undef ENUM
#undef STR
    };
    for (size_t i = 0; i < sizeof needs / sizeof needs[0]; i++) {
        char text[512], *rest;
        snprintf(text, sizeof text, "%s", needs[i][1] ? needs[i][1] : "");
        for (char *c = strtok_r(text, ", ", &rest); c; c = strtok_r(NULL, ", ", &rest))
            if (strcmp(c, "or") != 0)
                expect_condition(c);
    }
}

static void file_sets_what_it_names_and_no_more(void **state) {
    struct config cfg, expected;
    struct error err;
    config_default(&expected);
    expected.sm_count = 4;
    expected.l1d_mshr = MSHR_KIND_DL;
    expected.sim_planted_fault = PLANT_STALE_LINE;
    assert_int_equal(load(&cfg,
                          "; a comment\n# another\nbase = all\n[sm]\r\ncount = 4 ; beside\n"
                          "[l1d]\n\tmshr=dl\n[sim]\nplanted_fault : stale_line",
                          &err),
                     0);
    assert_memory_equal(&cfg, &expected, sizeof cfg);
}

static void indented_lines_are_keys_of_their_own(void **state) {
    struct config cfg;
    struct error err;
    assert_int_equal(load(&cfg, "base = all\n[sm]\n  count = 4\n  warps = 9\n", &err), 0);
    assert_int_equal(cfg.sm_count, 4);
    assert_int_equal(cfg.sm_warps, 9);
}

static void values_at_the_ends_of_the_range(void **state) {
    struct config cfg;
    struct error err;
    assert_int_equal(
        load(&cfg, "base = all\n[sm]\ncount = 512\n[sim]\nmax_cycles = 1000000000000", &err), 0);
    assert_int_equal(cfg.sm_count, 512);
    assert_int_equal(cfg.sim_max_cycles, 1000000000000);
    expect_error("[sm]\ncount = 513\n", "FILE:2: sm.count: 513 is outside 1..512");
    expect_error("[sm]\ncount = 0\n", "FILE:2: sm.count: 0 is outside 1..512");
    expect_error("[sm]\ncount = -1\n", "FILE:2: sm.count: -1 is outside 1..512");
    expect_error("[sm]\ncount = 18446744073709551617\n",
                 "FILE:2: sm.count: 18446744073709551617 is outside 1..512");
}

static void each_error_names_file_line_and_value(void **state) {
    expect_error("[sm]\ncount = four\n",
                 "FILE:2: sm.count: 'four' is not an integer from 1 to 512");
    expect_error("[sm]\ncount = 4.0\n", "FILE:2: sm.count: '4.0' is not an integer from 1 to 512");
    expect_error("[sm]\ncount = 0x4\n", "FILE:2: sm.count: '0x4' is not an integer from 1 to 512");
    expect_error("[sm]\ncount = 4 4\n", "FILE:2: sm.count: '4 4' is not an integer from 1 to 512");
    expect_error("[sm]\ncount = 4 # four\n",
                 "FILE:2: sm.count: '4 # four' is not an integer from 1 to 512");
    expect_error("[sm]\ncount = -\n", "FILE:2: sm.count: '-' is not an integer from 1 to 512");
    expect_error("[sm]\ncount =\n", "FILE:2: sm.count: '' is not an integer from 1 to 512");
    expect_error("[l1d]\nmshr = stat\n",
                 "FILE:2: l1d.mshr: 'stat' is not one of static|dl|unlimited");
    expect_error("[l1d]\nmshr = static|dl\n",
                 "FILE:2: l1d.mshr: 'static|dl' is not one of static|dl|unlimited");
    expect_error("[sm]\n\ncuont = 4\n", "FILE:3: unknown key 'cuont' in section 'sm' (see memtwin "
                                        "list keys); did you mean 'count'?");
    expect_error("[sm]\n[l0]\nsets = 4\n",
                 "FILE:2: unknown section 'l0' (see memtwin list keys); did you mean 'l2'?");
    expect_error("[empty]\n[sm]\n", "FILE:1: unknown section 'empty' (see memtwin list keys)");
    expect_error("count = 4\n", "FILE:1: key 'count' is outside any section");
    expect_error("[sm]\ncount = 4\nwarps = 8\ncount = 4\n",
                 "FILE:4: key 'count' is given twice in section 'sm'");
    expect_error("[sm]\ncount = 4\n[l2]\nsets = 4\n[sm]\ncount = 5\n",
                 "FILE:6: key 'count' is given twice in section 'sm'");
}

static void malformed_lines(void **state) {
    expect_error("[sm]\ncount\n", "FILE:2: neither [section] nor key = value");
    expect_error("[sm\ncount = 4\n", "FILE:1: neither [section] nor key = value");
    /* the first of two errors is reported */
    expect_error("[sm]\nfoo\nbar = 4\n", "FILE:2: neither [section] nor key = value");
    expect_error("[sm]\nbar = 4\nfoo\n",
                 "FILE:2: unknown key 'bar' in section 'sm' (see memtwin list keys)");
    expect_error("[sm] count = 4\n", "FILE:1: text after ']': 'count = 4'");
    expect_error("[sm]x ; y\r\n", "FILE:1: text after ']': 'x ; y'");
    expect_error("[sm]]\n", "FILE:1: text after ']': ']'");
    expect_error("[ sm ]\n", "FILE:1: blanks within '[ sm ]'; did you mean '[sm]'?");
    expect_error("[sm\t]\n", "FILE:1: blanks within '[sm?]'; did you mean '[sm]'?");
}

static void accepted_lines(void **state) {
    struct config cfg;
    struct error err;
    char text[600];
    assert_int_equal(load(&cfg, "\xef\xbb\xbf[sm];x\r\ncount = 4\n [l2] # x\n", &err), 0);
    assert_int_equal(cfg.sm_count, 4);
    snprintf(text, sizeof text, "[sm] ; %0500d\ncount = 5\n", 0);
    assert_int_equal(load(&cfg, text, &err), 0);
    assert_int_equal(cfg.sm_count, 5);
}

static void lines_that_are_too_long(void **state) {
    struct config cfg;
    char text[8400];
    struct error err;
    for (unsigned width = 190; width < 8200; width += width == 210 ? 7970 : 1) {
        snprintf(text, sizeof text, "base = all\n[sm]\ncount = %0*d ; two\nwarps = 9\n", width - 14,
                 4);
        if (load(&cfg, text, &err) == 0)
            assert_true(cfg.sm_count == 4 && cfg.sm_warps == 9);
        else
            assert_string_equal(err.text, "FILE:3: line longer than 8192 characters");
        assert_int_equal(err.text[0] == '\0', width <= 8192);
    }
    snprintf(text, sizeof text, "base = all\n[sm]\n%0300d = 4\n", 0);
    assert_int_equal(load(&cfg, text, &err), -1);
    assert_string_equal(err.text, "FILE:3: a section or key longer than 198 characters");
    snprintf(text, sizeof text, "base = all\n[sm]\n%0300d\n", 0);
    assert_int_equal(load(&cfg, text, &err), -1);
    assert_string_equal(err.text, "FILE:3: neither [section] nor key = value");
}

static void binary_files(void **state) {
    struct config cfg;
    struct error err;
    static const char text[] = "[sm]\ncount = 4\0 0\n";
    assert_int_equal(load_bytes(&cfg, text, sizeof text - 1, &err), -1);
    assert_string_equal(err.text, "FILE:2: not a text file (contains a zero byte)");
}

static void missing_files(void **state) {
    struct config cfg;
    struct config_sources from;
    char name[CONFIG_PATH_SIZE + 100];
    struct error err;
    assert_int_equal(config_load(&cfg, &from, "/nonexistent/x.ini", folder, &err), -1);
    assert_string_equal(err.text, "cannot read configuration /nonexistent/x.ini: No such file or "
                                  "directory");
    assert_int_equal(config_load(&cfg, &from, "/", folder, &err), -1);
    assert_string_equal(err.text, "/: Is a directory");
    assert_int_equal(config_load(&cfg, &from, "nowhere", folder, &err), -1);
    assert_string_equal(err.text, "no configuration 'nowhere' (see memtwin list configs)");
    memset(name, 'x', sizeof name);
    name[sizeof name - 1] = '\0';
    assert_int_equal(config_load(&cfg, &from, name, folder, &err), -1);
    assert_string_equal(err.text, "the path of configuration "
                                  "'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...' is too long");
}

static void expect_source(const struct config_sources *from, const char *section, const char *key,
                          const char *source) {
    char buf[512];
    config_source(from, section, key, buf, sizeof buf);
    assert_string_equal(buf, source);
}

/* A key that no file sets has its default. */
static void files_that_leave_keys_out(void **state) {
    struct config cfg, expected;
    struct config_sources from;
    struct error err;
    config_default(&expected);
    assert_int_equal(load(&cfg, "[sm]\n", &err), 0);
    assert_memory_equal(&cfg, &expected, sizeof cfg);
    expected.sm_count = 4;
    write_text("x.ini", "[sm]\ncount = 4\n");
    assert_int_equal(load_name(&cfg, &from, "x.ini", &err), 0);
    assert_memory_equal(&cfg, &expected, sizeof cfg);
    expect_source(&from, "l2", "ways", "default");
}

static void expect_summary(const struct config_sources *from, const char *summary) {
    char buf[512];
    config_summary(from, buf, sizeof buf);
    assert_string_equal(buf, summary);
}

/* A base supplies missing keys. Its path is relative to the file that names it. */
static void bases(void **state) {
    struct config cfg, expected;
    struct config_sources from;
    char text[512];
    struct error err;
    config_default(&expected);
    expected.sm_count = 5;
    expected.sm_warps = 9;
    expected.l2_ways = 3;
    write_text("mid.ini", "base = all\n[sm]\ncount = 4\nwarps = 9\n");
    write_text("top", "; without .ini\nbase: ./mid.ini\n\n[sm]\ncount = 5\n");
    assert_int_equal(load_name(&cfg, &from, "top", &err), 0);
    assert_int_equal(config_override(&cfg, &from, "l2.ways=3", &err), 0);
    assert_memory_equal(&cfg, &expected, sizeof cfg);
    assert_int_equal(from.files, 3);
    assert_string_equal(from.file[2].name, "all");
    expect_source(&from, "clock", "sm_mhz", "all.ini:2");
    expect_source(&from, "l2", "ways", "-s");
    snprintf(text, sizeof text, "%s/./mid.ini:4", folder);
    expect_source(&from, "sm", "warps", text);
    snprintf(text, sizeof text, "%s/top:5", folder);
    expect_source(&from, "sm", "count", text);
    snprintf(text, sizeof text, "all; 1 key from %s/top, 1 from %s/./mid.ini, 1 from -s", folder,
             folder);
    expect_summary(&from, text);
    assert_int_equal(config_load(&cfg, &from, "all", folder, &err), 0);
    expect_summary(&from, "all");
    assert_int_equal(config_override(&cfg, &from, "l2.ways=3", &err), 0);
    assert_int_equal(config_override(&cfg, &from, "l2.sets=64", &err), 0);
    expect_summary(&from, "all; 2 keys from -s");
}

static void expect_base_error(const char *name, const char *expected) {
    struct config cfg;
    struct config_sources from;
    char full[512];
    struct error err;
    assert_int_equal(load_name(&cfg, &from, name, &err), -1);
    snprintf(full, sizeof full, "%s/%s", folder, expected);
    assert_string_equal(err.text, full);
}

static void bases_that_cannot_be(void **state) {
    char name[32], text[128];
    expect_error("base = nowhere\n",
                 "FILE:1: base = nowhere: no configuration 'nowhere' (see memtwin list configs)");
    expect_error("base =\n", "FILE:1: base = : the name of the configuration is empty");
    expect_error("base = /none.ini\n", "FILE:1: base = /none.ini: cannot read configuration "
                                       "/none.ini: No such file or directory");
    expect_error("\nbase = all\nbase = all\n", "FILE:3: a second base");
    expect_error("[sm]\nbase = all\n", "FILE:2: base must come before the first section");
    expect_error("base = -\n", "FILE:1: base = -: no configuration '-' (see memtwin list configs)");
    write_text("self.ini", "base = self.ini\n");
    expect_base_error("self.ini", "self.ini:1: base = self.ini: the base files form a cycle");
    write_text("a.ini", "base = b.ini\n");
    snprintf(text, sizeof text, "base = %s/a.ini\n", folder);
    write_text("b.ini", text);
    snprintf(text, sizeof text, "b.ini:1: base = %s/a.ini: the base files form a cycle", folder);
    expect_base_error("a.ini", text);
    /* an error in a base is reported with its line in the base */
    write_text("good.ini", "base = bad.ini\n[sm]\ncount = 4\n");
    write_text("bad.ini", "base = all\n\n[sm]\ncount = four\n");
    expect_base_error("good.ini", "bad.ini:4: sm.count: 'four' is not an integer from 1 to 512");
    for (int i = 0; i <= CONFIG_FILES; i++) {
        snprintf(name, sizeof name, "c%d.ini", i);
        snprintf(text, sizeof text, "base = c%d.ini\n", i + 1);
        write_text(name, text);
    }
    expect_base_error("c0.ini", "c7.ini:1: base = c8.ini: more than 8 files, each the base of "
                                "another");
}

static void overrides(void **state) {
    static const struct {
        const char *assignment, *error;
    } bad[] = {
        {"", "-s : expected section.key=value"},
        {"sm.count", "-s sm.count: expected section.key=value"},
        {"count=4", "-s count=4: expected section.key=value"},
        {"sm.count=", "-s sm.count=: sm.count: '' is not an integer from 1 to 512"},
        {"sm.count= 4", "-s sm.count= 4: sm.count: ' 4' is not an integer from 1 to 512"},
        {"sm.count=1=2", "-s sm.count=1=2: sm.count: '1=2' is not an integer from 1 to 512"},
        {"sm.count=5000", "-s sm.count=5000: sm.count: 5000 is outside 1..512"},
        {"sm.foo=1", "-s sm.foo=1: unknown key 'foo' in section 'sm' (see memtwin list keys)"},
        {"foo.bar=1", "-s foo.bar=1: unknown section 'foo' (see memtwin list keys)"},
        {"l2.mshr=best", "-s l2.mshr=best: l2.mshr: 'best' is not one of static|dl|unlimited"},
    };
    struct config cfg;
    struct error err;
    config_default(&cfg);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(config_override(&cfg, NULL, bad[i].assignment, &err), -1);
        assert_string_equal(err.text, bad[i].error);
    }
    assert_int_equal(config_override(&cfg, NULL, "sm.count=7", &err), 0);
    assert_int_equal(config_override(&cfg, NULL, "l2.mshr=dl", &err), 0);
    assert_int_equal(cfg.sm_count, 7);
    assert_int_equal(cfg.l2_mshr, MSHR_KIND_DL);
}

static void set_indices_and_their_sets(void **state) {
    struct config cfg;
    struct error err;
    config_default(&cfg);
    assert_int_equal(config_override(&cfg, NULL, "l1d.set_index=bxor", &err), 0);
    assert_int_equal(gpu_check(&cfg, &err), 0);
    cfg.l1d_sets = 48;
    assert_int_equal(gpu_check(&cfg, &err), -1);
    assert_string_equal(err.text,
                        "l1d.set_index=bxor needs a power-of-two number of sets, not l1d.sets=48");
    config_default(&cfg);
    assert_int_equal(config_override(&cfg, NULL, "l2.set_index=fermi", &err), 0);
    cfg.l2_sets = 128;
    assert_int_equal(gpu_check(&cfg, &err), -1);
    assert_string_equal(err.text, "l2.set_index=fermi needs 32 or 64 sets, not l2.sets=128");
}

static void expect_bad(const struct config *cfg, const char *expected) {
    struct error err;
    assert_int_equal(gpu_check(cfg, &err), -1);
    assert_string_equal(err.text, expected);
}

static void l2_relations(void **state) {
    struct config cfg;
    config_default(&cfg);
    cfg.l2_write_fetch = WRITE_LAZY;
    cfg.l2_write = L2_WEWN;
    expect_bad(
        &cfg,
        "l2.write_fetch=lazy needs l2.write=wbwa: the other write policies allocate no way to a "
        "store");
    cfg.l2_write = L2_WBWA;
    cfg.l2_allocate = ALLOCATE_FILL;
    cfg.l2_evict_buffer = 1;
    expect_bad(&cfg, "l2.write_fetch=lazy with l2.allocate=fill needs 2 entries, not "
                     "l2.evict_buffer=1");
    cfg.l2_evict_buffer = 2;
    cfg.l2_write_fetch = WRITE_BOTH;
    expect_bad(&cfg, "l2.write_fetch=both with l2.allocate=fill needs 3 entries, not "
                     "l2.evict_buffer=2");
    cfg.l2_allocate = ALLOCATE_MISS;
    struct error err;
    assert_int_equal(gpu_check(&cfg, &err), 0);
    cfg.l2_evict_buffer = 1;
    expect_bad(&cfg, "l2.write_fetch=both with l2.allocate=miss needs 2 entries, not "
                     "l2.evict_buffer=1");
    cfg.l2_write_fetch = WRITE_LAZY;
    assert_int_equal(gpu_check(&cfg, &err), 0);
}

static void relations(void **state) {
    struct config cfg;
    struct error err;
    config_default(&cfg);
    cfg.l1d_dl_sets = 40;
    assert_int_equal(gpu_check(&cfg, &err), 0); /* the key is not in use */
    cfg.l1d_mshr = MSHR_KIND_DL;
    assert_int_equal(gpu_check(&cfg, &err), -1);
    assert_string_equal(err.text, "l1d.dl_reserved_heads=40 must be below l1d.dl_sets=40");
    cfg.l1d_dl_reserved_heads = 39;
    assert_int_equal(gpu_check(&cfg, &err), 0);
    cfg.l2_mshr = MSHR_KIND_DL;
    cfg.l2_dl_sets = 8;
    assert_int_equal(gpu_check(&cfg, &err), -1);
    assert_string_equal(err.text, "l2.dl_reserved_heads=32 must be below l2.dl_sets=8");
    config_default(&cfg);
    cfg.sm_warps = 1;
    assert_int_equal(gpu_check(&cfg, &err), -1);
    assert_string_equal(err.text, "sm.schedulers=2 is above sm.warps=1");
    cfg.sm_warps = cfg.sm_active_warps = 48;
    cfg.sm_scheduler = SCHEDULER_SWL;
    assert_int_equal(gpu_check(&cfg, &err), 0);
    cfg.sm_active_warps = 49;
    assert_int_equal(gpu_check(&cfg, &err), -1);
    assert_string_equal(err.text, "sm.active_warps=49 is above sm.warps=48");
    cfg.sm_scheduler = SCHEDULER_GTO;
    assert_int_equal(gpu_check(&cfg, &err), 0); /* the key is not in use */
}

/* Each row changes defaults by assignments that are legal one by one and together cause the
 * error. */
static void relations_of_the_dram(void **state) {
    static const struct {
        const char *set[3], *error;
    } bad[] = {
        {{"dram.banks=12"}, "dram.banks=12 is not a power of two"},
        {{"dram.groups=3"}, "dram.groups=3 is not a power of two"},
        {{"dram.atom_bytes=48"}, "dram.atom_bytes=48 is not a power of two"},
        {{"dram.groups=32"}, "dram.banks=16 is below dram.groups=32"},
        {{"dram.write_high=65"}, "dram.write_queue=64 is below dram.write_high=65"},
        {{"dram.write_low=56"}, "dram.write_low=56 must be below dram.write_high=56"},
        {{"dram.scheduler=fcfs", "dram.model=gpgpusim"},
         "dram.scheduler=fcfs needs dram.model=simple"},
        {{"dram.read_queue=3"},
         "dram.read_queue=3 has no room for the 4 atoms of a line "
         "(dram.atom_bytes=32)"},
        {{"dram.rc=36"}, "dram.rc=36 is below dram.ras=37"},
        {{"dram.ccdl=1"}, "dram.ccdl=1 is below dram.ccd=2"},
        {{"dram.faw=7"}, "dram.faw=7 is below dram.rrd=8"},
        {{"dram.faw=40", "dram.aw32=39"}, "dram.aw32=39 is below dram.faw=40"},
        {{"dram.refi=5000"}, "dram.refi=5000 needs dram.rfc"},
        {{"dram.refi=200", "dram.rfc=60"},
         "dram.refi=200 leaves no time between refreshes: a refresh and the commands before it "
         "take up to 211"},
        {{"dram.burst=1", "dram.ccd=1"},
         "dram.burst=1 with dram.ccd=1 leaves no cycle for row "
         "commands on one command bus; set dram.buses=2"},
        {{"dram.address_map=RRBBBBCCSSSSS", "dram.banks=8"},
         "dram.address_map=RRBBBBCCSSSSS: 4 B bits, but there are 8 banks"},
        {{"dram.address_map="}, "-s dram.address_map=: dram.address_map: empty"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct config cfg;
        struct error err;
        int result = 0;
        config_default(&cfg);
        for (size_t n = 0; n < 3 && bad[i].set[n] && !result; n++)
            result = config_override(&cfg, NULL, bad[i].set[n], &err);
        if (!result)
            result = gpu_check(&cfg, &err);
        assert_int_equal(result, -1);
        assert_string_equal(err.text, bad[i].error);
    }
}

static void strings(void **state) {
    struct config cfg;
    char text[200], long_text[CONFIG_STR_SIZE + 1];
    struct error err;
    assert_int_equal(
        load(&cfg, "base = all\n[dram]\naddress_map = RR.BBBB.CC.SSSSS ; sixteen banks\n", &err),
        0);
    assert_string_equal(cfg.dram_address_map, "RR.BBBB.CC.SSSSS");
    assert_int_equal(gpu_check(&cfg, &err), 0);
    memset(long_text, 'R', sizeof long_text);
    long_text[CONFIG_STR_SIZE] = '\0';
    snprintf(text, sizeof text, "[dram]\naddress_map = %s\n", long_text);
    assert_int_equal(load(&cfg, text, &err), -1);
    snprintf(text, sizeof text, "FILE:2: dram.address_map: '%s' is longer than 95 characters",
             long_text);
    assert_string_equal(err.text, text);
    long_text[CONFIG_STR_SIZE - 1] = '\0';
    snprintf(text, sizeof text, "dram.address_map=%s", long_text);
    assert_int_equal(config_override(&cfg, NULL, text, &err), 0);
    assert_string_equal(cfg.dram_address_map, long_text);
    expect_error("[dram]\naddress_map =\n", "FILE:2: dram.address_map: empty");
}

/* Expects gpu_check to refuse the defaults changed by these assignments, with the error `why`. */
static void refuses(const char *const set[], const char *why) {
    struct config cfg;
    struct error err;
    config_default(&cfg);
    for (; *set; set++)
        assert_int_equal(config_override(&cfg, NULL, *set, &err), 0);
    assert_int_equal(gpu_check(&cfg, &err), -1);
    assert_string_equal(err.text, why);
}

#define REFUSES(why, ...) refuses((const char *const[]){__VA_ARGS__, NULL}, why)

static void relations_of_the_sm(void **state) {
    REFUSES("sm.register_ports=2 needs sm.register_banks", "sm.model=gpgpusim", "sm.collectors=2",
            "sm.register_ports=2", "sm.exit_latency=1");
    REFUSES("sm.register_ports=2 needs sm.exit_latency, at least 1", "sm.model=gpgpusim",
            "sm.collectors=2", "sm.register_banks=16", "sm.schedulers=4", "sm.register_ports=2");
}

static void maps_that_cannot_be(void **state) {
    REFUSES("l2.banks=3 is not a power of two", "l2.banks=3");
    REFUSES("l2.partition_map=xor needs a power-of-two number of partitions, not "
            "l2.partitions=6",
            "l2.partitions=6", "l2.partition_map=xor");
    REFUSES("l2.partition_map=xor needs a power of two, not l2.interleave_lines=3",
            "l2.interleave_lines=3", "l2.partition_map=xor");
    REFUSES(
        "l2.partition_map=xor_next needs a power-of-two number of partitions, not l2.partitions=12",
        "l2.partitions=12", "l2.partition_map=xor_next");
    REFUSES(
        "l2.partition_map=d_prime needs a power-of-two number of partitions, not l2.partitions=12",
        "l2.partitions=12", "l2.partition_map=d_prime");
    REFUSES("l2.partition_map=prime needs at least two partitions, not l2.partitions=1",
            "l2.partitions=1", "l2.partition_map=prime");
    REFUSES("l2.partition_map=a_prime needs a power of two m of partitions with a prime 2m - 1 "
            "(2, 4, 16, 64), not l2.partitions=8",
            "l2.partitions=8", "l2.partition_map=a_prime");
    REFUSES("l2.partition_map=ipoly needs 8, 16, 32 or 64 partitions, not l2.partitions=4",
            "l2.partitions=4", "l2.partition_map=ipoly");
    REFUSES("l2.partition_map=random needs a power of two, not l2.interleave_lines=3",
            "l2.interleave_lines=3", "l2.partition_map=random");
    REFUSES("l2.set_index=ipoly needs a power-of-two number of sets from 8 to 4096, not l2.sets=4",
            "l2.sets=4", "l2.set_index=ipoly");
    REFUSES("l2.set_index=ipoly needs a power-of-two number of sets from 8 to 4096, not l2.sets=48",
            "l2.sets=48", "l2.set_index=ipoly");
    REFUSES("l1d.sets=4096 and l1d.ways=65 make more than 262144 lines", "l1d.sets=4096",
            "l1d.ways=65");
    REFUSES("l1d.set_index=pmod needs a power-of-two number of sets from 4 to 4096, not l1d.sets=2",
            "l1d.sets=2", "l1d.set_index=pmod");
    REFUSES(
        "l2.set_index=a_prime needs a power-of-two number of sets from 4 to 4096, not l2.sets=8192",
        "l2.sets=8192", "l2.set_index=a_prime");
    REFUSES("l1d.set_index=xor needs a power-of-two number of sets, not l1d.sets=24", "l1d.sets=24",
            "l1d.set_index=xor");
    REFUSES("l2.set_index=d_prime needs a power-of-two number of sets, not l2.sets=24",
            "l2.sets=24", "l2.set_index=d_prime");
    REFUSES("l2.set_index=ipoly_sum needs a power-of-two number of sets, not l2.sets=24",
            "l2.sets=24", "l2.set_index=ipoly_sum");
}

static void relations_of_prioritization_queues(void **state) {
    struct config cfg;
    struct error err;
    config_default(&cfg);
    cfg.l1d_mrpb_queues = cfg.sm_warps = 24;
    assert_int_equal(gpu_check(&cfg, &err), 0);
    cfg.sm_warps = 23;
    assert_int_equal(gpu_check(&cfg, &err), -1);
    assert_string_equal(err.text, "l1d.mrpb_queues=24 is above sm.warps=23");
    cfg.l1d_mrpb_queues = 8;
    assert_int_equal(gpu_check(&cfg, &err), 0);
    cfg.l1d_enabled = 0;
    assert_int_equal(gpu_check(&cfg, &err), -1);
    assert_string_equal(err.text, "l1d.mrpb_queues=8 needs l1d.enabled=yes, not no");
}

static void relations_of_the_l1d(void **state) {
    struct config cfg;
    struct error err;
    config_default(&cfg);
    cfg.l1d_miss_queue = 1;
    assert_int_equal(gpu_check(&cfg, &err), 0);
    cfg.l1d_write = L1D_WBWA;
    assert_int_equal(gpu_check(&cfg, &err), -1);
    assert_string_equal(err.text,
                        "l1d.write=wbwa with l1d.allocate=miss needs l1d.miss_queue of at "
                        "least 2 (a write-back and a fetch), not 1");
    cfg.l1d_write = L1D_LOCAL_WB;
    assert_int_equal(gpu_check(&cfg, &err), -1);
    assert_non_null(strstr(err.text, "l1d.write=local_wb "));
    cfg.l1d_write = L1D_LOCAL_WBWN;
    assert_int_equal(gpu_check(&cfg, &err), -1);
    assert_non_null(strstr(err.text, "l1d.write=local_wbwn "));
    cfg.l1d_allocate = ALLOCATE_FILL;
    assert_int_equal(gpu_check(&cfg, &err), 0);
    cfg.l1d_allocate = ALLOCATE_MISS;
    cfg.l1d_miss_queue = 2;
    assert_int_equal(gpu_check(&cfg, &err), 0);
    cfg.l1d_bypass = BYPASS_PDP;
    assert_int_equal(gpu_check(&cfg, &err), 0);
    cfg.l1d_enabled = 0; /* a file may name policies of an L1D that is off */
    assert_int_equal(gpu_check(&cfg, &err), 0);
    REFUSES("uvm.mode=paged needs stores that go through the L1D: an evicted page would have dirty "
            "lines there with l1d.write=wbwa",
            "uvm.mode=paged", "l1d.write=wbwa");
}

/* Sets the key in the struct config that ctx points to. */
static void copy_key(void *ctx, const char *section, const char *key, const char *value,
                     const char *doc) {
    char assignment[128];
    struct error err;
    assert_true(doc && doc[0]);
    snprintf(assignment, sizeof assignment, "%s.%s=%s", section, key, value);
    assert_int_equal(config_override(ctx, NULL, assignment, &err), 0);
}

static void each_key_is_listed_with_a_value_that_reads_back(void **state) {
    struct config cfg, copy;
    config_default(&cfg);
    cfg.sm_count = 3;
    cfg.l1d_mshr = MSHR_KIND_DL;
    cfg.sim_planted_fault = PLANT_LOSE_REPLY;
    assert_int_equal(config_override(&cfg, NULL, "dram.address_map=R.BBBB.C.SSSSS", NULL), 0);
    memset(&copy, 0, sizeof copy);
    config_each(&cfg, copy_key, &copy);
    assert_memory_equal(&cfg, &copy, sizeof cfg);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(defaults_are_in_range_and_legal),
        cmocka_unit_test(needs_are_conditions),
        cmocka_unit_test(file_sets_what_it_names_and_no_more),
        cmocka_unit_test(indented_lines_are_keys_of_their_own),
        cmocka_unit_test(values_at_the_ends_of_the_range),
        cmocka_unit_test(each_error_names_file_line_and_value),
        cmocka_unit_test(malformed_lines),
        cmocka_unit_test(accepted_lines),
        cmocka_unit_test(lines_that_are_too_long),
        cmocka_unit_test(binary_files),
        cmocka_unit_test(missing_files),
        cmocka_unit_test(files_that_leave_keys_out),
        cmocka_unit_test(bases),
        cmocka_unit_test(bases_that_cannot_be),
        cmocka_unit_test(overrides),
        cmocka_unit_test(set_indices_and_their_sets),
        cmocka_unit_test(l2_relations),
        cmocka_unit_test(relations),
        cmocka_unit_test(relations_of_the_sm),
        cmocka_unit_test(maps_that_cannot_be),
        cmocka_unit_test(relations_of_the_dram),
        cmocka_unit_test(strings),
        cmocka_unit_test(relations_of_the_l1d),
        cmocka_unit_test(relations_of_prioritization_queues),
        cmocka_unit_test(each_key_is_listed_with_a_value_that_reads_back),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
