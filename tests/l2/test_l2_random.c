// SPDX-License-Identifier: Apache-2.0
/* Sends random requests from one requester, and compares the replies with a byte memory. A bank
 * serves the requests for a byte in order of arrival under all policies, so every reply is known
 * exactly when its request is made. The reply network and DRAM halt at random, caches and MSHRs
 * are small, and the number of requests is limited by the number of entries in all queues.
 * The full tier sends a twelfth of the requests of the long tier.
 * tier: test, 10 s; full, 20 s; long, 140 s */
#include "tests/l2/bank.h"

#include "gpu/gpu.h"
#include "check/check.h"
#include "tests/tier.h"

#define LINES 24
#define OUTSTANDING 64

static uint64_t rng;

static uint32_t rnd(void) {
    rng = rng * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(rng >> 33);
}

static bool chance(unsigned percent) {
    return rnd() % 100 < percent;
}

/* Expected reply to a request. */
struct expected {
    bool out;
    uint64_t line;
    struct byte_mask mask;
    uint32_t version;
    struct request_origin origin;
    uint16_t entry;
    uint8_t kind;
    bool bypass, result;
    uint8_t data[LINE_BYTES]; /* data of the reply to a load or an atomic */
};

static uint8_t memory[LINES][LINE_BYTES];
static struct expected expected[OUTSTANDING];
static unsigned outstanding;
static uint32_t version;
static uint64_t replies_hash; /* hash of the replies and their cycles */
static uint64_t asked[4];     /* number of requests, by kind */
static uint64_t parts;        /* number of granules in all requests */

/* ---- the machine ---- */

struct l2_random_policy {
    int write, fetch, allocate, sectored, mshr, bypass;
    int incoming, hold;
    int model;
};

/* ---- a test policy: even and odd lines take turns to bypass the bank, for 64 cycles each ---- */

enum { IN_TURN = 64, BYPASS_IN_TURN = L2_BYPASS_LINE + 1 /* another value of policy.bypass */ };

/* number of accepted and refused requests that the policy has seen */
static uint64_t accepts, refusals;

static enum cache_use use_in_turn(void *policy, const struct request *r, uint64_t now) {
    (void)policy;
    return (now / IN_TURN + r->line) % 2 ? CACHE_BYPASS_ALL : CACHE_USE;
}

static void hear_accept(void *policy, const struct request *r, const struct cache_event *e) {
    (void)policy;
    assert_true(e->accepted && !e->refused && r->line < LINES);
    accepts++;
}

static void hear_refusal(void *policy, const struct request *r, const struct cache_event *e) {
    (void)policy;
    assert_true(e->refused && e->why && r->line < LINES);
    refusals++;
}

static void advance_in_turn(void *policy, uint64_t cycles) {
    (void)policy;
    refusals += cycles;
}

static uint64_t next_turn(const void *policy, uint64_t now) {
    (void)policy;
    return (now + IN_TURN - 1) / IN_TURN * IN_TURN;
}

static const struct cache_policy in_turn = {.name = "in_turn",
                                            .use = use_in_turn,
                                            .accept = hear_accept,
                                            .refuse = hear_refusal,
                                            .next_event = next_turn,
                                            .advance = advance_in_turn};

/* ---- the machine, with a policy ---- */

/* Returns the number of requests that fit in all queues, as the GPU model computes it, plus 10 for
 * the test's networks. */
static uint32_t places(void) {
    const bool dl = cfg.l2_mshr == MSHR_KIND_DL;
    const int64_t entries = dl ? cfg.l2_dl_sets : cfg.l2_mshr_entries;
    const int64_t slots = entries * (dl ? cfg.l2_dl_slots : cfg.l2_mshr_slots);
    int64_t bank = (int64_t)l2_in_requests(&cfg) + cfg.l2_reply_queue + cfg.l2_miss_queue +
                   cfg.l2_evict_buffer + (int64_t)dram_requests(&cfg);
    if (cfg.l2_sectored && cfg.l2_bypass)
        bank += cfg.l2_miss_queue + (int64_t)dram_requests(&cfg);
    return (uint32_t)(bank + entries + slots * (1 + cfg.l2_sectored) + 1 + 9);
}

static void configure(const struct l2_random_policy *p, bool tight) {
    defaults();
    cfg.l2_write = p->write;
    cfg.l2_write_fetch = p->fetch;
    cfg.l2_model = p->model;
    cfg.l2_allocate = p->allocate;
    cfg.l2_sectored = p->sectored;
    cfg.l2_mshr = p->mshr;
    cfg.l2_incoming = p->incoming;
    cfg.l2_incoming_hold = p->hold;
    cfg.l2_bank_queues = 4;
    cfg.l2_bank_queue_depth = tight ? 1 : 3;
    cfg.l2_cart_rows = tight ? 1 : 2;
    cfg.l2_cart_depth = tight ? 1 : 2;
    /* places() reads this key */
    cfg.l2_bypass = p->bypass == BYPASS_IN_TURN ? L2_BYPASS_STALL : p->bypass;
    cfg.l2_replacement = p->bypass == BYPASS_IN_TURN;
    cfg.l2_sets = cfg.l2_ways = tight ? 1 : 2;
    cfg.l2_latency = tight ? 1 : 5;
    cfg.l2_in_queue = cfg.l2_miss_queue = cfg.l2_reply_queue = tight ? 1 : 3;
    if (l2_in_by_sector(&cfg))
        cfg.l2_in_queue = tight ? LINE_SECTORS : 7;
    cfg.l2_evict_buffer = !tight                   ? 4
                          : p->fetch == WRITE_BOTH ? 2 + p->allocate
                          : p->fetch == WRITE_LAZY ? 1 + p->allocate
                                                   : 1;
    cfg.l2_mshr_entries = tight ? 2 : 6;
    cfg.l2_mshr_slots = 3;
    cfg.l2_dl_sets = tight ? 2 : 8;
    cfg.l2_dl_slots = 2;
    cfg.l2_dl_reserved_heads = tight ? 1 : 3;
    bool stands = p->incoming == INCOMING_FIFO || (p->incoming != INCOMING_NONBLOCKING && p->hold);
    if (stands && p->bypass)
        cfg.l2_mshr_lookup = 2;
    if (stands && !tight && p->sectored)
        cfg.l2_dl_pools = MSHR_POOLS_SPLIT;
    dram_of_lines(tight ? 1 : 6);
    cfg.dram_reply_queue = tight ? 1 : 4;
    struct error err;
    if (gpu_check(&cfg, &err) != 0)
        fail_msg("%s", err.text);
}

static void begin(const struct l2_random_policy *p) {
    const struct cache_policy_env env = {.cfg = &cfg, .map = &map, .kernels = 1};
    struct error err;
    if (p->bypass == BYPASS_IN_TURN)
        cfg.l2_bypass = L2_BYPASS_NONE;
    make();
    if (p->bypass == BYPASS_IN_TURN)
        assert_int_equal(cache_add_policy(&l2.cache, &in_turn, &env, NULL, &err), 0);
    accepts = refusals = 0;
    for (uint64_t l = 0; l < LINES; l++)
        for (unsigned b = 0; b < LINE_BYTES; b++)
            memory[l][b] = check_stamp(0, l * LINE_BYTES + b);
    memset(expected, 0, sizeof expected);
    memset(asked, 0, sizeof asked);
    outstanding = 0;
    parts = 0;
    replies_hash = 0;
}

/* ---- requests ---- */

static struct byte_mask random_mask(void) {
    struct byte_mask m = {{0, 0}};
    switch (rnd() % 5) {
    case 0:
        return mask_of_sectors(SECTORS_ALL);
    case 1:
        return mask_of_sectors(1u << rnd() % 4);
    case 2:
        return mask_of_sectors(1 + rnd() % 15);
    case 3: { /* a few whole words */
        for (unsigned n = 1 + rnd() % 4; n; n--) {
            unsigned w = rnd() % 32;
            m.w[w / 16] |= UINT64_C(15) << w % 16 * 4;
        }
        return m;
    }
    default: { /* any bytes in one sector */
        unsigned s = rnd() % 4;
        m.w[s / 2] = (uint64_t)(rnd() | 1u << rnd() % 31) << 32 * (s % 2);
        return m;
    }
    }
}

static uint8_t random_kind(void) {
    static const uint8_t kinds[] = {REQUEST_LOAD,  REQUEST_LOAD,      REQUEST_LOAD,  REQUEST_STORE,
                                    REQUEST_STORE, REQUEST_WRITEBACK, REQUEST_ATOMIC};
    return kinds[rnd() % 7];
}

static uint16_t free_id(void) {
    uint16_t id = 0;
    while (expected[id].out)
        id++;
    return id;
}

static void ask_random(void) {
    uint16_t id = free_id();
    struct expected *e = &expected[id];
    uint32_t n = request_take(&context.pool);
    struct request *p = request_at(&context.pool, n);
    *e = (struct expected){.out = true,
                           .line = chance(50) ? rnd() % 4 : rnd() % LINES,
                           .mask = random_mask(),
                           .version = ++version,
                           .origin.sm = rnd() % 4,
                           .kind = random_kind(),
                           .bypass = chance(50),
                           .result = chance(50)};
    *p = (struct request){.line = e->line,
                          .mask = e->mask,
                          .origin = e->origin,
                          .next = REQUEST_NONE,
                          .version = e->version,
                          .kind = e->kind,
                          .bypass = e->bypass,
                          .result = e->result};
    set_name(p, id);
    e->origin = p->origin;
    e->entry = p->entry;
    uint8_t *data = memory[e->line];
    memcpy(e->data, data, LINE_BYTES);
    if (request_writes(p)) {
        check_stamp_line(data, e->line, &e->mask, version);
        if (carrying) {
            memset(request_data(&context.pool, n), 0xee, LINE_BYTES);
            mask_copy(request_data(&context.pool, n), data, &e->mask);
        }
    }
    asked[e->kind]++;
    parts += cfg.l2_sectored ? mask_sectors(&e->mask) : 1;
    outstanding++;
    xbar_push(&req, 0, n, 0, 1, 1);
}

/* ---- replies ---- */

static void expect_data(const struct expected *e, const uint8_t *got) {
    for (unsigned b = 0; b < LINE_BYTES; b++)
        if (mask_bit(&e->mask, b) && got[b] != e->data[b])
            fail_msg("kind %u version %u line %u byte %u: got %02x, not %02x", e->kind,
                     (unsigned)e->version, (unsigned)e->line, b, got[b], e->data[b]);
}

static void take_reply(uint32_t sm) {
    const struct xbar_note note = xbar_note(ring_at(&reply.out[sm].queue, 0));
    uint32_t n = xbar_pop(&reply, sm);
    struct request *p = request_at(&context.pool, n);
    const uint16_t id = request_name(p);
    assert_true(id < OUTSTANDING && expected[id].out);
    struct expected *e = &expected[id];
    assert_true(p->reply);
    assert_int_equal(p->line, e->line);
    assert_memory_equal(&p->mask, &e->mask, sizeof e->mask);
    assert_int_equal(p->version, e->version);
    assert_memory_equal(&p->origin, &e->origin, sizeof e->origin);
    assert_int_equal(p->entry, e->entry);
    assert_int_equal(sm, e->origin.sm);
    assert_int_equal(p->kind, e->kind);
    assert_int_equal(p->bypass, e->bypass);
    assert_int_equal(p->result, e->result);
    const bool pieces = cfg.l2_model == MODEL_GPGPUSIM;
    assert_int_equal(note.flits, pieces ? request_piece_flits(p, l2.flit_bytes)
                                        : request_flits(p, l2.flit_bytes));
    if (carrying && (e->kind == REQUEST_LOAD || e->kind == REQUEST_ATOMIC))
        expect_data(e, request_data(&context.pool, n));
    replies_hash = (replies_hash ^ (p->version + (cycle << 20))) * UINT64_C(0x9e3779b97f4a7c15);
    e->out = false;
    outstanding--;
    request_give(&context.pool, n);
}

static void take_replies(void) {
    for (uint32_t sm = 0; sm < 4; sm++)
        if (xbar_peek(&reply, sm) != REQUEST_NONE)
            take_reply(sm);
}

/* ---- runs ---- */

/* Halts the reply network and DRAM at random, for several cycles at a time. */
static void stand_or_move(void) {
    if (chance(3))
        dram_stands = chance(30);
    if (chance(3))
        replies_stand = chance(30);
}

static void run(uint64_t requests) {
    uint64_t left = requests, last = cycle;
    bool busy = true;
    while (left || outstanding) {
        stand_or_move();
        if (chance(1))
            busy = chance(80);
        /* at most one request is in the request network */
        if (left && busy && outstanding < OUTSTANDING && !req.queued && !req.out[0].queue.count &&
            chance(70)) {
            ask_random();
            left--;
            last = cycle;
        }
        step();
        take_replies();
        if (cycle - last > 20000)
            fail_msg("no progress: %u outstanding", outstanding);
    }
    dram_stands = replies_stand = false;
    for (unsigned n = 0; n < 2000 && context.pool.in_use; n++)
        step();
}

static void expect_quiet(void) {
    assert_int_equal(context.pool.in_use, 0);
    assert_int_equal(l2.cache.reservations, 0);
    assert_int_equal(l2.cache.misses.index.used, 0);
    assert_int_equal(mshr_unit_used(&l2.cache.bank->mshr), 0);
    assert_true(l2_next_event(&l2) == UINT64_MAX || l2.cache.policies.listeners);
    for (uint32_t way = 0; way < lines_count(&l2.cache.lines); way++)
        assert_true(l2.cache.lines.way[way].pending == 0 && l2.cache.lines.way[way].flags == 0);
}

static void expect_contents(void) {
    for (uint64_t line = 0; line < LINES; line++) {
        uint8_t got[LINE_BYTES];
        backing_read(&backing, line, got);
        l2_read_line(&l2, line, got);
        assert_memory_equal(got, memory[line], LINE_BYTES);
        if (!carrying || cfg.l2_write == L2_WBWA)
            continue;
        backing_read(&backing, line, got); /* a write-through bank contains no dirty bytes */
        assert_memory_equal(got, memory[line], LINE_BYTES);
    }
}

static void expect_counts(const struct l2_random_policy *p) {
    uint64_t missed =
        COUNT(l2_primary_misses) + COUNT(l2_secondary_misses) + COUNT(l2_write_misses);
    assert_int_equal(COUNT(l2_accesses), parts);
    assert_int_equal(COUNT(l2_accesses), COUNT(l2_hits) + missed + COUNT(l2_bypasses));
    assert_int_equal(COUNT(l2_primary_misses), COUNT(l2_fills));
    assert_int_equal(COUNT(l2_primary_misses) + COUNT(l2_bypasses), dram.reads);
    assert_int_equal(COUNT(l2_bypasses) > 0, p->bypass != 0);
    if (p->bypass == BYPASS_IN_TURN) {
        assert_int_equal(accepts, COUNT(l2_accesses));
        assert_int_equal(refusals, COUNT(l2_refusals));
    }
    assert_int_equal(COUNT(l2_writebacks) + COUNT(l2_write_throughs), dram.writes);
    assert_int_equal(COUNT(l2_writebacks) > 0, p->write == L2_WBWA);
    assert_int_equal(COUNT(l2_write_throughs) > 0, p->write != L2_WBWA || p->fetch == WRITE_BOTH);
    assert_int_equal(COUNT(l2_write_misses) > 0, p->write != L2_WBWA || p->fetch == WRITE_LAZY);
    assert_int_equal(COUNT(l2_sector_misses) > 0, p->sectored);
    assert_true(COUNT(l2_atomics) >= asked[REQUEST_ATOMIC]);
    assert_true(p->sectored || COUNT(l2_atomics) == asked[REQUEST_ATOMIC]);
    assert_true(COUNT(l2_hits) > 0 && COUNT(l2_secondary_misses) > 0 && COUNT(l2_evictions) > 0);
}

/* Configures the machine for the policy, and sets the random seed. */
static void prepare(const struct l2_random_policy *p, bool tight) {
    configure(p, tight);
    rng = 12345 + (uint64_t)(p->write * 64 + p->fetch * 32 + p->allocate * 16 + p->sectored * 8);
    version = 0;
}

enum { FIRST_BOTH = 96, N_POLICIES = 120 };

static bool policy_of(unsigned i, struct l2_random_policy *p) {
    static const int writes[4][2] = {{L2_WBWA, WRITE_FETCH},
                                     {L2_WBWA, WRITE_LAZY},
                                     {L2_WTWN, WRITE_FETCH},
                                     {L2_WEWN, WRITE_FETCH}};
    /* each kind of incoming buffer is combined with each value of the other fields */
    static const int before[5][2] = {{INCOMING_FIFO, 1},
                                     {INCOMING_CART, 1},
                                     {INCOMING_CART, 0},
                                     {INCOMING_NONBLOCKING, 1},
                                     {INCOMING_BANK_QUEUES, 0}};
    /* the last 24 points combine `both` with each value of the other fields */
    const bool both = i >= FIRST_BOTH;
    const unsigned k = both ? (i - FIRST_BOTH) * 4 : i;
    *p = (struct l2_random_policy){both ? L2_WBWA : writes[i % 4][0],
                                   both ? WRITE_BOTH : writes[i % 4][1],
                                   (int)(k / 4 % 2),
                                   (int)(k / 8 % 2),
                                   k / 16 % 2 ? MSHR_KIND_DL : MSHR_KIND_STATIC,
                                   k / 32 == 2 ? BYPASS_IN_TURN : (int)(k / 32),
                                   before[i % 5][0],
                                   before[i % 5][1],
                                   MODEL_SIMPLE};
    if (p->write == L2_WBWA && p->allocate == ALLOCATE_MISS && (k / 8 ^ k / 16 ^ k / 32) % 2)
        p->model = MODEL_GPGPUSIM;
    return i < N_POLICIES;
}

static void drive_all(bool tight, uint64_t requests) {
    struct l2_random_policy p;
    for (unsigned i = 0; policy_of(i, &p); i++) {
        prepare(&p, tight);
        pool_size = places();
        begin(&p);
        /* a request to a sectored bank has two sectors on average, so fewer requests are sent */
        run(p.sectored ? requests * 3 / 5 : requests);
        expect_quiet();
        expect_contents();
        expect_counts(&p);
        assert_true(COUNT(l2_accesses) >= requests);
        end();
    }
}

static void every_reply_is_right_to_the_byte(void **state) {
    drive_all(false, tier_is_test() ? 3200 : tier_is("long") ? 100000 : 8000);
}

/* Tests all policies with one set, one way, and one entry in every queue. */
static void every_reply_is_right_in_a_bank_of_ones(void **state) {
    drive_all(true, tier_is_test() ? 2000 : tier_is("long") ? 10000 : 3000);
}

/* Neither carrying data nor skipping cycles changes a statistic or the cycle of a reply. */
static void data_and_skipping_change_nothing(void **state) {
    struct l2_random_policy p;
    for (unsigned i = 0; policy_of(i, &p); i++) {
        struct stats stats[3];
        uint64_t hash[3], cycles[3];
        for (int variant = 0; variant < 3; variant++) {
            prepare(&p, false);
            skipping = variant == 1;
            carrying = variant != 2;
            begin(&p);
            run(tier_is_test() ? 800 : tier_is("long") ? 3000 : 2000);
            if (p.bypass == BYPASS_IN_TURN)
                assert_int_equal(refusals, COUNT(l2_refusals));
            stats[variant] = l2.stats;
            hash[variant] = replies_hash;
            cycles[variant] = cycle;
            end();
        }
        for (int variant = 1; variant < 3; variant++) {
            assert_memory_equal(&stats[0], &stats[variant], sizeof stats[0]);
            assert_true(hash[0] == hash[variant]);
            assert_int_equal(cycles[0], cycles[variant]);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_reply_is_right_to_the_byte),
        cmocka_unit_test(every_reply_is_right_in_a_bank_of_ones),
        cmocka_unit_test(data_and_skipping_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
