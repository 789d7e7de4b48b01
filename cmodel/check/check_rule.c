// SPDX-License-Identifier: Apache-2.0
/* What a load or an atomic may get: the rule of check.h, per byte, in the form that is used here.
 *
 * Let `floor` be the newest store to the byte by the loading SM that entered before the load did.
 * Stores before it by the same SM, and stores that were acknowledged before it entered, are
 * superseded; an older store of the SM supersedes nothing that `floor` does not. The old stores of
 * a byte supersede its base, but not each other: what one of them superseded was dropped at the
 * kernel's end. For an atomic there is a second floor, the newest store that was acknowledged
 * before the atomic entered: what was acknowledged before that one entered is superseded.
 */
#include "check/check_state.h"

/* ---- stamps in data ---- */

/* Do all four bytes of each word hold the stamp? `mixed` is mix(version). */
static bool matches_line(const uint8_t *data, uint32_t key, uint32_t mixed) {
    uint32_t differs = 0;
    for (unsigned w = 0; w < LINE_WORDS; w++)
        differs |= load_word(data + 4 * w) ^ mixed ^ word_key(key, w);
    return differs == 0;
}

/* Which bytes of word w (a nibble) hold the stamp? */
static inline uint64_t matching_in_word(const uint8_t *data, uint32_t key, uint32_t mixed,
                                        unsigned w) {
    uint32_t differs = load_word(data + 4 * w) ^ mixed ^ word_key(key, w);
    if (differs == 0)
        return 15;
    uint64_t hit = 0;
    for (unsigned i = 0; i < 4; i++)
        hit |= (uint64_t)((differs >> 8 * i & 0xff) == 0) << i;
    return hit;
}

/* Which of the wanted bytes hold the stamp of the version? */
static struct byte_mask matching(const struct access *a, uint32_t version, struct byte_mask want) {
    struct byte_mask hit = {{0, 0}};
    uint32_t mixed = mix(version);
    if (is_full(want) && matches_line(a->data, a->key, mixed))
        return want;
    for (unsigned half = 0; half < 2; half++)
        for (uint64_t rest = want.w[half]; rest;) {
            unsigned w = (unsigned)__builtin_ctzll(rest) / 4;
            hit.w[half] |= matching_in_word(a->data, a->key, mixed, half * 16 + w) << w * 4;
            rest &= ~((uint64_t)15 << w * 4);
        }
    return both(hit, want);
}
/* Which of the wanted bytes hold the stamp of their base version? */
static struct byte_mask matching_base(const struct access *a, const struct line *l,
                                      struct byte_mask want) {
    if (l->grain == GRAIN_LINE)
        return matching(a, l->base.one, want);
    struct byte_mask hit = {{0, 0}};
    for (unsigned half = 0; half < 2; half++)
        for (uint64_t rest = want.w[half], group; rest; rest &= ~group) {
            unsigned at = (unsigned)__builtin_ctzll(rest), byte = half * 64 + at;
            uint32_t mixed = mix(base_version(l, byte));
            group = l->grain == GRAIN_WORD ? (uint64_t)15 << at / 4 * 4 : (uint64_t)1 << at;
            hit.w[half] |= matching_in_word(a->data, a->key, mixed, byte / 4) << at / 4 * 4 & group;
        }
    return both(hit, want);
}
/* ---- what a load may return ---- */

/* Takes out of m the bytes whose floor store supersedes e. */
static struct byte_mask not_superseded(const struct entry *e, const struct access *a,
                                       struct byte_mask m, struct byte_mask floored,
                                       const uint32_t floor[LINE_BYTES]) {
    struct byte_mask keep = without(m, floored), rest = both(m, floored);
    while (any(rest)) {
        unsigned byte = take(&rest);
        if (!happened_before(e, floor[byte], a->sm))
            keep.w[byte / 64] |= (uint64_t)1 << byte % 64;
    }
    return keep;
}

/* Versions of the newest stores that the reader cannot have missed, per byte; valid for the bytes
 * in the masks. */
struct floors {
    struct byte_mask own, complete; /* complete: of atomics only */
    uint32_t own_version[LINE_BYTES];
    uint32_t complete_version[LINE_BYTES];
};

/* Takes out of m the bytes whose complete floor supersedes e. */
static struct byte_mask not_outdated(const struct entry *e, struct byte_mask m,
                                     const struct floors *f) {
    struct byte_mask rest = both(m, f->complete);
    while (any(rest)) {
        unsigned byte = take(&rest);
        if (e->acked_at < f->complete_version[byte])
            m.w[byte / 64] &= ~((uint64_t)1 << byte % 64);
    }
    return m;
}

/* Raises the floor at those of the bytes that have none. */
static void raise_floor(struct byte_mask *floored, uint32_t floor[LINE_BYTES],
                        struct byte_mask bytes, uint32_t version) {
    struct byte_mask lower = without(bytes, *floored);
    *floored = either(*floored, lower);
    while (any(lower))
        floor[take(&lower)] = version;
}

/* Which of the wanted bytes, all covered by the line's list, hold nothing that they may hold? */
static struct byte_mask unexplained_stored(const struct check *c, const struct line *l,
                                           const struct access *a, struct byte_mask want) {
    struct floors f;
    f.own = f.complete = (struct byte_mask){{0, 0}};
    struct byte_mask old = {{0, 0}};
    for (uint32_t i = l->newest, prev; i != NONE && any(want); i = prev) {
        const struct entry *e = entry_at(c, i);
        struct byte_mask m = both(e->mask, want);
        prev = e->prev;
        if (e->version == a->atomic)
            continue;
        if (any(m)) {
            struct byte_mask may = not_superseded(e, a, m, f.own, f.own_version);
            if (any(f.complete))
                may = not_outdated(e, may, &f);
            want = without(want, matching(a, e->version, may));
        }
        if (is_floor(e, a))
            raise_floor(&f.own, f.own_version, both(m, want), e->version);
        if (is_complete(e, a))
            raise_floor(&f.complete, f.complete_version, both(m, want), e->version);
        if (e->old)
            old = either(old, e->mask);
    }
    struct byte_mask base = without(want, either(either(f.own, f.complete), old));
    return any(base) ? without(want, matching_base(a, l, base)) : want;
}

/* Can an atomic be seen to have got e's stamp in the whole of word w? e must cover it. False: not
 * known. The list is looked at only as far back as e, or its acknowledgement. */
static bool may_see_word(const struct check *c, const struct line *l, const struct access *a,
                         const struct entry *e, unsigned w) {
    for (uint32_t i = l->newest; i != NONE; i = entry_at(c, i)->prev) {
        const struct entry *n = entry_at(c, i);
        if (n->version <= e->version || (e->sm != a->sm && n->version <= e->acked_at))
            return true;
        if (n->version != a->atomic && nibble(&n->mask, w) && (is_floor(n, a) || is_complete(n, a)))
            return false;
    }
    return true;
}

/* What an atomic got is mostly one version a word, and the word says which: most of a long list is
 * passed over. Returns the bytes that this does not explain. */
static struct byte_mask unexplained_words(const struct check *c, const struct line *l,
                                          const struct access *a, struct byte_mask want) {
    for (unsigned w = 0; w < LINE_WORDS; w++) {
        if (nibble(&want, w) != 15)
            continue;
        uint32_t version = unmix(load_word(a->data + 4 * w) ^ word_key(a->key, w));
        const struct entry *e = version == a->atomic ? NULL : entry_of(c, version);
        if (e && line_at(c, e->line) == l && nibble(&e->mask, w) == 15 &&
            may_see_word(c, l, a, e, w))
            want.w[w / 16] &= ~((uint64_t)15 << w % 16 * 4);
    }
    return want;
}

/* Which of the masked bytes hold nothing that they may hold? l: the line's record or NULL. */
struct byte_mask check_unexplained(const struct check *c, const struct line *l,
                                   const struct access *a) {
    struct byte_mask mask = *a->mask;
    if (!l)
        return without(mask, matching(a, 0, mask));
    struct byte_mask stored = both(mask, l->stored), rest = without(mask, stored);
    if (any(rest))
        rest = without(rest, matching_base(a, l, rest));
    if (a->atomic != NONE)
        stored = unexplained_words(c, l, a, stored);
    return any(stored) ? either(rest, unexplained_stored(c, l, a, stored)) : rest;
}
