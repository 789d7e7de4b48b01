// SPDX-License-Identifier: Apache-2.0
#include "demangle.h"

#include <libiberty/demangle.h>
#include <string.h>

#include "lib/alloc.h"

char *demangle(const char *name) {
    char *plain = strncmp(name, "_Z", 2) == 0 ? cplus_demangle_v3(name, DMGL_NO_OPTS) : NULL;
    return plain ? plain : alloc_text(name);
}
