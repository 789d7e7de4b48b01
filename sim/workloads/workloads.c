// SPDX-License-Identifier: Apache-2.0
/* Lists the built-in workloads. */
#include "kernel/kernel.h"

#include <string.h>

#define WORKLOAD(name) extern const struct workload_type workload_##name;
#include "workloads.def"
#undef WORKLOAD

#define WORKLOAD(name) &workload_##name,
const struct workload_type *const workload_types[] = {
#include "workloads.def"
    NULL};
#undef WORKLOAD

const struct workload_type *workload_find(const char *name) {
    for (const struct workload_type *const *t = workload_types; *t; t++)
        if (strcmp((*t)->name, name) == 0)
            return *t;
    return NULL;
}
