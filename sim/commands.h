/* SPDX-License-Identifier: Apache-2.0 */
/* The commands of the program, and what they share: exit codes and one-line errors. */
#ifndef MEMTWIN_SIM_COMMANDS_H
#define MEMTWIN_SIM_COMMANDS_H

#include <stdbool.h>
#include <stdint.h>

#include "harness/interrupt.h"

/* Exit codes. Scripts rely on them. */
enum {
    EXIT_GOOD = 0,
    EXIT_USAGE = 1,      /* wrong command line, configuration or input */
    EXIT_INTERNAL = 2,   /* a fault of the program or of a tool it called */
    EXIT_MISMATCH = 3,   /* a twin differed from its model */
    EXIT_CHECK = 4,      /* data lost, doubled or stale, or results wrong */
    EXIT_NO_PROGRESS = 5 /* EXIT_SIGNAL and more: harness/interrupt.h */
};

/* What a page or --help says of them. The signals' are text: three in one. */
struct exit_code {
    const char *code, *meaning;
};
extern const struct exit_code exit_codes[]; /* ended by a row without a code */

/* The commands. argv[0] is the full name, "memtwin run". They return the exit code. */
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

/* Prints "COMMAND: text" as one line on stderr and returns EXIT_USAGE. */
__attribute__((format(printf, 2, 3))) int usage_error(const char *command, const char *fmt, ...);

/* Decimal number from text; false if it is anything else. */
bool parse_u64(const char *text, uint64_t *value);

#endif
