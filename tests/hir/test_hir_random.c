// SPDX-License-Identifier: Apache-2.0
/* Runs random traffic. In every cycle, every output of the model must equal that of the reference
 * (naive.h), no output may depend on an input of the same cycle, and hir_next_event must be
 * correct. */
#include "tests/hir/bench.h"
#include "tests/hir/naive.h"

/* Random inputs. Every few hundred cycles, the numbers of page sets and pages change, as do the
 * rates of hit, flush and out_ready, which range from every cycle to almost never. */
struct hir_traffic {
    uint64_t x; /* state of the random generator, never 0 */
    unsigned left;
    unsigned hits, readies; /* rates in 16ths of the cycles */
    unsigned flushes;       /* rate in 4096ths of the cycles */
    uint64_t base, vary; /* a page set has random bits in `vary` and all other bits from `base` */
    uint64_t page_base, page_vary; /* pages are drawn like page sets */
};

static uint64_t draw(struct hir_traffic *t) {
    t->x ^= t->x << 13, t->x ^= t->x >> 7, t->x ^= t->x << 17;
    return t->x * UINT64_C(0x2545F4914F6CDD1D) >> 8;
}

static void change(struct hir_traffic *t, const struct block_params *p) {
    static const unsigned rates[] = {0, 1, 4, 8, 12, 15, 16, 16};
    static const unsigned flushes[] = {4, 16, 32, 64, 128, 512, 2048, 4096};
    uint64_t all = bits_low((unsigned)p->v[HIR_SET_W]);
    t->left = 20 + (unsigned)(draw(t) % 600);
    t->hits = rates[draw(t) % 8];
    t->readies = rates[1 + draw(t) % 7];
    t->flushes = flushes[draw(t) % 8];
    t->base = draw(t) & all & -(draw(t) & 1);
    t->vary = all;
    for (uint64_t i = draw(t) % 6; i; i--) /* each round clears about half of the bits */
        t->vary &= draw(t);
    if (draw(t) % 4 == 0) /* all page sets map to one set */
        t->vary &= ~((uint64_t)p->v[HIR_SETS] - 1);
    t->page_vary = draw(t) & draw(t);
    t->page_base = draw(t);
}

static void drive(struct hir_traffic *t, const struct block_params *p, struct hir_in *in) {
    if (!t->left--)
        change(t, p);
    uint64_t r = draw(t), pages = (uint64_t)p->v[HIR_PAGES] - 1;
    in->rst = r % 2048 == 0;
    in->hit_valid = (r >> 11) % 16 < t->hits;
    in->hit_set = (t->base & ~t->vary) | (draw(t) & t->vary);
    in->hit_page = ((t->page_base & ~t->page_vary) | (draw(t) & t->page_vary)) & pages;
    in->flush = (r >> 15) % 4096 < t->flushes;
    in->out_ready = (r >> 27) % 16 < t->readies;
}

/* Numbers of events of each kind. Each kind must occur in a run, `full` only if LOST_W is less than
 * 6. */
struct hir_seen {
    uint64_t found, made, lost, full, sent, last, stood, none, again;
};

static void count(struct hir_seen *s, const struct hir_bench *b, const struct hir_in *in) {
    const struct hir_out *out = &b->out;
    unsigned most = (unsigned)bits_low((unsigned)param(b, HIR_COUNT_W));
    s->found += out->st_look && out->st_found;
    s->made += out->st_look && !out->st_found && !out->st_lose;
    s->lost += out->st_look && out->st_lose;
    s->full += out->lost == bits_low((unsigned)param(b, HIR_LOST_W));
    s->sent += out->out_valid && in->out_ready;
    s->last += out->out_valid && out->out_last && in->out_ready;
    s->stood += out->out_valid && !in->out_ready;
    s->none += out->busy && !out->out_valid && !out->st_count && !out->st_look;
    for (unsigned page = 0; out->out_valid && page < (unsigned)param(b, HIR_PAGES); page++)
        s->again += count_of(b, page) == most;
}

static void compare(struct hir_bench *b, const struct hir_naive *n) {
    struct hir_out naive, other;
    look(b);
    naive_eval(n, &naive);
    assert_memory_equal(&b->out, &naive, sizeof naive);
    struct hir_in late = b->in; /* the inputs inverted here must not affect any output */
    late.hit_valid ^= 1, late.hit_set ^= 5, late.hit_page ^= 1, late.flush ^= 1;
    late.out_ready ^= 1;
    memset(&other, 0, sizeof other);
    hir_type.eval(b->inst.model, &late, &other);
    hir_type.observe(b->inst.model, &late, &other);
    assert_memory_equal(&other, &naive, sizeof naive);
    assert_int_equal(hir_next_event(b->inst.model) != 0, !n->was.hit_valid && !n->flushing);
}

static void run_point(const char *const *set, uint64_t cycles) {
    struct hir_naive naive;
    struct hir_seen seen = {0};
    struct hir_bench b = start(NULL, set);
    struct hir_traffic t = {.x = 88172645463325252};
    naive_init(&naive, &b.inst.params);
    for (uint64_t c = 0; c < cycles; c++) {
        struct hir_in in;
        drive(&t, &b.inst.params, &b.in);
        in = b.in;
        compare(&b, &naive);
        block_tick(&b.inst, &b.in);
        naive_tick(&naive, &in);
        count(&seen, &b, &in);
    }
    assert_true(seen.found && seen.made && seen.lost && seen.sent && seen.last);
    assert_true(seen.stood && seen.none && seen.again);
    assert_int_equal(seen.full > 0, param(&b, HIR_LOST_W) < 6);
    naive_free(&naive);
    end(&b);
}

#define POINT(cycles, ...) run_point((const char *const[]){__VA_ARGS__, NULL}, cycles)

static void test_points(void **unused) {
    POINT(60000, "SETS=128"); /* SETS=128 is the default, too */
    POINT(60000, "SETS=32", "WAYS=4", "PAGES=32", "COUNT_W=1");
    POINT(100000, "SETS=8", "WAYS=2", "SET_W=12", "PAGES=8", "COUNT_W=3", "LOST_W=3");
    POINT(100000, "SETS=4", "WAYS=7", "SET_W=9", "PAGES=16", "COUNT_W=4", "LOST_W=5");
}

static void test_odd_points(void **unused) {
    POINT(100000, "SETS=1", "WAYS=1", "SET_W=4", "PAGES=2", "COUNT_W=1", "LOST_W=1");
    POINT(100000, "SETS=1", "WAYS=15", "SET_W=4", "PAGES=4", "LOST_W=2");
    POINT(100000, "SETS=2", "WAYS=16", "SET_W=48", "PAGES=2", "COUNT_W=4", "LOST_W=4");
    POINT(100000, "SETS=8", "WAYS=1", "SET_W=4", "PAGES=16", "LOST_W=1");
    POINT(20000, "SETS=1024", "WAYS=1", "SET_W=11", "PAGES=16");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_points),
        cmocka_unit_test(test_odd_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
