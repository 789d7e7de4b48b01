// SPDX-License-Identifier: Apache-2.0
#include "cache/cache_check.h"

#include <inttypes.h>

#include "cache/addr_map.h"
#include "lib/bits.h"

static int check_set_index(const struct cache_keys *k, char *err, size_t err_size) {
    if (k->set_index == SET_BXOR && !bits_power_of_two((uint64_t)k->sets))
        return config_refuse(err, err_size,
                             "%s.set_index=bxor needs a power of two of sets, not %s.sets=%" PRId64,
                             k->section, k->section, k->sets);
    if (k->set_index == SET_FERMI && k->sets != 32 && k->sets != 64)
        return config_refuse(err, err_size,
                             "%s.set_index=fermi needs 32 or 64 sets, not %s.sets=%" PRId64,
                             k->section, k->section, k->sets);
    if (k->set_index == SET_IPOLY && !addr_polynomial((uint32_t)k->sets))
        return config_refuse(err, err_size,
                             "%s.set_index=ipoly needs a power of two of sets from 8 to 4096, not "
                             "%s.sets=%" PRId64,
                             k->section, k->section, k->sets);
    return 0;
}

int cache_check(const struct cache_keys *k, char *err, size_t err_size) {
    return check_set_index(k, err, err_size) || mshr_check(&k->mshr, err, err_size) ? -1 : 0;
}
