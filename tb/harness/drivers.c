// SPDX-License-Identifier: Apache-2.0
/* Finds drivers: <block>_driver for each block in cmodel/blocks.def, and the driver of the
 * library. */
#include "harness/cosim.h"
#include "harness/library.h"

#define BLOCK(name)                                                                                \
    extern const struct block_type name##_type;                                                    \
    extern const struct cosim_driver name##_driver;
#include "blocks.def"
#undef BLOCK

const struct cosim_driver *cosim_driver_find(const struct block_type *type) {
#define BLOCK(name)                                                                                \
    if (type == &name##_type)                                                                      \
        return &name##_driver;
#include "blocks.def"
#undef BLOCK
    const struct block_library *library;
    struct error err;
    if (block_library_load(&library, &err) == 0 && library && type == library->type)
        return library->driver;
    return NULL;
}
