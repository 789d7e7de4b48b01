/* SPDX-License-Identifier: Apache-2.0 */
/* Reads DRAM requests from a file in the format of memtwin, ramulator, DRAMsim3 or DRAMSys.
 * docs/understand/dram.md describes the formats. */
#ifndef MEMTWIN_SIM_DRAM_FILE_H
#define MEMTWIN_SIM_DRAM_FILE_H

#include <stdbool.h>
#include <stdint.h>

#include "dram/layout.h"
#include "lib/error.h"
#include "trace/input.h"

enum dram_format {
    DRAM_UNKNOWN, /* the first request decides */
    DRAM_MEMTWIN,
    DRAM_RAMULATOR1,
    DRAM_RAMULATOR2,
    DRAM_DRAMSIM3,
    DRAM_DRAMSYS,
    DRAM_FORMATS
};
/* Names of the formats, as on the command line; NULL for DRAM_UNKNOWN. */
extern const char *const dram_format_name[DRAM_FORMATS];

struct dram_access {
    uint64_t cycle; /* first cycle in which it may be sent */
    struct dram_place place;
    bool write;
};

/* A file that is being read. The caller sets the first three members. */
struct dram_file {
    struct trace_input *in;
    const struct dram_layout *layout;
    uint32_t groups; /* number of bank groups */
    enum dram_format format;
    struct dram_access last; /* the latest request */
    uint64_t address;        /* address of the latest request */
    uint64_t left;           /* number of atoms of the latest request that are still to come */
};

/* Reads the next request for an atom. Returns 1 if there is one, 0 at the end, or -1 with one line
 * in err. */
int dram_file_next(struct dram_file *f, struct dram_access *q, struct error *err);

/* Returns true if the requests of a format have no cycles. */
static inline bool dram_format_untimed(enum dram_format format) {
    return format == DRAM_RAMULATOR1 || format == DRAM_RAMULATOR2;
}

#endif
