// SPDX-License-Identifier: Apache-2.0
#include "lib/lru_table.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"

static void push_newest(struct lru_table *t, struct lru_set *set, uint32_t slot) {
    t->slot[slot].newer = LRU_NONE;
    t->slot[slot].older = set->newest;
    if (set->newest != LRU_NONE)
        t->slot[set->newest].newer = slot;
    else
        set->oldest = slot;
    set->newest = slot;
}

static void push_oldest(struct lru_table *t, struct lru_set *set, uint32_t slot) {
    t->slot[slot].older = LRU_NONE;
    t->slot[slot].newer = set->oldest;
    if (set->oldest != LRU_NONE)
        t->slot[set->oldest].older = slot;
    else
        set->newest = slot;
    set->oldest = slot;
}

static void take_out(struct lru_table *t, struct lru_set *set, uint32_t slot) {
    const struct lru_slot *s = &t->slot[slot];
    *(s->newer != LRU_NONE ? &t->slot[s->newer].older : &set->newest) = s->older;
    *(s->older != LRU_NONE ? &t->slot[s->older].newer : &set->oldest) = s->newer;
}

void lru_table_init(struct lru_table *t, uint32_t entries, uint32_t ways, enum lru_index index) {
    memset(t, 0, sizeof *t);
    t->sets = entries / ways;
    t->ways = ways;
    t->index = index;
    t->slot = alloc_array(entries, sizeof *t->slot);
    t->set = alloc_array(t->sets, sizeof *t->set);
    memset(t->set, 0xff, t->sets * sizeof *t->set);
    for (uint32_t i = 0; i < entries; i++) {
        t->slot[i].key = LRU_NONE;
        push_oldest(t, &t->set[i / ways], i);
    }
}

void lru_table_free(struct lru_table *t) {
    free(t->slot);
    free(t->set);
    hash_map_free(&t->slots);
    memset(t, 0, sizeof *t);
}

static struct lru_set *set_of(const struct lru_table *t, uint32_t slot) {
    return &t->set[slot / t->ways];
}

uint32_t lru_table_find(const struct lru_table *t, uint32_t key) {
    return hash_map_get(&t->slots, key);
}

bool lru_table_has(const struct lru_table *t, uint32_t key) {
    return lru_table_find(t, key) != LRU_NONE;
}

bool lru_table_touch(struct lru_table *t, uint32_t key) {
    uint32_t slot = lru_table_find(t, key);
    if (slot == LRU_NONE)
        return false;
    take_out(t, set_of(t, slot), slot);
    push_newest(t, set_of(t, slot), slot);
    return true;
}

static uint32_t set_number(const struct lru_table *t, uint32_t key) {
    if (t->index == LRU_MODULO || t->sets == 1)
        return key % t->sets;
    uint32_t set = 0;
    for (; key; key /= t->sets)
        set ^= key % t->sets;
    return set;
}

uint32_t lru_table_insert(struct lru_table *t, uint32_t key) {
    struct lru_set *set = &t->set[set_number(t, key)];
    uint32_t slot = set->oldest, out = t->slot[slot].key;
    assert(key != LRU_NONE && !lru_table_has(t, key));
    if (out != LRU_NONE)
        hash_map_remove(&t->slots, out);
    take_out(t, set, slot);
    push_newest(t, set, slot);
    t->slot[slot].key = key;
    hash_map_add(&t->slots, key, slot);
    return out;
}

bool lru_table_remove(struct lru_table *t, uint32_t key) {
    uint32_t slot = lru_table_find(t, key);
    if (slot == LRU_NONE)
        return false;
    hash_map_remove(&t->slots, key);
    t->slot[slot].key = LRU_NONE;
    take_out(t, set_of(t, slot), slot);
    push_oldest(t, set_of(t, slot), slot);
    return true;
}
