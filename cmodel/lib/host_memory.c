// SPDX-License-Identifier: Apache-2.0
#include "lib/host_memory.h"

#include <assert.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define HUGE_PAGE ((size_t)2 << 20)
#define HEADER 64    /* bytes that malloc adds, at most */
#define LARGE 131072 /* bytes of a piece that glibc maps by itself */

static char *round_up(void *p, size_t unit) {
    return (char *)p + (-(uintptr_t)p & (unit - 1));
}

/* The whole huge pages of that piece; what the kernel does not grant stays in small ones. */
static void ask_for_huge(void *memory, size_t bytes) {
    char *from = round_up(memory, HUGE_PAGE);
    const size_t before = (size_t)(from - (char *)memory);
    if (bytes > before)
        (void)madvise(from, bytes - before, MADV_HUGEPAGE);
}

#ifdef __SANITIZE_ADDRESS__ /* which knows the bounds of what calloc gives, and who lost it */

void *host_memory_take(size_t bytes, bool huge) {
    (void)huge;
    void *whole = bytes > SIZE_MAX / 2 ? NULL : calloc(1, bytes + HOST_LINE + sizeof whole);
    if (!whole)
        return NULL;
    char *p = round_up((char *)whole + sizeof whole, HOST_LINE);
    ((void **)p)[-1] = whole;
    return p;
}

void host_memory_give(void *memory, size_t bytes) {
    (void)bytes;
    if (memory)
        free(((void **)memory)[-1]);
}

#else

static void *map(size_t bytes) {
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

/* From a huge page's start: a huge page more is mapped, and what lies before and behind given back.
 */
static void *map_huge(size_t bytes) {
    char *p = bytes > SIZE_MAX / 2 ? NULL : map(bytes + HUGE_PAGE);
    if (!p)
        return NULL;
    char *from = round_up(p, HUGE_PAGE),
         *end = round_up(from + bytes, (size_t)sysconf(_SC_PAGESIZE));
    host_memory_give(from == p ? NULL : p, (size_t)(from - p));
    host_memory_give(end, (size_t)(p + bytes + HUGE_PAGE - end));
    ask_for_huge(from, bytes);
    return from;
}

void *host_memory_take(size_t bytes, bool huge) {
    return huge ? map_huge(bytes) : map(bytes);
}

void host_memory_give(void *memory, size_t bytes) {
    if (memory)
        munmap(memory, bytes);
}

#endif

void host_memory_use_huge_pages(size_t bytes) {
    assert(bytes <= HOST_HEAP_MAX);
#ifdef __GLIBC__
    /* One piece of the heap, which malloc keeps when it is given back. */
    void *heap = NULL;
    if (mallopt(M_MMAP_THRESHOLD, (int)bytes + HEADER) &&
        mallopt(M_TRIM_THRESHOLD, (int)(2 * bytes)))
        heap = malloc(bytes);
    if (heap)
        ask_for_huge(heap, bytes);
    free(heap);
    (void)mallopt(M_MMAP_THRESHOLD, LARGE);
#endif
}
