/* SPDX-License-Identifier: Apache-2.0 */
/* Man pages, made of the tables that --help and the lists are made of: `memtwin help --man`. They
 * go to standard output, for man(7) of groff and mandoc. */
#ifndef MEMTWIN_SIM_MAN_H
#define MEMTWIN_SIM_MAN_H

#include "options.h"

/* memtwin-COMMAND(1). name: "memtwin run"; doc: one line about it. */
void man_command(const struct command_line *line, const char *name, const char *doc);

/* memtwin(1), piece by piece: its head, a row for each command, its end. */
void man_program_begin(void);
void man_program_command(const char *name, const char *doc);
void man_program_end(void);

/* memtwin-keys(5): configuration files. */
void man_keys(void);
/* memtwin-study(5): study files. */
void man_study_file(void);

#endif
