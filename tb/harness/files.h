/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the Verilog files of a block, for tools that twin.mk does not start (Icarus, Yosys). */
#ifndef MEMTWIN_HARNESS_FILES_H
#define MEMTWIN_HARNESS_FILES_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/error.h"

struct rtl_files {
    char rtl[4096]; /* the rtl folder; all names below are relative to it */
    char **names;   /* file names in the order of rtl/BLOCK/BLOCK.f */
    size_t n_names;
    char **folders; /* all folders in rtl, used as include directories */
    size_t n_folders;
    char project[4096]; /* the block's project, also an include directory */
    bool observed;      /* true if the last file is the block's observer, BLOCK_observe */
};

/* Finds the files of a block, and of its observer if `observed` is set and it has one. Returns 0,
 * or -1 with a one-line message in err. */
int rtl_files_find(struct rtl_files *files, const char *block, bool observed, struct error *err);
void rtl_files_free(struct rtl_files *files);

#endif
