// SPDX-License-Identifier: Apache-2.0
/* Manages the lines of the data check: their records, bases and accounts. */
#include "check/check_state.h"

#include <stdlib.h>

#include "lib/alloc.h"

/* ---- pools ---- */

void check_pool_reserve(struct check_pool *p, uint32_t i) {
    if (i >> CHUNK_BITS < p->n_chunks)
        return;
    p->chunk = alloc_grown(p->chunk, p->n_chunks, &p->room, sizeof *p->chunk);
    p->chunk[p->n_chunks++] = alloc_array(CHUNK_ITEMS, p->item);
}

void check_pool_trim(struct check_pool *p, uint32_t n) {
    size_t keep = (n >> CHUNK_BITS) + 1;
    while (p->n_chunks > keep)
        free(p->chunk[--p->n_chunks]);
}

void check_pool_free(struct check_pool *p) {
    while (p->n_chunks)
        free(p->chunk[--p->n_chunks]);
    free(p->chunk);
}

/* ---- lines ---- */

uint32_t check_get_line(struct check *c, uint64_t line) {
    uint32_t number = find_line(c, line);
    if (number != NONE)
        return number;
    check_pool_reserve(&c->lines, c->n_lines);
    number = c->n_lines++;
    *line_at(c, number) = (struct check_line){.line = line, .newest = NONE, .grain = GRAIN_LINE};
    hash_map_add(&c->numbers, line, number);
    return number;
}

/* ---- base of a line ---- */

void check_base_set_line(struct check_line *l, uint32_t version) {
    if (l->grain != GRAIN_LINE)
        free(l->base.many);
    l->grain = GRAIN_LINE;
    l->base.one = version;
}

/* Splits the base to this granularity, unless the base is already at least as fine. */
static void base_split(struct check_line *l, unsigned grain) {
    if (l->grain <= grain)
        return;
    uint32_t *many = alloc_array(n_groups(grain), sizeof *many);
    for (unsigned i = 0; i < n_groups(grain); i++)
        many[i] = base_version(l, i << grain);
    if (l->grain != GRAIN_LINE)
        free(l->base.many);
    l->base.many = many;
    l->grain = (uint8_t)grain;
}

void check_base_join(struct check_line *l) {
    if (l->grain == GRAIN_LINE)
        return;
    for (unsigned i = 1; i < n_groups(l->grain); i++)
        if (l->base.many[i] != l->base.many[0])
            return;
    check_base_set_line(l, l->base.many[0]);
}

static bool whole_words(const struct byte_mask *m) {
    for (unsigned w = 0; w < LINE_WORDS; w++)
        if (mask_word(m, w) != 0 && mask_word(m, w) != 15)
            return false;
    return true;
}

void check_base_set(struct check_line *l, struct byte_mask m, uint32_t version) {
    if (!mask_any(m))
        return;
    if (is_full(m)) {
        check_base_set_line(l, version);
        return;
    }
    base_split(l, whole_words(&m) ? GRAIN_WORD : GRAIN_BYTE);
    while (mask_any(m))
        l->base.many[mask_take_lowest(&m) >> l->grain] = version;
}

/* ---- accounts: bytes of a version that atomics have replaced ---- */

uint32_t check_account_add(struct check *c, uint32_t account, struct byte_mask m) {
    if (!account) {
        account = c->free_account;
        if (account) {
            c->free_account = (uint32_t)account_of(c, account).w[0];
        } else {
            if (c->n_accounts == ACCOUNTS_MAX)
                alloc_limit("stores that atomics overlap, in the data check", ACCOUNTS_MAX);
            check_pool_reserve(&c->accounts, c->n_accounts);
            account = c->n_accounts++;
        }
        *(struct byte_mask *)pool_at(&c->accounts, account) = (struct byte_mask){{0, 0}};
    }
    struct byte_mask *have = pool_at(&c->accounts, account);
    *have = either(*have, m);
    return account;
}

void check_account_close(struct check *c, uint32_t account) {
    if (!account)
        return;
    *(struct byte_mask *)pool_at(&c->accounts, account) = (struct byte_mask){{c->free_account, 0}};
    c->free_account = account;
}
