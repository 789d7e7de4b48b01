// SPDX-License-Identifier: Apache-2.0
#include "config/config.h"

#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <ini.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/guess.h"
#include "lib/message.h"

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

static void set_default(struct config *cfg, const struct key *k) {
    if (k->text)
        set_text(cfg, k, k->text);
    else
        *slot(cfg, k) = k->def;
}

void config_default(struct config *cfg) {
    memset(cfg, 0, sizeof *cfg);
    for (size_t i = 0; i < CONFIG_KEYS; i++)
        set_default(cfg, &keys[i]);
}

void config_reset(struct config *cfg, const char *section) {
    for (size_t i = 0; i < CONFIG_KEYS; i++)
        if (strcmp(keys[i].section, section) == 0)
            set_default(cfg, &keys[i]);
}

static bool section_known(const char *section) {
    for (size_t i = 0; i < CONFIG_KEYS; i++)
        if (strcmp(keys[i].section, section) == 0)
            return true;
    return false;
}

static const char *section_hint(struct guess *g, const char *section) {
    guess_begin(g, section);
    for (size_t i = 0; i < CONFIG_KEYS; i++)
        guess_try(g, keys[i].section, strlen(keys[i].section));
    return guess_hint(g);
}

static const char *key_hint(struct guess *g, const char *section, const char *name) {
    guess_begin(g, name);
    for (size_t i = 0; i < CONFIG_KEYS; i++)
        if (strcmp(keys[i].section, section) == 0)
            guess_try(g, keys[i].name, strlen(keys[i].name));
    return guess_hint(g);
}

/* first: the key that is looked at first. */
static const struct key *find_key_from(size_t first, const char *section, const char *name) {
    for (size_t n = 0; n < CONFIG_KEYS; n++) {
        const struct key *k = &keys[(first + n) % CONFIG_KEYS];
        if (strcmp(k->name, name) == 0 && strcmp(k->section, section) == 0)
            return k;
    }
    return NULL;
}

static const struct key *find_key(const char *section, const char *name) {
    return find_key_from(0, section, name);
}

int config_refuse(char *err, size_t err_size, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    message_vprint(err, err_size, fmt, args);
    va_end(args);
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
            return config_refuse(err, err_size,
                                 "%s.%s: '%s' is not an integer from %" PRId64 " to %" PRId64,
                                 k->section, k->name, text, k->min, k->max);
        if (value < k->min || value > k->max)
            return config_refuse(err, err_size, "%s.%s: %s is outside %" PRId64 "..%" PRId64,
                                 k->section, k->name, text, k->min, k->max);
    }
    *slot(cfg, k) = value;
    return 0;
}

static const struct key *known_key(const char *section, const char *name, size_t first, char *err,
                                   size_t err_size) {
    const struct key *k = find_key_from(first, section, name);
    struct guess guess;
    if (!k && section[0] == '\0')
        config_refuse(err, err_size, "key '%s' is outside any section", name);
    else if (!k && !section_known(section))
        config_refuse(err, err_size, "unknown section '%s' (see memtwin list keys)%s", section,
                      section_hint(&guess, section));
    else if (!k)
        config_refuse(err, err_size, "unknown key '%s' in section '%s' (see memtwin list keys)%s",
                      name, section, key_hint(&guess, section, name));
    return k;
}

/* ---- Files ---- */

/* A file being loaded. inih splits the lines; they are counted and measured here, since it tells
 * its handler no line number and cuts a line that does not fit its buffer in two. */
struct loading {
    struct config *cfg;
    struct config_sources *from;
    const char *shipped;
    unsigned place; /* among the files of *from */
    FILE *file;
    unsigned line;
    bool failed, based;
    bool seen[CONFIG_KEYS];
    size_t next; /* the key after the last one read: files mostly go through a section in order */
    char *err;
    size_t err_size;
};

__attribute__((format(printf, 2, 3))) static void fail_at_line(struct loading *l, const char *fmt,
                                                               ...) {
    if (l->failed)
        return;
    l->failed = true;
    const char *path = l->from->file[l->place].path;
    char what[2 * CONFIG_PATH_SIZE];
    va_list args;
    va_start(args, fmt);
    message_vprint(what, sizeof what, fmt, args);
    va_end(args);
    /* Those of its own version are read without errors. */
    const char *hint = l->from->file[l->place].shipped
                           ? "; the file is of another version of memtwin, or was changed"
                           : "";
    if (l->line)
        message_print(l->err, l->err_size, "%s:%u: %s%s", path, l->line, what, hint);
    else
        message_print(l->err, l->err_size, "%s: %s%s", path, what, hint);
}

/* inih says nothing of a section without keys. */
static void check_section(struct loading *l, const char *text) {
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(text + 1, "]\n"), text + 1);
    struct guess guess;
    if (strchr(text, ']') && !section_known(name))
        fail_at_line(l, "unknown section '%s' (see memtwin list keys)%s", name,
                     section_hint(&guess, name));
}

/* A line, or as much of it as fits. Returns its length. */
static size_t get_line(char *line, size_t size, FILE *f) {
    size_t n = 0;
    for (int c = 0; c != '\n' && n + 1 < size && (c = getc(f)) != EOF;)
        line[n++] = (char)c;
    line[n] = '\0';
    return n;
}

/* fgets for inih. Leading blanks are dropped, so that an indented line is not taken for the
 * continuation of the one before. */
static char *read_line(char *buf, int size, void *stream) {
    struct loading *l = stream;
    char line[1024];
    if (l->failed)
        return NULL;
    size_t len = get_line(line, sizeof line, l->file);
    const char *text = line + strspn(line, " \t");
    if (len > 0)
        l->line++;
    if (strlen(line) != len)
        fail_at_line(l, "a zero byte: not a text file");
    else if (strlen(text) + 1 > (size_t)size || len + 1 == sizeof line)
        fail_at_line(l, "line longer than %d characters", size - 2);
    else if (ferror(l->file))
        fail_at_line(l, "%s", strerror(errno));
    else if (text[0] == '[')
        check_section(l, text);
    return l->failed || len == 0 ? NULL : strcpy(buf, text);
}

static bool is_path(const char *name) {
    size_t len = strlen(name);
    return strchr(name, '/') || (len > 4 && strcmp(name + len - 4, ".ini") == 0);
}

/* The path of a configuration; a relative one begins in the folder of the file `beside` (NULL:
 * here). */
static int find_file(struct config_file *file, const char *name, const char *beside,
                     const char *shipped) {
    const char *slash = beside && name[0] != '/' ? strrchr(beside, '/') : NULL;
    int folder = slash ? (int)(slash - beside + 1) : 0;
    int len = snprintf(file->path, sizeof file->path, "%s/%s.ini", shipped, name);
    file->shipped = shipped[0] && !is_path(name) && access(file->path, F_OK) == 0;
    if (!file->shipped)
        len = snprintf(file->path, sizeof file->path, "%.*s%s", folder, beside ? beside : "", name);
    message_print(file->name, sizeof file->name, "%s", file->shipped ? name : file->path);
    return len < 0 || (size_t)len >= sizeof file->path ? -1 : 0;
}

static void close_file(FILE *f) {
    if (f != stdin)
        fclose(f);
}

/* Whether the last file of *from is one of the others too. */
static bool in_circle(const struct config_sources *from) {
    const struct config_file *last = &from->file[from->files - 1];
    for (const struct config_file *f = from->file; f < last; f++)
        if (f->device == last->device && f->inode == last->inode)
            return true;
    return false;
}

/* A hint at the configuration of folder `shipped` that is meant by `name`. */
static const char *near_file(struct guess *guess, const char *name, const char *shipped) {
    guess_begin(guess, name);
    DIR *dir = opendir(shipped);
    for (struct dirent *e; dir && (e = readdir(dir)) != NULL;) {
        size_t len = strlen(e->d_name);
        if (len > 4 && strcmp(e->d_name + len - 4, ".ini") == 0)
            guess_try(guess, e->d_name, len - 4);
    }
    if (dir)
        closedir(dir);
    return guess_hint(guess);
}

/* Opens a configuration as the next file of *from. NULL with one line in err. */
static FILE *open_next(struct config_sources *from, const char *name, const char *shipped,
                       char *err, size_t err_size) {
    const char *beside = from->files ? from->file[from->files - 1].path : NULL;
    struct config_file *file = &from->file[from->files];
    struct guess guess;
    struct stat s;
    if (!*name) {
        config_refuse(err, err_size, "the name of the configuration is empty");
        return NULL;
    }
    if (from->files == CONFIG_FILES) {
        config_refuse(err, err_size, "more than %d files, each the base of another", CONFIG_FILES);
        return NULL;
    }
    if (find_file(file, name, beside, shipped)) {
        config_refuse(err, err_size, "the path of configuration '%.40s...' is too long", name);
        return NULL;
    }
    FILE *f = !beside && strcmp(name, "-") == 0 ? stdin : fopen(file->path, "r");
    if (!f) {
        if (errno == ENOENT && !is_path(name))
            config_refuse(err, err_size, "no configuration '%s' (see memtwin list configs)%s", name,
                          near_file(&guess, name, shipped));
        else
            config_refuse(err, err_size, "cannot read configuration %s: %s", file->path,
                          strerror(errno));
        return NULL;
    }
    if (f == stdin)
        strcpy(file->name, strcpy(file->path, "<stdin>"));
    if (fstat(fileno(f), &s) == 0) {
        file->device = s.st_dev;
        file->inode = s.st_ino;
    }
    from->files++;
    return f;
}

static void read_file(struct loading *l);

/* The line "base = NAME": the keys of that file, and then those that follow here. */
static int take_base(struct loading *l, const char *name) {
    char why[CONFIG_PATH_SIZE + 256];
    struct loading base = {.cfg = l->cfg,
                           .from = l->from,
                           .shipped = l->shipped,
                           .place = l->place + 1,
                           .err = l->err,
                           .err_size = l->err_size};
    if (l->based) {
        fail_at_line(l, "a second base");
        return 0;
    }
    l->based = true;
    base.file = open_next(l->from, name, l->shipped, why, sizeof why);
    if (!base.file) {
        fail_at_line(l, "base = %s: %s", name, why);
        return 0;
    }
    if (in_circle(l->from))
        fail_at_line(l, "base = %s: the base files form a cycle", name);
    else
        read_file(&base);
    close_file(base.file);
    l->failed |= base.failed;
    return !l->failed;
}

/* Handler for inih: one key. Returns 1 if it was good. */
static int take_key(void *user, const char *section, const char *name, const char *value) {
    struct loading *l = user;
    char why[256];
    if (strcmp(name, "base") == 0 && section[0] == '\0')
        return take_base(l, value);
    const struct key *k = known_key(section, name, l->next, why, sizeof why);
    if (!k && strcmp(name, "base") == 0)
        snprintf(why, sizeof why, "base must come before the first section");
    if (!k) {
        fail_at_line(l, "%s", why);
        return 0;
    }
    if (l->seen[k - keys]) {
        fail_at_line(l, "key '%s' is given twice in section '%s'", name, section);
        return 0;
    }
    l->seen[k - keys] = true;
    l->next = (size_t)(k - keys) + 1;
    l->from->key[k - keys].file = l->place;
    l->from->key[k - keys].line = l->line;
    if (assign(l->cfg, k, value, why, sizeof why)) {
        fail_at_line(l, "%s", why);
        return 0;
    }
    return 1;
}

/* A file may leave out the keys of cache levels that it does not have: defaults count. */
static bool is_optional(const struct key *k) {
#define LEVEL_IS(level, title) || strcmp(k->section, #level) == 0
    return false MEMORY_LEVELS(LEVEL_IS);
#undef LEVEL_IS
}

/* A file without a base has every other key. */
static void check_complete(struct loading *l) {
    char first[256] = "";
    unsigned missing = 0, needed = 0;
    for (size_t i = 0; i < CONFIG_KEYS; i++) {
        if (!l->seen[i] && is_optional(&keys[i])) {
            l->from->key[i].file = l->place;
            l->from->key[i].line = CONFIG_BY_DEFAULT;
            continue;
        }
        needed++;
        if (l->seen[i] || ++missing > 3)
            continue;
        size_t n = strlen(first);
        snprintf(first + n, sizeof first - n, "%s%s.%s", n ? ", " : "", keys[i].section,
                 keys[i].name);
    }
    l->line = 0;
    if (missing)
        fail_at_line(l,
                     "missing %u of %u keys (%s%s): begin with 'base = NAME' (memtwin list "
                     "configs), or name them all",
                     missing, needed, first, missing > 3 ? ", .." : "");
}

static void read_file(struct loading *l) {
    int bad_line = ini_parse_stream(read_line, l, take_key, l);
    if (bad_line > 0 && (!l->failed || (unsigned)bad_line < l->line)) {
        l->failed = false;
        l->line = (unsigned)bad_line;
        fail_at_line(l, "neither [section] nor key = value");
    }
    if (!l->failed && !l->based)
        check_complete(l);
}

int config_load(struct config *cfg, struct config_sources *from, const char *name,
                const char *shipped, char *err, size_t err_size) {
    struct loading l = {
        .cfg = cfg, .from = from, .shipped = shipped, .err = err, .err_size = err_size};
    memset(from, 0, sizeof *from);
    config_default(cfg);
    l.file = open_next(from, name, shipped, err, err_size);
    if (!l.file)
        return -1;
    read_file(&l);
    close_file(l.file);
    return l.failed ? -1 : 0;
}

/* ---- Command line ---- */

/* Returns the key that was set, or NULL. */
static const struct key *set_key(struct config *cfg, const char *assignment, char *err,
                                 size_t err_size) {
    char section[32], name[32];
    int used = -1;
    if (sscanf(assignment, "%31[^.=].%31[^.=]=%n", section, name, &used) < 2 || used < 0) {
        config_refuse(err, err_size, "expected section.key=value");
        return NULL;
    }
    const struct key *k = known_key(section, name, 0, err, err_size);
    return k && assign(cfg, k, assignment + used, err, err_size) == 0 ? k : NULL;
}

int config_set(struct config *cfg, const char *assignment, char *err, size_t err_size) {
    return set_key(cfg, assignment, err, err_size) ? 0 : -1;
}

int config_override(struct config *cfg, struct config_sources *from, const char *assignment,
                    char *err, size_t err_size) {
    char why[256];
    const struct key *k = set_key(cfg, assignment, why, sizeof why);
    if (!k)
        return config_refuse(err, err_size, "-s %s: %s", assignment, why);
    if (from)
        from->key[k - keys].line = 0;
    return 0;
}

/* ---- Sources ---- */

void config_source(const struct config_sources *from, const char *section, const char *key,
                   char *buf, size_t size) {
    size_t i = (size_t)(find_key(section, key) - keys);
    const struct config_file *f = &from->file[from->key[i].file];
    if (from->key[i].line == CONFIG_BY_DEFAULT)
        snprintf(buf, size, "default");
    else if (from->key[i].line)
        snprintf(buf, size, "%s%s:%u", f->name, f->shipped ? ".ini" : "", from->key[i].line);
    else
        snprintf(buf, size, "-s");
}

/* The key that begins at `text`, as section.key, and where it ends; NULL: none does. */
static const struct key *key_at(const char *text, const char **end) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789_";
    const size_t section = strspn(text, letters);
    const size_t name = text[section] == '.' ? strspn(text + section + 1, letters) : 0;
    char word[2][64];
    *end = text + section + (name ? 1 + name : 0);
    if (!name || section >= sizeof word[0] || name >= sizeof word[1])
        return NULL;
    snprintf(word[0], sizeof word[0], "%.*s", (int)section, text);
    snprintf(word[1], sizeof word[1], "%.*s", (int)name, text + section + 1);
    return find_key(word[0], word[1]);
}

void config_add_sources(const struct config_sources *from, char *text, size_t size) {
    const char *const message_end = text + strlen(text);
    bool told[CONFIG_KEYS] = {false};
    const char *open = " (";
    const char *at = text;
    while (at < message_end) {
        const char *end;
        const struct key *k = key_at(at, &end);
        at = end == at ? at + 1 : end;
        const size_t len = strlen(text);
        char source[CONFIG_PATH_SIZE];
        if (!k || told[k - keys])
            continue;
        told[k - keys] = true;
        config_source(from, k->section, k->name, source, sizeof source);
        snprintf(text + len, size - len, "%s%s.%s: %s", open, k->section, k->name, source);
        open = ", ";
    }
    const size_t len = strlen(text);
    if (text + len > message_end)
        snprintf(text + len, size - len, ")");
}

/* Appends "12 keys from mine.ini" to the summary, if it is not none. */
static void add_count(char *buf, size_t size, unsigned n, const char *source, bool *begun) {
    size_t len = strlen(buf);
    const char *word = *begun ? "" : n == 1 ? " key" : " keys";
    if (n)
        snprintf(buf + len, size - len, "%s%u%s from %s", *begun ? ", " : "; ", n, word, source);
    *begun |= n > 0;
}

/* The machine is the first shipped one, or the file without a base. */
void config_summary(const struct config_sources *from, char *buf, size_t size) {
    unsigned count[CONFIG_FILES] = {0}, machine = 0, overridden = 0;
    bool begun = false;
    while (machine + 1 < from->files && !from->file[machine].shipped)
        machine++;
    for (size_t i = 0; i < CONFIG_KEYS; i++)
        ++*(from->key[i].line ? &count[from->key[i].file] : &overridden);
    snprintf(buf, size, "%s", from->file[machine].name);
    for (unsigned f = 0; f < machine; f++)
        add_count(buf, size, count[f], from->file[f].name, &begun);
    add_count(buf, size, overridden, "-s", &begun);
}

/* ---- Values ---- */

static void print_value(const struct config *cfg, const struct key *k, char *buf, size_t size) {
    if (k->text)
        snprintf(buf, size, "%s", (const char *)cfg + k->offset);
    else if (k->values)
        enum_name(k->values, value_of(cfg, k), buf, size);
    else
        snprintf(buf, size, "%" PRId64, value_of(cfg, k));
}

void config_value(const struct config *cfg, const char *section, const char *key, char *buf,
                  size_t size) {
    print_value(cfg, find_key(section, key), buf, size);
}

/* ---- Keys without effect ---- */

struct need {
    const char *key, *chooser, *values; /* needs.def */
};

#define NEEDS(key, chooser, values) {key, chooser, values},
static const struct need needs[] = {
#include "config/needs.def"
};
#undef NEEDS

static bool key_matches(const char *pattern, const struct key *k) {
    char name[64];
    snprintf(name, sizeof name, "%s.%s", k->section, k->name);
    return fnmatch(pattern, name, 0) == 0;
}

/* The first of the keys that choose whether a need is met, or NULL: it is. */
static const struct key *unmet(const struct config *cfg, const struct need *need) {
    const bool other = need->values[0] == '!';
    const struct key *first = NULL;
    for (size_t i = 0; i < CONFIG_KEYS; i++) {
        char value[CONFIG_STR_SIZE];
        if (!key_matches(need->chooser, &keys[i]))
            continue;
        print_value(cfg, &keys[i], value, sizeof value);
        if ((enum_position(need->values + other, value) >= 0) != other)
            return NULL;
        if (!first)
            first = &keys[i];
    }
    return first;
}

static bool has_effect(const struct config *cfg, const struct key *k, char *why, size_t why_size) {
    for (size_t i = 0; i < sizeof needs / sizeof needs[0]; i++) {
        const struct key *chooser = key_matches(needs[i].key, k) ? unmet(cfg, &needs[i]) : NULL;
        char value[CONFIG_STR_SIZE], chosen[CONFIG_STR_SIZE];
        if (!chooser)
            continue;
        print_value(cfg, k, value, sizeof value);
        print_value(cfg, chooser, chosen, sizeof chosen);
        if (why)
            message_print(why, why_size, "%s.%s=%s has no effect with %s.%s=%s", k->section,
                          k->name, value, chooser->section, chooser->name, chosen);
        return false;
    }
    return true;
}

bool config_has_effect(const struct config *cfg, const char *name, char *why, size_t why_size) {
    const char *end;
    return has_effect(cfg, key_at(name, &end), why, why_size);
}

int config_check_effect(const struct config *cfg, const struct config_sources *from, char *err,
                        size_t err_size) {
    for (size_t i = 0; i < CONFIG_KEYS; i++)
        if (!from->key[i].line && !has_effect(cfg, &keys[i], err, err_size))
            return -1;
    return 0;
}

void config_each(const struct config *cfg,
                 void (*fn)(void *ctx, const char *section, const char *key, const char *value,
                            const char *doc),
                 void *ctx) {
    for (size_t i = 0; i < CONFIG_KEYS; i++) {
        const struct key *k = &keys[i];
        char text[CONFIG_STR_SIZE];
        print_value(cfg, k, text, sizeof text);
        fn(ctx, k->section, k->name, text, k->doc);
    }
}
