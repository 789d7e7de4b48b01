// SPDX-License-Identifier: Apache-2.0
#include "csv_text.h"

#include <csv.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/utf8.h"

static bool is_number(const char *text) {
    char *end;
    strtod(text, &end);
    return end != text && !*end;
}

void csv_put_text(const char *text, FILE *to) {
    char *repaired = utf8_repaired(text), *field = repaired;
    if (*field && strchr("=+-@\t\r", *field) && !is_number(field)) {
        field = alloc_bytes(strlen(repaired) + 2);
        sprintf(field, "'%s", repaired);
        free(repaired);
    }
    if (field[strcspn(field, ",\"\r\n")])
        csv_fwrite(to, field, strlen(field));
    else
        fputs(field, to);
    free(field);
}
