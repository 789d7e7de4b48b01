// SPDX-License-Identifier: Apache-2.0
#include "compare/ours.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/text_file.h"
#include "study/sql.h"

/* Statistics of counters.def. */
#define STATISTICS(X)                                                                              \
    X(cycles)                                                                                      \
    X(sm_cycles)                                                                                   \
    X(warp_insts)                                                                                  \
    X(thread_insts)                                                                                \
    X(shared_insts)                                                                                \
    X(l1d_hits)                                                                                    \
    X(l1d_primary_misses)                                                                          \
    X(l1d_secondary_misses)                                                                        \
    X(l1d_bypasses)                                                                                \
    X(l1d_stores)                                                                                  \
    X(l2_accesses)                                                                                 \
    X(l2_stores)                                                                                   \
    X(l2_primary_misses)                                                                           \
    X(dram_bytes)                                                                                  \
    X(dram_rd)                                                                                     \
    X(dram_wr)

enum {
#define ID(name) STATISTIC_##name,
    STATISTICS(ID) STATISTIC_COUNT
#undef ID
};
static const char *const statistic_name[] = {
#define NAME(name) #name,
    STATISTICS(NAME)
#undef NAME
};

/* Sums over the launches of a kernel, and what its counters depend on. */
struct launch_sums {
    double launches, s[STATISTIC_COUNT], mhz;
    bool l1d_sectors, l2_sectors;
};

static double share(double a, double b) {
    return a + b > 0 ? a / (a + b) : 0;
}

#define S(name) sums->s[STATISTIC_##name]
#define SHARE(a, b) share(a, b)
#define MHZ sums->mhz
static void put_counters(const struct launch_sums *sums, struct compared_kernel *row) {
    const double n = sums->launches;
    row->launches = (uint64_t)n;
#define COUNTER(name, unit, needs, value_, meaning) row->value[COUNTER_##name] = (value_) / n;
#include "compare/counters.def"
    for (size_t i = 0; i < COUNTERS; i++)
        if ((counter_table[i].l1d && !sums->l1d_sectors) ||
            (counter_table[i].l2 && !sums->l2_sectors))
            row->value[i] = __builtin_nan("");
}

/* Makes "WORKLOAD on CONFIG", which the caller frees. */
static char *run_name(const char *workload, const char *config) {
    char *text = alloc_bytes(strlen(workload) + strlen(config) + sizeof " on ");
    sprintf(text, "%s on %s", workload, config);
    return text;
}

static void add_kernel(struct compared_kernels *to, const char *workload, const char *config,
                       const char *name, const struct launch_sums *sums) {
    char *run = run_name(workload, config);
    put_counters(sums, compared_add(to, run, name));
    free(run);
}

/* ---- JSON ---- */

static const char *text_of(const cJSON *object, const char *name) {
    const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, name));
    return text ? text : "";
}

static double number_of(const cJSON *object, const char *name) {
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, name);
    return cJSON_IsNumber(item) ? item->valuedouble : 0;
}

static int take_kernel(const cJSON *root, const cJSON *kernel, const char *path,
                       struct compared_kernels *to, struct error *err) {
    const cJSON *values = cJSON_GetObjectItemCaseSensitive(root, "config_values");
    const cJSON *stats = cJSON_GetObjectItemCaseSensitive(kernel, "stats");
    struct launch_sums sums = {
        .launches = number_of(kernel, "launches"),
        .mhz = number_of(values, "clock.sm_mhz"),
        .l1d_sectors = strcmp(text_of(values, "sm.coalesce"), "sector") == 0,
        .l2_sectors = strcmp(text_of(values, "l2.sectored"), "yes") == 0,
    };
    for (size_t i = 0; i < STATISTIC_COUNT; i++)
        sums.s[i] = number_of(stats, statistic_name[i]);
    if (sums.launches < 1 || sums.mhz <= 0 || !stats)
        return error_set(err, "%s: kernel '%s' has no launches or statistics", path,
                         text_of(kernel, "name"));
    add_kernel(to, text_of(root, "workload"), text_of(root, "config"), text_of(kernel, "name"),
               &sums);
    return 0;
}

static int take_json(const char *text, const char *path, struct compared_kernels *to,
                     struct error *err) {
    cJSON *root = cJSON_Parse(text);
    const cJSON *kernels = cJSON_GetObjectItemCaseSensitive(root, "kernels"), *kernel;
    int bad = 0;
    if (strncmp(text_of(root, "format"), "memtwin-run-", 12) != 0)
        bad = error_set(err,
                        "%s: neither a database of memtwin study nor a file of memtwin run "
                        "--json",
                        path);
    else if (!cJSON_GetArraySize(kernels))
        bad = error_set(err, "%s: the run has no kernels", path);
    cJSON_ArrayForEach(kernel, kernels) if (!bad) bad = take_kernel(root, kernel, path, to, err);
    cJSON_Delete(root);
    return bad;
}

/* ---- Databases ---- */

/* Writes the query for the sums of each kernel of each run. */
static char *make_query(void) {
    char *sql = NULL;
    size_t size;
    FILE *f = alloc_stream(&sql, &size);
    fputs("WITH key AS (SELECT config, max(CASE key WHEN 'clock.sm_mhz' THEN value END) AS mhz,"
          " max(CASE key WHEN 'sm.coalesce' THEN value = 'sector' END) AS l1d,"
          " max(CASE key WHEN 'l2.sectored' THEN value = 'yes' END) AS l2"
          " FROM config_value GROUP BY config)"
          " SELECT run.workload, machine.name, d.name, count(*), key.mhz, key.l1d, key.l2",
          f);
    for (size_t i = 0; i < STATISTIC_COUNT; i++)
        fprintf(f, ", sum(d.\"%s\")", statistic_name[i]);
    fputs(" FROM detail d JOIN run ON run.id = d.run JOIN config ON config.id = run.config"
          " JOIN machine ON machine.id = config.machine JOIN key ON key.config = run.config"
          " WHERE d.scope = 'kernel' AND run.id IN (SELECT run FROM point) AND " WHOLE_RUN
          " GROUP BY run.id, d.name ORDER BY run.id, min(d.number)",
          f);
    alloc_stream_close(f);
    return sql;
}

static void take_row(sqlite3_stmt *s, struct compared_kernels *to) {
    struct launch_sums sums = {
        .launches = sqlite3_column_double(s, 3),
        .mhz = sqlite3_column_double(s, 4),
        .l1d_sectors = sqlite3_column_int(s, 5) != 0,
        .l2_sectors = sqlite3_column_int(s, 6) != 0,
    };
    for (int i = 0; i < STATISTIC_COUNT; i++)
        sums.s[i] = sqlite3_column_double(s, 7 + i);
    add_kernel(to, (const char *)sqlite3_column_text(s, 0), (const char *)sqlite3_column_text(s, 1),
               (const char *)sqlite3_column_text(s, 2), &sums);
}

static int read_database(const char *path, struct compared_kernels *to, struct error *err) {
    struct study_db *d = db_open(path, false, err);
    sqlite3_stmt *s = NULL;
    const size_t before = to->n;
    int step = SQLITE_ERROR;
    if (!d)
        return -1;
    char *sql = make_query();
    if (sqlite3_prepare_v2(d->db, sql, -1, &s, NULL) == SQLITE_OK)
        while ((step = sqlite3_step(s)) == SQLITE_ROW)
            take_row(s, to);
    int bad = step == SQLITE_DONE ? 0 : sql_fail(d, err);
    if (!bad && to->n == before)
        bad = error_set(err,
                        "%s: no run has statistics of its kernels; run the study with "
                        "memtwin study --detail",
                        path);
    sqlite3_finalize(s);
    free(sql);
    db_close(d);
    return bad;
}

/* ---- Files ---- */

/* Reads the rest of a file. The caller frees the text. */
static char *read_text(FILE *f) {
    char part[1 << 14], *text = NULL;
    size_t size;
    FILE *to = alloc_stream(&text, &size);
    for (size_t n; (n = fread(part, 1, sizeof part, f)) > 0;)
        fwrite(part, 1, n, to);
    alloc_stream_close(to);
    return text;
}

int ours_read(const char *path, struct compared_kernels *to, struct error *err) {
    static const char magic[] = "SQLite format 3";
    char start[sizeof magic] = "";
    const char *why = NULL;
    FILE *f = text_open(path, &why);
    if (!f)
        return error_set(err, "%s: %s", path, why ? why : strerror(errno));
    const size_t n = fread(start, 1, sizeof start, f);
    const bool database = n == sizeof magic && memcmp(start, magic, n) == 0;
    rewind(f);
    char *text = database ? NULL : read_text(f);
    fclose(f);
    const int bad = database ? read_database(path, to, err) : take_json(text, path, to, err);
    free(text);
    return bad ? -1 : 0;
}
