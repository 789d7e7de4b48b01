/* SPDX-License-Identifier: Apache-2.0 */
/* Stop requests, by a signal or the time limit, and reads that end at one. */
#ifndef MEMTWIN_HARNESS_INTERRUPT_H
#define MEMTWIN_HARNESS_INTERRUPT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define EXIT_SIGNAL 128 /* plus the signal's number, as in shells: 130 after Ctrl-C */

/* Handles SIGINT, SIGTERM and SIGHUP. The first signal sets *stop, and a second one ends the
 * program at once; if stop is NULL the first one does. No half-written file is left. Signals that
 * the program's caller ignores (nohup) stay ignored, except SIGINT with a stop, since every
 * background job of a shell script ignores it. */
void interrupt_catch(volatile bool *stop);
/* Sets *stop `seconds` from now as well; 0: never. */
void time_limit(unsigned seconds);
/* The exit code for the signal received, 130, 143 or 129; 0 if there was no signal. */
int interrupted(void);
bool time_is_up(void);
/* Whether a signal came or time is up. */
bool stop_asked(void);

/* read(2) that waits for data, but returns -1 with EINTR at a stop request. */
ssize_t read_until_stop(int fd, void *to, size_t size);
/* The message for errno of read_until_stop. */
const char *read_error(int errnum);

#endif
