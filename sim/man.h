/* SPDX-License-Identifier: Apache-2.0 */
/* `memtwin help --man`: man pages from the tables behind --help and `memtwin list`. They are
 * printed to standard output in man(7) format, for groff and mandoc. */
#ifndef MEMTWIN_SIM_MAN_H
#define MEMTWIN_SIM_MAN_H

#include "options.h"

/* memtwin-COMMAND(1). name: "memtwin run"; doc: one line about it. */
void man_command(const struct command_line *line, const char *name, const char *doc);

/* memtwin(1) in pieces: head, a row for each command, end. */
void man_program_begin(void);
void man_program_command(const char *name, const char *doc);
void man_program_end(void);

/* memtwin-keys(5): configuration files. */
void man_keys(void);
/* memtwin-study(5): study files. */
void man_study_file(void);

#endif
