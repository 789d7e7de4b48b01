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

uint32_t utf8_code(const char *text, size_t length) {
    static const unsigned char first_bits[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    const unsigned char *byte = (const unsigned char *)text;
    uint32_t code = byte[0] & first_bits[length];
    for (size_t i = 1; i < length; i++)
        code = code << 6 | (byte[i] & 0x3f);
    return code;
}

/* Characters without a shape of their own, with which a text looks like another one: controls, ends
 * of lines, changes of direction, format characters, and those that Unicode lets fonts ignore
 * (Default_Ignorable_Code_Point). Sorted. */
static const struct {
    uint32_t from, to;
} shapeless[] = {{0x00, 0x1f},       {0x7f, 0x9f},       {0xad, 0xad},       {0x34f, 0x34f},
                 {0x61c, 0x61c},     {0x115f, 0x1160},   {0x17b4, 0x17b5},   {0x180b, 0x180f},
                 {0x200b, 0x200f},   {0x2028, 0x202e},   {0x2060, 0x206f},   {0x3164, 0x3164},
                 {0xfe00, 0xfe0f},   {0xfeff, 0xfeff},   {0xffa0, 0xffa0},   {0xfff0, 0xfffb},
                 {0x13430, 0x1343f}, {0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a}, {0xe0000, 0xe0fff}};

bool utf8_is_unprintable(const char *text, size_t n, size_t *length) {
    *length = utf8_length(text, n, NULL);
    if (!*length) {
        *length = 1;
        return true;
    }
    const uint32_t code = utf8_code(text, *length);
    size_t i = 0;
    while (i < sizeof shapeless / sizeof *shapeless && shapeless[i].to < code)
        i++;
    return i < sizeof shapeless / sizeof *shapeless && code >= shapeless[i].from;
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
