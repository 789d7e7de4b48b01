// SPDX-License-Identifier: Apache-2.0
/* Tests that every command trace of the model obeys the rules in legal.h, that the checker finds
 * planted violations of each rule, and that commands are issued as early as possible. */
#include "tests/dram/fixture.h"

/* ---- the checker can fail ---- */

#define AT(name) offsetof(struct gddr5_timing, name)

/* A trace whose last command breaks a rule if it is one cycle earlier. */
struct legal_fault {
    const char *rule;
    size_t parameter; /* offset of the timing that is set to VALUE; all others are 1 */
    struct dram_command before[3];
    struct dram_command last;
    int64_t from;  /* cycle from which the distance is counted */
    int64_t extra; /* number of cycles by which the distance exceeds VALUE */
};

#define VALUE 20
#define ACT(b, t)                                                                                  \
    { t, GDDR5_ACT, b, 0, 0, 5 }
#define RD(b, t)                                                                                   \
    { t, GDDR5_RD, b, 0, 0, 5 }
#define WR(b, t)                                                                                   \
    { t, GDDR5_WR, b, 0, 0, 5 }
#define PRE(b, t)                                                                                  \
    { t, GDDR5_PRE, b, 0, 0, 5 }
#define PREA(t)                                                                                    \
    { t, GDDR5_PREA, 0, 0, 0, 0 }
#define REF(t)                                                                                     \
    { t, GDDR5_REF, 0, 0, 0, 0 }
#define REFPB(b, t)                                                                                \
    { t, GDDR5_REFPB, b, 0, 0, 0 }
#define NOTHING                                                                                    \
    { NEVER, GDDR5_ACT, 0, 0, 0, 0 }

/* Banks 0 and 4 are in one group; banks 0 and 1 are not. */
static const struct legal_fault faults[] = {
    {"tRC", AT(rc), {ACT(0, 0), PRE(0, 2), NOTHING}, ACT(0, 0), 0, 0},
    {"tRRD", AT(rrd), {ACT(0, 0), NOTHING, NOTHING}, ACT(1, 0), 0, 0},
    {"tRCDRD", AT(rcd), {ACT(0, 0), NOTHING, NOTHING}, RD(0, 0), 0, 0},
    {"tRCDWR", AT(rcdwr), {ACT(0, 0), NOTHING, NOTHING}, WR(0, 0), 0, 0},
    {"tRAS", AT(ras), {ACT(0, 0), NOTHING, NOTHING}, PRE(0, 0), 0, 0},
    {"tRP", AT(rp), {ACT(0, 0), PRE(0, 1), NOTHING}, ACT(0, 0), 1, 0},
    {"tRTP", AT(rtp), {ACT(0, 0), RD(0, 1), NOTHING}, PRE(0, 0), 1, 0},
    {"tRTPL", AT(rtpl), {ACT(0, 0), ACT(4, 1), RD(0, 2)}, PRE(4, 0), 2, 0},
    {"tWTP", AT(wr), {ACT(0, 0), WR(0, 1), NOTHING}, PRE(0, 0), 1, 2},
    {"tWTP", AT(wtp), {ACT(0, 0), WR(0, 1), NOTHING}, PRE(0, 0), 1, 0},
    {"tCCD", AT(ccd), {ACT(0, 0), ACT(1, 1), RD(0, 2)}, RD(1, 0), 2, 0},
    {"tCCD", AT(ccd), {ACT(0, 0), ACT(1, 1), WR(0, 2)}, WR(1, 0), 2, 0},
    {"tCCDL", AT(ccdl), {ACT(0, 0), ACT(4, 1), RD(0, 2)}, RD(4, 0), 2, 0},
    {"tCCDL", AT(ccdl), {ACT(0, 0), ACT(4, 1), WR(0, 2)}, WR(4, 0), 2, 0},
    {"tRTW", AT(rtw), {ACT(0, 0), ACT(1, 1), RD(0, 2)}, WR(1, 0), 2, 0},
    {"tWTR", AT(wtr), {ACT(0, 0), ACT(1, 1), WR(0, 2)}, RD(1, 0), 2, 0},
    {"tWTR", AT(cdlr), {ACT(0, 0), ACT(1, 1), WR(0, 2)}, RD(1, 0), 2, 2},
    {"data bus", AT(burst), {ACT(0, 0), ACT(1, 1), RD(0, 2)}, RD(1, 0), 2, 0},
    {"data bus", AT(burst), {ACT(0, 0), ACT(1, 1), WR(0, 2)}, WR(1, 0), 2, 0},
    {"data bus", AT(cl), {ACT(0, 0), ACT(1, 1), RD(0, 2)}, WR(1, 0), 2, 0},
    {"data bus", AT(wl), {ACT(0, 0), ACT(1, 1), WR(0, 2)}, RD(1, 0), 2, 0},
    {"tRP to REF", AT(rp), {ACT(0, 0), PRE(0, 1), NOTHING}, REF(0), 1, 0},
    {"tRP to REF", AT(rp), {ACT(0, 0), PREA(1), NOTHING}, REF(0), 1, 0},
    {"tRP", AT(rp), {ACT(0, 0), PREA(1), NOTHING}, ACT(0, 0), 1, 0},
    {"tRC to REF", AT(rc), {ACT(0, 0), PRE(0, 1), NOTHING}, REF(0), 0, 0},
    {"tRAS", AT(ras), {ACT(0, 0), NOTHING, NOTHING}, PREA(0), 0, 0},
    {"tRTP", AT(rtp), {ACT(0, 0), RD(0, 1), NOTHING}, PREA(0), 1, 0},
    {"tWTP", AT(wtp), {ACT(0, 0), WR(0, 1), NOTHING}, PREA(0), 1, 0},
    {"tRFC", AT(rfc), {REF(0), NOTHING, NOTHING}, ACT(0, 0), 0, 0},
    {"tRFC", AT(rfc), {REF(0), NOTHING, NOTHING}, REF(0), 0, 0},
    {"tRRDL", AT(rrdl), {ACT(0, 0), NOTHING, NOTHING}, ACT(4, 0), 0, 0},
    {"tWTRL", AT(cdlrl), {ACT(0, 0), ACT(4, 1), WR(0, 2)}, RD(4, 0), 2, 2},
    {"tPPD", AT(ppd), {ACT(0, 0), ACT(1, 1), PRE(0, 2)}, PRE(1, 0), 2, 0},
    {"tPPD", AT(ppd), {ACT(0, 0), ACT(1, 1), PRE(0, 2)}, PREA(0), 2, 0},
    {"tRC", AT(rc), {ACT(0, 0), PRE(0, 1), NOTHING}, REFPB(0, 0), 0, 0},
    {"tRP", AT(rp), {ACT(0, 0), PRE(0, 1), NOTHING}, REFPB(0, 0), 1, 0},
    {"tRRD", AT(rrd), {ACT(0, 0), NOTHING, NOTHING}, REFPB(1, 0), 0, 0},
    {"tRRDL", AT(rrdl), {ACT(0, 0), NOTHING, NOTHING}, REFPB(4, 0), 0, 0},
    {"tRFCpb", AT(rfcpb), {REFPB(0, 0), NOTHING, NOTHING}, ACT(0, 0), 0, 0},
    {"tRFCpb", AT(rfcpb), {REFPB(0, 0), NOTHING, NOTHING}, REFPB(0, 0), 0, 0},
    {"tRREFD", AT(rrefd), {REFPB(0, 0), NOTHING, NOTHING}, ACT(1, 0), 0, 0},
    {"tRREFD", AT(rrefd), {REFPB(0, 0), NOTHING, NOTHING}, REFPB(1, 0), 0, 0},
    {"tRREFD", AT(rrd), {REFPB(0, 0), NOTHING, NOTHING}, ACT(1, 0), 0, 0},
};

static struct gddr5_size all_ones(void) {
    struct gddr5_size s = size_of(GTX480);
    s.timing = (struct gddr5_timing){.burst = 1,
                                     .cl = 1,
                                     .wl = 1,
                                     .rcd = 1,
                                     .rp = 1,
                                     .ras = 1,
                                     .rc = 1,
                                     .rrd = 1,
                                     .ccd = 1,
                                     .ccdl = 1,
                                     .wr = 1,
                                     .cdlr = 1,
                                     .rtp = 1,
                                     .rcdwr = 1,
                                     .rtw = 1,
                                     .wtr = 1,
                                     .wtp = 1,
                                     .rtpl = 1,
                                     .rfc = 1,
                                     .rfcpb = 1};
    return s;
}

static const char *judge_planted(const struct legal_fault *p, int64_t distance) {
    struct gddr5_size s = all_ones();
    if (p->parameter == AT(wr))
        s.timing.wtp = 0;
    if (p->parameter == AT(cdlr))
        s.timing.wtr = 0;
    *(uint32_t *)(void *)((char *)&s.timing + p->parameter) = VALUE;
    struct dram_legal l;
    legal_init(&l, &s);
    for (unsigned i = 0; i < 3 && p->before[i].at != NEVER; i++)
        assert_null(legal_step(&l, &p->before[i]));
    struct dram_command last = p->last;
    last.at = p->from + distance;
    return legal_step(&l, &last);
}

static void each_rule_is_enforced(void **state) {
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        int64_t distance = VALUE + faults[i].extra;
        const char *good = judge_planted(&faults[i], distance);
        const char *bad = judge_planted(&faults[i], distance - 1);
        if (good || !bad || strcmp(bad, faults[i].rule) != 0)
            fail_msg("planted %u, %s: at %d '%s', one earlier '%s'", (unsigned)i, faults[i].rule,
                     (int)distance, good ? good : "legal", bad ? bad : "legal");
    }
}

/* Checks n ACTs in consecutive cycles and another ACT `window` cycles after the first. Returns the
 * rule that the last ACT breaks, or NULL if there is none. */
static const char *judge_window(const struct gddr5_size *size, uint32_t n, int64_t window) {
    struct dram_legal l;
    legal_init(&l, size);
    for (uint32_t i = 0; i <= n; i++) {
        const struct dram_command c = ACT(i, i < n ? (int64_t)i : window);
        const char *why = legal_step(&l, &c);
        if (i == n)
            return why;
        assert_null(why);
    }
    return "no ACT";
}

static void windows_are_enforced(void **state) {
    struct gddr5_size s = all_ones();
    s.banks = 64;
    s.timing.faw = VALUE;
    assert_null(judge_window(&s, 4, VALUE));
    assert_string_equal(judge_window(&s, 4, VALUE - 1), "tFAW");
    s.timing.faw = 0;
    s.timing.aw32 = 100;
    assert_null(judge_window(&s, 32, 100));
    assert_string_equal(judge_window(&s, 32, 99), "t32AW");
}

enum pairs { PAIRS_NONE, PAIRS_ANY, PAIRS_IN_TURN };

static const char *judge_all(const struct dram_command *c, unsigned n, enum pairs pairs) {
    struct gddr5_size s = all_ones();
    struct dram_legal l;
    s.two_buses = pairs == PAIRS_ANY;
    s.shared_queue = pairs == PAIRS_IN_TURN;
    legal_init(&l, &s);
    const char *why = NULL;
    for (unsigned i = 0; i < n; i++) {
        assert_null(why);
        why = legal_step(&l, &c[i]);
    }
    return why;
}

static void states_and_buses_are_enforced(void **state) {
    static const struct {
        const char *why;
        enum pairs pairs;
        unsigned n;
        struct dram_command c[3];
    } bad[] = {
        {"ACT of an open bank", PAIRS_NONE, 2, {ACT(0, 0), ACT(0, 9), NOTHING}},
        {"column command to a closed bank", PAIRS_NONE, 1, {RD(0, 0), NOTHING, NOTHING}},
        {"column command to a closed bank", PAIRS_NONE, 3, {ACT(0, 0), PRE(0, 5), WR(0, 9)}},
        {"column command to another row",
         PAIRS_NONE,
         2,
         {ACT(0, 0), {9, GDDR5_RD, 0, 0, 0, 6}, NOTHING}},
        {"PRE of a closed bank", PAIRS_NONE, 1, {PRE(0, 0), NOTHING, NOTHING}},
        {"REF with an open bank", PAIRS_NONE, 2, {ACT(0, 0), REF(9), NOTHING}},
        {"REFpb of an open bank", PAIRS_NONE, 2, {ACT(0, 0), REFPB(0, 9), NOTHING}},
        {"PREA with no open bank", PAIRS_NONE, 1, {PREA(0), NOTHING, NOTHING}},
        {"two commands in a cycle", PAIRS_NONE, 3, {ACT(0, 0), RD(0, 9), ACT(1, 9)}},
        {"two commands in a cycle", PAIRS_ANY, 3, {ACT(0, 0), ACT(1, 9), PRE(0, 9)}},
        {"two commands in a cycle", PAIRS_NONE, 3, {ACT(0, 0), ACT(1, 9), RD(0, 9)}},
        {"two commands in a cycle", PAIRS_IN_TURN, 3, {ACT(0, 0), RD(0, 9), ACT(1, 9)}},
        {"two commands in a cycle", PAIRS_IN_TURN, 3, {ACT(0, 0), ACT(1, 9), PRE(0, 9)}},
        {"time runs back", PAIRS_NONE, 2, {ACT(0, 9), ACT(1, 8), NOTHING}},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        const char *why = judge_all(bad[i].c, bad[i].n, bad[i].pairs);
        assert_non_null(why);
        assert_string_equal(why, bad[i].why);
    }
    const struct dram_command both[] = {ACT(0, 0), RD(0, 9), ACT(1, 9)};
    const struct dram_command in_turn[] = {ACT(0, 0), ACT(1, 9), RD(0, 9)};
    assert_null(judge_all(both, 3, PAIRS_ANY));
    assert_null(judge_all(in_turn, 3, PAIRS_IN_TURN));
}

static void conservation_is_enforced(void **state) {
    const struct gddr5_req req[2] = {{5, 0, 0, 0, false}, {5, 1, 7, 1, true}};
    const struct dram_command good[] = {{0, GDDR5_RD, 0, 0, 0, 5}, {9, GDDR5_WR, 1, 7, 1, 5}};
    const struct dram_command twice[] = {good[0], good[0], good[1]};
    const struct dram_command unasked[] = {good[0], {9, GDDR5_WR, 1, 7, 2, 5}};
    struct dram_command wrong[] = {good[0], good[1]};
    uint8_t seen[2] = {0};
    assert_null(legal_conserved(good, 2, req, 2, seen));
    memset(seen, 0, sizeof seen);
    assert_string_equal(legal_conserved(good, 1, req, 2, seen),
                        "a request without a column command");
    memset(seen, 0, sizeof seen);
    assert_string_equal(legal_conserved(twice, 3, req, 2, seen),
                        "a second column command for a request");
    memset(seen, 0, sizeof seen);
    assert_string_equal(legal_conserved(unasked, 2, req, 2, seen),
                        "a column command without a request");
    for (unsigned what = 0; what < 4; what++) {
        wrong[1] = good[1];
        wrong[1].cmd = what == 0 ? GDDR5_RD : GDDR5_WR;
        wrong[1].bank += what == 1;
        wrong[1].row += what == 2;
        wrong[1].col += what == 3;
        memset(seen, 0, sizeof seen);
        assert_string_equal(legal_conserved(wrong, 2, req, 2, seen),
                            "a column command to another place");
    }
}

/* ---- random streams ---- */

enum {
    MIX_READS,
    MIX_WRITES,
    MIX_BOTH,
    MIX_HOT_ROWS,
    MIX_CONFLICTS,
    MIX_ONE_GROUP,
    MIX_SAME,
    MIXES
};

static struct dram_stream random_stream(int mix, uint64_t n, unsigned seed) {
    struct dram_stream s = stream_new(n);
    srand(seed);
    for (uint64_t i = 0; i < n; i++) {
        struct gddr5_req *r = &s.req[i];
        unsigned x = (unsigned)rand();
        r->write = mix == MIX_READS ? false : mix == MIX_WRITES ? true : x % 3 == 0;
        r->bank = (uint32_t)rand() % 16;
        r->row = (uint64_t)rand() % 6;
        r->col = (uint32_t)rand() % 64;
        if (mix == MIX_HOT_ROWS)
            r->row = rand() % 10 == 0;
        if (mix == MIX_CONFLICTS)
            r->bank = (uint32_t)rand() % 2;
        if (mix == MIX_ONE_GROUP)
            r->bank &= 12;
        if (mix == MIX_SAME) {
            r->bank = 3;
            r->row = (uint64_t)rand() % 2;
            r->col = (uint32_t)rand() % 2;
        }
        /* the stream mostly saturates the channel, but sometimes pauses until the queues are empty
         */
        s.gap[i] = rand() % 100 == 0 ? (uint32_t)rand() % 3000 : (uint32_t)rand() % 4;
    }
    return s;
}

static void expect_legal(const struct gddr5_size *size, const struct dram_stream *s,
                         const struct drive *d) {
    struct dram_legal l;
    legal_init(&l, size);
    for (uint64_t i = 0; i < d->n_commands; i++) {
        const struct dram_command *c = &d->command[i];
        const char *why = legal_step(&l, c);
        if (why)
            fail_msg("%s at %lld of bank %u breaks %s", gddr5_cmd_name[c->cmd], (long long)c->at,
                     (unsigned)c->bank, why);
    }
    uint8_t *seen = calloc(s->n, 1);
    assert_non_null(seen);
    const char *why = legal_conserved(d->command, d->n_commands, s->req, s->n, seen);
    free(seen);
    if (why)
        fail_msg("%s", why);
}

/* Checks that two requests to one address, at least one of which is a write, are served in order
 * of arrival, and that data arrive in the right cycle. With FCFS, all requests must be served in
 * order. */
static void expect_order(const struct gddr5_size *size, const struct dram_stream *s,
                         const struct drive *d, bool slow) {
    for (uint64_t i = 0; i < s->n; i++) {
        const struct gddr5_req *a = &s->req[i];
        assert_true(d->issued[i] > d->pushed[i]);
        int64_t due = d->issued[i] + size->timing.cl + size->timing.burst;
        if (!a->write && (slow ? d->done[i] < due : d->done[i] != due))
            fail_msg("data of request %d at %lld instead of %lld", (int)i, (long long)d->done[i],
                     (long long)due);
        if (size->fcfs && i)
            assert_true(d->issued[i] > d->issued[i - 1]);
        for (uint64_t j = i + 1; j < s->n && j < i + 200; j++) {
            const struct gddr5_req *b = &s->req[j];
            if (a->bank == b->bank && a->row == b->row && a->col == b->col &&
                (a->write || b->write) && d->issued[j] < d->issued[i])
                fail_msg("request %d passed %d to the same place", (int)j, (int)i);
        }
    }
}

/* Checks that all banks are refreshed in turn, and that no refresh is late by more than the time
 * to close a row. */
static void expect_turns(const struct gddr5_size *size, const struct drive *d) {
    const struct gddr5_timing t = gddr5_derived(&size->timing);
    int64_t due = t.refipb, late = 0;
    uint32_t bank = 0;
    for (uint64_t i = 0; i < d->n_commands; i++) {
        const struct dram_command *c = &d->command[i];
        if (c->cmd != GDDR5_REFPB)
            continue;
        assert_int_equal(c->bank, bank);
        late = c->at - due > late ? c->at - due : late;
        assert_true(c->at >= due);
        bank = (bank + 1) % size->banks;
        due += t.refipb;
    }
    assert_true((int64_t)d->cycles <= due + (int64_t)late);
    if (late >
        (int64_t)t.ras + t.rc + t.rp + t.wtp + t.rtp + t.rtpl + t.rrd + t.rrdl + t.ppd + t.rrefd)
        fail_msg("a refresh %lld late", (long long)late);
}

static uint64_t expect_good(const struct gddr5_size *size, int mix, unsigned seed) {
    struct dram_stream s = random_stream(mix, 400, seed);
    bool slow = seed % 4 == 3;
    struct drive d = drive(size, &s, true, slow, 0);
    expect_legal(size, &s, &d);
    expect_order(size, &s, &d, slow);
    /* an entry is occupied until its request is done or, if the queue is shared, until a bank
     * takes it */
    for (int kind = slow; kind < 2; kind++)
        if (!size->shared_queue)
            assert_int_equal(level_area(&d.stats.held[kind], d.cycles), d.stats.latency_sum[kind]);
        else if (d.stats.latency_sum[kind])
            assert_true(level_area(&d.stats.held[kind], d.cycles) < d.stats.latency_sum[kind]);
    uint64_t refreshes = d.stats.commands[GDDR5_REF];
    if (size->timing.refi) /* no all-bank refresh is missing */
        assert_true(refreshes + 1 >= d.cycles / size->timing.refi &&
                    refreshes <= d.cycles / size->timing.refi);
    if (size->timing.refipb)
        expect_turns(size, &d);
    drive_free(&d);
    stream_free(&s);
    return refreshes;
}

static void random_traces_are_legal(void **state) {
    uint64_t refreshes = 0;
    unsigned seed = 1;
    for (int timing = 0; timing < TIMINGS; timing++)
        for (int mix = 0; mix < MIXES; mix++)
            for (unsigned variant = 0; variant < 8; variant++, seed++) {
                struct gddr5_size size = size_of(timing);
                size.fcfs = variant & 1;
                size.shared_queue = !size.fcfs && seed / 2 % 2;
                size.two_buses = variant & 2;
                if (seed % 5 == 0) {
                    size.read_queue = size.write_queue = size.write_high = 4;
                    size.write_low = 0;
                }
                if ((variant & 4) && !size.timing.refipb) {
                    size.timing.rfc = size.timing.rfc ? size.timing.rfc : 60;
                    size.timing.refi = 1000;
                }
                refreshes += expect_good(&size, mix, seed);
            }
    assert_true(refreshes > 500);
}

/* Draws combinations of timings, groups and windows that no memory in `timings` has. */
static struct gddr5_size random_size(unsigned seed) {
    struct gddr5_size size = size_of(TITANX);
    struct gddr5_timing *t = &size.timing;
    srand(seed);
    uint32_t *const values[] = {&t->cl,  &t->wl,   &t->rcd,  &t->rp,    &t->ras, &t->rrd,
                                &t->rtp, &t->wr,   &t->cdlr, &t->rcdwr, &t->rtw, &t->wtr,
                                &t->wtp, &t->rtpl, &t->rc,   &t->ccdl,  &t->rfc};
    for (unsigned i = 0; i < sizeof values / sizeof values[0]; i++)
        *values[i] = 1 + (uint32_t)rand() % 40;
    if (rand() % 3 == 0)
        t->rc += 60; /* RC exceeds RAS + RP */
    t->burst = 1 + (uint32_t)rand() % 4;
    t->ccd = 2 + (uint32_t)rand() % 4;
    t->faw = rand() % 2 ? (uint32_t)rand() % 200 : 0;
    t->aw32 = rand() % 2 ? (uint32_t)rand() % 2000 : 0;
    t->refi = rand() % 2 ? 500 + (uint32_t)rand() % 500 : 0;
    t->rrdl = rand() % 2 ? t->rrd + (uint32_t)rand() % 20 : 0;
    t->cdlrl = rand() % 2 ? t->cdlr + (uint32_t)rand() % 20 : 0;
    t->ppd = rand() % 2 ? 1 + (uint32_t)rand() % 20 : 0;
    t->rrefd = rand() % 2 ? 1 + (uint32_t)rand() % 40 : 0;
    t->rfcpb = 1 + (uint32_t)rand() % 200;
    t->refipb = t->refi ? 0 : 300 + (uint32_t)rand() % 300;
    size.age_cap = rand() % 2 ? 1 + (uint32_t)rand() % 300 : 0;
    size.groups = 1u << rand() % 5;
    size.two_buses = seed % 2;
    return size;
}

static void random_timings_are_legal(void **state) {
    for (unsigned seed = 1; seed <= 80; seed++) {
        struct gddr5_size size = random_size(seed);
        size.shared_queue = seed % 2;
        expect_good(&size, (int)(seed % MIXES), seed);
    }
}

static void expect_same(const struct drive *all, const struct drive *some) {
    assert_int_equal(all->n_commands, some->n_commands);
    for (uint64_t i = 0; i < all->n_commands; i++) {
        const struct dram_command *a = &all->command[i], *b = &some->command[i];
        assert_int_equal(a->at, b->at);
        assert_int_equal(a->cmd, b->cmd);
        assert_int_equal(a->tag, b->tag);
    }
    assert_int_equal(all->cycles, some->cycles);
    assert_memory_equal(&all->stats.latency_bin, &some->stats.latency_bin,
                        sizeof all->stats.latency_bin);
    assert_int_equal(level_area(&all->stats.banks, all->cycles),
                     level_area(&some->stats.banks, some->cycles));
    assert_int_equal(all->stats.turns, some->stats.turns);
}

static void skipping_changes_nothing(void **state) {
    for (unsigned seed = 1; seed <= 28; seed++) {
        struct gddr5_size size = size_of((int)seed % TIMINGS);
        size.fcfs = seed % 4 == 0;
        size.shared_queue = !size.fcfs && seed % 2;
        size.timing.rfc = 60;
        size.timing.refi = seed % 2 ? 1000 : 0;
        size.timing.rfcpb = 50;
        size.timing.refipb = seed % 4 == 2 ? 200 : 0;
        size.age_cap = seed % 3 ? 7 * seed : 0;
        struct dram_stream s = random_stream((int)seed % MIXES, 600, seed);
        struct drive all = drive(&size, &s, false, seed % 3 == 0, 0);
        struct drive some = drive(&size, &s, true, seed % 3 == 0, 0);
        expect_same(&all, &some);
        drive_free(&all);
        drive_free(&some);
        stream_free(&s);
    }
}

/* If banks take requests and no request can become urgent, a channel skips the cycles between its
 * events. With an age cap that no request reaches, it does not skip them, but the results are
 * equal. */
static void knowing_when_to_look_changes_nothing(void **state) {
    for (unsigned seed = 1; seed <= 56; seed++) {
        struct gddr5_size size = size_of(seed % 2 ? GTX480 : TITANX);
        size.shared_queue = true;
        size.two_buses = seed % 5 == 0;
        size.timing.rfc = 60;
        size.timing.refi = seed % 4 ? 0 : 1000;
        size.age_cap = 0;
        struct dram_stream s = random_stream((int)seed % MIXES, 600, seed);
        struct drive judge = drive(&size, &s, seed % 8, seed % 3 == 0, 0);
        size.age_cap = 1000000000;
        struct drive looks = drive(&size, &s, seed % 8, seed % 3 == 0, 0);
        expect_same(&judge, &looks);
        drive_free(&judge);
        drive_free(&looks);
        stream_free(&s);
    }
}

/* Bank refreshes that are due more often than the timings allow are issued as often as they allow.
 * dram_check refuses such timings, but the device does not. */
static void refreshes_keep_their_distance(void **state) {
    static const struct {
        uint32_t banks, /* number of banks */
            again;      /* CK between two refreshes of a bank: a turn of all banks, or tRFCpb */
    } is[] = {{16, 16 * 14}, {4, 105}};
    for (size_t i = 0; i < 2; i++) {
        struct gddr5_size size = size_of(GDDR6);
        size.banks = is[i].banks;
        size.timing.refipb = 10;
        struct gddr5 *g = gddr5_create(&size);
        struct drive d = {0};
        assert_non_null(g);
        gddr5_trace(g, record, &d);
        for (; d.cycles < 1000; d.cycles++)
            gddr5_tick(g, d.cycles);
        assert_true(d.n_commands > size.banks);
        assert_int_equal(d.command[1].at - d.command[0].at, size.timing.rrefd);
        assert_int_equal(d.command[size.banks].at - d.command[0].at, is[i].again);
        gddr5_destroy(g);
        drive_free(&d);
    }
}

/* ---- tightness ---- */

/* Checks that each command for a request or a due refresh is issued in the first legal cycle if
 * requests are made one at a time. */
static void expect_tight(const struct gddr5_size *size, const struct dram_stream *s) {
    struct drive d = drive(size, s, false, false, 1);
    struct dram_legal l;
    legal_init(&l, size);
    const bool all = size->timing.refi;
    int64_t due = all ? size->timing.refi : size->timing.refipb, before = NEVER;
    for (uint64_t i = 0; i < d.n_commands; i++) {
        const struct dram_command *c = &d.command[i];
        bool refreshes = c->tag == GDDR5_NONE;
        int64_t first = legal_bound(&l, c->cmd, c->bank).at;
        int64_t ready = refreshes ? due : d.pushed[c->tag] + 1;
        ready = ready > before + 1 ? ready : before + 1;
        if (c->at != (first > ready ? first : ready))
            fail_msg("%s at %lld, legal from %lld, possible from %lld", gddr5_cmd_name[c->cmd],
                     (long long)c->at, (long long)first, (long long)ready);
        assert_true(refreshes || !all || c->at < due);
        if (c->cmd == GDDR5_REF || c->cmd == GDDR5_REFPB)
            due += all ? size->timing.refi : size->timing.refipb;
        before = c->at;
        legal_step(&l, c);
    }
    drive_free(&d);
}

static void alone_nothing_is_late(void **state) {
    for (unsigned seed = 1; seed <= 6 * TIMINGS * MIXES; seed++) {
        struct gddr5_size size = seed % 3 ? size_of((int)(seed % TIMINGS)) : random_size(seed);
        size.fcfs = seed % 4 == 0;
        size.shared_queue = !size.fcfs && seed % 2;
        size.two_buses = false;
        struct dram_stream s = random_stream((int)(seed / TIMINGS) % MIXES, 150, seed);
        for (uint64_t i = 0; i < s.n; i++)
            s.gap[i] = rand() % 3 ? (uint32_t)rand() % 80 : 0;
        expect_tight(&size, &s);
        stream_free(&s);
    }
}

/* Returns the next command that a request needs, or GDDR5_CMDS if the request must wait for row
 * hits. */
static enum gddr5_cmd wanted(const struct dram_legal *l, const struct gddr5_req *r,
                             const bool *hit) {
    if (!l->bank[r->bank].open)
        return GDDR5_ACT;
    if (l->bank[r->bank].row == r->row)
        return GDDR5_RD;
    return hit[r->bank] ? GDDR5_CMDS : GDDR5_PRE; /* the row stays open for row hits */
}

/* Finds the best possible command in cycle t. This is the column command of the oldest request
 * with a row hit, or if there is none, the ACT or PRE of the oldest request that needs one.
 * Stores the command in *cmd and the request's index in *request. Returns false if no command is
 * possible. */
static bool best_in(const struct dram_legal *l, const struct dram_stream *s, const struct drive *d,
                    uint64_t first, int64_t t, enum gddr5_cmd *cmd, uint64_t *request) {
    bool hit[GDDR5_MAX_BANKS] = {false}, found = false;
    for (uint64_t i = first; i < s->n && d->pushed[i] < t; i++)
        if (d->issued[i] >= t)
            hit[s->req[i].bank] |=
                l->bank[s->req[i].bank].open && l->bank[s->req[i].bank].row == s->req[i].row;
    for (uint64_t i = first; i < s->n && d->pushed[i] < t; i++) {
        enum gddr5_cmd next = wanted(l, &s->req[i], hit);
        if (d->issued[i] < t || next == GDDR5_CMDS || legal_bound(l, next, s->req[i].bank).at > t ||
            (found && next != GDDR5_RD))
            continue;
        *cmd = next;
        *request = i;
        found = true;
        if (next == GDDR5_RD)
            break;
    }
    return found;
}

/* Checks that each cycle issues the best possible command for a stream of reads without a streak
 * cap. */
static void expect_best(const struct gddr5_size *size, const struct dram_stream *s) {
    struct drive d = drive(size, s, true, false, 0);
    struct dram_legal l;
    legal_init(&l, size);
    uint64_t next = 0, first = 0;
    for (int64_t t = 0; t < (int64_t)d.cycles; t++) {
        enum gddr5_cmd cmd = GDDR5_CMDS;
        uint64_t request = 0;
        while (first < s->n && d.issued[first] < t)
            first++;
        bool could = best_in(&l, s, &d, first, t, &cmd, &request);
        bool does = next < d.n_commands && d.command[next].at == t;
        if (could != does)
            fail_msg("at %lld: %s", (long long)t, could ? "a cycle is lost" : "nothing could go");
        if (!does)
            continue;
        const struct dram_command *c = &d.command[next++];
        if (c->cmd != cmd || c->tag != request)
            fail_msg("at %lld: %s for request %u, not %s for %u", (long long)t,
                     gddr5_cmd_name[c->cmd], (unsigned)c->tag, gddr5_cmd_name[cmd],
                     (unsigned)request);
        legal_step(&l, c);
    }
    assert_int_equal(next, d.n_commands);
    drive_free(&d);
}

static void under_load_each_command_is_the_best(void **state) {
    static const int mixes[] = {MIX_READS, MIX_HOT_ROWS, MIX_CONFLICTS, MIX_ONE_GROUP};
    for (unsigned seed = 0; seed < 4 * TIMINGS; seed++) {
        struct gddr5_size size = size_of((int)seed % TIMINGS);
        size.streak_cap = 0;
        size.timing.refipb = 0;
        struct dram_stream s = random_stream(mixes[seed / TIMINGS], 300, seed);
        for (uint64_t i = 0; i < s.n; i++)
            s.req[i].write = false;
        expect_best(&size, &s);
        stream_free(&s);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_rule_is_enforced),
        cmocka_unit_test(windows_are_enforced),
        cmocka_unit_test(states_and_buses_are_enforced),
        cmocka_unit_test(conservation_is_enforced),
        cmocka_unit_test(random_traces_are_legal),
        cmocka_unit_test(random_timings_are_legal),
        cmocka_unit_test(skipping_changes_nothing),
        cmocka_unit_test(knowing_when_to_look_changes_nothing),
        cmocka_unit_test(refreshes_keep_their_distance),
        cmocka_unit_test(alone_nothing_is_late),
        cmocka_unit_test(under_load_each_command_is_the_best),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
