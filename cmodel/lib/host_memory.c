// SPDX-License-Identifier: Apache-2.0
#include "lib/host_memory.h"

#include <assert.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define HUGE_PAGE ((size_t)2 << 20)
#define MAPPED ((size_t)32 << 10)  /* bytes of a piece that is mapped by itself */
#define MMAP_THRESHOLD (128 << 10) /* malloc's own */

static char *round_up(void *p, size_t unit) {
    return (char *)p + (-(uintptr_t)p & (unit - 1));
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
    if (from > p)
        munmap(p, (size_t)(from - p));
    munmap(end, (size_t)(p + bytes + HUGE_PAGE - end));
    (void)madvise(from, bytes, MADV_HUGEPAGE); /* if the kernel grants none, they are small */
    return from;
}

/* Small pieces are malloc's: a mapping costs two calls of the kernel and a page of its own. */
void *host_memory_take(size_t bytes, bool huge) {
    if (bytes >= MAPPED)
        return huge ? map_huge(bytes) : map(bytes);
    const size_t lines = (bytes + HOST_LINE - 1) / HOST_LINE * HOST_LINE;
    void *p = aligned_alloc(HOST_LINE, lines);
    return p ? memset(p, 0, lines) : NULL;
}

void host_memory_give(void *memory, size_t bytes) {
    if (bytes < MAPPED)
        free(memory);
    else if (memory)
        munmap(memory, bytes);
}

#endif

void host_memory_use_huge_pages(size_t bytes) {
    assert(bytes <= HOST_HEAP_MAX);
#ifdef __GLIBC__
    /* One piece of the heap, which malloc keeps when it is given back: huge pages from their start,
     * and a page before them, so that no header of malloc's touches them too early. */
    malloc_trim(0);
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t whole = (bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
    char *end = sbrk(0), *from = round_up(end + page, HUGE_PAGE);
    void *heap = NULL;
    if (sbrk(from - page - end) == end && mallopt(M_MMAP_THRESHOLD, (int)(whole + 2 * page)) &&
        mallopt(M_TRIM_THRESHOLD, (int)(2 * whole)))
        heap = malloc(page + whole);
    if (heap)
        (void)madvise(from, whole, MADV_HUGEPAGE);
    free(heap);
    (void)mallopt(M_MMAP_THRESHOLD, MMAP_THRESHOLD);
#endif
}
