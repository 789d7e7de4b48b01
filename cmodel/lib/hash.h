/* SPDX-License-Identifier: Apache-2.0 */
/* Hash of bytes (FNV-1a of 64 bits, folded to 32). */
#ifndef MEMTWIN_LIB_HASH_H
#define MEMTWIN_LIB_HASH_H

#include <stddef.h>
#include <stdint.h>

/* `seed`: what else the hash depends on, or 0. */
static inline uint32_t hash_bytes(uint32_t seed, const void *data, size_t n) {
    uint64_t h = UINT64_C(0xcbf29ce484222325) ^ seed;
    for (size_t i = 0; i < n; i++)
        h = (h ^ ((const unsigned char *)data)[i]) * UINT64_C(0x100000001b3);
    return (uint32_t)(h >> 32 ^ h);
}

#endif
