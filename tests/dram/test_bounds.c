// SPDX-License-Identifier: Apache-2.0
/* What theory says of a channel with GTX480 timings, no refresh and a saturating stream of 64
 * requests in flight: latencies and cycles a request; what the caps and watermarks are for. */
#include "tests/dram/fixture.h"

#define MANY 20000

/* Bank 0's rows; hits over all banks; a new row in all banks; a read and a write in turn. */
enum kind { NEW_ROW, ROW_HITS, NEW_ROW_ALL, IN_TURN };

static struct stream stream_of(enum kind kind, uint64_t n) {
    struct stream s = stream_new(n);
    for (uint64_t i = 0; i < n; i++) {
        struct gddr5_req *r = &s.req[i];
        r->bank = kind == NEW_ROW ? 0 : (uint32_t)(i % 16);
        r->row = kind == NEW_ROW ? i : kind == NEW_ROW_ALL ? i / 16 : i / 1024;
        r->col = kind == NEW_ROW ? 0 : (uint32_t)(i / 16 % 64);
        r->write = kind == IN_TURN && i % 2;
    }
    return s;
}

/* Addresses that count up by an atom, by the layout of GTX480. */
static struct stream sequential(uint64_t n) {
    struct stream s = stream_new(n);
    for (uint64_t i = 0; i < n; i++) {
        struct gddr5_req *r = &s.req[i];
        r->col = (uint32_t)((i >> 3 & 15) << 2 | (i & 3));
        r->bank = (uint32_t)((i >> 7 & 7) << 1 | (i >> 2 & 1));
        r->row = i >> 10;
    }
    return s;
}

static struct drive drive_all(const struct gddr5_size *size, struct stream s) {
    struct drive d = drive(size, &s, true, false, 0);
    stream_free(&s);
    return d;
}

static double cycles_each(const struct gddr5_size *size, struct stream s) {
    double n = (double)s.n;
    struct drive d = drive_all(size, s);
    double each = (double)d.cycles / n;
    drive_free(&d);
    return each;
}

static void expect_near(const char *what, double got, double expected, double by) {
    if (got < expected - by || got > expected + by)
        fail_msg("%s: %.4f, not %.4f +- %.4f", what, got, expected, by);
}

static void unloaded_latency(void **state) {
    (void)state;
    struct gddr5_size size = size_of(GTX480);
    struct stream s = stream_new(3);
    s.gap[0] = 7;
    s.gap[1] = s.gap[2] = 1000;
    s.req[1].row = 1; /* conflict */
    s.req[2].row = 1; /* hit */
    struct drive d = drive(&size, &s, true, false, 0);
    const struct gddr5_timing *t = &size.timing;
    uint32_t hit = 1 + t->cl + t->burst, miss = hit + t->rcd, conflict = miss + t->rp;
    assert_int_equal(d.done[0] - d.pushed[0], miss);
    assert_int_equal(d.done[1] - d.pushed[1], conflict);
    assert_int_equal(d.done[2] - d.pushed[2], hit);
    assert_int_equal(miss, 27);
    assert_int_equal(conflict, 39);
    assert_int_equal(d.stats.latency_min[0], hit);
    assert_int_equal(d.stats.latency_max[0], conflict);
    assert_int_equal(d.stats.latency_sum[0], hit + miss + conflict);
    assert_int_equal(d.stats.hits, 1);
    assert_int_equal(d.stats.misses, 1);
    assert_int_equal(d.stats.conflicts, 1);
    drive_free(&d);
    stream_free(&s);
}

static void cycles_a_request(void **state) {
    (void)state;
    struct gddr5_size one = size_of(GTX480), two = one;
    two.two_buses = true;
    expect_near("new row, one bank", cycles_each(&one, stream_of(NEW_ROW, MANY)), 40, 0.01);
    expect_near("row hits", cycles_each(&one, stream_of(ROW_HITS, MANY)), 2, 0.01);
    expect_near("new row, two buses", cycles_each(&two, stream_of(NEW_ROW_ALL, MANY)), 6, 0.01);
    expect_near("new row, one bus", cycles_each(&one, stream_of(NEW_ROW_ALL, MANY)), 6.25, 0.26);
    double peak = 2 / cycles_each(&one, sequential(MANY));
    if (peak <= 0.99 || peak > 1)
        fail_msg("sequential reads: %.4f of the peak", peak);
}

/* A write queue against the turns of the bus; without one, each write is two turns. */
static void reads_and_writes_in_turn(void **state) {
    (void)state;
    struct gddr5_size size = size_of(GTX480), small = size;
    double with = 2 / cycles_each(&size, stream_of(IN_TURN, MANY));
    if (with < 0.84 || with > 1)
        fail_msg("%.4f of the peak with watermarks", with);
    small.write_queue = small.write_high = 1;
    small.write_low = 0;
    double without = 2 / cycles_each(&small, stream_of(IN_TURN, MANY));
    if (without > 0.5)
        fail_msg("%.4f of the peak without a write queue", without);
}

/* Younger requests of the same bank and kind that were served before request i. */
static uint64_t passed_by(const struct stream *s, const struct drive *d, uint64_t i) {
    uint64_t n = 0;
    for (uint64_t j = i + 1; j < s->n; j++)
        n += s->req[j].bank == s->req[i].bank && s->req[j].write == s->req[i].write &&
             d->issued[j] < d->issued[i];
    return n;
}

/* Row hits of one bank without end, and one request for another row. */
static void the_cap_bounds_the_wait(void **state) {
    (void)state;
    struct stream s = stream_new(2000);
    for (uint64_t i = 0; i < s.n; i++)
        s.req[i] = (struct gddr5_req){i == 100, 0, (uint32_t)(i % 64), (uint32_t)i, false};
    for (uint32_t cap = 0; cap <= 16; cap += 4) {
        struct gddr5_size size = size_of(GTX480);
        size.streak_cap = cap;
        struct drive d = drive(&size, &s, true, false, 0);
        uint64_t passed = passed_by(&s, &d, 100);
        if (cap)
            assert_int_equal(passed, cap); /* exactly cap: there is always a hit to pass it */
        else
            assert_int_equal(passed, s.n - 101); /* it is the last */
        int64_t wait = d.issued[100] - d.pushed[100];
        /* 64 before it at CCDL, cap behind it, one row change */
        if (cap && wait > (64 + cap) * 3 + 28 + 12 + 12 + 3)
            fail_msg("cap %u: waited %lld", (unsigned)cap, (long long)wait);
        drive_free(&d);
    }
    stream_free(&s);
}

static void the_cap_holds_for_every_request(void **state) {
    (void)state;
    for (uint32_t cap = 1; cap <= 8; cap++) {
        struct gddr5_size size = size_of((int)cap % TIMINGS);
        size.streak_cap = cap;
        struct stream s = stream_new(3000);
        srand(cap);
        uint64_t most = 0;
        for (uint64_t i = 0; i < s.n; i++) {
            s.req[i].bank = (uint32_t)rand() % 3;
            s.req[i].row = (uint64_t)rand() % 8 ? 0 : (uint64_t)rand() % 4;
            s.req[i].col = (uint32_t)i; /* none to one place */
            s.req[i].write = rand() % 4 == 0;
        }
        struct drive d = drive(&size, &s, true, false, 0);
        for (uint64_t i = 0; i < s.n; i++) {
            uint64_t passed = passed_by(&s, &d, i);
            most = passed > most ? passed : most;
        }
        assert_int_equal(most, cap);
        drive_free(&d);
        stream_free(&s);
    }
}

/* Writes without end, and a read now and then: it waits for one run of writes at most. */
static void writes_do_not_starve_reads(void **state) {
    (void)state;
    struct gddr5_size size = size_of(GTX480);
    struct stream s = stream_of(ROW_HITS, 5000);
    int64_t most = 0;
    for (uint64_t i = 0; i < s.n; i++)
        s.req[i].write = i % 500 != 499;
    struct drive d = drive(&size, &s, true, false, 0);
    for (uint64_t i = 499; i < s.n; i += 500)
        most = d.done[i] - d.pushed[i] > most ? d.done[i] - d.pushed[i] : most;
    if (most > 64 * 2 + 100)
        fail_msg("a read took %lld", (long long)most);
    drive_free(&d);
    stream_free(&s);
}

/* A read waits for a write to its place that the watermarks would keep back: the write goes. */
static void a_read_does_not_wait_for_the_watermark(void **state) {
    (void)state;
    struct gddr5_size size = size_of(GTX480);
    struct stream s = stream_of(ROW_HITS, 4000);
    for (uint64_t i = 0; i < s.n; i++)
        s.req[i].row = 0;
    s.req[1000].write = true;
    s.req[1000].row = 9;
    s.req[1001] = s.req[1000];
    s.req[1001].write = false;
    s.req[1001].tag = 1001;
    struct drive d = drive(&size, &s, true, false, 0);
    assert_true(d.issued[1001] > d.issued[1000]);
    if (d.issued[1001] - d.pushed[1001] > 64 * 2 + 200)
        fail_msg("the read waited %lld", (long long)(d.issued[1001] - d.pushed[1001]));
    drive_free(&d);
    stream_free(&s);
}

/* Requests in a stream without end of others that would go before them for ever. */
struct starved {
    const char *what;
    struct gddr5_req others[2], one; /* the others in turn */
    uint32_t streak_cap, write_queue, rtpl;
};

static const struct starved starved[] = {
    {"a write behind reads",
     {{0, 0, 0, 0, false}, {0, 1, 0, 0, false}},
     {7, 2, 0, 0, true},
     16,
     64,
     2},
    {"a write behind reads of its bank",
     {{0, 0, 0, 0, false}, {0, 0, 0, 0, false}},
     {7, 0, 0, 0, true},
     16,
     64,
     2},
    {"a read behind row hits",
     {{0, 0, 0, 0, false}, {0, 0, 0, 0, false}},
     {7, 0, 0, 0, false},
     0,
     64,
     2},
    {"a write behind row hits",
     {{0, 0, 0, 0, true}, {0, 0, 0, 0, true}},
     {7, 0, 0, 0, true},
     0,
     64,
     2},
    {"a read behind short runs of writes",
     {{0, 0, 0, 0, true}, {0, 1, 0, 0, false}},
     {7, 0, 0, 0, false},
     16,
     2,
     2},
    {"a PRE behind reads of its group",
     {{0, 0, 0, 0, false}, {0, 4, 0, 0, false}},
     {7, 8, 0, 0, false},
     16,
     64,
     9},
};

static int64_t wait_of_the_one(const struct starved *c, uint32_t age_cap) {
    enum { AT = 300, ONES = 4, ALL = 9000 };
    struct gddr5_size size = size_of(GTX480);
    size.streak_cap = c->streak_cap;
    size.age_cap = age_cap;
    size.timing.rtpl = c->rtpl;
    size.write_queue = size.write_high = c->write_queue;
    size.write_low = 0;
    struct stream s = stream_new(ALL);
    for (uint32_t i = 0; i < s.n; i++) {
        s.req[i] = i >= AT && i < AT + ONES ? c->one : c->others[i % 2];
        s.req[i].tag = i;
        s.req[i].col = i; /* none to one place */
        s.req[i].row += i >= AT && i < AT + ONES ? i : 0;
    }
    s.req[0].row = s.req[0].bank == c->one.bank ? 0 : 1; /* a row is open in the one's bank */
    s.req[0].bank = c->one.bank;
    struct drive d = drive(&size, &s, true, false, 0);
    int64_t wait = 0;
    for (uint32_t i = AT; i < AT + ONES; i++)
        if (d.issued[i] - d.pushed[i] > wait)
            wait = d.issued[i] - d.pushed[i];
    drive_free(&d);
    stream_free(&s);
    return wait;
}

/* Without a cap they are nearly the last of all. With one: a run of the other kind (64 of them),
 * and a row and two turns for each. */
static void the_age_cap_bounds_the_wait(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof starved / sizeof starved[0]; i++) {
        int64_t with = wait_of_the_one(&starved[i], 2000),
                without = wait_of_the_one(&starved[i], 0);
        if (without < 15000 || with > 2000 + 500)
            fail_msg("%s: waited %lld without a cap, %lld with one", starved[i].what,
                     (long long)without, (long long)with);
    }
}

/* Requests that each need a new row of one bank, and among them, at AT, a few of the other kind.
 * The longest that one of those waits. */
static int64_t wait_behind_rows(const struct gddr5_size *size, bool writes) {
    enum { AT = 4500, EVERY = 7, FEW = 3, ALL = 5000 };
    struct stream s = stream_of(NEW_ROW, ALL);
    for (uint32_t i = 0; i < s.n; i++)
        s.req[i].write = writes;
    for (uint32_t i = AT; i < AT + FEW * EVERY; i += EVERY)
        s.req[i] = (struct gddr5_req){.row = i, .bank = 7, .tag = i, .write = !writes};
    struct drive d = drive(size, &s, true, false, 0);
    int64_t wait = 0;
    for (uint32_t i = AT; i < AT + FEW * EVERY; i += EVERY)
        if (d.issued[i] - d.pushed[i] > wait)
            wait = d.issued[i] - d.pushed[i];
    drive_free(&d);
    stream_free(&s);
    return wait;
}

/* Neither the least run of reads nor the longest of writes counts for an urgent request. */
static void no_run_holds_up_an_urgent_request(void **state) {
    (void)state;
    static const uint32_t queues[][3] = {{64, 56, 8}, {512, 448, 64}, {4096, 4096, 1}};
    for (size_t i = 0; i < 3; i++)
        for (int writes = 0; writes < 2; writes++) {
            struct gddr5_size size = size_of(GTX480);
            size.write_queue = queues[i][0];
            size.write_high = queues[i][1];
            size.write_low = queues[i][2];
            int64_t wait = wait_behind_rows(&size, writes);
            if (wait > size.age_cap + 8 * 40 + 100)
                fail_msg("write queue of %u: a %s waited %lld", (unsigned)size.write_queue,
                         writes ? "read" : "write", (long long)wait);
        }
}

/* The bus turns for eight requests at least where both kinds always have urgent ones, and for all
 * writes that wait where one is. */
static void urgent_requests_share_a_turn(void **state) {
    (void)state;
    struct gddr5_size size = size_of(GTX480);
    size.age_cap = 1;
    struct drive d = drive_all(&size, stream_of(IN_TURN, MANY));
    if (d.stats.turns > MANY / 8)
        fail_msg("%d turns", (int)d.stats.turns);
    drive_free(&d);
    size.age_cap = 2000;
    size.write_low = 52; /* few writes ever wait: the watermarks ask for none */
    struct stream s = stream_of(ROW_HITS, MANY);
    for (uint64_t i = 0; i < s.n; i += 40)
        s.req[i].write = true;
    expect_near("a write in 40", cycles_each(&size, s), 2.05, 0.05);
}

/* Reads that each need a new row of one bank leave cycles in which nothing can go. In whichever of
 * them a write becomes urgent, it is issued no later when those cycles are skipped. */
static void no_request_becomes_urgent_late(void **state) {
    (void)state;
    for (uint32_t cap = 500; cap < 550; cap++) {
        struct gddr5_size size = size_of(GTX480);
        size.age_cap = cap;
        struct stream s = stream_of(NEW_ROW, 250);
        s.req[150] = (struct gddr5_req){.bank = 5, .tag = 150, .write = true};
        struct drive all = drive(&size, &s, false, false, 0),
                     some = drive(&size, &s, true, false, 0);
        assert_int_equal(all.issued[150], some.issued[150]);
        assert_in_range(some.issued[150] - some.pushed[150], cap, cap + 100);
        drive_free(&all);
        drive_free(&some);
        stream_free(&s);
    }
}

static void refresh_takes_its_share(void **state) {
    (void)state;
    struct gddr5_size size = size_of(GB8);
    size.timing.refi = 3800;
    double with = cycles_each(&size, sequential(MANY));
    /* 3800 cycles have one refresh, and one PREA and ACT more per bank */
    double least = 2 * 3800.0 / (3800 - 74);
    if (with < least || with > 1.08 * least)
        fail_msg("%.4f cycles a request with refresh, not %.4f or little more", with, least);
}

/* First come, first served: data in order, but rows are opened ahead. */
static void fcfs_opens_rows_ahead(void **state) {
    (void)state;
    struct gddr5_size size = size_of(GTX480);
    size.fcfs = true;
    expect_near("new row, all banks", cycles_each(&size, stream_of(NEW_ROW_ALL, MANY)), 6.25, 0.26);
    expect_near("new row, one bank", cycles_each(&size, stream_of(NEW_ROW, MANY)), 40, 0.01);
    double in_turn = cycles_each(&size, stream_of(IN_TURN, MANY));
    expect_near("in turn", in_turn, (12 + 11) / 2.0, 0.5); /* tRTW and tWTR */
}

/* ---- one queue ---- */

static struct gddr5 *with_queue(enum gddr5_queue queue, uint32_t places) {
    struct gddr5_size size = size_of(GTX480);
    size.queue = queue;
    size.read_queue = places;
    struct gddr5 *g = gddr5_create(&size);
    assert_non_null(g);
    return g;
}

static void push_one(struct gddr5 *g, uint64_t now, uint32_t bank, uint64_t row, bool write) {
    static uint32_t col;
    const struct gddr5_req req = {row, bank, col++ % 64, bank, write};
    gddr5_push(g, now, &req);
}

/* Reads and writes have the same places, until their data have left. */
static void one_queue_has_both(void **state) {
    (void)state;
    struct gddr5 *g = with_queue(GDDR5_SHARED, 3);
    const struct gddr5_timing t = timings[GTX480];
    push_one(g, 0, 0, 0, true);
    assert_int_equal(gddr5_room(g, false), 2);
    push_one(g, 0, 0, 0, false);
    push_one(g, 0, 1, 0, true);
    assert_int_equal(gddr5_room(g, false), 0);
    assert_int_equal(gddr5_room(g, true), 0);
    /* The first write goes as soon as its row is open, before the read. */
    const uint64_t gone = 1 + t.rcd - (t.wl + 1) + t.wl + t.burst;
    for (uint64_t now = 1; now <= gone; now++) {
        assert_int_equal(gddr5_room(g, true), 0);
        gddr5_tick(g, now);
    }
    assert_int_equal(gddr5_room(g, true), 1);
    assert_int_equal(gddr5_room(g, false), 1);
    assert_int_equal(level_area(&gddr5_stats(g)->full[0], gone), gone);
    gddr5_destroy(g);
}

/* One bank a cycle takes a request; its place is free then. */
static void banks_take_requests(void **state) {
    (void)state;
    struct gddr5 *g = with_queue(GDDR5_TAKEN, 4);
    for (uint32_t bank = 0; bank < 3; bank++)
        push_one(g, 0, bank, 0, bank == 1);
    push_one(g, 0, 2, 0, false);
    for (uint32_t taken = 0; taken < 8; taken++) {
        assert_int_equal(gddr5_room(g, false), taken < 3 ? taken : 3);
        assert_int_equal(gddr5_room(g, true), gddr5_room(g, false));
        assert_false(gddr5_empty(g));
        gddr5_tick(g, taken + 1);
    }
    gddr5_destroy(g);
}

/* Row 7 of bank 3 is open; the second request comes `gap` cycles after the first. Returns the tag
 * of the one that is served first. */
static uint32_t first_of(enum gddr5_queue queue, const struct gddr5_req req[2], uint64_t gap) {
    struct gddr5 *g = with_queue(queue, 8);
    uint32_t tag = GDDR5_NONE;
    push_one(g, 0, 3, 7, false);             /* opens row 7 of bank 3 */
    for (uint64_t now = 1; now <= 20; now++) /* it may be closed from cycle 29 on (tRAS) */
        gddr5_tick(g, now);
    gddr5_push(g, 20, &req[0]);
    for (uint64_t now = 21; now < 200; now++) {
        if (now == 21 + gap)
            gddr5_push(g, now - 1, &req[1]);
        const uint32_t column = gddr5_tick(g, now);
        tag = tag == GDDR5_NONE ? column : tag;
        if (gddr5_done(g, now) != GDDR5_NONE)
            gddr5_take(g, now);
    }
    assert_true(gddr5_empty(g));
    gddr5_destroy(g);
    return tag;
}

/* A row hit that comes together with an older conflict passes it. One that comes when the bank has
 * taken the conflict does not, although no command has gone. */
static void a_bank_keeps_what_it_took(void **state) {
    (void)state;
    const struct gddr5_req req[2] = {{8, 3, 0, 50, false}, {7, 3, 0, 51, false}};
    for (enum gddr5_queue queue = GDDR5_SPLIT; queue <= GDDR5_TAKEN; queue++)
        assert_int_equal(first_of(queue, req, 0), 51);
    for (enum gddr5_queue queue = GDDR5_SPLIT; queue <= GDDR5_TAKEN; queue++)
        assert_int_equal(first_of(queue, req, 1), queue == GDDR5_TAKEN ? 50 : 51);
}

/* Bank 3 is opened in CK 1. Requests for banks 2 and 9 come after it, the one for bank 2 first, in
 * CK `pushed`. Returns the ACT that follows. */
static struct command act_behind(enum gddr5_queue queue, uint64_t pushed) {
    struct drive d = {0};
    int64_t issued[16];
    struct gddr5 *g = with_queue(queue, 8);
    d.issued = issued;
    gddr5_trace(g, record, &d);
    push_one(g, 0, 3, 0, false);
    for (uint64_t now = 1; now < 10; now++) {
        gddr5_tick(g, now);
        if (now == pushed) {
            push_one(g, now, 2, 0, false);
            push_one(g, now, 9, 0, false);
        }
    }
    assert_int_equal(d.n_commands, 2);
    assert_int_equal(d.command[0].bank, 3);
    const struct command act = d.command[1];
    gddr5_destroy(g);
    free(d.command);
    return act;
}

/* After a row command of bank 3, bank 9 goes before the older request of bank 2; and where each
 * could issue as soon as it has its request, bank 9 takes its own first. */
static void banks_go_in_turn(void **state) {
    (void)state;
    for (enum gddr5_queue queue = GDDR5_SHARED; queue <= GDDR5_TAKEN; queue++)
        for (uint64_t pushed = 1; pushed < 9; pushed += 7) {
            const struct command act = act_behind(queue, pushed);
            assert_int_equal(act.bank, queue == GDDR5_TAKEN ? 9 : 2);
            assert_int_equal(act.at, pushed == 1 ? 1 + timings[GTX480].rrd : 9);
        }
}

/* Bank 3 is opened in CK 1 and may be read in CK 1 + tRCD. For that CK, another bank gets a request
 * and may be opened, too. Bank `turn` is then the first in turn, 5, or 6 if bank 4 was opened after
 * bank 3: bank b has place b - turn. Returns how many CK after the RD the ACT goes; the first of
 * them goes in that CK. */
static int act_after_read(bool row_in_turn, uint32_t turn, uint32_t other) {
    struct gddr5_size size = size_of(GTX480);
    const int64_t readable = 1 + size.timing.rcd;
    struct drive d = {0};
    int64_t issued[16];
    size.queue = GDDR5_TAKEN;
    size.row_in_turn = row_in_turn;
    struct gddr5 *g = gddr5_create(&size);
    assert_non_null(g);
    d.issued = issued;
    gddr5_trace(g, record, &d);
    push_one(g, 0, 3, 0, false);
    for (int64_t now = 1; now < readable + 4; now++) {
        if (now == readable)
            push_one(g, (uint64_t)now - 1, other, 0, false);
        gddr5_tick(g, (uint64_t)now);
        if (now == 1 && turn == 6)
            push_one(g, (uint64_t)now, 4, 0, false);
    }
    const struct command *act = &d.command[turn - 4], *rd = act + 1; /* after the ACTs before */
    assert_int_equal(d.n_commands, turn - 2);
    assert_int_equal(act->at, readable);
    if (act->cmd == GDDR5_RD)
        rd = act++;
    assert_true(act->cmd == GDDR5_ACT && act->bank == other);
    assert_true(rd->cmd == GDDR5_RD && rd->bank == 3);
    int after = (int)(act->at - rd->at);
    gddr5_destroy(g);
    free(d.command);
    return after;
}

/* A row command goes with a column command of a bank far enough behind it: from place r, the search
 * for one goes on at 2 r + 2. */
static void a_row_command_goes_in_turn(void **state) {
    (void)state;
    assert_int_equal(act_after_read(true, 5, 9), 0);   /* bank 3 at 14; place 4: on at 10 */
    assert_int_equal(act_after_read(true, 5, 11), 0);  /* place 6: on at 14 */
    assert_int_equal(act_after_read(true, 5, 12), -1); /* place 7: on at 16 */
    assert_int_equal(act_after_read(true, 5, 4), 1);   /* place 15 */
    assert_int_equal(act_after_read(true, 6, 11), 0);  /* bank 3 at 13; place 5: on at 12 */
    assert_int_equal(act_after_read(true, 6, 12), -1); /* place 6: on at 14 */
    assert_int_equal(act_after_read(false, 5, 9), 1);
    assert_int_equal(act_after_read(false, 5, 12), 1);
}

/* ---- statistics ---- */

/* A read and a write: their data come in CK 25 and 26, and in 29 and 30. */
static void the_bus_is_used_as_data_come(void **state) {
    (void)state;
    static const uint64_t used[] = {0, 0, 1, 2, 2, 2, 3, 4, 4}; /* up to CK 24, 25 .. 32 */
    struct gddr5 *g = with_queue(GDDR5_SPLIT, 8);
    push_one(g, 0, 0, 0, false);
    push_one(g, 0, 0, 0, true);
    for (uint64_t now = 1; now <= 32; now++) {
        gddr5_tick(g, now);
        assert_int_equal(gddr5_bus_used(g, now), now < 24 ? 0 : used[now - 24]);
    }
    gddr5_destroy(g);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unloaded_latency),
        cmocka_unit_test(cycles_a_request),
        cmocka_unit_test(reads_and_writes_in_turn),
        cmocka_unit_test(the_cap_bounds_the_wait),
        cmocka_unit_test(the_cap_holds_for_every_request),
        cmocka_unit_test(writes_do_not_starve_reads),
        cmocka_unit_test(a_read_does_not_wait_for_the_watermark),
        cmocka_unit_test(the_age_cap_bounds_the_wait),
        cmocka_unit_test(no_run_holds_up_an_urgent_request),
        cmocka_unit_test(urgent_requests_share_a_turn),
        cmocka_unit_test(no_request_becomes_urgent_late),
        cmocka_unit_test(refresh_takes_its_share),
        cmocka_unit_test(fcfs_opens_rows_ahead),
        cmocka_unit_test(one_queue_has_both),
        cmocka_unit_test(banks_take_requests),
        cmocka_unit_test(a_bank_keeps_what_it_took),
        cmocka_unit_test(banks_go_in_turn),
        cmocka_unit_test(a_row_command_goes_in_turn),
        cmocka_unit_test(the_bus_is_used_as_data_come),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
