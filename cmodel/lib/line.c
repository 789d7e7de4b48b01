// SPDX-License-Identifier: Apache-2.0
#include "lib/line.h"

#include <string.h>

void mask_copy(uint8_t *to, const uint8_t *from, const struct byte_mask *mask) {
    if (mask->w[0] == UINT64_MAX && mask->w[1] == UINT64_MAX) {
        memcpy(to, from, LINE_BYTES);
        return;
    }
    for (unsigned h = 0; h < 2; h++)
        for (uint64_t left = mask->w[h]; left; left &= left - 1) {
            unsigned b = 64 * h + (unsigned)__builtin_ctzll(left);
            to[b] = from[b];
        }
}
