// SPDX-License-Identifier: Apache-2.0
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "commands.h"
#include "harness/harness.h"
#include "harness/library.h"
#include "lib/alloc.h"
#include "lib/message.h"
#include "os/path.h"
#include "options.h"

struct replay_opts {
    const char *wave, *library;
    enum replay_engine engine;
    struct replay_window window;
    bool no_observed;
};

static int take_engine(const char *command, const struct option_row *row, void *to, char *name) {
    static const char *const engines[] = {
        [REPLAY_TWIN] = "twin", [REPLAY_ICARUS] = "icarus", [REPLAY_MODEL] = "model"};
    (void)row;
    for (size_t i = 0; i < sizeof engines / sizeof engines[0]; i++) {
        if (strcmp(engines[i], name) == 0) {
            *(enum replay_engine *)to = (enum replay_engine)i;
            return EXIT_GOOD;
        }
    }
    return usage_error(command, "--engine %s: not twin, icarus or model", name);
}

/* Parses FROM:TO. */
static int take_window(const char *command, const struct option_row *row, void *to, char *text) {
    struct replay_window *w = to;
    char *colon = strchr(text, ':');
    bool good = colon != NULL;
    if (good) {
        *colon = '\0';
        good = parse_u64(text, &w->from) && parse_u64(colon + 1, &w->to) && w->from <= w->to;
        *colon = ':';
    }
    if (good)
        return EXIT_GOOD;
    return usage_error(command, "--%s %s: expected FROM:TO, two cycles in order", row->name, text);
}

#define ROW(...) OPTION(struct replay_opts, __VA_ARGS__)
static const struct option_row table[] = {
    LIBRARY(struct replay_opts, library),
    ROW(0, "engine", "twin|icarus|model", take_engine, engine,
        "twin (default): the Verilog, compiled by Verilator;\n"
        "icarus: the same Verilog with four states, where an X is a difference;\n"
        "model: the C model"),
    ROW(0, "no-observed", NULL, take_flag, no_observed,
        "run the block without its observer, and do not compare the observed\n"
        "ports (st_); a netlist needs this; the verdict names them"),
    ROW(0, "cycles", "FROM:TO", take_window, window,
        "write only these cycles to the waveform, and end after them"),
    ROW(0, "wave", "OUT", take_text, wave,
        "write a waveform to OUT, a .vcd or .fst file or a FIFO (VCD)"),
    {0}};

static const char usage[] =
    "usage: memtwin replay FILE|DIR [--engine ENGINE] [--no-observed] [--wave OUT]\n"
    "                      [--cycles FROM:TO]\n"
    "\n"
    "Runs the inputs of a vector file again and compares the outputs with the recorded ones.\n"
    "FILE may be - for standard input. For a folder, replays all vector files in it (*.vec),\n"
    "prints one line per file and a total, and exits with the worst exit code.\n";
static const char notes[] = "exit: 0 equal, 1 unreadable file, 3 different\n";
static const struct command_line line = {
    .usage = usage, .table = table, .notes = notes, .word = {"FILE|DIR"}};

/* ---- Folder ---- */

static int is_vectors(const struct dirent *entry) {
    size_t len = strlen(entry->d_name);
    return entry->d_name[0] != '.' && len > 4 && strcmp(entry->d_name + len - 4, ".vec") == 0;
}

/* Prints the rest of the line after the first `start` in the text, or nothing if the text does not
 * contain it. */
static void print_after(const char *text, const char *start) {
    const char *found = strstr(text, start);
    if (found)
        printf(" %.*s", (int)strcspn(found + strlen(start), "\n"), found + strlen(start));
}

/* Replays a file and condenses the report of replay_run to one line. Returns the exit code of
 * replay_run. */
static int replay_briefly(const struct replay_opts *o, enum replay_ports ports, const char *path) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = alloc_stream(&text, &size);
    int code = replay_run(path, o->engine, ports, NULL, out);
    alloc_stream_close(out);
    message_write(stdout, "%s:", path);
    if (code == EXIT_GOOD || code == EXIT_MISMATCH) {
        print_after(text, "verdict: ");
        print_after(text, "replay ");
    } else {
        printf(" ERROR");
    }
    printf("\n");
    free(text);
    return code;
}

static int replay_each(const char *command, const struct replay_opts *o, enum replay_ports ports,
                       const char *dir) {
    char path[PATH_SIZE];
    struct error err;
    struct dirent **entries;
    unsigned different = 0, failed = 0;
    int worst = EXIT_GOOD, n = scandir(dir, &entries, is_vectors, alphasort);
    if (n < 0)
        return error_print(EXIT_USAGE, command, "%s: %s", dir, strerror(errno));
    for (int i = 0; i < n; free(entries[i++])) {
        if (interrupted())
            continue;
        int code = path_print(path, &err, "%s/%s", dir, entries[i]->d_name)
                       ? error_print(EXIT_USAGE, command, "%s", err.text)
                       : replay_briefly(o, ports, path);
        different += code == EXIT_MISMATCH;
        failed += code != EXIT_GOOD && code != EXIT_MISMATCH;
        worst = code > worst ? code : worst;
    }
    free(entries);
    if (n == 0)
        return usage_error(command, "%s: no vector files (*.vec) in this folder", dir);
    if (interrupted())
        return worst;
    printf("%d file%s: %u the same, %u different, %u with errors\n", n, n == 1 ? "" : "s",
           (unsigned)n - different - failed, different, failed);
    return worst;
}

static bool is_folder(const char *path) {
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

int cmd_replay(int argc, char **argv) {
    struct replay_opts o = {.engine = REPLAY_TWIN, .window = {0, UINT64_MAX}};
    const struct block_library *library;
    struct error err;
    const char *file = NULL;
    int code = read_options(&line, argc, argv, &o, &file);
    if (code != GO_ON)
        return code;
    if (!file)
        return usage_error(argv[0], "no vector file (see %s --help)", argv[0]);
    if (strcmp(file, "-") != 0 && access(file, R_OK) != 0)
        return error_print(EXIT_USAGE, argv[0], "cannot read %s: %s", file, strerror(errno));
    if (block_library_load(&library, &err))
        return error_print(EXIT_USAGE, argv[0], "MEMTWIN_BLOCK=%s", err.text);
    if (o.window.to != UINT64_MAX && (!o.wave || o.engine != REPLAY_TWIN))
        return usage_error(argv[0], "--cycles needs --wave and the engine twin");
    enum replay_ports ports = o.no_observed ? REPLAY_NO_OBSERVED : REPLAY_ALL;
    if (is_folder(file) && o.wave)
        return usage_error(argv[0], "--wave %s needs a single vector file, but %s is a folder",
                           o.wave, file);
    volatile bool stop = false; /* makes Ctrl-C end the command even if SIGINT was ignored;
                                   replay_run sets its own flag */
    interrupt_catch(&stop);
    code = is_folder(file) ? replay_each(argv[0], &o, ports, file)
                           : replay_window_run(file, o.engine, ports, o.wave, &o.window, stdout);
    return interrupted() ? interrupted() : code;
}
