/* SPDX-License-Identifier: Apache-2.0 */
/* Stream that prints text for a reader: names come from files and databases of others, and must not
 * control the reader's terminal. */
#ifndef MEMTWIN_OS_CLEAN_STREAM_H
#define MEMTWIN_OS_CLEAN_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Opens a stream to fd that prints '?' for each byte of an unprintable character (lib/utf8.h) but
 * line feed and tab. Flushes at each line feed if by_line. fclose() closes fd too. */
FILE *clean_stream(int fd, bool by_line);
/* Writes n bytes. Returns 0, or -1 with errno set. */
int write_all(int fd, const char *text, size_t n);

#endif
