/* SPDX-License-Identifier: Apache-2.0 */
/* The Verilog files of a block, for tools that twin.mk does not start (Icarus, Yosys). */
#ifndef MEMTWIN_HARNESS_FILES_H
#define MEMTWIN_HARNESS_FILES_H

#include <stddef.h>

struct rtl_files {
    char rtl[4096]; /* the rtl folder; all names below are relative to it */
    char **names;   /* from rtl/BLOCK/BLOCK.f, in its order */
    size_t n_names;
    char **folders; /* every folder of rtl: include directories */
    size_t n_folders;
};

/* Returns 0, or -1 with one line in err. */
int rtl_files_find(struct rtl_files *files, const char *block, char *err, size_t err_size);
void rtl_files_free(struct rtl_files *files);

#endif
