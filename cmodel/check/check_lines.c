// SPDX-License-Identifier: Apache-2.0
/* Lines of the data check: records, hash table, bases, accounts. */
#include "check/check_state.h"

#include <stdlib.h>

#include "lib/alloc.h"

/* ---- pools ---- */

/* Makes room for item i, where item i - 1 has room. */
void check_pool_reserve(struct pool *p, uint32_t i) {
    if (i >> CHUNK_BITS < p->n_chunks)
        return;
    p->chunk = alloc_grown(p->chunk, p->n_chunks, &p->room, sizeof *p->chunk);
    p->chunk[p->n_chunks++] = alloc_array(CHUNK_ITEMS, p->item);
}

/* Keeps the first n items; frees the chunks behind, except one to go on with. */
void check_pool_trim(struct pool *p, uint32_t n) {
    size_t keep = (n >> CHUNK_BITS) + 1;
    while (p->n_chunks > keep)
        free(p->chunk[--p->n_chunks]);
}

void check_pool_free(struct pool *p) {
    while (p->n_chunks)
        free(p->chunk[--p->n_chunks]);
    free(p->chunk);
}

/* ---- lines ---- */

/* Enters a record that is not in the table. */
static void table_put(struct check *c, uint64_t hash, uint32_t number) {
    uint32_t tmask = (uint32_t)(((uint64_t)1 << c->table_bits) - 1);
    uint32_t i = table_start(c, hash);
    while (c->table[i])
        i = (i + 1) & tmask;
    c->table[i] = (hash & UINT32_MAX) << 32 | (number + 1);
}

/* Makes the table big enough to stay at most half full. */
static void table_grow(struct check *c) {
    if (c->n_lines < (uint64_t)1 << (c->table_bits - 1))
        return;
    free(c->table);
    if (++c->table_bits > 32)
        alloc_limit("lines of the data check", (uint64_t)1 << 31);
    c->table = alloc_zeroed((size_t)1 << c->table_bits, sizeof *c->table);
    for (uint32_t i = 0; i < c->n_lines; i++)
        table_put(c, hash_line(line_at(c, i)->line), i);
}

/* Record number of a line, of a new record if need be. */
uint32_t check_get_line(struct check *c, uint64_t line) {
    uint64_t hash = hash_line(line);
    uint32_t number = find_line(c, line, hash);
    if (number != NONE)
        return number;
    table_grow(c);
    check_pool_reserve(&c->lines, c->n_lines);
    number = c->n_lines++;
    *line_at(c, number) = (struct line){.line = line, .newest = NONE, .grain = GRAIN_LINE};
    table_put(c, hash, number);
    return number;
}
/* ---- base of a line ---- */

void check_base_set_line(struct line *l, uint32_t version) {
    if (l->grain != GRAIN_LINE)
        free(l->base.many);
    l->grain = GRAIN_LINE;
    l->base.one = version;
}

/* Splits the base to a finer grain. */
static void base_split(struct line *l, unsigned grain) {
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

/* Back to one version per line where all are equal. */
void check_base_join(struct line *l) {
    if (l->grain == GRAIN_LINE)
        return;
    for (unsigned i = 1; i < n_groups(l->grain); i++)
        if (l->base.many[i] != l->base.many[0])
            return;
    check_base_set_line(l, l->base.many[0]);
}

static bool whole_words(const struct byte_mask *m) {
    for (unsigned w = 0; w < LINE_WORDS; w++)
        if (nibble(m, w) != 0 && nibble(m, w) != 15)
            return false;
    return true;
}

/* Gives the masked bytes this version. */
void check_base_set(struct line *l, struct byte_mask m, uint32_t version) {
    if (!any(m))
        return;
    if (is_full(m)) {
        check_base_set_line(l, version);
        return;
    }
    base_split(l, whole_words(&m) ? GRAIN_WORD : GRAIN_BYTE);
    while (any(m))
        l->base.many[take(&m) >> l->grain] = version;
}

/* ---- accounts: which bytes of a version atomics have replaced ---- */

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
