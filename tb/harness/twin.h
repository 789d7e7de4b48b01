/* Shared objects of Verilog twins: built on demand by twin.mk, loaded, checked against the port
 * list. */
#ifndef MEMTWIN_HARNESS_TWIN_H
#define MEMTWIN_HARNESS_TWIN_H

#include <stdbool.h>
#include <stddef.h>

#include "harness/layout.h"
#include "harness/twin_abi.h"

struct twin_lib {
    const struct twin_table *table;
    void *handle;
};

/* "dl_mshr-SETS4-SLOTS2-..." : the twin's file name without folder and end. Returns 0 or -1. */
int twin_name(const struct layout *l, char *buf, char *err, size_t err_size);
/* Folder of the twins: $MEMTWIN_TWINS, else ROOT/build/twins, with a key behind it if $MEMTWIN_RTL
 * is set. */
int twin_folder(char *buf, char *err, size_t err_size);

/* Brings the twin of this block and point up to date with its RTL, and loads it. wave: the variant
 * that can write waves. Returns 0, or -1 with one line in err (with the log's path if the build
 * failed). */
int twin_load(struct twin_lib *lib, const struct layout *l, bool wave, char *err, size_t err_size);
void twin_unload(struct twin_lib *lib);

#endif
