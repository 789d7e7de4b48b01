// SPDX-License-Identifier: Apache-2.0
#include "trace/traceg_private.h"

#include <stdio.h>
#include <string.h>

const struct traceg_odd *traceg_odd(const struct traceg *t) {
    return t->odd;
}

void traceg_note(struct traceg *t, unsigned entry) {
    if (!t->odd[entry].times++)
        t->odd[entry].line = trace_input_number(t->in);
}

/* Returns the entry of an unknown opcode: that of its word, a free one, or the last one. */
static unsigned find_unknown(const struct traceg *t, const char *opcode) {
    unsigned i = ODD_UNKNOWN;
    while (i < ODD_ENTRIES - 1 && t->odd[i].opcode[0] && !odd_same_word(t->odd[i].opcode, opcode))
        i = i == ODD_UNKNOWN ? ODDITIES : i + 1;
    return i;
}

uint8_t traceg_find_odd(struct traceg *t, enum trace_oddity kind, const char *p) {
    char text[ODD_OPCODE_MAX];
    size_t n = 0;
    if (kind == ODD_NONE)
        return ODD_NONE;
    while (n < sizeof text - 1 && p[n] > ' ')
        n++;
    memcpy(text, p, n);
    text[n] = '\0';
    const unsigned i = kind == ODD_UNKNOWN ? find_unknown(t, text) : kind;
    if (!t->odd[i].opcode[0])
        snprintf(t->odd[i].opcode, sizeof text, "%.*s%s", ODD_OPCODE_MAX - 5, text,
                 i == ODD_ENTRIES - 1 ? ", .." : "");
    return (uint8_t)i;
}

void traceg_count_odd(struct traceg *t, const struct traceg_form *f) {
    traceg_note(t, f->odd);
    if (f->opcode.bulk)
        t->odd[f->odd].bytes += t->bulk_bytes;
}
