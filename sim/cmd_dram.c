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
#include "json.h"
#include "os/new_file.h"
#include "options.h"
#include "paths.h"
#include "progress.h"
#include "report.h"
#include "settings.h"
#include "trace/input.h"

#define FORMAT "memtwin-dram-1" /* of the JSON file (docs/use/output.md) */
#define EMPTY_MAX 1000000       /* maximum number of lines in a row without a request */
#define PROGRESS_STEPS (UINT64_C(1) << 16)

struct dram_opts {
    const char *command, *config, *trace, *commands, *json;
    struct text_list sets;
};

struct dram_run {
    const struct dram_opts *opts;
    struct config cfg;
    struct config_sources from;
    struct dram_layout layout;
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
    if (settings_read(o->config, &o->sets, &r->cfg, &r->from, &r->err))
        return -1;
    return dram_layout_parse(&r->layout, r->cfg.dram_address_map, (uint32_t)r->cfg.dram_atom_bytes,
                             (uint32_t)r->cfg.dram_banks, &r->err);
}

/* ---- Requests ---- */

struct request_file {
    struct trace_input *in;
    uint64_t cycle; /* cycle of the previous request */
};

struct dram_access {
    uint64_t cycle, address;
    bool write;
};

/* Class of each character: the digit's value plus 1 for a digit, END for a character that ends a
 * word, and 0 for any other. Calling a library function for each character would be too slow for
 * millions of words. */
#define END 17
static const uint8_t character[256] = {
    ['0'] = 1,  ['1'] = 2,   ['2'] = 3,    ['3'] = 4,    ['4'] = 5,    ['5'] = 6,   ['6'] = 7,
    ['7'] = 8,  ['8'] = 9,   ['9'] = 10,   ['a'] = 11,   ['b'] = 12,   ['c'] = 13,  ['d'] = 14,
    ['e'] = 15, ['f'] = 16,  ['A'] = 11,   ['B'] = 12,   ['C'] = 13,   ['D'] = 14,  ['E'] = 15,
    ['F'] = 16, [' '] = END, ['\t'] = END, ['\r'] = END, ['\n'] = END, ['#'] = END, ['\0'] = END};

/* Returns the first position after the blanks at p. Does not skip the end of a line (LF or CR). */
static inline const char *after_blanks(const char *p) {
    while (*p == ' ' || *p == '\t')
        p++;
    return p;
}

static inline bool ends_word(const char *p) {
    return character[(unsigned char)*p] == END;
}

static int bad_line(const struct request_file *t, struct error *err, const char *what,
                    const char *word) {
    int n = 0;
    while (n < 80 && !ends_word(word + n))
        n++;
    return error_set_at(err, trace_input_name(t->in), trace_input_number(t->in), "%s: '%.*s'", what,
                        n, word);
}

enum number { NUMBER_GOOD, NUMBER_BAD, NUMBER_LARGE };

/* Reads the word at *text and moves *text to the character after its digits. Returns NUMBER_LARGE
 * if the word is a number that needs more than 64 bits. */
static inline enum number read_number(const char **text, unsigned base, uint64_t *value) {
    const char *p = *text;
    uint64_t v = 0;
    bool large = false;
    for (unsigned digit; (digit = character[(unsigned char)*p] - 1u) < base; p++) {
        large |= v >= UINT64_MAX / base && v > (UINT64_MAX - digit) / base;
        v = v * base + digit;
    }
    const bool good = p > *text && ends_word(p);
    *text = p;
    *value = v;
    return !good ? NUMBER_BAD : large ? NUMBER_LARGE : NUMBER_GOOD;
}

static inline const char *after_0x(const char *p) {
    return p[0] == '0' && (p[1] | 0x20) == 'x' ? p + 2 : p;
}

static int parse_request(struct request_file *t, const char *text, struct dram_access *q,
                         struct error *err) {
    const char *word = text;
    if (read_number(&text, 10, &q->cycle) != NUMBER_GOOD)
        return bad_line(t, err, "not a cycle", word);
    if (q->cycle > UINT64_MAX >> 1)
        return bad_line(t, err, "a cycle of 2^63 or more", word);
    if (q->cycle < t->cycle)
        return bad_line(t, err, "a cycle before that of the previous request", word);
    word = after_blanks(text);
    q->write = *word == 'W';
    if ((!q->write && *word != 'R') || !ends_word(word + 1))
        return bad_line(t, err, "not R or W", word);
    word = after_blanks(word + 1);
    if (ends_word(word))
        return bad_line(t, err, "no address", word);
    text = after_0x(word);
    const enum number address = read_number(&text, 16, &q->address);
    if (address == NUMBER_BAD)
        return bad_line(t, err, "not a hexadecimal address", word);
    if (address == NUMBER_LARGE)
        return bad_line(t, err, "an address of more than 64 bits", word);
    word = after_blanks(text);
    if (!ends_word(word))
        return bad_line(t, err, "unexpected text after the address", word);
    t->cycle = q->cycle;
    return 1;
}

/* Reads the next request. Returns 1 if there is one, 0 at the end, or -1 with one line in err. */
static int next_request(struct request_file *t, struct dram_access *q, struct error *err) {
    const char *line;
    size_t len;
    for (unsigned empty = 0; trace_input_line(t->in, &line, &len); empty++) {
        if (memchr(line, '\0', len))
            return bad_line(t, err, "not a text file (contains a zero byte)", "");
        const char *text = after_blanks(line);
        if (!ends_word(text))
            return parse_request(t, text, q, err);
        if (empty == EMPTY_MAX)
            return error_set_at(err, trace_input_name(t->in), trace_input_number(t->in),
                                "more than %d lines without a request", EMPTY_MAX);
    }
    if (!trace_input_error(t->in))
        return 0;
    return error_set_at(err, trace_input_name(t->in), trace_input_number(t->in), "%s",
                        trace_input_error(t->in));
}

/* ---- Run ---- */

static void write_command(void *ctx, uint64_t cycle, enum gddr5_cmd cmd, uint32_t bank,
                          uint64_t row, uint32_t col, uint32_t tag) {
    (void)tag;
    fprintf(ctx, "%" PRIu64 " %s %" PRIu32 " %" PRIu64 " %" PRIu32 "\n", cycle, gddr5_cmd_name[cmd],
            bank, row, col);
}

static void push_request(struct dram_run *r, const struct dram_access *q) {
    const struct dram_place place = dram_layout_find(&r->layout, q->address);
    const struct gddr5_req req = {place.row, place.bank, place.col, 0, q->write};
    gddr5_push(r->device, r->cycle, &req);
    r->requests++;
    r->waited += r->cycle - q->cycle;
}

/* Simulates cycle r->cycle, pushes the requests that are due, and reads the request after them into
 * q. Returns what next_request returned for the request in q. */
static int step_channel(struct dram_run *r, struct request_file *t, struct dram_access *q,
                        int have) {
    if (gddr5_done(r->device, r->cycle) != GDDR5_NONE)
        gddr5_take(r->device, r->cycle);
    gddr5_tick(r->device, r->cycle);
    while (have > 0 && q->cycle <= r->cycle && gddr5_room(r->device, q->write)) {
        push_request(r, q);
        have = next_request(t, q, &r->err);
    }
    return have;
}

static void show_progress(struct dram_run *r) {
    if (progress_due(&r->progress))
        progress_line(&r->progress, "%" PRIu64 " requests, CK %" PRIu64 ", %.2f M CK/s",
                      r->requests, r->cycle,
                      (double)r->cycle / progress_seconds(&r->progress) / 1e6);
}

static int run_requests(struct dram_run *r, struct request_file *t) {
    struct dram_access q;
    uint64_t steps = 0;
    int have = next_request(t, &q, &r->err);
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
    struct request_file t = {.in = trace_input_stream(r->opts->trace, &r->err)};
    if (!t.in)
        return -1;
    double start = cpu_seconds();
    progress_begin(&r->progress, false);
    int result = run_requests(r, &t);
    progress_end(&r->progress);
    r->seconds = cpu_seconds() - start;
    trace_input_hash(t.in, r->trace_hash);
    trace_input_close(t.in);
    return result;
}

/* ---- Results ---- */

static double divide_counts(uint64_t part, uint64_t whole) {
    return whole ? (double)part / (double)whole : 0.0;
}

static void print_latency(const struct gddr5_stats *s, bool write, FILE *out) {
    uint64_t n = s->commands[write ? GDDR5_WR : GDDR5_RD];
    fprintf(out, "%-18s ", write ? "write latency" : "read latency");
    if (n)
        fprintf(out, "min %" PRIu64 ", mean %.2f, max %" PRIu64 " CK\n", s->latency_min[write],
                divide_counts(s->latency_sum[write], n), s->latency_max[write]);
    else
        fputs("none\n", out);
}

static void print_results(const struct dram_run *r, FILE *out) {
    const struct gddr5_stats *s = gddr5_stats(r->device);
    const uint64_t n = r->requests;
    fprintf(out, "%-18s %" PRIu64 " (%" PRIu64 " reads, %" PRIu64 " writes) of %" PRId64 " B\n",
            "requests", n, s->commands[GDDR5_RD], s->commands[GDDR5_WR], r->cfg.dram_atom_bytes);
    fprintf(out, "%-18s %" PRIu64 " CK, %.4f per request\n", "cycles", r->cycle,
            divide_counts(r->cycle, n));
    fprintf(out, "%-18s %.2f %% of the data bus\n", "utilisation",
            100 * divide_counts(s->busy, r->cycle));
    print_latency(s, false, out);
    print_latency(s, true, out);
    if (r->waited)
        fprintf(out, "%-18s %.1f CK on average for room in a full queue\n", "waited",
                divide_counts(r->waited, n));
    else
        fprintf(out, "%-18s 0 CK: each request found room in its queue immediately\n", "waited");
    fprintf(out, "%-18s %" PRIu64 " hits (%.2f %%), %" PRIu64 " misses, %" PRIu64 " conflicts\n",
            "rows", s->hits, 100 * divide_counts(s->hits, n), s->misses, s->conflicts);
    fprintf(out, "%-18s", "commands");
    for (int c = 0; c < GDDR5_CMDS; c++)
        fprintf(out, "%s %" PRIu64 " %s", c ? "," : "", s->commands[c], gddr5_cmd_name[c]);
    fprintf(out, "\n%-18s read %.2f, write %.2f entries\n", "queues",
            divide_counts(level_area(&s->held[0], r->cycle), r->cycle),
            divide_counts(level_area(&s->held[1], r->cycle), r->cycle));
    fprintf(out, "%-18s %.2f on average while any is\n", "banks in service",
            divide_counts(level_area(&s->banks, r->cycle), level_busy(&s->banks, r->cycle)));
    fprintf(out, "%-18s %.2f s CPU, %.2f M CK/s, including reading the file\n", "host", r->seconds,
            r->seconds > 0 ? (double)r->cycle / r->seconds / 1e6 : 0.0);
}

static void add_latency(cJSON *root, const struct gddr5_stats *s, bool write) {
    uint64_t n = s->commands[write ? GDDR5_WR : GDDR5_RD];
    cJSON *o = cJSON_AddObjectToObject(root, write ? "write_latency" : "read_latency");
    json_add_count(o, "min", n ? s->latency_min[write] : 0);
    cJSON_AddNumberToObject(o, "mean", divide_counts(s->latency_sum[write], n));
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
    report_config(root, &r->cfg, &r->from);
    json_add_count(root, "cycles", r->cycle);
    json_add_count(root, "requests", r->requests);
    cJSON_AddNumberToObject(root, "utilisation", divide_counts(s->busy, r->cycle));
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
    if (!r->complete && !r->stop && !r->requests) {
        if (r->opts->commands)
            new_file_drop(&r->commands);
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
