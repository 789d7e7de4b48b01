// SPDX-License-Identifier: Apache-2.0
/* Tests of the screen: the color for each way in which a run ends, and each hint, with statistics
 * that make only that hint true. */
#include <pty.h>
#include <termios.h>
#include <unistd.h>

#include "cache/lines.h"
#include "mshr/mshr_kind.h"
#include "screen.h"
#include "settings.h"
#include "tests/test.h"

struct cli_machine {
    struct config cfg;
    struct config_sources from;
    struct report report;
};

/* Initializes a run with a thousand cycles of each clock and with all other counts 0. */
static void machine_new(struct cli_machine *m, const char *end) {
    static const enum stat_id cycles[] = {STAT_cycles,
                                          STAT_sm_cycles,
                                          STAT_l2_cycles,
                                          STAT_icnt_reply_input_cycles,
                                          STAT_icnt_request_input_cycles,
                                          STAT_load_life,
                                          STAT_dram_cycles};
    static const struct text_list none;
    struct error err;
    memset(m, 0, sizeof *m);
    assert_int_equal(settings_read("tiny", &none, &m->cfg, &m->from, &err), 0);
    m->cfg.sm_schedulers = 1;
    m->cfg.l1d_mshr = m->cfg.l2_mshr = MSHR_KIND_STATIC;
    m->cfg.l1d_allocate = ALLOCATE_MISS;
    m->report = (struct report){
        .workload = "w", .config = "tiny", .end = end, .cfg = &m->cfg, .from = &m->from};
    for (size_t i = 0; i < sizeof cycles / sizeof cycles[0]; i++)
        m->report.stats.v[cycles[i]] = 1000;
}

/* ---- Color ---- */

/* Prints the screen to a terminal, and copies the terminal's output to `text`. */
static void on_terminal(const struct report *r, char *text, size_t size) {
    int master, slave;
    size_t n = 0;
    ssize_t got;
    assert_int_equal(openpty(&master, &slave, NULL, NULL, NULL), 0);
    FILE *out = fdopen(slave, "w");
    assert_non_null(out);
    screen_print(r, false, false, out); /* fits in the terminal's buffer */
    fflush(out);
    do {
        got = read(master, text + n, size - 1 - n);
        n += got > 0 ? (size_t)got : 0;
        text[n] = '\0';
    } while (got > 0 && !strstr(text, "--stats"));
    fclose(out);
    close(master);
}

static void ends_have_their_color(void **state) {
    static const struct {
        const char *end;
        bool red;
    } ends[] = {{"done", false},        {"cut_off", false},    {"time_limit", false},
                {"interrupted", false}, {"mismatch", true},    {"check_failed", true},
                {"wrong_result", true}, {"no_progress", true}, {"not_planted", true},
                {"internal", true}};
    setenv("TERM", "xterm", 1);
    unsetenv("NO_COLOR");
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        struct cli_machine m;
        char text[16384], red[64];
        machine_new(&m, ends[i].end);
        on_terminal(&m.report, text, sizeof text);
        snprintf(red, sizeof red, "\033[1;31m%s\r\n", ends[i].end);
        assert_true(strstr(text, "w on ") && strstr(text, ends[i].end));
        assert_int_equal(strstr(text, red) != NULL, ends[i].red);
    }
}

/* ---- Hints ---- */

static const char *const texts[] = {
#define HINT(condition, text) text,
#include "hints.def"
};
#define HINTS (sizeof texts / sizeof texts[0])

/* Statistics that make exactly one hint true, with a row for each hint in the order of hints.def.
 * If the first statistic is halved, no hint appears, unless `unsteady` is true. */
static const struct {
    const char *begins;
    struct {
        enum stat_id id;
        uint64_t value;
    } set[3];
    bool dl, one_flit, unsteady;
} rows[HINTS] = {
    {.begins = "most cycles go to copies", .set = {{STAT_uvm_copy_cycles, 600}}},
    {.begins = "most SMs are idle", .set = {{STAT_slots_no_work, 600}}, .unsteady = true},
    {.begins = "translations", .set = {{STAT_load_in_tlb, 350}}},
    {.begins = "bound by DRAM bandwidth", .set = {{STAT_dram_busy_cycles, 850}}},
    {.begins = "DRAM rows",
     .set = {{STAT_dram_full_cycles, 300}, {STAT_dram_rd, 100}, {STAT_dram_row_hits, 30}}},
    {.begins = "full DRAM channels",
     .set = {{STAT_dram_full_cycles, 300}, {STAT_dram_rd, 100}, {STAT_dram_row_hits, 70}}},
    {.begins = "bound by L2 bandwidth", .set = {{STAT_l2_accesses, 850}}},
    {.begins = "replies wait for the crossbar: icnt.flit", .set = {{STAT_icnt_reply_stalls, 150}}},
    {.begins = "a few L2 banks", .set = {{STAT_icnt_request_stalls, 350}}},
    {.begins = "one-flit replies", .set = {{STAT_icnt_reply_stalls, 150}}, .one_flit = true},
    {.begins = "L2 MSHRs",
     .set = {{STAT_l2_refusals_entry_full, 80}, {STAT_l2_refusals_merge_full, 50}}},
    {.begins = "L1D MSHR entries: l1d.mshr=dl", .set = {{STAT_l1d_refusals_entry_full, 150}}},
    {.begins = "L1D MSHR entries: more l1d.dl_sets",
     .set = {{STAT_l1d_refusals_entry_full, 150}},
     .dl = true},
    {.begins = "merging in the L1D", .set = {{STAT_l1d_refusals_merge_full, 150}}},
    {.begins = "L1D ways", .set = {{STAT_l1d_refusals_no_way, 150}}},
    {.begins = "the L1D miss queue", .set = {{STAT_l1d_refusals_miss_queue, 150}}},
    {.begins = "idle SMs", .set = {{STAT_slots_no_work, 300}}},
    {.begins = "full LSUs: loads touch",
     .set = {{STAT_slots_lsu, 350}, {STAT_load_lines, 60}, {STAT_load_insts, 10}}},
    {.begins = "full LSUs: the stalls",
     .set = {{STAT_slots_lsu, 350}, {STAT_load_lines, 30}, {STAT_load_insts, 10}}},
    {.begins = "bound by latency", .set = {{STAT_slots_registers, 450}, {STAT_slots_no_work, 150}}},
    {.begins = "barriers", .set = {{STAT_slots_barrier, 350}}},
    {.begins = "busy units", .set = {{STAT_slots_unit, 350}}},
    {.begins = "sm.scheduler", .set = {{STAT_slots_policy, 250}}},
    {.begins = "bound by issue", .set = {{STAT_warp_insts, 650}}},
    {.begins = "nothing stands out", .set = {{STAT_cycles, 1000}}},
};

/* Copies the screen's hints, separated by line feeds, to `hints`. */
static void hints_of(const struct report *r, char *hints, size_t size) {
    static const char label[] = "look next at  ";
    char *text;
    size_t n;
    FILE *out = open_memstream(&text, &n);
    assert_non_null(out);
    screen_print(r, false, false, out);
    fclose(out);
    const char *at = strstr(text, label), *end = strstr(text, "\n              --stats");
    assert_true(at && end);
    snprintf(hints, size, "%.*s", (int)(end - at - (int)strlen(label)), at + strlen(label));
    free(text);
}

static void each_hint_has_its_machine(void **state) {
    for (size_t i = 0; i < HINTS; i++) {
        struct cli_machine m;
        char hints[512];
        machine_new(&m, "done");
        if (rows[i].dl)
            m.cfg.l1d_mshr = m.cfg.l2_mshr = MSHR_KIND_DL;
        if (rows[i].one_flit)
            m.cfg.icnt_flit_bytes = 256;
        for (size_t k = 0; k < 3 && rows[i].set[k].value; k++)
            m.report.stats.v[rows[i].set[k].id] = rows[i].set[k].value;
        hints_of(&m.report, hints, sizeof hints);
        assert_string_equal(hints, texts[i]);
        assert_memory_equal(texts[i], rows[i].begins, strlen(rows[i].begins));
        if (rows[i].unsteady || i == HINTS - 1)
            continue;
        m.report.stats.v[rows[i].set[0].id] /= 2;
        hints_of(&m.report, hints, sizeof hints);
        assert_string_equal(hints, "nothing stands out");
    }
}

/* Tests which hints are suppressed, and their order. */
static void hints_have_limits(void **state) {
    struct cli_machine m;
    char hints[512];
    machine_new(&m, "done"); /* the machine already has the settings that these hints suggest */
    m.cfg.l1d_mshr = m.cfg.l2_mshr = MSHR_KIND_DL;
    m.cfg.l1d_allocate = ALLOCATE_FILL;
    m.report.stats.v[STAT_l2_refusals_entry_full] = m.report.stats.v[STAT_l1d_refusals_merge_full] =
        500;
    m.report.stats.v[STAT_l1d_refusals_no_way] = 500;
    hints_of(&m.report, hints, sizeof hints);
    assert_string_equal(hints, "nothing stands out");
    machine_new(&m, "done"); /* warps wait for a busy DRAM or L2 */
    m.report.stats.v[STAT_slots_registers] = 900;
    m.report.stats.v[STAT_dram_busy_cycles] = 600;
    hints_of(&m.report, hints, sizeof hints);
    assert_string_equal(hints, "nothing stands out");
    m.report.stats.v[STAT_dram_busy_cycles] = 0;
    m.report.stats.v[STAT_l2_accesses] = 900;
    hints_of(&m.report, hints, sizeof hints);
    assert_null(strstr(hints, "latency"));
    machine_new(&m, "done"); /* the few SMs with work wait */
    m.report.stats.v[STAT_slots_no_work] = 886;
    m.report.stats.v[STAT_icnt_reply_stalls] = 150;
    hints_of(&m.report, hints, sizeof hints);
    assert_memory_equal(hints, "most SMs are idle", 17);
    assert_non_null(strstr(hints, "\n              replies wait"));
    machine_new(&m, "done"); /* SMs are idle because they wait for data, not for work */
    m.report.stats.v[STAT_slots_no_work] = 886;
    m.report.stats.v[STAT_uvm_copy_cycles] = 300;
    m.report.stats.v[STAT_uvm_user_cycles] = 300;
    hints_of(&m.report, hints, sizeof hints);
    assert_memory_equal(hints, "most cycles go to copies", 24);
    assert_null(strstr(hints, "idle"));
    machine_new(&m, "done"); /* idle SMs do not hide the waits of other SMs */
    m.report.stats.v[STAT_slots_no_work] = 264;
    m.report.stats.v[STAT_slots_registers] = 424;
    hints_of(&m.report, hints, sizeof hints);
    assert_non_null(strstr(hints, "bound by latency"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ends_have_their_color),
        cmocka_unit_test(each_hint_has_its_machine),
        cmocka_unit_test(hints_have_limits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
