// SPDX-License-Identifier: Apache-2.0
/* Checks atomics: the values that they replace, and lost updates. */
#include "check/check_state.h"

#include <inttypes.h>

/* The ticket orders the atomic's load before its own store. */
uint64_t check_atomic(struct check *c, unsigned sm, uint64_t line, const struct byte_mask *mask,
                      uint32_t version) {
    uint64_t ticket = (uint64_t)c->kernel << 32 | c->last;
    check_store(c, sm, line, mask, version);
    if (!c->failed)
        entry_of(c, version)->atomic = 1;
    return ticket;
}

/* Returns the index of the entry whose stamp fills word w. Returns BASE if the base version's stamp
 * fills the word, or NONE if no stamp does. */
#define BASE (NONE - 1)
static uint32_t holder_of_word(const struct check *c, const struct check_line *l,
                               const struct check_access *a, unsigned w) {
    uint32_t version = unmix(load_word(a->data + 4 * w) ^ word_key(a->key, w));
    const struct check_entry *e = entry_of(c, version);
    if (e && line_at(c, e->line) == l && mask_word(&e->mask, w) == 15)
        return c->n_old + (version - c->first);
    unsigned equal = 0;
    for (unsigned i = 4 * w; i < 4 * w + 4; i++)
        equal += base_version(l, i) == version;
    if (equal == 4)
        return BASE;
    for (uint32_t i = l->newest; i != NONE; i = entry_at(c, i)->prev)
        if (i < c->n_old && entry_at(c, i)->version == version &&
            mask_word(&entry_at(c, i)->mask, w) == 15)
            return i;
    return NONE;
}

/* Returns the index of the entry whose stamp the byte has, or BASE if the base version has the
 * byte's stamp. Returns NONE if several versions, or no version, have this stamp. */
static uint32_t holder_of_byte(const struct check *c, const struct check_line *l,
                               const struct check_access *a, unsigned byte) {
    uint32_t holder = NONE;
    unsigned n = 0;
    if (a->data[byte] == stamp_byte(a->key, base_version(l, byte), byte)) {
        holder = BASE;
        n++;
    }
    for (uint32_t i = l->newest; i != NONE && n < 2; i = entry_at(c, i)->prev) {
        const struct check_entry *e = entry_at(c, i);
        if (e->version == a->atomic || !has(&e->mask, byte) ||
            a->data[byte] != stamp_byte(a->key, e->version, byte))
            continue;
        holder = i;
        n++;
    }
    return n == 1 ? holder : NONE;
}

/* True if a store in the list covers word w only in part. */
static bool is_mixed(const struct check *c, const struct check_line *l, unsigned w) {
    for (uint32_t i = l->newest; i != NONE; i = entry_at(c, i)->prev) {
        unsigned part = mask_word(&entry_at(c, i)->mask, w);
        if (part != 0 && part != 15)
            return true;
    }
    return false;
}

/* Returns a byte of m that certainly has the holder's version, or LINE_BYTES if there is none. In a
 * partly written word, a byte may be from another version with the same stamp. */
static unsigned sure_byte(const struct check *c, const struct check_line *l,
                          const struct check_access *a, uint32_t holder, struct byte_mask m) {
    while (mask_any(m)) {
        unsigned byte = mask_take_lowest(&m), w = byte / 4;
        bool whole_word = mask_word(a->mask, w) == 15 && holder_of_word(c, l, a, w) == holder;
        if ((whole_word && !is_mixed(c, l, w)) || holder_of_byte(c, l, a, byte) == holder)
            return byte;
    }
    return LINE_BYTES;
}

static void fail_lost_update(struct check *c, const struct check_line *l,
                             const struct check_access *a, uint32_t holder, unsigned byte) {
    struct check_text t = {.n = 0};
    check_add_version(&t, c, holder == BASE ? base_version(l, byte) : entry_at(c, holder)->version);
    check_fail(c,
               "lost update: atomic of SM %" PRIu32 ", version %" PRIu32 ", byte 0x%" PRIx64
               ", kernel %" PRIu32 ": replaced %s, which another atomic had replaced",
               a->sm, a->atomic, a->line * LINE_BYTES + byte, c->kernel, t.s);
}

/* Records that the atomic has replaced the holder's bytes m. Fails if another atomic has already
 * replaced one of the bytes. */
static void replace(struct check *c, struct check_line *l, const struct check_access *a,
                    uint32_t holder, struct byte_mask m) {
    struct check_entry *e = holder == BASE ? NULL : entry_at(c, holder);
    uint32_t account = e ? e->replaced : l->replaced;
    struct byte_mask again = mask_common(account_of(c, account), m);
    unsigned byte = mask_any(again) ? sure_byte(c, l, a, holder, again) : LINE_BYTES;
    if (byte < LINE_BYTES) {
        fail_lost_update(c, l, a, holder, byte);
        return;
    }
    account = check_account_add(c, account, m);
    if (e)
        e->replaced = account;
    else
        l->replaced = account & (ACCOUNTS_MAX - 1);
}

/* Records the versions that the atomic has replaced. */
static void replace_all(struct check *c, struct check_line *l, const struct check_access *a) {
    struct byte_mask rest = *a->mask;
    while (mask_any(rest)) {
        unsigned byte = lowest(rest), w = byte / 4;
        struct byte_mask m = {{0, 0}};
        uint32_t holder = mask_word(a->mask, w) == 15 ? holder_of_word(c, l, a, w) : NONE;
        m.w[byte / 64] = holder == NONE ? (uint64_t)1 << byte % 64 : (uint64_t)15 << w % 16 * 4;
        if (holder == NONE)
            holder = holder_of_byte(c, l, a, byte);
        if (holder != NONE)
            replace(c, l, a, holder, m);
        rest = without(rest, m);
    }
}

static bool same_mask(struct byte_mask a, struct byte_mask b) {
    return a.w[0] == b.w[0] && a.w[1] == b.w[1];
}

void check_atomic_done(struct check *c, unsigned sm, uint64_t ticket, uint64_t line,
                       const struct byte_mask *mask, uint32_t version,
                       const uint8_t old[LINE_BYTES]) {
    c->loads++;
    c->bytes += n_bytes(mask);
    if (c->failed || !check_sm_known(c, sm, "atomic"))
        return;
    struct check_entry *e = check_answered(c, sm, version, "atomic", "answered");
    if (!e)
        return;
    struct check_line *l = line_at(c, e->line);
    if (l->line != line || !same_mask(e->mask, *mask))
        check_fail(c,
                   "atomic of SM %u, version %" PRIu32 ", kernel %" PRIu32
                   ": entered for line 0x%" PRIx64 ", answered for line 0x%" PRIx64 "%s",
                   sm, version, c->kernel, l->line, line,
                   l->line == line ? " with other bytes" : "");
    else if (ticket != ((uint64_t)c->kernel << 32 | (version - 1)))
        check_fail(c,
                   "atomic of SM %u, version %" PRIu32 ", line 0x%" PRIx64 ", kernel %" PRIu32
                   ": ticket 0x%" PRIx64 " is not its own",
                   sm, version, line, c->kernel, ticket);
    struct check_access a = {.sm = sm,
                             .entered = version - 1,
                             .before = version,
                             .atomic = version,
                             .line = line,
                             .mask = mask,
                             .data = old};
    if (!c->failed)
        check_judge(c, &a);
    if (!c->failed)
        replace_all(c, l, &a);
    check_acknowledge(c, e);
}
