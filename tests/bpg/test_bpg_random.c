// SPDX-License-Identifier: Apache-2.0
/* Runs random traffic. In every cycle, every output of the model must equal that of the reference
 * (naive.h), and no output may depend on the access or failure of the same cycle. bpg_advance
 * must have the same effect as single ticks. The test tier runs half of the cycles.
 * tier: test, 2 s; full, 4 s */
#include "tests/bpg/bench.h"
#include "tests/bpg/naive.h"
#include "tests/tier.h"

/* Random inputs whose character changes every few hundred cycles: few or many lines, few or many
 * users, and accesses in every cycle or almost never. */
struct bpg_traffic {
    uint64_t x; /* state of the random generator, never 0 */
    unsigned left;
    unsigned accesses, loads, fails; /* probabilities in 16ths; `loads` is per access */
    uint64_t base, vary; /* a line has random bits in `vary` and all other bits from `base` */
    uint64_t users;      /* most IDs are below this */
};

static uint64_t draw(struct bpg_traffic *t) {
    t->x ^= t->x << 13, t->x ^= t->x >> 7, t->x ^= t->x << 17;
    return t->x * UINT64_C(0x2545F4914F6CDD1D) >> 8;
}

static void change(struct bpg_traffic *t, const struct block_params *p) {
    static const unsigned rates[] = {0, 1, 4, 8, 12, 15, 16, 16};
    uint64_t all = bits_low((unsigned)p->v[BPG_ADDR_W]);
    t->left = 20 + (unsigned)(draw(t) % 800);
    t->accesses = rates[draw(t) % 8];
    t->loads = rates[draw(t) % 8];
    t->fails = rates[draw(t) % 8];
    t->base = draw(t) & all & -(draw(t) & 1);
    t->vary = all;
    for (uint64_t i = draw(t) % 6; i; i--) /* each round clears about half of the bits */
        t->vary &= draw(t);
    t->users = 1 + draw(t) % (uint64_t)(p->v[BPG_CALCULATORS] + 2);
}

static void drive(struct bpg_traffic *t, const struct block_params *p, struct bpg_in *in) {
    if (!t->left--)
        change(t, p);
    uint64_t r = draw(t), ids = bits_low((unsigned)p->v[BPG_ID_W]);
    in->rst = r % 8192 == 0;
    in->launch = r % 8192 == 1;
    in->cube_valid = (r >> 13) % 128 == 0;
    in->cube_index = draw(t) & bits_low(bpg_index_bits(p));
    in->cube_value = r >> 20 & 1 ? draw(t) % 65537 : draw(t) % 3 * 32768;
    in->ask_id = draw(t) & ids;
    in->acc_valid = (r >> 24) % 16 < t->accesses;
    in->acc_op = (r >> 28) % 16 < t->loads ? BPG_LOAD : (r >> 32) % 8;
    in->acc_addr = (t->base & ~t->vary) | (draw(t) & t->vary);
    in->acc_id = (r >> 35) % 16 ? draw(t) % t->users & ids : draw(t) & ids;
    in->fail = (r >> 39) % 16 < t->fails;
}

/* Numbers of events of each kind. Each kind must occur in a run if it is possible with
 * the run's parameters. */
struct bpg_seen {
    uint64_t hits, updates, bypasses, lmax[17], judged, full_hits, full_fails;
};

static void count(struct bpg_seen *s, const struct bpg_bench *b) {
    const struct bpg_out *out = &b->out;
    s->hits += out->st_look && out->st_found;
    s->updates += out->update;
    s->bypasses += out->ask_past;
    s->judged += out->st_judged;
    s->lmax[out->lmax]++;
    s->full_fails += out->st_fails == bits_low((unsigned)param(b, BPG_FAIL_W));
    for (unsigned k = 1; k <= calculators(b); k++)
        s->full_hits += hits_of(b, k) == bits_low((unsigned)param(b, BPG_HIT_W));
}

static void compare(struct bpg_bench *b, const struct bpg_naive *n) {
    struct bpg_out naive, other;
    look(b);
    naive_eval(n, &b->in, &naive);
    assert_memory_equal(&b->out, &naive, sizeof naive);
    struct bpg_in late = b->in; /* no output may depend on the inputs inverted here */
    late.acc_valid ^= 1, late.acc_op ^= 5, late.acc_addr ^= 1, late.acc_id ^= 1, late.fail ^= 1;
    memset(&other, 0, sizeof other);
    bpg_type.eval(b->inst.model, &late, &other);
    bpg_type.observe(b->inst.model, &late, &other);
    assert_memory_equal(&other, &naive, sizeof naive);
    assert_int_equal(bpg_next_event(b->inst.model) != 0,
                     !n->was.acc_valid && !n->deciding && !n->update);
}

static void run_point(const char *const *set, uint64_t cycles) {
    struct bpg_naive naive;
    struct bpg_seen seen = {0};
    struct bpg_bench b = start(NULL, set);
    struct bpg_traffic t = {.x = 88172645463325252};
    naive_init(&naive, &b.inst.params);
    for (uint64_t c = 0; c < cycles / (tier_is_test() ? 2 : 1); c++) {
        struct bpg_in in;
        drive(&t, &b.inst.params, &b.in);
        in = b.in;
        compare(&b, &naive);
        cycle(&b);
        naive_tick(&naive, &in);
        count(&seen, &b);
    }
    assert_true(seen.hits && seen.updates && seen.judged >= calculators(&b));
    assert_int_equal(seen.bypasses > 0, calculators(&b) > 1);
    for (unsigned k = 1; k <= calculators(&b) && calculators(&b) <= 9; k++)
        assert_true(seen.lmax[k]);
    if (param(&b, BPG_HIT_W) == 2)
        assert_true(seen.full_hits && seen.full_fails);
    naive_free(&naive);
    end(&b);
}

#define POINT(cycles, ...) run_point((const char *const[]){__VA_ARGS__, NULL}, cycles)

static void test_points(void **unused) {
    POINT(200000, "ADDR_W=40"); /* ADDR_W=40 is the default, too */
    POINT(200000, "INTERVAL=37", "INDEX=0", "HIT_SCALE=0");
    POINT(200000, "INTERVAL=50", "INDEX=2", "SETS=64", "SAMPLED=8", "WAYS=6");
    POINT(200000, "INTERVAL=64", "INDEX=2", "SAMPLED=2", "TAG_W=3", "ADDR_W=20", "CALCULATORS=5");
    POINT(200000, "INTERVAL=50", "INDEX=3", "WAYS=2");
    POINT(200000, "INTERVAL=64", "INDEX=6", "SETS=64", "SAMPLED=16");
    POINT(200000, "INTERVAL=64", "INDEX=7", "SETS=8", "SAMPLED=4", "ADDR_W=48");
    POINT(200000, "INTERVAL=40", "INDEX=7", "SETS=64", "SAMPLED=8", "ADDR_W=48", "TAG_W=42");
    POINT(200000, "INTERVAL=150", "SETS=128", "SAMPLED=64", "WAYS=16", "CALCULATORS=16",
          "ADDR_W=12", "TAG_W=5", "HIT_W=16", "FAIL_W=16", "HIT_SCALE=7", "ID_W=8");
}

static void test_odd_points(void **unused) {
    POINT(200000, "ADDR_W=1", "TAG_W=1", "SETS=1", "SAMPLED=1", "WAYS=1", "CALCULATORS=1", "ID_W=1",
          "INTERVAL=5", "HIT_W=2", "FAIL_W=2", "HIT_SCALE=0", "INDEX=0");
    POINT(200000, "ADDR_W=6", "TAG_W=2", "SETS=8", "SAMPLED=8", "WAYS=3", "CALCULATORS=3", "ID_W=2",
          "INTERVAL=7", "HIT_W=2", "FAIL_W=2", "HIT_SCALE=1");
    POINT(200000, "ADDR_W=7", "TAG_W=4", "SETS=2", "SAMPLED=1", "WAYS=5", "CALCULATORS=7", "ID_W=3",
          "INTERVAL=11", "HIT_W=3", "FAIL_W=6", "HIT_SCALE=2");
    POINT(200000, "ADDR_W=14", "TAG_W=1", "SETS=4096", "SAMPLED=64", "WAYS=2", "CALCULATORS=16",
          "ID_W=5", "INTERVAL=20", "HIT_W=9", "FAIL_W=16", "HIT_SCALE=0");
    POINT(200000, "ADDR_W=48", "TAG_W=43", "SAMPLED=32", "WAYS=16", "CALCULATORS=12", "ID_W=4",
          "INTERVAL=16", "HIT_W=16", "FAIL_W=2", "HIT_SCALE=7");
    POINT(200000, "ADDR_W=48", "TAG_W=48", "SETS=1", "SAMPLED=1", "WAYS=7", "CALCULATORS=9",
          "INTERVAL=90", "HIT_W=11", "HIT_SCALE=5");
    POINT(200000, "ADDR_W=16", "TAG_W=2", "INDEX=0", "SETS=1024", "SAMPLED=16", "WAYS=4",
          "CALCULATORS=2", "INTERVAL=6", "FAIL_W=16", "HIT_W=7");
}

/* ---- bpg_advance ---- */

struct bpg_pair {
    struct bpg_bench passed, ticked;
};

static void pass_both(struct bpg_pair *p, uint64_t cycles, bool fail) {
    assert_true(bpg_next_event(p->passed.inst.model) && bpg_next_event(p->ticked.inst.model));
    bpg_advance(p->passed.inst.model, cycles, fail);
    p->ticked.in.fail = fail;
    for (; cycles; cycles--)
        block_tick(&p->ticked.inst, &p->ticked.in);
}

static void cycle_both(struct bpg_pair *p, const struct bpg_in *in) {
    p->passed.in = p->ticked.in = *in;
    cycle(&p->passed);
    cycle(&p->ticked);
    assert_memory_equal(&p->passed.out, &p->ticked.out, sizeof p->passed.out);
}

static void run_passes(const char *const *set, unsigned passes) {
    struct bpg_pair p = {start(NULL, set), start(NULL, set)};
    struct bpg_traffic t = {.x = 123456789};
    uint64_t most = UINT64_C(3) << param(&p.passed, BPG_FAIL_W);
    while (passes) {
        struct bpg_in in;
        drive(&t, &p.passed.inst.params, &in);
        cycle_both(&p, &in);
        if (bpg_next_event(p.passed.inst.model) && draw(&t) % 4 == 0) {
            uint64_t cycles = draw(&t) % 3 ? draw(&t) % 4 : draw(&t) % most;
            pass_both(&p, cycles, draw(&t) & 1);
            passes--;
        }
    }
    end(&p.passed);
    end(&p.ticked);
}

static void test_pass(void **unused) {
    run_passes((const char *const[]){"INTERVAL=20", "FAIL_W=5", NULL}, 20000);
    run_passes((const char *const[]){"INTERVAL=60", "FAIL_W=10", "CALCULATORS=3", NULL}, 5000);
    run_passes((const char *const[]){"INTERVAL=60", "FAIL_W=2", NULL}, 5000);
}

/* Advances by more cycles than a test can tick. If each cycle has a failure, the failure counter is
 * full afterwards, else it is 0. */
static void test_pass_for_long(void **unused) {
    struct bpg_bench b = START("FAIL_W=16");
    bpg_advance(b.inst.model, UINT64_MAX, false);
    look(&b);
    assert_int_equal(b.out.st_fails, 0);
    b.in.fail = 1;
    cycle(&b);
    bpg_advance(b.inst.model, UINT64_MAX, true);
    look(&b);
    assert_int_equal(b.out.st_fails, 65535);
    end(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_points),
        cmocka_unit_test(test_odd_points),
        cmocka_unit_test(test_pass),
        cmocka_unit_test(test_pass_for_long),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
