// SPDX-License-Identifier: Apache-2.0
#include "json.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "lib/utf8.h"
#include "os/new_file.h"

void json_add_count(cJSON *object, const char *name, uint64_t value) {
    char digits[24];
    snprintf(digits, sizeof digits, "%" PRIu64, value);
    cJSON_AddRawToObject(object, name, digits);
}

void json_add_key(cJSON *object, const char *name, const char *value) {
    char digits[24], *end;
    const int64_t number = strtoll(value, &end, 10);
    if (config_is_integer(name) && end != value && !*end) {
        snprintf(digits, sizeof digits, "%" PRId64, number);
        cJSON_AddRawToObject(object, name, digits);
    } else {
        cJSON_AddStringToObject(object, name, value);
    }
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
