/* SPDX-License-Identifier: Apache-2.0 */
/* Allocates memory for the model. If an allocation fails, the program prints one line on
 * standard error and exits with code 2, so callers need not check the result. */
#ifndef MEMTWIN_LIB_ALLOC_H
#define MEMTWIN_LIB_ALLOC_H

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define ALLOC_EXIT 2 /* exit code of a program that runs out of memory */

/* Returns an array of n zeroed elements of `size` bytes. The caller frees it. */
void *alloc_zeroed(size_t n, size_t size);
/* Returns an array of n uninitialized elements of `size` bytes. The caller frees it. */
void *alloc_array(size_t n, size_t size);
/* Returns `bytes` bytes of uninitialized memory. The caller frees it. */
void *alloc_bytes(size_t bytes);
/* Return uninitialized or zeroed memory, respectively. `bytes` and the address are multiples of
 * `alignment`. */
void *alloc_aligned(size_t alignment, size_t bytes);
void *alloc_aligned_zeroed(size_t alignment, size_t bytes);
/* Resizes an array to n elements. `array` may be NULL. Returns the array's new address. */
void *alloc_resized(void *array, size_t n, size_t size);
/* Ensures that an array with n elements and a capacity of *room elements can hold one more.
 * Doubles the capacity if the array is full. Returns the array's new address. */
void *alloc_grown(void *array, uint32_t n, uint32_t *room, size_t size);
/* Ensures that an array with a capacity of *room elements can hold `needed` elements. If the
 * array grows, its capacity at least doubles. Returns the array's new address. */
void *alloc_reserved(void *array, size_t *room, size_t needed, size_t size);
/* Ensures that an array with *room elements has element i. The capacity becomes a power of two, at
 * least 8, and new elements are zero. Returns the array's new address. */
void *alloc_covering(void *array, uint32_t *room, uint32_t i, size_t size);
/* Return a copy of a text, or of its first n characters. */
char *alloc_text(const char *text);
char *alloc_text_part(const char *text, size_t n);
/* Returns a text formatted as by vprintf(). */
__attribute__((format(printf, 1, 0))) char *alloc_vprint(const char *fmt, va_list args);
/* Returns a stream that writes to memory, as open_memstream() does. */
FILE *alloc_stream(char **text, size_t *size);
/* Closes the stream. *text then holds everything that was written. The caller frees it. */
void alloc_stream_close(FILE *f);
/* Ends the program because it is out of memory. `bytes` is the size of the failed request, or 0 if
 * unknown. */
_Noreturn void alloc_fail(size_t bytes);
/* Ends the program because it needs more than `most` things. `things` names them, for example
 * "pages". */
_Noreturn void alloc_limit(const char *things, uint64_t most);

#endif
