// SPDX-License-Identifier: Apache-2.0
#include "json.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/utf8.h"
#include "os/new_file.h"

/* Adds a number as printf() formats it. */
__attribute__((format(printf, 3, 4))) static void add_digits(cJSON *object, const char *name,
                                                             const char *fmt, ...) {
    char digits[24];
    va_list args;
    va_start(args, fmt);
    vsnprintf(digits, sizeof digits, fmt, args);
    va_end(args);
    cJSON_AddRawToObject(object, name, digits);
}

void json_add_count(cJSON *object, const char *name, uint64_t value) {
    add_digits(object, name, "%" PRIu64, value);
}

void json_add_key(cJSON *object, const char *name, const char *value) {
    char *end;
    const int64_t number = strtoll(value, &end, 10);
    if (config_is_integer(name) && end != value && !*end)
        add_digits(object, name, "%" PRId64, number);
    else
        cJSON_AddStringToObject(object, name, value);
}

/* Writes a character as \u escapes: two, a surrogate pair, above U+FFFF. */
static void put_escape(uint32_t code, FILE *to) {
    if (code > 0xffff)
        fprintf(to, "\\u%04x\\u%04x", 0xd7c0 + (code >> 10), 0xdc00 + (code & 0x3ff));
    else
        fprintf(to, "\\u%04x", code);
}

/* Writes UTF-8 text. Escapes unprintable characters and those in `also`, but not line feed and tab
 * unless they are in `also`. */
static void put_escaped(const char *text, const char *also, FILE *to) {
    for (size_t left = strlen(text), length; left; text += length, left -= length) {
        const bool bad = utf8_is_unprintable(text, left, &length) && *text != '\n' && *text != '\t';
        if (bad || strchr(also, *text))
            put_escape(utf8_code(text, length), to);
        else
            fwrite(text, 1, length, to);
    }
}

void json_put_text(const char *text, FILE *to) {
    char *repaired = utf8_repaired(text);
    fputc('"', to);
    put_escaped(repaired, "\"\\<>&\n\t", to);
    fputc('"', to);
    free(repaired);
}

/* Returns true if the text has the form of a JSON number. */
static bool is_number(const char *text) {
    const char *p = text + (*text == '-'), *digits = p;
    p += strspn(p, "0123456789");
    if (p == digits || (*digits == '0' && p > digits + 1))
        return false;
    if (*p == '.' && (p += strspn(p + 1, "0123456789") + 1)[-1] == '.')
        return false;
    if ((*p | 0x20) == 'e') {
        digits = p + 1 + (p[1] == '-' || p[1] == '+');
        p = digits + strspn(digits, "0123456789");
        return p > digits && !*p;
    }
    return !*p;
}

void json_put_number(const char *text, FILE *to) {
    char *end;
    const double value = strtod(text, &end);
    if (end != text && !*end && !isfinite(value))
        fputs("null", to);
    else if (is_number(text))
        fputs(text, to);
    else
        json_put_text(text, to);
}

char *json_text(cJSON *root, bool indented) {
    char *raw = indented ? cJSON_Print(root) : cJSON_PrintUnformatted(root);
    char *repaired = utf8_repaired(raw), *text = NULL;
    size_t size;
    FILE *f = alloc_stream(&text, &size);
    put_escaped(repaired, "", f); /* cJSON has escaped the line feeds and tabs of texts */
    alloc_stream_close(f);
    free(repaired);
    cJSON_free(raw);
    cJSON_Delete(root);
    return text;
}

int json_write(cJSON *root, const char *path, struct error *err) {
    struct new_file nf;
    struct error why = {0};
    char *text = json_text(root, true);
    int result = new_file_open(&nf, path, &why);
    if (result == 0) {
        fprintf(nf.f, "%s\n", text);
        result = new_file_commit(&nf, &why);
    }
    if (result)
        error_set(err, "cannot write %s", why.text);
    free(text);
    return result;
}
