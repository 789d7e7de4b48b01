/* SPDX-License-Identifier: Apache-2.0 */
/* Folders for files that the harness makes for a block. They are under build/ of its project
 * (library.h). If build/ is missing or not writable (an installation, a read-only checkout), they
 * are in the user's cache: $MEMTWIN_CACHE, else $XDG_CACHE_HOME/memtwin, else ~/.cache/memtwin.
 * A missing folder is created. `buf` holds PATH_SIZE bytes. Each function returns 0, or -1 with one
 * line in err. */
#ifndef MEMTWIN_HARNESS_FOLDER_H
#define MEMTWIN_HARNESS_FOLDER_H

#include <stddef.h>

/* Folder of the twins: $MEMTWIN_TWINS, else build/twins (followed by a key of the path for another
 * rtl folder, $MEMTWIN_RTL), else twins-KEY in the cache. That key is a hash of the paths and
 * contents of all files that twins are built from, so that checkouts do not share folders. */
int twin_folder(const char *block, char *buf, char *err, size_t err_size);

/* Folder of replay files: build/replay, else replay in the cache. */
int replay_folder(const char *block, char *buf, char *err, size_t err_size);

#endif
