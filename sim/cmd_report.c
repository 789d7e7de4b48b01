// SPDX-License-Identifier: Apache-2.0
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "commands.h"
#include "lib/message.h"
#include "lib/shell.h"
#include "loads_page.h"
#include "options.h"
#include "os/new_file.h"
#include "study/page.h"

/* Counts of the page. */
struct report_counts {
    struct page_counts study;
    uint64_t loads, kept; /* number of loads of the run, and of those in the page */
};

struct report_opts {
    const char *command, *out, *study;
    uint64_t detail_mib;
    bool quiet;
};

#define NO_SIZE UINT64_MAX /* value of detail_mib if it is not given */

#define ROW(...) OPTION(struct report_opts, __VA_ARGS__)
static const struct option_row table[] = {
    ROW('o', "out", "FILE", take_text, out,
        "page to write (default: NAME.html beside NAME.db or NAME.json; -: standard\n"
        "output)"),
    ROW(0, "study", "STUDY", take_text, study, "only this study of the database"),
    NUMBER(struct report_opts, "detail-size", "MIB", 0, 65536, detail_mib,
           "size limit for details and time series (default: 16); the page names the\n"
           "runs whose details do not fit"),
    ROW('q', "quiet", NULL, take_flag, quiet, "no summary"),
    {0}};

static const char usage[] =
    "usage: memtwin report DB|LOADS [OPTION]...\n"
    "\n"
    "Writes the studies of a database as one HTML page for a browser: plots, filters, tables,\n"
    "published figures next to ours, and for each run a breakdown of its cycles and the command\n"
    "that repeats it. From LOADS, a file of `memtwin run --loads`, writes a page that follows "
    "single\n"
    "loads through the queues. The page contains all of its data and needs no network.\n";
static const char notes[] = "memtwin-study(5) describes the [plot] sections of a study file.\n";
static const struct command_line line = {
    .usage = usage, .table = table, .notes = notes, .word = {"DB|LOADS"}};

/* Makes the path FOLDER/NAME.html from FOLDER/NAME.db or FOLDER/NAME.json. */
static int name_page(const char *from, char *path, struct error *err) {
    const char *slash = strrchr(from, '/'), *name = slash ? slash + 1 : from;
    const char *dot = strrchr(name, '.');
    const size_t n = dot && dot > name ? (size_t)(dot - from) : strlen(from);
    return path_print(path, err, "%.*s.html", (int)n, from);
}

/* Refuses to replace a file that is no report, unless its name was given. */
static int check_page(const struct report_opts *o, const char *path, struct error *err) {
    FILE *f = o->out || is_stream(path) ? NULL : fopen(path, "re");
    const bool foreign = f && !page_is_ours(f);
    if (f)
        fclose(f);
    if (!foreign)
        return 0;
    char *word = shell_path(path);
    error_set(err, "%s exists and is not a report; replace it with -o %s", path, word);
    free(word);
    return -1;
}

/* Writes the page of a database. */
static int write_study(const struct report_opts *o, const char *from, FILE *to,
                       struct report_counts *counts, struct error *err) {
    struct study_db *db = db_open(from, false, err);
    const int bad = !db || page_write(db, o->study, o->detail_mib, to, &counts->study, err);
    db_close(db);
    return bad ? -1 : 0;
}

static int write_page(const struct report_opts *o, const char *from, bool loads, const char *path,
                      struct report_counts *counts, struct error *err) {
    struct new_file nf;
    struct error why;
    if (new_file_open(&nf, path, &why))
        return error_set(err, "cannot write %s%s", why.text,
                         o->out ? "" : "; choose another place with -o FILE");
    if (loads ? loads_page_write(from, nf.f, &counts->loads, &counts->kept, err)
              : write_study(o, from, nf.f, counts, err)) {
        new_file_drop(&nf);
        return -1;
    }
    if (new_file_commit(&nf, &why) == 0)
        return 0;
    return error_set(err, "cannot write %s", why.text);
}

static void say(const struct report_opts *o, const char *path, bool loads,
                const struct report_counts *counts) {
    struct stat st;
    if (is_stream(path) || stat(path, &st) != 0)
        return;
    const double mib = (double)st.st_size / (1 << 20);
    if (loads)
        message_write(stdout, "%s: %" PRIu64 " of %" PRIu64 " load%s", path, counts->kept,
                      counts->loads, message_plural(counts->loads));
    else
        message_write(stdout, "%s: %" PRIu64 " run%s", path, counts->study.runs,
                      message_plural(counts->study.runs));
    printf(", %.1f MiB: open it in a browser\n", mib);
    if (counts->study.left_out)
        printf("details and time series of %" PRIu64 " runs do not fit into %" PRIu64
               " MiB and are left out (--study, --detail-size)\n",
               counts->study.left_out, o->detail_mib);
}

int cmd_report(int argc, char **argv) {
    struct report_opts o = {.command = argv[0], .detail_mib = NO_SIZE};
    const char *word = NULL;
    char path[PATH_SIZE];
    struct error err;
    struct report_counts counts = {0};
    int code = read_options(&line, argc, argv, &o, &word);
    if (code != GO_ON)
        return code;
    if (!word)
        return usage_error(o.command, "no database given, and no file of loads (see %s --help)",
                           o.command);
    if (o.out ? path_print(path, &err, "%s", o.out) : name_page(word, path, &err))
        return error_print(EXIT_USAGE, o.command, "%s", err.text);
    const bool loads = loads_page_is(word);
    if (paths_same(word, path))
        return usage_error(o.command, "%s: the page would replace the %s", path,
                           loads ? "file of loads" : "database");
    if (check_page(&o, path, &err))
        return error_print(EXIT_USAGE, o.command, "%s", err.text);
    if (loads && o.study)
        return usage_error(o.command, "--study %s: %s holds loads, no studies", o.study, word);
    if (loads && o.detail_mib != NO_SIZE)
        return usage_error(o.command, "--detail-size: %s holds loads, no details of runs", word);
    if (o.detail_mib == NO_SIZE)
        o.detail_mib = PAGE_INSIDE_MIB;
    if (write_page(&o, word, loads, path, &counts, &err))
        return error_print(EXIT_USAGE, o.command, "%s", err.text);
    if (counts.study.damaged)
        warning_print(o.command, "%s: %" PRIu64 " damaged time series left out", word,
                      counts.study.damaged);
    if (!o.quiet)
        say(&o, path, loads, &counts);
    return EXIT_GOOD;
}
