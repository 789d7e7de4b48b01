/* SPDX-License-Identifier: Apache-2.0 */
/* What may be typed next: `memtwin complete WORD...`, which the completions of bash and zsh call.
 * It prints a line for each candidate, "CANDIDATE<tab>what it is". A candidate that ends in =, . or
 * : is continued in the same word. The line ":files EXTENSION..." stands for files with one of the
 * extensions, or for all files if it has none; ":folders" stands for folders. */
#ifndef MEMTWIN_SIM_COMPLETE_H
#define MEMTWIN_SIM_COMPLETE_H

#include "options.h"

/* Prints the candidate if it begins with `word`. */
void complete_word(const char *word, const char *candidate, const char *doc);

/* Completes the last of n words (at least one) after the command's name. Errors in the other words
 * are ignored. */
void complete_command(const struct command_line *line, int n, char *const *words);

#endif
