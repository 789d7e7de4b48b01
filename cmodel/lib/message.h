/* SPDX-License-Identifier: Apache-2.0 */
/* Messages, each of one line. */
#ifndef MEMTWIN_LIB_MESSAGE_H
#define MEMTWIN_LIB_MESSAGE_H

#include <stdarg.h>
#include <stddef.h>

/* snprintf, but what does not fit is left out in the middle, "aaa...zzz: No such file": a long path
 * does not cost the reason behind it. Control characters become '?'. */
__attribute__((format(printf, 3, 4))) void message_print(char *line, size_t size, const char *fmt,
                                                         ...);
__attribute__((format(printf, 3, 0))) void message_vprint(char *line, size_t size, const char *fmt,
                                                          va_list args);
/* "out of memory". Returns -1. */
int message_no_memory(char *line, size_t size);
/* What a noun ends with behind that number: "1 run", "2 runs". */
static inline const char *message_plural(size_t n) {
    return n == 1 ? "" : "s";
}

#endif
