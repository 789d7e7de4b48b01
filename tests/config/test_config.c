// SPDX-License-Identifier: Apache-2.0
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

#include "cache/addr_map.h"
#include "config/config.h"
#include "gpu/gpu.h"
#include "l1d/l1d.h"
#include "l2/l2.h"
#include "mrpb/mrpb.h"
#include "sm/coalesce.h"
#include "sm/sched.h"

/* A folder with all.ini, a file that names every key. */
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
    (void)state;
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
    (void)state;
    char command[512];
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

static int load_name(struct config *cfg, struct config_sources *from, const char *name, char *err,
                     size_t err_size) {
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return config_load(cfg, from, path, folder, err, err_size);
}

/* Writes text to a file and loads it; the file's name in err becomes FILE. */
static int load_bytes(struct config *cfg, const char *text, size_t len, char *err,
                      size_t err_size) {
    static struct config_sources from;
    char path[512], full[512] = "";
    write_file("x.ini", text, len);
    snprintf(path, sizeof path, "%s/x.ini", folder);
    int result = load_name(cfg, &from, "x.ini", full, sizeof full);
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
#define STR(section, key, def, doc) assert_string_equal(cfg.section##_##key, def);
#include "config/keys.def"
#undef INT
#undef ENUM
#undef STR
    assert_int_equal(gpu_check(&cfg, err, sizeof err), 0);
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
                          "; a comment\n# another\nbase = all\n[sm]\r\ncount = 4 ; beside\n"
                          "[l1d]\n\tmshr=dl\n[sim]\nplant : stale_line",
                          err, sizeof err),
                     0);
    assert_memory_equal(&cfg, &expected, sizeof cfg);
}

static void indented_lines_are_keys_of_their_own(void **state) {
    (void)state;
    struct config cfg;
    char err[512];
    assert_int_equal(load(&cfg, "base = all\n[sm]\n  count = 4\n  warps = 9\n", err, sizeof err),
                     0);
    assert_int_equal(cfg.sm_count, 4);
    assert_int_equal(cfg.sm_warps, 9);
}

static void values_at_the_ends_of_the_range(void **state) {
    (void)state;
    struct config cfg;
    char err[512];
    assert_int_equal(load(&cfg, "base = all\n[sm]\ncount = 512\n[sim]\nmax_cycles = 1000000000000",
                          err, sizeof err),
                     0);
    assert_int_equal(cfg.sm_count, 512);
    assert_int_equal(cfg.sim_max_cycles, 1000000000000);
    expect_error("[sm]\ncount = 513\n", "FILE:2: sm.count: 513 is outside 1..512");
    expect_error("[sm]\ncount = 0\n", "FILE:2: sm.count: 0 is outside 1..512");
    expect_error("[sm]\ncount = -1\n", "FILE:2: sm.count: -1 is outside 1..512");
    expect_error("[sm]\ncount = 18446744073709551617\n",
                 "FILE:2: sm.count: 18446744073709551617 is outside 1..512");
}

static void each_error_names_file_line_and_value(void **state) {
    (void)state;
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
                 "FILE:2: l1d.mshr: 'stat' is not one of static|dl|implicit|unlimited");
    expect_error("[l1d]\nmshr = static|dl\n",
                 "FILE:2: l1d.mshr: 'static|dl' is not one of static|dl|implicit|unlimited");
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
        snprintf(text, sizeof text, "base = all\n[sm]\ncount = %0*d\nwarps = 9\n", width - 8, 4);
        if (load(&cfg, text, err, sizeof err) == 0)
            assert_true(cfg.sm_count == 4 && cfg.sm_warps == 9);
        else
            assert_string_equal(err, "FILE:3: line longer than 198 characters");
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
    struct config_sources from;
    char err[256], name[CONFIG_PATH_SIZE + 100];
    assert_int_equal(config_load(&cfg, &from, "/nonexistent/x.ini", folder, err, sizeof err), -1);
    assert_string_equal(err, "cannot read configuration /nonexistent/x.ini: No such file or "
                             "directory");
    assert_int_equal(config_load(&cfg, &from, "/", folder, err, sizeof err), -1);
    assert_string_equal(err, "/: Is a directory");
    assert_int_equal(config_load(&cfg, &from, "nowhere", folder, err, sizeof err), -1);
    assert_string_equal(err, "no configuration 'nowhere' (see memtwin list configs)");
    memset(name, 'x', sizeof name);
    name[sizeof name - 1] = '\0';
    assert_int_equal(config_load(&cfg, &from, name, folder, err, sizeof err), -1);
    assert_string_equal(err, "the path of configuration "
                             "'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx...' is too long");
}

/* No key has a value that no file gives it. */
static void files_that_leave_keys_out(void **state) {
    (void)state;
    struct config cfg;
    char err[512], text[64];
#define LEVEL_KEYS_ARE(level, title) +6
    const int needed = CONFIG_KEYS - (0 MEMORY_LEVELS(LEVEL_KEYS_ARE)); /* a file may leave out */
#undef LEVEL_KEYS_ARE
    snprintf(text, sizeof text, "FILE: missing %d of %d keys (clock.sm_mhz, ", needed, needed);
    assert_int_equal(load(&cfg, "", err, sizeof err), -1);
    assert_memory_equal(err, text, strlen(text));
    assert_non_null(strstr(err, "base = NAME"));
    char path[512], all[32768];
    snprintf(path, sizeof path, "%s/all.ini", folder);
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    size_t len = fread(all, 1, sizeof all - 1, f);
    all[len] = '\0';
    fclose(f);
    assert_int_equal(load(&cfg, all, err, sizeof err), 0);
    *strrchr(all, '[') = '\0';
    snprintf(text, sizeof text, "FILE: missing 1 of %d keys (sim.plant): ", CONFIG_KEYS);
    assert_int_equal(load(&cfg, all, err, sizeof err), -1);
    assert_memory_equal(err, text, strlen(text));
}

static void expect_source(const struct config_sources *from, const char *section, const char *key,
                          const char *source) {
    char buf[512];
    config_source(from, section, key, buf, sizeof buf);
    assert_string_equal(buf, source);
}

static void expect_summary(const struct config_sources *from, const char *summary) {
    char buf[512];
    config_summary(from, buf, sizeof buf);
    assert_string_equal(buf, summary);
}

/* A base gives what is not named; a path begins at the file that names it. */
static void bases(void **state) {
    (void)state;
    struct config cfg, expected;
    struct config_sources from;
    char err[512], text[512];
    config_default(&expected);
    expected.sm_count = 5;
    expected.sm_warps = 9;
    expected.l2_ways = 3;
    write_text("mid.ini", "base = all\n[sm]\ncount = 4\nwarps = 9\n");
    write_text("top", "; without .ini\nbase: ./mid.ini\n\n[sm]\ncount = 5\n");
    assert_int_equal(load_name(&cfg, &from, "top", err, sizeof err), 0);
    assert_int_equal(config_override(&cfg, &from, "l2.ways=3", err, sizeof err), 0);
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
    assert_int_equal(config_load(&cfg, &from, "all", folder, err, sizeof err), 0);
    expect_summary(&from, "all");
    assert_int_equal(config_override(&cfg, &from, "l2.ways=3", err, sizeof err), 0);
    assert_int_equal(config_override(&cfg, &from, "l2.sets=64", err, sizeof err), 0);
    expect_summary(&from, "all; 2 keys from -s");
}

static void expect_base_error(const char *name, const char *expected) {
    struct config cfg;
    struct config_sources from;
    char err[512], full[512];
    assert_int_equal(load_name(&cfg, &from, name, err, sizeof err), -1);
    snprintf(full, sizeof full, "%s/%s", folder, expected);
    assert_string_equal(err, full);
}

static void bases_that_cannot_be(void **state) {
    (void)state;
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
    /* an error in a base is told with its own line */
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
    (void)state;
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
        {"l2.mshr=best",
         "-s l2.mshr=best: l2.mshr: 'best' is not one of static|dl|implicit|unlimited"},
    };
    struct config cfg;
    char err[256];
    config_default(&cfg);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(config_override(&cfg, NULL, bad[i].assignment, err, sizeof err), -1);
        assert_string_equal(err, bad[i].error);
    }
    assert_int_equal(config_override(&cfg, NULL, "sm.count=7", err, sizeof err), 0);
    assert_int_equal(config_override(&cfg, NULL, "l2.mshr=dl", err, sizeof err), 0);
    assert_int_equal(cfg.sm_count, 7);
    assert_int_equal(cfg.l2_mshr, MSHR_KIND_DL);
}

static void set_indices_and_their_sets(void **state) {
    (void)state;
    struct config cfg;
    char err[256];
    config_default(&cfg);
    assert_int_equal(config_override(&cfg, NULL, "l1d.set_index=bxor", err, sizeof err), 0);
    assert_int_equal(gpu_check(&cfg, err, sizeof err), 0);
    cfg.l1d_sets = 48;
    assert_int_equal(gpu_check(&cfg, err, sizeof err), -1);
    assert_string_equal(err,
                        "l1d.set_index=bxor needs a power-of-two number of sets, not l1d.sets=48");
    config_default(&cfg);
    assert_int_equal(config_override(&cfg, NULL, "l2.set_index=fermi", err, sizeof err), 0);
    cfg.l2_sets = 128;
    assert_int_equal(gpu_check(&cfg, err, sizeof err), -1);
    assert_string_equal(err, "l2.set_index=fermi needs 32 or 64 sets, not l2.sets=128");
}

static void expect_bad(const struct config *cfg, const char *expected) {
    char err[256];
    assert_int_equal(gpu_check(cfg, err, sizeof err), -1);
    assert_string_equal(err, expected);
}

static void l2_relations(void **state) {
    (void)state;
    struct config cfg;
    config_default(&cfg);
    cfg.l2_write_fetch = WRITE_LAZY;
    cfg.l2_write = L2_WEWN;
    expect_bad(&cfg, "l2.write_fetch=lazy needs l2.write=wbwa: the others allocate no way to a "
                     "store");
    cfg.l2_write = L2_WBWA;
    cfg.l2_allocate = ALLOCATE_FILL;
    cfg.l2_evict_buffer = 1;
    expect_bad(&cfg, "l2.write_fetch=lazy with l2.allocate=fill needs two places, not "
                     "l2.evict_buffer=1");
    cfg.l2_evict_buffer = 2;
    char err[256];
    assert_int_equal(gpu_check(&cfg, err, sizeof err), 0);
}

static void relations(void **state) {
    (void)state;
    struct config cfg;
    char err[256];
    config_default(&cfg);
    cfg.l1d_dl_sets = 40;
    assert_int_equal(gpu_check(&cfg, err, sizeof err), 0); /* not in use */
    cfg.l1d_mshr = MSHR_KIND_DL;
    assert_int_equal(gpu_check(&cfg, err, sizeof err), -1);
    assert_string_equal(err, "l1d.dl_reserved_heads=40 must be below l1d.dl_sets=40");
    cfg.l1d_dl_reserved_heads = 39;
    assert_int_equal(gpu_check(&cfg, err, sizeof err), 0);
    cfg.l2_mshr = MSHR_KIND_DL;
    cfg.l2_dl_sets = 8;
    assert_int_equal(gpu_check(&cfg, err, sizeof err), -1);
    assert_string_equal(err, "l2.dl_reserved_heads=32 must be below l2.dl_sets=8");
    config_default(&cfg);
    cfg.l1d_mshr_word = 32;
    cfg.l2_mshr_word = 12;
    assert_int_equal(gpu_check(&cfg, err, sizeof err), -1);
    assert_string_equal(err, "l2.mshr_word=12 is not a power of two");
    config_default(&cfg);
    cfg.sm_warps = 1;
    assert_int_equal(gpu_check(&cfg, err, sizeof err), -1);
    assert_string_equal(err, "sm.schedulers=2 is above sm.warps=1");
    cfg.sm_warps = cfg.sm_swl_warps = 48;
    cfg.sm_scheduler = SCHEDULER_SWL;
    assert_int_equal(gpu_check(&cfg, err, sizeof err), 0);
    cfg.sm_swl_warps = 49;
    assert_int_equal(gpu_check(&cfg, err, sizeof err), -1);
    assert_string_equal(err, "sm.swl_warps=49 is above sm.warps=48");
    cfg.sm_scheduler = SCHEDULER_GTO;
    assert_int_equal(gpu_check(&cfg, err, sizeof err), 0); /* not in use */
}

/* Each from the defaults, by assignments that are legal one by one. */
static void relations_of_the_dram(void **state) {
    (void)state;
    static const struct {
        const char *set[3], *error;
    } bad[] = {
        {{"dram.banks=12"}, "dram.banks=12 is not a power of two"},
        {{"dram.groups=3"}, "dram.groups=3 is not a power of two"},
        {{"dram.atom_bytes=48"}, "dram.atom_bytes=48 is not a power of two"},
        {{"dram.groups=32"}, "dram.banks=16 is below dram.groups=32"},
        {{"dram.write_high=65"}, "dram.write_queue=64 is below dram.write_high=65"},
        {{"dram.write_low=56"}, "dram.write_low=56 must be below dram.write_high=56"},
        {{"dram.scheduler=fcfs", "dram.queue=shared"},
         "dram.scheduler=fcfs needs dram.queue=split"},
        {{"dram.command_order=turn", "dram.queue=shared"},
         "dram.command_order=turn needs dram.queue=taken and dram.buses=1"},
        {{"dram.command_order=turn", "dram.queue=taken", "dram.buses=2"},
         "dram.command_order=turn needs dram.queue=taken and dram.buses=1"},
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
         "dram.address_map=RRBBBBCCSSSSS: 4 bits B, but there are 8 banks"},
        {{"dram.address_map="}, "-s dram.address_map=: dram.address_map: empty"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        struct config cfg;
        char err[256];
        int result = 0;
        config_default(&cfg);
        for (size_t n = 0; n < 3 && bad[i].set[n] && !result; n++)
            result = config_override(&cfg, NULL, bad[i].set[n], err, sizeof err);
        if (!result)
            result = gpu_check(&cfg, err, sizeof err);
        assert_int_equal(result, -1);
        assert_string_equal(err, bad[i].error);
    }
}

static void strings(void **state) {
    (void)state;
    struct config cfg;
    char err[512], text[200], long_text[CONFIG_STR_SIZE + 1];
    assert_int_equal(load(&cfg,
                          "base = all\n[dram]\naddress_map = RR.BBBB.CC.SSSSS ; sixteen banks\n",
                          err, sizeof err),
                     0);
    assert_string_equal(cfg.dram_address_map, "RR.BBBB.CC.SSSSS");
    assert_int_equal(gpu_check(&cfg, err, sizeof err), 0);
    memset(long_text, 'R', sizeof long_text);
    long_text[CONFIG_STR_SIZE] = '\0';
    snprintf(text, sizeof text, "[dram]\naddress_map = %s\n", long_text);
    assert_int_equal(load(&cfg, text, err, sizeof err), -1);
    snprintf(text, sizeof text, "FILE:2: dram.address_map: '%s' is longer than 95 characters",
             long_text);
    assert_string_equal(err, text);
    long_text[CONFIG_STR_SIZE - 1] = '\0';
    snprintf(text, sizeof text, "dram.address_map=%s", long_text);
    assert_int_equal(config_override(&cfg, NULL, text, err, sizeof err), 0);
    assert_string_equal(cfg.dram_address_map, long_text);
    expect_error("[dram]\naddress_map =\n", "FILE:2: dram.address_map: empty");
}

/* An assignment that gpu_check refuses, from the defaults or after others. */
static void refuses(const char *const set[], const char *why) {
    struct config cfg;
    char err[256];
    config_default(&cfg);
    for (; *set; set++)
        assert_int_equal(config_override(&cfg, NULL, *set, err, sizeof err), 0);
    assert_int_equal(gpu_check(&cfg, err, sizeof err), -1);
    assert_string_equal(err, why);
}

#define REFUSES(why, ...) refuses((const char *const[]){__VA_ARGS__, NULL}, why)

static void maps_that_cannot_be(void **state) {
    (void)state;
    REFUSES("l2.subs=3 is not a power of two", "l2.subs=3");
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
    REFUSES("l2.partition_map=hash needs a power of two, not l2.interleave_lines=6",
            "l2.interleave_lines=6", "l2.partition_map=hash");
    REFUSES("l2.set_index=ipoly needs a power-of-two number of sets from 8 to 4096, not l2.sets=4",
            "l2.sets=4", "l2.set_index=ipoly");
    REFUSES("l2.set_index=ipoly needs a power-of-two number of sets from 8 to 4096, not l2.sets=48",
            "l2.sets=48", "l2.set_index=ipoly");
    REFUSES("l1d.sets=4096 and l1d.ways=65 are more than 262144 lines", "l1d.sets=4096",
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

static void relations_of_prioritisation_queues(void **state) {
    (void)state;
    struct config cfg;
    char err[256];
    config_default(&cfg);
    cfg.l1d_mrpb_queues = cfg.sm_warps = 24;
    assert_int_equal(gpu_check(&cfg, err, sizeof err), 0);
    cfg.sm_warps = 23;
    assert_int_equal(gpu_check(&cfg, err, sizeof err), -1);
    assert_string_equal(err, "l1d.mrpb_queues=24 is above sm.warps=23, and "
                             "l1d.mrpb_signature=warp");
    cfg.l1d_mrpb_signature = MRPB_CTA;
    assert_int_equal(gpu_check(&cfg, err, sizeof err), -1);
    assert_string_equal(err, "l1d.mrpb_queues=24 is above sm.ctas=8, and l1d.mrpb_signature=cta");
    cfg.l1d_mrpb_queues = 8;
    assert_int_equal(gpu_check(&cfg, err, sizeof err), 0);
    cfg.l1d_enabled = 0;
    assert_int_equal(gpu_check(&cfg, err, sizeof err), -1);
    assert_string_equal(err, "l1d.mrpb_queues=8 needs l1d.enabled=1, not 0");
}

static void relations_of_the_l1d(void **state) {
    (void)state;
    struct config cfg;
    char err[256];
    config_default(&cfg);
    cfg.l1d_sectored = 1;
    assert_int_equal(gpu_check(&cfg, err, sizeof err), -1);
    assert_string_equal(err, "l1d.sectored=yes needs sm.coalesce=sector, not line");
    cfg.sm_coalesce = COALESCE_SEGMENT;
    assert_int_equal(gpu_check(&cfg, err, sizeof err), -1);
    assert_string_equal(err, "l1d.sectored=yes needs sm.coalesce=sector, not segment");
    cfg.sm_coalesce = COALESCE_SECTOR;
    assert_int_equal(gpu_check(&cfg, err, sizeof err), 0);
    config_default(&cfg);
    cfg.l1d_miss_queue = 1;
    assert_int_equal(gpu_check(&cfg, err, sizeof err), 0);
    cfg.l1d_write = L1D_WBWA;
    assert_int_equal(gpu_check(&cfg, err, sizeof err), -1);
    assert_string_equal(err, "l1d.write=wbwa with l1d.allocate=miss needs l1d.miss_queue of at "
                             "least 2 (a write-back and a fetch), not 1");
    cfg.l1d_write = L1D_LOCAL_WB;
    assert_int_equal(gpu_check(&cfg, err, sizeof err), -1);
    assert_non_null(strstr(err, "l1d.write=local_wb"));
    cfg.l1d_allocate = ALLOCATE_FILL;
    assert_int_equal(gpu_check(&cfg, err, sizeof err), 0);
    cfg.l1d_allocate = ALLOCATE_MISS;
    cfg.l1d_miss_queue = 2;
    assert_int_equal(gpu_check(&cfg, err, sizeof err), 0);
    cfg.l1d_bypass = BYPASS_PDP;
    assert_int_equal(gpu_check(&cfg, err, sizeof err), 0);
    cfg.l1d_enabled = 0; /* a file may name policies of an L1D that is off */
    assert_int_equal(gpu_check(&cfg, err, sizeof err), 0);
    REFUSES("uvm.mode=paged needs stores that go through the L1D: an evicted page would have dirty "
            "lines there with l1d.write=wbwa",
            "uvm.mode=paged", "l1d.write=wbwa");
}

/* Sets the same key in the config that ctx is. */
static void copy_key(void *ctx, const char *section, const char *key, const char *value,
                     const char *doc) {
    char assignment[128], err[256];
    assert_true(doc && doc[0]);
    snprintf(assignment, sizeof assignment, "%s.%s=%s", section, key, value);
    assert_int_equal(config_override(ctx, NULL, assignment, err, sizeof err), 0);
}

static void each_key_is_listed_with_a_value_that_reads_back(void **state) {
    (void)state;
    struct config cfg, copy;
    char text[128];
    config_default(&cfg);
    cfg.sm_count = 3;
    cfg.l1d_mshr = MSHR_KIND_DL;
    cfg.sim_plant = PLANT_LOSE_REPLY;
    assert_int_equal(
        config_override(&cfg, NULL, "dram.address_map=R.BBBB.C.SSSSS", text, sizeof text), 0);
    memset(&copy, 0, sizeof copy);
    config_each(&cfg, copy_key, &copy);
    assert_memory_equal(&cfg, &copy, sizeof cfg);
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
        cmocka_unit_test(files_that_leave_keys_out),
        cmocka_unit_test(bases),
        cmocka_unit_test(bases_that_cannot_be),
        cmocka_unit_test(overrides),
        cmocka_unit_test(set_indices_and_their_sets),
        cmocka_unit_test(l2_relations),
        cmocka_unit_test(relations),
        cmocka_unit_test(maps_that_cannot_be),
        cmocka_unit_test(relations_of_the_dram),
        cmocka_unit_test(strings),
        cmocka_unit_test(relations_of_the_l1d),
        cmocka_unit_test(relations_of_prioritisation_queues),
        cmocka_unit_test(each_key_is_listed_with_a_value_that_reads_back),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
