/* SPDX-License-Identifier: Apache-2.0 */
/* The state of the data check, and what its files share. Private to cmodel/check.
 *
 * Every line that was ever stored to has a record: a base (the version of each byte as of the last
 * kernel end) and a list, newest first, of the stores that may still matter. Those are the stores
 * of this kernel and, before them in the same log, the "old" ones: stores of earlier kernels that
 * raced, so that each byte they still cover has several possible versions. If a kernel ends for
 * some lines alone, its stores stay in the log, where the others' are, and become old. Versions
 * number the stores in order of entry, so "entered before" is a comparison of versions, and the
 * moment of an acknowledgement is kept as the newest version at that moment. Atomics are stores
 * too.
 *
 *   check.c          the interface: stores, loads, ends of kernels
 *   check_atomics.c  the interface: atomics
 *   check_lines.c    the records of lines and their bases; which versions atomics have replaced
 *   check_rule.c     what a load or an atomic may get
 *   check_text.c     stamps, and the one line that says what was wrong
 *
 * Memory: 40 bytes per store of the running kernel (freed at its end), 40 bytes and about 16 bytes
 * of hash table per line ever stored to, and 128 or 512 bytes for a line whose words or bytes
 * were last stored to by different stores. 16 bytes per store of which an atomic replaced a part.
 */
#ifndef MEMTWIN_CHECK_CHECK_STATE_H
#define MEMTWIN_CHECK_CHECK_STATE_H

#include "check/check.h"

#define CHUNK_BITS 12
#define CHUNK_ITEMS (1u << CHUNK_BITS)
#define TABLE_BITS_MIN 10
#define NONE UINT32_MAX  /* no entry; not acknowledged; no version */
#define NO_SM UINT32_MAX /* no SM: the final read of memory, which has no stores of its own */
#define VERSION_MAX (NONE - 1)
#define ACCOUNTS_MAX (1u << 29)
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
    uint16_t sm;
    uint8_t atomic : 1;     /* acknowledged by check_atomic_done only */
    uint8_t line_acked : 1; /* it and all older ones of its SM and line that are no atomics are */
    uint8_t old : 1;        /* its kernel has ended */
    uint32_t replaced;      /* account: bytes that an atomic has replaced; 0: none */
};

_Static_assert(sizeof(struct entry) <= 40, "a store costs at most 40 bytes");

/* One line that was ever stored to. */
struct line {
    uint64_t line;
    struct byte_mask stored; /* bytes that an entry in the list covers */
    uint32_t newest;         /* entry, or NONE */
    uint32_t grain : 3;      /* of the base */
    uint32_t replaced : 29;  /* account of the base, as of an entry */
    union {
        uint32_t one;   /* GRAIN_LINE */
        uint32_t *many; /* otherwise: LINE_BYTES >> grain versions */
    } base;
};

/* Growing array of equal items that never move. */
struct pool {
    char **chunk;
    uint32_t n_chunks;
    uint32_t room; /* of the `chunk` array */
    size_t item;   /* bytes */
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
    struct pool accounts;              /* struct byte_mask; number 0 is none */
    uint32_t n_accounts, free_account; /* free ones are a list through w[0], ended by 0 */
    uint64_t *table; /* open addressing: 0, or hash tag (high half) and record number + 1 */
    unsigned table_bits;
    struct byte_mask *covered; /* per SM, all clear between uses: scratch of fold_line */
    uint64_t loads, bytes;
    bool failed;
    char failure[FAILURE_CHARS];
};

/* One line access, of a load or an atomic, that is to be checked. */
struct access {
    uint32_t sm;
    uint32_t entered; /* newest version when the load entered */
    uint32_t atomic;  /* version of the atomic that got the data, or NONE: a load */
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

static inline unsigned n_bytes(const struct byte_mask *m) {
    return (unsigned)(__builtin_popcountll(m->w[0]) + __builtin_popcountll(m->w[1]));
}

/* ---- stamps: word = mix(version) ^ word_key(line's key, word) ---- */

/* Bijective. */
static inline uint32_t mix(uint32_t x) {
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

/* mix(unmix(x)) == x */
static inline uint32_t unmix(uint32_t x) {
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

/* ---- pools ---- */

static inline void *pool_at(const struct pool *p, uint32_t i) {
    return p->chunk[i >> CHUNK_BITS] + (i & (CHUNK_ITEMS - 1)) * p->item;
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
static inline struct entry *entry_of(const struct check *c, uint32_t version) {
    if (version < c->first || version > c->last)
        return NULL;
    return entry_at(c, c->n_old + (version - c->first));
}

/* ---- lines and bases (check_lines.c) ---- */

/* Versions in a base of this granularity. */
static inline unsigned n_groups(unsigned grain) {
    return (unsigned)LINE_BYTES >> grain;
}

static inline uint32_t base_version(const struct line *l, unsigned byte) {
    return l->grain == GRAIN_LINE ? l->base.one : l->base.many[byte >> l->grain];
}

static inline uint32_t table_start(const struct check *c, uint64_t hash) {
    return (uint32_t)(hash >> (64 - c->table_bits));
}

/* Record number of a line, or NONE if it was never stored to. hash: hash_line(line). */
static inline uint32_t find_line(const struct check *c, uint64_t line, uint64_t hash) {
    uint32_t tmask = (uint32_t)(((uint64_t)1 << c->table_bits) - 1);
    for (uint32_t i = table_start(c, hash); c->table[i]; i = (i + 1) & tmask) {
        uint32_t number = (uint32_t)c->table[i] - 1;
        if ((uint32_t)(c->table[i] >> 32) == (uint32_t)hash && line_at(c, number)->line == line)
            return number;
    }
    return NONE;
}

/* Record number of a line, of a new record if need be. */
uint32_t check_get_line(struct check *c, uint64_t line);

/* Makes room for item i, where item i - 1 has room. */
void check_pool_reserve(struct pool *p, uint32_t i);
/* Keeps the first n items; frees the chunks behind, except one to go on with. */
void check_pool_trim(struct pool *p, uint32_t n);
void check_pool_free(struct pool *p);

/* Gives the whole line this version. */
void check_base_set_line(struct line *l, uint32_t version);
/* Gives the masked bytes this version. */
void check_base_set(struct line *l, struct byte_mask m, uint32_t version);
/* Back to one version per line where all are equal. */
void check_base_join(struct line *l);

/* Adds bytes to an account; opens it if it is 0. Returns its number. */
uint32_t check_account_add(struct check *c, uint32_t account, struct byte_mask m);
/* Closes an account, or none. */
void check_account_close(struct check *c, uint32_t account);
/* The bytes of an account; none for 0. */
static inline struct byte_mask account_of(const struct check *c, uint32_t account) {
    return account ? *(struct byte_mask *)pool_at(&c->accounts, account)
                   : (struct byte_mask){{0, 0}};
}

/* ---- the rule (check_rule.c) ---- */

/* Did store e happen before the store of version `floor` that is later in the list's order? */
static inline bool happened_before(const struct entry *e, uint32_t floor, uint32_t floor_sm) {
    return e->acked_at < floor || (e->sm == floor_sm && e->version < floor);
}

/* Is e a store of the reader's SM that entered before the reader? */
static inline bool is_floor(const struct entry *e, const struct access *a) {
    return e->sm == a->sm && e->version <= a->entered;
}

/* Was e complete when the reader, an atomic, entered? */
static inline bool is_complete(const struct entry *e, const struct access *a) {
    return a->atomic != NONE && e->acked_at <= a->entered;
}

/* Which of the masked bytes hold nothing that they may hold? l: the line's record or NULL. */
struct byte_mask check_unexplained(const struct check *c, const struct line *l,
                                   const struct access *a);

/* ---- what the interface shares (check.c) ---- */

/* False, and a failure: there is no such SM. */
bool check_sm_known(struct check *c, unsigned sm, const char *what);
/* The entry of a version that is answered at this SM, or NULL and a failure. what: "store" or
 * "atomic"; how: what was done to it. */
struct entry *check_answered(struct check *c, unsigned sm, uint32_t version, const char *what,
                             const char *how);
/* The store is complete from now on. */
void check_acknowledge(struct check *c, struct entry *e);
/* Checks one access; fills in its key. */
void check_judge(struct check *c, struct access *a);

/* ---- failures (check_text.c) ---- */

/* Text under construction; what does not fit is cut off. */
struct text {
    char s[FAILURE_CHARS];
    size_t n;
};

/* Adds "version 7 (SM 2)". */
void check_add_version(struct text *t, const struct check *c, uint32_t version);
/* Notes that the byte holds what it may not hold. */
void check_fail_access(struct check *c, const struct line *l, const struct access *a,
                       unsigned byte);

#endif
