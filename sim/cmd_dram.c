// SPDX-License-Identifier: Apache-2.0
#include <cjson/cJSON.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "commands.h"
#include "config/config.h"
#include "dram/dram.h"
#include "dram_file.h"
#include "json.h"
#include "lib/guess.h"
#include "os/new_file.h"
#include "options.h"
#include "paths.h"
#include "progress.h"
#include "report.h"
#include "settings.h"
#include "stats/stats.h"
#include "trace/input.h"

#define FORMAT "memtwin-dram-1" /* of the JSON file (docs/use/output.md) */
#define SECTION "dram."         /* of the keys that -s may set */
#define PROGRESS_STEPS (UINT64_C(1) << 16)

struct dram_opts {
    const char *command, *config, *trace, *commands, *json;
    struct text_list sets;
    enum dram_format format; /* DRAM_UNKNOWN if not given */
};

struct dram_run {
    const struct dram_opts *opts;
    struct config cfg;
    struct config_sources from;
    struct dram_layout layout;
    enum dram_format format; /* of the trace */
    struct gddr5 *device;
    struct new_file commands;
    uint64_t cycle, requests, waited;
    volatile bool stop;
    bool complete;  /* true if all requests have been served */
    double seconds; /* CPU time in seconds */
    struct progress progress;
    char trace_hash[HASH_SIZE];
    struct error err;
};

/* ---- Command line ---- */

/* Stores an enum dram_format. */
static int take_format(const char *command, const struct option_row *row, void *to, char *text) {
    struct guess guess;
    guess_begin(&guess, text);
    for (int f = DRAM_MEMTWIN; f < DRAM_FORMATS; f++) {
        if (strcmp(text, dram_format_name[f]) == 0) {
            *(enum dram_format *)to = (enum dram_format)f;
            return EXIT_GOOD;
        }
        guess_try(&guess, dram_format_name[f], strlen(dram_format_name[f]));
    }
    return usage_error(command, "--%s %s: expected %s%s", row->name, text, row->value,
                       guess_hint(&guess));
}

#define ROW(...) OPTION(struct dram_opts, __VA_ARGS__)
static const struct option_row table[] = {
    ROW('c', "config", "CONFIG", take_text, config,
        "name (memtwin list configs) or path of an INI file, or -: standard\n"
        "input; only section [dram] is used"),
    ROW('t', "trace", "FILE", take_text, trace,
        "one request per line: CYCLE R|W ADDRESS. CYCLE is decimal, in CK, and\n"
        "never decreases; ADDRESS is hexadecimal, in bytes within the channel.\n"
        "A request moves the atom (dram.atom_bytes) that contains ADDRESS.\n"
        "Empty lines and text after # are ignored. Plain or compressed (xz,\n"
        "gzip, zstd); -: standard input"),
    ROW(0, "format", "memtwin|ramulator1|ramulator2|dramsim3|dramsys", take_format, format,
        "format of FILE (default: that of its first request)"),
    MANY(struct dram_opts, 's', "set", "dram.KEY=V", take_list, sets,
         "set a key (memtwin list keys); if a key is repeated, the last value wins"),
    ROW(0, "commands", "FILE", take_text, commands,
        "write every command to FILE: CK COMMAND BANK ROW COLUMN"),
    ROW(0, "json", "FILE", take_text, json, "write the results to FILE as JSON"),
    {0}};

static const char usage[] =
    "usage: memtwin dram -c CONFIG -t FILE [OPTION]...\n"
    "\n"
    "Simulates one DRAM channel (device and scheduler) alone, with the requests in a file.\n";
static const char notes[] =
    "A request whose queue is full waits, and so do all later requests. Latency runs from a\n"
    "request's entry into its queue to the end of its data, without dram.extra_latency. An\n"
    "interrupt or an error in the trace ends the run; the results so far are written. If an\n"
    "output FILE is -, it is standard output, and the report goes to standard error.\n";
static const struct command_line line = {.usage = usage, .table = table, .notes = notes};

static int read_config(struct dram_run *r) {
    const struct dram_opts *o = r->opts;
    for (size_t i = 0; i < o->sets.n; i++)
        if (strncmp(o->sets.text[i], SECTION, strlen(SECTION)) != 0)
            return error_set(&r->err, "-s %s: expected " SECTION "KEY=V, the only keys used here",
                             o->sets.text[i]);
    if (settings_read(o->config, &o->sets, &r->cfg, &r->from, &r->err))
        return -1;
    settings_warn(o->command, &r->from);
    return dram_layout_parse(&r->layout, r->cfg.dram_address_map, (uint32_t)r->cfg.dram_atom_bytes,
                             (uint32_t)r->cfg.dram_banks, &r->err);
}

/* ---- Run ---- */

static void write_command(void *ctx, uint64_t cycle, enum gddr5_cmd cmd, uint32_t bank,
                          uint64_t row, uint32_t col, uint32_t tag) {
    (void)tag;
    fprintf(ctx, "%" PRIu64 " %s %" PRIu32 " %" PRIu64 " %" PRIu32 "\n", cycle, gddr5_cmd_name[cmd],
            bank, row, col);
}

static void push_request(struct dram_run *r, const struct dram_access *q) {
    const struct gddr5_req req = {q->place.row, q->place.bank, q->place.col, 0, q->write};
    gddr5_push(r->device, r->cycle, &req);
    r->requests++;
    r->waited += r->cycle - q->cycle;
}

/* Simulates cycle r->cycle, pushes the requests that are due, and reads the request after them into
 * q. Returns what dram_file_next returned for the request in q. */
static int step_channel(struct dram_run *r, struct dram_file *t, struct dram_access *q, int have) {
    if (gddr5_done(r->device, r->cycle) != GDDR5_NONE)
        gddr5_take(r->device, r->cycle);
    gddr5_tick(r->device, r->cycle);
    while (have > 0 && q->cycle <= r->cycle && gddr5_room(r->device, q->write)) {
        push_request(r, q);
        have = dram_file_next(t, q, &r->err);
    }
    return have;
}

static void show_progress(struct dram_run *r) {
    if (progress_due(&r->progress))
        progress_line(&r->progress, "%" PRIu64 " requests, CK %" PRIu64 ", %.2f M CK/s",
                      r->requests, r->cycle,
                      (double)r->cycle / progress_seconds(&r->progress) / 1e6);
}

static int run_requests(struct dram_run *r, struct dram_file *t) {
    struct dram_access q;
    uint64_t steps = 0;
    int have = dram_file_next(t, &q, &r->err);
    while (have >= 0 && !r->stop) {
        have = step_channel(r, t, &q, have);
        if (have == 0 && gddr5_empty(r->device))
            return 0;
        uint64_t next = gddr5_next_event(r->device);
        if (have > 0 && q.cycle > r->cycle && q.cycle < next)
            next = q.cycle;
        r->cycle = next;
        if (++steps % PROGRESS_STEPS == 0)
            show_progress(r);
    }
    return -1;
}

/* Returns the CPU time of this process in seconds, which does not depend on other load on the
 * machine. */
static double cpu_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int run_file(struct dram_run *r) {
    struct dram_file t = {.in = trace_input_stream(r->opts->trace, &r->err),
                          .layout = &r->layout,
                          .groups = (uint32_t)r->cfg.dram_groups,
                          .format = r->opts->format};
    if (!t.in)
        return -1;
    double start = cpu_seconds();
    progress_begin(&r->progress, false);
    int result = run_requests(r, &t);
    if (result == 0 && !r->requests)
        result = error_set(&r->err, "%s: no request", r->opts->trace);
    progress_end(&r->progress);
    r->seconds = cpu_seconds() - start;
    r->format = t.format == DRAM_UNKNOWN ? DRAM_MEMTWIN : t.format;
    trace_input_hash(t.in, r->trace_hash);
    trace_input_close(t.in);
    return result;
}

/* ---- Results ---- */

static void print_latency(const struct gddr5_stats *s, bool write, FILE *out) {
    uint64_t n = s->commands[write ? GDDR5_WR : GDDR5_RD];
    fprintf(out, "%-18s ", write ? "write latency" : "read latency");
    if (n)
        fprintf(out, "min %" PRIu64 ", mean %.2f, max %" PRIu64 " CK\n", s->latency_min[write],
                stats_ratio(s->latency_sum[write], n), s->latency_max[write]);
    else
        fputs("none\n", out);
}

/* Says which foreign format the trace has. */
static void print_format(const struct dram_run *r, FILE *out) {
    if (r->format == DRAM_MEMTWIN)
        return;
    fprintf(out, "%-18s %s%s%s\n", "trace format", dram_format_name[r->format],
            r->opts->format == DRAM_UNKNOWN ? ", recognized by its first request" : "",
            dram_format_untimed(r->format) ? "; no cycles: sent as fast as the queues take them"
                                           : "");
}

static void print_results(const struct dram_run *r, FILE *out) {
    const struct gddr5_stats *s = gddr5_stats(r->device);
    const uint64_t n = r->requests;
    print_format(r, out);
    fprintf(out, "%-18s %" PRIu64 " (%" PRIu64 " reads, %" PRIu64 " writes) of %" PRId64 " B\n",
            "requests", n, s->commands[GDDR5_RD], s->commands[GDDR5_WR], r->cfg.dram_atom_bytes);
    fprintf(out, "%-18s %" PRIu64 " CK, %.4f per request\n", "cycles", r->cycle,
            stats_ratio(r->cycle, n));
    fprintf(out, "%-18s %.2f %% of the data bus\n", "utilization",
            100 * stats_ratio(s->busy, r->cycle));
    print_latency(s, false, out);
    print_latency(s, true, out);
    if (r->waited)
        fprintf(out, "%-18s %.1f CK on average for room in a full queue\n", "waited",
                stats_ratio(r->waited, n));
    else
        fprintf(out, "%-18s 0 CK: each request found room in its queue immediately\n", "waited");
    fprintf(out, "%-18s %" PRIu64 " hits (%.2f %%), %" PRIu64 " misses, %" PRIu64 " conflicts\n",
            "rows", s->hits, 100 * stats_ratio(s->hits, n), s->misses, s->conflicts);
    fprintf(out, "%-18s", "commands");
    for (int c = 0; c < GDDR5_CMDS; c++)
        fprintf(out, "%s %" PRIu64 " %s", c ? "," : "", s->commands[c], gddr5_cmd_name[c]);
    fprintf(out, "\n%-18s read %.2f, write %.2f entries\n", "queues",
            stats_ratio(level_area(&s->held[0], r->cycle), r->cycle),
            stats_ratio(level_area(&s->held[1], r->cycle), r->cycle));
    fprintf(out, "%-18s %.2f on average while any is\n", "banks in service",
            stats_ratio(level_area(&s->banks, r->cycle), level_busy(&s->banks, r->cycle)));
    fprintf(out, "%-18s %.2f s CPU, %.2f M CK/s, including reading the file\n", "host", r->seconds,
            r->seconds > 0 ? (double)r->cycle / r->seconds / 1e6 : 0.0);
}

static void add_latency(cJSON *root, const struct gddr5_stats *s, bool write) {
    uint64_t n = s->commands[write ? GDDR5_WR : GDDR5_RD];
    cJSON *o = cJSON_AddObjectToObject(root, write ? "write_latency" : "read_latency");
    json_add_count(o, "min", n ? s->latency_min[write] : 0);
    cJSON_AddNumberToObject(o, "mean", stats_ratio(s->latency_sum[write], n));
    json_add_count(o, "max", s->latency_max[write]);
    cJSON *bins = cJSON_AddArrayToObject(o, "bins"); /* bin n: 2^n to 2^(n+1) - 1 CK */
    for (unsigned b = 0; b < GDDR5_LATENCY_BINS; b++)
        cJSON_AddItemToArray(bins, cJSON_CreateNumber((double)s->latency_bin[write][b]));
}

static cJSON *to_json(const struct dram_run *r) {
    const struct gddr5_stats *s = gddr5_stats(r->device);
    cJSON *root = cJSON_CreateObject();
    cJSON_AddStringToObject(root, "format", FORMAT);
    cJSON_AddStringToObject(root, "version", report_version());
    cJSON_AddStringToObject(root, "config", r->opts->config);
    cJSON_AddBoolToObject(root, "complete", r->complete);
    cJSON *trace = cJSON_AddObjectToObject(root, "trace");
    cJSON_AddStringToObject(trace, "path", r->opts->trace);
    cJSON_AddStringToObject(trace, "hash", r->trace_hash);
    cJSON_AddStringToObject(trace, "format", dram_format_name[r->format]);
    report_config(root, &r->cfg, &r->from);
    json_add_count(root, "cycles", r->cycle);
    json_add_count(root, "requests", r->requests);
    cJSON_AddNumberToObject(root, "utilization", stats_ratio(s->busy, r->cycle));
    add_latency(root, s, false);
    add_latency(root, s, true);
    json_add_count(root, "waited", r->waited);
    json_add_count(root, "row_hits", s->hits);
    json_add_count(root, "row_misses", s->misses);
    json_add_count(root, "row_conflicts", s->conflicts);
    cJSON *commands = cJSON_AddObjectToObject(root, "commands");
    for (int c = 0; c < GDDR5_CMDS; c++)
        json_add_count(commands, gddr5_cmd_name[c], s->commands[c]);
    json_add_count(root, "read_queue_cycles", level_area(&s->held[0], r->cycle));
    json_add_count(root, "write_queue_cycles", level_area(&s->held[1], r->cycle));
    json_add_count(root, "bank_cycles", level_area(&s->banks, r->cycle));
    json_add_count(root, "active_cycles", level_busy(&s->banks, r->cycle));
    cJSON_AddNumberToObject(root, "cpu_seconds", r->seconds);
    return root;
}

/* ---- Command ---- */

static int open_commands(struct dram_run *r) {
    struct error why;
    if (!r->opts->commands)
        return 0;
    if (new_file_open(&r->commands, r->opts->commands, &why))
        return error_set(&r->err, "cannot write %s", why.text);
    gddr5_trace(r->device, write_command, r->commands.f);
    return 0;
}

static int close_commands(struct dram_run *r) {
    struct error why;
    if (!r->opts->commands)
        return 0;
    if (new_file_commit(&r->commands, &why) == 0)
        return 0;
    return error_set(&r->err, "cannot write %s", why.text);
}

/* Returns true if a result goes to standard output. Nothing else may then be printed there. */
static bool writes_stdout(const struct dram_opts *o) {
    return (o->json && is_stdout(o->json)) || (o->commands && is_stdout(o->commands));
}

/* Reports why the run ended before its last request. */
static int report_end(const struct dram_run *r, const char *input_error) {
    if (!r->stop)
        return error_print(EXIT_USAGE, r->opts->command,
                           "%s; results up to CK %" PRIu64 ", after %" PRIu64 " requests",
                           input_error, r->cycle, r->requests);
    return error_print(interrupted(), r->opts->command,
                       "interrupted in CK %" PRIu64 ", after %" PRIu64 " requests", r->cycle,
                       r->requests);
}

static int run_device(struct dram_run *r) {
    struct error input_error;
    if (open_commands(r))
        return error_print(EXIT_USAGE, r->opts->command, "%s", r->err.text);
    r->complete = run_file(r) == 0;
    if (!r->complete && !r->requests) {
        if (r->opts->commands)
            new_file_drop(&r->commands);
        if (r->stop)
            return error_print(interrupted(), r->opts->command,
                               "interrupted before the first request; no file is written");
        return error_print(EXIT_USAGE, r->opts->command, "%s", r->err.text);
    }
    input_error = r->err;
    int code = EXIT_GOOD;
    if (close_commands(r))
        code = error_print(EXIT_USAGE, r->opts->command, "%s", r->err.text);
    if (r->opts->json && json_write(to_json(r), r->opts->json, &r->err))
        code = error_print(EXIT_USAGE, r->opts->command, "%s", r->err.text);
    print_results(r, writes_stdout(r->opts) ? stderr : stdout);
    return r->complete ? code : report_end(r, input_error.text);
}

/* Refuses results that would replace an input file or each other. */
static int check_outputs(const struct dram_run *r) {
    const struct dram_opts *o = r->opts;
    const char *const out[] = {o->json, o->commands};
    for (size_t i = 0; i < 2; i++)
        if (out[i] && !is_stdout(out[i]) &&
            (paths_same(out[i], o->trace) || settings_has(&r->from, out[i])))
            return usage_error(o->command, "%s would be overwritten, but this run reads it",
                               out[i]);
    if (paths_same(o->json, o->commands))
        return usage_error(o->command, "%s is given for two outputs", o->json);
    return EXIT_GOOD;
}

static int run_command(const struct dram_opts *o) {
    struct dram_run r = {.opts = o};
    if (!o->config)
        return usage_error(o->command,
                           "no configuration: use -c CONFIG (see memtwin list configs)");
    if (!o->trace)
        return usage_error(o->command, "no requests: use -t FILE (see %s --help)", o->command);
    if (strcmp(o->config, "-") == 0 && strcmp(o->trace, "-") == 0)
        return usage_error(o->command, "-c - and -t - would both read standard input");
    if (read_config(&r))
        return error_print(EXIT_USAGE, o->command, "%s", r.err.text);
    if (check_outputs(&r))
        return EXIT_USAGE;
    if (o->json && report_writable(o->json, &r.err))
        return error_print(EXIT_USAGE, o->command, "%s", r.err.text);
    const struct gddr5_size size = dram_device(&r.cfg);
    r.device = gddr5_create(&size);
    interrupt_catch(&r.stop);
    int code = run_device(&r);
    gddr5_destroy(r.device);
    return code;
}

int cmd_dram(int argc, char **argv) {
    struct dram_opts o = {.command = argv[0]};
    int code = read_options(&line, argc, argv, &o, NULL);
    if (code == GO_ON)
        code = run_command(&o);
    free(o.sets.text);
    return code;
}
