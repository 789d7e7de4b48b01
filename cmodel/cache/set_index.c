// SPDX-License-Identifier: Apache-2.0
#include "cache/set_index.h"

#include <stddef.h>

#include "lib/bits.h"

const char *set_index_needs(enum set_index f, uint32_t sets) {
    const bool power = bits_power_of_two(sets);
    switch (f) {
    case SET_BMOD:
        return NULL;
    case SET_FERMI:
        return sets == 32 || sets == 64 ? NULL : "32 or 64 sets";
    case SET_PMOD:
    case SET_A_PRIME:
        return power && sets >= 4 && sets <= 4096 ? NULL
                                                  : "a power-of-two number of sets from 4 to 4096";
    case SET_IPOLY:
        return power && set_index_polynomial(sets) ? NULL
                                                   : "a power-of-two number of sets from 8 to 4096";
    default:
        return power ? NULL : "a power-of-two number of sets";
    }
}

bool set_index_is_exact(enum set_index f) {
    return f != SET_PMOD && f != SET_A_PRIME && f != SET_IPOLY_SUM;
}
