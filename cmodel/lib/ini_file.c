// SPDX-License-Identifier: Apache-2.0
#include "lib/ini_file.h"

#include <ctype.h>
#include <errno.h>
#include <ini.h>
#include <string.h>

#include "lib/text_file.h"

/* Stands for in->kept. No line contains it, because it is a control character. */
#define LONG_VALUE "\1"
#define LINES_MAX 1000000

int ini_file_fail(struct ini_file *in, const char *fmt, ...) {
    struct error what;
    va_list args;
    if (in->failed)
        return 0;
    in->failed = true;
    va_start(args, fmt);
    error_vset(&what, fmt, args);
    va_end(args);
    error_set_at(in->err, in->path, in->line, "%s%s", what.text, in->hint ? in->hint : "");
    return 0;
}

/* Reads a line, or the part of it that fits. Returns the number of characters read. */
static size_t get_line(char *line, size_t size, FILE *f) {
    size_t n = 0;
    for (int c = 0; c != '\n' && n + 1 < size && (c = getc(f)) != EOF;)
        line[n++] = (char)c;
    line[n] = '\0';
    return n;
}

static bool has_control(const char *line) {
    while (*line && (!iscntrl((unsigned char)*line) || isspace((unsigned char)*line)))
        line++;
    return *line;
}

/* Ends a text before its comment and before the blanks at its end, as inih does. */
static void cut_comment(char *text) {
    size_t n = 0;
    while (text[n] && (text[n] != ';' || !n || !isspace((unsigned char)text[n - 1])))
        n++;
    while (n && isspace((unsigned char)text[n - 1]))
        n--;
    text[n] = '\0';
}

/* Shortens a line that does not fit inih's buffer of `size` bytes: moves its value to in->kept.
 * Returns false if the section or the key does not fit. */
static bool keep_value(struct ini_file *in, char *text, size_t size) {
    const bool goes_on = isspace((unsigned char)*text);
    char *value = text + strspn(text, " \t"), *end = *text == '[' ? strchr(text, ']') : NULL;
    if (strchr(";#", *value)) {
        strcpy(text, "\n");
        return true;
    }
    if (end) {
        end[1] = '\0';
        return strlen(text) < size;
    }
    if (!goes_on && (*text == '[' || !(value = strpbrk(text, "=:")))) {
        text[size - 1] = '\0'; /* inih refuses it */
        return *text != '[';
    }
    value += !goes_on;
    value += strspn(value, " \t");
    if ((size_t)(value - text) + sizeof LONG_VALUE > size)
        return false;
    cut_comment(value);
    strcpy(in->kept, value);
    strcpy(value, LONG_VALUE);
    return true;
}

/* Returns the text after the ']' of a section line, unless it is a comment. inih ignores it. */
static const char *find_rest(const char *text) {
    const char *end = *text == '[' ? strchr(text, ']') : NULL;
    const char *rest = end ? end + 1 + strspn(end + 1, " \t\r\n") : "";
    return strchr(";#", *rest) ? "" : rest;
}

/* Handles the name of a section line. inih refuses a line without ']'. */
static void take_section(struct ini_file *in, char *text) {
    char *name = text + 1, *end = strchr(name, ']');
    if (!end)
        return;
    *end = '\0';
    const size_t blanks = strspn(name, " \t");
    size_t len = strlen(name + blanks);
    while (len && strchr(" \t", name[blanks + len - 1]))
        len--;
    if (len && name[blanks + len] | blanks)
        ini_file_fail(in, "blanks within '[%s]'; did you mean '[%.*s]'?", name, (int)len,
                      name + blanks);
    else
        in->section(in->ctx, name);
    *end = ']';
}

/* Implements fgets() for inih. */
static char *read_line(char *buf, int size, void *stream) {
    struct ini_file *in = stream;
    char line[INI_LINE_SIZE];
    if (in->failed)
        return NULL;
    const size_t len = get_line(line, sizeof line, in->f);
    in->line += len > 0;
    const bool zero = strlen(line) != len;
    char *text = line + strspn(line, " \t");
    if (in->begin_line)
        text = in->begin_line(in->ctx, line);
    if (zero)
        ini_file_fail(in, "not a text file (contains a zero byte)");
    else if (has_control(line))
        ini_file_fail(in, "a control character: not a text file");
    else if (len + 1 == sizeof line && line[len - 1] != '\n')
        ini_file_fail(in, "line longer than %d characters%s", INI_LINE_SIZE - 2,
                      in->long_hint ? in->long_hint : "");
    else if (*find_rest(text))
        ini_file_fail(in, "text after ']': '%.*s'", (int)strcspn(find_rest(text), "\r\n"),
                      find_rest(text));
    else if (strlen(text) + 1 > (size_t)size && !keep_value(in, text, (size_t)size))
        ini_file_fail(in, "a section or key longer than %d characters", size - 2);
    else if (in->line > LINES_MAX)
        ini_file_fail(in, "more than %d lines", LINES_MAX);
    else if (ferror(in->f))
        ini_file_fail(in, "%s", strerror(errno));
    else if (*text == '[')
        take_section(in, text);
    return in->failed || len == 0 ? NULL : strcpy(buf, text);
}

static int take_key(void *user, const char *section, const char *name, const char *value) {
    struct ini_file *in = user;
    if (strcmp(value, LONG_VALUE) == 0)
        value = in->kept;
    return !in->failed && in->key(in->ctx, section, name, value);
}

void ini_file_read(struct ini_file *in) {
    text_skip_mark(in->f);
    const int bad_line = ini_parse_stream(read_line, in, take_key, in);
    if (bad_line <= 0 || (in->failed && (unsigned)bad_line >= in->line))
        return;
    in->failed = false;
    in->line = (unsigned)bad_line;
    ini_file_fail(in, "neither [section] nor key = value");
}

/* True if a name ends in `suffix` and has characters before it. */
static bool ends_in(const char *name, const char *suffix) {
    const size_t n = strlen(name), end = strlen(suffix);
    return n > end && strcmp(name + n - end, suffix) == 0;
}

bool ini_file_has_suffix(const char *name) {
    return ends_in(name, ".ini");
}

bool ini_file_is_options(const char *name) {
    return ends_in(name, ".config");
}

bool ini_file_is_path(const char *name) {
    return strchr(name, '/') || ini_file_has_suffix(name) || ini_file_is_options(name);
}
