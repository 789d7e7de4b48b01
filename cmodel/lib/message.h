/* SPDX-License-Identifier: Apache-2.0 */
/* Prints one-line messages. */
#ifndef MEMTWIN_LIB_MESSAGE_H
#define MEMTWIN_LIB_MESSAGE_H

#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

/* Print like snprintf(), but shorten a long line in the middle ("aaa...zzz: No such file"), so that
 * a long path does not hide the reason after it. Clean the line (message_clean). */
__attribute__((format(printf, 3, 4))) void message_print(char *line, size_t size, const char *fmt,
                                                         ...);
__attribute__((format(printf, 3, 0))) void message_vprint(char *line, size_t size, const char *fmt,
                                                          va_list args);
/* Prints like fprintf(), but cleans the text (message_clean): a name may have line feeds. */
__attribute__((format(printf, 2, 3))) void message_write(FILE *to, const char *fmt, ...);
/* Replaces control characters, and bytes that are not UTF-8, with '?'. */
void message_clean(char *line);
/* Returns the plural ending for a count: "1 run", "2 runs". */
static inline const char *message_plural(size_t n) {
    return n == 1 ? "" : "s";
}

#endif
