#include "report.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "harness/proc.h"
#include "version.h"

const char *report_version(void) {
    return MEMTWIN_VERSION " (" MEMTWIN_COMMIT ")";
}

static double ratio(uint64_t part, uint64_t whole) {
    return whole ? (double)part / (double)whole : 0.0;
}

static double dram_utilisation(const struct stats *s) {
    return ratio(s->v[STAT_dram_busy_cycles], s->v[STAT_dram_cycles]);
}

static double load_latency(const struct stats *s) {
    return ratio(s->v[STAT_load_latency], s->v[STAT_load_lines]);
}

static double cycles_per_second(const struct report *r) {
    return r->seconds > 0 ? (double)r->stats.v[STAT_cycles] / r->seconds : 0.0;
}

static long peak_rss_kib(void) {
    struct rusage usage;
    return getrusage(RUSAGE_SELF, &usage) == 0 ? usage.ru_maxrss : 0;
}

/* ---- Table ---- */

/* Statistics are grouped by the first word of their names. */
static const char *group_of(const char *name) {
    static const struct {
        const char *prefix, *title;
    } groups[] = {{"l1d_", "L1D"}, {"icnt_", "Crossbar"}, {"l2_", "L2"}, {"dram_", "DRAM"}};
    for (size_t i = 0; i < sizeof groups / sizeof groups[0]; i++)
        if (strncmp(name, groups[i].prefix, strlen(groups[i].prefix)) == 0)
            return groups[i].title;
    return "SMs";
}

static void print_stats(const struct stats *s, FILE *out) {
    const char *group = "";
    for (int i = 0; i < STAT_COUNT; i++) {
        const struct stat_desc *d = &stat_table[i];
        if (strcmp(group, group_of(d->name)) != 0) {
            group = group_of(d->name);
            fprintf(out, "\n%s\n", group);
        }
        fprintf(out, "  %-24s %16" PRIu64 "  %s\n", d->name, s->v[i], d->unit);
    }
}

static const char *check_verdict(const struct report *r) {
    if (r->check.failure)
        return "FAILED";
    return strcmp(r->end, "done") == 0 ? "good" : "good so far";
}

static void print_derived(const struct report *r, FILE *out) {
    const struct stats *s = &r->stats;
    fprintf(out, "\n%-18s %.4f warp instructions, %.3f thread instructions per SM cycle\n", "IPC",
            stats_ipc(s), stats_thread_ipc(s));
    fprintf(out, "%-18s %.2f SM cycles for a line load\n", "load latency", load_latency(s));
    fprintf(out, "%-18s L1D %.2f %%, L2 %.2f %% of the MSHR slots; DRAM data bus %.2f %%\n",
            "utilisation", 100 * stats_l1d_utilisation(s), 100 * stats_l2_utilisation(s),
            100 * dram_utilisation(s));
    if (r->lockstep.twins)
        fprintf(out,
                "%-18s %u twins, %" PRIu64 " cycles compared (%" PRIu64 " at no fixpoint), %" PRIu64
                " mismatches\n",
                "lockstep", r->lockstep.twins, r->lockstep.cycles, r->lockstep.evaluated,
                r->lockstep.mismatches);
    else
        fprintf(out, "%-18s no twins\n", "lockstep");
    if (r->check.enabled)
        fprintf(out, "%-18s %" PRIu64 " loads, %" PRIu64 " bytes: %s\n", "data check",
                r->check.loads, r->check.bytes, check_verdict(r));
    fprintf(out, "%-18s %s\n", "results",
            r->trace      ? "trace: no results to verify"
            : r->verified ? "as computed by plain C"
                          : "not verified");
    fprintf(out, "%-18s %.2f s, %.0f SM cycles/s, %.1f MiB\n", "host", r->seconds,
            cycles_per_second(r), (double)peak_rss_kib() / 1024);
}

void report_table(const struct report *r, FILE *out) {
    fprintf(out, "memtwin %s\n%s on %s: %s\n", report_version(), r->workload, r->config, r->end);
    print_stats(&r->stats, out);
    print_derived(r, out);
}

void report_summary(const struct report *r, FILE *out) {
    fprintf(out,
            "%s on %s: %s, %" PRIu64 " cycles, IPC %.4f, %u twins, %" PRIu64
            " cycles compared, %" PRIu64 " mismatches, check %s, %.2f s\n",
            r->workload, r->config, r->end, r->stats.v[STAT_cycles], stats_ipc(&r->stats),
            r->lockstep.twins, r->lockstep.cycles, r->lockstep.mismatches,
            r->check.enabled ? check_verdict(r) : "off", r->seconds);
}

/* ---- JSON ---- */

/* Counters are written as their digits: cJSON's numbers are doubles, exact only up to 2^53. A node
 * that cannot be allocated leaves its member out, which json_whole finds. */
static void add_u64(cJSON *object, const char *name, uint64_t value) {
    char digits[24];
    snprintf(digits, sizeof digits, "%" PRIu64, value);
    cJSON_AddRawToObject(object, name, digits);
}

static void add_config_value(void *ctx, const char *section, const char *key, const char *value,
                             const char *doc) {
    (void)doc;
    char name[128];
    snprintf(name, sizeof name, "%s.%s", section, key);
    bool number = value[strspn(value, "-0123456789")] == '\0';
    if (number)
        cJSON_AddRawToObject(ctx, name, value);
    else
        cJSON_AddStringToObject(ctx, name, value);
}

static void add_stats(cJSON *root, const struct stats *s) {
    cJSON *stats = cJSON_AddObjectToObject(root, "stats");
    for (int i = 0; i < STAT_COUNT; i++)
        add_u64(stats, stat_table[i].name, s->v[i]);
}

static void add_derived(cJSON *root, const struct stats *s) {
    cJSON *derived = cJSON_AddObjectToObject(root, "derived");
    cJSON_AddNumberToObject(derived, "thread_ipc", stats_thread_ipc(s));
    cJSON_AddNumberToObject(derived, "load_latency", load_latency(s));
    cJSON_AddNumberToObject(derived, "l1d_mshr_utilisation", stats_l1d_utilisation(s));
    cJSON_AddNumberToObject(derived, "l2_mshr_utilisation", stats_l2_utilisation(s));
    cJSON_AddNumberToObject(derived, "dram_utilisation", dram_utilisation(s));
}

static void add_verdicts(cJSON *root, const struct report *r) {
    cJSON *lockstep = cJSON_AddObjectToObject(root, "lockstep");
    add_u64(lockstep, "twins", r->lockstep.twins);
    add_u64(lockstep, "cycles", r->lockstep.cycles);
    add_u64(lockstep, "evaluated", r->lockstep.evaluated);
    add_u64(lockstep, "mismatches", r->lockstep.mismatches);
    cJSON *check = cJSON_AddObjectToObject(root, "check");
    cJSON_AddBoolToObject(check, "enabled", r->check.enabled);
    add_u64(check, "loads", r->check.loads);
    add_u64(check, "bytes", r->check.bytes);
    if (r->check.failure)
        cJSON_AddStringToObject(check, "failure", r->check.failure);
    else
        cJSON_AddNullToObject(check, "failure");
    cJSON_AddBoolToObject(root, "verified", r->verified);
}

static void add_host(cJSON *root, const struct report *r) {
    cJSON *host = cJSON_AddObjectToObject(root, "host");
    cJSON_AddNumberToObject(host, "seconds", r->seconds);
    cJSON_AddNumberToObject(host, "cycles_per_s", cycles_per_second(r));
    add_u64(host, "peak_rss_kib", (uint64_t)peak_rss_kib());
}

static cJSON *to_json(const struct report *r) {
    cJSON *root = cJSON_CreateObject();
    cJSON_AddStringToObject(root, "version", report_version());
    cJSON_AddStringToObject(root, "config", r->config);
    cJSON_AddStringToObject(root, "workload", r->workload);
    cJSON_AddStringToObject(root, "end", r->end);
    add_u64(root, "cycles", r->stats.v[STAT_cycles]);
    add_u64(root, "warp_insts", r->stats.v[STAT_warp_insts]);
    add_u64(root, "thread_insts", r->stats.v[STAT_thread_insts]);
    cJSON_AddNumberToObject(root, "ipc", stats_ipc(&r->stats));
    add_stats(root, &r->stats);
    add_derived(root, &r->stats);
    add_verdicts(root, r);
    config_each(r->cfg, add_config_value, cJSON_AddObjectToObject(root, "config_values"));
    add_host(root, r);
    return root;
}

/* Every statistic is there: nothing was left out for want of memory. */
static bool json_whole(const cJSON *root) {
    const cJSON *stats = cJSON_GetObjectItem(root, "stats");
    return cJSON_GetObjectItem(root, "host") && cJSON_GetArraySize(stats) == STAT_COUNT;
}

int report_json_writable(const char *path, char *err, size_t err_size) {
    struct new_file nf;
    char why[512];
    if (new_file_open(&nf, path, why, sizeof why)) {
        snprintf(err, err_size, "cannot write %s", why);
        return -1;
    }
    new_file_drop(&nf);
    return 0;
}

int report_json(const struct report *r, const char *path, char *err, size_t err_size) {
    struct new_file nf;
    char why[512] = "out of memory";
    cJSON *root = to_json(r);
    char *text = root && json_whole(root) ? cJSON_Print(root) : NULL;
    int result = text ? new_file_open(&nf, path, why, sizeof why) : -1;
    if (result == 0) {
        fprintf(nf.f, "%s\n", text);
        result = new_file_commit(&nf, why, sizeof why);
    }
    if (result)
        snprintf(err, err_size, "cannot write %s", why);
    free(text);
    cJSON_Delete(root);
    return result;
}
