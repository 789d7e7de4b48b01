/* SPDX-License-Identifier: Apache-2.0 */
/* Memory as the host has it: cache lines, pieces that are large and little used, and huge pages,
 * with which the host misses its TLB less often: a machine's state is many small parts that each
 * cycle goes through. */
#ifndef MEMTWIN_LIB_HOST_MEMORY_H
#define MEMTWIN_LIB_HOST_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

#define HOST_LINE 64 /* bytes of a cache line */
/* Bytes between what different threads write: processors fetch lines in pairs. */
#define HOST_APART 128

/* Zeroed memory from the start of a cache line; bytes: above 0. A piece of 32 KB or more costs
 * nothing where it is never touched and, with `huge`, begins at a huge page and is in huge pages,
 * if the kernel has them. host_memory_give takes it back, with the same size (NULL: nothing). */
void *host_memory_take(size_t bytes, bool huge);
void host_memory_give(void *memory, size_t bytes);

#define HOST_HEAP_MAX ((size_t)30 << 20)

/* Puts the next `bytes` bytes that malloc returns into huge pages, if the kernel has them and the C
 * library is glibc. After this call malloc maps pieces above 128 KB separately unless they fit into
 * `bytes`, and returns memory to the kernel only when 2 * bytes are free. No-op if `bytes` are
 * already free at the end of the heap. bytes: 0..HOST_HEAP_MAX. */
void host_memory_use_huge_pages(size_t bytes);

#endif
