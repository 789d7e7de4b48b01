// SPDX-License-Identifier: Apache-2.0
#include "trace/choice.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "demangle.h"
#include "lib/alloc.h"
#include "trace/scan.h"

/* Reads "N", "N-M", "N-" or "-M". Returns false if the text is no range. */
static bool read_range(struct choice_part *part, const char *text) {
    const char *p = text;
    part->from = 1;
    part->to = UINT64_MAX;
    if (*p != '-' && !scan_decimal(&p, &part->from))
        return false;
    if (!*p) {
        part->to = part->from;
        return part->from > 0;
    }
    if (*p++ != '-' || (*p && !scan_decimal(&p, &part->to)) || (p == text + 1 && !*p))
        return false;
    return !*p && part->from > 0 && part->from <= part->to;
}

static int read_part(struct kernel_choice *c, char *text, struct error *err) {
    struct choice_part part = {0};
    const bool range = *text && strchr("-0123456789", *text);
    const bool good = range ? read_range(&part, text) : *text != '\0';
    if (!good) {
        error_set(err, "'%.60s': expected numbers of kernels such as 3, 1-6 or 8-, or a name",
                  text);
        free(text);
        return -1;
    }
    if (range)
        free(text);
    else
        part.pattern = text;
    c->part = alloc_resized(c->part, c->n + 1, sizeof *c->part);
    c->part[c->n++] = part;
    return 0;
}

/* Returns the length of the part at the text, up to a comma outside of brackets. */
static size_t part_length(const char *text) {
    unsigned depth = 0;
    size_t n = 0;
    for (; text[n] && (text[n] != ',' || depth); n++)
        if (strchr("<({", text[n]))
            depth++;
        else if (strchr(">)}", text[n]) && depth)
            depth--;
    return n;
}

int kernel_choice_read(struct kernel_choice *c, const char *text, struct error *err) {
    *c = (struct kernel_choice){0};
    for (;;) {
        const size_t n = part_length(text);
        if (read_part(c, alloc_text_part(text, n), err))
            return -1;
        if (!text[n])
            return 0;
        text += n + 1;
    }
}

void kernel_choice_free(struct kernel_choice *c) {
    for (size_t i = 0; i < c->n; i++)
        free(c->part[i].pattern);
    free(c->part);
    *c = (struct kernel_choice){0};
}

bool kernel_choice_number(struct kernel_choice *c, uint64_t number) {
    bool chosen = !c->n;
    for (size_t i = 0; i < c->n; i++) {
        struct choice_part *part = &c->part[i];
        if (part->pattern || number < part->from || number > part->to)
            continue;
        part->used = chosen = true;
    }
    return chosen;
}

bool kernel_choice_names(const struct kernel_choice *c) {
    for (size_t i = 0; i < c->n; i++)
        if (c->part[i].pattern)
            return true;
    return false;
}

static bool pattern_matches(const char *pattern, const char *name) {
    return strpbrk(pattern, "*?[") ? fnmatch(pattern, name, 0) == 0 : strstr(name, pattern) != NULL;
}

bool kernel_choice_name(struct kernel_choice *c, const char *name) {
    char *plain = kernel_choice_names(c) ? demangle(name, false) : NULL;
    bool chosen = false;
    for (size_t i = 0; i < c->n; i++) {
        struct choice_part *part = &c->part[i];
        if (!part->pattern ||
            !(pattern_matches(part->pattern, name) || pattern_matches(part->pattern, plain)))
            continue;
        part->used = chosen = true;
    }
    free(plain);
    return chosen;
}

const struct choice_part *kernel_choice_beyond(const struct kernel_choice *c, uint64_t kernels) {
    for (size_t i = 0; i < c->n; i++)
        if (!c->part[i].pattern && c->part[i].to > kernels && c->part[i].to != UINT64_MAX)
            return &c->part[i];
    return NULL;
}

int kernel_choice_check(const struct kernel_choice *c, uint64_t kernels, struct error *err) {
    for (size_t i = 0; i < c->n; i++) {
        const struct choice_part *part = &c->part[i];
        if (part->used)
            continue;
        if (part->pattern)
            return error_set(err, "no kernel's name matches '%.60s'", part->pattern);
        return error_set(err, "no kernel %" PRIu64 ": the trace has %" PRIu64, part->from, kernels);
    }
    return 0;
}
