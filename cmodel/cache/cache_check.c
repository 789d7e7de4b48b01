// SPDX-License-Identifier: Apache-2.0
#include "cache/cache_check.h"

#include <inttypes.h>

#include "cache/set_index.h"

static int check_set_index(const struct cache_keys *k, char *err, size_t err_size) {
    const char *needs = set_index_needs((enum set_index)k->set_index, (uint32_t)k->sets);
    if (!needs)
        return 0;
    char function[CONFIG_STR_SIZE];
    config_value(k->cfg, k->section, "set_index", function, sizeof function);
    return config_refuse(err, err_size, "%s.set_index=%s needs %s, not %s.sets=%" PRId64,
                         k->section, function, needs, k->section, k->sets);
}

int cache_check(const struct cache_keys *k, char *err, size_t err_size) {
    return check_set_index(k, err, err_size) || mshr_check(&k->mshr, err, err_size) ? -1 : 0;
}
