/* SPDX-License-Identifier: Apache-2.0 */
/* Prints, compares and classifies paths, and creates and removes folders. */
#ifndef MEMTWIN_OS_PATH_H
#define MEMTWIN_OS_PATH_H

#include <stdbool.h>
#include <stddef.h>

#include "lib/error.h"

#define PATH_SIZE 4096

/* Prints a path into a buffer of PATH_SIZE bytes. Returns 0, or -1 with one line in err if the
 * path does not fit. */
int path_print(char *buf, struct error *err, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* Returns the part of the path after its last slash, or the whole path if it has no slash. */
const char *path_last_name(const char *path);
/* Returns the path relative to the current folder, or unchanged if it is not below that folder. */
const char *path_from_here(const char *path);

/* Creates the folder and any missing folders above it. Returns 0, or -1 with errno set. */
int path_mkdirs(const char *dir);
/* Returns the folder of temporary files: $TMPDIR, or /tmp if TMPDIR is unset or empty. */
const char *temp_base(void);
/* Creates a temporary folder in temp_base(). Stores the
 * folder's path in buf, which has PATH_SIZE bytes. Returns 0, or -1 with one line in err. The
 * program may have only one temporary folder at a time. */
int temp_dir_make(char *buf, struct error *err);
/* Makes an existing folder the program's temporary folder, and locks it (os/part.h). */
void temp_dir_own(const char *dir);
/* Removes a folder and its content. */
void folder_remove(const char *dir);
void temp_dir_remove(const char *dir);
/* Removes the temporary folder of this process, if there is one. For use with atexit(). */
void temp_dir_abandon(void);

/* True if path is "-" or another name of standard output. */
bool is_stdout(const char *path);
bool is_stderr(const char *path);
bool is_fifo(const char *path);
/* True if the path is standard output, standard error, a FIFO or a character device. Such
 * a path is written directly, without a temporary file. */
bool is_stream(const char *path);
/* True if the paths are equal as text, if both name standard output, or if both name the same
 * regular file, which need not exist. False if a path is NULL. */
bool paths_same(const char *a, const char *b);

#endif
