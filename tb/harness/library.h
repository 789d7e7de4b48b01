/* SPDX-License-Identifier: Apache-2.0 */
/* Loads a user's block. It is a shared object that $MEMTWIN_BLOCK (option --block) names, with the
 * block's model and driver (docs/use/tutorial.md). Its project is the nearest folder above the
 * library that has rtl/NAME/NAME.f. That folder contains the block's Verilog, its port list, and
 * files built for the block. */
#ifndef MEMTWIN_HARNESS_LIBRARY_H
#define MEMTWIN_HARNESS_LIBRARY_H

#include <stddef.h>
#include <stdint.h>

#include "block/block.h"
#include "harness/cosim.h"

/* Must be raised if the structs below or the functions of a block change. Libraries must then be
 * rebuilt. */
#define BLOCK_LIBRARY_ABI 1

struct block_library {
    uint32_t abi;
    uint32_t type_size, port_size, driver_size; /* struct sizes when the library was compiled */
    const struct block_type *type;
    const struct cosim_driver *driver;
};
#define BLOCK_LIBRARY_SYMBOL "memtwin_block"

/* Defines a block's library from the constants name_type and name_driver. Write
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

/* Loads the library that $MEMTWIN_BLOCK names into *library, or stores NULL if the variable is not
 * set. Returns 0, or -1 with a one-line message in err if the library is unusable. The library
 * stays loaded. */
int block_library_load(const struct block_library **library, struct error *err);

/* Returns the type of a block of MemTwin or of a usable library, or NULL if there is no block of
 * that name. */
const struct block_type *block_find_any(const char *name);

/* Finds the source root: $MEMTWIN_HOME, else the nearest folder above the program that has
 * tb/harness/twin.mk, either directly or in its share/memtwin (make install). `buf` must have
 * PATH_SIZE bytes. Returns 0, or -1 with a one-line message in err. */
int harness_root(char *buf, struct error *err);

/* Finds the folder that has the block's rtl/, cmodel/ and build/, which is the library's project
 * or the source root. `buf` must have PATH_SIZE bytes. Returns 0, or -1 with a one-line message in
 * err. */
int block_project(const char *block, char *buf, struct error *err);
/* Finds the block's rtl folder: $MEMTWIN_RTL, else the rtl folder in the block's project. The path
 * is absolute, without symbolic links. */
int block_rtl(const char *block, char *buf, struct error *err);

#endif
