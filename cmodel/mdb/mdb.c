// SPDX-License-Identifier: Apache-2.0
#include "mdb/mdb.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cache/addr_map.h"
#include "lib/bits.h"

#define MAX_WAYS 16
#define MAX_RATIO 128 /* maximum number of sets per sampled set, the weight of a hit */

/* ---- configuration ---- */

static const char *const scheme_name[] = {
    [BYPASS_STATIC] = "static",
    [BYPASS_MDB_LOCAL] = "mdb_local",
    [BYPASS_MDB_GLOBAL] = "mdb_global",
};

static bool has_block(const struct config *cfg) {
    return cfg->l1d_bypass == BYPASS_MDB_LOCAL || cfg->l1d_bypass == BYPASS_MDB_GLOBAL;
}

/* Checks the properties that a shadow array shares with the L1D: lines, sets and ways. */
static int check_shape(const struct config *cfg, const char *name, struct error *err) {
    if (cfg->sm_coalesce == COALESCE_SECTOR)
        error_set(err, "l1d.bypass=%s needs sm.coalesce=line or segment, not sector", name);
    else if (cfg->l1d_ways > MAX_WAYS)
        error_set(err, "l1d.bypass=%s needs at most %d ways per set, not l1d.ways=%" PRId64, name,
                  MAX_WAYS, cfg->l1d_ways);
    else if (!bits_power_of_two((uint64_t)cfg->l1d_sets))
        error_set(err, "l1d.bypass=%s needs a power-of-two number of sets, not l1d.sets=%" PRId64,
                  name, cfg->l1d_sets);
    else
        return 0;
    return -1;
}

/* Checks the set index. A shadow array stores a line number without the bits of its set number. */
static int check_index(const struct config *cfg, const char *name, struct error *err) {
    char index[CONFIG_STR_SIZE];
    if (set_index_is_exact((enum set_index)cfg->l1d_set_index))
        return 0;
    config_value(cfg, "l1d", "set_index", index, sizeof index);
    return error_set(err,
                     "l1d.bypass=%s needs a set index that with the tag determines the line, not "
                     "l1d.set_index=%s",
                     name, index);
}

static int check_sampling(const struct config *cfg, const char *name, struct error *err) {
    int64_t sets = cfg->l1d_sets, sampled = cfg->l1d_mdb_sampled_sets;
    if (!bits_power_of_two((uint64_t)sampled))
        error_set(err, "l1d.mdb_sampled_sets=%" PRId64 " is not a power of two", sampled);
    else if (sampled > sets)
        error_set(err, "l1d.mdb_sampled_sets=%" PRId64 " is above l1d.sets=%" PRId64, sampled,
                  sets);
    else if (cfg->l1d_mdb_scale && sets / sampled > MAX_RATIO)
        error_set(err,
                  "l1d.mdb_scale=yes needs at least one sampled set in %d, not "
                  "l1d.mdb_sampled_sets=%" PRId64 " of l1d.sets=%" PRId64,
                  MAX_RATIO, sampled, sets);
    else if (cfg->l1d_mdb_interval < cfg->l1d_mdb_calculators + 4)
        error_set(err,
                  "l1d.bypass=%s needs l1d.mdb_interval of at least l1d.mdb_calculators + 4, not "
                  "%" PRId64 " and %" PRId64,
                  name, cfg->l1d_mdb_interval, cfg->l1d_mdb_calculators);
    else
        return 0;
    return -1;
}

int mdb_check(const struct config *cfg, struct error *err) {
    if (cfg->l1d_bypass != BYPASS_STATIC && !has_block(cfg))
        return 0;
    const char *name = scheme_name[cfg->l1d_bypass];
    if (!cfg->l1d_enabled)
        return error_set(err, "l1d.bypass=%s needs l1d.enabled=yes, not no", name);
    if (!has_block(cfg))
        return 0;
    return check_shape(cfg, name, err) || check_index(cfg, name, err) ||
                   check_sampling(cfg, name, err)
               ? -1
               : 0;
}

/* Widths in bits of a stored tag, and of the hit and failure counters. */
enum { TAG_BITS = 32, HIT_BITS = 10, FAIL_BITS = 12 };

/* Returns log2 of a power of two. */
static int64_t log2_of(int64_t x) {
    return bits_lowest((uint64_t)x);
}

/* Returns the width in bits of a user's number, which is a CTA slot or the index of a warp in
 * its CTA. */
static int64_t user_bits(const struct config *cfg) {
    int64_t most = cfg->sm_warps > cfg->sm_ctas ? cfg->sm_warps : cfg->sm_ctas;
    return most > 2 ? log2_of((int64_t)bits_round_up((uint64_t)most)) : 1;
}

struct block_params mdb_params(const struct config *cfg) {
    struct block_params p;
    int64_t tag = ADDR_LINE_BITS - log2_of(cfg->l1d_sets);
    block_params_default(&bpg_type, &p);
    p.v[BPG_ADDR_W] = ADDR_LINE_BITS;
    p.v[BPG_ID_W] = user_bits(cfg);
    p.v[BPG_SETS] = cfg->l1d_sets;
    p.v[BPG_WAYS] = cfg->l1d_ways;
    p.v[BPG_INDEX] = cfg->l1d_set_index;
    p.v[BPG_SAMPLED] = cfg->l1d_mdb_sampled_sets;
    p.v[BPG_TAG_W] = TAG_BITS < tag ? TAG_BITS : tag;
    p.v[BPG_CALCULATORS] = cfg->l1d_mdb_calculators;
    p.v[BPG_INTERVAL] = cfg->l1d_mdb_interval;
    p.v[BPG_HIT_W] = HIT_BITS;
    p.v[BPG_FAIL_W] = FAIL_BITS;
    p.v[BPG_HIT_SCALE] =
        cfg->l1d_mdb_scale ? log2_of(cfg->l1d_sets / cfg->l1d_mdb_sampled_sets) : 0;
    return p;
}

/* ---- creation and destruction ---- */

int mdb_init(struct mdb *m, struct block_list *blocks, const struct config *cfg, uint32_t sm,
             struct error *err) {
    memset(m, 0, sizeof *m);
    if (cfg->l1d_bypass == BYPASS_STATIC) {
        m->scheme = BYPASS_STATIC;
        m->limit = (uint32_t)cfg->l1d_cache_users;
        m->all = UINT32_MAX;
    }
    if (!has_block(cfg))
        return 0;
    m->scheme = (uint8_t)cfg->l1d_bypass;
    m->limit = m->all = m->entry = (uint32_t)cfg->l1d_mdb_calculators;
    m->once = cfg->l1d_mdb_failures == FAILURES_ACCESSES;
    if (m->scheme == BYPASS_MDB_GLOBAL && sm != 0)
        return 0;
    const struct block_params p = mdb_params(cfg);
    char name[BLOCK_NAME_MAX];
    snprintf(name, sizeof name, "l1d.%u.bpg", (unsigned)sm);
    return block_part_init(&m->block, blocks, &bpg_type, &p, name, err);
}

void mdb_free(struct mdb *m) {
    block_part_free(&m->block);
}

/* ---- launches ---- */

struct mdb_users mdb_users_of(const struct config *cfg, const struct kernel_launch *launch,
                              uint32_t fit, uint32_t warps) {
    uint64_t grid = (uint64_t)launch->grid[0] * launch->grid[1] * launch->grid[2];
    uint64_t share = grid / (uint64_t)cfg->sm_count;
    uint32_t ctas = share < fit ? (uint32_t)share : fit;
    if (ctas < 2)
        return (struct mdb_users){false, warps};
    return (struct mdb_users){true, ctas};
}

void mdb_launch(struct mdb *m, const struct mdb_users *users) {
    m->users = *users;
    if (m->bus)
        *m->bus = (struct mdb_bus){m->all, m->all, 0};
    if (!m->block.inst.type)
        return;
    m->in.launch = 1;
    m->entry = 0;
    m->busy = true;
}

/* ---- a cycle ---- */

/* Sends the next entry of the table of cubes to the block. */
static void write_entry(struct mdb *m) {
    m->in.cube_valid = m->entry < m->all;
    if (!m->in.cube_valid)
        return;
    m->in.cube_index = m->entry++;
    m->in.cube_value = bpg_cube(m->entry, m->users.n);
}

/* Publishes a decision, which the other SMs see from the next cycle on. */
static void publish(struct mdb_bus *bus, uint32_t lmax, uint64_t cycle) {
    if (lmax != bus->lmax)
        *bus = (struct mdb_bus){lmax, bus->lmax, cycle + 1};
}

static void decided(struct mdb *m, struct stats *s) {
    stat_add(s, STAT_mdb_decisions, 1);
    stat_add(s, STAT_mdb_lmax_sum, m->out.lmax);
    hist_exact_add(s, HIST_mdb_lmax, m->out.lmax);
}

/* Takes the block's outputs. Ignores them if they are not valid, which is the case in reset. */
static void take_outputs(struct mdb *m, struct stats *s, bool valid, uint64_t cycle) {
    m->limit = valid ? (uint32_t)m->out.lmax : m->all;
    m->past = valid && m->out.ask_past;
    if (m->out.update && valid)
        decided(m, s);
    if (m->bus)
        publish(m->bus, m->limit, cycle);
}

static void ask_block(struct mdb *m, struct stats *s, bool access, uint8_t user, uint64_t cycle) {
    write_entry(m);
    m->in.ask_id = user;
    bool valid = block_part_eval(&m->block, &m->in, &m->out, access || m->busy);
    if (m->block.steps)
        take_outputs(m, s, valid && !m->in.launch, cycle);
}

void mdb_ask(struct mdb *m, struct stats *s, bool access, uint8_t user, uint64_t cycle) {
    m->refused = false;
    if (m->block.inst.type) {
        ask_block(m, s, access, user, cycle);
        return;
    }
    if (m->bus)
        m->limit = cycle < m->bus->since ? m->bus->before : m->bus->lmax;
    m->past = m->limit < m->all && user >= m->limit;
}

void mdb_taken(struct mdb *m, struct stats *s, enum bpg_op op, uint64_t line) {
    m->counted = false;
    if (!m->block.inst.type)
        return;
    m->in.acc_valid = 1;
    m->in.acc_op = op;
    m->in.acc_addr = line;
    m->in.acc_id = m->in.ask_id;
    stat_add(s, STAT_mdb_accesses, 1);
}

void mdb_refused(struct mdb *m, struct stats *s) {
    if (!m->block.inst.type || m->counted)
        return;
    m->in.fail = 1;
    m->counted = m->once;
    m->refused = !m->once;
    stat_add(s, STAT_mdb_failures, 1);
}

void mdb_tick(struct mdb *m) {
    struct bpg_in *in = &m->in;
    if (!block_part_tick(&m->block, in))
        return;
    in->launch = in->cube_valid = in->acc_valid = in->fail = 0;
    m->busy = m->entry < m->all || bpg_next_event(m->block.inst.model) == 0;
}

void mdb_advance(struct mdb *m, struct stats *s, uint64_t cycles) {
    stat_add(s, STAT_mdb_failures, cycles);
    bpg_advance(m->block.inst.model, cycles, true);
}

void mdb_dump(const struct mdb *m, uint32_t sm, FILE *out) {
    const char *unit = m->users.ctas ? "CTAs" : "warps of a CTA";
    if (!mdb_on(m))
        return;
    if (!m->limit)
        fprintf(out, "l1d.%u is used by none of %u %s\n", (unsigned)sm, (unsigned)m->users.n, unit);
    else if (m->limit >= m->all || m->limit >= m->users.n)
        fprintf(out, "l1d.%u is used by all %s (%u)\n", (unsigned)sm, unit, (unsigned)m->users.n);
    else
        fprintf(out, "l1d.%u is used by %s 0 to %u of %u\n", (unsigned)sm, unit,
                (unsigned)m->limit - 1, (unsigned)m->users.n);
}
