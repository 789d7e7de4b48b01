// SPDX-License-Identifier: Apache-2.0
#include "lib/print.h"

#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/message.h"

#define LINE_SIZE 8192 /* large enough for two paths and a reason */

static void give_reason(const char *text) {
    const char *number = getenv(PRINT_REASON);
    if (!number)
        return;
    char *end;
    const long fd = strtol(number, &end, 10);
    if (*end == '\0' && fd > STDERR_FILENO && fd <= INT_MAX && ftruncate((int)fd, 0) == 0)
        (void)!pwrite((int)fd, text, strlen(text), 0);
}

static void print(const char *command, bool error, const char *fmt, va_list args) {
    char line[LINE_SIZE];
    snprintf(line, sizeof line, "%.100s: ", command);
    const size_t n = strlen(line);
    vsnprintf(line + n, sizeof line - n, fmt, args);
    message_clean(line);
    fprintf(stderr, "%s\n", line);
    if (error)
        give_reason(line + n);
}

int error_print(int code, const char *command, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    print(command, true, fmt, args);
    va_end(args);
    return code;
}

void warning_print(const char *command, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    print(command, false, fmt, args);
    va_end(args);
}

void note_print(const char *command, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    print(command, false, fmt, args);
    va_end(args);
}
