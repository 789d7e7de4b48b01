/* SPDX-License-Identifier: Apache-2.0 */
/* A content hash (XXH3, 128 bits), to distinguish files; not cryptographic. */
#ifndef MEMTWIN_HARNESS_HASH_H
#define MEMTWIN_HARNESS_HASH_H

#include <stddef.h>

#define HASH_SIZE 33 /* 32 hexadecimal digits and a zero */

struct hash;

/* NULL: out of memory. */
struct hash *hash_new(void);
void hash_free(struct hash *h);
void hash_add(struct hash *h, const void *data, size_t size);
/* Adds the bytes of a file, then their number, so that two files differ from their concatenation.
 * 0, or -1 with errno (EINTR after a stop request). */
int hash_add_file(struct hash *h, const char *path);
/* The hash of all bytes added. */
void hash_digits(const struct hash *h, char text[HASH_SIZE]);

#endif
