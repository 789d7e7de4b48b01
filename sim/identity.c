// SPDX-License-Identifier: Apache-2.0
#include "identity.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "harness/interrupt.h"
#include "report.h"

static void add_line(struct hash *h, const char *name, const char *value) {
    hash_add(h, name, strlen(name));
    hash_add(h, "=", 1);
    hash_add(h, value, strlen(value));
    hash_add(h, "\n", 1);
}

static void add_key(void *ctx, const char *section, const char *key, const char *value,
                    const char *doc) {
    (void)doc;
    char name[128];
    snprintf(name, sizeof name, "%s.%s", section, key);
    add_line(ctx, name, value);
}

int identity_of(const struct config *cfg, const char *workload, const char *trace_hash,
                char identity[HASH_SIZE], char *err, size_t err_size) {
    struct hash *h = hash_new();
    int result = 0;
    if (!h) {
        snprintf(err, err_size, "out of memory");
        return -1;
    }
    config_each(cfg, add_key, h);
    add_line(h, trace_hash ? "trace" : "workload", trace_hash ? trace_hash : workload);
    add_line(h, "version", report_version());
    if (!report_version_clean() && hash_add_file(h, "/proc/self/exe") != 0) {
        snprintf(err, err_size, "/proc/self/exe: %s", read_error(errno));
        result = -1;
    }
    hash_digits(h, identity);
    hash_free(h);
    return result;
}
