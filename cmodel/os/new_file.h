/* SPDX-License-Identifier: Apache-2.0 */
/* File that appears at its path when it is complete. Until then it has no name, so that a killed
 * program leaves nothing behind. It has a temporary name (os/part.h) if the file system has no
 * files without a name, or if another writer needs the name. If the path exists, it must be a
 * regular file that the user may write, a symbolic link to one (whose target is then replaced), or
 * a stream, which is written directly, and as clean text (os/clean_stream.h) if it is a terminal. A
 * replaced file keeps its mode and owner. */
#ifndef MEMTWIN_OS_NEW_FILE_H
#define MEMTWIN_OS_NEW_FILE_H

#include <stdio.h>
#include <sys/types.h>

#include "lib/error.h"
#include "os/path.h"

/* Do not move the struct while the file is open. */
struct new_file {
    FILE *f;
    struct new_file *next;
    bool unnamed;  /* true until the file has the name `temp` */
    bool replaces; /* true if the path exists; then the file gets .. */
    mode_t mode;   /* .. its mode, .. */
    uid_t uid;     /* .. and its owner if the program may give it */
    gid_t gid;
    char path[PATH_SIZE], temp[PATH_SIZE]; /* temp is empty for a stream */
};

/* Stores in `target`, which has PATH_SIZE bytes, the path of the file that new_file_open() would
 * create or replace. Returns 0, or -1 with one line in err if a new file is not allowed there. */
int new_file_target(const char *path, char *target, struct error *err);
int new_file_open(struct new_file *nf, const char *path, struct error *err);
/* Opens a file that another writer opens by its name `temp`. */
int new_file_open_named(struct new_file *nf, const char *path, struct error *err);
/* Flushes the file, checks for write errors and renames it. Returns 0, or -1 with
 * one line in err. If it returns -1, the file at the path, if any, is unchanged. */
int new_file_commit(struct new_file *nf, struct error *err);
void new_file_drop(struct new_file *nf);
/* Removes the incomplete files of this process. It may be called from a signal handler. */
void new_files_abandon(void);

/* Copies a finished file to another path, through a new_file. Returns 0, or -1 with one line in
 * err. */
int file_copy(const char *from, const char *to, struct error *err);

#endif
