// SPDX-License-Identifier: Apache-2.0
/* Checks relations between the keys of unified memory. */
#include <inttypes.h>
#include <string.h>

#include "lib/guess.h"
#include "uvm/inside.h"

/* Appends a name to a list of names, and tries it as the correction of a misspelled name. */
static void add_name(char *list, size_t size, const char *name, struct guess *guess) {
    guess_try(guess, name, strlen(name));
    size_t used = strlen(list);
    snprintf(list + used, size - used, "%s%s", used ? ", " : "", name);
}

static int check_evictor(const struct config *c, struct error *err) {
    char names[256] = "";
    struct guess guess;
    if (evictor_find(c->uvm_evict))
        return 0;
    guess_begin(&guess, c->uvm_evict);
    for (size_t i = 0; evictors[i]; i++)
        add_name(names, sizeof names, evictors[i]->name, &guess);
    return error_set(err, "uvm.evict=%s is not one of %s%s", c->uvm_evict, names,
                     guess_hint(&guess));
}

static int check_prefetcher(const struct config *c, const char *key, const char *name,
                            struct error *err) {
    char names[256] = "";
    struct guess guess;
    const struct prefetcher *p = prefetcher_find(name);
    if (p && p->one_fault && c->uvm_service == SERVICE_SET)
        return error_set(err, "uvm.%s=%s needs uvm.service=each or serial, not set", key, name);
    if (p)
        return 0;
    guess_begin(&guess, name);
    for (size_t i = 0; prefetchers[i]; i++)
        add_name(names, sizeof names, prefetchers[i]->name, &guess);
    return error_set(err, "uvm.%s=%s is not one of %s%s", key, name, names, guess_hint(&guess));
}

static bool evictor_needs(const struct config *c, unsigned need, char key[KEY_SIZE]) {
    const struct evictor *e = evictor_find(c->uvm_evict);
    snprintf(key, KEY_SIZE, "uvm.evict=%s", e->name);
    return (e->needs & need) != 0;
}

static bool prefetcher_needs(const struct config *c, unsigned need, char key[KEY_SIZE]) {
    const struct prefetcher *p = prefetcher_find(c->uvm_prefetch);
    bool first = (p->needs & need) != 0;
    if (!first)
        p = prefetcher_find(c->uvm_prefetch_full);
    snprintf(key, KEY_SIZE, "uvm.prefetch%s=%s", first ? "" : "_full", p->name);
    return (p->needs & need) != 0;
}

bool uvm_needs(const struct config *c, unsigned need, char key[KEY_SIZE]) {
    return evictor_needs(c, need, key) || prefetcher_needs(c, need, key);
}

/* If a chosen policy moves blocks, checks that uvm.memory_pages is a multiple of a block, and that
 * uvm.frame_unit, if not 1, is too. */
static int check_block(const struct config *c, struct error *err) {
    char key[KEY_SIZE];
    if (!uvm_needs(c, NEED_PAGE_BLOCKS, key))
        return 0;
    if (c->uvm_memory_pages % BLOCK_PAGES)
        return error_set(
            err, "%s needs uvm.memory_pages of whole blocks, a multiple of %d, not %" PRId64, key,
            BLOCK_PAGES, c->uvm_memory_pages);
    if (c->uvm_frame_unit > 1 && c->uvm_frame_unit % BLOCK_PAGES)
        return error_set(
            err, "%s needs uvm.frame_unit=1 or whole blocks, a multiple of %d, not %" PRId64, key,
            BLOCK_PAGES, c->uvm_frame_unit);
    return 0;
}

/* Checks that keys for the size of GPU memory and for prefetching are unset if all data are on the
 * GPU. */
static int check_memory(const struct config *c, struct error *err) {
    const char *but = c->uvm_mode == UVM_OFF    ? "uvm.mode=paged, not uvm.mode=off"
                      : c->uvm_mode == UVM_COPY ? "uvm.mode=paged, not uvm.mode=copy"
                      : c->uvm_resident         ? "uvm.resident=no"
                                                : NULL;
    if (c->uvm_memory_pages && c->uvm_memory_percent)
        return error_set(err,
                         "uvm.memory_pages=%" PRId64 " and uvm.memory_percent=%" PRId64
                         " both set the size of memory: one of them must be 0",
                         c->uvm_memory_pages, c->uvm_memory_percent);
    if (!but)
        return 0;
    if (c->uvm_resident && c->uvm_mode != UVM_PAGED)
        return error_set(err, "uvm.resident=yes needs %s", but);
    if (c->uvm_memory_pages)
        return error_set(err, "uvm.memory_pages=%" PRId64 " needs %s", c->uvm_memory_pages, but);
    if (c->uvm_memory_percent)
        return error_set(err, "uvm.memory_percent=%" PRId64 " needs %s", c->uvm_memory_percent,
                         but);
    char key[KEY_SIZE] = "uvm.user_prefetch=launch";
    if (c->uvm_user_prefetch == USER_PREFETCH_LAUNCH || prefetcher_needs(c, NEED_PAGING, key) ||
        evictor_needs(c, NEED_PAGING, key))
        return error_set(err, "%s needs %s", key, but);
    return 0;
}

/* Checks the keys of all policies, whether chosen or not. */
static int check_policies(const struct config *c, struct error *err) {
    for (size_t i = 0; evictors[i]; i++)
        if (evictors[i]->check && evictors[i]->check(c, err))
            return -1;
    for (size_t i = 0; prefetchers[i]; i++)
        if (prefetchers[i]->check && prefetchers[i]->check(c, err))
            return -1;
    return 0;
}

int uvm_check(const struct config *c, struct error *err) {
    if (check_evictor(c, err) || check_prefetcher(c, "prefetch", c->uvm_prefetch, err) ||
        check_prefetcher(c, "prefetch_full", c->uvm_prefetch_full, err) || check_memory(c, err) ||
        check_block(c, err) || check_policies(c, err))
        return -1;
    if (c->uvm_mode != UVM_OFF && c->pcie_model == PCIE_CURVE && c->pcie_gbps != 16 &&
        c->pcie_gbps != 32 && c->pcie_gbps != 64)
        return error_set(err, "pcie.model=curve needs pcie.gbps=16, 32 or 64, not %" PRId64,
                         c->pcie_gbps);
    return 0;
}

bool uvm_two_pass(const struct config *c) {
    char key[KEY_SIZE];
    return c->uvm_mode == UVM_PAGED && uvm_needs(c, NEED_FIRST_PASS, key);
}
