// SPDX-License-Identifier: Apache-2.0
/* Implements the end-to-end data check. check.h states the rule, and check_state.h declares the
 * data structures. */
#include "check/check_state.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>

#include "lib/alloc.h"

/* ---- creation and destruction ---- */

struct check *check_create(unsigned n_sms) {
    struct check *c = alloc_zeroed(1, sizeof *c);
    assert(n_sms <= UINT16_MAX);
    c->n_sms = n_sms;
    c->first = 1;
    c->entries.item = sizeof(struct check_entry);
    c->lines.item = sizeof(struct check_line);
    c->accounts.item = sizeof(struct byte_mask);
    c->n_accounts = 1;
    c->covered = alloc_zeroed((size_t)n_sms + 1, sizeof *c->covered);
    c->emptied = alloc_zeroed((size_t)n_sms + 1, sizeof *c->emptied);
    return c;
}

void check_destroy(struct check *c) {
    if (!c)
        return;
    for (uint32_t i = 0; i < c->n_lines; i++)
        check_base_set_line(line_at(c, i), 0);
    check_pool_free(&c->entries);
    check_pool_free(&c->lines);
    check_pool_free(&c->accounts);
    hash_map_free(&c->numbers);
    free(c->covered);
    free(c->emptied);
    free(c);
}
/* ---- stores and loads ---- */

void check_judge(struct check *c, struct check_access *a) {
    uint32_t number = find_line(c, a->line);
    struct check_line *l = number == NONE ? NULL : line_at(c, number);
    a->key = line_key(a->line);
    struct byte_mask wrong = check_unexplained(c, l, a);
    if (mask_any(wrong))
        check_fail_access(c, l, a, lowest(wrong));
}

bool check_sm_known(struct check *c, unsigned sm, const char *what) {
    if (sm < c->n_sms)
        return true;
    check_fail(c, "%s of SM %u in kernel %" PRIu32 ": there are only %u SMs", what, sm, c->kernel,
               c->n_sms);
    return false;
}

void check_store(struct check *c, unsigned sm, uint64_t line, const struct byte_mask *mask,
                 uint32_t version) {
    if (c->failed || !check_sm_known(c, sm, "store"))
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
    check_pool_reserve(&c->entries, i);
    struct check_line *l = line_at(c, number);
    *entry_at(c, i) = (struct check_entry){.mask = *mask,
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

struct check_entry *check_answered(struct check *c, unsigned sm, uint32_t version, const char *what,
                                   const char *how) {
    struct check_entry *e = entry_of(c, version);
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

void check_acknowledge(struct check *c, struct check_entry *e) {
    e->acked_at = c->last;
    c->pending--;
}

void check_store_acked(struct check *c, unsigned sm, uint32_t version) {
    if (c->failed || !check_sm_known(c, sm, "acknowledgement"))
        return;
    struct check_entry *e = check_answered(c, sm, version, "store", "acknowledged");
    if (e)
        check_acknowledge(c, e);
}

static bool within(const struct byte_mask *m, const struct byte_mask *of) {
    return ((m->w[0] & ~of->w[0]) | (m->w[1] & ~of->w[1])) == 0;
}

/* Acknowledges an SM's stores to a line, up to `version`, that write only bytes in `mask`. Returns
 * the number of acknowledged stores. */
static unsigned acknowledge_line(struct check *c, const struct check_line *l, unsigned sm,
                                 const struct byte_mask *mask, uint32_t version) {
    unsigned n = 0;
    struct check_entry *first = NULL;
    bool left = false;
    for (uint32_t i = l->newest; i != NONE && !entry_at(c, i)->old; i = entry_at(c, i)->prev) {
        struct check_entry *e = entry_at(c, i);
        if (e->sm != sm || e->version > version || e->atomic)
            continue;
        if (e->line_acked)
            break;
        first = first ? first : e;
        if (e->acked_at != NONE)
            continue;
        if (within(&e->mask, mask)) {
            check_acknowledge(c, e);
            n++;
        } else {
            left = true;
        }
    }
    if (first && !left)
        first->line_acked = 1;
    return n;
}

void check_line_acked(struct check *c, unsigned sm, uint64_t line, const struct byte_mask *mask,
                      uint32_t version) {
    if (c->failed || !check_sm_known(c, sm, "write-back"))
        return;
    uint32_t number = find_line(c, line);
    if (version == 0 || version > c->last)
        check_fail(c,
                   "write-back of unknown version %" PRIu32 " at SM %u, line 0x%" PRIx64
                   ", kernel %" PRIu32 ": the newest is %" PRIu32,
                   version, sm, line, c->kernel, c->last);
    else if (number == NONE || !acknowledge_line(c, line_at(c, number), sm, mask, version))
        check_fail(c,
                   "write-back of nothing: SM %u, line 0x%" PRIx64 ", kernel %" PRIu32
                   ": no store up to version %" PRIu32 " waits for it",
                   sm, line, c->kernel, version);
}

void check_line_forgotten(struct check *c, unsigned sm, uint64_t line,
                          const struct byte_mask *mask) {
    if (c->failed || !check_sm_known(c, sm, "drop"))
        return;
    const uint32_t number = find_line(c, line), before = c->pending;
    uint32_t i = number == NONE ? NONE : line_at(c, number)->newest;
    for (; i != NONE && !entry_at(c, i)->old; i = entry_at(c, i)->prev) {
        struct check_entry *e = entry_at(c, i);
        if (e->sm != sm || e->acked_at != NONE || e->atomic || !within(&e->mask, mask))
            continue;
        e->mask = (struct byte_mask){{0, 0}};
        check_acknowledge(c, e);
    }
    if (c->pending == before)
        check_fail(c,
                   "drop of nothing: SM %u, line 0x%" PRIx64 ", kernel %" PRIu32
                   ": no store to it is unacknowledged",
                   sm, line, c->kernel);
}

/* The ticket consists of the kernel's number (high half) and the newest version at the time when
 * the load entered (low half). */
uint64_t check_load(struct check *c, unsigned sm) {
    (void)check_sm_known(c, sm, "load");
    return (uint64_t)c->kernel << 32 | c->last;
}

void check_load_done(struct check *c, unsigned sm, uint64_t ticket, uint64_t line,
                     const struct byte_mask *mask, const uint8_t data[LINE_BYTES]) {
    c->loads++;
    c->bytes += n_bytes(mask);
    if (c->failed || !check_sm_known(c, sm, "load"))
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
                   " was never issued",
                   sm, line, c->kernel, ticket);
    else
        check_judge(c, &(struct check_access){.sm = sm,
                                              .entered = entered,
                                              .before = c->emptied[sm],
                                              .atomic = NONE,
                                              .line = line,
                                              .mask = mask,
                                              .data = data});
}
/* ---- kernel ends and the final check ---- */

/* Returns m without the bytes in `newer` whose newest version entered after e was acknowledged. */
static struct byte_mask not_followed(const struct check_entry *e, struct byte_mask m,
                                     struct byte_mask newer, const uint32_t top[LINE_BYTES]) {
    struct byte_mask rest = mask_common(m, newer);
    while (mask_any(rest)) {
        unsigned byte = mask_take_lowest(&rest);
        if (top[byte] > e->acked_at)
            m.w[byte / 64] &= ~((uint64_t)1 << byte % 64);
    }
    return m;
}

/* Removes from the mask of each entry the bytes at which another store supersedes the entry.
 * Returns the bytes that more than one entry still covers. */
static struct byte_mask drop_superseded(struct check *c, const struct check_line *l) {
    uint32_t top[LINE_BYTES]; /* newest version of each byte; valid for the bytes in `met` */
    struct byte_mask met = {{0, 0}}, once = {{0, 0}}, twice = {{0, 0}};
    for (uint32_t i = l->newest; i != NONE; i = entry_at(c, i)->prev) {
        struct check_entry *e = entry_at(c, i);
        struct byte_mask fresh = without(e->mask, met);
        struct byte_mask m = without(e->mask, c->covered[e->sm]);
        m = not_followed(e, m, met, top);
        met = either(met, e->mask);
        c->covered[e->sm] = either(c->covered[e->sm], e->mask);
        e->mask = m;
        twice = either(twice, mask_common(once, m));
        once = either(once, m);
        while (mask_any(fresh))
            top[mask_take_lowest(&fresh)] = e->version;
    }
    for (uint32_t i = l->newest; i != NONE; i = entry_at(c, i)->prev)
        c->covered[entry_at(c, i)->sm] = (struct byte_mask){{0, 0}};
    return twice;
}

/* Moves bytes with only one possible version into the base, and unlinks the list. The other bytes
 * stay in the entries. */
static void fold_line(struct check *c, struct check_line *l) {
    uint32_t replaced = 0; /* account of the new base; begins without the replaced bytes of the old
                              base, all of which are covered by stores */
    l->stored = drop_superseded(c, l);
    for (uint32_t i = l->newest; i != NONE; i = entry_at(c, i)->prev) {
        struct check_entry *e = entry_at(c, i);
        struct byte_mask alone = without(e->mask, l->stored);
        struct byte_mask dead = mask_common(alone, account_of(c, e->replaced));
        check_base_set(l, alone, e->version);
        if (mask_any(dead))
            replaced = check_account_add(c, replaced, dead);
        e->mask = mask_common(e->mask, l->stored);
        e->old = 1;
    }
    check_base_join(l);
    check_account_close(c, l->replaced);
    l->replaced = replaced & (ACCOUNTS_MAX - 1);
    l->newest = NONE;
}

/* Moves the entries that still have bytes to the front of the log, which has n entries, and relinks
 * them. */
static void compact(struct check *c, uint32_t n) {
    uint32_t kept = 0;
    for (uint32_t i = 0; i < c->n_old; i++)
        line_at(c, entry_at(c, i)->line)->newest = NONE;
    for (uint32_t i = 0; i < n; i++) {
        struct check_entry *e = entry_at(c, i);
        if (!mask_any(e->mask)) {
            check_account_close(c, e->replaced);
            continue;
        }
        struct check_line *l = line_at(c, e->line);
        e->prev = l->newest;
        l->newest = kept;
        *entry_at(c, kept++) = *e;
    }
    c->n_old = kept;
    check_pool_trim(&c->entries, kept);
}

/* Fails the check if a store to the lines is unacknowledged, and reports the oldest such store. */
static void fail_pending(struct check *c, uint64_t first, uint64_t end) {
    for (uint32_t version = c->first; version <= c->last; version++) {
        const struct check_entry *e = entry_of(c, version);
        const uint64_t line = line_at(c, e->line)->line;
        if (e->acked_at != NONE || line < first || line >= end)
            continue;
        check_fail(c,
                   "%s without %s at the end of kernel %" PRIu32 ": version %" PRIu32
                   " of SM %u, line 0x%" PRIx64 " (%" PRIu32 " such stores)",
                   e->atomic ? "atomic" : "store", e->atomic ? "answer" : "acknowledgement",
                   c->kernel, version, e->sm, line, c->pending);
        return;
    }
}

void check_kernel_end(struct check *c) {
    if (c->pending)
        fail_pending(c, 0, UINT64_MAX);
    if (c->failed)
        return;
    uint32_t n = n_entries(c);
    for (uint32_t i = c->n_old; i < n; i++) {
        struct check_line *l = line_at(c, entry_at(c, i)->line);
        if (l->newest != NONE)
            fold_line(c, l);
    }
    compact(c, n);
    c->first = c->last + 1;
    c->kernel++;
}

void check_sm_emptied(struct check *c, unsigned sm) {
    if (check_sm_known(c, sm, "empty L1"))
        c->emptied[sm] = c->last;
}

/* True if all stores in the line's list are acknowledged. */
static bool is_settled(const struct check *c, const struct check_line *l) {
    for (uint32_t i = l->newest; i != NONE; i = entry_at(c, i)->prev)
        if (entry_at(c, i)->acked_at == NONE)
            return false;
    return true;
}

/* Ends the kernel for one line without compacting the log. Entries that still have bytes keep their
 * positions in the log. */
static void end_line(struct check *c, struct check_line *l) {
    uint32_t i = l->newest;
    fold_line(c, l);
    uint32_t *link = &l->newest;
    for (; i != NONE; i = entry_at(c, i)->prev) {
        struct check_entry *e = entry_at(c, i);
        if (!mask_any(e->mask))
            continue;
        *link = i;
        link = &e->prev;
    }
    *link = NONE;
}

void check_kernel_end_range(struct check *c, uint64_t first, uint64_t end) {
    for (uint32_t i = 0; i < c->n_lines && !c->failed; i++) {
        struct check_line *l = line_at(c, i);
        if (l->line < first || l->line >= end || l->newest == NONE || entry_at(c, l->newest)->old)
            continue;
        if (is_settled(c, l))
            end_line(c, l);
        else
            fail_pending(c, first, end);
    }
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
        check_judge(c, &(struct check_access){.sm = NO_SM,
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