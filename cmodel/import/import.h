/* SPDX-License-Identifier: Apache-2.0 */
/* Imports configurations of GPGPU-Sim and Accel-Sim: reads their options and turns them into
 * keys. The table of options, with their defaults, is options.def. Sources: the options' help and
 * the code that reads them, and for latencies the cycles of micro traces (docs/results/fidelity.md,
 * docs/use/accelsim.md). */
#ifndef MEMTWIN_IMPORT_IMPORT_H
#define MEMTWIN_IMPORT_IMPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "lib/error.h"

#define IMPORT_FILES 4        /* maximum number of files, with the network's */
#define IMPORT_PATH_SIZE 4096 /* size of a path in bytes, including its final zero */
#define IMPORT_OPTION_SIZE 64 /* .. of an option's name */
#define IMPORT_VALUE_SIZE 256 /* .. of its value */
#define IMPORT_LOSS_SIZE 160  /* .. of what is lost */
#define IMPORT_KEYS 128       /* maximum number of keys that are set */
#define IMPORT_OPTIONS 512    /* maximum number of options in the files */
#define IMPORT_KEY_VALUE_SIZE 96

#define MAPPED(ID, ...) IMPORT_##ID,
#define LOST(...)
#define INERT(...)
enum {
#include "import/options.def"
    IMPORT_MAPPED
};
#undef MAPPED
#undef LOST
#undef INERT

/* An option in a file, or the default of a mapped one. */
struct import_option {
    char name[IMPORT_OPTION_SIZE], value[IMPORT_VALUE_SIZE];
    unsigned file, line; /* line 0: the default */
};

/* A key with its value. `option` is the mapped option that it comes from, or NULL if every imported
 * machine has it; `why` gives the reason of a value that is not the option's, or is NULL. */
struct import_key {
    const char *name; /* section.key */
    char value[IMPORT_KEY_VALUE_SIZE];
    const struct import_option *option;
    const char *why;
};

/* An option that asks for something that MemTwin does not have. */
struct import_loss {
    const struct import_option *option;
    char text[IMPORT_LOSS_SIZE];
};

struct import {
    char path[IMPORT_FILES][IMPORT_PATH_SIZE];
    unsigned files;
    struct import_option mapped[IMPORT_MAPPED]; /* the last one of each, or its default */
    struct import_option given[IMPORT_OPTIONS]; /* the options of the files that are not mapped */
    unsigned options;
    struct import_key key[IMPORT_KEYS];
    unsigned keys;
    struct import_loss loss[IMPORT_OPTIONS];
    unsigned losses;
    struct error *err; /* gets the first error; not owned */
    bool failed;
};

/* Reads the options of n files (1 to IMPORT_FILES - 1); of two equal ones the last counts. With one
 * file, trace.config in its folder is read too if it exists. The network's file is relative to the
 * folder of the file that names it. Returns the keys and losses, owned by the caller
 * (import_free), or NULL with "FILE:LINE: text" in err: a file that cannot be read, a malformed
 * option or value, or one without which there is no machine. */
struct import *import_read(const char *const *path, unsigned n, struct error *err);
void import_free(struct import *m);

/* Prints a loss in one line: "FILE:LINE: option: what is lost". */
void import_loss_text(const struct import *m, const struct import_loss *l, struct error *line);

/* Prints the keys as a configuration file, each with its option, then the losses as comments. */
void import_print(const struct import *m, FILE *out);

#endif
