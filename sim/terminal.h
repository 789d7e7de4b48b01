/* SPDX-License-Identifier: Apache-2.0 */
/* Cleans all text that the program prints for a reader: names come from files and databases of
 * others, and must not control the reader's terminal. */
#ifndef MEMTWIN_SIM_TERMINAL_H
#define MEMTWIN_SIM_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

/* Makes stdout and stderr clean streams (os/clean_stream.h). Results that a new_file writes to
 * standard output are cleaned only if it is a terminal. */
void terminal_clean(void);
/* Returns true if the stream prints to a terminal. */
bool is_terminal(FILE *to);
/* Prints a control sequence of the program itself. */
void terminal_control(FILE *to, const char *sequence);
/* Ends the program with SIGPIPE, without a message, if standard output is a pipe that its reader
 * has closed, as in `memtwin list keys | head`. */
void terminal_end_by_pipe(void);

#endif
