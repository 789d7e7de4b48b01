// SPDX-License-Identifier: Apache-2.0
#include "loads_page.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "embed.h"
#include "html.h"
#include "lib/alloc.h"
#include "loads_check.h"
#include "loads_inside.h"

/* Page made by sim/report/make_page.sh, at LOADS_PAGE. */
EMBED(loads_page, LOADS_PAGE);
/* Most bytes of a file: twice those of its loads. A number of N bytes has at most 3 N characters
 * with its comma. */
#define LARGEST (2 * LOADS_MOST * 3 * sizeof(struct load_row))

bool loads_page_is(const char *path) {
    struct stat st;
    int c = EOF;
    if (stat(path, &st) != 0 || !S_ISREG(st.st_mode))
        return false;
    FILE *f = fopen(path, "re");
    while (f && (c = getc(f)) != EOF && strchr(" \t\r\n", c))
        ;
    if (f)
        fclose(f);
    return c == '{' || c == '[';
}

/* Returns the text of the file, which the caller frees, or NULL with one line in err. */
static char *read_text(const char *path, struct error *err) {
    size_t n = 0, room = 0;
    char *text = NULL;
    FILE *f = fopen(path, "re");
    while (f && !feof(f) && !ferror(f) && n <= LARGEST) {
        text = alloc_reserved(text, &room, n + (1 << 16), 1);
        n += fread(text + n, 1, (1 << 16) - 1, f);
    }
    const bool bad = !f || ferror(f);
    if (bad)
        error_set(err, "cannot read %s: %s", path, strerror(errno));
    else if (n > LARGEST)
        error_set(err, "%s: larger than %zu MiB, which no file of loads is", path, LARGEST >> 20);
    if (f)
        fclose(f);
    if (bad || n > LARGEST) {
        free(text);
        return NULL;
    }
    text[n] = '\0';
    return text;
}

/* Reads JSON text. Returns what the caller deletes, or NULL with one line in err. */
static cJSON *parse(const char *text, struct error *err) {
    const char *at = text;
    cJSON *root = cJSON_ParseWithOpts(text, &at, true);
    size_t row = 1;
    if (root)
        return root;
    for (const char *c = text; c < at; c++)
        row += *c == '\n';
    error_set(err, "damaged or cut off: line %zu is not JSON", row);
    return NULL;
}

/* Reads the counts. Returns 0, or -1 with one line in err if the text is not a whole file of
 * loads. */
static int read_counts(const char *path, const char *text, uint64_t *loads, uint64_t *kept,
                       struct error *err) {
    struct error why;
    cJSON *root = parse(text, &why);
    const bool bad = !root || loads_check(root, &why);
    if (bad) {
        error_set(err, "%s: %s", path, why.text);
    } else {
        *loads = (uint64_t)cJSON_GetObjectItemCaseSensitive(root, "loads_seen")->valuedouble;
        *kept = (uint64_t)cJSON_GetArraySize(cJSON_GetObjectItemCaseSensitive(root, "loads"));
    }
    cJSON_Delete(root);
    return bad ? -1 : 0;
}

int loads_page_write(const char *path, FILE *to, uint64_t *loads, uint64_t *kept,
                     struct error *err) {
    char *text = read_text(path, err);
    if (!text || read_counts(path, text, loads, kept, err)) {
        free(text);
        return -1;
    }
    html_with_json(loads_page, text, to);
    free(text);
    return 0;
}
