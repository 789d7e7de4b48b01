/* SPDX-License-Identifier: Apache-2.0 */
/* A user's block: a shared object named by $MEMTWIN_BLOCK (option --block), with its model and its
 * driver (docs/use/tutorial.md). Its project is the nearest folder above the library that has
 * rtl/NAME/NAME.f: Verilog and port list are read there, and files built for the block go there. */
#ifndef MEMTWIN_HARNESS_LIBRARY_H
#define MEMTWIN_HARNESS_LIBRARY_H

#include <stddef.h>
#include <stdint.h>

#include "block/block.h"
#include "harness/cosim.h"

/* To be raised when these structs or the functions of a block change; libraries must be rebuilt. */
#define BLOCK_LIBRARY_ABI 1

struct block_library {
    uint32_t abi;
    uint32_t type_size, port_size, driver_size; /* of the structs when the library was compiled */
    const struct block_type *type;
    const struct cosim_driver *driver;
};
#define BLOCK_LIBRARY_SYMBOL "memtwin_block"

/* Makes a library of a block from the constants name_type and name_driver. Write
 * BLOCK_LIBRARY(name); at the end of the driver's file. */
#define BLOCK_LIBRARY(name)                                                                        \
    extern const struct block_type name##_type;                                                    \
    extern const struct block_library memtwin_block;                                               \
    __attribute__((visibility("default")))                                                         \
    const struct block_library memtwin_block = {BLOCK_LIBRARY_ABI,                                 \
                                                sizeof(struct block_type),                         \
                                                sizeof(struct port_desc),                          \
                                                sizeof(struct cosim_driver),                       \
                                                &name##_type,                                      \
                                                &name##_driver}

/* Loads the library of $MEMTWIN_BLOCK into *library, or sets NULL if the variable is not set.
 * Returns 0, or -1 with one line in err if it cannot be used. A library stays loaded. */
int block_library_load(const struct block_library **library, char *err, size_t err_size);

/* Finds a block of MemTwin or of a usable library; else NULL. */
const struct block_type *block_find_any(const char *name);

/* The folder that has the block's rtl/, cmodel/ and build/: the library's project, or the source
 * root (proc.h). buf holds PATH_SIZE bytes. Returns 0, or -1 with one line in err. */
int block_project(const char *block, char *buf, char *err, size_t err_size);
/* The block's rtl folder: $MEMTWIN_RTL, else its project's; absolute, without symbolic links. */
int block_rtl(const char *block, char *buf, char *err, size_t err_size);

#endif
