/* SPDX-License-Identifier: Apache-2.0 */
/* Allocates memory aligned to the host's cache lines, large sparse memory, and huge pages. Each
 * simulated cycle touches many small parts, so huge pages reduce the host's TLB misses. */
#ifndef MEMTWIN_LIB_HOST_MEMORY_H
#define MEMTWIN_LIB_HOST_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

#define HOST_LINE 64 /* size of a cache line in bytes */

/* Returns zeroed memory aligned to a cache line. `bytes` must not be 0. Untouched parts of an
 * allocation of 32 KB or more cost nothing. If `huge` is true, such an allocation is aligned to
 * a huge page and uses huge pages if the kernel has them. Free the memory with
 * host_memory_give() and the same size. host_memory_give() ignores NULL. */
void *host_memory_take(size_t bytes, bool huge);
void host_memory_give(void *memory, size_t bytes);

#define HOST_HEAP_MAX ((size_t)512 << 20)

/* Puts the next `bytes` bytes that malloc() returns into huge pages, if the kernel has them and the
 * C library is glibc. From then on, malloc() maps allocations above 128 KB separately unless they
 * fit into `bytes`, and returns memory to the kernel only when 2 * bytes are free. Does nothing if
 * `bytes` bytes are already free at the end of the heap. `bytes` is 0..HOST_HEAP_MAX. */
void host_memory_use_huge_pages(size_t bytes);

#endif
