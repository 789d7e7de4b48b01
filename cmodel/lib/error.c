// SPDX-License-Identifier: Apache-2.0
#include "lib/error.h"

#include <inttypes.h>
#include <stdio.h>

#include "lib/message.h"

int error_vset(struct error *e, const char *fmt, va_list args) {
    if (e)
        message_vprint(e->text, sizeof e->text, fmt, args);
    return -1;
}

int error_set(struct error *e, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    error_vset(e, fmt, args);
    va_end(args);
    return -1;
}

int error_vset_at(struct error *e, const char *file, uint64_t line, const char *fmt, va_list args) {
    struct error what;
    char number[24] = "";
    error_vset(&what, fmt, args);
    if (line)
        snprintf(number, sizeof number, ":%" PRIu64, line);
    return error_set(e, "%s%s: %s", file, number, what.text);
}

int error_set_at(struct error *e, const char *file, uint64_t line, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    error_vset_at(e, file, line, fmt, args);
    va_end(args);
    return -1;
}
