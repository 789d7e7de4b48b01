// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "config/config.h"
#include "config_blocks.h"
#include "options.h"
#include "report.h"
#include "settings.h"

#define SOURCE_SIZE 72 /* fits beside the longest value in a line of a configuration */

struct config_opts {
    const char *command, *config, *diff;
    struct text_list sets;
    bool blocks;
};

/* ---- Command line ---- */

#define ROW(...) OPTION(struct config_opts, __VA_ARGS__)
static const struct option_row table[] = {
    ROW('c', "config", "CONFIG", take_text, config,
        "name (memtwin list configs) or path of an INI file, or -: standard\n"
        "input"),
    MANY(struct config_opts, 's', "set", "SECTION.KEY=V", take_list, sets,
         "change a key (memtwin list keys); the last value of a key counts"),
    ROW(0, "diff", "CONFIG", take_text, diff,
        "print only the keys whose values in CONFIG differ from those of -c;\n"
        "-s changes the configuration of -c alone"),
    ROW(0, "blocks", NULL, take_flag, blocks,
        "print the blocks of the machine that have Verilog instead: one line for\n"
        "each parameter point, with its first instance"),
    {0}};

static const char usage[] =
    "usage: memtwin config -c CONFIG [-s SECTION.KEY=V]... [--diff CONFIG | --blocks]\n"
    "\n"
    "Prints the effective configuration: every key, with the file and line of its value (-s: the\n"
    "command line). The output is a complete configuration file for run -c.\n";
static const struct command_line line = {.usage = usage, .table = table};

/* ---- What is printed ---- */

struct shown {
    struct config cfg;
    struct config_sources from;
    const char *section; /* of the last line */
    const struct shown *other;
    unsigned differ;
};

/* The source of a value, as FILE:LINE; a long path is cut at its front. */
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

/* A key whose value is looked up in another configuration. */
struct wanted {
    const char *section, *key;
    char value[CONFIG_STR_SIZE];
};

static void find_value(void *ctx, const char *section, const char *key, const char *value,
                       const char *doc) {
    (void)doc;
    struct wanted *w = ctx;
    if (strcmp(section, w->section) == 0 && strcmp(key, w->key) == 0)
        snprintf(w->value, sizeof w->value, "%s", value);
}

static void print_difference(void *ctx, const char *section, const char *key, const char *value,
                             const char *doc) {
    (void)doc;
    struct shown *m = ctx;
    struct wanted other = {.section = section, .key = key};
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
    char err[1024];
    if (settings_read(o->diff, &none, &other.cfg, &other.from, err, sizeof err))
        return usage_error(o->command, "%s", err);
    m->other = &other;
    config_each(&m->cfg, print_difference, m);
    if (m->differ == 0)
        printf("the same in all %d keys\n", CONFIG_KEYS);
    return EXIT_GOOD;
}

static int print_blocks(const struct config_opts *o, const struct config *cfg) {
    char err[512];
    if (config_blocks_print(cfg, err, sizeof err))
        return usage_error(o->command, "configuration %s: %s", o->config, err);
    return EXIT_GOOD;
}

static int run(const struct config_opts *o) {
    struct shown m = {0};
    char err[1024], sources[CONFIG_PATH_SIZE];
    if (!o->config)
        return usage_error(o->command, "no configuration: -c CONFIG (see memtwin list configs)");
    if (settings_read(o->config, &o->sets, &m.cfg, &m.from, err, sizeof err))
        return usage_error(o->command, "%s", err);
    if (o->blocks && o->diff)
        return usage_error(o->command, "use either --blocks or --diff");
    if (o->blocks)
        return print_blocks(o, &m.cfg);
    if (o->diff)
        return print_differences(o, &m);
    config_summary(&m.from, sources, sizeof sources);
    printf("; %.180s\n; memtwin %s\n", sources, report_version());
    config_each(&m.cfg, print_key, &m);
    return EXIT_GOOD;
}

int cmd_config(int argc, char **argv) {
    struct config_opts o = {.command = argv[0]};
    int code = read_options(&line, argc, argv, &o, NULL);
    if (code == GO_ON)
        code = run(&o);
    free(o.sets.text);
    return code;
}
