/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the folders for files that the harness makes for a block. They are under build/ in the
 * block's project (library.h). If build/ is missing or not writable (in an installation or a
 * read-only checkout), they are in the user's cache: $MEMTWIN_CACHE, else $XDG_CACHE_HOME/memtwin,
 * else ~/.cache/memtwin. The functions create a missing folder. `buf` must have PATH_SIZE bytes.
 * Each function returns 0, or -1 with a one-line message in err. */
#ifndef MEMTWIN_HARNESS_FOLDER_H
#define MEMTWIN_HARNESS_FOLDER_H

#include <stdint.h>

#include "lib/error.h"

/* Finds the folder of the twins: $MEMTWIN_TWINS, else build/twins, else twins-KEY in the cache. If
 * $MEMTWIN_RTL names another rtl folder, $MEMTWIN_TWINS/twins-KEY or build/twins-KEY takes its
 * place, and KEY is a hash of the rtl folder's path. In the cache, KEY is a hash of the paths and
 * contents of all files from which twins are built, so that checkouts do not share folders. */
int twin_folder(const char *block, char *buf, struct error *err);

/* Parts of the path of a replay file: FOLDER/STEM-HASH-CYCLE.vec. HASH is a hash of the path of the
 * block's Verilog and of `what`, so that runs of other faults write other files. */
struct replay_name {
    const char *block;  /* name of the block type */
    const char *folder; /* NULL for build/replay in the block's project; "" for the current */
    const char *stem;
    const char *what; /* what the recorded outputs depend on besides the Verilog */
    uint64_t cycle;   /* cycle of the difference */
};

/* Finds the path of a replay file. If the folder is not writable, replay in the cache takes its
 * place. */
int replay_path(const struct replay_name *name, char *buf, struct error *err);

#endif
