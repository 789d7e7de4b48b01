/* SPDX-License-Identifier: Apache-2.0 */
/* Prints one-line messages on standard error: "COMMAND: text". Control characters are replaced
 * with '?', because names chosen by the user may contain them. */
#ifndef MEMTWIN_LIB_PRINT_H
#define MEMTWIN_LIB_PRINT_H

/* Environment variable with a file descriptor number. The text of the last error is written to that
 * file, for the parent process. */
#define PRINT_REASON "MEMTWIN_REASON"

/* Prints an error. Returns `code`, the caller's exit code. Allocates no memory. */
__attribute__((format(printf, 3, 4))) int error_print(int code, const char *command,
                                                      const char *fmt, ...);
__attribute__((format(printf, 2, 3))) void warning_print(const char *command, const char *fmt, ...);
/* Prints an informational note, as opposed to a warning. */
__attribute__((format(printf, 2, 3))) void note_print(const char *command, const char *fmt, ...);

#endif
