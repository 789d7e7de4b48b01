// SPDX-License-Identifier: Apache-2.0
#include "config/config.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "import/import.h"
#include "lib/guess.h"
#include "lib/ini_file.h"
#include "lib/message.h"
#include "lib/numbers.h"
#include "lib/text_file.h"

/* A row of keys.def. `values` is set only for an ENUM, and `text` only for a STR. `needs` is NULL
 * for a key that always has an effect. */
struct key {
    const char *section, *name;
    size_t offset;
    int64_t def, min, max;
    const char *values, *text, *doc, *needs;
};

#define INT(section, key, def, min, max, ...)                                                      \
    {#section, #key, offsetof(struct config, section##_##key),                                     \
     def,      min,  max,                                                                          \
     NULL,     NULL, CONFIG_KEY_TEXTS(__VA_ARGS__)},
#define ENUM(section, key, def, values, ...)                                                       \
    {#section, #key, offsetof(struct config, section##_##key),                                     \
     def,      0,    0,                                                                            \
     values,   NULL, CONFIG_KEY_TEXTS(__VA_ARGS__)},
#define STR(section, key, def, ...)                                                                \
    {#section, #key, offsetof(struct config, section##_##key),                                     \
     0,        0,    0,                                                                            \
     NULL,     def,  CONFIG_KEY_TEXTS(__VA_ARGS__)},
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

/* Fills the rest of the array with zeros, so that equal configurations have equal bytes. */
static void set_text(struct config *cfg, const struct key *k, const char *text) {
    char plain[CONFIG_STR_SIZE];
    snprintf(plain, sizeof plain, "%s", text);
    numbers_plain(plain);
    strncpy((char *)cfg + k->offset, plain, CONFIG_STR_SIZE);
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

/* Returns the key with this name, or NULL. The search begins at index `first`. */
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

/* Returns the position of `text`, counted from 0, in a list such as "a|b|c", or -1. */
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

/* Copies the value at `position`, counted from 0, in a list such as "a|b|c" to buf. */
static void enum_name(const char *values, int64_t position, char *buf, size_t size) {
    for (; position > 0; position--)
        values += strcspn(values, "|") + 1;
    snprintf(buf, size, "%.*s", (int)strcspn(values, "|"), values);
}

static bool parse_integer(const char *text, int64_t *value) {
    const char *digits = text[0] == '-' ? text + 1 : text;
    if (digits[0] == '\0' || strspn(digits, "0123456789") != strlen(digits))
        return false;
    *value = strtoll(text, NULL, 10); /* saturates at a value that no key allows */
    return true;
}

/* Returns the current name of a former key, value or configuration, or NULL if `former` is not a
 * former name. */
static const char *present_name(const char *former) {
    static const struct {
        const char *former, *now;
    } renamed[] = {
#define RENAMED(former, now) {former, now},
#include "config/renamed.def"
#undef RENAMED
    };
    for (size_t i = 0; i < sizeof renamed / sizeof renamed[0]; i++)
        if (strcmp(renamed[i].former, former) == 0)
            return renamed[i].now;
    return NULL;
}

/* Rejects a former key if `value` is "", or a former value of a key if `value` is "=VALUE". Returns
 * false if it is not a former name. */
static bool refuse_former(const char *section, const char *name, const char *value,
                          struct error *err) {
    char former[128];
    message_print(former, sizeof former, "%s.%s%s", section, name, value);
    const char *now = present_name(former);
    if (now)
        error_set(err, "%s %s", former, now);
    return now != NULL;
}

static bool refuse_former_value(const struct key *k, const char *text, struct error *err) {
    char former[128];
    message_print(former, sizeof former, "=%s", text);
    return refuse_former(k->section, k->name, former, err);
}

static int assign_text(struct config *cfg, const struct key *k, const char *text,
                       struct error *err) {
    if (refuse_former_value(k, text, err))
        return -1;
    if (!*text)
        return error_set(err, "%s.%s: empty", k->section, k->name);
    if (strlen(text) >= CONFIG_STR_SIZE)
        return error_set(err, "%s.%s: '%s' is longer than %d characters", k->section, k->name, text,
                         CONFIG_STR_SIZE - 1);
    set_text(cfg, k, text);
    return 0;
}

static int assign_key(struct config *cfg, const struct key *k, const char *text,
                      struct error *err) {
    int64_t value;
    if (k->text)
        return assign_text(cfg, k, text, err);
    if (k->values) {
        value = enum_position(k->values, text);
        if (value < 0 && refuse_former_value(k, text, err))
            return -1;
        if (value < 0)
            return error_set(err, "%s.%s: '%s' is not one of %s", k->section, k->name, text,
                             k->values);
    } else {
        if (!parse_integer(text, &value))
            return error_set(err, "%s.%s: '%s' is not an integer from %" PRId64 " to %" PRId64,
                             k->section, k->name, text, k->min, k->max);
        if (value < k->min || value > k->max)
            return error_set(err, "%s.%s: %s is outside %" PRId64 "..%" PRId64, k->section, k->name,
                             text, k->min, k->max);
    }
    *slot(cfg, k) = value;
    return 0;
}

static const struct key *known_key(const char *section, const char *name, size_t first,
                                   struct error *err) {
    const struct key *k = find_key_from(first, section, name);
    struct guess guess;
    if (!k && refuse_former(section, name, "", err))
        return NULL;
    if (!k && section[0] == '\0')
        error_set(err, "key '%s' is outside any section", name);
    else if (!k && !section_known(section))
        error_set(err, "unknown section '%s' (see memtwin list keys)%s", section,
                  section_hint(&guess, section));
    else if (!k)
        error_set(err, "unknown key '%s' in section '%s' (see memtwin list keys)%s", name, section,
                  key_hint(&guess, section, name));
    return k;
}

/* Sets one "section.key=value". Returns the key, or NULL with one line in err. */
static const struct key *set_key(struct config *cfg, const char *assignment, struct error *err) {
    char section[32], name[32];
    int used = -1;
    if (sscanf(assignment, "%31[^.=].%31[^.=]=%n", section, name, &used) < 2 || used < 0) {
        error_set(err, "expected section.key=value");
        return NULL;
    }
    const struct key *k = known_key(section, name, 0, err);
    return k && assign_key(cfg, k, assignment + used, err) == 0 ? k : NULL;
}

/* ---- Files ---- */

/* State of loading one file. */
struct loading {
    struct config *cfg;
    struct config_sources *from;
    const char *shipped;
    unsigned place; /* index among the files of *from */
    struct ini_file in;
    bool based;
    bool any; /* true if the file has a section or a key */
    bool seen[CONFIG_KEYS];
    size_t next; /* index of the key after the last one read, where the search for the next key
                    begins; most files list the keys of a section in the table's order */
};

static void check_section(void *ctx, const char *name) {
    struct loading *l = ctx;
    struct guess guess;
    l->any = true;
    if (!section_known(name))
        ini_file_fail(&l->in, "unknown section '%s' (see memtwin list keys)%s", name,
                      section_hint(&guess, name));
}

/* Finds the path of a configuration. A relative path is relative to the folder of the file
 * `sibling`, or to the current folder if `sibling` is NULL. Returns 0, or -1 if the path is too
 * long. */
static int find_file(struct config_file *file, const char *name, const char *sibling,
                     const char *shipped) {
    const char *slash = sibling && name[0] != '/' ? strrchr(sibling, '/') : NULL;
    int folder = slash ? (int)(slash - sibling + 1) : 0;
    int len = snprintf(file->path, sizeof file->path, "%s/%s.ini", shipped, name);
    file->shipped = shipped[0] && !ini_file_is_path(name) && access(file->path, F_OK) == 0;
    if (!file->shipped)
        len =
            snprintf(file->path, sizeof file->path, "%.*s%s", folder, sibling ? sibling : "", name);
    message_print(file->name, sizeof file->name, "%s", file->shipped ? name : file->path);
    return len < 0 || (size_t)len >= sizeof file->path ? -1 : 0;
}

static void close_file(FILE *f) {
    if (f != stdin)
        fclose(f);
}

/* True if the last file of *from occurs twice. */
static bool in_circle(const struct config_sources *from) {
    const struct config_file *last = &from->file[from->files - 1];
    for (const struct config_file *f = from->file; f < last; f++)
        if (f->device == last->device && f->inode == last->inode)
            return true;
    return false;
}

/* Returns a hint that names the configuration in folder `shipped` whose name is similar to
 * `name`. */
static const char *near_file(struct guess *guess, const char *name, const char *shipped) {
    guess_begin(guess, name);
    DIR *dir = opendir(shipped);
    for (struct dirent *e; dir && (e = readdir(dir)) != NULL;) {
        if (ini_file_has_suffix(e->d_name))
            guess_try(guess, e->d_name, strlen(e->d_name) - strlen(".ini"));
    }
    if (dir)
        closedir(dir);
    return guess_hint(guess);
}

/* Opens a configuration as the next file of *from. Returns NULL with one line in err on an
 * error. */
static FILE *open_next(struct config_sources *from, const char *name, const char *shipped,
                       struct error *err) {
    const char *sibling = from->files ? from->file[from->files - 1].path : NULL;
    struct config_file *file = &from->file[from->files];
    struct guess guess;
    struct stat s;
    const char *why = "";
    if (!*name) {
        error_set(err, "the name of the configuration is empty");
        return NULL;
    }
    if (from->files == CONFIG_FILES) {
        error_set(err, "more than %d files, each the base of another", CONFIG_FILES);
        return NULL;
    }
    if (find_file(file, name, sibling, shipped)) {
        error_set(err, "the path of configuration '%.40s...' is too long", name);
        return NULL;
    }
    FILE *f = !sibling && strcmp(name, "-") == 0 ? stdin : text_open(file->path, &why);
    if (!f) {
        if (errno == ENOENT && present_name(name))
            error_set(err, "%s %s", name, present_name(name));
        else if (errno == ENOENT && !ini_file_is_path(name))
            error_set(err, "no configuration '%s' (see memtwin list configs)%s", name,
                      near_file(&guess, name, shipped));
        else
            error_set(err, "cannot read configuration %s: %s", file->path, why);
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

/* Adds the files of an import to *from, and sets its keys. Returns 0, or -1 with one line in err.
 */
static int take_import(struct loading *l, const struct import *m, struct error *err) {
    struct config_sources *from = l->from;
    struct error why;
    const unsigned first = from->files;
    if (first + m->files > CONFIG_FILES)
        return error_set(err, "more than %d files, each the base of another", CONFIG_FILES);
    for (unsigned i = 0; i < m->files; i++) {
        struct config_file *f = &from->file[from->files++];
        *f = (struct config_file){0};
        strcpy(f->path, m->path[i]);
        message_print(f->name, sizeof f->name, "%s", m->path[i]);
    }
    for (const struct import_key *k = m->key; k < m->key + m->keys; k++) {
        char assignment[2 * CONFIG_STR_SIZE];
        const struct import_option *o = k->option;
        snprintf(assignment, sizeof assignment, "%s=%s", k->name, k->value);
        const struct key *key = set_key(l->cfg, assignment, &why);
        if (!key)
            return error_set_at(err, m->path[o ? o->file : 0], o ? o->line : 0, "%s %s: %s",
                                o ? o->name : "", o ? o->value : "", why.text);
        from->key[key - keys].file = first + (o ? o->file : 0);
        from->key[key - keys].line = o && o->line ? o->line : CONFIG_IMPLIED;
    }
    from->losses = m->losses;
    if (m->losses)
        import_loss_text(m, &m->loss[0], &from->loss);
    return 0;
}

/* Reads a configuration of GPGPU-Sim. Returns 0, or -1 with one line in err. */
static int read_import(struct loading *l, const char *name, struct error *err) {
    struct config_file file;
    const char *sibling = l->from->files ? l->from->file[l->from->files - 1].path : NULL;
    if (find_file(&file, name, sibling, ""))
        return error_set(err, "the path of configuration '%.40s...' is too long", name);
    const char *path = file.path;
    struct import *m = import_read(&path, 1, err);
    const int code = m ? take_import(l, m, err) : -1;
    import_free(m);
    return code;
}

static void read_file(struct loading *l, FILE *f, struct error *err);

/* Handles the line "base = NAME": reads the keys in the base. Keys that follow in the current file
 * override them. */
static int take_base(struct loading *l, const char *name) {
    struct error why;
    struct loading base = {
        .cfg = l->cfg, .from = l->from, .shipped = l->shipped, .place = l->place + 1};
    if (l->based)
        return ini_file_fail(&l->in, "a second base");
    l->based = true;
    if (ini_file_is_options(name))
        return read_import(l, name, &why) == 0 ||
               ini_file_fail(&l->in, "base = %s: %s", name, why.text);
    FILE *f = open_next(l->from, name, l->shipped, &why);
    if (!f)
        return ini_file_fail(&l->in, "base = %s: %s", name, why.text);
    if (in_circle(l->from))
        ini_file_fail(&l->in, "base = %s: the base files form a cycle", name);
    else
        read_file(&base, f, l->in.err);
    close_file(f);
    l->in.failed |= base.in.failed;
    return !l->in.failed;
}

/* Handles one key. Returns 1 if the key and its value are valid, otherwise 0. */
static int take_key(void *user, const char *section, const char *name, const char *value) {
    struct loading *l = user;
    struct error why;
    l->any = true;
    if (strcmp(name, "base") == 0 && section[0] == '\0')
        return take_base(l, value);
    const struct key *k = known_key(section, name, l->next, &why);
    if (!k && strcmp(name, "base") == 0)
        error_set(&why, "base must come before the first section");
    if (!k)
        return ini_file_fail(&l->in, "%s", why.text);
    if (l->seen[k - keys])
        return ini_file_fail(&l->in, "key '%s' is given twice in section '%s'", name, section);
    l->seen[k - keys] = true;
    l->next = (size_t)(k - keys) + 1;
    l->from->key[k - keys].file = l->place;
    l->from->key[k - keys].line = l->in.line;
    return assign_key(l->cfg, k, value, &why) == 0 || ini_file_fail(&l->in, "%s", why.text);
}

static void read_file(struct loading *l, FILE *f, struct error *err) {
    const struct config_file *file = &l->from->file[l->place];
    l->in = (struct ini_file){
        .f = f,
        .path = file->path,
        .err = err,
        /* A shipped file of this version has no errors. */
        .hint =
            file->shipped ? "; the file is of another version of memtwin, or was changed" : NULL,
        .ctx = l,
        .section = check_section,
        .key = take_key,
    };
    ini_file_read(&l->in);
    if (!l->any && !l->in.failed) {
        l->in.failed = true;
        error_set(err, "%s: %s; a configuration has at least one key, or base = NAME", file->path,
                  l->in.line ? "no key" : "empty");
    }
}

int config_load(struct config *cfg, struct config_sources *from, const char *name,
                const char *shipped, struct error *err) {
    struct loading l = {.cfg = cfg, .from = from, .shipped = shipped};
    memset(from, 0, sizeof *from);
    for (size_t i = 0; i < CONFIG_KEYS; i++)
        from->key[i].line = CONFIG_BY_DEFAULT;
    config_default(cfg);
    if (ini_file_is_options(name))
        return read_import(&l, name, err);
    FILE *f = open_next(from, name, shipped, err);
    if (!f)
        return -1;
    read_file(&l, f, err);
    close_file(f);
    return l.in.failed ? -1 : 0;
}

int config_of_import(struct config *cfg, const struct import *m, struct error *err) {
    struct config_sources from = {0};
    struct loading l = {.cfg = cfg, .from = &from};
    config_default(cfg);
    return take_import(&l, m, err);
}

/* ---- Command line ---- */

int config_set(struct config *cfg, const char *assignment, struct error *err) {
    return set_key(cfg, assignment, err) ? 0 : -1;
}

int config_override(struct config *cfg, struct config_sources *from, const char *assignment,
                    struct error *err) {
    struct error why;
    const struct key *k = set_key(cfg, assignment, &why);
    if (!k)
        return error_set(err, "-s %s: %s", assignment, why.text);
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
    else if (from->key[i].line == CONFIG_IMPLIED)
        snprintf(buf, size, "%s", f->name);
    else if (from->key[i].line)
        snprintf(buf, size, "%s%s:%u", f->name, f->shipped ? ".ini" : "", from->key[i].line);
    else
        snprintf(buf, size, "-s");
}

/* Returns the key whose name, section.key, is at the start of `text`, or NULL. Sets *end to the end
 * of the name. */
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

void config_add_sources(const struct config_sources *from, struct error *err) {
    char *const text = err->text;
    const size_t size = sizeof err->text;
    const char *const message_end = text + strlen(text);
    bool reported[CONFIG_KEYS] = {false};
    const char *open = " (";
    const char *cursor = text;
    while (cursor < message_end) {
        const char *end;
        const struct key *k = key_at(cursor, &end);
        cursor = end == cursor ? cursor + 1 : end;
        const size_t len = strlen(text);
        char source[CONFIG_PATH_SIZE];
        if (!k || reported[k - keys])
            continue;
        reported[k - keys] = true;
        config_source(from, k->section, k->name, source, sizeof source);
        snprintf(text + len, size - len, "%s%s.%s: %s", open, k->section, k->name, source);
        open = ", ";
    }
    const size_t len = strlen(text);
    if (text + len > message_end)
        snprintf(text + len, size - len, ")");
}

/* Appends "12 keys from mine.ini" to the summary, unless n is 0. */
static void add_count(char *buf, size_t size, unsigned n, const char *source, bool *begun) {
    size_t len = strlen(buf);
    const char *word = *begun ? "" : n == 1 ? " key" : " keys";
    if (n)
        snprintf(buf + len, size - len, "%s%u%s from %s", *begun ? ", " : "; ", n, word, source);
    *begun |= n > 0;
}

/* The first shipped file, or file of options, names the machine. If there is none, the file without
 * a base does. */
void config_summary(const struct config_sources *from, char *buf, size_t size) {
    unsigned count[CONFIG_FILES] = {0}, machine = 0, overridden = 0;
    bool begun = false;
    while (machine + 1 < from->files && !from->file[machine].shipped &&
           !ini_file_is_options(from->file[machine].name))
        machine++;
    for (size_t i = 0; i < CONFIG_KEYS; i++)
        if (from->key[i].line != CONFIG_BY_DEFAULT)
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

/* True if the condition at `text`, "section.key=value|value" or "section.key!=value", is true. Sets
 * *k to the condition's key and *end to the condition's end. */
static bool holds(const struct config *cfg, const char *text, const struct key **k,
                  const char **end) {
    char values[CONFIG_STR_SIZE], value[CONFIG_STR_SIZE];
    *k = key_at(text, end);
    const bool other = **end == '!';
    text = *end + other + 1;
    *end = text + strcspn(text, ", ");
    snprintf(values, sizeof values, "%.*s", (int)(*end - text), text);
    print_value(cfg, *k, value, sizeof value);
    return (enum_position(values, value) >= 0) != other;
}

static const struct key *unmet(const struct config *cfg, const char *needs);

/* True if the condition at `text` is true and the condition's key has an effect. Otherwise sets
 * *chooser to the key that prevents this. */
static bool is_met(const struct config *cfg, const char *text, const struct key **chooser,
                   const char **end) {
    const bool met = holds(cfg, text, chooser, end);
    const struct key *deeper = met ? unmet(cfg, (*chooser)->needs) : NULL;
    if (deeper)
        *chooser = deeper;
    return met && !deeper;
}

/* Returns the first key that prevents one of the conditions in `needs` from being met, or NULL. A
 * condition is met only if its key also has an effect. */
static const struct key *unmet(const struct config *cfg, const char *needs) {
    static const char or [] = " or ";
    while (needs && *needs) {
        const struct key *first, *k;
        bool met = is_met(cfg, needs, &first, &needs);
        while (strncmp(needs, or, strlen(or)) == 0)
            met |= is_met(cfg, needs + strlen(or), &k, &needs);
        if (!met)
            return first;
        needs += strspn(needs, ", ");
    }
    return NULL;
}

static bool has_effect(const struct config *cfg, const struct key *k, struct error *why) {
    const struct key *chooser = unmet(cfg, k->needs);
    char value[CONFIG_STR_SIZE], chosen[CONFIG_STR_SIZE];
    if (chooser) {
        print_value(cfg, k, value, sizeof value);
        print_value(cfg, chooser, chosen, sizeof chosen);
        error_set(why, "%s.%s=%s has no effect with %s.%s=%s", k->section, k->name, value,
                  chooser->section, chooser->name, chosen);
    }
    return !chooser;
}

bool config_is_integer(const char *name) {
    const char *end;
    const struct key *k = key_at(name, &end);
    return k && !*end && !k->text && !k->values;
}

bool config_has_effect(const struct config *cfg, const char *name, struct error *why) {
    const char *end;
    return has_effect(cfg, key_at(name, &end), why);
}

int config_check_effect(const struct config *cfg, const struct config_sources *from,
                        struct error *err) {
    for (size_t i = 0; i < CONFIG_KEYS; i++)
        if (!from->key[i].line && !has_effect(cfg, &keys[i], err))
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
