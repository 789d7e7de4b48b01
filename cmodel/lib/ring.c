// SPDX-License-Identifier: Apache-2.0
#include "lib/ring.h"

#include <string.h>

__attribute__((cold, noinline)) void *ring_widened(void *slot, size_t size, uint32_t head,
                                                   uint32_t *mask) {
    const size_t n = *mask + (size_t)1;
    char *wide = alloc_resized(slot, 2 * n, size);
    memcpy(wide + n * size, wide, head * size);
    *mask = (uint32_t)(2 * n - 1);
    return wide;
}
