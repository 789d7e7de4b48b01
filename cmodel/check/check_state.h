/* SPDX-License-Identifier: Apache-2.0 */
/* Declares the state of the data check, which only the files in cmodel/check share.
 *
 * Every line that was ever stored to has a record. It consists of a base (the version of each byte
 * when the last kernel ended) and a list, newest first, of the stores that may still matter. The
 * list has the stores of this kernel and "old" stores, which precede them in the same log. Old
 * stores are racing stores of earlier kernels, so each byte that they still cover has several
 * possible versions. If a kernel ends for only some lines, its stores stay in the log among the
 * other stores and become old. Versions number the stores in order of entry, so "entered before" is
 * a comparison of versions. The time of an acknowledgement is stored as the newest version at that
 * time. Atomics are also stores.
 *
 *   check.c          the interface: stores, loads, kernel ends
 *   check_atomics.c  the interface: atomics
 *   check_lines.c    records of lines and their bases; accounts of the bytes that atomics have
 *                    replaced
 *   check_rule.c     allowed values of a load or an atomic
 *   check_text.c     stamps, and the text of a failure
 *
 * The check needs 40 bytes of memory per store of the running kernel, which are freed when the
 * kernel ends. It needs 40 bytes, and 32 to 64 bytes of a hash map, per line that was ever stored
 * to, and 128 or 512 bytes more if the words or bytes of the line have different versions in the
 * base. It needs 16 bytes per store that an atomic has partly replaced.
 */
#ifndef MEMTWIN_CHECK_CHECK_STATE_H
#define MEMTWIN_CHECK_CHECK_STATE_H

#include "check/check.h"
#include "lib/hash_map.h"
#include "lib/random.h"

#define CHUNK_BITS 12
#define CHUNK_ITEMS (1u << CHUNK_BITS)
#define NONE UINT32_MAX  /* no entry; not acknowledged; no version */
#define NO_SM UINT32_MAX /* SM of the final read of memory, which no SM makes */
#define VERSION_MAX (NONE - 1)
#define ACCOUNTS_MAX (1u << 29)
#define FAILURE_CHARS 640
#define ALLOWED_SHOWN 4
#define LINE_WORDS (LINE_BYTES / 4)

/* Base granularity: log2 of the number of bytes that share one version. */
enum { GRAIN_LINE = 7, GRAIN_WORD = 2, GRAIN_BYTE = 0 };

/* Entry of the log: one store. */
struct check_entry {
    struct byte_mask
        mask; /* for an old entry, the bytes for which it is one of several possible versions */
    uint32_t line; /* index of the line's record */
    uint32_t prev; /* index of the next older entry of this line, or NONE */
    uint32_t version;
    uint32_t acked_at; /* newest version when the store was acknowledged, or NONE */
    uint16_t sm;
    uint8_t atomic : 1;     /* the store is an atomic, which only check_atomic_done acknowledges */
    uint8_t line_acked : 1; /* this store and all older plain stores of its SM and line are
                               acknowledged */
    uint8_t old : 1;        /* the store's kernel has ended */
    uint32_t replaced;      /* index of the account of the bytes that atomics have replaced, or 0 */
};

_Static_assert(sizeof(struct check_entry) <= 40, "a store costs at most 40 bytes");

/* Record of a line that was ever stored to. */
struct check_line {
    uint64_t line;
    struct byte_mask stored; /* bytes covered by entries in the list */
    uint32_t newest;         /* index of the newest entry in the list, or NONE */
    uint32_t grain : 3;      /* granularity of the base */
    uint32_t replaced : 29;  /* index of the account of the base's bytes that atomics have replaced,
                                or 0 */
    union {
        uint32_t one;   /* the line's version, if grain is GRAIN_LINE */
        uint32_t *many; /* for other grains: LINE_BYTES >> grain versions */
    } base;
};

/* Array of items of one size, which grows without moving them. */
struct check_pool {
    char **chunk;
    uint32_t n_chunks;
    uint32_t room; /* capacity of the `chunk` array in chunks */
    size_t item;   /* number of bytes per item */
};

struct check {
    unsigned n_sms;
    uint32_t kernel;  /* number of kernels that have ended */
    uint32_t first;   /* version of this kernel's first store */
    uint32_t last;    /* newest version */
    uint32_t pending; /* number of unacknowledged stores */
    uint32_t n_old;   /* number of old entries, which precede the entry of version `first` */
    uint32_t n_lines;
    struct check_pool entries;
    struct check_pool lines;
    struct check_pool accounts; /* struct byte_mask each; index 0 means no account */
    uint32_t n_accounts,        /* number of accounts, including the unused index 0 */
        free_account; /* head of the free list, which is linked through w[0] and ends with 0 */
    struct hash_map numbers; /* maps a line to the index of its record */
    uint32_t *emptied; /* owned; per SM, the newest version when its L1 was emptied; 0 for never */
    struct byte_mask *covered; /* owned; per SM; scratch space of fold_line, zero between uses */
    uint64_t loads, bytes;
    bool failed;
    char failure[FAILURE_CHARS];
};

/* Access by a load or an atomic to one line, which is being checked. */
struct check_access {
    uint32_t sm;
    uint32_t entered; /* newest version when the access entered the L1D */
    uint32_t before; /* stores acknowledged at an older newest version were complete when the access
                        entered (an atomic) or when the L1 was emptied (a load) */
    uint32_t atomic; /* version of the atomic that got the data, or NONE for a load */
    uint32_t key;    /* key of the line, for stamps */
    uint64_t line;
    const struct byte_mask *mask;
    const uint8_t *data;
};

/* ---- byte masks ---- */

static inline bool mask_any(struct byte_mask m) {
    return (m.w[0] | m.w[1]) != 0;
}

static inline struct byte_mask mask_common(struct byte_mask a, struct byte_mask b) {
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

/* Returns the mask bits of aligned word w of the line, in bits 0..3. */
static inline unsigned mask_word(const struct byte_mask *m, unsigned w) {
    return m->w[w / 16] >> w % 16 * 4 & 15;
}

/* Returns the lowest byte in the mask, which must not be empty. */
static inline unsigned lowest(struct byte_mask m) {
    return m.w[0] ? (unsigned)__builtin_ctzll(m.w[0]) : 64 + (unsigned)__builtin_ctzll(m.w[1]);
}

/* Removes the lowest byte from the mask and returns it. */
static inline unsigned mask_take_lowest(struct byte_mask *m) {
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

/* ---- stamps: word = mix_bits(version) ^ word_key(line's key, word) ---- */

/* Returns a bijective hash of x. */
static inline uint32_t mix_bits(uint32_t x) {
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

/* Inverts mix_bits(). */
static inline uint32_t unmix(uint32_t x) {
    x = (x ^ x >> 16) * 0x43021123u;
    x = (x ^ x >> 15 ^ x >> 30) * 0x1d69e2a5u;
    return x ^ x >> 16;
}

/* Returns the line's key for stamps. */
static inline uint32_t line_key(uint64_t line) {
    return (uint32_t)random_next(&line);
}

static inline uint32_t word_key(uint32_t key, unsigned w) {
    return key + w * HASH_FACTOR32;
}

static inline uint32_t load_word(const uint8_t *p) {
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static inline uint8_t stamp_byte(uint32_t key, uint32_t version, unsigned byte) {
    return (uint8_t)((mix_bits(version) ^ word_key(key, byte / 4)) >> byte % 4 * 8);
}

/* ---- pools ---- */

static inline void *pool_at(const struct check_pool *p, uint32_t i) {
    return p->chunk[i >> CHUNK_BITS] + (i & (CHUNK_ITEMS - 1)) * p->item;
}

static inline struct check_entry *entry_at(const struct check *c, uint32_t i) {
    return pool_at(&c->entries, i);
}

static inline struct check_line *line_at(const struct check *c, uint32_t i) {
    return pool_at(&c->lines, i);
}

static inline uint32_t n_entries(const struct check *c) {
    return c->n_old + (c->last - c->first + 1);
}

/* Returns the entry of a version of this kernel, or NULL. */
static inline struct check_entry *entry_of(const struct check *c, uint32_t version) {
    if (version < c->first || version > c->last)
        return NULL;
    return entry_at(c, c->n_old + (version - c->first));
}

/* ---- lines and bases (check_lines.c) ---- */

/* Returns the number of versions in a base of this granularity. */
static inline unsigned n_groups(unsigned grain) {
    return (unsigned)LINE_BYTES >> grain;
}

static inline uint32_t base_version(const struct check_line *l, unsigned byte) {
    return l->grain == GRAIN_LINE ? l->base.one : l->base.many[byte >> l->grain];
}

/* Returns the index of a line's record, or NONE if the line was never stored to. */
static inline uint32_t find_line(const struct check *c, uint64_t line) {
    return hash_map_get(&c->numbers, line);
}

/* Returns the index of a line's record. Adds a record if the line has none. */
uint32_t check_get_line(struct check *c, uint64_t line);

/* Ensures room for item i. There must already be room for item i - 1. */
void check_pool_reserve(struct check_pool *p, uint32_t i);
/* Keeps the first n items. Frees the chunks that n + 1 items do not need. */
void check_pool_trim(struct check_pool *p, uint32_t n);
void check_pool_free(struct check_pool *p);

/* Sets the base version of the whole line. */
void check_base_set_line(struct check_line *l, uint32_t version);
/* Sets the base version of the masked bytes. */
void check_base_set(struct check_line *l, struct byte_mask m, uint32_t version);
/* Collapses the base to one version for the whole line if all versions are equal. */
void check_base_join(struct check_line *l);

/* Adds bytes to an account, or to a new account if `account` is 0. Returns the account's index. */
uint32_t check_account_add(struct check *c, uint32_t account, struct byte_mask m);
/* Closes an account. Index 0 is ignored. */
void check_account_close(struct check *c, uint32_t account);
/* Returns the bytes of an account, or no bytes for index 0. */
static inline struct byte_mask account_of(const struct check *c, uint32_t account) {
    return account ? *(struct byte_mask *)pool_at(&c->accounts, account)
                   : (struct byte_mask){{0, 0}};
}

/* ---- the rule (check_rule.c) ---- */

/* True if store e happened before the newer store of version `floor`. */
static inline bool happened_before(const struct check_entry *e, uint32_t floor, uint32_t floor_sm) {
    return e->acked_at < floor || (e->sm == floor_sm && e->version < floor);
}

/* True if e is a store of the reader's SM that entered before the reader. */
static inline bool is_floor(const struct check_entry *e, const struct check_access *a) {
    return e->sm == a->sm && e->version <= a->entered;
}

/* True if e was complete when the reader, an atomic, entered, or when the reader's L1 was emptied.
 */
static inline bool is_complete(const struct check_entry *e, const struct check_access *a) {
    return e->acked_at < a->before;
}

/* Returns the masked bytes whose values are not allowed. `l` is the line's record, or NULL if the
 * line was never stored to. */
struct byte_mask check_unexplained(const struct check *c, const struct check_line *l,
                                   const struct check_access *a);

/* ---- shared by the interface's files (check.c) ---- */

/* Returns true if the SM exists. Otherwise fails the check and returns false. */
bool check_sm_known(struct check *c, unsigned sm, const char *what);
/* Returns the entry of a version whose acknowledgement arrives at this SM. If it is not expected
 * there, fails the check and returns NULL. For the message, `what` is "store" or "atomic", and
 * `how` is the participle, such as "acknowledged". */
struct check_entry *check_answered(struct check *c, unsigned sm, uint32_t version, const char *what,
                                   const char *how);
/* Marks the store as acknowledged. */
void check_acknowledge(struct check *c, struct check_entry *e);
/* Checks the data of an access, and sets its key. */
void check_judge(struct check *c, struct check_access *a);

/* ---- failures (check_text.c) ---- */

/* A text under construction. Characters that do not fit are cut off. */
struct check_text {
    char s[FAILURE_CHARS];
    size_t n;
};

/* Appends the name of a version to the text, for example "version 7 (SM 2)". */
void check_add_version(struct check_text *t, const struct check *c, uint32_t version);
/* Reports that the byte has a value that is not allowed. */
void check_fail_access(struct check *c, const struct check_line *l, const struct check_access *a,
                       unsigned byte);

#endif
