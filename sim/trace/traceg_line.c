// SPDX-License-Identifier: Apache-2.0
#include "trace/traceg_private.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "trace/scan.h"

int traceg_fail(struct traceg *t, const char *fmt, ...) {
    va_list args;
    char what[256];
    if (t->error.text[0])
        return -1;
    va_start(args, fmt);
    vsnprintf(what, sizeof what, fmt, args);
    va_end(args);
    for (char *c = what; *c; c++)
        if ((unsigned char)*c < ' ' || (unsigned char)*c > '~')
            *c = '?';
    return error_set(&t->error, "%s:%llu: %s%s", trace_input_name(t->in),
                     (unsigned long long)trace_input_number(t->in), what,
                     trace_input_cut(t->in) ? " (the file ends in this line)" : "");
}

int traceg_fail_at(struct traceg *t, const char *p, const char *what) {
    const char *end = t->line + t->size;
    size_t left = p < end ? (size_t)(end - p) : 0, n = 0;
    char shown[41];
    for (; n < left && n < sizeof shown - 1 && !scan_field_end(p + n); n++)
        shown[n] = p[n] ? p[n] : '?';
    shown[n] = '\0';
    if (n == 0)
        return traceg_fail(t, "%s, but the line ends here", what);
    return traceg_fail(t, "%s, not '%s'", what, shown);
}

int traceg_next_line(struct traceg *t) {
    do {
        if (!trace_input_line(t->in, &t->line, &t->size)) {
            const char *why = trace_input_error(t->in);
            return why ? traceg_fail(t, "%s", why) : 0;
        }
        while (t->size && (*t->line == ' ' || *t->line == '\t')) {
            t->line++;
            t->size--;
        }
        while (t->size && (t->line[t->size - 1] == ' ' || t->line[t->size - 1] == '\t'))
            t->size--;
    } while (t->size == 0);
    return 1;
}

bool traceg_line_is(const struct traceg *t, const char *text) {
    return t->size == strlen(text) && memcmp(t->line, text, t->size) == 0;
}

const char *traceg_value_of(const struct traceg *t, const char *p, const char *name) {
    size_t n = strlen(name);
    if ((size_t)(t->line + t->size - p) <= n || memcmp(p, name, n) != 0)
        return NULL;
    p += n;
    scan_spaces(&p);
    if (*p != '=')
        return NULL;
    p++;
    scan_spaces(&p);
    return p;
}

bool traceg_scan_triple(const char **p, uint32_t v[3]) {
    for (unsigned i = 0; i < 3; i++) {
        uint64_t n;
        if (i) {
            if (**p != ',')
                return false;
            ++*p;
            scan_spaces(p);
        }
        if (!scan_decimal(p, &n) || n > UINT32_MAX)
            return false;
        v[i] = (uint32_t)n;
    }
    return true;
}
