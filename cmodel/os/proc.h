/* SPDX-License-Identifier: Apache-2.0 */
/* Runs child processes from an argument vector, without a shell. */
#ifndef MEMTWIN_OS_PROC_H
#define MEMTWIN_OS_PROC_H

#include <stddef.h>

#include "lib/error.h"

/* Runs argv[0] (looked up in PATH) in folder `cwd` (NULL for the current one), with stdout and
 * stderr redirected to the file `log` and an empty stdin, and waits for it to end. The child has
 * its own process group. A SIGINT, SIGQUIT, SIGTERM, SIGHUP or SIGALRM received while the child
 * runs is passed on to that group, and raised again for the caller's own handler after the child
 * has ended. Returns the exit status. Returns -1 with one line in err if the child could not
 * start or was ended by a signal, or if the caller was interrupted. */
int proc_run(const char *const argv[], const char *cwd, const char *log, struct error *err);

#endif
