// SPDX-License-Identifier: Apache-2.0
#include "report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "csv_text.h"
#include "demangle.h"
#include "json.h"
#include "lib/alloc.h"
#include "lib/message.h"
#include "os/new_file.h"
#include "version.h"

#define FORMAT "memtwin-run-1" /* of the JSON file (docs/use/output.md) */

const char *report_version(void) {
    return MEMTWIN_VERSION " (" MEMTWIN_COMMIT ")";
}

const char *report_release(void) {
    return MEMTWIN_VERSION;
}

const char *report_date(void) {
    return MEMTWIN_DATE;
}

bool report_version_clean(void) {
    static const char end[] = ", clean";
    size_t n = strlen(MEMTWIN_COMMIT);
    return n >= sizeof end && strcmp(MEMTWIN_COMMIT + n - (sizeof end - 1), end) == 0;
}

double report_speed(const struct report *r) {
    return r->seconds > 0 ? (double)r->stats.v[STAT_cycles] / r->seconds : 0.0;
}

/* Returns the CPU time of the program so far, in seconds. */
static double cpu_seconds(void) {
    struct rusage u;
    if (getrusage(RUSAGE_SELF, &u))
        return 0.0;
    return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
           1e-6 * (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

/* Returns the peak memory since exec. getrusage would include the memory of the study process that
 * forked this program. */
long report_peak_rss_kib(void) {
    struct rusage usage;
    char line[256];
    long kib = 0;
    FILE *f = fopen("/proc/self/status", "re");
    while (f && !kib && fgets(line, sizeof line, f))
        sscanf(line, "VmHWM: %ld", &kib);
    if (f)
        fclose(f);
    if (kib)
        return kib;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_maxrss : 0;
}

const char *report_check_verdict(const struct report *r) {
    if (r->check.failure)
        return "FAILED";
    return strcmp(r->end, "done") == 0 ? "good" : "good so far";
}

void report_summary(const struct report *r, FILE *out) {
    char name[PATH_SIZE], config[PATH_SIZE];
    /* The summary is one line even if a name has line feeds. */
    message_print(config, sizeof config, "%s", r->config);
    message_print(name, sizeof name, "%s", r->trace ? r->trace : r->workload);
    fprintf(out,
            "%s on %s: %s, %" PRIu64 " cycles, IPC %.4f, %u twin%s, %" PRIu64
            " cycles compared, %" PRIu64 " mismatch%s, check %s, %.2f s\n",
            name, config, r->end, r->stats.v[STAT_cycles], stats_derived(&r->stats, DERIVED_ipc),
            r->lockstep.all.twins, message_plural(r->lockstep.all.twins), r->lockstep.all.cycles,
            r->lockstep.all.mismatches, r->lockstep.all.mismatches == 1 ? "" : "es",
            r->check.enabled ? report_check_verdict(r) : "off", r->seconds);
}

/* ---- JSON ---- */

/* Adds the point at which the run ended. Members that are not known are null. */
static void add_reached(cJSON *root, const struct report *r) {
    cJSON *to = cJSON_AddObjectToObject(root, "reached");
    const struct {
        const char *name;
        uint64_t value;
        bool known;
    } rows[] = {
        {"cycle", r->reached.cycles, true},     {"launch", r->reached.launch, true},
        {"launches", r->launches, r->launches}, {"ctas_done", r->reached.ctas, true},
        {"ctas", r->reached.grid, true},        {"all_ctas_done", r->reached.all_ctas, true},
        {"all_ctas", r->ctas, r->ctas}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].known)
            json_add_count(to, rows[i].name, rows[i].value);
        else
            cJSON_AddNullToObject(to, rows[i].name);
    cJSON_AddStringToObject(to, "kernel", r->reached.kernel);
}

static void add_config_value(void *ctx, const char *section, const char *key, const char *value,
                             const char *doc) {
    (void)doc;
    char name[128];
    snprintf(name, sizeof name, "%s.%s", section, key);
    json_add_key(ctx, name, value);
}

struct source_adder {
    const struct config_sources *from;
    cJSON *to;
};

static void add_config_source(void *ctx, const char *section, const char *key, const char *value,
                              const char *doc) {
    (void)value, (void)doc;
    struct source_adder *a = ctx;
    char name[128], source[CONFIG_PATH_SIZE + 16];
    snprintf(name, sizeof name, "%s.%s", section, key);
    config_source(a->from, section, key, source, sizeof source);
    cJSON_AddStringToObject(a->to, name, source);
}

void report_config(cJSON *root, const struct config *cfg, const struct config_sources *from) {
    config_each(cfg, add_config_value, cJSON_AddObjectToObject(root, "config_values"));
    cJSON *base = cJSON_AddArrayToObject(root, "config_base");
    for (unsigned i = 1; i < from->files; i++)
        cJSON_AddItemToArray(base, cJSON_CreateString(from->file[i].name));
    struct source_adder adder = {from, cJSON_AddObjectToObject(root, "config_sources")};
    config_each(cfg, add_config_source, &adder);
}

static void add_counters(cJSON *to, const struct stats *s) {
    cJSON *stats = cJSON_AddObjectToObject(to, "stats");
    for (int i = 0; i < STAT_COUNT; i++)
        json_add_count(stats, stat_table[i].name, s->v[i]);
}

/* Adds each non-empty bin as [smallest value, count]. */
static void add_histograms(cJSON *to, const struct stats *s) {
    cJSON *all = cJSON_AddObjectToObject(to, "histograms");
    for (int i = 0; i < HIST_COUNT; i++) {
        cJSON *one = cJSON_AddArrayToObject(all, hist_table[i].name);
        for (unsigned k = 0; k < HIST_BUCKETS; k++) {
            if (!s->h[i][k])
                continue;
            char pair[64];
            snprintf(pair, sizeof pair, "[%" PRIu64 ",%" PRIu64 "]", hist_from((enum hist_id)i, k),
                     s->h[i][k]);
            cJSON_AddItemToArray(one, cJSON_CreateRaw(pair));
        }
    }
}

static void add_derived(cJSON *to, const struct stats *s) {
    cJSON *derived = cJSON_AddObjectToObject(to, "derived");
    for (int i = 0; i < DERIVED_COUNT; i++)
        cJSON_AddNumberToObject(derived, derived_table[i].name,
                                stats_derived(s, (enum derived_id)i));
}

static void add_stats(cJSON *to, const struct stats *s) {
    add_counters(to, s);
    add_histograms(to, s);
    add_derived(to, s);
}

/* Adds the sums of each kernel's launches. */
static void add_kernels(cJSON *root, const struct kernel_sums *k) {
    cJSON *rows = cJSON_AddArrayToObject(root, "kernels");
    for (uint32_t i = 0; i < k->n; i++) {
        cJSON *row = cJSON_CreateObject();
        char *plain = demangle(k->row[i].name, false);
        cJSON_AddStringToObject(row, "name", k->row[i].name);
        cJSON_AddStringToObject(row, "function", plain);
        json_add_count(row, "launches", k->row[i].launches);
        add_counters(row, &k->row[i].stats);
        add_derived(row, &k->row[i].stats);
        cJSON_AddItemToArray(rows, row);
        free(plain);
    }
}

/* Adds a CUDA stream as text, since a number of JSON has only 53 bits. */
static void add_stream(cJSON *row, uint64_t stream) {
    char number[32];
    snprintf(number, sizeof number, "%" PRIu64, stream);
    cJSON_AddStringToObject(row, "stream", number);
}

static void add_detail(cJSON *root, const struct detail *d) {
    cJSON *rows = cJSON_AddArrayToObject(root, "detail");
    for (size_t i = 0; i < d->n; i++) {
        cJSON *row = cJSON_CreateObject();
        cJSON_AddStringToObject(row, "scope", d->row[i].scope);
        json_add_count(row, "index", d->row[i].index);
        cJSON_AddStringToObject(row, "name", d->row[i].name);
        if (d->row[i].streamed)
            add_stream(row, d->row[i].stream);
        add_stats(row, &d->row[i].stats);
        cJSON_AddItemToArray(rows, row);
    }
}

static void add_count(cJSON *to, const struct harness_count *n) {
    json_add_count(to, "twins", n->twins);
    json_add_count(to, "cycles", n->cycles);
    json_add_count(to, "evaluated", n->evaluated);
    json_add_count(to, "mismatches", n->mismatches);
}

static void add_verdicts(cJSON *root, const struct report *r) {
    cJSON *lockstep = cJSON_AddObjectToObject(root, "lockstep");
    add_count(lockstep, &r->lockstep.all);
    cJSON *blocks = cJSON_AddArrayToObject(lockstep, "blocks");
    for (size_t i = 0; i < r->lockstep.n_blocks; i++) {
        cJSON *row = cJSON_CreateObject();
        cJSON_AddStringToObject(row, "block", r->lockstep.blocks[i].block);
        add_count(row, &r->lockstep.blocks[i].count);
        cJSON_AddItemToArray(blocks, row);
    }
    cJSON *check = cJSON_AddObjectToObject(root, "check");
    cJSON_AddBoolToObject(check, "enabled", r->check.enabled);
    json_add_count(check, "loads", r->check.loads);
    json_add_count(check, "bytes", r->check.bytes);
    if (r->check.failure)
        cJSON_AddStringToObject(check, "failure", r->check.failure);
    else
        cJSON_AddNullToObject(check, "failure");
    cJSON_AddBoolToObject(root, "verified", r->verified);
}

static void add_host(cJSON *root, const struct report *r) {
    cJSON *host = cJSON_AddObjectToObject(root, "host");
    cJSON_AddNumberToObject(host, "seconds", r->seconds);
    cJSON_AddNumberToObject(host, "cpu_seconds", cpu_seconds());
    cJSON_AddNumberToObject(host, "cycles_per_s", report_speed(r));
    json_add_count(host, "peak_rss_kib", (uint64_t)report_peak_rss_kib());
}

static void add_odd(cJSON *to, const struct trace *t) {
    cJSON *rows = cJSON_AddArrayToObject(to, "warnings");
    char what[256];
    for (size_t i = 0; i < t->n_odd; i++) {
        const struct trace_odd *o = &t->odd[i];
        cJSON *row = cJSON_CreateObject();
        json_add_count(row, "kernel", t->list.kernel[o->kernel].number);
        cJSON_AddStringToObject(row, "file", trace_kernel_name(t, o->kernel));
        cJSON_AddBoolToObject(row, "sorted", o->sorted);
        json_add_count(row, "line", o->count.line);
        json_add_count(row, "times", o->count.times);
        trace_odd_print(o->kind, &o->count, what, sizeof what);
        cJSON_AddStringToObject(row, "what", what);
        cJSON_AddItemToArray(rows, row);
    }
}

static void add_left_out(cJSON *to, const struct trace *t) {
    cJSON *rows = cJSON_AddArrayToObject(to, "left_out");
    for (size_t i = 0; i < t->n_left_out; i++) {
        cJSON *row = cJSON_CreateObject();
        json_add_count(row, "kernel", t->left_out[i].number);
        cJSON_AddStringToObject(row, "why", t->left_out[i].why);
        cJSON_AddItemToArray(rows, row);
    }
}

static void add_trace(cJSON *root, const struct report *r) {
    if (!r->trace)
        return;
    cJSON *trace = cJSON_AddObjectToObject(root, "trace");
    cJSON_AddStringToObject(trace, "path", r->trace);
    cJSON_AddStringToObject(trace, "hash", r->trace_hash);
    json_add_count(trace, "kernels", r->contents->list.n_kernels);
    add_odd(trace, r->contents);
    add_left_out(trace, r->contents);
}

static cJSON *to_json(const struct report *r) {
    cJSON *root = cJSON_CreateObject();
    cJSON_AddStringToObject(root, "format", FORMAT);
    cJSON_AddStringToObject(root, "version", report_version());
    cJSON_AddStringToObject(root, "config", r->config);
    cJSON_AddStringToObject(root, "workload", r->workload);
    add_trace(root, r);
    cJSON_AddStringToObject(root, "identity", r->identity);
    cJSON_AddStringToObject(root, "end", r->end);
    cJSON_AddBoolToObject(root, "complete", r->complete);
    add_reached(root, r);
    json_add_count(root, "cycles", r->stats.v[STAT_cycles]);
    json_add_count(root, "warp_insts", r->stats.v[STAT_warp_insts]);
    json_add_count(root, "thread_insts", r->stats.v[STAT_thread_insts]);
    cJSON_AddNumberToObject(root, "ipc", stats_derived(&r->stats, DERIVED_ipc));
    add_stats(root, &r->stats);
    add_verdicts(root, r);
    report_config(root, r->cfg, r->from);
    add_kernels(root, r->kernels);
    if (r->detail)
        add_detail(root, r->detail);
    if (r->series)
        gauge_series_json(r->series, root);
    add_host(root, r);
    return root;
}

int report_writable(const char *path, struct error *err) {
    struct new_file nf;
    struct error why;
    if (is_stream(path)) /* opening a stream and closing it would end it for its reader */
        return 0;
    if (new_file_open(&nf, path, &why))
        return error_set(err, "cannot write %s", why.text);
    new_file_drop(&nf);
    return 0;
}

int report_json(const struct report *r, const char *path, struct error *err) {
    return json_write(to_json(r), path, err);
}

/* ---- CSV ---- */

char *report_origin(const struct report *r) {
    const char *const fields[] = {r->config, r->trace ? r->trace : r->workload, report_version(),
                                  r->identity};
    char *text = NULL;
    size_t size;
    FILE *f = alloc_stream(&text, &size);
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        fputc(',', f);
        csv_put_text(fields[i], f);
    }
    alloc_stream_close(f);
    return text;
}

/* Columns that are equal in all rows of a scope. */
struct csv {
    FILE *f;
    const char *scope, *name, *origin;
    uint64_t index;
};

static void csv_begin_row(const struct csv *c) {
    fprintf(c->f, "%s,%" PRIu64 ",", c->scope, c->index);
    csv_put_text(c->name, c->f);
}

/* Writes the rows of a scope. If `zeros` is set, as it is for totals, also writes statistics that
 * are 0. */
static void csv_rows(const struct csv *c, const struct stats *s, bool zeros) {
    for (int i = 0; i < STAT_COUNT; i++)
        if (zeros || s->v[i]) {
            csv_begin_row(c);
            fprintf(c->f, ",%s,%s,%" PRIu64 "%s\n", stat_table[i].name, stat_table[i].unit, s->v[i],
                    c->origin);
        }
    for (int i = 0; i < HIST_COUNT; i++)
        for (unsigned k = 0; k < HIST_BUCKETS; k++)
            if (s->h[i][k]) {
                csv_begin_row(c);
                fprintf(c->f, ",%s_from_%" PRIu64 ",values,%" PRIu64 "%s\n", hist_table[i].name,
                        hist_from((enum hist_id)i, k), s->h[i][k], c->origin);
            }
    for (int i = 0; i < DERIVED_COUNT; i++) {
        double v = stats_derived(s, (enum derived_id)i);
        if (zeros || v > 0) {
            csv_begin_row(c);
            fprintf(c->f, ",%s,%s,%.9g%s\n", derived_table[i].name, derived_table[i].unit, v,
                    c->origin);
        }
    }
}

/* Writes the rows of scope `run`: whether the run is complete, and the point at which it ended. */
static void csv_run(FILE *f, const struct report *r, const char *origin) {
    const struct {
        const char *name, *unit;
        uint64_t value;
    } row[] = {{"complete", "0 or 1", r->complete},
               {"launch", "launches", r->reached.launch},
               {"ctas_done", "CTAs", r->reached.ctas},
               {"ctas", "CTAs", r->reached.grid}};
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++)
        fprintf(f, "run,0,,%s,%s,%" PRIu64 "%s\n", row[i].name, row[i].unit, row[i].value, origin);
}

/* Returns the name of a kernel with its CUDA stream. The caller frees it. */
static char *streamed_name(const struct detail_row *row) {
    char *text = NULL;
    size_t size;
    FILE *f = alloc_stream(&text, &size);
    fprintf(f, "%s (stream %" PRIu64 ")", row->name, row->stream);
    alloc_stream_close(f);
    return text;
}

static void csv_all(const struct report *r, FILE *f, const char *origin) {
    const struct csv totals = {f, "total", "", origin, 0};
    fputs("scope,index,name,statistic,unit,value" REPORT_ORIGIN "\n", f);
    csv_run(f, r, origin);
    csv_rows(&totals, &r->stats, true);
    for (size_t i = 0; r->detail && i < r->detail->n; i++) {
        const struct detail_row *row = &r->detail->row[i];
        struct csv part = {f, row->scope, row->name, origin, row->index};
        char *name = row->streamed ? streamed_name(row) : NULL;
        part.name = name ? name : part.name;
        csv_rows(&part, &row->stats, false);
        free(name);
    }
}

int report_csv(const struct report *r, const char *path, struct error *err) {
    struct new_file nf;
    char *origin = report_origin(r);
    struct error why = {0};
    int result = new_file_open(&nf, path, &why);
    if (result == 0) {
        csv_all(r, nf.f, origin);
        result = new_file_commit(&nf, &why);
    }
    if (result)
        error_set(err, "cannot write %s", why.text);
    free(origin);
    return result;
}
