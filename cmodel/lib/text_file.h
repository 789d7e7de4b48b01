/* SPDX-License-Identifier: Apache-2.0 */
/* Opens text files. */
#ifndef MEMTWIN_LIB_TEXT_FILE_H
#define MEMTWIN_LIB_TEXT_FILE_H

#include <stdio.h>

/* Opens a file for reading. Refuses a named pipe, because without a writer it blocks forever; a
 * pipe of the shell, <(command), has no name. Returns NULL, with errno and a reason in *why, on an
 * error. */
FILE *text_open(const char *path, const char **why);
/* Skips a byte order mark (U+FEFF) at the start of a file. */
void text_skip_mark(FILE *f);

#endif
