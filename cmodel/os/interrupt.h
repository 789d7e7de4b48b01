/* SPDX-License-Identifier: Apache-2.0 */
/* Handles stop requests, which come from signals or the time limit, and reads input until a stop
 * is requested. */
#ifndef MEMTWIN_OS_INTERRUPT_H
#define MEMTWIN_OS_INTERRUPT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Exit code minus the number of the signal that ended the run, as in shells: Ctrl-C gives 130. */
#define EXIT_SIGNAL 128

/* Handles SIGINT, SIGTERM and SIGHUP. The first signal sets *stop, and the second ends the
 * program immediately. If stop is NULL, the first signal ends the program. A signal that ends the
 * program also removes incomplete files. Signals that were ignored when the program started
 * (nohup) stay ignored, except SIGINT if stop is not NULL, because a shell script starts its
 * background jobs with SIGINT ignored. */
void interrupt_catch(volatile bool *stop);
/* Sets *stop of interrupt_catch() after `seconds` seconds, or never if `seconds` is 0. */
void time_limit(unsigned seconds);
/* Returns the exit code for the signal received (130, 143 or 129), or 0 if there was no signal. */
int interrupted(void);
bool time_is_up(void);
/* True if a signal was received or time is up. */
bool stop_asked(void);

/* Reads like read(2), but returns -1 with EINTR if a stop is requested before data arrive. */
ssize_t read_until_stop(int fd, void *to, size_t size);
/* Returns the message for an errno value from read_until_stop(). */
const char *read_error(int errnum);

#endif
