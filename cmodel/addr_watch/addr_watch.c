// SPDX-License-Identifier: Apache-2.0
#include "addr_watch/addr_watch.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "addr_hash/addr_hash_ports.h"
#include "cache/lines.h"
#include "lib/alloc.h"
#include "lib/bits.h"
#include "lib/hash.h"

#define MIN_LINES 256

/* ---- configuration ---- */

static uint64_t value_max(enum addr_hash_param i) {
    return (uint64_t)addr_hash_type.params[i].max;
}

/* Checks the block's limits. The set-index function and the map have already been checked. Returns
 * 0, or -1 with one line in err. */
static int check_block(const struct config *cfg, struct error *err) {
    if (!cfg->l1d_enabled)
        return error_set(err, "sim.check_hash=yes needs l1d.enabled=yes, not no");
    if (!bits_power_of_two((uint64_t)cfg->l1d_sets))
        return error_set(
            err, "sim.check_hash=yes needs a power-of-two number of sets, not l1d.sets=%" PRId64,
            cfg->l1d_sets);
    if (cfg->l2_partition_map > PARTITION_IPOLY) {
        char map[CONFIG_STR_SIZE];
        config_value(cfg, "l2", "partition_map", map, sizeof map);
        return error_set(
            err, "sim.check_hash=yes needs a map with Verilog, not l2.partition_map=%s", map);
    }
    if (cfg->l2_partitions > (int64_t)value_max(ADDR_HASH_PARTITIONS))
        return error_set(err,
                         "sim.check_hash=yes needs %" PRIu64
                         " partitions at most, not l2.partitions=%" PRId64,
                         value_max(ADDR_HASH_PARTITIONS), cfg->l2_partitions);
    if (!bits_power_of_two((uint64_t)cfg->l2_interleave_lines))
        return error_set(
            err, "sim.check_hash=yes needs a power of two, not l2.interleave_lines=%" PRId64,
            cfg->l2_interleave_lines);
    return 0;
}

int addr_watch_check(const struct config *cfg, struct error *err) {
    return cfg->sim_check_hash ? check_block(cfg, err) : 0;
}

/* True if the block needs a second cycle, for a division by a number that is not a power of two. */
static bool divides(const struct config *cfg) {
    switch (cfg->l1d_set_index) {
    case SET_PMOD:
    case SET_A_PRIME:
        return true;
    default:
        break;
    }
    switch (cfg->l2_partition_map) {
    case PARTITION_PRIME:
    case PARTITION_A_PRIME:
        return true;
    default:
        return !bits_power_of_two((uint64_t)cfg->l2_partitions);
    }
}

bool addr_watch_params(const struct config *cfg, struct block_params *p) {
    if (check_block(cfg, NULL) != 0)
        return false;
    block_params_default(&addr_hash_type, p);
    p->v[ADDR_HASH_ADDR_W] = ADDR_LINE_BITS;
    p->v[ADDR_HASH_SETS] = cfg->l1d_sets;
    p->v[ADDR_HASH_INDEX] = cfg->l1d_set_index;
    p->v[ADDR_HASH_PARTITIONS] = cfg->l2_partitions;
    p->v[ADDR_HASH_MAP] = cfg->l2_partition_map;
    p->v[ADDR_HASH_INTERLEAVE] = bits_lowest((uint64_t)cfg->l2_interleave_lines);
    p->v[ADDR_HASH_LATENCY] = divides(cfg) ? 2 : 1;
    return true;
}

/* ---- creation and destruction ---- */

int addr_watch_init(struct addr_watch *w, struct block_list *blocks, const struct config *cfg,
                    const struct addr_map *map, uint32_t sm, struct error *err) {
    struct block_params p;
    char name[BLOCK_NAME_MAX];
    *w = (struct addr_watch){.map = map, .sm = sm};
    if (!addr_watch_params(cfg, &p))
        return 0;
    w->latency = (uint32_t)p.v[ADDR_HASH_LATENCY];
    w->asked = w->busy = cfg->sim_check_hash != 0;
    /* The table is large enough that few lines waiting for the crossbar share a slot. */
    w->mask = (uint32_t)bits_round_up(8 * (uint64_t)cfg->l1d_miss_queue + MIN_LINES) - 1;
    snprintf(name, sizeof name, "sm.%u.hash", (unsigned)sm);
    return block_part_init(&w->block, blocks, &addr_hash_type, &p, name, err);
}

void addr_watch_free(struct addr_watch *w) {
    block_part_free(&w->block);
    free(w->lines);
}

/* ---- statistics ---- */

/* Counts a comparison if sim.check_hash=yes. An attached probe alone changes no statistic. */
static void count_faults(const struct addr_watch *w, struct stats *s, enum stat_id id) {
    if (w->asked)
        stat_add(s, id, 1);
}

/* ---- lines ---- */

/* Allocates the table of lines on first use. */
static void make_lines(struct addr_watch *w) {
    w->lines = alloc_array(w->mask + (size_t)1, sizeof *w->lines);
    for (uint32_t i = 0; i <= w->mask; i++)
        w->lines[i].line = LINE_NONE;
}

static struct addr_watch_line *entry_of(const struct addr_watch *w, uint64_t line) {
    return &w->lines[hash_top(line, 24) & w->mask];
}

/* ---- requests ---- */

static void compare_bank(const struct addr_watch *w, struct context *c, struct stats *s,
                         const struct addr_watch_line *l, uint32_t sent) {
    const uint32_t bank = addr_bank_in(w->map, l->partition, l->rest);
    count_faults(w, s, STAT_hash_requests);
    if (sent != bank)
        context_fail(c, CONTEXT_INTERNAL,
                     "SM %u: a request for line 0x%" PRIx64
                     " goes to L2 bank %u, which should be %u according to sm.%u.hash",
                     (unsigned)w->sm, l->line, (unsigned)sent, (unsigned)bank, (unsigned)w->sm);
}

__attribute__((noinline)) void addr_watch_request(struct addr_watch *w, struct context *c,
                                                  struct stats *s, uint64_t line, uint32_t bank) {
    struct addr_watch_line *l = w->lines ? entry_of(w, line) : NULL;
    if (!l || l->line != line)
        return; /* the line was never accessed, or another line has taken its slot */
    if (l->known)
        compare_bank(w, c, s, l, bank);
    else
        l->sent = bank;
}

__attribute__((noinline)) void addr_watch_reply(struct addr_watch *w, struct context *c,
                                                struct stats *s, uint64_t line,
                                                uint64_t dram_line) {
    const struct addr_watch_line *l = w->lines ? entry_of(w, line) : NULL;
    if (!l || l->line != line || !l->known)
        return;
    count_faults(w, s, STAT_hash_fetches);
    if (dram_line != l->rest)
        context_fail(c, CONTEXT_INTERNAL,
                     "SM %u: line 0x%" PRIx64 " was fetched from DRAM line 0x%" PRIx64
                     " of its partition, which should be 0x%" PRIx64 " according to sm.%u.hash",
                     (unsigned)w->sm, line, dram_line, l->rest, (unsigned)w->sm);
}

/* ---- accesses ---- */

static void compare_set(const struct addr_watch *w, struct context *c, struct stats *s,
                        const struct addr_watch_access *due, uint64_t set) {
    count_faults(w, s, STAT_hash_accesses);
    if (set != due->set)
        context_fail(c, CONTEXT_INTERNAL,
                     "SM %u: the L1D looks for line 0x%" PRIx64
                     " in set %u, which should be %u according to sm.%u.hash",
                     (unsigned)w->sm, due->line, (unsigned)due->set, (unsigned)set,
                     (unsigned)w->sm);
}

/* Records the block's outputs for a line, unless another line has taken its slot. If a request for
 * the line has already been sent, checks its L2 bank. */
static void hear_line(struct addr_watch *w, struct context *c, struct stats *s, uint64_t line,
                      const struct addr_hash_out *out) {
    struct addr_watch_line *l = entry_of(w, line);
    if (l->line != line)
        return;
    l->known = true;
    l->partition = (uint32_t)out->out_part;
    l->rest = out->out_rest;
    if (l->sent != ADDR_NO_BANK)
        compare_bank(w, c, s, l, l->sent);
    l->sent = ADDR_NO_BANK;
}

static void take_outputs(struct addr_watch *w, struct context *c, struct stats *s,
                         const struct addr_hash_out *out) {
    const struct addr_watch_access *due = &w->way[w->latency - 1];
    if (out->out_valid != due->valid) {
        context_fail(c, CONTEXT_INTERNAL, "SM %u: sm.%u.hash has out_valid=%u for %s",
                     (unsigned)w->sm, (unsigned)w->sm, (unsigned)out->out_valid,
                     due->valid ? "an access" : "none");
        return;
    }
    if (!due->valid)
        return;
    compare_set(w, c, s, due, out->out_set);
    hear_line(w, c, s, due->line, out);
}

/* Adds the line to the table if it is not there yet. A new line waits for the block's outputs. */
static void enter_line(struct addr_watch *w, uint64_t line) {
    struct addr_watch_line *l = entry_of(w, line);
    if (l->line != line)
        *l = (struct addr_watch_line){.line = line, .sent = ADDR_NO_BANK};
}

/* noinline: inlining would change the code that runs if the observer is off. */
__attribute__((noinline)) void addr_watch_tick(struct addr_watch *w, struct context *c,
                                               struct stats *s,
                                               const struct addr_watch_access *access) {
    struct addr_hash_in in = {0};
    struct addr_hash_out out;
    if (!w->lines)
        make_lines(w);
    const bool valid = block_part_eval(&w->block, &in, &out, access || w->busy);
    if (!w->block.steps)
        return;
    if (valid)
        take_outputs(w, c, s, &out);
    for (unsigned i = ADDR_HASH_MAX_LATENCY - 1; i > 0; i--)
        w->way[i] = w->way[i - 1];
    w->way[0] = (struct addr_watch_access){0};
    in.acc_valid = access && valid; /* inputs are ignored in reset */
    if (in.acc_valid) {
        w->way[0] = *access;
        in.acc_line = access->line;
        enter_line(w, access->line);
    }
    block_part_tick(&w->block, &in);
    w->busy = addr_hash_next_event(w->block.inst.model) == 0;
}
