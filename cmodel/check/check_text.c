// SPDX-License-Identifier: Apache-2.0
/* Computes stamps, and writes the failures of the data check as text. */
#include "check/check_state.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

/* ---- stamps ---- */

uint8_t check_stamp(uint32_t version, uint64_t addr) {
    return stamp_byte(line_key(addr / LINE_BYTES), version, addr % LINE_BYTES);
}

void check_stamp_line(uint8_t data[LINE_BYTES], uint64_t line, const struct byte_mask *mask,
                      uint32_t version) {
    uint32_t key = line_key(line), mixed = mix_bits(version);
    for (unsigned i = 0; i < LINE_BYTES; i++)
        if (has(mask, i))
            data[i] = (uint8_t)((mixed ^ word_key(key, i / 4)) >> i % 4 * 8);
}

/* ---- failures ---- */

/* Keeps only the first failure. */
void check_fail(struct check *c, const char *format, ...) {
    if (c->failed)
        return;
    va_list args;
    va_start(args, format);
    vsnprintf(c->failure, sizeof c->failure, format, args);
    va_end(args);
    c->failed = true;
}
/* ---- the failure line of a load ---- */

__attribute__((format(printf, 2, 3))) static void add(struct check_text *t, const char *format,
                                                      ...) {
    va_list args;
    va_start(args, format);
    int n = vsnprintf(t->s + t->n, sizeof t->s - t->n, format, args);
    va_end(args);
    if (n > 0)
        t->n += (size_t)n < sizeof t->s - t->n ? (size_t)n : sizeof t->s - t->n - 1;
}

void check_add_version(struct check_text *t, const struct check *c, uint32_t version) {
    const struct check_entry *e = entry_of(c, version);
    for (uint32_t i = 0; !e && i < c->n_old; i++)
        if (entry_at(c, i)->version == version)
            e = entry_at(c, i);
    if (version == 0)
        add(t, "version 0 (never stored)");
    else if (!e)
        add(t, "version %" PRIu32 " (an earlier kernel)", version);
    else
        add(t, "version %" PRIu32 " (SM %u%s)", version, e->sm,
            e->old ? ", an earlier kernel" : "");
}

/* Appends the allowed versions of the byte. */
static void add_allowed(struct check_text *t, const struct check *c, const struct check_line *l,
                        const struct check_access *a, unsigned byte) {
    uint32_t own = 0, complete = 0; /* versions of the floors, or 0 if there is none */
    unsigned n = 0;
    bool old = false;
    for (uint32_t i = l ? l->newest : NONE; i != NONE; i = entry_at(c, i)->prev) {
        const struct check_entry *e = entry_at(c, i);
        if (!has(&e->mask, byte) || e->version == a->atomic || e->acked_at < complete ||
            (own && happened_before(e, own, a->sm)))
            continue;
        if (n++ < ALLOWED_SHOWN) {
            add(t, n > 1 ? ", " : "");
            check_add_version(t, c, e->version);
        }
        if (!own && is_floor(e, a))
            own = e->version;
        if (!complete && is_complete(e, a))
            complete = e->version;
        old |= e->old;
    }
    if (n > ALLOWED_SHOWN)
        add(t, " and %u older", n - ALLOWED_SHOWN);
    if (own || complete || old)
        return;
    add(t, n ? ", " : "");
    check_add_version(t, c, l ? base_version(l, byte) : 0);
}

/* Appends the byte's word in hexadecimal, with ".." for bytes that the load did not read. */
static void add_word(struct check_text *t, const struct check_access *a, unsigned byte) {
    for (unsigned i = 4; i-- > 0;)
        if (has(a->mask, byte / 4 * 4 + i))
            add(t, "%02x", a->data[byte / 4 * 4 + i]);
        else
            add(t, "..");
}

/* Returns a version of this byte, superseded or not, whose stamp equals the byte found, or NONE if
 * there is no such version. */
static uint32_t version_held(const struct check *c, const struct check_line *l,
                             const struct check_access *a, unsigned byte) {
    for (uint32_t i = l ? l->newest : NONE; i != NONE; i = entry_at(c, i)->prev) {
        const struct check_entry *e = entry_at(c, i);
        if (has(&e->mask, byte) && a->data[byte] == stamp_byte(a->key, e->version, byte))
            return e->version;
    }
    if (l && a->data[byte] == stamp_byte(a->key, base_version(l, byte), byte))
        return base_version(l, byte);
    return a->data[byte] == stamp_byte(a->key, 0, byte) ? 0 : NONE;
}

/* Returns the version whose stamp fills the byte's word, if the line may have had that version,
 * otherwise NONE. */
static uint32_t version_of_word(const struct check *c, const struct check_access *a,
                                unsigned byte) {
    unsigned w = byte / 4;
    if (mask_word(a->mask, w) != 15)
        return NONE;
    uint32_t version = unmix(load_word(a->data + 4 * w) ^ word_key(a->key, w));
    const struct check_entry *e = entry_of(c, version);
    bool here = e ? line_at(c, e->line)->line == a->line : version <= c->last;
    return here ? version : NONE;
}

/* Returns the version of the byte found if this line may have had it at some time, or NONE if the
 * data are from elsewhere. */
static uint32_t version_got(const struct check *c, const struct check_line *l,
                            const struct check_access *a, unsigned byte) {
    uint32_t version = version_of_word(c, a, byte);
    if (version != NONE)
        return version;
    for (unsigned i = byte / 4 * 4; i < byte / 4 * 4 + 4; i++)
        if (has(a->mask, i) && version_held(c, l, a, i) == NONE)
            return NONE;
    return version_held(c, l, a, byte);
}

/* Appends another recorded line, if there is one, that has, or had in this kernel, the found word
 * at this position. */
static void add_origin(struct check_text *t, const struct check *c, const struct check_access *a,
                       unsigned byte) {
    unsigned w = byte / 4;
    if (mask_word(a->mask, w) != 15)
        return;
    for (uint32_t i = 0; i < c->n_lines; i++) {
        const struct check_line *l = line_at(c, i);
        uint32_t key = word_key(line_key(l->line), w);
        uint32_t version = unmix(load_word(a->data + 4 * w) ^ key);
        const struct check_entry *e = entry_of(c, version);
        if (l->line == a->line || (e ? e->line != i : version != base_version(l, byte)))
            continue;
        add(t, " = byte 0x%" PRIx64 ", ", l->line * LINE_BYTES + byte);
        check_add_version(t, c, version);
        return;
    }
}

void check_fail_access(struct check *c, const struct check_line *l, const struct check_access *a,
                       unsigned byte) {
    struct check_text t = {.n = 0};
    uint32_t got = version_got(c, l, a, byte);
    bool final = a->sm == NO_SM;
    add(&t, "%s: ", got == NONE ? "foreign data" : final ? "lost store" : "stale data");
    if (final)
        add(&t, "memory at the end, ");
    else
        add(&t, "%s of SM %" PRIu32 ", ", a->atomic == NONE ? "load" : "atomic", a->sm);
    add(&t, "byte 0x%" PRIx64 ", kernel %" PRIu32 ": got word ", a->line * LINE_BYTES + byte,
        c->kernel);
    add_word(&t, a, byte);
    if (got == NONE) {
        add_origin(&t, c, a, byte);
    } else {
        add(&t, " = ");
        check_add_version(&t, c, got);
    }
    add(&t, "; allowed: ");
    add_allowed(&t, c, l, a, byte);
    check_fail(c, "%s", t.s);
}
