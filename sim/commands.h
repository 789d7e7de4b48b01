/* SPDX-License-Identifier: Apache-2.0 */
/* Declares the commands of the program, and the exit codes and error function that they share. */
#ifndef MEMTWIN_SIM_COMMANDS_H
#define MEMTWIN_SIM_COMMANDS_H

#include <stdbool.h>
#include <stdint.h>

#include "lib/print.h"
#include "os/interrupt.h"

/* Exit codes. Scripts depend on them. */
enum {
    EXIT_GOOD = 0,
    EXIT_USAGE = 1,       /* wrong command line, configuration or input */
    EXIT_INTERNAL = 2,    /* internal error of the program or of a tool that it called */
    EXIT_MISMATCH = 3,    /* a twin differed from its model */
    EXIT_CHECK = 4,       /* data were lost, duplicated or stale, or results are wrong */
    EXIT_NO_PROGRESS = 5, /* no progress */
    EXIT_LEFT_OUT = 6     /* kernels of the trace were left out; codes from EXIT_SIGNAL on are in
                             os/interrupt.h */
};

/* An exit code and its meaning, for --help and the man pages. The code is a text because one row
 * covers three signals. */
struct exit_code {
    const char *code, *meaning;
};
extern const struct exit_code exit_codes[]; /* ended by a row without a code */

/* Each command receives its full name ("memtwin run") in argv[0] and returns the exit code. */
int cmd_run(int argc, char **argv);
int cmd_cosim(int argc, char **argv);
int cmd_replay(int argc, char **argv);
int cmd_list(int argc, char **argv);
int cmd_config(int argc, char **argv);
int cmd_dram(int argc, char **argv);
int cmd_trace(int argc, char **argv);
int cmd_pages(int argc, char **argv);
int cmd_mutants(int argc, char **argv);
int cmd_study(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_compare(int argc, char **argv);

/* Reports a wrong command line. Returns EXIT_USAGE. */
#define usage_error(command, ...) error_print(EXIT_USAGE, command, __VA_ARGS__)

/* Parses a decimal number. Returns false if the text is anything else. */
bool parse_u64(const char *text, uint64_t *value);

#endif
