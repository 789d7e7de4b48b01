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
#include "loads_inside.h"

/* Page made by sim/report/make_page.sh, at LOADS_PAGE. */
EMBED(loads_page, LOADS_PAGE);
/* Most bytes of a file: twice those of its loads. A number of N bytes has at most 3 N characters
 * with its comma. */
#define LARGEST (2 * LOADS_MOST * 3 * sizeof(struct load_row))

bool loads_page_is(const char *path) {
    char begin[sizeof LOADS_BEGIN] = "";
    struct stat st;
    if (stat(path, &st) != 0 || !S_ISREG(st.st_mode))
        return false;
    FILE *f = fopen(path, "re");
    const bool is = f && fread(begin, 1, sizeof begin - 1, f) == sizeof begin - 1 &&
                    strcmp(begin, LOADS_BEGIN) == 0;
    if (f)
        fclose(f);
    return is;
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

static cJSON_bool is_text_or_null(const cJSON *value) {
    return cJSON_IsString(value) || cJSON_IsNull(value);
}

/* Members that the page reads, each with the function that checks its type. */
static const struct {
    const char *name;
    cJSON_bool (*is)(const cJSON *value);
} members[] = {
    {"version", cJSON_IsString},
    {"config", cJSON_IsString},
    {"workload", cJSON_IsString},
    {"end", cJSON_IsString},
    {"command", is_text_or_null},
    {"complete", cJSON_IsBool},
    {"cycles", cJSON_IsNumber},
    {"loads_seen", cJSON_IsNumber},
    {"latency", cJSON_IsNumber},
    {"kept", cJSON_IsObject},
    {"l2_banks_per_channel", cJSON_IsNumber},
    {"blocks", cJSON_IsArray},
    {"spans", cJSON_IsArray},
    {"sums", cJSON_IsArray},
    {"latencies", cJSON_IsArray},
    {"kernels", cJSON_IsArray},
    {"instructions", cJSON_IsArray},
    {"columns", cJSON_IsArray},
    {"loads", cJSON_IsArray},
};

static const cJSON *member(const cJSON *root, const char *name) {
    return cJSON_GetObjectItemCaseSensitive(root, name);
}

/* Checks that each load has a value for each column and each span. */
static int check_loads(const char *path, const cJSON *root, struct error *err) {
    const int values =
        cJSON_GetArraySize(member(root, "columns")) + cJSON_GetArraySize(member(root, "spans"));
    const cJSON *load;
    int i = 0;
    cJSON_ArrayForEach(load, member(root, "loads")) {
        if (!cJSON_IsArray(load) || cJSON_GetArraySize(load) != values)
            return error_set(err, "%s: load %d of 'loads' is not an array of %d values", path, i,
                             values);
        i++;
    }
    return 0;
}

static int check_members(const char *path, const cJSON *root, struct error *err) {
    const char *format = cJSON_GetStringValue(member(root, "format"));
    if (!format)
        return error_set(err, "%s: not a whole file of memtwin run --loads", path);
    if (strcmp(format, LOADS_FORMAT LOADS_VERSION) != 0)
        return error_set(err, "%s: format %s; this program reads " LOADS_FORMAT LOADS_VERSION, path,
                         format);
    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        if (!members[i].is(member(root, members[i].name)))
            return error_set(err,
                             "%s: '%s' is missing or has a wrong type; expected a file of memtwin "
                             "run --loads",
                             path, members[i].name);
    return check_loads(path, root, err);
}

/* Reads the counts. Returns 0, or -1 with one line in err if the text is not a whole file of
 * loads. */
static int read_counts(const char *path, const char *text, uint64_t *loads, uint64_t *kept,
                       struct error *err) {
    cJSON *root = cJSON_Parse(text);
    const int bad = check_members(path, root, err);
    if (!bad) {
        const double seen = member(root, "loads_seen")->valuedouble;
        *loads = seen >= 0 && seen < 0x1p63 ? (uint64_t)seen : 0;
        *kept = (uint64_t)cJSON_GetArraySize(member(root, "loads"));
    }
    cJSON_Delete(root);
    return bad;
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

int loads_page_write(const char *path, FILE *to, uint64_t *loads, uint64_t *kept,
                     struct error *err) {
    char *text = read_text(path, err);
    if (!text || read_counts(path, text, loads, kept, err)) {
        free(text);
        return -1;
    }
    const char *rest = html_begin(loads_page, to);
    fputs("<script type=\"application/json\" id=\"data\">", to);
    put_safe(text, to);
    fputs("</script>", to);
    fputs(rest, to);
    free(text);
    return 0;
}
