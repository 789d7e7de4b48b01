// SPDX-License-Identifier: Apache-2.0
#include "lib/host_memory.h"

#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#define GUARD 4096
#else
#define ASAN_POISON_MEMORY_REGION(at, bytes) ((void)(at))
#define ASAN_UNPOISON_MEMORY_REGION(at, bytes) ((void)(at))
#define GUARD 0
#endif

#define HUGE_PAGE ((size_t)2 << 20)
#define HEADER 64    /* bytes that malloc adds, at most */
#define LARGE 131072 /* bytes of a piece that malloc maps by itself, if the heap has no room */

/* The whole huge pages of that piece; what the kernel does not grant stays in small ones. */
static void ask_for_huge(void *memory, size_t bytes) {
    const size_t before = -(uintptr_t)memory % HUGE_PAGE;
    if (bytes > before)
        (void)madvise((char *)memory + before, bytes - before, MADV_HUGEPAGE);
}

/* So much is mapped: with the sanitizers more, which must not be touched. */
static size_t mapped(size_t bytes) {
    return bytes + GUARD;
}

void *host_memory_take(size_t bytes, bool huge) {
    void *p = mmap(NULL, mapped(bytes), PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED)
        return NULL;
    ASAN_POISON_MEMORY_REGION((char *)p + bytes, GUARD);
    if (huge)
        ask_for_huge(p, bytes);
    return p;
}

void host_memory_give(void *memory, size_t bytes) {
    if (!memory)
        return;
    ASAN_UNPOISON_MEMORY_REGION((char *)memory + bytes, GUARD);
    munmap(memory, mapped(bytes));
}

void host_memory_use_huge_pages(size_t bytes) {
#ifdef __GLIBC__
    /* One piece of the heap, which malloc keeps when it is given back. */
    mallopt(M_MMAP_THRESHOLD, (int)bytes + HEADER);
    mallopt(M_TRIM_THRESHOLD, (int)(2 * bytes));
    void *heap = malloc(bytes);
    if (heap)
        ask_for_huge(heap, bytes);
    free(heap);
    mallopt(M_MMAP_THRESHOLD, LARGE); /* as it was */
#else
    (void)bytes;
#endif
}
