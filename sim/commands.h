/* SPDX-License-Identifier: Apache-2.0 */
/* The commands of the program, and what they share: exit codes, one-line errors, interrupts. */
#ifndef MEMTWIN_SIM_COMMANDS_H
#define MEMTWIN_SIM_COMMANDS_H

#include <stdbool.h>
#include <stdint.h>

/* Exit codes: others script on them. */
enum {
    EXIT_GOOD = 0,
    EXIT_USAGE = 1,    /* wrong command line, configuration or input */
    EXIT_INTERNAL = 2, /* a fault of the program or of a tool it called */
    EXIT_MISMATCH = 3, /* a twin differed from its model */
    EXIT_CHECK = 4,    /* data lost, doubled or stale, or results wrong */
    EXIT_NO_PROGRESS = 5,
    EXIT_SIGNAL = 128 /* and the number of the signal, as shells have it: 130 after Ctrl-C */
};

/* Each is given its own name as argv[0], "memtwin run", and returns the exit code. */
int cmd_run(int argc, char **argv);
int cmd_cosim(int argc, char **argv);
int cmd_replay(int argc, char **argv);
int cmd_list(int argc, char **argv);
int cmd_config(int argc, char **argv);
int cmd_dram(int argc, char **argv);
int cmd_trace(int argc, char **argv);
int cmd_mutants(int argc, char **argv);

/* Prints "COMMAND: text" as one line on stderr and returns EXIT_USAGE. */
__attribute__((format(printf, 2, 3))) int usage_error(const char *command, const char *fmt, ...);

/* Decimal number from text; false if it is anything else. */
bool parse_u64(const char *text, uint64_t *value);

/* The first of SIGINT, SIGTERM and SIGHUP sets *stop, a second one ends the program at once;
 * without stop (NULL) the first one does. No half-written file stays behind. What the caller of the
 * program ignores (nohup) stays ignored, but for SIGINT with a stop: every background job of a
 * shell script ignores that. */
void interrupt_catch(volatile bool *stop);
/* Sets *stop after so many seconds, too; 0: never. */
void time_limit(unsigned seconds);
/* The exit code for the signal that came, 130, 143 or 129; 0: none did. */
int interrupted(void);
bool time_is_up(void);

#endif
