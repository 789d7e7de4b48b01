// SPDX-License-Identifier: Apache-2.0
#include "lib/alloc.h"

#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define FIRST_ROOM 64 /* elements of an array that begins to grow */

/* Of several threads that get here, the first ends the program. */
static _Noreturn void end_program(void) {
    static atomic_flag ending = ATOMIC_FLAG_INIT;
    while (atomic_flag_test_and_set(&ending))
        pause();
    exit(ALLOC_EXIT);
}

_Noreturn void alloc_fail(size_t bytes) {
    fprintf(stderr, "memtwin: out of memory: no room for %zu bytes\n", bytes);
    end_program();
}

_Noreturn void alloc_limit(const char *things, uint64_t most) {
    fprintf(stderr, "memtwin: out of memory: more than %" PRIu64 " %s\n", most, things);
    end_program();
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

void *alloc_aligned(size_t alignment, size_t bytes) {
    return need(aligned_alloc(alignment, bytes), 1, bytes);
}

void *alloc_aligned_zeroed(size_t alignment, size_t bytes) {
    return memset(alloc_aligned(alignment, bytes), 0, bytes);
}

void *alloc_resized(void *array, size_t n, size_t size) {
    return need(reallocarray(array, n, size), n, size);
}

void *alloc_grown(void *array, uint32_t n, uint32_t *room, size_t size) {
    if (n < *room)
        return array;
    if (*room > UINT32_MAX / 2)
        alloc_limit("elements of an array", UINT32_MAX);
    *room = *room ? 2 * *room : FIRST_ROOM;
    return alloc_resized(array, *room, size);
}
