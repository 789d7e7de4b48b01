/* SPDX-License-Identifier: Apache-2.0 */
/* Prints man pages (`memtwin help --man`) to standard output, in man(7) format for groff and
 * mandoc. They are generated from the tables of --help and `memtwin list`. */
#ifndef MEMTWIN_SIM_MAN_H
#define MEMTWIN_SIM_MAN_H

#include "options.h"

/* Prints memtwin-COMMAND(1). name is "memtwin run"; doc is a one-line description. */
void man_command(const struct command_line *line, const char *name, const char *doc);

/* Print memtwin(1) in three parts: head, one row per command, end. */
void man_program_begin(void);
void man_program_command(const char *name, const char *doc);
void man_program_end(void);

/* Prints memtwin-keys(5): configuration files. */
void man_keys(void);
/* Prints memtwin-study(5): study files. */
void man_study_file(void);

#endif
