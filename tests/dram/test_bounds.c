// SPDX-License-Identifier: Apache-2.0
/* Tests a channel with GTX480 timings and without refresh under a saturating stream of 64 requests
 * in flight. The latencies and the cycles per request must stay within theoretical bounds. Other
 * tests show the purpose of caps and watermarks. */
#include "tests/dram/fixture.h"

#define MANY 20000

/* Kinds of streams. NEW_ROW has new rows in bank 0, ROW_HITS has row hits in all banks, NEW_ROW_ALL
 * has new rows in all banks, and IN_TURN alternates between reads and writes. */
enum dram_kind { NEW_ROW, ROW_HITS, NEW_ROW_ALL, IN_TURN };

static struct dram_stream stream_of(enum dram_kind kind, uint64_t n) {
    struct dram_stream s = stream_new(n);
    for (uint64_t i = 0; i < n; i++) {
        struct gddr5_req *r = &s.req[i];
        r->bank = kind == NEW_ROW ? 0 : (uint32_t)(i % 16);
        r->row = kind == NEW_ROW ? i : kind == NEW_ROW_ALL ? i / 16 : i / 1024;
        r->col = kind == NEW_ROW ? 0 : (uint32_t)(i / 16 % 64);
        r->write = kind == IN_TURN && i % 2;
    }
    return s;
}

/* Returns requests to consecutive atoms, in the layout of GTX480. */
static struct dram_stream sequential(uint64_t n) {
    struct dram_stream s = stream_new(n);
    for (uint64_t i = 0; i < n; i++) {
        struct gddr5_req *r = &s.req[i];
        r->col = (uint32_t)((i >> 3 & 15) << 2 | (i & 3));
        r->bank = (uint32_t)((i >> 7 & 7) << 1 | (i >> 2 & 1));
        r->row = i >> 10;
    }
    return s;
}

static struct drive drive_all(const struct gddr5_size *size, struct dram_stream s) {
    struct drive d = drive(size, &s, true, false, 0);
    stream_free(&s);
    return d;
}

static double cycles_each(const struct gddr5_size *size, struct dram_stream s) {
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
    struct gddr5_size size = size_of(GTX480);
    struct dram_stream s = stream_new(3);
    s.gap[0] = 7;
    s.gap[1] = s.gap[2] = 1000;
    s.req[1].row = 1; /* a row conflict */
    s.req[2].row = 1; /* a row hit */
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

/* A write queue saves bus turns. Without the queue, each write needs two turns. */
static void reads_and_writes_in_turn(void **state) {
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

/* Returns the number of younger requests of the same bank and kind that are served before request
 * i. */
static uint64_t passed_by(const struct dram_stream *s, const struct drive *d, uint64_t i) {
    uint64_t n = 0;
    for (uint64_t j = i + 1; j < s->n; j++)
        n += s->req[j].bank == s->req[i].bank && s->req[j].write == s->req[i].write &&
             d->issued[j] < d->issued[i];
    return n;
}

/* The cap limits the wait of a request for another row in an endless stream of row hits in its
 * bank. */
static void the_cap_bounds_the_wait(void **state) {
    struct dram_stream s = stream_new(2000);
    for (uint64_t i = 0; i < s.n; i++)
        s.req[i] = (struct gddr5_req){i == 100, 0, (uint32_t)(i % 64), (uint32_t)i, false};
    for (uint32_t cap = 0; cap <= 16; cap += 4) {
        struct gddr5_size size = size_of(GTX480);
        size.streak_cap = cap;
        struct drive d = drive(&size, &s, true, false, 0);
        uint64_t passed = passed_by(&s, &d, 100);
        if (cap)
            /* exactly `cap` requests overtake request 100, as a row hit always waits */
            assert_int_equal(passed, cap);
        else
            assert_int_equal(passed, s.n - 101); /* the request is served last */
        int64_t wait = d.issued[100] - d.pushed[100];
        /* bound: 64 earlier and `cap` later requests, each CCDL = 3 cycles; one row change, which
         * takes RAS + RP + RCD = 28 + 12 + 12 cycles; and CCDL for the request itself */
        if (cap && wait > (64 + cap) * 3 + 28 + 12 + 12 + 3)
            fail_msg("cap %u: waited %lld", (unsigned)cap, (long long)wait);
        drive_free(&d);
    }
    stream_free(&s);
}

static void the_cap_holds_for_every_request(void **state) {
    for (uint32_t cap = 1; cap <= 8; cap++) {
        struct gddr5_size size = size_of((int)cap % TIMINGS);
        size.streak_cap = cap;
        struct dram_stream s = stream_new(3000);
        srand(cap);
        uint64_t most = 0;
        for (uint64_t i = 0; i < s.n; i++) {
            s.req[i].bank = (uint32_t)rand() % 3;
            s.req[i].row = (uint64_t)rand() % 8 ? 0 : (uint64_t)rand() % 4;
            s.req[i].col = (uint32_t)i; /* all columns differ */
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

/* An occasional read among endless writes waits for at most one run of writes. */
static void writes_do_not_starve_reads(void **state) {
    struct gddr5_size size = size_of(GTX480);
    struct dram_stream s = stream_of(ROW_HITS, 5000);
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

/* A write that the watermarks would delay is issued if a read waits for the same address. */
static void a_read_does_not_wait_for_the_watermark(void **state) {
    struct gddr5_size size = size_of(GTX480);
    struct dram_stream s = stream_of(ROW_HITS, 4000);
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

/* Request in an endless stream of requests that would always have priority over it. */
struct starved {
    const char *what;
    struct gddr5_req others[2], one; /* the stream repeats the two requests in `others` */
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
    struct dram_stream s = stream_new(ALL);
    for (uint32_t i = 0; i < s.n; i++) {
        s.req[i] = i >= AT && i < AT + ONES ? c->one : c->others[i % 2];
        s.req[i].tag = i;
        s.req[i].col = i; /* all columns differ */
        s.req[i].row += i >= AT && i < AT + ONES ? i : 0;
    }
    s.req[0].row = s.req[0].bank == c->one.bank ? 0 : 1; /* opens a row in the bank of c->one */
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

/* Without an age cap, the starved requests are served nearly last. With a cap, each waits for at
 * most the cap, one run of the other kind (64 requests), a row change and two bus turns. */
static void the_age_cap_bounds_the_wait(void **state) {
    for (size_t i = 0; i < sizeof starved / sizeof starved[0]; i++) {
        int64_t with = wait_of_the_one(&starved[i], 2000),
                without = wait_of_the_one(&starved[i], 0);
        if (without < 15000 || with > 2000 + 500)
            fail_msg("%s: waited %lld without a cap, %lld with one", starved[i].what,
                     (long long)without, (long long)with);
    }
}

/* Runs requests that each need a new row in one bank, and a few requests of the other kind from
 * index AT on. Returns the longest wait of those few. */
static int64_t wait_behind_rows(const struct gddr5_size *size, bool writes) {
    enum { AT = 4500, EVERY = 7, FEW = 3, ALL = 5000 };
    struct dram_stream s = stream_of(NEW_ROW, ALL);
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

/* An urgent request ends the minimum run of reads and the longest run of writes early. */
static void no_run_holds_up_an_urgent_request(void **state) {
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

/* If both kinds always have urgent requests, each bus turn serves at least eight requests. If one
 * waiting write is urgent, one turn serves all waiting writes. */
static void urgent_requests_share_a_turn(void **state) {
    struct gddr5_size size = size_of(GTX480);
    size.age_cap = 1;
    struct drive d = drive_all(&size, stream_of(IN_TURN, MANY));
    if (d.stats.turns > MANY / 8)
        fail_msg("%d turns", (int)d.stats.turns);
    drive_free(&d);
    size.age_cap = 2000;
    size.write_low = 52; /* only few writes ever wait, so the watermarks start no run of writes */
    struct dram_stream s = stream_of(ROW_HITS, MANY);
    for (uint64_t i = 0; i < s.n; i += 40)
        s.req[i].write = true;
    expect_near("a write in 40", cycles_each(&size, s), 2.05, 0.05);
}

/* Reads that each need a new row in one bank leave idle cycles. A write may become urgent in any
 * idle cycle, and must be issued no later if idle cycles are skipped. */
static void no_request_becomes_urgent_late(void **state) {
    for (uint32_t cap = 500; cap < 550; cap++) {
        struct gddr5_size size = size_of(GTX480);
        size.age_cap = cap;
        struct dram_stream s = stream_of(NEW_ROW, 250);
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
    struct gddr5_size size = size_of(GB8);
    size.timing.refi = 3800;
    double with = cycles_each(&size, sequential(MANY));
    /* Each 3800 cycles contain one refresh, which takes RFC = 74 cycles. Its PREA and the following
     * ACTs take further cycles, for which the upper limit allows 8 %. */
    double least = 2 * 3800.0 / (3800 - 74);
    if (with < least || with > 1.08 * least)
        fail_msg("%.4f cycles a request with refresh, not %.4f or little more", with, least);
}

/* First come, first served returns data in order but opens rows ahead of time. */
static void fcfs_opens_rows_ahead(void **state) {
    struct gddr5_size size = size_of(GTX480);
    size.fcfs = true;
    expect_near("new row, all banks", cycles_each(&size, stream_of(NEW_ROW_ALL, MANY)), 6.25, 0.26);
    expect_near("new row, one bank", cycles_each(&size, stream_of(NEW_ROW, MANY)), 40, 0.01);
    double in_turn = cycles_each(&size, stream_of(IN_TURN, MANY));
    expect_near("in turn", in_turn, (12 + 11) / 2.0, 0.5); /* waits for tRTW and tWTR alternate */
}

/* ---- one queue ---- */

static struct gddr5 *with_queue(bool taken, uint32_t places) {
    struct gddr5_size size = size_of(GTX480);
    size.shared_queue = taken;
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

/* One bank per cycle takes a request out of the queue, which frees the queue entry. */
static void banks_take_requests(void **state) {
    struct gddr5 *g = with_queue(true, 4);
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

/* Opens row 7 of bank 3 and pushes two requests, the second `gap` cycles after the first. Returns
 * the tag of the request that is served first. */
static uint32_t first_of(bool taken, const struct gddr5_req req[2], uint64_t gap) {
    struct gddr5 *g = with_queue(taken, 8);
    uint32_t tag = GDDR5_NONE;
    push_one(g, 0, 3, 7, false);             /* opens row 7 of bank 3 */
    for (uint64_t now = 1; now <= 20; now++) /* row 7 may be closed from cycle 29 on (tRAS) */
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

/* If a row hit and an older row conflict arrive together, the hit is served first. If the hit
 * arrives after the bank has taken the conflict, the hit is served second, although no command has
 * been issued. */
static void a_bank_keeps_what_it_took(void **state) {
    const struct gddr5_req req[2] = {{8, 3, 0, 50, false}, {7, 3, 0, 51, false}};
    assert_int_equal(first_of(false, req, 0), 51);
    assert_int_equal(first_of(true, req, 0), 51);
    assert_int_equal(first_of(false, req, 1), 51);
    assert_int_equal(first_of(true, req, 1), 50);
}

/* Opens bank 3 in CK 1, and in CK `pushed` pushes requests for bank 2 and then bank 9. Returns the
 * next ACT. */
static struct dram_command act_behind(bool taken, uint64_t pushed) {
    struct drive d = {0};
    int64_t issued[16];
    struct gddr5 *g = with_queue(taken, 8);
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
    const struct dram_command act = d.command[1];
    gddr5_destroy(g);
    free(d.command);
    return act;
}

/* If banks take requests, bank 9 has priority over the older request for bank 2 after a row
 * command to bank 3. If the requests come so late that each could be issued immediately, bank 9
 * still takes its request first. */
static void banks_go_in_turn(void **state) {
    for (int taken = 0; taken < 2; taken++)
        for (uint64_t pushed = 1; pushed < 9; pushed += 7) {
            const struct dram_command act = act_behind(taken, pushed);
            assert_int_equal(act.bank, taken ? 9 : 2);
            assert_int_equal(act.at, pushed == 1 ? 1 + timings[GTX480].rrd : 9);
        }
}

/* Opens bank 3 in CK 1, so that it may be read from CK 1 + tRCD on. Another bank gets a request
 * that may also open it in that CK. The turn begins with bank `turn`: 5, or 6 if bank 4 was opened
 * after bank 3. Bank b has position b - turn modulo 16. Returns the number of CKs from the RD to
 * the ACT, 0 if both are in the same CK, or a negative number if the ACT precedes the RD. */
static int act_after_read(uint32_t turn, uint32_t other) {
    struct gddr5_size size = size_of(GTX480);
    const int64_t readable = 1 + size.timing.rcd;
    struct drive d = {0};
    int64_t issued[16];
    size.shared_queue = true;
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
    const struct dram_command *act = &d.command[turn - 4],
                              *rd = act + 1; /* the RD follows the earlier ACTs */
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

/* A row command and a column command are issued together only if the column command's bank is far
 * enough after the row command's bank: from position r, the search for a column command continues
 * at 2 r + 2. */
static void a_row_command_goes_in_turn(void **state) {
    /* bank 3 is at position 14; from position 4 the search continues at 10 */
    assert_int_equal(act_after_read(5, 9), 0);
    assert_int_equal(act_after_read(5, 11), 0);  /* from position 6 the search continues at 14 */
    assert_int_equal(act_after_read(5, 12), -1); /* from position 7 the search continues at 16 */
    assert_int_equal(act_after_read(5, 4), 1);   /* the other bank is at position 15 */
    /* bank 3 is at position 13; from position 5 the search continues at 12 */
    assert_int_equal(act_after_read(6, 11), 0);
    assert_int_equal(act_after_read(6, 12), -1); /* from position 6 the search continues at 14 */
}

/* ---- statistics ---- */

/* The data of a read use the bus in CK 25 and 26, and those of a write in CK 29 and 30. */
static void the_bus_is_used_as_data_come(void **state) {
    /* number of used cycles up to CK 24, 25, .. 32 */
    static const uint64_t used[] = {0, 0, 1, 2, 2, 2, 3, 4, 4};
    struct gddr5 *g = with_queue(false, 8);
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
        cmocka_unit_test(banks_take_requests),
        cmocka_unit_test(a_bank_keeps_what_it_took),
        cmocka_unit_test(banks_go_in_turn),
        cmocka_unit_test(a_row_command_goes_in_turn),
        cmocka_unit_test(the_bus_is_used_as_data_come),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
