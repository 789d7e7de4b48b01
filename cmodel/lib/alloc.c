// SPDX-License-Identifier: Apache-2.0
#include "lib/alloc.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/bits.h"
#include "lib/print.h"

#define FIRST_ROOM 64 /* initial capacity of a growing array, in elements */

_Noreturn void alloc_fail(size_t bytes) {
    if (bytes)
        error_print(ALLOC_EXIT, "memtwin", "out of memory: no room for %zu bytes", bytes);
    else
        error_print(ALLOC_EXIT, "memtwin", "out of memory");
    exit(ALLOC_EXIT);
}

_Noreturn void alloc_limit(const char *things, uint64_t most) {
    error_print(ALLOC_EXIT, "memtwin", "out of memory: more than %" PRIu64 " %s", most, things);
    exit(ALLOC_EXIT);
}

static void *need(void *memory, size_t n, size_t size) {
    if (!memory && n && size)
        alloc_fail(size > SIZE_MAX / n ? SIZE_MAX : n * size);
    return memory;
}

void *alloc_zeroed(size_t n, size_t size) {
    return need(calloc(n, size), n, size);
}

void *alloc_array(size_t n, size_t size) {
    return alloc_resized(NULL, n, size);
}

void *alloc_bytes(size_t bytes) {
    return alloc_array(bytes, 1);
}

void *alloc_aligned(size_t alignment, size_t bytes) {
    return need(aligned_alloc(alignment, bytes), 1, bytes);
}

void *alloc_aligned_zeroed(size_t alignment, size_t bytes) {
    return memset(alloc_aligned(alignment, bytes), 0, bytes);
}

void *alloc_resized(void *array, size_t n, size_t size) {
    return need(reallocarray(array, n, size), n, size);
}

char *alloc_text(const char *text) {
    return alloc_text_part(text, strlen(text));
}

char *alloc_text_part(const char *text, size_t n) {
    return need(strndup(text, n), n + 1, 1);
}

char *alloc_vprint(const char *fmt, va_list args) {
    char *text;
    if (vasprintf(&text, fmt, args) < 0)
        alloc_fail(0);
    return text;
}

FILE *alloc_stream(char **text, size_t *size) {
    return need(open_memstream(text, size), 1, sizeof(FILE));
}

void alloc_stream_close(FILE *f) {
    const bool lost = ferror(f);
    if (fclose(f) || lost)
        alloc_fail(0);
}

void *alloc_grown(void *array, uint32_t n, uint32_t *room, size_t size) {
    if (n < *room)
        return array;
    if (*room > UINT32_MAX / 2)
        alloc_limit("elements of an array", UINT32_MAX);
    *room = *room ? 2 * *room : FIRST_ROOM;
    return alloc_resized(array, *room, size);
}

void *alloc_reserved(void *array, size_t *room, size_t needed, size_t size) {
    if (needed <= *room)
        return array;
    *room = 2 * *room > needed ? 2 * *room : needed;
    return alloc_resized(array, *room, size);
}

void *alloc_covering(void *array, uint32_t *room, uint32_t i, size_t size) {
    if (i < *room)
        return array;
    const uint32_t old = *room;
    *room = i < 8 ? 8 : (uint32_t)bits_round_up((uint64_t)i + 1);
    char *grown = alloc_resized(array, *room, size);
    memset(grown + old * size, 0, (*room - old) * size);
    return grown;
}
