// SPDX-License-Identifier: Apache-2.0
#include "lib/message.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"

#define GAP "..."

static void copy(char *line, size_t size, const char *full, size_t n) {
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

void message_vprint(char *line, size_t size, const char *fmt, va_list args) {
    char *full;
    int n = vasprintf(&full, fmt, args);
    if (n < 0)
        alloc_fail(size);
    copy(line, size, full, (size_t)n);
    free(full);
    for (; *line; line++)
        if ((unsigned char)*line < ' ' || *line == 0x7f)
            *line = '?';
}

void message_print(char *line, size_t size, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    message_vprint(line, size, fmt, args);
    va_end(args);
}

int message_no_memory(char *line, size_t size) {
    snprintf(line, size, "out of memory");
    return -1;
}
