// SPDX-License-Identifier: Apache-2.0
/* Tests in_fifo and bank_queues under random traffic. Every output in every cycle must equal that
 * of a reference, which keeps the stored requests in one list in order of arrival. No request may
 * be lost or duplicated, and each wait is bounded. */
#include "bank_queues/bank_queues.h"
#include "in_fifo/in_fifo.h"
#include "tests/incoming/scoreboard.h"
#include "tests/incoming/traffic.h"

/* Reference model that keeps the requests of all queues in one list. */
struct test_incoming_run {
    struct incoming_bench b;
    struct incoming_traffic traffic;
    struct scoreboard inside;
    unsigned queues; /* number of queues, which is 1 for in_fifo */
    bool hold, held;
    unsigned last; /* queue whose head was output last */
    uint64_t drained[64], drained_all;
    uint64_t refused, held_cycles, wraps;
};

static bool is_fifo(const struct test_incoming_run *r) {
    return r->b.inst.type == &in_fifo_type;
}

static unsigned queue_of(const struct test_incoming_run *r, uint64_t addr) {
    unsigned bank = 0, n = 0;
    if (is_fifo(r))
        return 0;
    for (unsigned i = 0; i < 48; i++)
        if (r->b.inst.params.v[BANK_QUEUES_BANK_MASK] >> i & 1)
            bank |= (unsigned)(addr >> i & 1) << n++;
    return bank % r->queues;
}

/* Returns the oldest request of a queue, or NULL if the queue is empty. */
static const struct incoming_entry *head(const struct test_incoming_run *r, unsigned queue) {
    for (size_t i = 0; i < r->inside.n; i++)
        if (queue_of(r, r->inside.entry[i].addr) == queue)
            return &r->inside.entry[i];
    return NULL;
}

static uint64_t length(const struct test_incoming_run *r, unsigned queue) {
    uint64_t n = 0;
    for (size_t i = 0; i < r->inside.n; i++)
        n += queue_of(r, r->inside.entry[i].addr) == queue;
    return n;
}

/* Returns the queue whose head is output, or `queues` if all queues are empty. */
static unsigned choose(const struct test_incoming_run *r) {
    if (r->held)
        return r->last;
    for (unsigned i = 1; i <= r->queues; i++)
        if (head(r, (r->last + i) % r->queues))
            return (r->last + i) % r->queues;
    return r->queues;
}

static void expect(const struct test_incoming_run *r, const struct incoming_in *in,
                   struct incoming_out *out) {
    memset(out, 0, sizeof *out);
    if (in->fill_valid) {
        uint64_t n = length(r, queue_of(r, in->fill_addr));
        bool full = n == (uint64_t)r->b.inst.params.v[INCOMING_DEPTH];
        out->fill_ready = !full;
        out->fill_refuse = full ? INCOMING_REFUSE_FULL : INCOMING_REFUSE_NONE;
    }
    unsigned q = choose(r);
    if (q < r->queues) {
        out->drain_valid = 1;
        out->drain_addr = head(r, q)->addr;
        out->drain_id = head(r, q)->id;
        out->drain_why = r->held && !is_fifo(r) ? INCOMING_WHY_HELD : INCOMING_WHY_NEXT;
    }
    out->st_requests = r->inside.n;
    for (unsigned i = 0; i < r->queues; i++)
        out->st_queues += head(r, i) != NULL;
}

/* Adds a request with the bounds on its wait. If k requests precede it in its queue, it leaves with
 * the (k + 1)th drain of this queue. With `hold`, every other queue is drained at most once before
 * each drain of this queue. */
static void add(struct test_incoming_run *r, const struct incoming_in *in) {
    unsigned q = queue_of(r, in->fill_addr);
    uint64_t older = length(r, q);
    struct incoming_entry *e = scoreboard_add(&r->inside, in->fill_addr, in->fill_id);
    e->due = r->drained[q] + older + 1;
    e->due_all = r->hold ? r->drained_all + r->queues * (older + 1) : UINT64_MAX;
}

static void take(struct test_incoming_run *r, const struct incoming_out *out) {
    struct incoming_entry e = scoreboard_take(&r->inside, out->drain_addr, out->drain_id);
    assert_true(++r->drained[queue_of(r, e.addr)] == e.due);
    assert_true(++r->drained_all <= e.due_all);
}

static void run_cycle(struct test_incoming_run *r) {
    struct incoming_in in = r->b.in;
    struct incoming_out wanted;
    expect(r, &in, &wanted);
    r->b.in.drain_ready ^= 1; /* no output may depend on drain_ready */
    look(&r->b);
    assert_memory_equal(&r->b.out, &wanted, sizeof wanted);
    r->b.in = in;
    cycle(&r->b);
    const struct incoming_out *out = &r->b.out;
    assert_memory_equal(out, &wanted, sizeof wanted);
    bool taken = out->drain_valid && in.drain_ready;
    r->refused += out->fill_refuse != 0;
    r->held_cycles += r->held;
    r->held = r->hold && out->drain_valid && !taken && !in.rst;
    if (in.rst) {
        scoreboard_clear(&r->inside);
        r->last = r->queues - 1;
        return;
    }
    if (out->drain_valid) {
        unsigned q = queue_of(r, out->drain_addr);
        r->wraps += q < r->last;
        r->last = q;
    }
    if (taken)
        take(r, out);
    if (out->fill_ready)
        add(r, &in);
}

static void run_point(const struct block_type *type, const char *const *set, uint64_t cycles) {
    struct test_incoming_run r;
    memset(&r, 0, sizeof r);
    r.b = start(type, set);
    const int64_t *v = r.b.inst.params.v;
    r.queues = is_fifo(&r) ? 1 : (unsigned)v[BANK_QUEUES_QUEUES];
    r.hold = is_fifo(&r) || v[BANK_QUEUES_HOLD];
    r.last = r.queues - 1;
    r.traffic = (struct incoming_traffic){.x = 88172645463325252,
                                          .addr_w = (unsigned)v[INCOMING_ADDR_W],
                                          .id_w = (unsigned)v[INCOMING_ID_W],
                                          .resets = true};
    for (uint64_t c = 0; c < cycles; c++) {
        traffic_drive(&r.traffic, &r.b.in);
        run_cycle(&r);
    }
    while (r.inside.n) {
        r.b.in.drain_ready = 1;
        run_cycle(&r);
    }
    expect_empty(&r.b);
    assert_true(r.refused > 100 && (!r.hold || r.held_cycles > 100));
    assert_true(is_fifo(&r) || r.wraps > 100);
    scoreboard_free(&r.inside);
    end(&r.b);
}

#define POINT(type, cycles, ...) run_point(&type, (const char *const[]){__VA_ARGS__, NULL}, cycles)

static void test_in_fifo(void **unused) {
    POINT(in_fifo_type, 100000, "DEPTH=8");
    POINT(in_fifo_type, 100000, "DEPTH=1", "ADDR_W=1", "ID_W=1");
    POINT(in_fifo_type, 100000, "DEPTH=5", "ADDR_W=48", "ID_W=32");
    POINT(in_fifo_type, 20000, "DEPTH=128");
}

static void test_bank_queues(void **unused) {
    POINT(bank_queues_type, 50000, "DEPTH=16");
    POINT(bank_queues_type, 50000, "DEPTH=1", "HOLD=0");
    POINT(bank_queues_type, 50000, "QUEUES=4", "DEPTH=3");
    POINT(bank_queues_type, 50000, "QUEUES=2", "DEPTH=7", "HOLD=0");
    POINT(bank_queues_type, 50000, "ADDR_W=3", "BANKS=2", "BANK_MASK=4", "QUEUES=2", "DEPTH=2");
    POINT(bank_queues_type, 20000, "ADDR_W=48", "BANKS=64", "BANK_MASK=2113929216", "QUEUES=64",
          "DEPTH=2", "ID_W=32");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_in_fifo),
        cmocka_unit_test(test_bank_queues),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
