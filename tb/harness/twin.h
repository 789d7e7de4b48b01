/* SPDX-License-Identifier: Apache-2.0 */
/* Shared objects of Verilog twins: built on demand by twin.mk, loaded, checked against the port
 * list. */
#ifndef MEMTWIN_HARNESS_TWIN_H
#define MEMTWIN_HARNESS_TWIN_H

#include <stddef.h>
#include <stdint.h>

#include "harness/layout.h"
#include "harness/twin_abi.h"

/* Kinds of build of a twin; each kind has its own file name. */
enum twin_kind {
    TWIN_FAST,  /* optimised for long runs */
    TWIN_BRIEF, /* built in a fifth of the time, for short runs */
    TWIN_WAVE,  /* can write waves, as VCD */
    TWIN_FST,   /* can write waves, as FST */
};

/* The kind for a run of `cycles` cycles. */
static inline enum twin_kind twin_kind_for(uint64_t cycles) {
    return cycles <= 200000 ? TWIN_BRIEF : TWIN_FAST;
}

/* The kind for a run of unknown length: TWIN_FAST, or TWIN_BRIEF if $MEMTWIN_BRIEF is set. */
enum twin_kind twin_kind_of_run(void);

struct twin_lib {
    const struct twin_table *table;
    void *handle;
};

/* Prints the twin's file name without folder and extension, "dl_mshr-SETS4-SLOTS2-...". 0 or -1. */
int twin_name(const struct layout *l, char *buf, char *err, size_t err_size);

/* Builds the twin of the block at the parameter point if its RTL has changed, and loads it. Returns
 * 0, or -1 with one line in err (with the log's path if the build failed). */
int twin_load(struct twin_lib *lib, const struct layout *l, enum twin_kind kind, char *err,
              size_t err_size);
void twin_unload(struct twin_lib *lib);

/* Builds the twins of the instances in parallel, one per processor and at most TWINS_AHEAD, so that
 * twin_load finds them ready. A failed build is reported by twin_load. Returns 0, or -1 with one
 * line in err if interrupted. */
#define TWINS_AHEAD 16
int twin_build_ahead(const struct block_inst *const *inst, size_t n, enum twin_kind kind, char *err,
                     size_t err_size);

#endif
