/* SPDX-License-Identifier: Apache-2.0 */
/* Memory as the host has it: large pieces of which little is used, and huge pages, which save the
 * host's translations: a machine's state is small parts that each cycle goes through. */
#ifndef MEMTWIN_LIB_HOST_MEMORY_H
#define MEMTWIN_LIB_HOST_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* Zeroed memory, at least one byte, at the start of a page; what is never touched costs nothing.
 * huge: in huge pages, if the host has them. NULL if out of memory. host_memory_give takes it back
 * (NULL: nothing). */
void *host_memory_take(size_t bytes, bool huge);
void host_memory_give(void *memory, size_t bytes);

/* What malloc gives from now on is in huge pages, up to so many bytes, if the host has them and the
 * C library is glibc. For a program, when it begins. */
void host_memory_use_huge_pages(size_t bytes);

#endif
