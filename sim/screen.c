// SPDX-License-Identifier: Apache-2.0
#include "screen.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cache/lines.h"
#include "demangle.h"
#include "lib/alloc.h"
#include "lib/message.h"
#include "mshr/mshr_kind.h"
#include "sm/coalesce.h"
#include "terminal.h"
#include "xbar/xbar.h"

#define LABEL_COLUMNS 14
#define TOP_STALLS 5
#define TOP_HINTS 2
#define TOP_KERNELS 10

/* ---- Lines ---- */

enum ink { INK_NONE, INK_LABEL, INK_GOOD, INK_BAD, INK_FAINT };

struct screen {
    FILE *out;
    bool color;
    int column;      /* column in the current line */
    const char *gap; /* text before the next item of the line */
};

static bool color_wanted(FILE *out) {
    const char *no = getenv("NO_COLOR"), *term = getenv("TERM");
    return is_terminal(out) && !(no && *no) && term && strcmp(term, "dumb") != 0;
}

static void ink(const struct screen *s, enum ink ink) {
    static const char *const code[] = {"\033[0m", "\033[1m", "\033[32m", "\033[1;31m", "\033[2m"};
    if (s->color)
        terminal_control(s->out, code[ink]);
}

static void begin_line(struct screen *s, const char *label) {
    ink(s, INK_LABEL);
    fprintf(s->out, "%-*s", LABEL_COLUMNS, label);
    ink(s, INK_NONE);
    s->column = LABEL_COLUMNS;
    s->gap = "";
}

static void end_line(struct screen *s) {
    fputc('\n', s->out);
}

/* Prints an item, on a new line if it does not fit on the current one. */
__attribute__((format(printf, 3, 4))) static void item(struct screen *s, const char *gap,
                                                       const char *format, ...) {
    char text[256];
    va_list args;
    va_start(args, format);
    int n = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (s->column + (int)strlen(s->gap) + n > SCREEN_COLUMNS - 1 && *s->gap) {
        while (*s->gap == ',')
            fputc(*s->gap++, s->out);
        fprintf(s->out, "\n%*s", LABEL_COLUMNS, "");
        s->column = LABEL_COLUMNS;
        s->gap = "";
    }
    s->column += fprintf(s->out, "%s%s", s->gap, text);
    s->gap = gap;
}

#define DIGITS 32

/* Prints 1234567 as "1,234,567". */
static const char *digits(char to[DIGITS], uint64_t n) {
    char plain[DIGITS];
    int len = snprintf(plain, sizeof plain, "%" PRIu64, n);
    char *p = to;
    for (int i = 0; i < len; i++) {
        if (i && (len - i) % 3 == 0)
            *p++ = ',';
        *p++ = plain[i];
    }
    *p = '\0';
    return to;
}

/* ---- Shares ---- */

struct share {
    const char *name;
    uint64_t value;
    unsigned parts; /* value / sum in units of 1 / whole, rounded so that the sum of all parts is
                       `whole` */
    double rest;
};

/* Computes `parts` of all shares with the largest remainder method. */
static void divide_shares(struct share *share, size_t n, unsigned whole) {
    uint64_t sum = 0;
    unsigned given = 0;
    for (size_t i = 0; i < n; i++)
        sum += share[i].value;
    for (size_t i = 0; sum && i < n; i++) {
        double exact = (double)share[i].value * whole / (double)sum;
        share[i].parts = (unsigned)exact;
        share[i].rest = exact - share[i].parts;
        given += share[i].parts;
    }
    for (; sum && given < whole; given++) {
        struct share *most = share;
        for (size_t i = 1; i < n; i++)
            if (share[i].rest > most->rest)
                most = &share[i];
        most->parts++;
        most->rest = -1;
    }
}

#define PERCENT 1000 /* 100 % in tenths of a percent */

#define STATS_OF(r) (r)->stats.v

/* Reasons of lost issue slots. */
static const struct {
    enum stat_id id;
    const char *words;
} lost_slots[] = {{STAT_slots_lsu, "LSU full"},    {STAT_slots_unit, "unit busy"},
                  {STAT_slots_fetch, "fetch"},     {STAT_slots_registers, "registers"},
                  {STAT_slots_barrier, "barrier"}, {STAT_slots_policy, "policy"},
                  {STAT_slots_mil, "limiter"},     {STAT_slots_no_warp, "no warp"},
                  {STAT_slots_no_work, "idle SM"}};
#define LOST_SLOTS (sizeof lost_slots / sizeof lost_slots[0])

const char *screen_words(enum stat_id id) {
    for (size_t i = 0; i < LOST_SLOTS; i++)
        if (lost_slots[i].id == id)
            return lost_slots[i].words;
    for (unsigned i = 0; i < stall_count; i++)
        if (stall_table[i].id == id)
            return stall_table[i].words;
    return NULL;
}

static size_t issue_slots(const struct stats *s, struct share share[LOST_SLOTS + 1]) {
    share[0] =
        (struct share){.name = "issued", .value = s->v[STAT_warp_insts] - s->v[STAT_dual_issues]};
    for (size_t i = 0; i < LOST_SLOTS; i++)
        share[i + 1] = (struct share){.name = lost_slots[i].words, .value = s->v[lost_slots[i].id]};
    return LOST_SLOTS + 1;
}

static void print_slots(struct screen *s, const struct report *r) {
    struct share share[LOST_SLOTS + 1];
    size_t n = issue_slots(&r->stats, share);
    divide_shares(share, n, PERCENT);
    begin_line(s, "issue slots");
    for (size_t i = 0; i < n; i++)
        if (share[i].value || i == 0)
            item(s, ", ", "%s %.1f %%", share[i].name, share[i].parts / 10.0);
    end_line(s);
}

static void print_latency(struct screen *s, const struct report *r) {
    const uint64_t *v = STATS_OF(r);
    struct share percent[] = {
        {.name = "LSU", .value = v[STAT_load_in_lsu]},
        {.name = "TLB", .value = v[STAT_load_in_tlb]},
        {.name = "L1D", .value = v[STAT_load_in_l1d]},
        {.name = "crossbar", .value = v[STAT_load_in_icnt]},
        {.name = "L2", .value = v[STAT_load_in_l2]},
        {.name = "DRAM", .value = v[STAT_load_in_dram]},
    };
    enum { SCREEN_PARTS = sizeof percent / sizeof percent[0] };
    struct share mean[SCREEN_PARTS];
    memcpy(mean, percent, sizeof mean);
    begin_line(s, "load latency");
    double total = stats_ratio(v[STAT_load_life], v[STAT_load_lines]);
    unsigned tenths = (unsigned)(10 * total + 0.5);
    divide_shares(percent, SCREEN_PARTS, 100);
    divide_shares(mean, SCREEN_PARTS, tenths);
    if (v[STAT_load_lines])
        item(s, ": ", "%.1f SM cycles", tenths / 10.0);
    else
        item(s, "", "no loads");
    for (unsigned i = 0; i < SCREEN_PARTS; i++)
        if (mean[i].value)
            item(s, ", ", "%s %.1f (%u %%)", mean[i].name, mean[i].parts / 10.0, percent[i].parts);
    end_line(s);
}

static void print_misses(struct screen *s, const struct report *r) {
    const struct {
        const char *name;
        enum stat_id of;
        enum derived_id rate;
    } rows[] = {{"L1D", STAT_l1d_accesses, DERIVED_l1d_miss_rate},
                {"L2", STAT_l2_accesses, DERIVED_l2_miss_rate},
                {"L1 TLB", STAT_tlb_accesses, DERIVED_tlb_miss_rate}};
    const uint64_t *v = STATS_OF(r);
    const uint64_t past = v[STAT_l1d_bypasses];
    const uint64_t loads =
        v[STAT_l1d_hits] + v[STAT_l1d_primary_misses] + v[STAT_l1d_secondary_misses] + past;
    char bypass[32] = "";
    if (past)
        snprintf(bypass, sizeof bypass, " (%.1f %% bypass the L1D)",
                 100 * stats_ratio(past, loads));
    if (!v[STAT_l1d_accesses] && !v[STAT_l2_accesses] && !v[STAT_tlb_accesses])
        return;
    begin_line(s, "miss rates");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (v[rows[i].of])
            item(s, ", ", "%s %.1f %%%s", rows[i].name,
                 100 * stats_derived(&r->stats, rows[i].rate), i == 0 ? bypass : "");
    end_line(s);
}

static void print_paging(struct screen *s, const struct report *r) {
    const struct {
        enum stat_id id;
        const char *of;
    } counts[] = {{STAT_uvm_copy_cycles, "SM cycles for copies before the kernels"},
                  {STAT_uvm_faults, "faults"},
                  {STAT_uvm_demand_pages, "demand pages"},
                  {STAT_uvm_prefetched_pages, "prefetched"},
                  {STAT_uvm_evictions, "evicted"},
                  {STAT_uvm_user_cycles, "SM cycles waiting for prefetches"}};
    bool any = false;
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        const uint64_t value = STATS_OF(r)[counts[i].id];
        char number[DIGITS];
        if (!value)
            continue;
        if (!any)
            begin_line(s, "paging");
        any = true;
        item(s, ", ", "%s %s", digits(number, value), counts[i].of);
    }
    if (any)
        end_line(s);
}

static void print_dram(struct screen *s, const struct report *r) {
    const uint64_t *v = STATS_OF(r);
    char reads[DIGITS], writes[DIGITS];
    double seconds = stats_ratio(v[STAT_cycles], (uint64_t)r->cfg->clock_sm_mhz) * 1e-6;
    begin_line(s, "DRAM");
    item(s, ", ", "%.1f %% of peak", 100 * stats_derived(&r->stats, DERIVED_dram_utilization));
    item(s, ", ", "%.1f GB/s", seconds > 0 ? 1e-9 * (double)v[STAT_dram_bytes] / seconds : 0.0);
    item(s, ", ", "row hits %.1f %%", 100 * stats_derived(&r->stats, DERIVED_dram_row_hit_rate));
    item(s, ", ", "%s reads", digits(reads, v[STAT_dram_reads]));
    item(s, ", ", "%s writes", digits(writes, v[STAT_dram_writes]));
    end_line(s);
}

/* ---- Stalls ---- */

static double stalled(const struct stats *s, const struct stall_desc *d) {
    return stats_ratio(s->v[d->id], s->v[d->of]);
}

/* Returns the largest stall after `last`, or the largest of all if `last` is NULL. Equal stalls are
 * returned in table order. Returns NULL if no other stall is above 0. */
static const struct stall_desc *next_stall(const struct stats *s, const struct stall_desc *last) {
    const struct stall_desc *most = NULL;
    for (unsigned i = 0; i < stall_count; i++) {
        const struct stall_desc *d = &stall_table[i];
        double here = stalled(s, d);
        bool left = here > 0 &&
                    (!last || here < stalled(s, last) || (here <= stalled(s, last) && d > last));
        if (left && (!most || here > stalled(s, most)))
            most = d;
    }
    return most;
}

static void print_stalls(struct screen *s, const struct report *r) {
    const struct stall_desc *d = NULL;
    for (int n = 0; n < TOP_STALLS && (d = next_stall(&r->stats, d)); n++) {
        char cycles[DIGITS];
        begin_line(s, n == 0 ? "top stalls" : n == 1 ? "(of cycles)" : "");
        item(s, "", "%5.1f %%  %s: %s (%s)", 100 * stalled(&r->stats, d),
             stat_part_title[stat_part(d->id)], d->words, digits(cycles, r->stats.v[d->id]));
        end_line(s);
    }
}

/* ---- Verdicts ---- */

static bool failed(const struct report *r) {
    static const char *const good[] = {"done", "cut_off", "time_limit", "interrupted"};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        if (strcmp(r->end, good[i]) == 0)
            return false;
    return true;
}

static void print_lockstep(struct screen *s, const struct report *r) {
    char number[DIGITS];
    begin_line(s, "lockstep");
    ink(s, r->lockstep.all.mismatches ? INK_BAD : INK_NONE);
    if (!r->lockstep.all.twins)
        item(s, "", "no twins");
    for (size_t i = 0; i < r->lockstep.n_blocks; i++) {
        const struct report_block *b = &r->lockstep.blocks[i];
        item(s, ", ", "%u %s: %s cycles", b->count.twins, b->block,
             digits(number, b->count.cycles));
    }
    if (r->lockstep.all.twins)
        item(s, "", "%s mismatch%s", digits(number, r->lockstep.all.mismatches),
             r->lockstep.all.mismatches == 1 ? "" : "es");
    ink(s, INK_NONE);
    end_line(s);
}

static void print_verdicts(struct screen *s, const struct report *r) {
    char loads[DIGITS], bytes[DIGITS], speed[DIGITS];

    print_lockstep(s, r);
    if (r->check.enabled) {
        begin_line(s, "data check");
        ink(s, r->check.failure ? INK_BAD : INK_GOOD);
        fprintf(s->out, "%s loads, %s bytes: %s", digits(loads, r->check.loads),
                digits(bytes, r->check.bytes), report_check_verdict(r));
        ink(s, INK_NONE);
        end_line(s);
    }
    begin_line(s, "results");
    ink(s, r->verified ? INK_GOOD : INK_NONE);
    fputs(r->trace      ? "not verified: a trace has no results"
          : r->verified ? "match the plain C reference"
                        : "not verified",
          s->out);
    ink(s, INK_NONE);
    end_line(s);
    begin_line(s, "host");
    fprintf(s->out, "%.2f s, %s SM cycles/s, %.1f MiB\n", r->seconds,
            digits(speed, (uint64_t)report_speed(r)), (double)report_peak_rss_kib() / 1024);
}

/* ---- Hint ---- */

static double stalled_by(const struct stats *s, enum stat_id id) {
    for (unsigned i = 0; i < stall_count; i++)
        if (stall_table[i].id == id)
            return stalled(s, &stall_table[i]);
    return 0.0;
}

static int64_t reply_flits(const struct config *c) {
    const int64_t bytes = XBAR_HEADER_BYTES + (c->sm_coalesce == COALESCE_SECTOR ? 32 : 128);
    return (bytes + c->icnt_flit_bytes - 1) / c->icnt_flit_bytes;
}

#define S(name) s->v[STAT_##name]
#define FLITS reply_flits(c)
#define D(name) stats_derived(s, DERIVED_##name)
#define C(name) c->name
#define RATIO(a, b) stats_ratio((a), (b))
#define ALL_SLOTS (s->v[STAT_sm_cycles] * (uint64_t)c->sm_schedulers)
#define SLOTS(name) stats_ratio(s->v[STAT_##name], ALL_SLOTS)
#define WORKING(name) stats_ratio(s->v[STAT_##name], ALL_SLOTS - s->v[STAT_slots_no_work])
#define COPIES RATIO(S(uvm_copy_cycles) + S(uvm_user_cycles), S(cycles))
#define STALLED(name) stalled_by(s, STAT_##name)

static void print_hints(struct screen *to, const struct report *r) {
    const struct stats *s = &r->stats;
    const struct config *c = r->cfg;
    const struct {
        bool holds;
        const char *text;
    } hints[] = {
#define HINT(condition, text) {condition, text},
#include "hints.def"
    };
    int n = 0;
    size_t last = sizeof hints / sizeof hints[0] - 1; /* printed if no other condition is true */
    for (size_t i = 0; i <= last && n < TOP_HINTS; i++) {
        if (!hints[i].holds || (n && i == last))
            continue;
        begin_line(to, n++ ? "" : "look next at");
        item(to, "", "%s", hints[i].text);
        end_line(to);
    }
}

/* ---- All statistics ---- */

static void print_counters(const struct screen *to, const struct stats *s, enum stat_part part,
                           bool zeros) {
    for (int i = 0; i < STAT_COUNT; i++)
        if (stat_part((enum stat_id)i) == part && (zeros || s->v[i]))
            fprintf(to->out, "  %-24s %16" PRIu64 "  %s\n", stat_table[i].name, s->v[i],
                    stat_table[i].unit);
    for (int i = 0; i < DERIVED_COUNT; i++) {
        double v = stats_derived(s, (enum derived_id)i);
        if (derived_part((enum derived_id)i) == part && (zeros || v > 0))
            fprintf(to->out, "  %-24s %16.4f  %s\n", derived_table[i].name, v,
                    derived_table[i].unit);
    }
}

static void print_histogram(const struct screen *to, const struct stats *s, enum hist_id id) {
    const uint64_t *h = s->h[id];
    uint64_t n = 0, below = 0;
    for (unsigned k = 0; k < HIST_BUCKETS; k++)
        n += h[k];
    if (n == 0)
        return;
    fprintf(to->out, "  %s, %s (%s)\n", hist_table[id].name, hist_table[id].unit,
            hist_table[id].doc);
    for (unsigned k = 0; k < HIST_BUCKETS && below < n; k++) {
        below += h[k];
        if (h[k])
            fprintf(to->out, "    from %-17" PRIu64 " %16" PRIu64 "  %5.1f %% up to here\n",
                    hist_from(id, k), h[k], 100.0 * (double)below / (double)n);
    }
}

static bool part_used(const struct stats *s, enum stat_part part) {
    for (int i = 0; i < STAT_COUNT; i++)
        if (s->v[i] && stat_part((enum stat_id)i) == part)
            return true;
    return false;
}

static void print_parts(const struct screen *to, const struct stats *s, bool zeros) {
    for (int part = 0; part < STAT_PARTS_COUNT; part++) {
        if (!zeros && !part_used(s, (enum stat_part)part))
            continue;
        ink(to, INK_LABEL);
        fprintf(to->out, "\n%s\n", stat_part_title[part]);
        ink(to, INK_NONE);
        print_counters(to, s, (enum stat_part)part, zeros);
        for (int i = 0; i < HIST_COUNT; i++)
            if (hist_part((enum hist_id)i) == (enum stat_part)part)
                print_histogram(to, s, (enum hist_id)i);
    }
}

/* ---- Screen ---- */

static void print_head(struct screen *s, const struct report *r) {
    char cycles[DIGITS], insts[DIGITS], machine[CONFIG_PATH_SIZE], name[PATH_SIZE];
    /* A line feed in a name would begin a line that looks like one of the program. */
    config_summary(r->from, machine, sizeof machine);
    fprintf(s->out, "memtwin %s\n", report_version());
    ink(s, INK_LABEL);
    message_print(name, sizeof name, "%s", r->trace ? r->trace : r->workload);
    message_clean(machine);
    fprintf(s->out, "%s on %s: ", name, machine);
    ink(s, failed(r) ? INK_BAD : INK_LABEL);
    fprintf(s->out, "%s\n\n", r->end);
    ink(s, INK_NONE);
    begin_line(s, "cycles");
    item(s, ", ", "%s", digits(cycles, r->stats.v[STAT_cycles]));
    item(s, ", ", "%s warp instructions", digits(insts, r->stats.v[STAT_warp_insts]));
    item(s, ", ", "IPC %.4f", stats_derived(&r->stats, DERIVED_ipc));
    end_line(s);
}

/* Prints a line for each of several concurrent workloads. */
static void print_streams(struct screen *s, const struct report *r) {
    char cycles[DIGITS];
    for (size_t i = 0; r->detail && i < r->detail->n; i++) {
        const struct detail_row *row = &r->detail->row[i];
        const uint64_t *v = row->stats.v;
        if (strcmp(row->scope, "stream") != 0)
            continue;
        begin_line(s, row->index ? "" : "workloads");
        item(s, ": ", "%s", row->name);
        item(s, ", ", "%s CTAs", digits(cycles, v[STAT_ctas]));
        item(s, ", ", "IPC %.4f", stats_derived(&row->stats, DERIVED_ipc));
        item(s, ", ", "L1D miss rate %.1f %%",
             100 * stats_derived(&row->stats, DERIVED_l1d_miss_rate));
        item(s, ", ", "refused %.2f times per access",
             stats_ratio(v[STAT_l1d_refusals], v[STAT_l1d_accesses]));
        end_line(s);
    }
}

/* Prints a name. If it is longer than the space, its namespaces and its middle are left out. */
static void print_name(const struct screen *s, const char *name, int space) {
    const char *p = name;
    for (size_t n; (int)strlen(name) > space && p[n = strcspn(p, ":<( ")] == ':'; p = name)
        name = p + n + strspn(p + n, ":");
    const int n = (int)strlen(name), end = space / 3, start = space - end - 2;
    if (n <= space)
        fputs(name, s->out);
    else
        fprintf(s->out, "%.*s..%s", start, name, name + n - end);
}

static int compare_cycles(const void *a, const void *b) {
    const struct kernel_sum *const *x = a, *const *y = b;
    const uint64_t m = (*x)->stats.v[STAT_cycles], n = (*y)->stats.v[STAT_cycles];
    return m != n ? (m < n) - (m > n) : (*x > *y) - (*x < *y);
}

static void print_kernel(struct screen *s, const struct report *r, const struct kernel_sum *k,
                         bool whole) {
    char cycles[DIGITS], *plain = demangle(k->name, whole);
    const double share = stats_ratio(k->stats.v[STAT_cycles], r->stats.v[STAT_cycles]);
    const int used = fprintf(s->out, "%8" PRIu64 " %14s %5.1f %% %6.3f %5.1f %%  ", k->launches,
                             digits(cycles, k->stats.v[STAT_cycles]), 100 * share,
                             stats_derived(&k->stats, DERIVED_ipc),
                             100 * stats_derived(&k->stats, DERIVED_l1d_miss_rate));
    print_name(s, plain, SCREEN_COLUMNS - 1 - used);
    end_line(s);
    free(plain);
}

/* Returns true if another row has the same readable name. */
static bool is_overload(const struct kernel_sum *const *row, uint32_t n, uint32_t i) {
    char *name = demangle(row[i]->name, false);
    bool same = false;
    for (uint32_t k = 0; k < n && !same; k++) {
        char *other = demangle(row[k]->name, false);
        same = k != i && strcmp(name, other) == 0;
        free(other);
    }
    free(name);
    return same;
}

/* Prints a table of the kernels if there are several, with most cycles first. */
static void print_kernels(struct screen *s, const struct report *r) {
    const uint32_t n = r->kernels->n;
    if (n < 2)
        return;
    const struct kernel_sum **row = alloc_array(n, sizeof *row);
    for (uint32_t i = 0; i < n; i++)
        row[i] = &r->kernels->row[i];
    qsort(row, n, sizeof *row, compare_cycles);
    ink(s, INK_LABEL);
    fprintf(s->out, "\n%8s %14s %7s %6s %7s  kernel\n", "launches", "cycles", "share", "IPC",
            "L1D miss");
    ink(s, INK_NONE);
    const uint32_t shown = n < TOP_KERNELS ? n : TOP_KERNELS;
    for (uint32_t i = 0; i < shown; i++)
        print_kernel(s, r, row[i], is_overload(row, shown, i));
    if (n > TOP_KERNELS)
        fprintf(s->out, "%8" PRIu32 " more kernels; the JSON file has all\n", n - TOP_KERNELS);
    free(row);
}

void screen_print(const struct report *r, bool stats, bool zeros, FILE *out) {
    struct screen s = {.out = out, .color = color_wanted(out)};
    print_head(&s, r);
    print_streams(&s, r);
    print_slots(&s, r);
    print_latency(&s, r);
    print_misses(&s, r);
    print_paging(&s, r);
    print_dram(&s, r);
    print_stalls(&s, r);
    print_verdicts(&s, r);
    print_hints(&s, r);
    if (r->trace || stats || zeros)
        print_kernels(&s, r);
    if (stats || zeros) {
        print_parts(&s, &r->stats, zeros);
        return;
    }
    ink(&s, INK_FAINT);
    fprintf(out, "%-*s%s\n", LABEL_COLUMNS, "", "--stats prints all statistics");
    ink(&s, INK_NONE);
}
