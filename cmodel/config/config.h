/* SPDX-License-Identifier: Apache-2.0 */
/* Handles the configuration of a GPU: one table of keys (keys.def), INI files and overrides, and
 * the source of each value. */
#ifndef MEMTWIN_CONFIG_CONFIG_H
#define MEMTWIN_CONFIG_CONFIG_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "lib/error.h"

#define CONFIG_STR_SIZE 96 /* size of a STR in bytes, including its final zero */

struct config {
#define INT(section, key, ...) int64_t section##_##key;
#define ENUM(section, key, ...) int64_t section##_##key;
#define STR(section, key, ...) char section##_##key[CONFIG_STR_SIZE];
#include "config/keys.def"
#undef INT
#undef ENUM
#undef STR
};

/* Values of sm.model, l1d.model, icnt.model, l2.model and dram.model. */
enum { MODEL_VALUES(VALUE_ENUMERATOR) };
/* Values of sm.coalesce. */
enum { SM_COALESCE_VALUES(VALUE_ENUMERATOR) };
/* Values of sm.copies. */
enum { SM_COPIES_VALUES(VALUE_ENUMERATOR) };
/* Values of l1d.bypass. */
#define L1D_BYPASS_ENUMERATOR(VALUE, name) BYPASS_##VALUE,
enum { BYPASS_NONE, L1D_BYPASS_POLICIES(L1D_BYPASS_ENUMERATOR) };
/* Values of l1d.replacement. */
#define L1D_REPLACEMENT_ENUMERATOR(VALUE, name) L1D_REPLACEMENT_##VALUE,
enum { L1D_REPLACEMENT_LRU, L1D_VICTIM_POLICIES(L1D_REPLACEMENT_ENUMERATOR) };
/* Values of l1d.partition. */
#define L1D_PARTITION_ENUMERATOR(VALUE, name) L1D_PARTITION_##VALUE,
enum { L1D_PARTITION_NONE, L1D_PARTITION_POLICIES(L1D_PARTITION_ENUMERATOR) };
/* Values of l2.bypass. */
#define L2_BYPASS_ENUMERATOR(VALUE, name) L2_BYPASS_##VALUE,
enum { L2_BYPASS_NONE, L2_BYPASS_POLICIES(L2_BYPASS_ENUMERATOR) };
/* Values of l2.replacement. */
#define L2_REPLACEMENT_ENUMERATOR(VALUE, name) L2_REPLACEMENT_##VALUE,
enum { L2_REPLACEMENT_LRU, L2_VICTIM_POLICIES(L2_REPLACEMENT_ENUMERATOR) };

/* Expands to the last two columns of a row in keys.def: meaning and needs. A missing column is
 * NULL. */
#define CONFIG_KEY_TEXTS(...) CONFIG_FIRST_TWO(__VA_ARGS__, NULL, NULL)
#define CONFIG_FIRST_TWO(doc, needs, ...) doc, needs

enum {
    CONFIG_KEYS = 0
#define INT(...) +1
#define ENUM(...) +1
#define STR(...) +1
#include "config/keys.def"
#undef INT
#undef ENUM
#undef STR
};

struct import;

#define CONFIG_BY_DEFAULT UINT_MAX
#define CONFIG_IMPLIED (UINT_MAX - 1) /* by the kind of file: a key of every imported machine */
#define CONFIG_FILES 8 /* maximum number of files: a configuration and its chain of bases */
#define CONFIG_PATH_SIZE 4096

/* Sources of the values of a configuration. */
struct config_sources {
    unsigned files;
    struct config_file {
        char path[CONFIG_PATH_SIZE];
        char name[CONFIG_PATH_SIZE]; /* name of a shipped file without folder and .ini, or the path
                                        of another file */
        bool shipped;
        dev_t device;
        ino_t inode;
    } file[CONFIG_FILES]; /* the requested file first; each file is followed by its base */
    struct {
        unsigned file, /* index in `file`; unused if `line` is not a line number */
            line; /* line number, 0 for config_override(), CONFIG_BY_DEFAULT or CONFIG_IMPLIED */
    } key[CONFIG_KEYS];
    unsigned losses;   /* number of options of an imported file that ask for what MemTwin lacks */
    struct error loss; /* the first of them, with file and line */
};

/* Sets all keys to their defaults in the table. */
void config_default(struct config *cfg);

/* Sets the keys of a section to their defaults in the table. */
void config_reset(struct config *cfg, const char *section);

/* Reads a configuration and records the source of each value in *from. `name` is a path (it has a
 * '/', ends in .ini, or names no shipped file), "-" for standard input, or the name without .ini of
 * a file in the folder `shipped` ("": no folder). A file needs to set only those keys that differ
 * from the table's defaults or, if it begins with "base = NAME", from its base (a path there is
 * relative to the file). A path that ends in .config is a file of GPGPU-Sim options
 * (import/import.h). Errors: missing file, unknown section or key, duplicate key, not an
 * integer, unknown value, out of range, empty or overlong string, circular bases. Returns 0, or -1
 * with "FILE:LINE: text" in err.
 */
int config_load(struct config *cfg, struct config_sources *from, const char *name,
                const char *shipped, struct error *err);

/* Sets *cfg to the machine that import_read() has read. Returns 0, or -1 with "FILE:LINE: text" in
 * err. */
int config_of_import(struct config *cfg, const struct import *m, struct error *err);

/* Sets one "section.key=value" from the command line. `from` may be NULL. Returns 0, or -1 with one
 * line in err. */
int config_override(struct config *cfg, struct config_sources *from, const char *assignment,
                    struct error *err);

/* Sets one "section.key=value" that is not from the command line, so the message does not mention
 * -s. Returns 0, or -1 with one line in err. */
int config_set(struct config *cfg, const char *assignment, struct error *err);

/* Prints the source of a key's value: "titanx.ini:31" (a shipped file without its folder),
 * "default", or "-s". */
void config_source(const struct config_sources *from, const char *section, const char *key,
                   char *buf, size_t size);

/* Appends the sources of the keys that a message names to the message: " (l1d.sets: mine.ini:3,
 * l1d.ways: -s)". */
void config_add_sources(const struct config_sources *from, struct error *err);

/* Prints a one-line summary of the sources: "titanx; 12 keys from mine.ini, 2 from -s". */
void config_summary(const struct config_sources *from, char *buf, size_t size);

/* True if `name` is "section.key" of a key whose values are integers. */
bool config_is_integer(const char *name);

/* True if an existing key "section.key" has an effect in the modes that other keys set (last column
 * of keys.def). If it has none and `why` is not NULL, sets *why to a message such as
 * "l2.cart_fill=branch has no effect with l2.incoming=fifo". */
bool config_has_effect(const struct config *cfg, const char *name, struct error *why);

/* Rejects a key that config_override() has set but that has no effect. Keys in files are not
 * rejected, because a file describes a machine and may set keys of modes that are chosen later.
 * Returns 0, or -1 with one line in err. */
int config_check_effect(const struct config *cfg, const struct config_sources *from,
                        struct error *err);

/* Prints the value of an existing key. */
void config_value(const struct config *cfg, const char *section, const char *key, char *buf,
                  size_t size);

/* Calls `fn` for each key in table order, with its value as text. */
void config_each(const struct config *cfg,
                 void (*fn)(void *ctx, const char *section, const char *key, const char *value,
                            const char *doc),
                 void *ctx);

#endif
