/* SPDX-License-Identifier: Apache-2.0 */
/* Child processes, folders and files for the harness. No shell is involved: programs get an
 * argument vector. */
#ifndef MEMTWIN_HARNESS_PROC_H
#define MEMTWIN_HARNESS_PROC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define PATH_SIZE 4096

/* Runs argv[0] (looked up in PATH) in folder `cwd` (NULL: here) with stdout and stderr to the file
 * `log` and an empty stdin, and waits for it. The child has its own process group. A SIGINT,
 * SIGQUIT, SIGTERM or SIGHUP received meanwhile is passed on to that group, and raised again for
 * the caller's own handler after the child has ended. Returns the exit status, or -1 with one line
 * in err (could not start, ended by a signal, or interrupted). */
int proc_run(const char *const argv[], const char *cwd, const char *log, char *err,
             size_t err_size);

/* The source root: $MEMTWIN_HOME, else the nearest folder above the program that has
 * tb/harness/twin.mk, itself or in its share/memtwin (make install). buf holds PATH_SIZE bytes.
 * Returns 0, or -1 with one line in err. */
int harness_root(char *buf, char *err, size_t err_size);

/* Prints into a path of PATH_SIZE bytes; -1 with one line in err if it does not fit. */
int path_print(char *buf, char *err, size_t err_size, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
/* Makes the folder and those above it. Returns 0 or -1 (errno). */
int path_mkdirs(const char *dir);
/* The path relative to the current folder if it is below it, else unchanged. */
const char *path_from_here(const char *path);

/* Makes a new folder under $TMPDIR or /tmp. */
int temp_dir_make(char *buf, char *err, size_t err_size);
void temp_dir_remove(const char *dir);

/* A file that is written beside its path and renamed when complete. An existing path must be a
 * regular file, a symbolic link to one, whose target is replaced, or a stream. The file is locked
 * while it is written; an unlocked one was left by a killed program, and is removed by the next
 * program that writes to the path. Do not move the struct while the file is open. */
struct new_file {
    FILE *f;
    struct new_file *next;                 /* next open file */
    char path[PATH_SIZE], temp[PATH_SIZE]; /* temp is empty for a stream */
};
/* Whether path is "-" or another name of standard output. */
bool is_stdout(const char *path);
/* Whether path is standard output or error, a pipe or a device: written directly, not renamed. */
bool is_stream(const char *path);
/* Whether both are the same text, or name the same file, existing or not, or standard output. NULL
 * is no file. */
bool paths_same(const char *a, const char *b);
/* Finds the path that would be written; -1 with one line in err if it may not be. `target` holds
 * PATH_SIZE bytes. */
int new_file_target(const char *path, char *target, char *err, size_t err_size);
int new_file_open(struct new_file *nf, const char *path, char *err, size_t err_size);
/* Flushes, checks for write errors, renames. On an error the path is as it was before. */
int new_file_commit(struct new_file *nf, char *err, size_t err_size);
void new_file_drop(struct new_file *nf);
/* Removes incomplete files of this process. May be called in a signal handler. */
void new_files_abandon(void);
/* Whether path is a FIFO: written directly, not renamed. */
bool is_fifo(const char *path);
/* Whether a wave file is FST, by its extension .fst in any case. Files named .vcd and FIFOs of
 * other names are VCD. */
bool is_fst(const char *path);
bool is_vcd(const char *path);

/* Copies a finished file to a path, by new_file. */
int file_copy(const char *from, const char *to, char *err, size_t err_size);

#endif
