// SPDX-License-Identifier: Apache-2.0
#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "import/inside.h"
#include "lib/alloc.h"
#include "lib/message.h"
#include "lib/text_file.h"

#define FILE_BYTES (1 << 20) /* more is no configuration */

/* A row of options.def. `keys` is NULL for an option that is not mapped; `lost` is NULL for one
 * without effect; `neutral` is NULL if every value loses something. */
struct row {
    const char *name, *value, *keys, *neutral, *lost;
};

#define MAPPED(ID, name, value, keys) {name, value, keys, NULL, NULL},
#define LOST(name, value, neutral, lost) {name, value, NULL, neutral, lost},
#define INERT(name, why) {name, NULL, NULL, NULL, NULL},
static const struct row rows[] = {
#include "import/options.def"
};
#undef MAPPED
#undef LOST
#undef INERT
enum { OPTION_ROWS = sizeof rows / sizeof rows[0] };

/* Returns the row of an option, or NULL. Sets *mapped to its index among the mapped ones. */
static const struct row *row_of(const char *name, unsigned *mapped) {
    *mapped = 0;
    for (const struct row *r = rows; r < rows + OPTION_ROWS; r++) {
        if (fnmatch(r->name, name, 0) == 0)
            return r;
        *mapped += r->keys != NULL;
    }
    return NULL;
}

/* ---- Errors and losses ---- */

/* Records the first error. Line 0: of the whole file. */
__attribute__((format(printf, 4, 5))) static void fail_at(struct import *m, const char *path,
                                                          unsigned line, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    if (!m->failed)
        error_vset_at(m->err, path, line, fmt, args);
    va_end(args);
    m->failed = true;
}

void import_fail(struct import *m, const struct import_option *o, const char *fmt, ...) {
    char text[ERROR_SIZE];
    va_list args;
    va_start(args, fmt);
    message_vprint(text, sizeof text, fmt, args);
    va_end(args);
    fail_at(m, m->path[o->file], o->line, "%s %s: %s%s", o->name, o->value, text,
            o->line ? "" : " (the default of the option, which no file has)");
}

void import_lose(struct import *m, const struct import_option *o, const char *fmt, ...) {
    va_list args;
    if (m->losses == IMPORT_OPTIONS)
        return;
    struct import_loss *l = &m->loss[m->losses++];
    l->option = o;
    va_start(args, fmt);
    message_vprint(l->text, sizeof l->text, fmt, args);
    va_end(args);
}

/* ---- Words of a file ---- */

struct words {
    struct import *m;
    FILE *f;
    unsigned file, line;
    long bytes;
};

static int next_byte(struct words *w) {
    if (w->bytes++ < FILE_BYTES)
        return getc(w->f);
    fail_at(w->m, w->m->path[w->file], 0, "larger than 1 MiB; not a file of GPGPU-Sim options");
    return EOF;
}

/* Returns the next character outside comments. */
static int next_char(struct words *w) {
    int c = next_byte(w);
    if (c == '#')
        while (c != '\n' && c != EOF)
            c = next_byte(w);
    w->line += c == '\n';
    return c;
}

/* Reads the next word; a word in quotation marks may continue on further lines, and loses its
 * blanks. Returns false at the end of the file, or after an error. */
static bool next_word(struct words *w, struct import_option *at, char *word, size_t size) {
    size_t n = 0;
    int c = next_char(w);
    while (isspace(c))
        c = next_char(w);
    const bool quoted = c == '"';
    if (quoted)
        c = next_char(w);
    at->file = w->file;
    at->line = w->line;
    for (; c > 0 && !(quoted ? c == '"' : isspace(c)); c = next_char(w)) {
        if (isspace(c))
            continue;
        if (n + 1 == size)
            break;
        word[n++] = (char)c;
    }
    word[n] = '\0';
    if (w->m->failed)
        return false;
    const char *why = ferror(w->f)         ? strerror(errno)
                      : c == 0             ? "not a text file (contains a zero byte)"
                      : quoted && c == EOF ? "the closing quotation mark is missing"
                      : n + 1 == size      ? "the word is too long"
                                           : NULL;
    if (ferror(w->f)) {
        error_set(w->m->err, "cannot read %s: %s", w->m->path[w->file], why);
        w->m->failed = true;
    } else if (why)
        fail_at(w->m, w->m->path[w->file], at->line, "%s%.40s%s%s", n ? "'" : "", word,
                n ? "..': " : "", why);
    return !why && (n > 0 || quoted);
}

FILE *import_open(struct import *m, const char *path) {
    const char *why;
    if (m->failed)
        return NULL;
    FILE *f = m->files < IMPORT_FILES ? text_open(path, &why) : NULL;
    m->failed = true;
    if (m->files == IMPORT_FILES)
        error_set(m->err, "more than %d files", IMPORT_FILES - 1);
    else if (strlen(path) >= IMPORT_PATH_SIZE)
        error_set(m->err, "the path '%.40s...' is too long", path);
    else if (!f)
        error_set(m->err, "cannot read %s: %s", path, why);
    else
        m->failed = false;
    if (m->failed) {
        if (f)
            fclose(f);
        return NULL;
    }
    strcpy(m->path[m->files++], path);
    text_skip_mark(f);
    return f;
}

/* ---- Options ---- */

static void keep_option(struct import *m, const struct import_option *o) {
    unsigned mapped;
    const struct row *r = row_of(o->name, &mapped);
    if (r && r->keys) {
        m->mapped[mapped] = *o;
        return;
    }
    for (unsigned i = 0; i < m->options; i++)
        if (strcmp(m->given[i].name, o->name) == 0) {
            m->given[i] = *o;
            return;
        }
    if (m->options < IMPORT_OPTIONS)
        m->given[m->options++] = *o;
    else
        import_fail(m, o, "more than %d options", IMPORT_OPTIONS);
}

void import_options(struct import *m, const char *path) {
    struct words w = {.m = m, .f = import_open(m, path), .file = m->files - 1, .line = 1};
    struct import_option o = {0}, value_at;
    unsigned n = 0;
    if (!w.f)
        return;
    for (; next_word(&w, &o, o.name, sizeof o.name) && !m->failed; n++) {
        if (o.name[0] != '-' || !isalpha((unsigned char)o.name[1]))
            fail_at(m, path, o.line, "'%s': expected an option, as in -gpgpu_n_mem 8", o.name);
        else if (next_word(&w, &value_at, o.value, sizeof o.value))
            keep_option(m, &o);
        else
            fail_at(m, path, o.line, "%s has no value", o.name);
    }
    if (n == 0)
        fail_at(m, path, 0, "no options, such as -gpgpu_n_mem 8");
    fclose(w.f);
}

static void set_defaults(struct import *m) {
    struct import_option *o = m->mapped;
    for (const struct row *r = rows; r < rows + OPTION_ROWS; r++)
        if (r->keys) {
            strcpy(o->name, r->name);
            strcpy(o++->value, r->value);
        }
}

/* Records unknown options. They are the first losses, since `run` shows only the first one. */
static void find_unknown(struct import *m) {
    unsigned mapped;
    for (unsigned i = 0; i < m->options; i++)
        if (!row_of(m->given[i].name, &mapped))
            import_lose(m, &m->given[i], "unknown option");
}

/* Records the losses by options that are not mapped, given or not. */
static void find_losses(struct import *m) {
    unsigned mapped;
    for (unsigned i = 0; i < m->options; i++) {
        const struct import_option *o = &m->given[i];
        const struct row *r = row_of(o->name, &mapped);
        if (r && r->lost && !(r->neutral && strcmp(o->value, r->neutral) == 0))
            import_lose(m, o, "%s", r->lost);
    }
}

/* Adds the options that no file has and whose default is not neutral, so that they are lost. */
static void add_defaults(struct import *m) {
    for (const struct row *r = rows; r < rows + OPTION_ROWS; r++) {
        struct import_option o = {0};
        bool given = !r->neutral || strcmp(r->value, r->neutral) == 0;
        for (unsigned i = 0; i < m->options && !given; i++)
            given = strcmp(m->given[i].name, r->name) == 0;
        if (given)
            continue;
        strcpy(o.name, r->name);
        strcpy(o.value, r->value);
        keep_option(m, &o);
    }
}

/* ---- Files ---- */

/* Prints the path of a file that the file at `path` names, relative to its folder. A path that is
 * too long for import_open is cut off, but remains too long. */
static void sibling_path(const char *path, const char *name, char buf[IMPORT_PATH_SIZE + 1]) {
    const char *slash = name[0] == '/' ? NULL : strrchr(path, '/');
    snprintf(buf, IMPORT_PATH_SIZE + 1, "%.*s%s", slash ? (int)(slash + 1 - path) : 0, path, name);
}

/* Reads trace.config in the folder of the only file, if it exists. */
static void read_trace_config(struct import *m, const char *path) {
    static const char name[] = "trace.config";
    char trace_path[IMPORT_PATH_SIZE + 1];
    const char *slash = strrchr(path, '/');
    if (m->failed || strcmp(slash ? slash + 1 : path, name) == 0)
        return;
    sibling_path(path, name, trace_path);
    if (access(trace_path, F_OK) == 0)
        import_options(m, trace_path);
}

struct import *import_read(const char *const *path, unsigned n, struct error *err) {
    struct import *m = alloc_zeroed(1, sizeof *m);
    m->err = err;
    set_defaults(m);
    for (unsigned i = 0; i < n; i++)
        import_options(m, path[i]);
    if (n == 1)
        read_trace_config(m, path[0]);
    find_unknown(m);
    add_defaults(m);
    if (!m->failed)
        import_map(m);
    find_losses(m);
    if (!m->failed)
        return m;
    import_free(m);
    return NULL;
}

void import_free(struct import *m) {
    free(m);
}

/* ---- Network ---- */

void import_network(struct import *m, struct import_network *n) {
    const struct import_option *o = &m->mapped[IMPORT_NETWORK_FILE];
    const struct {
        const char *name;
        int64_t *value;
    } known[] = {{"input_buffer_size", &n->input_buffer},
                 {"vc_buf_size", &n->vc_buffer},
                 {"ejection_buffer_size", &n->ejection_buffer},
                 {"boundary_buffer_size", &n->boundary_buffer},
                 {"internal_speedup", &n->speedup}};
    char path[IMPORT_PATH_SIZE + 1], line[512], name[64];
    double value;
    sibling_path(m->path[o->file], o->value, path);
    FILE *f = import_open(m, path);
    for (unsigned at = 0; f && at < 10000 && fgets(line, sizeof line, f); at++)
        for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
            if (sscanf(line, " %63[a-z_] = %lf", name, &value) == 2 && value >= 0 && value < 1e6 &&
                strcmp(name, known[i].name) == 0)
                *known[i].value = (int64_t)value;
    if (f)
        fclose(f);
}
