/* SPDX-License-Identifier: Apache-2.0 */
/* Error message: one line of text that a function leaves for its caller to print. */
#ifndef MEMTWIN_LIB_ERROR_H
#define MEMTWIN_LIB_ERROR_H

#include <stdarg.h>
#include <stdint.h>

#define ERROR_SIZE 1024 /* size of the text in bytes, including its final zero */

struct error {
    char text[ERROR_SIZE];
};

/* Each sets the text as message_print() does, or discards the text if `e` is NULL, and returns
 * -1. */
__attribute__((format(printf, 2, 3))) int error_set(struct error *e, const char *fmt, ...);
__attribute__((format(printf, 2, 0))) int error_vset(struct error *e, const char *fmt,
                                                     va_list args);
/* Each sets the text with the location in front ("FILE:LINE: text", or "FILE: text" if line is 0),
 * and returns -1. */
__attribute__((format(printf, 4, 5))) int error_set_at(struct error *e, const char *file,
                                                       uint64_t line, const char *fmt, ...);
__attribute__((format(printf, 4, 0))) int
error_vset_at(struct error *e, const char *file, uint64_t line, const char *fmt, va_list args);

#endif
