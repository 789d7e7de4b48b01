/* SPDX-License-Identifier: Apache-2.0 */
/* Where the harness puts what it makes for a block: under build/ of its project (library.h), or,
 * where there is none or it may not be written (an installation, a read-only checkout), in the
 * user's cache:
 * $MEMTWIN_CACHE, else $XDG_CACHE_HOME/memtwin, else ~/.cache/memtwin. The folder is made if it is
 * not there. `buf` holds PATH_SIZE. Each returns 0, or -1 with one line in err. */
#ifndef MEMTWIN_HARNESS_FOLDER_H
#define MEMTWIN_HARNESS_FOLDER_H

#include <stddef.h>

/* Of the twins: $MEMTWIN_TWINS, else build/twins (of another rtl folder, $MEMTWIN_RTL, with a key
 * of its path behind it), else twins-KEY in the cache; the key is that of the paths and of the
 * content of all files that twins are built from, so that checkouts do not meet there. */
int twin_folder(const char *block, char *buf, char *err, size_t err_size);

/* Of replay files: build/replay, else replay in the cache. */
int replay_folder(const char *block, char *buf, char *err, size_t err_size);

#endif
