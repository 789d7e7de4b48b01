// SPDX-License-Identifier: Apache-2.0
#include "prefetch/prefetch.h"

#include <stddef.h>
#include <string.h>

#define PREFETCHER(x) extern const struct prefetcher prefetcher_##x;
#include "prefetch/prefetch.def"
#undef PREFETCHER

const struct prefetcher *const prefetchers[] = {
#define PREFETCHER(x) &prefetcher_##x,
#include "prefetch/prefetch.def"
#undef PREFETCHER
    NULL};

const struct prefetcher *prefetcher_find(const char *name) {
    for (size_t i = 0; prefetchers[i]; i++)
        if (strcmp(prefetchers[i]->name, name) == 0)
            return prefetchers[i];
    return NULL;
}
