// SPDX-License-Identifier: Apache-2.0
#include "evict/evict.h"

#include <stddef.h>
#include <string.h>

#define EVICTOR(x) extern const struct evictor evictor_##x;
#include "evict/evict.def"
#undef EVICTOR

const struct evictor *const evictors[] = {
#define EVICTOR(x) &evictor_##x,
#include "evict/evict.def"
#undef EVICTOR
    NULL};

const struct evictor *evictor_find(const char *name) {
    for (size_t i = 0; evictors[i]; i++)
        if (strcmp(evictors[i]->name, name) == 0)
            return evictors[i];
    return NULL;
}
