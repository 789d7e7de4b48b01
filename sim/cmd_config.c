// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "config/config.h"
#include "config_blocks.h"
#include "gpu/gpu.h"
#include "import/import.h"
#include "lib/message.h"
#include "lib/print.h"
#include "options.h"
#include "os/new_file.h"
#include "os/path.h"
#include "report.h"
#include "settings.h"

#define SOURCE_SIZE 72 /* size of a value's source in bytes; it fits in an output line */

struct config_opts {
    const char *command, *config, *diff, *out;
    struct text_list sets, imports;
    bool blocks;
};

/* ---- Command line ---- */

#define ROW(...) OPTION(struct config_opts, __VA_ARGS__)
static const struct option_row table[] = {
    ROW('c', "config", "CONFIG", take_text, config,
        "name (memtwin list configs) or path of an INI file, or -: standard\n"
        "input"),
    MANY(struct config_opts, 's', "set", "SECTION.KEY=V", take_list, sets,
         "set a key (memtwin list keys); if a key is repeated, the last value wins"),
    MANY(struct config_opts, 0, "import", "FILE", take_list, imports,
         "print the keys that GPGPU-Sim's options in FILE, and in further ones, give;\n"
         "with one FILE, those of trace.config beside it too"),
    ROW('o', "out", "FILE", take_text, out,
        "with --import: write to FILE (default: standard output)"),
    ROW(0, "diff", "CONFIG", take_text, diff,
        "print only the keys whose values in CONFIG differ from those of -c;\n"
        "-s changes only the configuration of -c"),
    ROW(0, "blocks", NULL, take_flag, blocks,
        "instead of keys, print the blocks that have Verilog: one line for each\n"
        "parameter point, with its first instance"),
    {0}};

static const char usage[] =
    "usage: memtwin config -c CONFIG [-s SECTION.KEY=V]... [--diff CONFIG | --blocks]\n"
    "       memtwin config --import gpgpusim.config [FILE]... [-o FILE.ini]\n"
    "\n"
    "Prints the effective configuration: every key, with the file and line that set it (default:\n"
    "no file sets it; -s: the command line). The output is a complete configuration file for run\n"
    "-c. With --import, prints a configuration of GPGPU-Sim or Accel-Sim as such a file, and a\n"
    "warning for each option that asks for what MemTwin lacks.\n";
static const struct command_line line = {
    .usage = usage, .table = table, .word = {"[FILE]", "[FILE]"}};

/* ---- Output ---- */

struct shown {
    struct config cfg;
    struct config_sources from;
    const char *section; /* section of the line printed last */
    const struct shown *other;
    unsigned differ;
};

/* Writes a value's source, such as FILE:LINE, to buf. Omits the front of a long path. */
static void source_of(const struct shown *m, const char *section, const char *key, char *buf) {
    char source[CONFIG_PATH_SIZE + 16];
    config_source(&m->from, section, key, source, sizeof source);
    size_t len = strlen(source), most = SOURCE_SIZE - 1;
    if (len > most)
        snprintf(buf, SOURCE_SIZE, "..%s", source + len - (most - 2));
    else
        strcpy(buf, source);
}

static void print_key(void *ctx, const char *section, const char *key, const char *value,
                      const char *doc) {
    (void)doc;
    struct shown *m = ctx;
    char text[256], source[SOURCE_SIZE];
    if (!m->section || strcmp(m->section, section) != 0)
        printf("\n[%s]\n", section);
    m->section = section;
    snprintf(text, sizeof text, "%s = %s", key, value);
    source_of(m, section, key, source);
    printf("%-31s ; %s\n", text, source);
}

/* Key to look up in another configuration. */
struct config_wanted {
    const char *section, *key;
    char value[CONFIG_STR_SIZE];
};

static void find_value(void *ctx, const char *section, const char *key, const char *value,
                       const char *doc) {
    (void)doc;
    struct config_wanted *w = ctx;
    if (strcmp(section, w->section) == 0 && strcmp(key, w->key) == 0)
        snprintf(w->value, sizeof w->value, "%s", value);
}

static void print_difference(void *ctx, const char *section, const char *key, const char *value,
                             const char *doc) {
    (void)doc;
    struct shown *m = ctx;
    struct config_wanted other = {.section = section, .key = key};
    char name[128], text[2 * CONFIG_STR_SIZE + 8], source[2][SOURCE_SIZE];
    config_each(&m->other->cfg, find_value, &other);
    if (strcmp(value, other.value) == 0)
        return;
    m->differ++;
    snprintf(name, sizeof name, "%s.%s", section, key);
    snprintf(text, sizeof text, "%s -> %s", value, other.value);
    source_of(m, section, key, source[0]);
    source_of(m->other, section, key, source[1]);
    printf("%-24s %-24s ; %s -> %s\n", name, text, source[0], source[1]);
}

static int print_differences(const struct config_opts *o, struct shown *m) {
    static const struct text_list none;
    struct shown other = {0};
    struct error err;
    if (settings_read(o->diff, &none, &other.cfg, &other.from, &err))
        return error_print(EXIT_USAGE, o->command, "%s", err.text);
    m->other = &other;
    config_each(&m->cfg, print_difference, m);
    if (m->differ == 0)
        printf("all %d keys have the same values\n", CONFIG_KEYS);
    return EXIT_GOOD;
}

static int print_blocks(const struct config_opts *o, const struct config *cfg) {
    struct error err;
    if (config_blocks_print(cfg, &err))
        return error_print(EXIT_USAGE, o->command, "configuration %s: %s", o->config, err.text);
    return EXIT_GOOD;
}

/* ---- Import ---- */

static int write_import(const struct config_opts *o, const struct import *m) {
    struct new_file nf;
    struct error err;
    for (unsigned i = 0; i < m->files; i++)
        if (paths_same(o->out, m->path[i]))
            return usage_error(o->command, "%s would be overwritten, but this run reads it",
                               o->out);
    if (new_file_open(&nf, o->out ? o->out : "-", &err))
        return error_print(EXIT_USAGE, o->command, "cannot write %s", err.text);
    fprintf(nf.f, "; Imported by memtwin %s from:\n", report_version());
    for (unsigned i = 0; i < m->files; i++) {
        message_write(nf.f, ";   %s", m->path[i]);
        fputc('\n', nf.f);
    }
    fputc('\n', nf.f);
    import_print(m, nf.f);
    if (new_file_commit(&nf, &err))
        return error_print(EXIT_USAGE, o->command, "cannot write %s", err.text);
    for (const struct import_loss *l = m->loss; l < m->loss + m->losses; l++) {
        import_loss_text(m, l, &err);
        warning_print(o->command, "%s", err.text);
    }
    return EXIT_GOOD;
}

static int import_files(struct config_opts *o, const char *const *words) {
    const char *path[IMPORT_FILES - 1];
    const size_t most = sizeof path / sizeof path[0];
    size_t n = 0;
    struct error err;
    if (o->config || o->sets.n || o->diff || o->blocks)
        return usage_error(o->command, "--import takes no option but -o");
    for (size_t i = 0; i < o->imports.n; i++, n++)
        if (n < most)
            path[n] = o->imports.text[i];
    for (size_t i = 0; i < OPTIONS_MAX_WORDS && words[i]; i++, n++)
        if (n < most)
            path[n] = words[i];
    if (n > most)
        return usage_error(o->command, "--import: %zu files; expected at most %zu", n, most);
    struct import *m = import_read(path, (unsigned)n, &err);
    if (!m)
        return error_print(EXIT_USAGE, o->command, "%s", err.text);
    struct config cfg;
    const bool bad = config_of_import(&cfg, m, &err) || gpu_check(&cfg, &err);
    const int code = bad ? error_print(EXIT_USAGE, o->command, "%s", err.text) : write_import(o, m);
    import_free(m);
    return code;
}

/* ---- Command ---- */

static int run_command(const struct config_opts *o) {
    struct shown m = {0};
    char sources[CONFIG_PATH_SIZE];
    struct error err;
    if (o->out)
        return usage_error(o->command, "-o requires --import");
    if (!o->config)
        return usage_error(o->command,
                           "no configuration: use -c CONFIG (see memtwin list configs)");
    if (settings_read(o->config, &o->sets, &m.cfg, &m.from, &err))
        return error_print(EXIT_USAGE, o->command, "%s", err.text);
    if (o->blocks && o->diff)
        return usage_error(o->command, "use either --blocks or --diff");
    if (o->blocks)
        return print_blocks(o, &m.cfg);
    if (o->diff)
        return print_differences(o, &m);
    settings_warn(o->command, &m.from);
    config_summary(&m.from, sources, sizeof sources);
    printf("; %.180s\n; memtwin %s\n", sources, report_version());
    config_each(&m.cfg, print_key, &m);
    return EXIT_GOOD;
}

int cmd_config(int argc, char **argv) {
    struct config_opts o = {.command = argv[0]};
    const char *words[OPTIONS_MAX_WORDS] = {NULL, NULL};
    int code = read_options(&line, argc, argv, &o, words);
    if (code == GO_ON && o.imports.n)
        code = import_files(&o, words);
    else if (code == GO_ON && words[0])
        code = usage_error(o.command, "unexpected argument '%s'; use -c or --import", words[0]);
    else if (code == GO_ON)
        code = run_command(&o);
    free(o.sets.text);
    free(o.imports.text);
    return code;
}
