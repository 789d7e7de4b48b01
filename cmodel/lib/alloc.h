/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of the model. If there is none left, the program ends with one line on standard error and
 * exit code 2, so callers do not check what they get. */
#ifndef MEMTWIN_LIB_ALLOC_H
#define MEMTWIN_LIB_ALLOC_H

#include <stddef.h>
#include <stdint.h>

#define ALLOC_EXIT 2 /* exit code of a program that runs out of memory */

/* n elements of that size in bytes, all bytes 0. free() takes them back. */
void *alloc_zeroed(size_t n, size_t size);
/* The same, with any content. */
void *alloc_array(size_t n, size_t size);
/* Bytes with any content; `bytes` and the address are multiples of `alignment`. */
void *alloc_aligned(size_t alignment, size_t bytes);
void *alloc_aligned_zeroed(size_t alignment, size_t bytes);
/* Makes an array as long as n elements; `array` may be NULL. Returns its new address. */
void *alloc_resized(void *array, size_t n, size_t size);
/* Makes room for one more element in an array that has n of *room elements; its length doubles.
 * Returns its new address. */
void *alloc_grown(void *array, uint32_t n, uint32_t *room, size_t size);
/* Ends the program, which has asked for that many bytes. */
_Noreturn void alloc_fail(size_t bytes);
/* Ends the program, which needs more than `most` of those things: "pages". */
_Noreturn void alloc_limit(const char *things, uint64_t most);

#endif
