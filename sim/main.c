// SPDX-License-Identifier: Apache-2.0
/* memtwin: the program. Finds the command and hands over. */
#include <stdio.h>
#include <string.h>

#include "commands.h"
#include "report.h"

static const struct {
    const char *name, *full_name;
    int (*run)(int argc, char **argv);
    const char *doc;
} commands[] = {
    {"run", "memtwin run", cmd_run,
     "run a workload or a trace on a GPU configuration, with Verilog twins if asked for"},
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
    {"list", "memtwin list", cmd_list, "workloads, configs, blocks, policies, stats or keys"},
};

static void print_help(void) {
    puts("usage: memtwin COMMAND [OPTION]...\n");
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        printf("  %-7s %s\n", commands[i].name, commands[i].doc);
    puts("\n"
         "  memtwin COMMAND --help  says more of a command\n"
         "  memtwin --version       version, git commit, modified or not\n"
         "\n"
         "exit: 0 good, 1 usage, configuration or input error, 2 internal error, 3 lockstep "
         "mismatch,\n"
         "      4 data check failed or results wrong, 5 no progress, 130 interrupted");
}

static int dispatch(int argc, char **argv) {
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        if (strcmp(argv[0], commands[i].name) == 0) {
            argv[0] = (char *)(uintptr_t)commands[i].full_name;
            return commands[i].run(argc, argv);
        }
    }
    return usage_error("memtwin", "unknown %s '%s' (see memtwin --help)",
                       argv[0][0] == '-' ? "option" : "command", argv[0]);
}

/* What was printed must have arrived: a full disk is not a good end. */
static int flushed(int code) {
    if (fflush(stdout) == 0 && !ferror(stdout))
        return code;
    usage_error("memtwin", "cannot write to standard output");
    return code == EXIT_GOOD ? EXIT_USAGE : code;
}

int main(int argc, char **argv) {
    if (argc < 2)
        return usage_error("memtwin", "no command (see memtwin --help)");
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        print_help();
        return flushed(EXIT_GOOD);
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("memtwin %s\n", report_version());
        return flushed(EXIT_GOOD);
    }
    return flushed(dispatch(argc - 1, argv + 1));
}
