// SPDX-License-Identifier: Apache-2.0
#include "lib/host_memory.h"

#include <assert.h>
#include <limits.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "lib/alloc.h"

#define HUGE_PAGE ((size_t)2 << 20)
#define MAPPED ((size_t)32 << 10)  /* smallest allocation, in bytes, with its own mapping */
#define MMAP_THRESHOLD (128 << 10) /* glibc's defaults */
#define MMAP_MAX (1 << 16)

static char *round_up(void *p, size_t unit) {
    return (char *)p + (-(uintptr_t)p & (unit - 1));
}

#ifdef __SANITIZE_ADDRESS__ /* ASan tracks the bounds and leaks of calloc()'s memory */

void *host_memory_take(size_t bytes, bool huge) {
    (void)huge;
    void *block = bytes > SIZE_MAX / 2 ? NULL : calloc(1, bytes + HOST_LINE + sizeof block);
    if (!block)
        alloc_fail(bytes);
    char *p = round_up((char *)block + sizeof block, HOST_LINE);
    ((void **)p)[-1] = block;
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
    if (p == MAP_FAILED)
        alloc_fail(bytes);
    return p;
}

/* Maps memory aligned to a huge page, by mapping one extra huge page and unmapping both ends. */
static void *map_huge(size_t bytes) {
    char *p = map(bytes > SIZE_MAX / 2 ? SIZE_MAX / 2 : bytes + HUGE_PAGE),
         *from = round_up(p, HUGE_PAGE),
         *end = round_up(from + bytes, (size_t)sysconf(_SC_PAGESIZE));
    if (from > p)
        munmap(p, (size_t)(from - p));
    munmap(end, (size_t)(p + bytes + HUGE_PAGE - end));
    (void)madvise(from, bytes, MADV_HUGEPAGE); /* optional: a failure does no harm */
    return from;
}

/* Small allocations use malloc(), because a mapping costs two system calls and at least one
 * page. */
void *host_memory_take(size_t bytes, bool huge) {
    if (bytes >= MAPPED)
        return huge ? map_huge(bytes) : map(bytes);
    return alloc_aligned_zeroed(HOST_LINE, (bytes + HOST_LINE - 1) / HOST_LINE * HOST_LINE);
}

void host_memory_give(void *memory, size_t bytes) {
    if (bytes < MAPPED)
        free(memory);
    else if (memory)
        munmap(memory, bytes);
}

#endif

#ifdef __GLIBC__

_Static_assert(2 * HOST_HEAP_MAX <= INT_MAX, "mallopt() takes an int");

/* Requests huge pages for the memory, except for incomplete huge pages at its ends. */
static void ask_for_huge(void *memory, size_t bytes) {
    char *from = round_up(memory, HUGE_PAGE), *end = (char *)memory + bytes;
    if (end > from)
        (void)madvise(from, (size_t)(end - from) / HUGE_PAGE * HUGE_PAGE, MADV_HUGEPAGE);
}

void host_memory_use_huge_pages(size_t bytes) {
    assert(bytes <= HOST_HEAP_MAX);
    if (mallinfo2().keepcost >= bytes) /* already free at the heap's end, or `bytes` is 0 */
        return;
    (void)malloc_trim(0); /* returns the rest of the heap, which is in small pages */
    /* The block begins one page before a huge page, and malloc() writes its header into that
     * page. Otherwise, the kernel would allocate the first 2 MB page by page. malloc() keeps the
     * block when it is freed. */
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    const size_t block = (bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
    char *end = sbrk(0);
    void *heap = NULL;
    if (end != (char *)-1 && sbrk(round_up(end + page, HUGE_PAGE) - page - end) == end &&
        mallopt(M_MMAP_MAX, 0) && mallopt(M_TRIM_THRESHOLD, (int)(2 * block)))
        heap = malloc(page + block);
    if (heap)
        ask_for_huge(heap, page + block);
    free(heap);
    (void)mallopt(M_MMAP_MAX, MMAP_MAX);
    (void)mallopt(M_MMAP_THRESHOLD, MMAP_THRESHOLD);
}

#else

void host_memory_use_huge_pages(size_t bytes) {
    assert(bytes <= HOST_HEAP_MAX);
}

#endif
