// SPDX-License-Identifier: Apache-2.0
/* Relations between the keys of unified memory. */
#include <inttypes.h>
#include <string.h>

#include "evict/ture.h"
#include "lease/lease.h"
#include "lib/guess.h"
#include "prefetch/cap.h"
#include "uvm/inside.h"

/* Appends a name to a list of them. */
static void add_name(char *list, size_t size, const char *name, struct guess *guess) {
    guess_try(guess, name, strlen(name));
    size_t used = strlen(list);
    snprintf(list + used, size - used, "%s%s", used ? ", " : "", name);
}

static int check_evictor(const struct config *c, char *err, size_t err_size) {
    char names[256] = "";
    struct guess guess;
    if (evictor_find(c->uvm_evict))
        return 0;
    guess_begin(&guess, c->uvm_evict);
    for (size_t i = 0; evictors[i]; i++)
        add_name(names, sizeof names, evictors[i]->name, &guess);
    return config_refuse(err, err_size, "uvm.evict=%s is not one of %s%s", c->uvm_evict, names,
                         guess_hint(&guess));
}

static int check_prefetcher(const char *key, const char *name, char *err, size_t err_size) {
    char names[256] = "";
    struct guess guess;
    if (prefetcher_find(name))
        return 0;
    guess_begin(&guess, name);
    for (size_t i = 0; prefetchers[i]; i++)
        add_name(names, sizeof names, prefetchers[i]->name, &guess);
    return config_refuse(err, err_size, "uvm.%s=%s is not one of %s%s", key, name, names,
                         guess_hint(&guess));
}

/* Keys of the size of GPU memory and of prefetching mean nothing while all data are there. */
static int check_memory(const struct config *c, char *err, size_t err_size) {
    const char *mode = c->uvm_mode == UVM_OFF ? "off" : "copy";
    if (c->uvm_mode == UVM_PAGED)
        return 0;
    if (c->uvm_memory_pages)
        return config_refuse(err, err_size,
                             "uvm.memory_pages=%" PRId64 " needs uvm.mode=paged, not uvm.mode=%s",
                             c->uvm_memory_pages, mode);
    if (c->uvm_memory_percent)
        return config_refuse(err, err_size,
                             "uvm.memory_percent=%" PRId64 " needs uvm.mode=paged, not uvm.mode=%s",
                             c->uvm_memory_percent, mode);
    if (c->uvm_user_prefetch == USER_PREFETCH_LAUNCH)
        return config_refuse(
            err, err_size, "uvm.user_prefetch=launch needs uvm.mode=paged, not uvm.mode=%s", mode);
    return 0;
}

static int check_hpe(const struct config *c, char *err, size_t err_size) {
    if (!bits_power_of_two((uint64_t)c->hpe_set_pages))
        return config_refuse(err, err_size, "hpe.set_pages=%" PRId64 " is no power of two",
                             c->hpe_set_pages);
    if (!bits_power_of_two((uint64_t)c->hir_sets))
        return config_refuse(err, err_size, "hir.sets=%" PRId64 " is no power of two", c->hir_sets);
    if (c->hpe_set_pages * c->hir_count_bits > 64)
        return config_refuse(err, err_size,
                             "hpe.set_pages=%" PRId64 " counters of hir.count_bits=%" PRId64
                             " are more than 64 bits",
                             c->hpe_set_pages, c->hir_count_bits);
    return 0;
}

/* The driver asks cap for each fault; a transfer set is as large as uvm.set_pages. */
static int check_cap(const struct config *c, char *err, size_t err_size) {
    bool cap = prefetcher_find(c->uvm_prefetch) == &prefetcher_cap ||
               prefetcher_find(c->uvm_prefetch_full) == &prefetcher_cap;
    if (!bits_power_of_two((uint64_t)c->cap_over_kib))
        return config_refuse(err, err_size,
                             "cap.over_kib=%" PRId64 " is not 64 times a power of two",
                             c->cap_over_kib);
    if (cap && c->uvm_service == SERVICE_SET)
        return config_refuse(err, err_size,
                             "uvm.prefetch=%s, uvm.prefetch_full=%s: cap needs uvm.service=each or "
                             "serial, not set",
                             c->uvm_prefetch, c->uvm_prefetch_full);
    return 0;
}

static int check_ture(const struct config *c, char *err, size_t err_size) {
    struct block_params p = ture_lease_params(c);
    p.v[LEASE_LANES] = 1; /* lanes have a message of their own */
    const int64_t most = LEASE_MAX_LANES;
    if (lease_type.illegal(&p))
        return config_refuse(
            err, err_size,
            "ture.period=%" PRId64 " is too short: from the end of ture.duty=%" PRId64
            " on, lease has to work out the leases of ture.entries=%" PRId64 " entries",
            c->ture_period, c->ture_duty, c->ture_entries);
    if (evictor_find(c->uvm_evict) == &evictor_ture && c->ture_count == TURE_COUNT_ACCESSES &&
        c->sm_count > most)
        return config_refuse(err, err_size,
                             "ture.count=accesses is for %" PRId64
                             " SMs at most, not sm.count=%" PRId64,
                             most, c->sm_count);
    return 0;
}

int uvm_check(const struct config *c, char *err, size_t err_size) {
    if (check_evictor(c, err, err_size) ||
        check_prefetcher("prefetch", c->uvm_prefetch, err, err_size) ||
        check_prefetcher("prefetch_full", c->uvm_prefetch_full, err, err_size) ||
        check_memory(c, err, err_size) || check_hpe(c, err, err_size) ||
        check_cap(c, err, err_size) || check_ture(c, err, err_size))
        return -1;
    if (c->uvm_mode != UVM_OFF && c->pcie_model == PCIE_CURVE && c->pcie_gbps != 16 &&
        c->pcie_gbps != 32 && c->pcie_gbps != 64)
        return config_refuse(err, err_size,
                             "pcie.model=curve needs pcie.gbps=16, 32 or 64, not %" PRId64,
                             c->pcie_gbps);
    return 0;
}

bool uvm_two_pass(const struct config *c) {
    return c->uvm_mode == UVM_PAGED &&
           (evictor_find(c->uvm_evict)->two_pass || prefetcher_find(c->uvm_prefetch)->two_pass ||
            prefetcher_find(c->uvm_prefetch_full)->two_pass);
}
