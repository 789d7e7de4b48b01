// SPDX-License-Identifier: Apache-2.0
/* The program memtwin: finds the command and calls it. */
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "commands.h"
#include "complete.h"
#include "harness/proc.h"
#include "lib/guess.h"
#include "man.h"
#include "report.h"

static const struct command {
    const char *name, *full_name;
    int (*run)(int argc, char **argv);
    const char *doc;
} commands[] = {
    {"run", "memtwin run", cmd_run,
     "run a workload or a trace on a GPU configuration, with Verilog twins if asked for"},
    {"study", "memtwin study", cmd_study,
     "many runs: configurations, workloads, schemes and axes, into a database"},
    {"report", "memtwin report", cmd_report, "a database of studies as a page for a browser"},
    {"cosim", "memtwin cosim", cmd_cosim,
     "one block alone: its C model and its Verilog under random stimulus"},
    {"replay", "memtwin replay", cmd_replay, "run a recorded vector file again and compare"},
    {"mutants", "memtwin mutants", cmd_mutants,
     "which mutants of a block's netlist the stimulus of cosim finds"},
    {"config", "memtwin config", cmd_config,
     "the effective configuration, each value with its source; what differs from another"},
    {"dram", "memtwin dram", cmd_dram, "a request trace through one DRAM channel"},
    {"trace", "memtwin trace", cmd_trace,
     "write a workload or a synthetic kernel as an Accel-Sim trace; check a trace"},
    {"pages", "memtwin pages", cmd_pages,
     "the pages that a workload refers to, in order and by window"},
    {"list", "memtwin list", cmd_list, "workloads, configs, blocks, policies, stats or keys"},
};
#define N_COMMANDS (sizeof commands / sizeof commands[0])

static const struct {
    const char *name, *form, *doc;
} others[] = {
    {"help", "help [COMMAND]", "this text, or more of a command (also: COMMAND --help, -h)"},
    {"version", "version",
     "version, git commit, modified or not, profile-guided or not (also: --version)"},
    {"home", "home", "the folder of its Verilog, headers, configurations and scripts"},
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

/* argv[0] is the command's word. */
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

/* `memtwin complete WORD...`: prints completions of the last word of a command line, without
 * "memtwin". Shells call it, so it reports no errors. argv[0] is the place for --complete. */
static int complete(int argc, char **argv) {
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

#ifdef MEMTWIN_PROFILE_GUIDED /* make PGO=1 */
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

/* `memtwin home`: prints the folder of the program's files, a checkout or PREFIX/share/memtwin. */
static int home(int argc, char **argv) {
    char root[PATH_SIZE], err[512];
    if (argc > 1)
        return usage_error("memtwin", "unexpected '%s' after %s", argv[1], argv[0]);
    if (harness_root(root, err, sizeof err))
        return usage_error("memtwin home", "%s", err);
    puts(root);
    return EXIT_GOOD;
}

static bool is_one_of(const char *word, const char *a, const char *b, const char *c) {
    return strcmp(word, a) == 0 || strcmp(word, b) == 0 || strcmp(word, c) == 0;
}

static int dispatch(int argc, char **argv) {
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
        return complete(argc, argv);
    return unknown(argv[0]);
}

/* ---- What the program is started with ---- */

/* Opens standard descriptors that are closed, which would otherwise be reused by the next file, so
 * that messages would be written into it. Writes to such a stdout or stderr fail, as do reads of
 * such a stdin. */
static void open_standard(void) {
    for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
        if (fcntl(fd, F_GETFD) < 0 &&
            open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0)
            _exit(EXIT_INTERNAL);
}

/* Makes a write to a closed pipe, or past the file size limit, fail instead of ending the program:
 * the files are then completed. */
static void watch_signals(void) {
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    interrupt_catch(NULL);
}

/* Ends the program by SIGPIPE, without a message, if the reader of standard output has closed it:
 * `memtwin list keys | head` is legal. */
static void end_by_closed_pipe(void) {
    struct pollfd out = {.fd = STDOUT_FILENO};
    if (poll(&out, 1, 0) != 1 || !(out.revents & POLLERR))
        return;
    signal(SIGPIPE, SIG_DFL);
    raise(SIGPIPE);
}

/* Flushes standard output. If that fails, as on a full disk, the program fails. */
static int flushed(int code) {
    if (fflush(stdout) == 0 && !ferror(stdout))
        return code;
    if (code == EXIT_GOOD)
        end_by_closed_pipe();
    usage_error("memtwin", "cannot write to standard output");
    return code == EXIT_GOOD ? EXIT_USAGE : code;
}

int main(int argc, char **argv) {
    open_standard();
    watch_signals();
    atexit(new_files_abandon); /* alloc_fail ends the program wherever it is */
    if (argc < 2)
        return usage_error("memtwin", "no command (see memtwin --help)");
    int code = dispatch(argc - 1, argv + 1);
    interrupt_catch(NULL); /* `stop` of the command no longer exists */
    return flushed(code);
}
