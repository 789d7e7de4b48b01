// SPDX-License-Identifier: Apache-2.0
/* Checks relations between the keys of the L2. */
#include <inttypes.h>

#include "cache/cache_check.h"
#include "cart/cart.h"
#include "dram/layout.h"
#include "l2/l2.h"
#include "lib/bits.h"
#include "policy/policies.h"

static int check_map(const struct config *cfg, struct error *err) {
    if (!bits_power_of_two((uint64_t)cfg->l2_banks))
        return error_set(err, "l2.banks=%" PRId64 " is not a power of two", cfg->l2_banks);
    const enum partition_map map = (enum partition_map)cfg->l2_partition_map;
    const char *needs = addr_map_needs(map, (uint32_t)cfg->l2_partitions);
    char name[CONFIG_STR_SIZE];
    config_value(cfg, "l2", "partition_map", name, sizeof name);
    if (needs)
        return error_set(err, "l2.partition_map=%s needs %s, not l2.partitions=%" PRId64, name,
                         needs, cfg->l2_partitions);
    if ((map == PARTITION_XOR || map == PARTITION_RANDOM) &&
        !bits_power_of_two((uint64_t)cfg->l2_interleave_lines))
        return error_set(err,
                         "l2.partition_map=%s needs a power of two, not "
                         "l2.interleave_lines=%" PRId64,
                         name, cfg->l2_interleave_lines);
    return 0;
}

static int check_model(const struct config *cfg, struct error *err) {
    char value[CONFIG_STR_SIZE];
    if (cfg->l2_model == MODEL_SIMPLE)
        return 0;
    if (cfg->l2_write != L2_WBWA) {
        config_value(cfg, "l2", "write", value, sizeof value);
        return error_set(err, "l2.model=gpgpusim needs l2.write=wbwa, not %s", value);
    }
    if (cfg->l2_allocate != ALLOCATE_MISS) {
        config_value(cfg, "l2", "allocate", value, sizeof value);
        return error_set(err, "l2.model=gpgpusim needs l2.allocate=miss, not %s", value);
    }
    if (l2_in_by_sector(cfg) && cfg->l2_in_queue < LINE_SECTORS)
        return error_set(err,
                         "l2.model=gpgpusim needs entries for the 4 sectors of a line, not "
                         "l2.in_queue=%" PRId64,
                         cfg->l2_in_queue);
    return 0;
}

/* Checks that the evict buffer has room for what one store miss may write: its victim's bytes,
 * those of its own granule (allocate=fill), and with `both` the store. */
static int check_writes(const struct config *cfg, struct error *err) {
    const bool fill = cfg->l2_allocate == ALLOCATE_FILL;
    const int64_t entries = 1 + fill + (cfg->l2_write_fetch == WRITE_BOTH);
    char value[CONFIG_STR_SIZE];
    if (cfg->l2_write_fetch == WRITE_FETCH)
        return 0;
    config_value(cfg, "l2", "write_fetch", value, sizeof value);
    if (cfg->l2_write != L2_WBWA)
        return error_set(err,
                         "l2.write_fetch=%s needs l2.write=wbwa: the other write policies "
                         "allocate no way to a store",
                         value);
    if (cfg->l2_evict_buffer < entries)
        return error_set(err,
                         "l2.write_fetch=%s with l2.allocate=%s needs %" PRId64
                         " entries, not l2.evict_buffer=%" PRId64,
                         value, fill ? "fill" : "miss", entries, cfg->l2_evict_buffer);
    return 0;
}

/* Checks that a whole line is in one DRAM bank, for buffers that sort requests by DRAM bank. */
static int check_bank_bits(const struct config *cfg, struct error *err) {
    struct dram_layout layout;
    dram_layout_parse(&layout, cfg->dram_address_map, (uint32_t)cfg->dram_atom_bytes,
                      (uint32_t)cfg->dram_banks, err); /* checked by dram_check() */
    uint64_t bank = dram_layout_bank_mask(&layout), col = dram_layout_col_mask(&layout);
    const char *which = cfg->l2_incoming == INCOMING_CART ? "cart" : "bank_queues";
    if (cfg->dram_banks < 2)
        return error_set(err, "l2.incoming=%s needs more than one bank, not dram.banks=1", which);
    if (bank % LINE_BYTES || bank / LINE_BYTES > INT32_MAX)
        return error_set(err,
                         "l2.incoming=%s needs all B bits among the address bits 7 to 37, not "
                         "dram.address_map=%s",
                         which, cfg->dram_address_map);
    if (cfg->l2_incoming == INCOMING_CART && (col < LINE_BYTES || col / LINE_BYTES > INT32_MAX))
        return error_set(err,
                         "l2.incoming=cart needs a C bit among the address bits 7 to 37, and no C "
                         "bit above them, not dram.address_map=%s",
                         cfg->dram_address_map);
    return 0;
}

/* Checks that a column of several lines is smaller than a row. */
static int check_cart_columns(const struct config *cfg, struct error *err) {
    struct dram_layout layout;
    dram_layout_parse(&layout, cfg->dram_address_map, (uint32_t)cfg->dram_atom_bytes,
                      (uint32_t)cfg->dram_banks, err); /* checked by dram_check() */
    uint64_t lines = (uint64_t)cfg->l2_cart_column_lines;
    uint64_t row_lines = UINT64_C(1) << bits_count(dram_layout_col_mask(&layout) / LINE_BYTES);
    if (!bits_power_of_two(lines))
        return error_set(err, "l2.cart_column_lines=%" PRIu64 " is not a power of two", lines);
    if (lines >= row_lines)
        return error_set(err,
                         "l2.cart_column_lines=%" PRIu64 " must be a power of two up to %" PRIu64
                         ", half the lines of a row in dram.address_map=%s",
                         lines, row_lines / 2, cfg->dram_address_map);
    return 0;
}

static int check_cart(const struct config *cfg, struct error *err) {
    if (cfg->l2_cart_age_limit && cfg->l2_cart_policy != CART_ROTATING)
        return error_set(err, "l2.cart_age_limit=%" PRId64 " needs l2.cart_policy=rotating",
                         cfg->l2_cart_age_limit);
    return check_cart_columns(cfg, err);
}

static int check_incoming(const struct config *cfg, struct error *err) {
    if (cfg->l2_incoming != INCOMING_BANK_QUEUES && cfg->l2_incoming != INCOMING_CART)
        return 0;
    if (check_bank_bits(cfg, err))
        return -1;
    if (cfg->l2_incoming == INCOMING_CART)
        return check_cart(cfg, err);
    if (!bits_power_of_two((uint64_t)cfg->l2_bank_queues) || cfg->l2_bank_queues > cfg->dram_banks)
        return error_set(err,
                         "l2.bank_queues=%" PRId64
                         " must be a power of two and at most dram.banks=%" PRId64,
                         cfg->l2_bank_queues, cfg->dram_banks);
    return 0;
}

/* Checks the keys for MSHRs with a two-cycle lookup, in which the request being looked up has
 * already left the incoming buffer. */
static int check_lookup(const struct config *cfg, struct error *err) {
    bool split = cfg->l2_mshr == MSHR_KIND_DL && cfg->l2_dl_pools == MSHR_POOLS_SPLIT;
    bool looks = split || (cfg->l2_mshr == MSHR_KIND_STATIC && cfg->l2_mshr_lookup == 2);
    const char *why = split ? "dl_pools=split" : "mshr_lookup=2";
    if (looks && cfg->l2_incoming == INCOMING_NONBLOCKING)
        return error_set(err, "l2.%s cannot be used with l2.incoming=nonblocking", why);
    if (looks && cfg->l2_incoming != INCOMING_FIFO && !cfg->l2_incoming_hold)
        return error_set(err, "l2.%s needs l2.incoming_hold=yes", why);
    return 0;
}

int l2_check(const struct config *cfg, struct error *err) {
    const struct cache_keys keys = CACHE_KEYS_OF(cfg, l2);
    return check_map(cfg, err) || cache_check(&keys, err) || check_model(cfg, err) ||
                   check_writes(cfg, err) || check_incoming(cfg, err) || check_lookup(cfg, err) ||
                   l2_check_policies(cfg, err)
               ? -1
               : 0;
}
