// SPDX-License-Identifier: Apache-2.0
#include "man.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "config/config.h"
#include "keys.h"
#include "report.h"
#include "study/file.h"

#define PROGRAM_DOC "a GPU memory system, written as Verilog and as a C model"
#define HOME_DOC                                                                                   \
    "Verilog, headers, shipped configurations and scripts; memtwin home prints this folder"

/* ---- Text ---- */

static void print_character(char c) {
    static const struct {
        char c;
        const char *as;
    } special[] = {{'-', "\\-"},    {'\\', "\\e"},  {'`', "\\(ga"},
                   {'\'', "\\(aq"}, {'^', "\\(ha"}, {'~', "\\(ti"}};
    for (size_t i = 0; i < sizeof special / sizeof *special; i++)
        if (c == special[i].c) {
            fputs(special[i].as, stdout);
            return;
        }
    putchar(c);
}

static void print_characters(const char *text, size_t n) {
    while (n--)
        print_character(*text++);
}

/* Prints whole lines, which man fills. Escapes a leading dot, which would be a request, and drops
 * leading blanks, which would end the previous line. */
static void print_lines(const char *text, size_t n) {
    for (bool begins = true; n; n--, text++) {
        if (begins && *text == '.')
            fputs("\\&", stdout);
        begins = begins && *text == ' ';
        if (!begins)
            print_character(*text);
        begins |= *text == '\n';
    }
}

static void print_text(const char *text) {
    print_lines(text, strlen(text));
}

/* Prints options and words in bold, placeholders such as FILE in italics. */
static void print_marked(const char *text, size_t n) {
    while (n) {
        size_t len = 0;
        const char font = isupper((unsigned char)*text) ? 'I' : 'B';
        while (len < n && (isalnum((unsigned char)text[len]) || strchr("-_", text[len])))
            len++;
        if (len) {
            printf("\\f%c", font);
            print_characters(text, len);
            fputs("\\fR", stdout);
        } else {
            print_characters(text, len = 1);
        }
        text += len;
        n -= len;
    }
}

/* Prints the page name of a command: "memtwin-run" for "memtwin run". */
static void print_page_name(const char *name, bool upper) {
    for (; *name; name++)
        if (*name == ' ' || *name == '-')
            fputs("\\-", stdout);
        else
            putchar(upper ? toupper((unsigned char)*name) : *name);
}

static void begin_page(const char *name, unsigned section, const char *doc) {
    fputs(".\\\" SPDX-License-Identifier: Apache-2.0\n.TH ", stdout);
    print_page_name(name, true);
    printf(" %u \"%s\" \"memtwin %s\" \"MemTwin\"\n.ad l\n.nh\n.SH NAME\n", section, report_date(),
           report_release());
    print_page_name(name, false);
    fputs(" \\-\n", stdout);
    print_text(doc);
    putchar('\n');
}

static void print_section(const char *name) {
    printf(".SH %s\n", name);
}

static void print_label(const char *label, size_t n) {
    fputs(".TP\n\\fB", stdout);
    print_characters(label, n);
    puts("\\fR");
}

static void print_item(const char *label, const char *text) {
    print_label(label, strlen(label));
    print_text(text);
    putchar('\n');
}

/* Prints "NAME = VALUE". */
static void print_key(const char *name, const char *value) {
    fputs(".TP\n\\fB", stdout);
    print_characters(name, strlen(name));
    fputs("\\fR = \\fI", stdout);
    print_characters(value, strlen(value));
    puts("\\fR");
}

static void print_reference(const char *name, unsigned section, const char *after) {
    fputs(".BR ", stdout);
    print_page_name(name, false);
    printf(" (%u)%s\n", section, after);
}

/* ---- Text of --help before and after the options ---- */

static size_t line_length(const char *text) {
    const size_t n = strcspn(text, "\n");
    return n + (text[n] == '\n');
}

/* Returns the offset of the description in a row of a list, "  word  description", or 0 for any
 * other line. */
static size_t row_text(const char *line) {
    const size_t indent = strspn(line, " "), word = strcspn(line + indent, " \n");
    const size_t gap = strspn(line + indent + word, " ");
    return indent >= 2 && gap >= 2 ? indent + word + gap : 0;
}

static void print_row(const char *line, size_t n, size_t text) {
    const size_t indent = strspn(line, " ");
    print_label(line + indent, strcspn(line + indent, " "));
    print_lines(line + text, n - text);
}

static bool is_exit(const char *text) {
    return strncmp(text, "exit: ", strlen("exit: ")) == 0;
}

/* Prints paragraphs and lists, except the line about exit codes, which has its own section. */
static void print_paragraphs(const char *text) {
    bool list = false, gap = false;
    for (size_t n; *text; text += n) {
        n = line_length(text);
        const size_t row = row_text(text);
        if (*text == '\n') {
            gap = true;
        } else if (!is_exit(text)) {
            if (row) {
                print_row(text, n, row);
            } else {
                if (gap || list)
                    puts(".PP");
                print_lines(text, n);
            }
            list = row != 0;
            gap = false;
        }
    }
}

/* Prints the synopsis from "usage: memtwin run ..." and the forms below that line. Returns the text
 * after the forms. */
static const char *print_synopsis(const char *usage, const char *name) {
    const size_t head = strlen("usage: ");
    bool open = false;
    print_section("SYNOPSIS");
    for (size_t n; *usage && *usage != '\n'; usage += n) {
        const char *form = usage + head;
        n = line_length(usage);
        if (strncmp(form, name, strlen(name)) == 0) {
            printf("%s.SY \"%s\"\n", open ? ".YS\n" : "", name);
            open = true;
            form += strlen(name);
        }
        form += strspn(form, " ");
        const size_t left = (size_t)(usage + n - form);
        if (left > 1)
            print_marked(form, left);
    }
    puts(".YS");
    return usage + strspn(usage, "\n");
}

static void print_option(const struct option_row *row) {
    puts(".TP");
    if (row->letter)
        printf("\\fB\\-%c\\fR, ", row->letter);
    fputs("\\fB\\-\\-", stdout);
    print_characters(row->name, strlen(row->name));
    fputs("\\fR", stdout);
    if (row->value) {
        fputs(row->optional ? " [" : " ", stdout);
        print_marked(row->value, strlen(row->value));
        fputs(row->optional ? "]" : "", stdout);
    }
    putchar('\n');
    print_text(row->help);
    putchar('\n');
}

static void print_exit_codes(void) {
    for (const struct exit_code *e = exit_codes; e->code; e++)
        print_item(e->code, e->meaning);
}

static const char *find_exit(const char *notes) {
    for (; notes && *notes; notes += line_length(notes))
        if (is_exit(notes))
            return notes + strlen("exit: ");
    return NULL;
}

static void print_sentence(const char *text) {
    putchar(toupper((unsigned char)*text));
    print_text(text + 1);
    puts(".");
}

/* ---- Pages ---- */

void man_command(const struct command_line *line, const char *name, const char *doc) {
    const char *codes = find_exit(line->notes);
    begin_page(name, 1, doc);
    const char *text = print_synopsis(line->usage, name);
    print_section("DESCRIPTION");
    if (*text)
        print_paragraphs(text);
    else
        print_sentence(doc);
    print_section("OPTIONS");
    for (const struct option_row *row = line->table; row->name; row++)
        print_option(row);
    print_option(&option_help);
    if (line->notes && !is_exit(line->notes)) {
        print_section("NOTES");
        print_paragraphs(line->notes);
    }
    print_section("EXIT STATUS");
    if (codes) {
        print_lines(codes, line_length(codes));
        puts(".PP");
        print_reference("memtwin", 1, "");
        puts("has the codes that all commands share.");
    } else {
        print_exit_codes();
    }
    print_section("SEE ALSO");
    print_reference("memtwin", 1, " ,");
    print_reference("memtwin-keys", 5, "");
}

void man_program_begin(void) {
    begin_page("memtwin", 1, PROGRAM_DOC);
    print_section("SYNOPSIS");
    puts(".SY memtwin\n\\fICOMMAND\\fR [\\fIOPTION\\fR]...\n.YS");
    print_section("DESCRIPTION");
    print_text("MemTwin simulates the memory system of a GPU, from the warp schedulers to DRAM, "
               "cycle by cycle.\nEach hardware block exists as a C model and as "
               "synthesizable Verilog.\nThe Verilog of any block can be attached to a running "
               "system, and every output is compared in every cycle.\n");
    print_section("COMMANDS");
}

void man_program_command(const char *name, const char *doc) {
    fputs(".TP\n", stdout);
    print_reference(name, 1, "");
    print_text(doc);
    putchar('\n');
}

/* Environment variables. docs/use/harness.md explains them, and tests/cli/man.sh compares the two
 * lists. */
static const struct {
    const char *name, *meaning;
} environment[] = {
    {"MEMTWIN_HOME", "the folder that memtwin home prints, instead of the one next to the program"},
    {"MEMTWIN_BLOCK", "the library of your own block, like --block"},
    {"MEMTWIN_RTL", "folder of the Verilog, instead of that in memtwin home"},
    {"MEMTWIN_TWINS", "folder of built twins"},
    {"MEMTWIN_CACHE", "folder of twins and replay files if home is not writable; default:\n"
                      "XDG_CACHE_HOME/memtwin, else ~/.cache/memtwin"},
    {"MEMTWIN_BRIEF", "if set, run also accepts twins that build fast but run slowly"},
    {"TWIN_CFLAGS", "compiler flags of twins"},
    {"TWIN_VFLAGS", "further flags of Verilator"},
    {"MEMTWIN_PIPE_MIB", "maximum size in MiB of a trace from a pipe, which is copied to TMPDIR;\n"
                         "default: 4096"},
    {"TMPDIR", "temporary files"},
    {"NO_COLOR", "if set, no color on a terminal"},
};

void man_program_end(void) {
    print_section("EXIT STATUS");
    print_exit_codes();
    print_section("ENVIRONMENT");
    for (size_t i = 0; i < sizeof environment / sizeof *environment; i++)
        print_item(environment[i].name, environment[i].meaning);
    print_section("FILES");
    print_item("PREFIX/share/memtwin", HOME_DOC);
    print_item("PREFIX/share/memtwin/sim/configs/NAME.ini",
               "the shipped configurations, which -c takes by name");
    print_item("PREFIX/share/doc/memtwin",
               "the documents that --help names (docs/NAME.md), and examples of studies");
    print_item("~/.cache/memtwin",
               "twins, which Verilator and g++ build when they are first needed");
    print_section("SEE ALSO");
    print_reference("memtwin-keys", 5, " ,");
    print_reference("memtwin-study", 5, " ,");
    print_reference("verilator", 1, " ,");
    print_reference("sqlite3", 1, "");
}

/* Prints a range such as "a|b|c", in which man may break the line after each "|". */
static void print_range(const char *range) {
    putchar('(');
    for (; *range; range++)
        if (*range == '|')
            puts(" |");
        else
            print_character(*range);
    puts(")");
}

void man_keys(void) {
    const char *section = "";
    char preset[CONFIG_STR_SIZE], range[256], meaning[1024];
    begin_page("memtwin-keys", 5, "configuration files of memtwin, and their keys");
    print_section("DESCRIPTION");
    print_text("A configuration is a text file with sections and keys:\n");
    puts(".PP\n.RS\n.nf\nbase = titanx\n[l1d]\nways = 64      ; a comment\n.fi\n.RE\n.PP");
    print_text(
        "If it has a base (the name of a shipped configuration or a path relative to the file), "
        "it sets only the keys\nthat differ from the base; without a base, those that differ "
        "from the defaults.\n");
    print_text("The option -s SECTION.KEY=VALUE of a command sets a key.\n");
    puts(".PP");
    print_text("The default, range and meaning of each key follow.\n"
               "memtwin config -c CONFIG prints the values of a configuration and where they come "
               "from.\n");
    print_section("KEYS");
    for (const struct key_desc *k = key_table; k->section; k++) {
        if (strcmp(section, k->section) != 0)
            printf(".SS [%s]\n", section = k->section);
        key_default(k, preset, sizeof preset);
        key_range(k, range, sizeof range);
        print_key(k->name, preset);
        print_range(range);
        snprintf(meaning, sizeof meaning, "%s%s%s", k->doc, k->needs ? "; needs " : "",
                 k->needs ? k->needs : "");
        print_text(meaning);
        putchar('\n');
    }
    print_section("SEE ALSO");
    print_reference("memtwin", 1, " ,");
    print_reference("memtwin-config", 1, "");
}

/* Text that precedes the keys of each section. */
static const struct {
    const char *name, *doc;
} study_sections[] = {
    {"study", "Runs and their options."},
    {"set", "SECTION.KEY = VALUE: keys of the configuration, for all runs."},
    {"group NAME", "Workloads, and SECTION.KEY = VALUE for their runs only."},
    {"scheme NAME",
     "SECTION.KEY = VALUE: keys of the runs with this scheme. The value may be a percentage of a "
     "statistic of another run: 75%uvm_touched_pages@whole. Lists in the name ({lru,hpe}, {1..48}) "
     "make one scheme for each item, and {1} is replaced by the item of the first list."},
    {"axis", "SECTION.KEY = VALUE..: one run for each value."},
    {"axis NAME",
     "SECTION.KEY = VALUE..: keys that change together: the first value of each, then the second."},
    {"plot NAME", "A plot at the top of the page of memtwin report."},
};

static void print_study_keys(const char *section) {
    const struct study_file_key *k;
    const size_t n = strcspn(section, " ");
    for (size_t i = 0; (k = study_file_key(i)) != NULL; i++) {
        if (strlen(k->section) != n || strncmp(k->section, section, n) != 0)
            continue;
        print_key(k->name, k->values);
        print_text(k->doc);
        putchar('\n');
    }
}

void man_study_file(void) {
    begin_page("memtwin-study", 5, "study files of memtwin, and their keys");
    print_section("DESCRIPTION");
    print_text("A study is a text file that defines the runs of memtwin study:\n");
    puts(".PP\n.RS\n.nf\n[study]\nconfig   = pascal28\nworkload = bfs:1024 backprop:256\n"
         "baseline = static\n\n[scheme static]\nl1d.mshr = static\n\n[scheme dl]\n"
         "l1d.mshr = dl\n\n[axis]\nl1d.hit_latency = 20 40    ; a comment\n.fi\n.RE\n.PP");
    print_text(
        "The study has a run for each combination of configuration, workload, scheme and axis "
        "values.\n"
        "Below, \"..\" means that more items may follow, separated by blanks.\nAn indented line "
        "continues a list.\nPaths are relative to the file.\nA path with blanks needs double "
        "quotes: trace = \"my traces/a.traceg\".\n");
    puts(".PP");
    print_text(
        "If a key is set more than once, the last value applies, in this order: configuration, "
        "[set], group, base of the scheme, scheme, axes.\n");
    print_section("SECTIONS");
    for (size_t i = 0; i < sizeof study_sections / sizeof *study_sections; i++) {
        printf(".SS [%s]\n", study_sections[i].name);
        print_text(study_sections[i].doc);
        putchar('\n');
        print_study_keys(study_sections[i].name);
    }
    print_section("SEE ALSO");
    print_reference("memtwin-study", 1, " ,");
    print_reference("memtwin-report", 1, " ,");
    print_reference("memtwin-keys", 5, "");
}
