// SPDX-License-Identifier: Apache-2.0
#include "lib/message.h"

#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/utf8.h"

#define GAP "..."

static void copy_text(char *line, size_t size, const char *full, size_t n) {
    const size_t gap = sizeof GAP - 1;
    if (n < size || size <= 2 * gap) {
        snprintf(line, size, "%s", full);
        return;
    }
    size_t kept = size - 1 - gap, head = kept / 2;
    memcpy(line, full, head);
    memcpy(line + head, GAP, gap);
    strcpy(line + head + gap, full + n - (kept - head));
}

void message_clean(char *line) {
    for (size_t left = strlen(line), length; left; line += length, left -= length)
        if (utf8_is_unprintable(line, left, &length))
            memset(line, '?', length);
}

void message_vprint(char *line, size_t size, const char *fmt, va_list args) {
    char *full = alloc_vprint(fmt, args);
    copy_text(line, size, full, strlen(full));
    free(full);
    message_clean(line);
}

void message_print(char *line, size_t size, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    message_vprint(line, size, fmt, args);
    va_end(args);
}

void message_write(FILE *to, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    char *text = alloc_vprint(fmt, args);
    va_end(args);
    message_clean(text);
    fputs(text, to);
    free(text);
}
