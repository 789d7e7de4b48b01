// SPDX-License-Identifier: Apache-2.0
/* Runs random traffic. In every cycle, every output of the model must equal that of the reference
 * (naive.h). A scoreboard checks that each line's requests leave in order, without loss or
 * duplication, and that no request waits longer than AGE_LIMIT allows. The test tier runs a third
 * of the cycles, and the full tier a half.
 * tier: test, 8 s; full, 12 s; long, 23 s */
#include "tests/cart/naive.h"
#include "tests/incoming/scoreboard.h"
#include "tests/incoming/traffic.h"
#include "tests/tier.h"

struct cart_run {
    struct incoming_bench b;
    struct cart_naive naive;
    struct incoming_traffic traffic;
    struct scoreboard inside;
    uint64_t drained[64], /* number of requests drained to each bank */
        drained_all;      /* number of requests drained to all banks */
    uint64_t why[8],      /* number of drains for each drain_why */
        refused[4];       /* number of refusals for each reason */
};

static uint64_t bank_of(const struct cart_run *r, uint64_t addr) {
    return naive_gather(addr, (uint64_t)r->b.inst.params.v[CART_BANK_MASK]);
}

static bool same_tag(const struct cart_run *r, uint64_t a, uint64_t b) {
    uint64_t column = (uint64_t)r->b.inst.params.v[CART_COL_MASK];
    return naive_column(&r->naive, a) == naive_column(&r->naive, b) && (a | column) == (b | column);
}

/* Adds a request to the scoreboard, with the longest wait that docs/understand/cart.md allows. */
static void add(struct cart_run *r, const struct incoming_in *in) {
    const int64_t *v = r->b.inst.params.v;
    uint64_t bank = bank_of(r, in->fill_addr), bank_lines = 1, tag_lines = 1;
    for (size_t i = 0; i < r->inside.n; i++) {
        bank_lines += bank_of(r, r->inside.entry[i].addr) == bank;
        tag_lines += same_tag(r, r->inside.entry[i].addr, in->fill_addr);
    }
    uint64_t drains = bank_lines * (uint64_t)(v[CART_AGE_LIMIT] + 1), all = UINT64_MAX;
    if (v[CART_HOLD] && v[CART_AGE_LIMIT])
        all = r->drained_all + (uint64_t)v[CART_BANKS] * drains;
    if (v[CART_HOLD] && v[CART_POLICY] == CART_ROUND_ROBIN)
        all = r->drained_all + (uint64_t)(v[CART_BANKS] * v[CART_ROWS] * v[CART_COLS]) * tag_lines;
    struct incoming_entry *e = scoreboard_add(&r->inside, in->fill_addr, in->fill_id);
    e->due = v[CART_AGE_LIMIT] ? r->drained[bank] + drains : UINT64_MAX;
    e->due_all = all;
}

static void take(struct cart_run *r, const struct incoming_out *out) {
    struct incoming_entry e = scoreboard_take(&r->inside, out->drain_addr, out->drain_id);
    assert_true(++r->drained[bank_of(r, e.addr)] <= e.due);
    assert_true(++r->drained_all <= e.due_all);
}

static void compare(struct cart_run *r, const struct incoming_in *in) {
    struct incoming_out naive, other;
    naive_eval(&r->naive, in, &naive);
    assert_memory_equal(&r->b.out, &naive, sizeof naive);
    memset(&other, 0, sizeof other);
    struct incoming_in flipped = *in;
    flipped.drain_ready ^= 1; /* no output may depend on drain_ready */
    cart_type.eval(r->b.inst.model, &flipped, &other);
    cart_type.observe(r->b.inst.model, &flipped, &other);
    assert_memory_equal(&other, &naive, sizeof naive);
    assert_int_equal(r->b.out.st_requests, r->inside.n);
}

static void run_cycle(struct cart_run *r) {
    struct incoming_in in = r->b.in;
    look(&r->b);
    compare(r, &in);
    cycle(&r->b);
    naive_tick(&r->naive, &in);
    const struct incoming_out *out = &r->b.out;
    r->why[out->drain_why] += out->drain_valid;
    r->refused[out->fill_refuse] += in.fill_valid;
    if (in.rst) {
        scoreboard_clear(&r->inside);
        return;
    }
    if (out->drain_valid && in.drain_ready)
        take(r, out);
    if (out->fill_ready)
        add(r, &in);
}

/* Checks that exactly those values of drain_why have occurred that the parameters allow, and that
 * every refusal has occurred. */
static void check_seen(const struct cart_run *r) {
    const int64_t *v = r->b.inst.params.v;
    bool rotating = v[CART_POLICY] == CART_ROTATING;
    const bool why[] = {
        v[CART_POLICY] == CART_ROUND_ROBIN,  v[CART_HOLD], v[CART_AGE_LIMIT],
        rotating && (v[INCOMING_DEPTH] > 1), rotating,     v[CART_POLICY] != CART_ROUND_ROBIN};
    for (size_t i = 0; i < sizeof why / sizeof *why; i++)
        assert_int_equal(r->why[i] > 0, why[i]);
    assert_true(r->refused[INCOMING_REFUSE_NONE] && r->refused[INCOMING_REFUSE_ROW] &&
                r->refused[INCOMING_REFUSE_COLUMN]);
    assert_int_equal(r->refused[INCOMING_REFUSE_FULL], 0);
}

static void run_point(const char *const *set, uint64_t cycles) {
    struct cart_run r;
    memset(&r, 0, sizeof r);
    r.b = start(&cart_type, set);
    const struct block_params *p = &r.b.inst.params;
    naive_init(&r.naive, p);
    r.traffic = (struct incoming_traffic){.x = 88172645463325252,
                                          .addr_w = (unsigned)p->v[INCOMING_ADDR_W],
                                          .id_w = (unsigned)p->v[INCOMING_ID_W],
                                          .resets = true};
    if (cycles > 20000)
        cycles /= tier_is_test() ? 3 : tier_is("full") ? 2 : 1;
    for (uint64_t c = 0; c < cycles; c++) {
        traffic_drive(&r.traffic, &r.b.in);
        run_cycle(&r);
    }
    while (r.inside.n) {
        r.b.in.drain_ready = 1;
        run_cycle(&r);
    }
    expect_empty(&r.b);
    check_seen(&r);
    scoreboard_free(&r.inside);
    naive_free(&r.naive);
    end(&r.b);
}

#define POINT(cycles, ...) run_point((const char *const[]){__VA_ARGS__, NULL}, cycles)

static void test_points(void **unused) {
    POINT(60000, "ADDR_W=21"); /* the paper's parameters, which are the defaults */
    POINT(60000, "ADDR_W=21", "HOLD=0");
    POINT(60000, "ADDR_W=21", "POLICY=1");
    POINT(60000, "ADDR_W=21", "POLICY=2", "HOLD=0");
    POINT(60000, "ADDR_W=21", "AGE_LIMIT=16");
    POINT(60000, "ADDR_W=21", "FILL=1");
    POINT(60000, "ADDR_W=21", "COL_DROP=2", "AGE_LIMIT=16");
    POINT(60000, "ADDR_W=21", "FILL=1", "COL_DROP=4", "HOLD=0");
}

static void test_small_points(void **unused) {
#define SMALL "ADDR_W=6", "BANKS=2", "BANK_MASK=4", "COL_MASK=18"
    POINT(100000, SMALL, "ROWS=2", "COLS=2", "DEPTH=2");
    POINT(100000, SMALL, "ROWS=2", "COLS=3", "DEPTH=1", "AGE_LIMIT=3");
    POINT(100000, SMALL, "ROWS=3", "COLS=4", "DEPTH=3", "POLICY=1", "HOLD=0");
    POINT(100000, SMALL, "ROWS=1", "COLS=1", "DEPTH=1");
    POINT(100000, SMALL, "ROWS=3", "COLS=3", "DEPTH=2", "POLICY=2");
    POINT(100000, SMALL, "ROWS=2", "COLS=4", "DEPTH=2", "AGE_LIMIT=1", "HOLD=0");
    POINT(100000, SMALL, "ROWS=1", "COLS=8", "DEPTH=5", "AGE_LIMIT=7");
    POINT(100000, SMALL, "ROWS=3", "COLS=1", "DEPTH=32", "ID_W=5");
    POINT(100000, SMALL, "ROWS=2", "COLS=2", "DEPTH=2", "FILL=1");
    POINT(100000, SMALL, "ROWS=2", "COLS=2", "DEPTH=2", "COL_DROP=1");
    POINT(100000, SMALL, "ROWS=3", "COLS=1", "DEPTH=1", "FILL=1", "AGE_LIMIT=3");
    POINT(100000, SMALL, "ROWS=1", "COLS=3", "DEPTH=3", "FILL=1", "COL_DROP=1", "POLICY=1");
    POINT(100000, SMALL, "ROWS=2", "COLS=2", "DEPTH=2", "FILL=1", "COL_DROP=1", "POLICY=2");
}

static void test_large_points(void **unused) {
    POINT(20000, "ADDR_W=26", "ROWS=8", "COLS=8", "DEPTH=8", "AGE_LIMIT=40");
    POINT(10000, "ADDR_W=48", "ID_W=32", "BANKS=64", "BANK_MASK=2113929216", "COL_MASK=21845",
          "ROWS=2", "COLS=3");
    POINT(20000, "ADDR_W=26", "ROWS=8", "COLS=8", "DEPTH=4", "FILL=1", "COL_DROP=2");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_points),
        cmocka_unit_test(test_small_points),
        cmocka_unit_test(test_large_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
