// SPDX-License-Identifier: Apache-2.0
#include "config/config.h"

#include <errno.h>
#include <ini.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One row of a keys.def. values is set for an ENUM only, text for a STR only. */
struct key {
    const char *section, *name;
    size_t offset;
    int64_t def, min, max;
    const char *values, *text, *doc;
};

#define INT(section, key, def, min, max, doc)                                                      \
    {#section, #key, offsetof(struct config, section##_##key), def, min, max, NULL, NULL, doc},
#define ENUM(section, key, def, values, doc)                                                       \
    {#section, #key, offsetof(struct config, section##_##key), def, 0, 0, values, NULL, doc},
#define STR(section, key, def, doc)                                                                \
    {#section, #key, offsetof(struct config, section##_##key), 0, 0, 0, NULL, def, doc},
static const struct key keys[] = {
#include "config/keys.def"
};
#undef INT
#undef ENUM
#undef STR
#define N_KEYS (sizeof keys / sizeof keys[0])

static int64_t *slot(struct config *cfg, const struct key *k) {
    return (int64_t *)(void *)((char *)cfg + k->offset);
}

static int64_t value_of(const struct config *cfg, const struct key *k) {
    return *(const int64_t *)(const void *)((const char *)cfg + k->offset);
}

/* The rest of the array is filled with zeros: equal configurations have equal bytes. */
static void set_text(struct config *cfg, const struct key *k, const char *text) {
    strncpy((char *)cfg + k->offset, text, CONFIG_STR_SIZE);
}

void config_default(struct config *cfg) {
    memset(cfg, 0, sizeof *cfg);
    for (size_t i = 0; i < N_KEYS; i++)
        if (keys[i].text)
            set_text(cfg, &keys[i], keys[i].text);
        else
            *slot(cfg, &keys[i]) = keys[i].def;
}

static bool section_known(const char *section) {
    for (size_t i = 0; i < N_KEYS; i++)
        if (strcmp(keys[i].section, section) == 0)
            return true;
    return false;
}

static const struct key *find_key(const char *section, const char *name) {
    for (size_t i = 0; i < N_KEYS; i++)
        if (strcmp(keys[i].section, section) == 0 && strcmp(keys[i].name, name) == 0)
            return &keys[i];
    return NULL;
}

/* What was given may hold any byte; a message is one line. */
static void make_line(char *text) {
    for (; *text; text++)
        if ((unsigned char)*text < ' ' || *text == 0x7f)
            *text = '?';
}

int config_refuse(char *err, size_t err_size, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    vsnprintf(err, err_size, fmt, args);
    va_end(args);
    make_line(err);
    return -1;
}

/* Position of `text` among "a|b|c", or -1. */
static int64_t enum_position(const char *values, const char *text) {
    size_t len = strlen(text);
    int64_t position = 0;
    for (const char *v = values;; position++) {
        size_t n = strcspn(v, "|");
        if (n == len && strncmp(v, text, n) == 0)
            return position;
        if (v[n] == '\0')
            return -1;
        v += n + 1;
    }
}

/* Copies value number `position` of "a|b|c" to buf. */
static void enum_name(const char *values, int64_t position, char *buf, size_t size) {
    for (; position > 0; position--)
        values += strcspn(values, "|") + 1;
    snprintf(buf, size, "%.*s", (int)strcspn(values, "|"), values);
}

static bool parse_integer(const char *text, int64_t *value) {
    const char *digits = text[0] == '-' ? text + 1 : text;
    if (digits[0] == '\0' || strspn(digits, "0123456789") != strlen(digits))
        return false;
    *value = strtoll(text, NULL, 10); /* beyond 64 bits: the nearest, which no key allows */
    return true;
}

static int assign_text(struct config *cfg, const struct key *k, const char *text, char *err,
                       size_t err_size) {
    if (!*text)
        return config_refuse(err, err_size, "%s.%s: empty", k->section, k->name);
    if (strlen(text) >= CONFIG_STR_SIZE)
        return config_refuse(err, err_size, "%s.%s: '%s' is longer than %d characters", k->section,
                             k->name, text, CONFIG_STR_SIZE - 1);
    set_text(cfg, k, text);
    return 0;
}

static int assign(struct config *cfg, const struct key *k, const char *text, char *err,
                  size_t err_size) {
    int64_t value;
    if (k->text)
        return assign_text(cfg, k, text, err, err_size);
    if (k->values) {
        value = enum_position(k->values, text);
        if (value < 0)
            return config_refuse(err, err_size, "%s.%s: '%s' is not one of %s", k->section, k->name,
                                 text, k->values);
    } else {
        if (!parse_integer(text, &value))
            return config_refuse(err, err_size, "%s.%s: '%s' is not an integer", k->section,
                                 k->name, text);
        if (value < k->min || value > k->max)
            return config_refuse(err, err_size, "%s.%s: %s is outside %" PRId64 "..%" PRId64,
                                 k->section, k->name, text, k->min, k->max);
    }
    *slot(cfg, k) = value;
    return 0;
}

static const struct key *known_key(const char *section, const char *name, char *err,
                                   size_t err_size) {
    const struct key *k = find_key(section, name);
    if (!k && section[0] == '\0')
        config_refuse(err, err_size, "key '%s' stands outside any section", name);
    else if (!k && !section_known(section))
        config_refuse(err, err_size, "unknown section '%s' (see memtwin list keys)", section);
    else if (!k)
        config_refuse(err, err_size, "unknown key '%s' in section '%s' (see memtwin list keys)",
                      name, section);
    return k;
}

/* ---- Files ---- */

/* A file being loaded. inih splits the lines; they are counted and measured here, since it tells
 * its handler no line number and cuts a line that does not fit its buffer in two. */
struct loading {
    struct config *cfg;
    const char *path;
    FILE *file;
    unsigned line;
    bool failed;
    bool seen[N_KEYS];
    char *err;
    size_t err_size;
};

__attribute__((format(printf, 2, 3))) static void fail_at_line(struct loading *l, const char *fmt,
                                                               ...) {
    if (l->failed)
        return;
    l->failed = true;
    int n = l->line ? snprintf(l->err, l->err_size, "%s:%u: ", l->path, l->line)
                    : snprintf(l->err, l->err_size, "%s: ", l->path);
    if (n < 0 || (size_t)n >= l->err_size)
        return;
    va_list args;
    va_start(args, fmt);
    vsnprintf(l->err + n, l->err_size - (size_t)n, fmt, args);
    va_end(args);
    make_line(l->err + n);
}

/* inih says nothing of a section without keys. */
static void check_section(struct loading *l, const char *text) {
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(text + 1, "]\n"), text + 1);
    if (strchr(text, ']') && !section_known(name))
        fail_at_line(l, "unknown section '%s' (see memtwin list keys)", name);
}

/* fgets for inih. Leading blanks are dropped, so that an indented line is not taken for the
 * continuation of the one before. */
static char *read_line(char *buf, int size, void *stream) {
    struct loading *l = stream;
    if (l->failed)
        return NULL;
    char *line = NULL, *result = NULL;
    size_t room = 0;
    ssize_t len = getline(&line, &room, l->file);
    if (len >= 0) {
        l->line++;
        const char *text = line + strspn(line, " \t");
        if (strlen(line) != (size_t)len)
            fail_at_line(l, "a zero byte: not a text file");
        else if (strlen(text) + 1 > (size_t)size)
            fail_at_line(l, "line longer than %d characters", size - 2);
        else
            result = strcpy(buf, text);
        if (result && text[0] == '[')
            check_section(l, text);
        if (l->failed)
            result = NULL;
    } else if (ferror(l->file)) {
        fail_at_line(l, "%s", strerror(errno));
    }
    free(line);
    return result;
}

/* Handler for inih: one key. Returns 1 if it was good. */
static int take_key(void *user, const char *section, const char *name, const char *value) {
    struct loading *l = user;
    char why[256];
    const struct key *k = known_key(section, name, why, sizeof why);
    if (!k) {
        fail_at_line(l, "%s", why);
        return 0;
    }
    if (l->seen[k - keys]) {
        fail_at_line(l, "key '%s' is given twice in section '%s'", name, section);
        return 0;
    }
    l->seen[k - keys] = true;
    if (assign(l->cfg, k, value, why, sizeof why)) {
        fail_at_line(l, "%s", why);
        return 0;
    }
    return 1;
}

int config_load(struct config *cfg, const char *path, char *err, size_t err_size) {
    struct loading l = {.cfg = cfg, .path = path, .err = err, .err_size = err_size};
    l.file = fopen(path, "r");
    if (!l.file)
        return config_refuse(err, err_size, "%s: %s", path, strerror(errno));
    int bad_line = ini_parse_stream(read_line, &l, take_key, &l);
    fclose(l.file);
    if (bad_line > 0 && (!l.failed || (unsigned)bad_line < l.line)) {
        l.failed = false;
        l.line = (unsigned)bad_line;
        fail_at_line(&l, "neither [section] nor key = value");
    }
    return l.failed ? -1 : 0;
}

/* ---- Command line ---- */

static int set_key(struct config *cfg, const char *assignment, char *err, size_t err_size) {
    char section[32], name[32];
    int used = -1;
    if (sscanf(assignment, "%31[^.=].%31[^.=]=%n", section, name, &used) < 2 || used < 0)
        return config_refuse(err, err_size, "expected section.key=value");
    const struct key *k = known_key(section, name, err, err_size);
    return k ? assign(cfg, k, assignment + used, err, err_size) : -1;
}

int config_set(struct config *cfg, const char *assignment, char *err, size_t err_size) {
    char why[256];
    if (set_key(cfg, assignment, why, sizeof why))
        return config_refuse(err, err_size, "-s %s: %s", assignment, why);
    return 0;
}

/* ---- Values ---- */

void config_each(const struct config *cfg,
                 void (*fn)(void *ctx, const char *section, const char *key, const char *value,
                            const char *doc),
                 void *ctx) {
    for (size_t i = 0; i < N_KEYS; i++) {
        const struct key *k = &keys[i];
        char text[CONFIG_STR_SIZE];
        if (k->text)
            snprintf(text, sizeof text, "%s", (const char *)cfg + k->offset);
        else if (k->values)
            enum_name(k->values, value_of(cfg, k), text, sizeof text);
        else
            snprintf(text, sizeof text, "%" PRId64, value_of(cfg, k));
        fn(ctx, k->section, k->name, text, k->doc);
    }
}
