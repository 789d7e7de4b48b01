/* SPDX-License-Identifier: Apache-2.0 */
/* Implements `memtwin complete WORD...`, which the completions of bash and zsh call. Prints one
 * line, "CANDIDATE<tab>description", for each candidate. The shell appends no space to a candidate
 * that ends in =, . or :. The line ":files EXTENSION..." offers files with one of the extensions,
 * or all files if it lists none; ":folders" offers folders. */
#ifndef MEMTWIN_SIM_COMPLETE_H
#define MEMTWIN_SIM_COMPLETE_H

#include "options.h"

/* Prints the candidate if it begins with `word`. */
void complete_word(const char *word, const char *candidate, const char *doc);

/* Completes the last of the n >= 1 words that follow the command's name. Ignores errors in the
 * other words. */
void complete_command(const struct command_line *line, int n, char *const *words);

#endif
