/* SPDX-License-Identifier: Apache-2.0 */
/* What asks the program to stop: a signal, or its time limit; and reading that heeds it. */
#ifndef MEMTWIN_HARNESS_INTERRUPT_H
#define MEMTWIN_HARNESS_INTERRUPT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define EXIT_SIGNAL 128 /* and the number of the signal, as shells have it: 130 after Ctrl-C */

/* The first of SIGINT, SIGTERM and SIGHUP sets *stop, a second one ends the program at once;
 * without stop (NULL) the first one does. No half-written file stays behind. What the caller of the
 * program ignores (nohup) stays ignored, except SIGINT with a stop: every background job of a
 * shell script ignores that. */
void interrupt_catch(volatile bool *stop);
/* Sets *stop `seconds` from now as well; 0: never. */
void time_limit(unsigned seconds);
/* The exit code for the signal received, 130, 143 or 129; 0 if there was no signal. */
int interrupted(void);
bool time_is_up(void);
/* Either of the two. */
bool stop_asked(void);

/* read(2), which waits until there is something, but not when a stop was asked for: -1, EINTR. */
ssize_t read_until_stop(int fd, void *to, size_t size);
/* errno of it in words. */
const char *read_error(int errnum);

#endif
