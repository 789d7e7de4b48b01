// SPDX-License-Identifier: Apache-2.0
#include "html.h"

#include <string.h>

#define DATA_HERE "<!--DATA-->"

const char *html_begin(const char *page, FILE *to) {
    const char *data = strstr(page, DATA_HERE);
    fwrite(page, 1, (size_t)(data - page), to);
    return data + strlen(DATA_HERE);
}

/* Writes JSON text that is safe within a script element. JSON has < only within strings. */
static void put_safe(const char *text, FILE *to) {
    for (size_t n; *text; text += n) {
        n = strcspn(text, "<");
        fwrite(text, 1, n, to);
        if (text[n]) {
            fputs("\\u003c", to);
            n++;
        }
    }
}

void html_with_json(const char *page, const char *json, FILE *to) {
    const char *rest = html_begin(page, to);
    fputs("<script type=\"application/json\" id=\"data\">", to);
    put_safe(json, to);
    fputs("</script>", to);
    fputs(rest, to);
}
