/* End-to-end data check: see check.h for the rule that is checked, check_state.h for how it is
 * kept. */
#include "check/check_state.h"

#include <inttypes.h>
#include <stdlib.h>

/* ---- life ---- */

struct check *check_create(unsigned n_sms) {
    struct check *c = n_sms <= UINT16_MAX ? calloc(1, sizeof *c) : NULL;
    if (!c)
        return NULL;
    c->n_sms = n_sms;
    c->first = 1;
    c->entries.item = sizeof(struct entry);
    c->lines.item = sizeof(struct line);
    c->accounts.item = sizeof(struct byte_mask);
    c->n_accounts = 1;
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
        check_base_set_line(line_at(c, i), 0);
    check_pool_free(&c->entries);
    check_pool_free(&c->lines);
    check_pool_free(&c->accounts);
    free(c->table);
    free(c->covered);
    free(c);
}
/* ---- stores and loads ---- */

/* Checks one access. */
static void check_access(struct check *c, struct access *a) {
    uint64_t hash = hash_line(a->line);
    uint32_t number = find_line(c, a->line, hash);
    struct line *l = number == NONE ? NULL : line_at(c, number);
    a->key = (uint32_t)hash;
    struct byte_mask wrong = check_unexplained(c, l, a);
    if (any(wrong))
        check_fail_access(c, l, a, lowest(wrong));
}

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
    uint32_t i = n_entries(c), number = check_get_line(c, line);
    if (number == NONE || !check_pool_reserve(&c->entries, i)) {
        check_fail_memory(c, "store");
        return;
    }
    struct line *l = line_at(c, number);
    *entry_at(c, i) = (struct entry){.mask = *mask,
                                     .line = number,
                                     .prev = l->newest,
                                     .version = version,
                                     .acked_at = NONE,
                                     .sm = (uint16_t)sm};
    l->newest = i;
    l->stored = either(l->stored, *mask);
    c->last = version;
    c->pending++;
}

/* The entry of a version that is answered at this SM, or NULL and a failure. what: "store" or
 * "atomic"; how: what was done to it. */
static struct entry *answered(struct check *c, unsigned sm, uint32_t version, const char *what,
                              const char *how) {
    struct entry *e = entry_of(c, version);
    bool atomic = what[0] == 'a';
    if (version == 0 || version > c->last)
        check_fail(c,
                   "%s of unknown version %" PRIu32 " at SM %u, kernel %" PRIu32
                   ": the newest is %" PRIu32,
                   atomic ? "answer" : "acknowledgement", version, sm, c->kernel, c->last);
    else if (!e)
        check_fail(
            c, "%s %s twice: version %" PRIu32 " of an earlier kernel, at SM %u, kernel %" PRIu32,
            what, how, version, sm, c->kernel);
    else if (e->sm != sm)
        check_fail(c,
                   "%s at the wrong SM: version %" PRIu32 " of SM %u, line 0x%" PRIx64
                   ", at SM %u, kernel %" PRIu32,
                   atomic ? "answer" : "acknowledgement", version, e->sm, line_at(c, e->line)->line,
                   sm, c->kernel);
    else if (e->atomic != atomic)
        check_fail(
            c, "%s %s: version %" PRIu32 " of SM %u, line 0x%" PRIx64 ", kernel %" PRIu32 ", is %s",
            what, how, version, sm, line_at(c, e->line)->line, c->kernel,
            atomic ? "a plain store" : "an atomic");
    else if (e->acked_at != NONE)
        check_fail(c,
                   "%s %s twice: version %" PRIu32 " of SM %u, line 0x%" PRIx64 ", kernel %" PRIu32,
                   what, how, version, sm, line_at(c, e->line)->line, c->kernel);
    return c->failed ? NULL : e;
}

static void acknowledge(struct check *c, struct entry *e) {
    e->acked_at = c->last;
    c->pending--;
}

void check_store_acked(struct check *c, unsigned sm, uint32_t version) {
    if (c->failed || !sm_known(c, sm, "acknowledgement"))
        return;
    struct entry *e = answered(c, sm, version, "store", "acknowledged");
    if (e)
        acknowledge(c, e);
}

/* Acknowledges an SM's stores to a line up to a version. Returns how many there were. */
static unsigned acknowledge_line(struct check *c, const struct line *l, unsigned sm,
                                 uint32_t version) {
    unsigned n = 0;
    for (uint32_t i = l->newest; i != NONE && i >= c->n_old; i = entry_at(c, i)->prev) {
        struct entry *e = entry_at(c, i);
        if (e->sm != sm || e->version > version || e->atomic)
            continue;
        if (e->line_acked)
            break;
        e->line_acked = 1;
        if (e->acked_at == NONE) {
            acknowledge(c, e);
            n++;
        }
    }
    return n;
}

void check_line_acked(struct check *c, unsigned sm, uint64_t line, uint32_t version) {
    if (c->failed || !sm_known(c, sm, "write-back"))
        return;
    uint32_t number = find_line(c, line, hash_line(line));
    if (version == 0 || version > c->last)
        check_fail(c,
                   "write-back of unknown version %" PRIu32 " at SM %u, line 0x%" PRIx64
                   ", kernel %" PRIu32 ": the newest is %" PRIu32,
                   version, sm, line, c->kernel, c->last);
    else if (number == NONE || !acknowledge_line(c, line_at(c, number), sm, version))
        check_fail(c,
                   "write-back of nothing: SM %u, line 0x%" PRIx64 ", kernel %" PRIu32
                   ": no store up to version %" PRIu32 " waits for it",
                   sm, line, c->kernel, version);
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
        check_access(c, &(struct access){.sm = sm,
                                         .entered = entered,
                                         .atomic = NONE,
                                         .line = line,
                                         .mask = mask,
                                         .data = data});
}
/* ---- atomics ---- */

/* The ticket orders the load before the atomic's own store. */
uint64_t check_atomic(struct check *c, unsigned sm, uint64_t line, const struct byte_mask *mask,
                      uint32_t version) {
    uint64_t ticket = (uint64_t)c->kernel << 32 | c->last;
    check_store(c, sm, line, mask, version);
    if (!c->failed)
        entry_of(c, version)->atomic = 1;
    return ticket;
}

/* Whose stamp does word w hold in whole? An entry's number, BASE, or NONE: not of one version. */
#define BASE (NONE - 1)
static uint32_t holder_of_word(const struct check *c, const struct line *l, const struct access *a,
                               unsigned w) {
    uint32_t version = unmix(load_word(a->data + 4 * w) ^ word_key(a->key, w));
    const struct entry *e = entry_of(c, version);
    if (e)
        return line_at(c, e->line) == l && nibble(&e->mask, w) == 15
                   ? c->n_old + (version - c->first)
                   : NONE;
    unsigned equal = 0;
    for (unsigned i = 4 * w; i < 4 * w + 4; i++)
        equal += base_version(l, i) == version;
    if (equal == 4)
        return BASE;
    for (uint32_t i = l->newest; i != NONE; i = entry_at(c, i)->prev)
        if (i < c->n_old && entry_at(c, i)->version == version &&
            nibble(&entry_at(c, i)->mask, w) == 15)
            return i;
    return NONE;
}

/* Whose stamp does the byte hold? NONE: several versions have it there. */
static uint32_t holder_of_byte(const struct check *c, const struct line *l, const struct access *a,
                               unsigned byte) {
    uint32_t holder = NONE;
    unsigned n = 0;
    if (a->data[byte] == stamp_byte(a->key, base_version(l, byte), byte)) {
        holder = BASE;
        n++;
    }
    for (uint32_t i = l->newest; i != NONE && n < 2; i = entry_at(c, i)->prev) {
        const struct entry *e = entry_at(c, i);
        if (e->version == a->atomic || !has(&e->mask, byte) ||
            a->data[byte] != stamp_byte(a->key, e->version, byte))
            continue;
        holder = i;
        n++;
    }
    return n == 1 ? holder : NONE;
}

/* Does a store in the list cover a part of word w only? */
static bool is_mixed(const struct check *c, const struct line *l, unsigned w) {
    for (uint32_t i = l->newest; i != NONE; i = entry_at(c, i)->prev) {
        unsigned part = nibble(&entry_at(c, i)->mask, w);
        if (part != 0 && part != 15)
            return true;
    }
    return false;
}

/* A byte of m that is surely the holder's, or LINE_BYTES. Of a word that shows one version, a part
 * may have been overwritten by another one that has the same stamp in a byte. */
static unsigned sure_byte(const struct check *c, const struct line *l, const struct access *a,
                          uint32_t holder, struct byte_mask m) {
    while (any(m)) {
        unsigned byte = take(&m), w = byte / 4;
        bool whole = nibble(a->mask, w) == 15 && holder_of_word(c, l, a, w) == holder;
        if ((whole && !is_mixed(c, l, w)) || holder_of_byte(c, l, a, byte) == holder)
            return byte;
    }
    return LINE_BYTES;
}

static void fail_lost_update(struct check *c, const struct line *l, const struct access *a,
                             uint32_t holder, unsigned byte) {
    struct text t = {.n = 0};
    check_add_version(&t, c, holder == BASE ? base_version(l, byte) : entry_at(c, holder)->version);
    check_fail(c,
               "lost update: atomic of SM %" PRIu32 ", version %" PRIu32 ", byte 0x%" PRIx64
               ", kernel %" PRIu32 ": replaced %s, which another atomic had replaced",
               a->sm, a->atomic, a->line * LINE_BYTES + byte, c->kernel, t.s);
}

/* Enters that the atomic has replaced the holder's bytes m. */
static void replace(struct check *c, struct line *l, const struct access *a, uint32_t holder,
                    struct byte_mask m) {
    struct entry *e = holder == BASE ? NULL : entry_at(c, holder);
    uint32_t account = e ? e->replaced : l->replaced;
    struct byte_mask again = both(account_of(c, account), m);
    unsigned byte = any(again) ? sure_byte(c, l, a, holder, again) : LINE_BYTES;
    if (byte < LINE_BYTES) {
        fail_lost_update(c, l, a, holder, byte);
        return;
    }
    account = check_account_add(c, account, m);
    if (!account)
        check_fail_memory(c, "atomic");
    else if (e)
        e->replaced = account;
    else
        l->replaced = account & (ACCOUNTS_MAX - 1);
}

/* Enters what the atomic has replaced. */
static void replace_all(struct check *c, struct line *l, const struct access *a) {
    struct byte_mask rest = *a->mask;
    while (any(rest)) {
        unsigned byte = lowest(rest), w = byte / 4;
        struct byte_mask m = {{0, 0}};
        uint32_t holder = nibble(a->mask, w) == 15 ? holder_of_word(c, l, a, w) : NONE;
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
    if (c->failed || !sm_known(c, sm, "atomic"))
        return;
    struct entry *e = answered(c, sm, version, "atomic", "answered");
    if (!e)
        return;
    struct line *l = line_at(c, e->line);
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
    struct access a = {.sm = sm,
                       .entered = version - 1,
                       .atomic = version,
                       .line = line,
                       .mask = mask,
                       .data = old};
    if (!c->failed)
        check_access(c, &a);
    if (!c->failed)
        replace_all(c, l, &a);
    acknowledge(c, e);
}

/* ---- ends ---- */

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
    uint32_t replaced = 0; /* of the new base. All of the old one that was replaced is covered. */
    l->stored = drop_superseded(c, l);
    for (uint32_t i = l->newest; i != NONE; i = entry_at(c, i)->prev) {
        struct entry *e = entry_at(c, i);
        struct byte_mask alone = without(e->mask, l->stored);
        struct byte_mask gone = both(alone, account_of(c, e->replaced));
        ok &= check_base_set(l, alone, e->version);
        if (any(gone)) {
            replaced = check_account_add(c, replaced, gone);
            ok &= replaced != 0;
        }
        e->mask = both(e->mask, l->stored);
    }
    check_base_join(l);
    check_account_close(c, l->replaced);
    l->replaced = replaced & (ACCOUNTS_MAX - 1);
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
        if (!any(e->mask)) {
            check_account_close(c, e->replaced);
            continue;
        }
        struct line *l = line_at(c, e->line);
        e->prev = l->newest;
        l->newest = kept;
        *entry_at(c, kept++) = *e;
    }
    c->n_old = kept;
    check_pool_trim(&c->entries, kept);
}

/* The oldest store without acknowledgement is a failure. */
static void fail_pending(struct check *c) {
    for (uint32_t version = c->first; version <= c->last; version++) {
        const struct entry *e = entry_of(c, version);
        if (e->acked_at != NONE)
            continue;
        check_fail(c,
                   "%s without %s at the end of kernel %" PRIu32 ": version %" PRIu32
                   " of SM %u, line 0x%" PRIx64 " (%" PRIu32 " such stores)",
                   e->atomic ? "atomic" : "store", e->atomic ? "answer" : "acknowledgement",
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
        check_fail_memory(c, "kernel end");
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
        check_access(c, &(struct access){.sm = NOBODY,
                                         .entered = c->last,
                                         .atomic = NONE,
                                         .line = line,
                                         .mask = &all,
                                         .data = data});
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