/* End-to-end data check: see check.h for the rule that is checked.
 *
 * State. Every line that was ever stored to has a record: a base (the version of each byte as of
 * the last kernel end) and a list, newest first, of the stores that may still matter. Those are the
 * stores of this kernel and, before them in the same log, the "old" ones: stores of earlier kernels
 * that raced, so that each byte they still cover has several possible versions. Versions number the
 * stores in order of entry, so "entered before" is a comparison of versions, and the moment of an
 * acknowledgement is kept as the newest version at that moment.
 *
 * The rule, per byte, in the form that is used here. Let `floor` be the newest store to the byte by
 * the loading SM that entered before the load did. Stores before it by the same SM, and stores that
 * were acknowledged before it entered, are superseded; an older store of the SM supersedes nothing
 * that `floor` does not. The old stores of a byte supersede its base, but not each other: what one
 * of them superseded was dropped at the kernel's end.
 *
 * Memory: 40 bytes per store of the running kernel (freed at its end), 40 bytes and about 16 bytes
 * of hash table per line ever stored to, and 128 or 512 bytes for a line whose words or bytes
 * were last stored to by different stores.
 */
#include "check/check.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK_BITS 12
#define CHUNK_ITEMS (1u << CHUNK_BITS)
#define TABLE_BITS_MIN 10
#define NONE UINT32_MAX   /* no entry; not acknowledged; no version */
#define NOBODY UINT32_MAX /* the "SM" that reads memory at the end: it has no stores of its own */
#define VERSION_MAX (NONE - 1)
#define FAILURE_CHARS 640
#define ALLOWED_SHOWN 4
#define LINE_WORDS (LINE_BYTES / 4)

/* Base granularity: log2 of the bytes that share one version. */
enum { GRAIN_LINE = 7, GRAIN_WORD = 2, GRAIN_BYTE = 0 };

/* One store. */
struct entry {
    struct byte_mask mask; /* of an old entry: the bytes where it is one of several possible */
    uint32_t line;         /* record number */
    uint32_t prev;         /* next older entry of this line, or NONE */
    uint32_t version;
    uint32_t acked_at; /* newest version when it was acknowledged, or NONE */
    uint32_t sm;
};

_Static_assert(sizeof(struct entry) <= 40, "a store costs at most 40 bytes");

/* One line that was ever stored to. */
struct line {
    uint64_t line;
    struct byte_mask stored; /* bytes that an entry in the list covers */
    uint32_t newest;         /* entry, or NONE */
    uint8_t grain;           /* of the base */
    union {
        uint32_t one;   /* GRAIN_LINE */
        uint32_t *many; /* otherwise: LINE_BYTES >> grain versions */
    } base;
};

/* Growing array of equal items that never move. */
struct pool {
    char **chunk;
    size_t n_chunks;
    size_t room; /* of the `chunk` array */
    size_t item; /* bytes */
};

struct check {
    unsigned n_sms;
    uint32_t kernel;  /* kernels that have ended */
    uint32_t first;   /* version of this kernel's first store */
    uint32_t last;    /* newest version */
    uint32_t pending; /* stores not acknowledged */
    uint32_t n_old;   /* entries before the one of version `first` */
    uint32_t n_lines;
    struct pool entries;
    struct pool lines;
    uint64_t *table; /* open addressing: 0, or hash tag (high half) and record number + 1 */
    unsigned table_bits;
    struct byte_mask *covered; /* per SM, all clear between uses: scratch of fold_line */
    uint64_t loads, bytes;
    bool failed;
    char failure[FAILURE_CHARS];
};

/* One line access that is to be checked. */
struct access {
    uint32_t sm;
    uint32_t entered; /* newest version when the load entered */
    uint32_t key;     /* of the line */
    uint64_t line;
    const struct byte_mask *mask;
    const uint8_t *data;
};

/* ---- byte masks ---- */

static inline bool any(struct byte_mask m) {
    return (m.w[0] | m.w[1]) != 0;
}

static inline struct byte_mask both(struct byte_mask a, struct byte_mask b) {
    return (struct byte_mask){{a.w[0] & b.w[0], a.w[1] & b.w[1]}};
}

static inline struct byte_mask either(struct byte_mask a, struct byte_mask b) {
    return (struct byte_mask){{a.w[0] | b.w[0], a.w[1] | b.w[1]}};
}

static inline struct byte_mask without(struct byte_mask a, struct byte_mask b) {
    return (struct byte_mask){{a.w[0] & ~b.w[0], a.w[1] & ~b.w[1]}};
}

static inline bool has(const struct byte_mask *m, unsigned byte) {
    return m->w[byte / 64] >> byte % 64 & 1;
}

/* The mask bits of aligned word w of the line, in bits 0..3. */
static inline unsigned nibble(const struct byte_mask *m, unsigned w) {
    return m->w[w / 16] >> w % 16 * 4 & 15;
}

/* Number of the lowest byte; the mask must not be empty. */
static inline unsigned lowest(struct byte_mask m) {
    return m.w[0] ? (unsigned)__builtin_ctzll(m.w[0]) : 64 + (unsigned)__builtin_ctzll(m.w[1]);
}

/* Takes the lowest byte out of the mask and returns its number. */
static inline unsigned take(struct byte_mask *m) {
    unsigned byte = lowest(*m);
    m->w[byte / 64] &= m->w[byte / 64] - 1;
    return byte;
}

static inline bool is_full(struct byte_mask m) {
    return (m.w[0] & m.w[1]) == UINT64_MAX;
}

/* ---- stamps: word = mix(version) ^ word_key(line's key, word) ---- */

/* Bijective. */
static inline uint32_t mix(uint32_t x) {
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

/* mix(unmix(x)) == x */
static uint32_t unmix(uint32_t x) {
    x = (x ^ x >> 16) * 0x43021123u;
    x = (x ^ x >> 15 ^ x >> 30) * 0x1d69e2a5u;
    return x ^ x >> 16;
}

/* Bijective; the low half is the line's key, the high half its place in the table. */
static inline uint64_t hash_line(uint64_t line) {
    uint64_t x = line + 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

static inline uint32_t word_key(uint32_t key, unsigned w) {
    return key + w * 0x9e3779b1u;
}

static inline uint32_t load_word(const uint8_t *p) {
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static inline uint8_t stamp_byte(uint32_t key, uint32_t version, unsigned byte) {
    return (uint8_t)((mix(version) ^ word_key(key, byte / 4)) >> byte % 4 * 8);
}

uint8_t check_stamp(uint32_t version, uint64_t addr) {
    return stamp_byte((uint32_t)hash_line(addr / LINE_BYTES), version, addr % LINE_BYTES);
}

void check_stamp_line(uint8_t data[LINE_BYTES], uint64_t line, const struct byte_mask *mask,
                      uint32_t version) {
    uint32_t key = (uint32_t)hash_line(line), mixed = mix(version);
    for (unsigned i = 0; i < LINE_BYTES; i++)
        if (has(mask, i))
            data[i] = (uint8_t)((mixed ^ word_key(key, i / 4)) >> i % 4 * 8);
}

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

/* ---- failures ---- */

/* Keeps the first failure. */
void check_fail(struct check *c, const char *format, ...) {
    if (c->failed)
        return;
    va_list args;
    va_start(args, format);
    vsnprintf(c->failure, sizeof c->failure, format, args);
    va_end(args);
    c->failed = true;
}

static void fail_memory(struct check *c, const char *doing) {
    check_fail(c, "out of memory in the data check (%s) in kernel %" PRIu32, doing, c->kernel);
}

/* ---- pools ---- */

static inline void *pool_at(const struct pool *p, uint32_t i) {
    return p->chunk[i >> CHUNK_BITS] + (i & (CHUNK_ITEMS - 1)) * p->item;
}

/* Makes room for item i, where item i - 1 has room. False: out of memory. */
static bool pool_reserve(struct pool *p, uint32_t i) {
    if (i >> CHUNK_BITS < p->n_chunks)
        return true;
    if (p->n_chunks == p->room) {
        size_t room = p->room ? 2 * p->room : 16;
        char **chunk = realloc(p->chunk, room * sizeof *chunk);
        if (!chunk)
            return false;
        p->chunk = chunk;
        p->room = room;
    }
    p->chunk[p->n_chunks] = malloc(p->item * CHUNK_ITEMS);
    if (!p->chunk[p->n_chunks])
        return false;
    p->n_chunks++;
    return true;
}

/* Keeps the first n items; frees the chunks behind, but for one to go on with. */
static void pool_trim(struct pool *p, uint32_t n) {
    size_t keep = (n >> CHUNK_BITS) + 1;
    while (p->n_chunks > keep)
        free(p->chunk[--p->n_chunks]);
}

static void pool_free(struct pool *p) {
    while (p->n_chunks)
        free(p->chunk[--p->n_chunks]);
    free(p->chunk);
}

static inline struct entry *entry_at(const struct check *c, uint32_t i) {
    return pool_at(&c->entries, i);
}

static inline struct line *line_at(const struct check *c, uint32_t i) {
    return pool_at(&c->lines, i);
}

static inline uint32_t n_entries(const struct check *c) {
    return c->n_old + (c->last - c->first + 1);
}

/* The entry of a version of this kernel, or NULL. */
static struct entry *entry_of(const struct check *c, uint32_t version) {
    if (version < c->first || version > c->last)
        return NULL;
    return entry_at(c, c->n_old + (version - c->first));
}

/* ---- lines ---- */

static inline uint32_t table_start(const struct check *c, uint64_t hash) {
    return (uint32_t)(hash >> (64 - c->table_bits));
}

/* Record number of a line, or NONE if it was never stored to. */
static inline uint32_t find_line(const struct check *c, uint64_t line, uint64_t hash) {
    uint32_t tmask = (uint32_t)(((uint64_t)1 << c->table_bits) - 1);
    for (uint32_t i = table_start(c, hash); c->table[i]; i = (i + 1) & tmask) {
        uint32_t number = (uint32_t)c->table[i] - 1;
        if ((uint32_t)(c->table[i] >> 32) == (uint32_t)hash && line_at(c, number)->line == line)
            return number;
    }
    return NONE;
}

/* Enters a record that is not in the table. */
static void table_put(struct check *c, uint64_t hash, uint32_t number) {
    uint32_t tmask = (uint32_t)(((uint64_t)1 << c->table_bits) - 1);
    uint32_t i = table_start(c, hash);
    while (c->table[i])
        i = (i + 1) & tmask;
    c->table[i] = (hash & UINT32_MAX) << 32 | (number + 1);
}

/* Makes the table big enough to stay at most half full. False: out of memory (nothing changed). */
static bool table_grow(struct check *c) {
    if (c->n_lines < (uint64_t)1 << (c->table_bits - 1))
        return true;
    unsigned bits = c->table_bits + 1;
    uint64_t *table = bits > 32 ? NULL : calloc((size_t)1 << bits, sizeof *table);
    if (!table)
        return false;
    free(c->table);
    c->table = table;
    c->table_bits = bits;
    for (uint32_t i = 0; i < c->n_lines; i++)
        table_put(c, hash_line(line_at(c, i)->line), i);
    return true;
}

/* Record number of a line, of a new record if need be. NONE: out of memory. */
static uint32_t get_line(struct check *c, uint64_t line) {
    uint64_t hash = hash_line(line);
    uint32_t number = find_line(c, line, hash);
    if (number != NONE)
        return number;
    if (!table_grow(c) || !pool_reserve(&c->lines, c->n_lines))
        return NONE;
    number = c->n_lines++;
    *line_at(c, number) = (struct line){.line = line, .newest = NONE, .grain = GRAIN_LINE};
    table_put(c, hash, number);
    return number;
}

/* ---- base of a line ---- */

/* Versions in a base of this granularity. */
static inline unsigned n_groups(unsigned grain) {
    return (unsigned)LINE_BYTES >> grain;
}

static inline uint32_t base_version(const struct line *l, unsigned byte) {
    return l->grain == GRAIN_LINE ? l->base.one : l->base.many[byte >> l->grain];
}

static void base_set_line(struct line *l, uint32_t version) {
    if (l->grain != GRAIN_LINE)
        free(l->base.many);
    l->grain = GRAIN_LINE;
    l->base.one = version;
}

/* Splits the base to a finer grain. False: out of memory (nothing changed). */
static bool base_split(struct line *l, unsigned grain) {
    if (l->grain <= grain)
        return true;
    uint32_t *many = malloc(n_groups(grain) * sizeof *many);
    if (!many)
        return false;
    for (unsigned i = 0; i < n_groups(grain); i++)
        many[i] = base_version(l, i << grain);
    if (l->grain != GRAIN_LINE)
        free(l->base.many);
    l->base.many = many;
    l->grain = (uint8_t)grain;
    return true;
}

/* Back to one version per line where all are equal. */
static void base_join(struct line *l) {
    if (l->grain == GRAIN_LINE)
        return;
    for (unsigned i = 1; i < n_groups(l->grain); i++)
        if (l->base.many[i] != l->base.many[0])
            return;
    base_set_line(l, l->base.many[0]);
}

static bool whole_words(const struct byte_mask *m) {
    for (unsigned w = 0; w < LINE_WORDS; w++)
        if (nibble(m, w) != 0 && nibble(m, w) != 15)
            return false;
    return true;
}

/* Gives the masked bytes this version. False: out of memory. */
static bool base_set(struct line *l, struct byte_mask m, uint32_t version) {
    if (!any(m))
        return true;
    if (is_full(m)) {
        base_set_line(l, version);
        return true;
    }
    if (!base_split(l, whole_words(&m) ? GRAIN_WORD : GRAIN_BYTE))
        return false;
    while (any(m))
        l->base.many[take(&m) >> l->grain] = version;
    return true;
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

/* Did store e happen before the store of version `floor` that is later in the list's order? */
static inline bool happened_before(const struct entry *e, uint32_t floor, uint32_t floor_sm) {
    return e->acked_at < floor || (e->sm == floor_sm && e->version < floor);
}

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

static inline bool is_floor(const struct entry *e, const struct access *a) {
    return e->sm == a->sm && e->version <= a->entered;
}

/* Which of the wanted bytes, all covered by the line's list, hold nothing that they may hold? */
static struct byte_mask unexplained_stored(const struct check *c, const struct line *l,
                                           const struct access *a, struct byte_mask want) {
    uint32_t floor[LINE_BYTES]; /* version; valid for the bytes in floored */
    struct byte_mask floored = {{0, 0}}, old = {{0, 0}};
    for (uint32_t i = l->newest; i != NONE && any(want);) {
        const struct entry *e = entry_at(c, i);
        struct byte_mask m = both(e->mask, want);
        if (any(m))
            want = without(want, matching(a, e->version, not_superseded(e, a, m, floored, floor)));
        if (is_floor(e, a)) {
            struct byte_mask lower = without(both(m, want), floored);
            floored = either(floored, lower);
            while (any(lower))
                floor[take(&lower)] = e->version;
        }
        if (i < c->n_old)
            old = either(old, e->mask);
        i = e->prev;
    }
    struct byte_mask base = without(want, either(floored, old));
    return any(base) ? without(want, matching_base(a, l, base)) : want;
}

/* Which of the masked bytes hold nothing that they may hold? l: the line's record or NULL. */
static inline struct byte_mask unexplained(const struct check *c, const struct line *l,
                                           const struct access *a) {
    struct byte_mask mask = *a->mask;
    if (!l)
        return without(mask, matching(a, 0, mask));
    struct byte_mask stored = both(mask, l->stored), rest = without(mask, stored);
    if (any(rest))
        rest = without(rest, matching_base(a, l, rest));
    return any(stored) ? either(rest, unexplained_stored(c, l, a, stored)) : rest;
}

/* ---- the failure line of a load ---- */

/* Text under construction; what does not fit is cut off. */
struct text {
    char s[FAILURE_CHARS];
    size_t n;
};

__attribute__((format(printf, 2, 3))) static void add(struct text *t, const char *format, ...) {
    va_list args;
    va_start(args, format);
    int n = vsnprintf(t->s + t->n, sizeof t->s - t->n, format, args);
    va_end(args);
    if (n > 0)
        t->n += (size_t)n < sizeof t->s - t->n ? (size_t)n : sizeof t->s - t->n - 1;
}

/* "version 7 (SM 2)" */
static void add_version(struct text *t, const struct check *c, uint32_t version) {
    const struct entry *e = entry_of(c, version);
    for (uint32_t i = 0; !e && i < c->n_old; i++)
        if (entry_at(c, i)->version == version)
            e = entry_at(c, i);
    if (version == 0)
        add(t, "version 0 (never stored)");
    else if (!e)
        add(t, "version %" PRIu32 " (an earlier kernel)", version);
    else
        add(t, "version %" PRIu32 " (SM %" PRIu32 "%s)", version, e->sm,
            version < c->first ? ", an earlier kernel" : "");
}

/* Adds the versions that the byte may have. */
static void add_allowed(struct text *t, const struct check *c, const struct line *l,
                        const struct access *a, unsigned byte) {
    uint32_t floor = 0; /* version, 0: none met */
    unsigned n = 0;
    bool old = false;
    for (uint32_t i = l ? l->newest : NONE; i != NONE; i = entry_at(c, i)->prev) {
        const struct entry *e = entry_at(c, i);
        if (!has(&e->mask, byte) || (floor && happened_before(e, floor, a->sm)))
            continue;
        if (n++ < ALLOWED_SHOWN) {
            add(t, n > 1 ? ", " : "");
            add_version(t, c, e->version);
        }
        if (!floor && is_floor(e, a))
            floor = e->version;
        old |= i < c->n_old;
    }
    if (n > ALLOWED_SHOWN)
        add(t, " and %u older", n - ALLOWED_SHOWN);
    if (floor || old)
        return;
    add(t, n ? ", " : "");
    add_version(t, c, l ? base_version(l, byte) : 0);
}

/* The word of the byte as hex, the bytes that the load did not ask for as "..". */
static void add_word(struct text *t, const struct access *a, unsigned byte) {
    for (unsigned i = 4; i-- > 0;)
        if (has(a->mask, byte / 4 * 4 + i))
            add(t, "%02x", a->data[byte / 4 * 4 + i]);
        else
            add(t, "..");
}

/* A version, superseded or not, that this byte had and whose stamp it holds, or NONE. */
static uint32_t version_held(const struct check *c, const struct line *l, const struct access *a,
                             unsigned byte) {
    for (uint32_t i = l ? l->newest : NONE; i != NONE; i = entry_at(c, i)->prev) {
        const struct entry *e = entry_at(c, i);
        if (has(&e->mask, byte) && a->data[byte] == stamp_byte(a->key, e->version, byte))
            return e->version;
    }
    if (l && a->data[byte] == stamp_byte(a->key, base_version(l, byte), byte))
        return base_version(l, byte);
    return a->data[byte] == stamp_byte(a->key, 0, byte) ? 0 : NONE;
}

/* The version whose stamp the byte's whole word is, if the line may have held it, or NONE. */
static uint32_t version_of_word(const struct check *c, const struct access *a, unsigned byte) {
    unsigned w = byte / 4;
    if (nibble(a->mask, w) != 15)
        return NONE;
    uint32_t version = unmix(load_word(a->data + 4 * w) ^ word_key(a->key, w));
    const struct entry *e = entry_of(c, version);
    bool here = e ? line_at(c, e->line)->line == a->line : version <= c->last;
    return here ? version : NONE;
}

/* The version that explains the byte as data of this line at some time, or NONE: foreign data. */
static uint32_t version_got(const struct check *c, const struct line *l, const struct access *a,
                            unsigned byte) {
    uint32_t version = version_of_word(c, a, byte);
    if (version != NONE)
        return version;
    for (unsigned i = byte / 4 * 4; i < byte / 4 * 4 + 4; i++)
        if (has(a->mask, i) && version_held(c, l, a, i) == NONE)
            return NONE;
    return version_held(c, l, a, byte);
}

/* If the word is what another known line holds at this place, or held in this kernel, adds which.
 */
static void add_origin(struct text *t, const struct check *c, const struct access *a,
                       unsigned byte) {
    unsigned w = byte / 4;
    if (nibble(a->mask, w) != 15)
        return;
    for (uint32_t i = 0; i < c->n_lines; i++) {
        const struct line *l = line_at(c, i);
        uint32_t key = word_key((uint32_t)hash_line(l->line), w);
        uint32_t version = unmix(load_word(a->data + 4 * w) ^ key);
        const struct entry *e = entry_of(c, version);
        if (l->line == a->line || (e ? e->line != i : version != base_version(l, byte)))
            continue;
        add(t, " = byte 0x%" PRIx64 ", ", l->line * LINE_BYTES + byte);
        add_version(t, c, version);
        return;
    }
}

/* Notes that the byte holds what it may not hold. */
static void fail_access(struct check *c, const struct line *l, const struct access *a,
                        unsigned byte) {
    struct text t = {.n = 0};
    uint32_t got = version_got(c, l, a, byte);
    bool final = a->sm == NOBODY;
    add(&t, "%s: ", got == NONE ? "foreign data" : final ? "lost store" : "stale data");
    if (final)
        add(&t, "memory at the end, ");
    else
        add(&t, "load of SM %" PRIu32 ", ", a->sm);
    add(&t, "byte 0x%" PRIx64 ", kernel %" PRIu32 ": got word ", a->line * LINE_BYTES + byte,
        c->kernel);
    add_word(&t, a, byte);
    if (got == NONE) {
        add_origin(&t, c, a, byte);
    } else {
        add(&t, " = ");
        add_version(&t, c, got);
    }
    add(&t, "; allowed: ");
    add_allowed(&t, c, l, a, byte);
    check_fail(c, "%s", t.s);
}

/* Checks one access. */
static void check_access(struct check *c, struct access *a) {
    uint64_t hash = hash_line(a->line);
    uint32_t number = find_line(c, a->line, hash);
    struct line *l = number == NONE ? NULL : line_at(c, number);
    a->key = (uint32_t)hash;
    struct byte_mask wrong = unexplained(c, l, a);
    if (any(wrong))
        fail_access(c, l, a, lowest(wrong));
}

/* ---- interface: life ---- */

struct check *check_create(unsigned n_sms) {
    struct check *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    c->n_sms = n_sms;
    c->first = 1;
    c->entries.item = sizeof(struct entry);
    c->lines.item = sizeof(struct line);
    c->table_bits = TABLE_BITS_MIN;
    c->table = calloc((size_t)1 << c->table_bits, sizeof *c->table);
    c->covered = calloc((size_t)n_sms + 1, sizeof *c->covered);
    if (c->table && c->covered)
        return c;
    check_destroy(c);
    return NULL;
}

void check_destroy(struct check *c) {
    if (!c)
        return;
    for (uint32_t i = 0; i < c->n_lines; i++)
        base_set_line(line_at(c, i), 0);
    pool_free(&c->entries);
    pool_free(&c->lines);
    free(c->table);
    free(c->covered);
    free(c);
}

/* ---- interface: stores and loads ---- */

/* False, and a failure: there is no such SM. */
static bool sm_known(struct check *c, unsigned sm, const char *what) {
    if (sm < c->n_sms)
        return true;
    check_fail(c, "%s of SM %u in kernel %" PRIu32 ": there are %u SMs", what, sm, c->kernel,
               c->n_sms);
    return false;
}

void check_store(struct check *c, unsigned sm, uint64_t line, const struct byte_mask *mask,
                 uint32_t version) {
    if (c->failed || !sm_known(c, sm, "store"))
        return;
    if (c->last == VERSION_MAX || version != c->last + 1) {
        check_fail(c,
                   "store of SM %u, line 0x%" PRIx64 ", kernel %" PRIu32 ": version %" PRIu32
                   " is not fresh, %s %" PRIu32,
                   sm, line, c->kernel, version,
                   c->last == VERSION_MAX ? "the last possible was" : "the next is",
                   c->last == VERSION_MAX ? c->last : c->last + 1);
        return;
    }
    uint32_t i = n_entries(c), number = get_line(c, line);
    if (number == NONE || !pool_reserve(&c->entries, i)) {
        fail_memory(c, "store");
        return;
    }
    struct line *l = line_at(c, number);
    *entry_at(c, i) = (struct entry){*mask, number, l->newest, version, NONE, sm};
    l->newest = i;
    l->stored = either(l->stored, *mask);
    c->last = version;
    c->pending++;
}

void check_store_acked(struct check *c, unsigned sm, uint32_t version) {
    if (c->failed || !sm_known(c, sm, "acknowledgement"))
        return;
    struct entry *e = entry_of(c, version);
    if (version == 0 || version > c->last)
        check_fail(c,
                   "acknowledgement of unknown version %" PRIu32 " at SM %u, kernel %" PRIu32
                   ": the newest is %" PRIu32,
                   version, sm, c->kernel, c->last);
    else if (!e)
        check_fail(c,
                   "store acknowledged twice: version %" PRIu32
                   " of an earlier kernel, at SM %u, kernel %" PRIu32,
                   version, sm, c->kernel);
    else if (e->sm != sm)
        check_fail(c,
                   "acknowledgement at the wrong SM: version %" PRIu32 " of SM %" PRIu32
                   ", line 0x%" PRIx64 ", at SM %u, kernel %" PRIu32,
                   version, e->sm, line_at(c, e->line)->line, sm, c->kernel);
    else if (e->acked_at != NONE)
        check_fail(c,
                   "store acknowledged twice: version %" PRIu32 " of SM %u, line 0x%" PRIx64
                   ", kernel %" PRIu32,
                   version, sm, line_at(c, e->line)->line, c->kernel);
    if (c->failed)
        return;
    e->acked_at = c->last;
    c->pending--;
}

void check_line_acked(struct check *c, unsigned sm, uint64_t line, uint32_t version) {
    if (c->failed || !sm_known(c, sm, "acknowledgement"))
        return;
    uint32_t number = find_line(c, line, hash_line(line)), acked = 0;
    for (uint32_t i = number == NONE ? NONE : line_at(c, number)->newest;
         i != NONE && i >= c->n_old; i = entry_at(c, i)->prev) {
        struct entry *e = entry_at(c, i);
        if (e->sm != sm || e->version > version || e->acked_at != NONE)
            continue;
        e->acked_at = c->last;
        c->pending--;
        acked++;
    }
    if (!acked)
        check_fail(c,
                   "acknowledgement of line 0x%" PRIx64 " up to version %" PRIu32
                   " at SM %u, kernel %" PRIu32 ": no store waits for one",
                   line, version, sm, c->kernel);
}

/* A ticket is the kernel's number (high half) and the newest version when the load entered. */
uint64_t check_load(struct check *c, unsigned sm) {
    (void)sm_known(c, sm, "load");
    return (uint64_t)c->kernel << 32 | c->last;
}

static unsigned n_bytes(const struct byte_mask *m) {
    return (unsigned)(__builtin_popcountll(m->w[0]) + __builtin_popcountll(m->w[1]));
}

void check_load_done(struct check *c, unsigned sm, uint64_t ticket, uint64_t line,
                     const struct byte_mask *mask, const uint8_t data[LINE_BYTES]) {
    c->loads++;
    c->bytes += n_bytes(mask);
    if (c->failed || !sm_known(c, sm, "load"))
        return;
    uint32_t entered = (uint32_t)ticket;
    if (ticket >> 32 < c->kernel)
        check_fail(c,
                   "late load: SM %u, line 0x%" PRIx64 ", entered in kernel %" PRIu32
                   ", returned in kernel %" PRIu32,
                   sm, line, (uint32_t)(ticket >> 32), c->kernel);
    else if (ticket >> 32 > c->kernel || entered > c->last || entered < c->first - 1)
        check_fail(c,
                   "load of SM %u, line 0x%" PRIx64 ", kernel %" PRIu32 ": ticket 0x%" PRIx64
                   " was never given out",
                   sm, line, c->kernel, ticket);
    else
        check_access(c,
                     &(struct access){
                         .sm = sm, .entered = entered, .line = line, .mask = mask, .data = data});
}

/* ---- interface: ends ---- */

/* Takes out of m the bytes in `newer` that an entry newer than e's acknowledgement covers. */
static struct byte_mask not_followed(const struct entry *e, struct byte_mask m,
                                     struct byte_mask newer, const uint32_t top[LINE_BYTES]) {
    struct byte_mask rest = both(m, newer);
    while (any(rest)) {
        unsigned byte = take(&rest);
        if (top[byte] > e->acked_at)
            m.w[byte / 64] &= ~((uint64_t)1 << byte % 64);
    }
    return m;
}

/* Takes from the list's masks the bytes at which another store superseded the entry. Returns the
 * bytes at which more than one entry is left. */
static struct byte_mask drop_superseded(struct check *c, const struct line *l) {
    uint32_t top[LINE_BYTES]; /* newest version of the byte; valid for the bytes in once */
    struct byte_mask met = {{0, 0}}, once = {{0, 0}}, twice = {{0, 0}};
    for (uint32_t i = l->newest; i != NONE; i = entry_at(c, i)->prev) {
        struct entry *e = entry_at(c, i);
        struct byte_mask fresh = without(e->mask, met);
        struct byte_mask m = without(e->mask, c->covered[e->sm]);
        m = not_followed(e, m, met, top);
        met = either(met, e->mask);
        c->covered[e->sm] = either(c->covered[e->sm], e->mask);
        e->mask = m;
        twice = either(twice, both(once, m));
        once = either(once, m);
        while (any(fresh))
            top[take(&fresh)] = e->version;
    }
    for (uint32_t i = l->newest; i != NONE; i = entry_at(c, i)->prev)
        c->covered[entry_at(c, i)->sm] = (struct byte_mask){{0, 0}};
    return twice;
}

/* Moves into the base what has one possible version; the list keeps the rest. Unlinks the list. */
static bool fold_line(struct check *c, struct line *l) {
    bool ok = true;
    l->stored = drop_superseded(c, l);
    for (uint32_t i = l->newest; i != NONE; i = entry_at(c, i)->prev) {
        struct entry *e = entry_at(c, i);
        ok &= base_set(l, without(e->mask, l->stored), e->version);
        e->mask = both(e->mask, l->stored);
    }
    base_join(l);
    l->newest = NONE;
    return ok;
}

/* Moves the n entries that still have bytes to the log's front and links them again. */
static void compact(struct check *c, uint32_t n) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < c->n_old; i++)
        line_at(c, entry_at(c, i)->line)->newest = NONE;
    for (uint32_t i = 0; i < n; i++) {
        struct entry *e = entry_at(c, i);
        if (!any(e->mask))
            continue;
        struct line *l = line_at(c, e->line);
        e->prev = l->newest;
        l->newest = kept;
        *entry_at(c, kept++) = *e;
    }
    c->n_old = kept;
    pool_trim(&c->entries, kept);
}

/* The oldest store without acknowledgement is a failure. */
static void fail_pending(struct check *c) {
    for (uint32_t version = c->first; version <= c->last; version++) {
        const struct entry *e = entry_of(c, version);
        if (e->acked_at != NONE)
            continue;
        check_fail(c,
                   "store without acknowledgement at the end of kernel %" PRIu32
                   ": version %" PRIu32 " of SM %" PRIu32 ", line 0x%" PRIx64 " (%" PRIu32
                   " such stores)",
                   c->kernel, version, e->sm, line_at(c, e->line)->line, c->pending);
        return;
    }
}

void check_kernel_end(struct check *c) {
    if (c->pending)
        fail_pending(c);
    if (c->failed)
        return;
    uint32_t n = n_entries(c);
    bool ok = true;
    for (uint32_t i = c->n_old; i < n; i++) {
        struct line *l = line_at(c, entry_at(c, i)->line);
        if (l->newest != NONE)
            ok &= fold_line(c, l);
    }
    compact(c, n);
    if (!ok)
        fail_memory(c, "kernel end");
    c->first = c->last + 1;
    c->kernel++;
}

void check_final(struct check *c, void (*read)(void *ctx, uint64_t line, uint8_t data[LINE_BYTES]),
                 void *ctx) {
    static const struct byte_mask all = {{UINT64_MAX, UINT64_MAX}};
    if (c->last >= c->first)
        check_fail(c, "final check before the end of kernel %" PRIu32, c->kernel);
    for (uint32_t i = 0; i < c->n_lines && !c->failed; i++) {
        uint8_t data[LINE_BYTES] = {0};
        uint64_t line = line_at(c, i)->line;
        read(ctx, line, data);
        check_access(
            c, &(struct access){
                   .sm = NOBODY, .entered = c->last, .line = line, .mask = &all, .data = data});
    }
}

const char *check_failure(const struct check *c) {
    return c->failed ? c->failure : NULL;
}

uint64_t check_loads_checked(const struct check *c) {
    return c->loads;
}

uint64_t check_bytes_checked(const struct check *c) {
    return c->bytes;
}
