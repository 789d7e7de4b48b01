// SPDX-License-Identifier: Apache-2.0
#include "lib/numbers.h"

#include <stdlib.h>
#include <string.h>

/* Reads one number and advances *text. Returns 0 if the number is malformed. */
static uint32_t number_at(const char **text, uint32_t max, bool none) {
    char *end;
    if (none && strncmp(*text, "none", 4) == 0) {
        *text += 4;
        return NUMBER_NONE;
    }
    if (**text < '0' || **text > '9')
        return 0;
    const unsigned long v = strtoul(*text, &end, 10);
    *text = end;
    return v <= max ? (uint32_t)v : 0;
}

uint32_t numbers_count(const char *text) {
    uint32_t n = 1;
    for (; *text; text++)
        n += *text == ',';
    return n;
}

const char *numbers_wrong(const char *text, uint32_t max, bool none, size_t *length) {
    for (;;) {
        const char *end = text;
        *length = strcspn(text, ",");
        if (!number_at(&end, max, none) || end != text + *length)
            return text;
        if (!*end)
            return NULL;
        text = end + 1;
    }
}

uint32_t numbers_read(const char *text, uint32_t max, bool none, uint32_t *number, uint32_t room) {
    for (uint32_t n = 0; n < room; n++) {
        number[n] = number_at(&text, max, none);
        if (!number[n] || (*text && *text != ','))
            return 0;
        if (!*text++)
            return n + 1;
    }
    return 0;
}

void numbers_plain(char *text) {
    char *to = text;
    while (*text) {
        const size_t n = strcspn(text, ","), digits = strspn(text, "0123456789");
        const size_t zeros = n && digits == n ? strspn(text, "0") : 0;
        const size_t skipped = zeros == n && n ? n - 1 : zeros;
        memmove(to, text + skipped, n - skipped);
        to += n - skipped;
        text += n;
        if (*text)
            *to++ = *text++;
    }
    *to = '\0';
}
