// SPDX-License-Identifier: Apache-2.0
/* Tests the L1D alone under random accesses, in every combination of its policies, against an
 * exact memory. The bytes before FOREIGN_FROM of each line are used by this SM only, so a load must
 * return exactly the result of the earlier accesses. The other bytes belong to another SM, which
 * stores to the L2 during the run. A load of such bytes may return any value that they had. If the
 * load bypasses, it must not return a value that was replaced before the load was accepted. */
#include "l1d/l1d.h"
#include "gpu/gpu.h"
#include "check/check.h"
#include "tests/l1d/tick.h"
#include "tests/test.h"

enum { LINES = 24, IDS = 64, L2_MAX = 48, ACCESSES = 1500, KERNELS = 2, FOREIGN_FROM = 120 };
#define BASE_LINE UINT64_C(0x123456780)

/* A load, or an atomic with a result, that waits for its response. */
struct wait {
    struct request access;
    uint8_t want[LINE_BYTES]; /* expected bytes; values at the time of the access if foreign */
    uint32_t version;         /* version of the atomic */
    bool waiting;
};

struct l1d_bench {
    struct config cfg;
    struct context context;
    struct xbar req, reply;
    struct addr_map map;
    struct stats stats;
    struct l1d l1;
    uint64_t cycle, random;
    bool skip;                         /* true to skip ticks that l1d_next_event reports as idle */
    uint8_t memory[LINES][LINE_BYTES]; /* contents of the L2 */
    uint8_t expected[LINES][LINE_BYTES]; /* contents after all accesses so far */
    uint32_t at_l2[L2_MAX]; /* numbers of the requests at the L2, in order of arrival */
    uint32_t n_l2;
    struct wait wait[IDS];
    uint32_t n_waiting;
    uint64_t digest;  /* digest of all responses and their cycles */
    uint64_t skipped; /* number of skipped ticks */
};

static uint32_t draw(struct l1d_bench *b, uint32_t n) {
    b->random ^= b->random << 13;
    b->random ^= b->random >> 7;
    b->random ^= b->random << 17;
    return (uint32_t)(b->random >> 20) % n;
}

static uint32_t index_of(uint64_t line) {
    assert_in_range(line, BASE_LINE, BASE_LINE + LINES - 1);
    return (uint32_t)(line - BASE_LINE);
}

/* ---- an L2 of random speed, which reorders only requests for different lines ---- */

static bool first_of_line(const struct l1d_bench *b, uint32_t i) {
    const struct request_place *at = b->context.pool.place;
    for (uint32_t k = 0; k < i; k++)
        if (at[b->at_l2[k]].request.line == at[b->at_l2[i]].request.line)
            return false;
    return true;
}

static void serve(struct l1d_bench *b, uint32_t number) {
    struct request *p = request_at(&b->context.pool, number);
    uint8_t *data = request_data(&b->context.pool, number), *line = b->memory[index_of(p->line)];
    uint8_t old[LINE_BYTES];
    memcpy(old, line, sizeof old);
    if (request_writes(p))
        mask_copy(line, data, &p->mask);
    if (!request_writes(p) || p->result) {
        const struct byte_mask sectors = mask_of_sectors(mask_sector_bits(&p->mask));
        memset(data, 0xee, LINE_BYTES); /* value of bytes that were not requested */
        mask_copy(data, old, &sectors);
    }
    p->reply = true;
    xbar_push(&b->reply, 0, number, 0, 1, 1);
}

static void step_l2(struct l1d_bench *b) {
    uint32_t turn = draw(b, 3), i = draw(b, L2_MAX);
    if (turn && b->n_l2 && xbar_can_push(&b->reply, 0)) {
        i %= b->n_l2;
        while (!first_of_line(b, i))
            i--;
        uint32_t number = b->at_l2[i];
        memmove(&b->at_l2[i], &b->at_l2[i + 1], (--b->n_l2 - i) * sizeof b->at_l2[0]);
        serve(b, number);
    }
    if (b->n_l2 < L2_MAX && xbar_peek(&b->req, 0) != REQUEST_NONE)
        b->at_l2[b->n_l2++] = xbar_pop(&b->req, 0);
    uint8_t *foreign =
        &b->memory[draw(b, LINES)][FOREIGN_FROM + draw(b, LINE_BYTES - FOREIGN_FROM)];
    if (*foreign < 250 && draw(b, 8) == 0)
        ++*foreign;
}

/* ---- accesses ---- */

static struct byte_mask random_mask(struct l1d_bench *b, bool load) {
    unsigned sector = draw(b, 4), from = draw(b, LINE_BYTES), n = 1 + draw(b, LINE_BYTES);
    bool scattered = draw(b, 3) == 0, sectored = b->cfg.sm_coalesce == COALESCE_SECTOR;
    const struct byte_mask within = mask_of_sectors(sectored ? 1u << sector : SECTORS_ALL);
    struct byte_mask m = {{0, 0}};
    if (sectored)
        from = 32 * sector + from % 32;
    for (unsigned i = from; i < from + n && i < (load ? LINE_BYTES : FOREIGN_FROM); i++)
        if (mask_bit(&within, i) && !(scattered && draw(b, 2)))
            m.w[i / 64] |= UINT64_C(1) << i % 64;
    if (mask_none(&m))
        m.w[sector / 2] = UINT64_C(3) << 32 * (sector % 2);
    return m;
}

static uint32_t free_id(struct l1d_bench *b) {
    uint32_t id = draw(b, IDS);
    while (b->wait[id].waiting)
        id = (id + 1) % IDS;
    return id;
}

static struct request random_access(struct l1d_bench *b) {
    uint32_t kind = draw(b, 16), line = draw(b, LINES);
    struct request a = {.line = BASE_LINE + line};
    a.kind = kind < 8 ? REQUEST_LOAD : kind < 15 ? REQUEST_STORE : REQUEST_ATOMIC;
    /* even lines are local memory and odd lines global; one access in 20 states the opposite */
    a.local = a.kind != REQUEST_ATOMIC && (line % 2 == 0) != (draw(b, 20) == 0);
    a.bypass = draw(b, 10) == 0 && a.kind == REQUEST_LOAD;
    a.result = draw(b, 2) == 0 && a.kind == REQUEST_ATOMIC;
    a.mask = random_mask(b, a.kind == REQUEST_LOAD);
    if (a.kind == REQUEST_LOAD || a.result)
        a.origin.load = (uint16_t)free_id(b);
    return a;
}

/* Records an access that the L1D has accepted: the expected result of a load or an atomic, and the
 * new contents of the line after a store or an atomic. */
static void note(struct l1d_bench *b, const struct request *a) {
    uint8_t *line = b->expected[index_of(a->line)];
    if (a->kind == REQUEST_LOAD || a->result) {
        struct wait *w = &b->wait[a->origin.load];
        *w = (struct wait){.access = *a, .waiting = true};
        memcpy(w->want, line, FOREIGN_FROM);
        memcpy(w->want + FOREIGN_FROM, b->memory[index_of(a->line)] + FOREIGN_FROM,
               LINE_BYTES - FOREIGN_FROM);
        w->version = a->kind == REQUEST_ATOMIC ? b->context.version : 0;
        b->n_waiting++;
    }
    if (a->kind != REQUEST_LOAD)
        check_stamp_line(line, a->line, &a->mask, b->context.version);
}

static void expect_byte(const struct l1d_bench *b, const struct wait *w, unsigned i, uint8_t got) {
    bool foreign = i >= FOREIGN_FROM;
    uint8_t now = b->memory[index_of(w->access.line)][i];
    if (foreign ? got <= now && (!w->access.bypass || got >= w->want[i]) : got == w->want[i])
        return;
    fail_msg("write %d fill %d sectored %d bypass %d, %dx%d: cycle %llu, id %u, kind %u%s, line "
             "%u, byte %u: got %02x, not %02x",
             (int)b->cfg.l1d_write, (int)b->cfg.l1d_allocate, (int)b->cfg.sm_coalesce,
             (int)b->cfg.l1d_bypass, (int)b->cfg.l1d_sets, (int)b->cfg.l1d_ways,
             (unsigned long long)b->cycle, (unsigned)w->access.origin.load,
             (unsigned)w->access.kind, w->access.bypass ? " skip" : "",
             (unsigned)index_of(w->access.line), i, got, w->want[i]);
}

static void take_response(struct l1d_bench *b) {
    const uint32_t number = l1d_response(&b->l1);
    if (draw(b, 4) == 0 || number == REQUEST_NONE)
        return;
    const struct request *r = request_at(&b->context.pool, number);
    const uint8_t *data = request_data(&b->context.pool, number);
    const uint32_t id = r->origin.load;
    assert_true(id < IDS);
    struct wait *w = &b->wait[id];
    assert_true(w->waiting);
    assert_int_equal(r->line, w->access.line);
    assert_int_equal(mask_first(&r->mask), mask_first(&w->access.mask));
    assert_int_equal(r->version, w->version);
    for (unsigned i = 0; i < LINE_BYTES; i++)
        if (mask_bit(&w->access.mask, i))
            expect_byte(b, w, i, data[i]);
    b->digest = (b->digest ^ id ^ b->cycle << 8) * UINT64_C(0x9e3779b97f4a7c15);
    w->waiting = false;
    b->n_waiting--;
    l1d_take_response(&b->l1);
}

/* Runs one SM cycle in which access `a`, if not NULL, is offered. Returns true if it was
 * accepted. */
static bool step(struct l1d_bench *b, const struct request *a) {
    b->context.now++;
    if (draw(b, 3))
        xbar_tick(&b->req);
    xbar_tick(&b->reply);
    step_l2(b);
    take_response(b);
    bool taken = false;
    if (a || !b->skip || l1d_next_event(&b->l1, NULL, b->cycle) <= b->cycle)
        taken = tick_l1d(&b->l1, a, b->cycle);
    else
        b->skipped++;
    if (taken)
        note(b, a);
    b->cycle++;
    return taken;
}

/* ---- a run ---- */

static void make(struct l1d_bench *b, const struct config *cfg, uint64_t seed, bool skip) {
    const struct xbar_size to = {1, 1, 2, 2, 1, 1, false, false, 1}, from = to;
    struct error err;
    memset(b, 0, sizeof *b);
    b->cfg = *cfg;
    assert_int_equal(gpu_check(&b->cfg, &err), 0);
    b->random = seed * UINT64_C(0x9e3779b97f4a7c15) | 1;
    b->skip = skip;
    b->map = (struct addr_map){.partitions = 1, .banks = 1, .interleave = 1};
    request_pool_init(&b->context.pool, 256);
    request_pool_carry(&b->context.pool, true);
    b->context.carry = true;
    xbar_init(&b->req, &b->context, &to);
    xbar_init(&b->reply, &b->context, &from);
    const struct l1d_ports ports = {.req = &b->req, .reply = &b->reply, .map = &b->map};
    assert_int_equal(l1d_init(&b->l1, &b->cfg, &b->context, &ports, &b->stats, 0, &err), 0);
    l1d_carry(&b->l1, true);
}

static void destroy(struct l1d_bench *b) {
    l1d_free(&b->l1);
    xbar_free(&b->req);
    xbar_free(&b->reply);
    request_pool_free(&b->context.pool);
}

static void access_all(struct l1d_bench *b) {
    for (uint32_t n = 0; n < ACCESSES; n++) {
        const struct request a = random_access(b);
        for (uint32_t tries = 0; !step(b, &a); tries++)
            if (tries > 2000)
                fail_msg("an access to line %u is never taken", (unsigned)index_of(a.line));
        while (b->n_waiting == IDS || draw(b, 4) == 0)
            step(b, NULL);
    }
}

/* Writes back dirty lines. Then all queues must be empty, and the L2 must have all stored bytes. */
static void end_kernel(struct l1d_bench *b) {
    b->l1.flush = true;
    for (uint32_t n = 0; b->n_waiting || b->l1.stores_out || l1d_dirty(&b->l1); n++) {
        assert_true(n < 5000);
        step(b, NULL);
    }
    assert_int_equal(b->context.pool.in_use, 0);
    assert_int_equal(b->l1.bypassing.value, 0);
    assert_int_equal(b->l1.cache.misses.index.used, 0);
    for (uint32_t i = 0; i < LINES; i++)
        assert_memory_equal(b->memory[i], b->expected[i], FOREIGN_FROM);
    l1d_invalidate(&b->l1);
    b->l1.flush = false;
}

static void expect_sums(const struct l1d_bench *b) {
    const uint64_t *v = b->stats.v;
    assert_int_equal(b->context.fault, CONTEXT_OK);
    assert_int_equal(v[STAT_l1d_accesses], (uint64_t)ACCESSES * KERNELS);
    assert_int_equal(v[STAT_l1d_accesses], v[STAT_l1d_hits] + v[STAT_l1d_primary_misses] +
                                               v[STAT_l1d_secondary_misses] + v[STAT_l1d_bypasses] +
                                               v[STAT_l1d_stores] + v[STAT_l1d_atomics]);
    assert_int_equal(v[STAT_l1d_fills], v[STAT_l1d_primary_misses]);
    assert_int_equal(v[STAT_l1d_refusals],
                     v[STAT_l1d_refusals_entry_full] + v[STAT_l1d_refusals_merge_full] +
                         v[STAT_l1d_refusals_miss_queue] + v[STAT_l1d_refusals_no_way] +
                         v[STAT_l1d_refusals_response_queue] + v[STAT_l1d_refusals_order] +
                         v[STAT_l1d_refusals_bypass_limit] + v[STAT_l1d_refusals_bypass_queue]);
    bool back = b->cfg.l1d_write == L1D_WBWA || b->cfg.l1d_write == L1D_LOCAL_WB;
    assert_int_equal(v[STAT_l1d_stores_kept] != 0, back);
    assert_int_equal(v[STAT_l1d_writebacks] != 0, back);
    if (b->cfg.l1d_write != L1D_WEWN)
        assert_int_equal(v[STAT_l1d_write_evicts], 0);
    else if (b->cfg.l1d_sets * b->cfg.l1d_ways > 4)
        assert_true(v[STAT_l1d_write_evicts] > 0);
    assert_true(v[STAT_l1d_bypasses] > 0);
    if (b->cfg.l1d_bypass == BYPASS_GLOBAL)
        assert_true(v[STAT_l1d_refusals_bypass_limit] > 0);
}

static struct l1d_bench bench;

/* Runs random accesses, and copies the statistics to *stats. Returns a digest of all responses and
 * their cycles. */
static uint64_t run(const struct config *cfg, uint64_t seed, bool skip, struct stats *stats) {
    make(&bench, cfg, seed, skip);
    for (int k = 0; k < KERNELS; k++) {
        access_all(&bench);
        end_kernel(&bench);
    }
    expect_sums(&bench);
    assert_int_equal(bench.skipped != 0, skip);
    *stats = bench.stats;
    uint64_t digest =
        bench.digest ^ bench.cycle ^ level_area(&bench.l1.cache.bank->mshr.used, bench.cycle);
    destroy(&bench);
    return digest;
}

static struct config config_of(uint32_t combination, uint32_t size, uint64_t seed) {
    static const int64_t sets[] = {1, 2, 4, 8}, ways[] = {1, 1, 2, 4};
    static const int64_t bypasses[] = {BYPASS_NONE, BYPASS_GLOBAL, BYPASS_STALL, BYPASS_LINE,
                                       BYPASS_PDP};
    struct l1d_bench dice = {.random = seed * UINT64_C(0x2545f4914f6cdd1d) | 1};
    struct config c;
    config_default(&c);
    c.l1d_write = combination % 4;
    c.l1d_allocate = combination / 4 % 2;
    if (c.l1d_write == L1D_WTWN && c.l1d_allocate == ALLOCATE_MISS && size % 2)
        c.l1d_write = L1D_WTWA;
    c.sm_coalesce = combination / 8 % 2 ? COALESCE_SECTOR : COALESCE_LINE;
    c.l1d_bypass = bypasses[combination / 16];
    c.l1d_sets = sets[size];
    c.l1d_ways = ways[size];
    c.l1d_hit_latency = 1 + draw(&dice, 6);
    c.l1d_miss_queue = 2 + draw(&dice, 3);
    c.l1d_response_queue = 1 + draw(&dice, 3);
    c.l1d_bypass_slots = 1 + draw(&dice, 4);
    c.l1d_mshr = draw(&dice, 2) ? MSHR_KIND_DL : MSHR_KIND_STATIC;
    c.l1d_mshr_entries = 2 + draw(&dice, 5);
    c.l1d_mshr_slots = 1 + draw(&dice, 3);
    c.l1d_dl_sets = 4 + draw(&dice, 5);
    c.l1d_dl_reserved_heads = draw(&dice, 3);
    c.l1d_dl_tail = draw(&dice, 3);
    c.l1d_protect_distance = 1 + draw(&dice, 12);
    c.l1d_mshr_lookup = 1 + draw(&dice, 2);
    bool split = c.l1d_dl_tail == 2 && c.l1d_dl_reserved_heads == 2;
    c.l1d_dl_slots = 2;
    c.l1d_dl_pools = split ? MSHR_POOLS_SPLIT : MSHR_POOLS_SHARED;
    return c;
}

static void every_combination(uint32_t size) {
    for (uint32_t combination = 0; combination < 80; combination++) {
        uint64_t seed = 1 + combination * 4 + size;
        struct config c = config_of(combination, size, seed);
        struct stats stats, again;
        uint64_t digest = run(&c, seed, false, &stats);
        if (combination % 5 != size)
            continue;
        assert_int_equal(run(&c, seed, true, &again), digest);
        assert_memory_equal(&again, &stats, sizeof stats);
    }
}

static void one_line(void **state) {
    every_combination(0);
}

static void two_lines(void **state) {
    every_combination(1);
}

static void eight_lines(void **state) {
    every_combination(2);
}

static void more_lines_than_are_used(void **state) {
    every_combination(3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_line),
        cmocka_unit_test(two_lines),
        cmocka_unit_test(eight_lines),
        cmocka_unit_test(more_lines_than_are_used),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
