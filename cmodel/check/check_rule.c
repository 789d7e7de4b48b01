// SPDX-License-Identifier: Apache-2.0
/* Computes the allowed values of a load or an atomic: applies the rule in check.h to each byte.
 *
 * Let `floor` be the loading SM's newest store to the byte that entered before the load. It
 * supersedes the SM's earlier stores, and all stores that were acknowledged before `floor` entered.
 * Every store that the SM's earlier stores supersede is also superseded by `floor`. The old stores
 * to a byte supersede its base, but not each other, because superseded old stores were dropped when
 * the kernel ended. An atomic has a second floor: the newest store that was acknowledged before the
 * atomic entered. So has a load if the L1 was emptied while kernels ran: the newest store that was
 * acknowledged before that. This floor supersedes stores that were acknowledged before it entered.
 */
#include "check/check_state.h"

/* ---- stamps in data ---- */

/* True if all four bytes of each word have the stamp. `mixed` is mix_bits(version). */
static bool matches_line(const uint8_t *data, uint32_t key, uint32_t mixed) {
    uint32_t differs = 0;
    for (unsigned w = 0; w < LINE_WORDS; w++)
        differs |= load_word(data + 4 * w) ^ mixed ^ word_key(key, w);
    return differs == 0;
}

/* Returns the bytes of word w that have the stamp, as a mask of four bits. */
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

/* Returns the bytes in `want` that have the stamp of the version. */
static struct byte_mask matching(const struct check_access *a, uint32_t version,
                                 struct byte_mask want) {
    struct byte_mask hit = {{0, 0}};
    uint32_t mixed = mix_bits(version);
    if (is_full(want) && matches_line(a->data, a->key, mixed))
        return want;
    for (unsigned half = 0; half < 2; half++)
        for (uint64_t rest = want.w[half]; rest;) {
            unsigned w = (unsigned)__builtin_ctzll(rest) / 4;
            hit.w[half] |= matching_in_word(a->data, a->key, mixed, half * 16 + w) << w * 4;
            rest &= ~((uint64_t)15 << w * 4);
        }
    return mask_common(hit, want);
}
/* Returns the bytes in `want` that have the stamp of their base version. */
static struct byte_mask matching_base(const struct check_access *a, const struct check_line *l,
                                      struct byte_mask want) {
    if (l->grain == GRAIN_LINE)
        return matching(a, l->base.one, want);
    struct byte_mask hit = {{0, 0}};
    for (unsigned half = 0; half < 2; half++)
        for (uint64_t rest = want.w[half], group; rest; rest &= ~group) {
            unsigned bit = (unsigned)__builtin_ctzll(rest), byte = half * 64 + bit;
            uint32_t mixed = mix_bits(base_version(l, byte));
            group = l->grain == GRAIN_WORD ? (uint64_t)15 << bit / 4 * 4 : (uint64_t)1 << bit;
            hit.w[half] |=
                matching_in_word(a->data, a->key, mixed, byte / 4) << bit / 4 * 4 & group;
        }
    return mask_common(hit, want);
}
/* ---- allowed values of a load ---- */

/* Returns m without the bytes whose floor store supersedes e. */
static struct byte_mask not_superseded(const struct check_entry *e, const struct check_access *a,
                                       struct byte_mask m, struct byte_mask floored,
                                       const uint32_t floor[LINE_BYTES]) {
    struct byte_mask keep = without(m, floored), rest = mask_common(m, floored);
    while (mask_any(rest)) {
        unsigned byte = mask_take_lowest(&rest);
        if (!happened_before(e, floor[byte], a->sm))
            keep.w[byte / 64] |= (uint64_t)1 << byte % 64;
    }
    return keep;
}

/* Floors of each byte: the newest stores that the reader must have seen. */
struct floors {
    struct byte_mask own,                  /* bytes to which the reader's SM has a floor store */
        complete;                          /* bytes with a complete floor store */
    uint32_t own_version[LINE_BYTES];      /* valid for the bytes in `own` */
    uint32_t complete_version[LINE_BYTES]; /* valid for the bytes in `complete` */
};

/* Returns m without the bytes whose complete floor supersedes e. */
static struct byte_mask not_outdated(const struct check_entry *e, struct byte_mask m,
                                     const struct floors *f) {
    struct byte_mask rest = mask_common(m, f->complete);
    while (mask_any(rest)) {
        unsigned byte = mask_take_lowest(&rest);
        if (e->acked_at < f->complete_version[byte])
            m.w[byte / 64] &= ~((uint64_t)1 << byte % 64);
    }
    return m;
}

/* Sets the floor of those bytes that have no floor yet. */
static void raise_floor(struct byte_mask *floored, uint32_t floor[LINE_BYTES],
                        struct byte_mask bytes, uint32_t version) {
    struct byte_mask lower = without(bytes, *floored);
    *floored = either(*floored, lower);
    while (mask_any(lower))
        floor[mask_take_lowest(&lower)] = version;
}

/* Returns the bytes in `want` whose values are not allowed. The line's list must cover all these
 * bytes. */
static struct byte_mask unexplained_stored(const struct check *c, const struct check_line *l,
                                           const struct check_access *a, struct byte_mask want) {
    struct floors f;
    f.own = f.complete = (struct byte_mask){{0, 0}};
    struct byte_mask old = {{0, 0}};
    for (uint32_t i = l->newest, prev; i != NONE && mask_any(want); i = prev) {
        const struct check_entry *e = entry_at(c, i);
        struct byte_mask m = mask_common(e->mask, want);
        prev = e->prev;
        if (e->version == a->atomic)
            continue;
        if (mask_any(m)) {
            struct byte_mask may = not_superseded(e, a, m, f.own, f.own_version);
            if (mask_any(f.complete))
                may = not_outdated(e, may, &f);
            want = without(want, matching(a, e->version, may));
        }
        if (is_floor(e, a))
            raise_floor(&f.own, f.own_version, mask_common(m, want), e->version);
        if (is_complete(e, a))
            raise_floor(&f.complete, f.complete_version, mask_common(m, want), e->version);
        if (e->old)
            old = either(old, e->mask);
    }
    struct byte_mask base = without(want, either(either(f.own, f.complete), old));
    return mask_any(base) ? without(want, matching_base(a, l, base)) : want;
}

/* True if e's stamp is certainly allowed for the atomic in all of word w, which e must cover. False
 * if this is uncertain. Searches the list only back to e, or to the stores that entered before e's
 * acknowledgement. */
static bool may_see_word(const struct check *c, const struct check_line *l,
                         const struct check_access *a, const struct check_entry *e, unsigned w) {
    for (uint32_t i = l->newest; i != NONE; i = entry_at(c, i)->prev) {
        const struct check_entry *n = entry_at(c, i);
        if (n->version <= e->version || (e->sm != a->sm && n->version <= e->acked_at))
            return true;
        if (n->version != a->atomic && mask_word(&n->mask, w) &&
            (is_floor(n, a) || is_complete(n, a)))
            return false;
    }
    return true;
}

/* Fast path for atomics: a word that an atomic receives usually has one version, which its stamp
 * identifies, so most of a long list can be skipped. Returns the bytes that this path does not
 * explain. */
static struct byte_mask unexplained_words(const struct check *c, const struct check_line *l,
                                          const struct check_access *a, struct byte_mask want) {
    for (unsigned w = 0; w < LINE_WORDS; w++) {
        if (mask_word(&want, w) != 15)
            continue;
        uint32_t version = unmix(load_word(a->data + 4 * w) ^ word_key(a->key, w));
        const struct check_entry *e = version == a->atomic ? NULL : entry_of(c, version);
        if (e && line_at(c, e->line) == l && mask_word(&e->mask, w) == 15 &&
            may_see_word(c, l, a, e, w))
            want.w[w / 16] &= ~((uint64_t)15 << w % 16 * 4);
    }
    return want;
}

struct byte_mask check_unexplained(const struct check *c, const struct check_line *l,
                                   const struct check_access *a) {
    struct byte_mask mask = *a->mask;
    if (!l)
        return without(mask, matching(a, 0, mask));
    struct byte_mask stored = mask_common(mask, l->stored), rest = without(mask, stored);
    if (mask_any(rest))
        rest = without(rest, matching_base(a, l, rest));
    if (a->atomic != NONE)
        stored = unexplained_words(c, l, a, stored);
    return mask_any(stored) ? either(rest, unexplained_stored(c, l, a, stored)) : rest;
}
