// SPDX-License-Identifier: Apache-2.0
#include "identity.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "os/interrupt.h"
#include "report.h"
#include "workload_set.h"

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

int identity_program(char program[HASH_SIZE], struct error *err) {
    program[0] = '\0';
    if (report_version_clean())
        return 0;
    struct hash *h = hash_new();
    int bad = hash_add_file(h, "/proc/self/exe");
    if (bad)
        error_set(err, "/proc/self/exe: %s", read_error(errno));
    else
        hash_digits(h, program);
    hash_free(h);
    return bad;
}

void identity_of(const struct config *cfg, const char *workload, const char *trace_hash,
                 const char *program, char identity[HASH_SIZE]) {
    struct hash *h = hash_new();
    config_each(cfg, add_key, h);
    if (trace_hash) {
        add_line(h, "trace", trace_hash);
    } else {
        char *plain = workload_set_plain(workload);
        add_line(h, "workload", plain);
        free(plain);
    }
    add_line(h, "version", report_version());
    if (*program)
        add_line(h, "program", program);
    hash_digits(h, identity);
    hash_free(h);
}
