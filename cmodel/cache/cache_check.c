// SPDX-License-Identifier: Apache-2.0
#include "cache/cache_check.h"

#include <inttypes.h>

#include "cache/set_index.h"

static int check_set_index(const struct cache_keys *k, struct error *err) {
    const char *needs = set_index_needs((enum set_index)k->set_index, (uint32_t)k->sets);
    if (!needs)
        return 0;
    char function[CONFIG_STR_SIZE];
    config_value(k->cfg, k->section, "set_index", function, sizeof function);
    return error_set(err, "%s.set_index=%s needs %s, not %s.sets=%" PRId64, k->section, function,
                     needs, k->section, k->sets);
}

int cache_check(const struct cache_keys *k, struct error *err) {
    return check_set_index(k, err) || mshr_check(&k->mshr, err) ? -1 : 0;
}
