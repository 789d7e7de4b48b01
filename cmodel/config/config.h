/* SPDX-License-Identifier: Apache-2.0 */
/* Configuration of a GPU: one declared table of keys (keys.def), files in INI form, overrides; and
 * where each value came from. */
#ifndef MEMTWIN_CONFIG_CONFIG_H
#define MEMTWIN_CONFIG_CONFIG_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define CONFIG_STR_SIZE 96 /* bytes of a STR, with the zero that ends it */

struct config {
#define INT(section, key, def, min, max, doc) int64_t section##_##key;
#define ENUM(section, key, def, values, doc) int64_t section##_##key;
#define STR(section, key, def, doc) char section##_##key[CONFIG_STR_SIZE];
#include "config/keys.def"
#undef INT
#undef ENUM
#undef STR
};

/* l1d.bypass */
#define L1D_BYPASS_ENUMERATOR(VALUE, name) BYPASS_##VALUE,
enum { BYPASS_NONE, L1D_BYPASS_POLICIES(L1D_BYPASS_ENUMERATOR) };
/* l1d.replacement */
#define L1D_REPLACEMENT_ENUMERATOR(VALUE, name) L1D_REPLACEMENT_##VALUE,
enum { L1D_REPLACEMENT_LRU, L1D_VICTIM_POLICIES(L1D_REPLACEMENT_ENUMERATOR) };
/* l1d.partition */
#define L1D_PARTITION_ENUMERATOR(VALUE, name) L1D_PARTITION_##VALUE,
enum { L1D_PARTITION_NONE, L1D_PARTITION_POLICIES(L1D_PARTITION_ENUMERATOR) };
/* l2.bypass */
#define L2_BYPASS_ENUMERATOR(VALUE, name) L2_BYPASS_##VALUE,
enum { L2_BYPASS_NONE, L2_BYPASS_POLICIES(L2_BYPASS_ENUMERATOR) };
/* l2.replacement */
#define L2_REPLACEMENT_ENUMERATOR(VALUE, name) L2_REPLACEMENT_##VALUE,
enum { L2_REPLACEMENT_LRU, L2_VICTIM_POLICIES(L2_REPLACEMENT_ENUMERATOR) };

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

#define CONFIG_BY_DEFAULT UINT_MAX
#define CONFIG_FILES 8 /* longest chain of a file, its base, the base of that, and so on */
#define CONFIG_PATH_SIZE 4096

/* Where the values of a configuration came from. */
struct config_sources {
    unsigned files;
    struct config_file {
        char path[CONFIG_PATH_SIZE];
        char name[CONFIG_PATH_SIZE]; /* of a shipped one without folder and .ini; else the path */
        bool shipped;
        dev_t device;
        ino_t inode;
    } file[CONFIG_FILES]; /* the one that was asked for, then its base, and so on */
    struct {
        unsigned file, line; /* line 0: config_override; or CONFIG_BY_DEFAULT */
    } key[CONFIG_KEYS];
};

/* All keys at the table's defaults: for tests of a part. A file gets values from them only for
 * cache levels that it does not name (memory/levels.def). */
void config_default(struct config *cfg);

/* The keys of a section at the table's defaults. */
void config_reset(struct config *cfg, const char *section);

/* Reads a configuration and notes in *from where each value came from. `name` is that of a file in
 * the folder `shipped` ("": there is none) without its .ini, or a path (with a '/', or that ends in
 * .ini, or of which there is no shipped one), or "-": standard input. A file names all keys, or
 * begins with "base = NAME", a path being relative to the file, and names what differs. Errors:
 * missing file, missing keys, unknown section or key, a key given twice, not an integer, not one of
 * the values, out of range, an empty or too long string, bases in a circle. Returns 0, or -1 with
 * "FILE:LINE: what" in err.
 */
int config_load(struct config *cfg, struct config_sources *from, const char *name,
                const char *shipped, char *err, size_t err_size);

/* One "section.key=value" from the command line; `from` may be NULL. Returns 0, or -1 with one line
 * in err. */
int config_override(struct config *cfg, struct config_sources *from, const char *assignment,
                    char *err, size_t err_size);

/* One "section.key=value" that comes from elsewhere: the line in err does not speak of -s. */
int config_set(struct config *cfg, const char *assignment, char *err, size_t err_size);

/* The source of a key's value: "titanx.ini:31" (shipped ones without their folder), "default", or
 * "-s". */
void config_source(const struct config_sources *from, const char *section, const char *key,
                   char *buf, size_t size);

/* Appends to a message where the keys that it names come from:
 * " (l1d.sets: mine.ini:3, l1d.ways: -s)". */
void config_add_sources(const struct config_sources *from, char *text, size_t size);

/* All sources in one line: "titanx; 12 keys from mine.ini, 2 from -s". */
void config_summary(const struct config_sources *from, char *buf, size_t size);

/* Writes one line about wrong keys to err, for the checks of the rooms. Returns -1. */
int config_refuse(char *err, size_t err_size, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Is a key read in the mode that others choose (needs.def)? `name` is "section.key" of one that
 * exists. If not, and `why` is not NULL: "l2.cart_fill=branch has no effect with
 * l2.incoming=fifo". */
bool config_has_effect(const struct config *cfg, const char *name, char *why, size_t why_size);

/* Refuses a key without effect that config_override has set. Files describe machines, and may have
 * keys of modes that are chosen later. Returns 0, or -1 with one line in err. */
int config_check_effect(const struct config *cfg, const struct config_sources *from, char *err,
                        size_t err_size);

/* The value of a key that exists, as text. */
void config_value(const struct config *cfg, const char *section, const char *key, char *buf,
                  size_t size);

/* Calls `fn` for each key in table order, with its value as text. */
void config_each(const struct config *cfg,
                 void (*fn)(void *ctx, const char *section, const char *key, const char *value,
                            const char *doc),
                 void *ctx);

#endif
