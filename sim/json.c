// SPDX-License-Identifier: Apache-2.0
#include "json.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

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

void json_put_text(const char *text, FILE *to) {
    char *repaired = utf8_repaired(text);
    fputc('"', to);
    for (const unsigned char *c = (const unsigned char *)repaired; *c; c++)
        if (*c < ' ' || strchr("\"\\<>&", *c))
            fprintf(to, "\\u%04x", *c);
        else
            fputc(*c, to);
    fputc('"', to);
    free(repaired);
}

char *json_text(cJSON *root, bool indented) {
    char *raw = indented ? cJSON_Print(root) : cJSON_PrintUnformatted(root);
    char *text = utf8_repaired(raw);
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
