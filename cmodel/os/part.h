/* SPDX-License-Identifier: Apache-2.0 */
/* Temporary names of incomplete files and folders: .memtwin-HASH-PID.part, beside the path, where
 * HASH is that of the path's last name, so that the name is short and of a form that only this
 * program makes. The program locks what it writes (flock): an unlocked part was left by a killed
 * program. */
#ifndef MEMTWIN_OS_PART_H
#define MEMTWIN_OS_PART_H

#include "os/path.h"

/* Prints the name for this process into `part`, which has PATH_SIZE bytes. Returns 0, or -1 with
 * one line in err. */
int part_name(const char *path, char *part, struct error *err);
/* Removes the parts that killed programs left in the folder of `path`: those that are unlocked, and
 * whose PID is that of no other process on this machine. */
void parts_remove_left(const char *path);
/* Makes a folder, with the temporary name of `path`, which is the temporary folder of the program
 * until temp_dir_remove() (os/path.h). `temp` has PATH_SIZE bytes. Returns 0, or -1 with one line
 * in err. */
int part_make_folder(const char *path, char *temp, struct error *err);

#endif
