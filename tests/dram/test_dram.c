// SPDX-License-Identifier: Apache-2.0
/* Tests of one DRAM channel as the L2 sees it: latency, atoms, sectors, order, back-pressure, L2
 * banks, and contents. */
#include "dram/dram.h"
#include "check/check.h"
#include "tests/test.h"

static struct config cfg;
static struct context context;
static struct backing backing;
static struct dram dram;

static void make(void) {
    struct error err;
    memset(&context, 0, sizeof context);
    memset(&backing, 0, sizeof backing);
    assert_int_equal(dram_check(&cfg, &err), 0);
    request_pool_init(&context.pool, 1024);
    request_pool_carry(&context.pool, true);
    context.carry = true;
    dram_init(&dram, &context, &backing, &cfg);
}

static void end(void) {
    assert_int_equal(context.fault, CONTEXT_OK);
    dram_free(&dram);
    backing_free(&backing);
    request_pool_free(&context.pool);
}

static void step(void) {
    context.now++;
    dram_edge(&context);
    if (dram_due(&dram))
        dram_step(&dram);
}

static const struct byte_mask whole = {{UINT64_MAX, UINT64_MAX}};

static uint32_t request_for(uint64_t line, bool write, uint8_t byte, struct byte_mask mask) {
    uint32_t n = request_take(&context.pool);
    struct request *p = request_at(&context.pool, n);
    p->line = line;
    p->kind = write ? REQUEST_WRITEBACK : REQUEST_LOAD;
    p->reply = false;
    p->mask = mask;
    memset(request_data(&context.pool, n), byte, LINE_BYTES);
    return n;
}

static void push_masked(uint64_t line, bool write, uint8_t byte, struct byte_mask mask) {
    uint32_t n = request_for(line, write, byte, mask);
    assert_true(dram_can_push(&dram, n));
    dram_push(&dram, n, line, 0);
}

static void push(uint64_t line, bool write, uint8_t byte) {
    push_masked(line, write, byte, whole);
}

/* Steps until a line arrives. Returns the number of steps. */
static unsigned wait_for(uint64_t line) {
    unsigned steps = 0;
    while (dram_peek(&dram, 0) == REQUEST_NONE) {
        step();
        assert_true(++steps < 10000);
    }
    assert_int_equal(request_at(&context.pool, dram_peek(&dram, 0))->line, line);
    assert_true(request_at(&context.pool, dram_peek(&dram, 0))->reply);
    return steps;
}

static void drop(void) {
    request_give(&context.pool, dram_pop(&dram, 0));
}

/* Expects a read to return these bytes. */
static void expect_bytes(uint64_t line, const uint8_t *bytes) {
    push(line, false, 0);
    wait_for(line);
    assert_memory_equal(request_data(&context.pool, dram_peek(&dram, 0)), bytes, LINE_BYTES);
    drop();
}

/* Returns the latency of an unloaded read. The read is accepted at the next edge, followed by ACT,
 * the RDs of its atoms and the last data, which are visible one cycle later. */
static unsigned unloaded(unsigned atoms) {
    return (unsigned)(1 + cfg.dram_rcd + (atoms - 1) * cfg.dram_ccdl + cfg.dram_cl +
                      cfg.dram_burst + cfg.dram_extra_latency + 1);
}

static void latency_is_exact(void **state) {
    for (int64_t extra = 0; extra < 200; extra += 50)
        for (unsigned sectors = 1; sectors <= 8; sectors++) {
            config_default(&cfg);
            cfg.dram_extra_latency = extra;
            cfg.dram_model = sectors > 4 ? MODEL_GPGPUSIM : MODEL_SIMPLE;
            make();
            step();
            const struct byte_mask mask[] = {{{1, 0}},
                                             {{UINT64_C(1) << 31 | UINT64_C(1) << 32, 0}},
                                             {{UINT64_C(1) << 40, 1 | UINT64_C(1) << 63}},
                                             {{1 | UINT64_C(1) << 63, 1 | UINT64_C(1) << 63}}};
            const unsigned n = (sectors - 1) % 4 + 1;
            push_masked(5, false, 0, mask[n - 1]);
            assert_int_equal(wait_for(5), unloaded(n));
            assert_int_equal(dram.bytes, 32 * n);
            drop();
            end();
        }
}

/* Tests atoms that contain several sectors, and sectors that contain several atoms. */
static void atoms_of_other_sizes(void **state) {
    static const struct {
        int64_t bytes;
        const char *map;
        uint64_t bytes_moved;
    } sizes[] = {{16, "RRRR.BBBB.CCC.SSSS", 32},
                 {64, "RRRR.BBBB.C.SSSSSS", 64},
                 {128, "RRRR.BBBB.SSSSSSS", 128}};
    for (unsigned i = 0; i < 3; i++) {
        config_default(&cfg);
        cfg.dram_atom_bytes = sizes[i].bytes;
        strcpy(cfg.dram_address_map, sizes[i].map);
        make();
        const struct byte_mask one_byte = {{UINT64_C(1) << 40, 0}};
        push_masked(3, true, 0x77, one_byte);
        while (context.pool.in_use)
            step();
        assert_int_equal(dram.bytes, sizes[i].bytes_moved);
        uint8_t expected[LINE_BYTES];
        check_stamp_line(expected, 3, &whole, 0);
        expected[40] = 0x77;
        expect_bytes(3, expected);
        assert_int_equal(dram.bytes, sizes[i].bytes_moved + LINE_BYTES);
        assert_int_equal(dram.reads, 1);
        assert_int_equal(dram.writes, 1);
        end();
    }
}

static void sequential_lines_fill_the_bus(void **state) {
    config_default(&cfg);
    make();
    unsigned got = 0;
    uint64_t line = 0;
    for (unsigned cycle = 0; cycle < 8000 + 250; cycle++) {
        step();
        if (dram_peek(&dram, 0) != REQUEST_NONE) {
            drop();
            got++;
        }
        uint32_t n = request_for(line, false, 0, whole);
        if (dram_can_push(&dram, n))
            dram_push(&dram, n, line++, 0);
        else
            request_give(&context.pool, n);
    }
    assert_in_range(got, 990, 1003); /* 8250 cycles / 8 per line, minus the first latency */
    end();
}

static void the_queue_fills_without_a_reader(void **state) {
    config_default(&cfg);
    cfg.dram_extra_latency = 10;
    cfg.dram_reply_queue = 3;
    cfg.dram_read_queue = 4 * 5;
    make();
    uint64_t line = 0;
    for (unsigned cycle = 0; cycle < 3000; cycle++) {
        step();
        uint32_t n = request_for(line, false, 0, whole);
        if (dram_can_push(&dram, n))
            dram_push(&dram, n, line++, 0);
        else
            request_give(&context.pool, n);
    }
    /* The reads fill the reply queue, the pipeline in front of it, and the read queue. Completed
     * atoms leave the read queue, except a line's last atom, so the channel accepts more lines
     * than 20 atoms would allow. */
    assert_int_equal(dram.reads, 13);
    assert_int_equal(gddr5_room(dram.device, false) < 4, true);
    assert_true(context.pool.in_use >= 13 + 5 && context.pool.in_use <= dram_requests(&cfg));
    assert_int_equal(context.pool.in_use, line);
    /* each line is returned exactly once */
    for (uint64_t expected = 0; expected < line; expected++) {
        while (dram_peek(&dram, 0) == REQUEST_NONE)
            step();
        drop();
        step();
    }
    assert_int_equal(context.pool.in_use, 0);
    end();
}

static void requests_to_a_line_are_served_in_order(void **state) {
    config_default(&cfg);
    make();
    step();
    push(7, false, 0);
    push(7, true, 0xab);
    push(7, false, 0);
    push(7, true, 0xcd);
    push(7, true, 0xef);
    push(7, false, 0);
    uint8_t expected[LINE_BYTES];
    check_stamp_line(expected, 7, &whole, 0);
    const int bytes[] = {-1, 0xab, 0xef};
    for (unsigned i = 0; i < 3; i++) {
        if (bytes[i] >= 0)
            memset(expected, bytes[i], sizeof expected);
        wait_for(7);
        assert_memory_equal(request_data(&context.pool, dram_peek(&dram, 0)), expected, LINE_BYTES);
        drop();
    }
    assert_int_equal(context.pool.in_use, 0);
    assert_int_equal(dram.writes, 3);
    end();
}

/* Requests of two L2 banks alternate. Each bank receives only its own replies, in order of
 * arrival. */
static void a_line_is_seen_by_its_slice_only(void **state) {
    config_default(&cfg);
    make();
    for (uint16_t i = 0; i < 8; i++) {
        uint32_t n = request_for(i, false, 0, whole);
        dram_push(&dram, n, i, i % 2);
    }
    for (unsigned got = 0; got < 8;) {
        step();
        uint32_t zero = dram_peek(&dram, 0), one = dram_peek(&dram, 1);
        assert_true(zero == REQUEST_NONE || one == REQUEST_NONE);
        assert_int_equal(dram_peek(&dram, 2), REQUEST_NONE);
        if (zero == REQUEST_NONE && one == REQUEST_NONE)
            continue;
        uint16_t l2_bank = one != REQUEST_NONE;
        uint32_t n = dram_pop(&dram, l2_bank);
        assert_int_equal(request_at(&context.pool, n)->line % 2, l2_bank);
        request_give(&context.pool, n);
        got++;
    }
    end();
}

/* Tries to push a read of `line` for an L2 bank. Returns true if the channel accepts it. */
static bool try_push(uint64_t line, uint32_t l2_bank) {
    uint32_t n = request_for(line, false, 0, whole);
    const bool may = dram_may_push(&dram, n, l2_bank);
    if (may)
        dram_push(&dram, n, line, l2_bank);
    else
        request_give(&context.pool, n);
    return may;
}

/* dram.in_flight limits the number of requests in a channel, wherever they are, until the L2
 * accepts their replies. */
static void packets_in_flight_are_bounded(void **state) {
    config_default(&cfg);
    cfg.dram_model = MODEL_GPGPUSIM;
    cfg.dram_in_flight = 5;
    cfg.dram_extra_latency = 40;
    make();
    uint64_t line = 0;
    for (unsigned cycle = 0; cycle < 1000; cycle++) {
        step();
        line += try_push(line, 0);
    }
    assert_int_equal(line, 5);
    drop();
    assert_true(try_push(line++, 0));
    assert_false(try_push(line, 0));
    for (unsigned left = 5; left; left--) {
        while (dram_peek(&dram, 0) == REQUEST_NONE)
            step();
        drop();
        step();
    }
    assert_int_equal(dram.inside, 0);
    push(3, true, 1); /* a write leaves the channel when its last command is issued */
    while (dram.writes == 0)
        step();
    assert_int_equal(dram.inside, 0);
    end();
}

/* If the delay precedes the queue, a request has no queue entry until its delay ends. If the queue
 * is full at that time, the request and all later ones wait. */
static void the_delay_is_before_the_queue(void **state) {
    config_default(&cfg);
    cfg.dram_model = MODEL_GPGPUSIM;
    cfg.dram_extra_latency = 20;
    cfg.dram_read_queue = 4;
    make();
    step();
    push(0, false, 0);
    push(1, true, 0);
    for (unsigned cycle = 1; cycle < 20; cycle++) {
        step();
        assert_int_equal(gddr5_room(dram.device, true), 4);
    }
    step();
    assert_int_equal(gddr5_room(dram.device, true), 0);
    uint32_t n = request_for(2, false, 0, whole);
    assert_false(dram_can_push(&dram, n));
    request_give(&context.pool, n);
    step(); /* the bank takes the first atom of the read */
    assert_int_equal(dram.front.count, 1);
    while (dram.front.count)
        step();
    while (dram.writes == 0)
        step();
    drop();
    end();
}

/* A request never reaches the device before its delay ends, however busy the device is. */
static void each_packet_has_its_delay(void **state) {
    config_default(&cfg);
    cfg.dram_model = MODEL_GPGPUSIM;
    cfg.dram_extra_latency = 10;
    make();
    for (uint64_t cycle = 1; cycle < 60; cycle++) {
        step();
        if (cycle % 3 == 1 && cycle < 16) {
            const uint32_t n = request_for(cycle, true, 0, whole);
            dram_push(&dram, n, cycle, 0);
        }
        const uint64_t inside = cycle < 11 ? 0 : (cycle - 11) / 3 + 1;
        assert_int_equal(dram.front.count, (cycle < 16 ? cycle / 3 + (cycle % 3 > 0) : 5) -
                                               (inside < 5 ? inside : 5));
    }
    end();
}

/* A free entry is given to the L2 bank that was refused, not to the first bank that asks. */
static void slices_push_in_turn(void **state) {
    config_default(&cfg);
    cfg.l2_banks = 2;
    cfg.dram_model = MODEL_GPGPUSIM;
    cfg.dram_in_flight = 3;
    make();
    assert_true(try_push(0, 0));
    assert_true(try_push(1, 1));
    assert_true(try_push(2, 0)); /* L2 bank 1 is not waiting for an entry */
    for (uint64_t line = 3; line < 7; line++) {
        dram_refuse(&dram, 0);
        dram_refuse(&dram, 1);
        assert_false(try_push(line, 0));
        while (dram_peek(&dram, 0) == REQUEST_NONE && dram_peek(&dram, 1) == REQUEST_NONE)
            step();
        request_give(&context.pool, dram_pop(&dram, dram_peek(&dram, 1) != REQUEST_NONE));
        /* L2 bank 0 pushed last, so the banks now push in turn, starting with bank 1 */
        const uint32_t whose = line % 2;
        assert_false(try_push(line, !whose));
        assert_true(try_push(line, whose));
    }
    end();
}

/* Runs random traffic. If `skip`, skips ticks that dram_next_event reports as idle. Stores the
 * statistics in *stats, and returns a hash of the replies and their cycles. */
static uint64_t random_traffic(unsigned kind, bool skip, struct stats *stats) {
    uint64_t hash = 0;
    config_default(&cfg);
    cfg.dram_model = kind ? MODEL_GPGPUSIM : MODEL_SIMPLE;
    cfg.dram_in_flight = kind == 2 ? 9 : 0;
    cfg.dram_refi = 3000;
    cfg.dram_rfc = 100;
    make();
    srand(5);
    for (unsigned i = 0; i < 3000; i++) {
        uint64_t line = (uint64_t)(rand() % 400), until = context.dram_cycle;
        bool write = rand() % 3 == 0;
        uint32_t n = request_for(line, write, (uint8_t)i, whole);
        while (!dram_can_push(&dram, n)) {
            step();
            until = context.dram_cycle;
            if (dram_peek(&dram, 0) != REQUEST_NONE) {
                hash = hash * 31 + request_at(&context.pool, dram_peek(&dram, 0))->line +
                       context.dram_cycle;
                drop();
            }
        }
        dram_push(&dram, n, line, 0);
        until += (uint64_t)(rand() % 8 ? rand() % 20 : rand() % 1000);
        while (context.dram_cycle < until) {
            uint64_t next = dram_next_event(&dram);
            if (skip && next > context.dram_cycle + 1) {
                uint64_t span = (next < until ? next : until) - 1 - context.dram_cycle;
                context.now += span + 1;
                dram_advance(&context, span);
                context.now--;
            }
            step();
            if (dram_peek(&dram, 0) != REQUEST_NONE) {
                hash = hash * 31 + request_at(&context.pool, dram_peek(&dram, 0))->line +
                       context.dram_cycle;
                drop();
            }
        }
    }
    memset(stats, 0, sizeof *stats);
    dram_add_stats(&dram, stats);
    while (context.pool.in_use) {
        step();
        if (dram_peek(&dram, 0) != REQUEST_NONE)
            drop();
    }
    end();
    return hash;
}

static void expect_same_with_skipping(unsigned kind) {
    struct stats stats[2];
    uint64_t hash = random_traffic(kind, false, &stats[0]);
    assert_int_equal(random_traffic(kind, true, &stats[1]), hash);
    assert_memory_equal(&stats[0], &stats[1], sizeof stats[0]);
    const uint64_t *v = stats[0].v;
    assert_true(v[STAT_dram_ref] > 10 && v[STAT_dram_reads] > 1000 && v[STAT_dram_writes] > 500);
    assert_int_equal(v[STAT_dram_row_hits] + v[STAT_dram_row_misses] + v[STAT_dram_row_conflicts],
                     v[STAT_dram_rd] + v[STAT_dram_wr]);
    assert_int_equal(v[STAT_dram_busy_cycles], 2 * (v[STAT_dram_rd] + v[STAT_dram_wr]));
    uint64_t in_bins = 0;
    uint64_t writes_in_bins = 0;
    for (int k = 0; k < HIST_BUCKETS; k++) {
        in_bins += stats[0].h[HIST_dram_read_latency_hist][k];
        writes_in_bins += stats[0].h[HIST_dram_write_latency_hist][k];
    }
    assert_int_equal(in_bins, v[STAT_dram_rd]);
    assert_int_equal(writes_in_bins, v[STAT_dram_wr]);
}

static void skipping_changes_nothing(void **state) {
    for (unsigned kind = 0; kind < 3; kind++)
        expect_same_with_skipping(kind);
}

static void contents_survive_growth(void **state) {
    struct backing b = {0};
    uint8_t data[LINE_BYTES], got[LINE_BYTES];
    for (uint64_t i = 0; i < 5000; i++) {
        memset(data, (int)(i * 7 % 251), sizeof data);
        backing_write(&b, i * 513, data, &whole);
    }
    for (uint64_t i = 0; i < 5000; i++) {
        backing_read(&b, i * 513, got);
        assert_int_equal(got[3], i * 7 % 251);
    }
    assert_int_equal(b.lines.used, 5000);
    backing_free(&b);
}

/* ---- bank gauges ---- */

enum { BANK_STEPS = 20000, BANK_LOOK = 61, BANK_LOOKS = BANK_STEPS / BANK_LOOK };

struct bank_log {
    uint64_t seen[BANK_LOOKS][GDDR5_MAX_BANKS]; /* values of `cycles`, from the gauges or computed
                                                   from the commands */
    bool open[GDDR5_MAX_BANKS];
    uint64_t cycles[GDDR5_MAX_BANKS]; /* number of cycles with an open row before `at` */
    uint64_t at, commands[GDDR5_CMDS];
    uint32_t n;
};

static void read_bank(void *ctx, const struct gauge *g) {
    struct bank_log *log = ctx;
    char name[32];
    snprintf(name, sizeof name, "DRAM bank %02u", (unsigned)log->n);
    assert_string_equal(g->name, name);
    assert_true(g->bank && g->capacity == 1 && g->cycles == context.dram_cycle);
    log->cycles[log->n++] = g->value;
}

static void pass_to(struct bank_log *log, uint64_t cycle) {
    for (; log->at < cycle; log->at++)
        for (uint32_t b = 0; b < GDDR5_MAX_BANKS; b++)
            log->cycles[b] += log->open[b];
}

static void replay(void *ctx, uint64_t cycle, enum gddr5_cmd cmd, uint32_t bank, uint64_t row,
                   uint32_t col, uint32_t tag) {
    struct bank_log *log = ctx;
    (void)row, (void)col, (void)tag;
    pass_to(log, cycle);
    log->commands[cmd]++;
    switch (cmd) {
    case GDDR5_ACT:
        assert_false(log->open[bank]);
        log->open[bank] = true;
        break;
    case GDDR5_PRE:
        assert_true(log->open[bank]);
        log->open[bank] = false;
        break;
    case GDDR5_PREA:
        memset(log->open, 0, sizeof log->open);
        break;
    case GDDR5_REFPB:
        assert_false(log->open[bank]);
        break;
    default:
        break;
    }
}

/* Runs the same traffic in each call. Logs the banks' state from the gauges if `gauges`, else from
 * the commands. */
static void log_banks(struct bank_log *log, bool gauges) {
    const struct gauge_reader reader = {log, read_bank};
    memset(log, 0, sizeof *log);
    make();
    if (gauges)
        dram_watch_banks(&dram);
    else
        gddr5_trace(dram.device, replay, log);
    srand(7);
    for (unsigned i = 0, looks = 0; looks < BANK_LOOKS; i++) {
        const bool busy = i / 2000 % 2 == 0, write = rand() % 4 == 0;
        const uint64_t line = (uint64_t)(rand() % 4000);
        if (busy || rand() % 100 == 0) {
            uint32_t n = request_for(line, write, 0, whole);
            if (dram_can_push(&dram, n))
                dram_push(&dram, n, line, 0);
            else
                request_give(&context.pool, n);
        }
        step();
        if (dram_peek(&dram, 0) != REQUEST_NONE)
            drop();
        if (i % BANK_LOOK)
            continue;
        log->n = 0;
        if (gauges)
            dram_bank_gauges(&dram, &reader);
        else
            pass_to(log, context.dram_cycle);
        assert_int_equal(log->n, gauges ? dram.banks : 0);
        memcpy(log->seen[looks++], log->cycles, sizeof log->cycles);
    }
    end();
}

static void banks_are_open_as_commands_say(void **state) {
    static struct bank_log gauges, commands;
    static const int64_t refreshes[][3] = {{DRAM_REFRESH_ALL, 3000, 100},
                                           {DRAM_REFRESH_BANK, 400, 60}};
    for (unsigned i = 0; i < 2; i++) {
        config_default(&cfg);
        cfg.dram_refresh = refreshes[i][0];
        cfg.dram_refi = refreshes[i][1];
        cfg.dram_rfc = refreshes[i][2];
        log_banks(&gauges, true);
        log_banks(&commands, false);
        const uint64_t *n = commands.commands;
        assert_true(n[GDDR5_ACT] > 100 && n[GDDR5_RD] > 100 && n[GDDR5_PRE] > 100);
        assert_true(i ? n[GDDR5_REFPB] > 10 : n[GDDR5_PREA] > 2 && n[GDDR5_REF] > 2);
        assert_memory_equal(gauges.seen, commands.seen, sizeof gauges.seen);
    }
}

/* A single read keeps one bank open from its ACT, in the cycle after the push, to the current
 * cycle. */
static void a_read_opens_one_bank(void **state) {
    struct bank_log log = {0};
    const struct gauge_reader reader = {&log, read_bank};
    uint64_t open = 0;
    config_default(&cfg);
    make();
    dram_watch_banks(&dram);
    step();
    push(5, false, 0);
    const unsigned steps = wait_for(5);
    dram_bank_gauges(&dram, &reader);
    for (uint32_t b = 0; b < dram.banks; b++) {
        assert_true(log.cycles[b] == 0 || open == 0);
        open += log.cycles[b];
    }
    assert_int_equal(open, steps - 1);
    drop();
    end();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(latency_is_exact),
        cmocka_unit_test(atoms_of_other_sizes),
        cmocka_unit_test(sequential_lines_fill_the_bus),
        cmocka_unit_test(the_queue_fills_without_a_reader),
        cmocka_unit_test(requests_to_a_line_are_served_in_order),
        cmocka_unit_test(a_line_is_seen_by_its_slice_only),
        cmocka_unit_test(packets_in_flight_are_bounded),
        cmocka_unit_test(the_delay_is_before_the_queue),
        cmocka_unit_test(each_packet_has_its_delay),
        cmocka_unit_test(slices_push_in_turn),
        cmocka_unit_test(skipping_changes_nothing),
        cmocka_unit_test(contents_survive_growth),
        cmocka_unit_test(banks_are_open_as_commands_say),
        cmocka_unit_test(a_read_opens_one_bank),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
