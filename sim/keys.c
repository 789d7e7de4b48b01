// SPDX-License-Identifier: Apache-2.0
#include "keys.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define INT(section, key, def, min, max, doc) {#section, #key, def, min, max, NULL, NULL, doc},
#define ENUM(section, key, def, values, doc) {#section, #key, def, 0, 0, values, NULL, doc},
#define STR(section, key, def, doc) {#section, #key, 0, 0, 0, NULL, def, doc},
const struct key_desc key_table[] = {
#include "config/keys.def"
    {0}};
#undef INT
#undef ENUM
#undef STR

/* An ENUM's is value number `def` of "a|b|c". */
void key_usual(const struct key_desc *k, char *buf, size_t size) {
    const char *value = k->values;
    if (!k->values && !k->text) {
        snprintf(buf, size, "%" PRId64, k->def);
        return;
    }
    if (k->text) {
        snprintf(buf, size, "%s", k->text);
        return;
    }
    for (int64_t position = k->def; position > 0; position--)
        value += strcspn(value, "|") + 1;
    snprintf(buf, size, "%.*s", (int)strcspn(value, "|"), value);
}

void key_range(const struct key_desc *k, char *buf, size_t size) {
    if (k->values || k->text)
        snprintf(buf, size, "%s", k->values ? k->values : "text");
    else
        snprintf(buf, size, "%" PRId64 "..%" PRId64, k->min, k->max);
}
