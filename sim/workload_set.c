// SPDX-License-Identifier: Apache-2.0
#include "workload_set.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lib/alloc.h"
#include "options.h"
#include "workloads/lane.h"

#define APART (UINT64_C(2) << 20) /* bytes; keeps workloads from sharing a line or a large page */

/* ---- Names ---- */

void workload_set_part(const char *name, uint32_t k, char *part, size_t size) {
    for (; k && *name; k--) {
        name += strcspn(name, "+");
        name += *name == '+';
    }
    snprintf(part, size, "%.*s", (int)strcspn(name, "+"), name);
}

uint32_t workload_set_count(const char *name) {
    uint32_t n = 1;
    for (; *name; name++)
        n += *name == '+';
    return n;
}

/* Copies a size such as 08,1 without the zeros that begin a number: 8,1. Returns its length. */
static size_t copy_size(char *to, size_t room, const char *size) {
    size_t n = 0;
    for (const char *c = size; *c; c++) {
        const bool begins = c == size || c[-1] == ',';
        while (begins && *c == '0' && c[1] >= '0' && c[1] <= '9')
            c++;
        if (n + 1 < room)
            to[n] = *c;
        n++;
    }
    if (room)
        to[n < room ? n : room - 1] = '\0';
    return n;
}

int workload_set_name(const char *text, char *name, size_t size, struct error *err) {
    const uint32_t n = workload_set_count(text);
    char part[128];
    size_t used = 0;
    if (n > WORKLOADS_AT_ONCE)
        return error_set(err, "%u workloads, but at most %u can run concurrently", (unsigned)n,
                         WORKLOADS_AT_ONCE);
    for (uint32_t k = 0; k < n; k++) {
        const char *given;
        workload_set_part(text, k, part, sizeof part);
        const struct workload_type *type = read_workload_name(part, &given, err);
        if (!type) {
            const size_t end = strlen(err->text);
            snprintf(err->text + end, sizeof err->text - end, "%s",
                     n > 1 ? "; + joins workloads" : "");
            return -1;
        }
        used += (size_t)snprintf(name + used, size - used, "%s%s:", k ? "+" : "", type->name);
        if (used < size)
            used += copy_size(name + used, size - used, given ? given : type->default_size);
        if (used >= size)
            return error_set(err, "the names of the workloads are too long: %.60s..", text);
    }
    return 0;
}

/* Prints one workload of a full name. */
static void print_plain(char *part, FILE *to) {
    uint64_t value[WORKLOAD_SIZES];
    char *size = strchr(part, ':');
    if (size)
        *size++ = '\0';
    const struct workload_type *type = workload_find(part);
    if (!type || workload_sizes(type, size, value, NULL)) {
        fprintf(to, "%s%s%s", part, size ? ":" : "", size ? size : "");
        return;
    }
    fputs(type->name, to);
    for (unsigned i = 0; i < WORKLOAD_SIZES && type->size[i].name; i++)
        fprintf(to, "%c%" PRIu64, i ? ',' : ':', value[i]);
}

/* Returns the full name with all sizes. Copies the text after a blank, such as --repeat 2, which is
 * no part of a workload. */
char *workload_set_plain(const char *name) {
    char *text = NULL, part[128];
    size_t size;
    FILE *f = alloc_stream(&text, &size);
    for (uint32_t k = 0; k < workload_set_count(name); k++) {
        workload_set_part(name, k, part, sizeof part);
        char *rest = strchr(part, ' ');
        if (rest)
            *rest++ = '\0';
        if (k)
            fputc('+', f);
        print_plain(part, f);
        if (rest)
            fprintf(f, " %s", rest);
    }
    alloc_stream_close(f);
    return text;
}

/* ---- Workloads ---- */

/* Returns the first address after the workload's arrays. */
static uint64_t end_of(const struct workload *w) {
    uint64_t end = 0;
    for (unsigned i = 0; i < w->n_arrays; i++) {
        const uint64_t a = w->arrays[i].base + w->arrays[i].bytes;
        end = a > end ? a : end;
    }
    return end;
}

/* Moves the workload's arrays to addresses after those of the previous workload. */
static void move_behind(struct workload *w, const struct workload *before) {
    if (!w->n_arrays)
        return;
    const uint64_t to = (end_of(before) + APART - 1) / APART * APART;
    const uint64_t by = to - w->arrays[0].base;
    for (unsigned i = 0; i < w->n_arrays; i++)
        w->arrays[i].base += by;
}

int workload_set_open(struct workload_set *s, const char *name, struct error *err) {
    char part[128];
    const uint32_t n = workload_set_count(name);
    for (s->n = 0; s->n < n; s->n++) {
        const char *size;
        workload_set_part(name, s->n, part, sizeof part);
        const struct workload_type *type = read_workload_name(part, &size, err);
        struct workload *w = type ? workload_create(type, size, err) : NULL;
        if (!w)
            return -1;
        if (s->n)
            move_behind(w, s->w[s->n - 1]);
        s->w[s->n] = w;
    }
    return 0;
}

void workload_set_free(struct workload_set *s) {
    for (uint32_t k = 0; k < s->n; k++)
        s->w[k]->destroy(s->w[k]);
    s->n = 0;
}

int workload_set_repeat(struct workload_set *s, uint64_t n, struct error *err) {
    s->repeat = n;
    for (uint32_t k = 0; k < s->n && n > 1; k++) {
        struct workload *w = workload_repeat(s->w[k], n, err);
        if (!w) { /* s->w[k] has been freed */
            s->w[k] = s->w[--s->n];
            return -1;
        }
        s->w[k] = w;
    }
    return 0;
}

const char *workload_set_unverifiable(const struct workload_set *s) {
    for (uint32_t k = 0; k < s->n && s->repeat > 1; k++)
        if (!s->w[k]->type->repeatable)
            return s->w[k]->type->name;
    return NULL;
}

int workload_set_verify(const struct workload_set *s, struct error *err) {
    for (uint32_t k = 0; k < s->n; k++)
        if (s->w[k]->verify(s->w[k], err) != 0)
            return -1;
    return 0;
}

const char *workload_set_error(const struct workload_set *s) {
    for (uint32_t k = 0; k < s->n; k++) {
        const char *why = s->w[k]->error ? s->w[k]->error(s->w[k]) : NULL;
        if (why)
            return why;
    }
    return NULL;
}

uint64_t workload_set_launches(const struct workload_set *s) {
    uint64_t all = 0;
    for (uint32_t k = 0; k < s->n; k++) {
        if (!s->w[k]->launches || s->endless)
            return 0;
        all += s->w[k]->launches;
    }
    return all;
}

uint64_t workload_set_ctas(const struct workload_set *s) {
    uint64_t all = 0;
    for (uint32_t k = 0; k < s->n; k++) {
        if (!s->w[k]->ctas || s->endless)
            return 0;
        all += s->w[k]->ctas;
    }
    return all;
}
