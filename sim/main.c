// SPDX-License-Identifier: Apache-2.0
/* Finds the command that the command line names, and runs it. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "complete.h"
#include "harness/library.h"
#include "lib/alloc.h"
#include "os/new_file.h"
#include "lib/guess.h"
#include "man.h"
#include "report.h"
#include "terminal.h"

static const struct command {
    const char *name, *full_name;
    int (*run)(int argc, char **argv);
    const char *doc;
} commands[] = {
    {"run", "memtwin run", cmd_run,
     "run a workload or a trace on a GPU configuration, optionally with Verilog twins"},
    {"study", "memtwin study", cmd_study,
     "run a set of configurations, workloads, schemes and axes; store results in a database"},
    {"report", "memtwin report", cmd_report, "write a database of studies as a page for a browser"},
    {"compare", "memtwin compare", cmd_compare,
     "print counters beside those of hardware or of another simulator"},
    {"cosim", "memtwin cosim", cmd_cosim,
     "run one block alone: its C model and its Verilog under random stimulus"},
    {"replay", "memtwin replay", cmd_replay, "run a recorded vector file again and compare"},
    {"mutants", "memtwin mutants", cmd_mutants,
     "find out which mutants of a block's netlist the stimulus of cosim detects"},
    {"config", "memtwin config", cmd_config,
     "print the effective configuration with the source of each value, or compare two"},
    {"dram", "memtwin dram", cmd_dram, "run a request trace through one DRAM channel"},
    {"trace", "memtwin trace", cmd_trace,
     "write a workload or a synthetic kernel as an Accel-Sim trace; check a trace"},
    {"pages", "memtwin pages", cmd_pages,
     "list the pages that a workload refers to, in order and by window"},
    {"list", "memtwin list", cmd_list, "list workloads, configs, blocks, policies, stats or keys"},
};
#define N_COMMANDS (sizeof commands / sizeof commands[0])

static const struct {
    const char *name, *form, *doc;
} others[] = {
    {"help", "help [COMMAND]", "this text, or the help of a command (also: COMMAND --help, -h)"},
    {"version", "version",
     "version, git commit, and whether modified or profile-guided (also: --version)"},
    {"home", "home", "folder of the Verilog, headers, configurations and scripts"},
};
#define N_OTHERS (sizeof others / sizeof others[0])

static void print_help(void) {
    puts("usage: memtwin COMMAND [OPTION]...\n");
    for (size_t i = 0; i < N_COMMANDS; i++)
        printf("  %-9s%s\n", commands[i].name, commands[i].doc);
    putchar('\n');
    for (size_t i = 0; i < N_OTHERS; i++)
        printf("  memtwin %-15s %s\n", others[i].form, others[i].doc);
    puts("\nexit codes:");
    for (const struct exit_code *e = exit_codes; e->code; e++)
        printf("  %-9s%s\n", e->code, e->meaning);
}

static int unknown(const char *word) {
    struct guess guess;
    guess_begin(&guess, word);
    for (size_t i = 0; i < N_COMMANDS; i++)
        guess_try(&guess, commands[i].name, strlen(commands[i].name));
    guess_try(&guess, "help", strlen("help"));
    guess_try(&guess, "version", strlen("version"));
    return usage_error("memtwin", "unknown %s '%s' (see memtwin --help)%s",
                       word[0] == '-' ? "option" : "command", word, guess_hint(&guess));
}

static const struct command *find_command(const char *name) {
    for (size_t i = 0; i < N_COMMANDS; i++)
        if (strcmp(name, commands[i].name) == 0)
            return &commands[i];
    return NULL;
}

/* Runs a command. argv[0] is the command's word. */
static int run_command(const struct command *c, int argc, char **argv) {
    argv[0] = (char *)(uintptr_t)c->full_name;
    return c->run(argc, argv);
}

/* Man pages of file formats. */
static const struct {
    const char *name;
    void (*print)(void);
} file_pages[] = {{"keys", man_keys}, {"study-file", man_study_file}};

static bool man_file(const char *name) {
    for (size_t i = 0; i < sizeof file_pages / sizeof *file_pages; i++)
        if (strcmp(name, file_pages[i].name) == 0) {
            file_pages[i].print();
            return true;
        }
    return false;
}

/* `memtwin help --man [COMMAND|keys|study-file]`: prints a man page for sim/install.sh. */
static int man(int argc, char **argv) {
    char word[] = OPTIONS_MAN;
    const struct command *c = argc > 1 ? find_command(argv[1]) : NULL;
    if (argc == 2 && man_file(argv[1]))
        return EXIT_GOOD;
    if (argc > 2 || (argc == 2 && !c))
        return unknown(argv[argc - 1]);
    if (c)
        return run_command(c, 3, (char *[]){NULL, word, (char *)(uintptr_t)c->doc, NULL});
    man_program_begin();
    for (size_t i = 0; i < N_COMMANDS; i++)
        man_program_command(commands[i].full_name, commands[i].doc);
    man_program_end();
    return EXIT_GOOD;
}

static void complete_command_name(const char *word, bool all) {
    for (size_t i = 0; i < N_COMMANDS; i++)
        complete_word(word, commands[i].name, commands[i].doc);
    for (size_t i = 0; all && i < N_OTHERS; i++)
        complete_word(word, others[i].name, others[i].doc);
}

/* `memtwin complete WORD...`: prints completions of the last word of a command line that begins
 * after "memtwin". Shells call it, so it reports no errors. Replaces the command's name in argv[1]
 * with --complete. */
static int run_completion(int argc, char **argv) {
    char word[] = OPTIONS_COMPLETE;
    char *none[] = {NULL, NULL};
    if (argc == 1)
        argv = none, none[1] = word + strlen(word), argc = 2;
    const struct command *c = find_command(argv[1]);
    if (argc == 2) {
        complete_command_name(argv[1], true);
    } else if (c) {
        argv[0] = argv[1];
        argv[1] = word;
        return run_command(c, argc, argv);
    } else if (argc == 3 && strcmp(argv[1], "help") == 0) {
        complete_command_name(argv[2], false);
    }
    return EXIT_GOOD;
}

static int help(int argc, char **argv) {
    char word[] = "--help", *asked[] = {NULL, word, NULL};
    if (argc > 1 && strcmp(argv[1], OPTIONS_MAN) == 0)
        return man(argc - 1, argv + 1);
    if (argc > 2)
        return usage_error("memtwin help", "unexpected '%s' (see memtwin --help)", argv[2]);
    if (argc == 2) {
        const struct command *c = find_command(argv[1]);
        return c ? run_command(c, 2, asked) : unknown(argv[1]);
    }
    print_help();
    return EXIT_GOOD;
}

#ifdef MEMTWIN_PROFILE_GUIDED /* set by make PGO=1 */
static const char build_kind[] = ", profile-guided";
#else
static const char build_kind[] = "";
#endif

static int version(int argc, char **argv) {
    if (argc > 1)
        return usage_error("memtwin", "unexpected '%s' after %s", argv[1], argv[0]);
    printf("memtwin %s%s\n", report_version(), build_kind);
    return EXIT_GOOD;
}

/* `memtwin home`: prints the folder of the program's files, which is a source checkout or
 * PREFIX/share/memtwin. */
static int home(int argc, char **argv) {
    char root[PATH_SIZE];
    struct error err;
    if (argc > 1)
        return usage_error("memtwin", "unexpected '%s' after %s", argv[1], argv[0]);
    if (harness_root(root, &err))
        return error_print(EXIT_USAGE, "memtwin home", "%s", err.text);
    puts(root);
    return EXIT_GOOD;
}

static bool is_one_of(const char *word, const char *a, const char *b, const char *c) {
    return strcmp(word, a) == 0 || strcmp(word, b) == 0 || strcmp(word, c) == 0;
}

static int dispatch_command(int argc, char **argv) {
    const struct command *c = find_command(argv[0]);
    if (c)
        return run_command(c, argc, argv);
    if (is_one_of(argv[0], "help", "--help", "-h"))
        return help(argc, argv);
    if (is_one_of(argv[0], "version", "--version", "-V"))
        return version(argc, argv);
    if (strcmp(argv[0], "home") == 0)
        return home(argc, argv);
    if (strcmp(argv[0], "complete") == 0)
        return run_completion(argc, argv);
    return unknown(argv[0]);
}

/* ---- Process environment ---- */

/* Opens the standard descriptors that are closed. Otherwise, the next file that is opened would
 * reuse one of them, and messages would be written into that file. Writes to a stdout or stderr
 * that was closed fail, as do reads from a stdin that was closed. */
static void open_standard(void) {
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 &&
            open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0)
            _exit(EXIT_INTERNAL);
}

/* Makes a write to a closed pipe, or beyond the file size limit, fail instead of killing the
 * program, so that the result files are completed. */
static void watch_signals(void) {
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    interrupt_catch(NULL);
}

/* Flushes standard output. Returns `code`, or an error code if flushing fails, as on a full
 * disk. */
static int flushed(int code) {
    if (fflush(stdout) == 0 && !ferror(stdout))
        return code;
    if (code == EXIT_GOOD)
        terminal_end_by_pipe();
    return error_print(code == EXIT_GOOD ? EXIT_USAGE : code, "memtwin",
                       "cannot write to standard output");
}

int main(int argc, char **argv) {
    open_standard();
    terminal_clean();
    watch_signals();
    cJSON_InitHooks(&(cJSON_Hooks){alloc_bytes, free});
    atexit(temp_dir_abandon);
    atexit(new_files_abandon); /* alloc_fail may exit anywhere */
    if (argc < 2)
        return usage_error("memtwin", "no command (see memtwin --help)");
    int code = dispatch_command(argc - 1, argv + 1);
    interrupt_catch(NULL); /* the flag `stop` of the command no longer exists */
    return flushed(code);
}
