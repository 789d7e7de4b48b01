/* SPDX-License-Identifier: Apache-2.0 */
/* Builds the shared objects of Verilog twins on demand (twin.mk), loads them, and checks them
 * against the port list. */
#ifndef MEMTWIN_HARNESS_TWIN_H
#define MEMTWIN_HARNESS_TWIN_H

#include <stddef.h>
#include <stdint.h>

#include "harness/layout.h"
#include "harness/twin_abi.h"

/* Kinds of twin build. Each kind has its own file name. */
enum twin_kind {
    TWIN_FAST,  /* optimized for long runs */
    TWIN_BRIEF, /* built in a fifth of the time, for short runs */
    TWIN_WAVE,  /* can write waves, as VCD */
    TWIN_FST,   /* can write waves, as FST */
};

/* Returns the kind for a run of `cycles` cycles. */
static inline enum twin_kind twin_kind_for(uint64_t cycles) {
    return cycles <= 200000 ? TWIN_BRIEF : TWIN_FAST;
}

/* Returns the kind for a run of unknown length: TWIN_FAST, or TWIN_BRIEF if $MEMTWIN_BRIEF is
 * set. */
enum twin_kind twin_kind_of_run(void);

struct twin_lib {
    const struct twin_table *table;
    void *handle;
};

/* Prints the twin's file name without folder and extension, "dl_mshr-SETS4-SLOTS2-...". Returns 0,
 * or -1 with a one-line message in err. */
int twin_name(const struct layout *l, char *buf, struct error *err);

/* Loads the twin of the block at the parameter point, and builds it first if its RTL has changed.
 * Returns 0, or -1 with a one-line message in err, which contains the log's path if the build
 * failed. */
int twin_load(struct twin_lib *lib, const struct layout *l, enum twin_kind kind, struct error *err);
/* Does the same without the block's observer. Observed ports are 0. */
int twin_load_bare(struct twin_lib *lib, const struct layout *l, enum twin_kind kind,
                   struct error *err);
void twin_unload(struct twin_lib *lib);

/* Builds the twins of the first TWINS_AHEAD instances in parallel, one per processor, so that
 * twin_load finds them built. A failed build is reported by twin_load. Returns 0, or -1 with a
 * one-line message in err if interrupted. */
#define TWINS_AHEAD 16
int twin_build_ahead(const struct block_inst *const *inst, size_t n, enum twin_kind kind,
                     struct error *err);

#endif
