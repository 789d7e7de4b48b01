// SPDX-License-Identifier: Apache-2.0
#include "lib/utf8.h"

#include <stdio.h>
#include <string.h>

#include "lib/alloc.h"

#define REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */

/* Returns the length that the first byte announces, or 0. Sets *least and *most to the limits of
 * the second byte, which exclude overlong forms, surrogates and values above U+10FFFF. */
static size_t announced(unsigned char first, unsigned char *least, unsigned char *most) {
    *least = first == 0xe0 ? 0xa0 : first == 0xf0 ? 0x90 : 0x80;
    *most = first == 0xed ? 0x9f : first == 0xf4 ? 0x8f : 0xbf;
    if (first < 0x80)
        return 1;
    if (first < 0xc2 || first > 0xf4)
        return 0;
    return first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
}

size_t utf8_length(const char *text, size_t n, bool *cut) {
    const unsigned char *byte = (const unsigned char *)text;
    unsigned char least, most;
    const size_t length = n ? announced(*byte, &least, &most) : 0;
    if (cut)
        *cut = false;
    for (size_t i = 1; i < length; i++, least = 0x80, most = 0xbf) {
        if (i == n && cut)
            *cut = true;
        if (i == n || byte[i] < least || byte[i] > most)
            return 0;
    }
    return length;
}

/* Returns true if the character of three bytes ends a line (U+2028, U+2029) or changes the
 * direction of writing (U+202A to U+202E, U+2066 to U+2069), so that a text looks like another one.
 */
static bool is_misleading(const unsigned char *byte) {
    if (byte[0] != 0xe2)
        return false;
    return byte[1] == 0x80 ? byte[2] >= 0xa8 && byte[2] <= 0xae
                           : byte[1] == 0x81 && byte[2] >= 0xa6 && byte[2] <= 0xa9;
}

bool utf8_is_unprintable(const char *text, size_t n, size_t *length) {
    const unsigned char *byte = (const unsigned char *)text;
    *length = utf8_length(text, n, NULL);
    if (!*length) {
        *length = 1;
        return true;
    }
    return *byte < ' ' || *byte == 0x7f || (*byte == 0xc2 && byte[1] < 0xa0) || is_misleading(byte);
}

/* Returns the number of bytes before the first byte that is not part of a character. */
static size_t valid_part(const char *text, size_t n) {
    size_t good = 0, length;
    while ((length = utf8_length(text + good, n - good, NULL)) > 0)
        good += length;
    return good;
}

bool utf8_is_valid(const char *text) {
    const size_t n = strlen(text);
    return valid_part(text, n) == n;
}

char *utf8_repaired(const char *text) {
    char *copy = NULL;
    size_t size, left = strlen(text);
    FILE *f = alloc_stream(&copy, &size);
    while (left) {
        const size_t good = valid_part(text, left);
        fwrite(text, 1, good, f);
        text += good;
        left -= good;
        if (!left)
            break;
        fputs(REPLACEMENT, f);
        text++;
        left--;
    }
    alloc_stream_close(f);
    return copy;
}
