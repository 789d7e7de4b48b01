/* SPDX-License-Identifier: Apache-2.0 */
/* A block that is not one of MemTwin's: a shared object that $MEMTWIN_BLOCK names (option --block),
 * made of its model and its driver (docs/use/tutorial.md). Its Verilog and its port list are in the
 * nearest folder above the library that has rtl/NAME/NAME.f: its project, which what is built for
 * it goes into too. */
#ifndef MEMTWIN_HARNESS_LIBRARY_H
#define MEMTWIN_HARNESS_LIBRARY_H

#include <stddef.h>
#include <stdint.h>

#include "block/block.h"
#include "harness/cosim.h"

/* Raised when these structs, or what a block is asked for, change: libraries are built again. */
#define BLOCK_LIBRARY_ABI 1

struct block_library {
    uint32_t abi;
    uint32_t type_size, port_size, driver_size; /* of the structs as the library knows them */
    const struct block_type *type;
    const struct cosim_driver *driver;
};
#define BLOCK_LIBRARY_SYMBOL "memtwin_block"

/* The one line that makes a library of a block, in the file of its driver, at its end:
 * BLOCK_LIBRARY(name); of the constants name_type and name_driver. */
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

/* Sets *library to the one that $MEMTWIN_BLOCK names, or NULL if it names none. Returns 0, or -1
 * with one line in err if it cannot be used. What was loaded stays loaded. */
int block_library_load(const struct block_library **library, char *err, size_t err_size);

/* A block of MemTwin's, or that of the library if there is one that can be used; else NULL. */
const struct block_type *block_find_any(const char *name);

/* The folder that has the block's rtl/, cmodel/ and build/: the library's project, or the source
 * root (proc.h). buf holds PATH_SIZE bytes. Returns 0, or -1 with one line in err. */
int block_project(const char *block, char *buf, char *err, size_t err_size);
/* Its rtl folder: $MEMTWIN_RTL, else that of its project; absolute, without symbolic links. */
int block_rtl(const char *block, char *buf, char *err, size_t err_size);

#endif
