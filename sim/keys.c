// SPDX-License-Identifier: Apache-2.0
#include "keys.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "config/config.h"

#define INT(section, key, def, min, max, ...)                                                      \
    {#section, #key, def, min, max, NULL, NULL, CONFIG_KEY_TEXTS(__VA_ARGS__)},
#define ENUM(section, key, def, values, ...)                                                       \
    {#section, #key, def, 0, 0, values, NULL, CONFIG_KEY_TEXTS(__VA_ARGS__)},
#define STR(section, key, def, ...)                                                                \
    {#section, #key, 0, 0, 0, NULL, def, CONFIG_KEY_TEXTS(__VA_ARGS__)},
const struct key_desc key_table[] = {
#include "config/keys.def"
    {0}};
#undef INT
#undef ENUM
#undef STR

/* Prints the default value. For an ENUM, it is the name with index `def` in "a|b|c". */
void key_default(const struct key_desc *k, char *buf, size_t size) {
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
