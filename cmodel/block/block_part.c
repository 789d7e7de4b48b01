// SPDX-License-Identifier: Apache-2.0
#include "block/block_part.h"

#include <string.h>

static const char *skip_digits(const char *s) {
    while (*s >= '0' && *s <= '9')
        s++;
    return s;
}

/* True if the names are equal apart from numbers. */
static bool alike(const char *a, const char *b) {
    for (;; a++, b++) {
        a = skip_digits(a);
        b = skip_digits(b);
        if (*a != *b || !*a)
            return *a == *b;
    }
}

/* Returns the last block of the list whose name is alike, or else the last block. Returns NULL if
 * the list is empty. */
static struct block_part *find_before(const struct block_list *list, const char *name) {
    struct block_part *last = NULL, *found = NULL;
    if (list->newest && alike(list->newest->inst.name, name))
        return list->newest; /* the newest block is the last one of its group */
    for (struct block_part *b = list->first; b; b = b->next) {
        last = b;
        found = alike(b->inst.name, name) ? b : found;
    }
    return found ? found : last;
}

static void add_part(struct block_list *list, struct block_part *b) {
    struct block_part *before = find_before(list, b->inst.name);
    struct block_part **place = before ? &before->next : &list->first;
    b->list = list;
    b->next = *place;
    *place = list->newest = b;
}

int block_part_init(struct block_part *b, struct block_list *list, const struct block_type *type,
                    const struct block_params *params, const char *name, struct error *err) {
    memset(b, 0, sizeof *b);
    b->reset = true;
    if (block_inst_init(&b->inst, type, params, name, err) != 0)
        return -1;
    add_part(list, b);
    return 0;
}

void block_part_free(struct block_part *b) {
    struct block_part **link = b->list ? &b->list->first : NULL;
    while (link && *link && *link != b)
        link = &(*link)->next;
    if (link && *link)
        *link = b->next;
    if (b->list && b->list->newest == b)
        b->list->newest = NULL;
    block_inst_free(&b->inst);
    memset(b, 0, sizeof *b);
}
