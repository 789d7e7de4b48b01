/* SPDX-License-Identifier: Apache-2.0 */
/* Prints words of commands that a user can paste into a shell. */
#ifndef MEMTWIN_LIB_SHELL_H
#define MEMTWIN_LIB_SHELL_H

#include <stdio.h>

/* Returns a word that the shell reads as `text`. The word is quoted if it has a special character:
 * as $'..' if one is unprintable (lib/utf8.h), else as '..'. The caller frees it. */
char *shell_word(const char *text);
/* Returns a word for the path of a file, "./-x" for -x, which would be an option. The caller frees
 * it. */
char *shell_path(const char *path);
/* Returns the word by which this program was called, which calls it again from the same folder. The
 * caller frees it. */
char *shell_program(void);

/* Prints "PROGRAM arguments PATH" and a line feed. */
void shell_print_command(FILE *to, const char *arguments, const char *path);

#endif
