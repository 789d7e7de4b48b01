/* SPDX-License-Identifier: Apache-2.0 */
/* Computes content hashes (XXH3, 128 bits) that distinguish files. They are not cryptographic. */
#ifndef MEMTWIN_OS_HASH_H
#define MEMTWIN_OS_HASH_H

#include <stddef.h>

#define HASH_SIZE 33 /* 32 hexadecimal digits and a terminating null */

struct hash;

struct hash *hash_new(void);
void hash_free(struct hash *h);
void hash_add(struct hash *h, const void *data, size_t size);
/* Adds the bytes of a file and then its length, so that the hash of two files differs from the
 * hash of their concatenation. Returns 0, or -1 with errno set (EINTR after a stop request). */
int hash_add_file(struct hash *h, const char *path);
/* Writes the hash of all bytes added so far to `text`, in hexadecimal. */
void hash_digits(const struct hash *h, char text[HASH_SIZE]);

#endif
