// SPDX-License-Identifier: Apache-2.0
/* The watch over addresses alone: which keys allow its block, what it compares, and that it finds
 * each kind of difference. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "addr_hash/addr_hash_ports.h"
#include "addr_watch/addr_watch.h"
#include "cache/lines.h"
#include "gpu/gpu.h"

#define LENGTH(a) (sizeof(a) / sizeof *(a))
#define LINE UINT64_C(0x1234567)

static struct config cfg;
static struct context context;
static struct stats stats;
static struct addr_map map;
static struct addr_watch watch;

static void set(const char *assignment) {
    char err[200];
    if (config_override(&cfg, NULL, assignment, err, sizeof err) != 0)
        fail_msg("%s", err);
}

static void defaults(void) {
    config_default(&cfg);
    set("sim.hash=yes");
    set("l2.partitions=16");
}

/* Through its cycle of reset. */
static void make(void) {
    char err[200];
    context = (struct context){0};
    memset(&stats, 0, sizeof stats);
    map = addr_map_of(&cfg);
    assert_int_equal(gpu_check(&cfg, err, sizeof err), 0);
    if (addr_watch_init(&watch, &context.blocks, &cfg, &map, 3, err, sizeof err) != 0)
        fail_msg("%s", err);
    if (addr_watch_on(&watch))
        addr_watch_tick(&watch, &context, &stats, NULL);
}

static void end(void) {
    addr_watch_free(&watch);
    assert_null(context.blocks.first);
}

static void idle(unsigned cycles) {
    for (; cycles; cycles--)
        addr_watch_tick(&watch, &context, &stats, NULL);
}

static uint32_t set_of(uint64_t line) {
    return addr_set((enum set_index)cfg.l1d_set_index, line, (uint32_t)cfg.l1d_sets);
}

/* The L1D takes it, in that set. */
static void take_in(uint64_t line, uint32_t in_set) {
    const struct addr_watch_access a = {.valid = true, .line = line, .set = in_set};
    addr_watch_tick(&watch, &context, &stats, &a);
}

static void take(uint64_t line) {
    take_in(line, set_of(line));
}

static void send(uint64_t line, uint32_t bank) {
    addr_watch_packet(&watch, &context, &stats, line, bank);
}

/* The reply comes, of a fetch of that line of the channel. */
static void come(uint64_t line, uint64_t dram_line) {
    addr_watch_reply(&watch, &context, &stats, line, dram_line);
}

static void expect_fetches(uint64_t fetches) {
    assert_int_equal(context.fault, CONTEXT_OK);
    assert_int_equal(stats.v[STAT_hash_fetches], fetches);
}

static void expect_counts(uint64_t accesses, uint64_t packets) {
    assert_int_equal(context.fault, CONTEXT_OK);
    assert_int_equal(stats.v[STAT_hash_accesses], accesses);
    assert_int_equal(stats.v[STAT_hash_packets], packets);
}

/* The run ends with an internal error that says all of this. */
static void expect_error(const char *const *says) {
    assert_int_equal(context.fault, CONTEXT_INTERNAL);
    for (; *says; says++)
        if (!strstr(context.error, *says))
            fail_msg("'%s' is not in '%s'", *says, context.error);
}

#define ERROR(...) expect_error((const char *const[]){__VA_ARGS__, NULL})

/* ---- keys ---- */

static void refused(const char *const *keys, const char *text) {
    char err[300] = "";
    struct block_params p;
    defaults();
    for (; *keys; keys++)
        set(*keys);
    assert_false(addr_watch_params(&cfg, &p));
    assert_int_equal(gpu_check(&cfg, err, sizeof err), -1);
    if (!strstr(err, text) || !strstr(err, "sim.hash=yes"))
        fail_msg("'%s' is not '%s' for sim.hash=yes", err, text);
    set("sim.hash=no"); /* then it does not matter, and there is no block */
    make();
    assert_false(addr_watch_on(&watch));
    assert_null(context.blocks.first);
    assert_true(addr_watch_next_event(&watch) == UINT64_MAX);
    end();
}

#define REFUSED(text, ...) refused((const char *const[]){__VA_ARGS__, NULL}, text)

static void keys_that_allow_no_block(void **state) {
    (void)state;
    REFUSED("l1d.sets=48", "l1d.sets=48");
    REFUSED("l1d.enabled=1, not 0", "l1d.enabled=0");
    REFUSED("l2.partition_map=random", "l2.partition_map=random");
    REFUSED("l2.partition_map=hash", "l2.partition_map=hash");
    REFUSED("l2.partitions=257", "l2.partitions=257");
    REFUSED("l2.interleave_lines=3", "l2.interleave_lines=3");
}

/* Whatever else the keys allow, the block does: they are judged by the same functions. */
static void every_function_has_a_block(void **state) {
    (void)state;
    char err[300];
    unsigned blocks = 0;
    for (int index = SET_BMOD; index <= SET_IPOLY_SUM; index++)
        for (int m = PARTITION_MODULO; m <= PARTITION_IPOLY; m++)
            for (int64_t sets = 1; sets <= 4096; sets *= 2)
                for (int64_t partitions = 1; partitions <= 256; partitions++) {
                    struct block_params p;
                    defaults();
                    cfg.l1d_set_index = index;
                    cfg.l1d_sets = sets;
                    cfg.l2_partition_map = m;
                    cfg.l2_partitions = partitions;
                    bool legal = !set_index_needs((enum set_index)index, (uint32_t)sets) &&
                                 !addr_map_needs((enum partition_map)m, (uint32_t)partitions);
                    if (!legal)
                        continue;
                    assert_true(addr_watch_params(&cfg, &p));
                    if (block_params_check(&addr_hash_type, &p, err, sizeof err) != 0)
                        fail_msg("%s", err);
                    blocks++;
                }
    assert_true(blocks > 10000);
}

static void expect_latency(const char *index, const char *partition_map, int64_t partitions,
                           int64_t latency) {
    struct block_params p;
    char text[80];
    defaults();
    snprintf(text, sizeof text, "l1d.set_index=%s", index);
    set(text);
    snprintf(text, sizeof text, "l2.partition_map=%s", partition_map);
    set(text);
    cfg.l2_partitions = partitions;
    assert_true(addr_watch_params(&cfg, &p));
    assert_int_equal(p.v[ADDR_HASH_LATENCY], latency);
}

/* A remainder by what is no power of two takes two cycles. */
static void latencies(void **state) {
    (void)state;
    static const char *const one[] = {"bmod",    "bxor",  "fermi",    "xor",
                                      "d_prime", "ipoly", "ipoly_sum"};
    static const char *const maps[] = {"modulo", "xor", "xor_next", "d_prime", "ipoly"};
    for (unsigned i = 0; i < LENGTH(one); i++)
        expect_latency(one[i], "modulo", 16, 1);
    for (unsigned i = 0; i < LENGTH(maps); i++)
        expect_latency("bmod", maps[i], 16, 1);
    expect_latency("pmod", "modulo", 16, 2);
    expect_latency("a_prime", "modulo", 16, 2);
    expect_latency("bmod", "prime", 16, 2);
    expect_latency("bmod", "a_prime", 16, 2);
    expect_latency("bmod", "modulo", 12, 2);
}

static void parameters(void **state) {
    (void)state;
    struct block_params p;
    defaults();
    set("l1d.sets=64");
    set("l1d.set_index=ipoly");
    set("l2.partition_map=prime");
    set("l2.interleave_lines=8");
    assert_true(addr_watch_params(&cfg, &p));
    assert_int_equal(p.v[ADDR_HASH_ADDR_W], 40);
    assert_int_equal(p.v[ADDR_HASH_SETS], 64);
    assert_int_equal(p.v[ADDR_HASH_INDEX], 7);
    assert_int_equal(p.v[ADDR_HASH_PARTITIONS], 16);
    assert_int_equal(p.v[ADDR_HASH_MAP], 3);
    assert_int_equal(p.v[ADDR_HASH_INTERLEAVE], 3);
    make();
    assert_string_equal(watch.block.inst.name, "sm.3.hash");
    end();
}

/* ---- what agrees ---- */

/* Accesses of the same lines in all orders with their packets: each is compared once. */
static void all_is_compared(const char *index, const char *partition_map) {
    char text[80];
    defaults();
    snprintf(text, sizeof text, "l1d.set_index=%s", index);
    set(text);
    snprintf(text, sizeof text, "l2.partition_map=%s", partition_map);
    set(text);
    set("l2.subs=2");
    make();
    uint64_t packets = 0;
    for (uint64_t i = 0; i < 3000; i++) {
        const uint64_t line = LINE + i * i % 1024 * 977;
        take(line);
        if (i % 5 == 0)
            idle((unsigned)(i % 4));
        if (i % 3 == 0) {
            send(line, addr_bank(&map, line));
            packets++;
        }
    }
    idle(3);
    expect_counts(3000, packets);
    expect_fetches(0);
    come(LINE + 2999 * 2999 % 1024 * 977, addr_rest(&map, LINE + 2999 * 2999 % 1024 * 977));
    expect_fetches(1);
    end();
}

static void accesses_and_packets_are_compared(void **state) {
    (void)state;
    all_is_compared("bmod", "modulo");
    all_is_compared("ipoly", "xor");
    all_is_compared("pmod", "a_prime");
    all_is_compared("a_prime", "prime");
}

/* The watch has not seen that line, or another line has replaced it since. */
static void unknown_lines_are_not_compared(void **state) {
    (void)state;
    defaults();
    make();
    send(LINE, 99);
    come(LINE, 99);
    take(LINE);
    come(LINE, 99);
    for (uint64_t i = 1; i <= 10000; i++)
        take(LINE + i);
    idle(2);
    send(LINE, 99);
    come(LINE, 99);
    expect_counts(10001, 0);
    expect_fetches(0);
    end();
}

/* A packet that leaves before the block has said anything is compared when it does. */
static void packets_wait_for_the_block(void **state) {
    (void)state;
    defaults();
    set("l1d.set_index=pmod");
    make();
    assert_int_equal(watch.latency, 2);
    take(LINE);
    send(LINE, addr_bank(&map, LINE));
    expect_counts(0, 0);
    idle(1);
    expect_counts(0, 0);
    idle(1);
    expect_counts(1, 1);
    send(LINE, addr_bank(&map, LINE)); /* at once */
    expect_counts(1, 2);
    end();
}

/* ---- what does not ---- */

static void wrong_sets_are_found(void **state) {
    (void)state;
    defaults();
    make();
    take_in(LINE, set_of(LINE) ^ 1);
    idle(1);
    ERROR("SM 3", "0x1234567", "in set 6", "7 by sm.3.hash");
    end();
}

static void wrong_banks_are_found(void **state) {
    (void)state;
    for (unsigned early = 0; early < 2; early++) {
        defaults();
        make();
        take(LINE);
        if (early)
            send(LINE, addr_bank(&map, LINE) + 1);
        idle(1);
        if (!early)
            send(LINE, addr_bank(&map, LINE) + 1);
        ERROR("SM 3", "0x1234567", "L2 bank 4", "3 by sm.3.hash");
        end();
    }
}

/* Of two banks of a partition too. */
static void wrong_subs_are_found(void **state) {
    (void)state;
    defaults();
    set("l2.subs=2");
    make();
    take(LINE);
    idle(1);
    send(LINE, addr_bank(&map, LINE) ^ 1);
    ERROR("L2 bank", "by sm.3.hash");
    end();
}

static void wrong_lines_are_found(void **state) {
    (void)state;
    defaults();
    make();
    take(LINE);
    idle(1);
    come(LINE, LINE / 32 * 2 + 1);
    expect_fetches(1);
    come(LINE, LINE / 32 * 2);
    ERROR("SM 3", "0x1234567", "DRAM line 0x123456 ", "0x123457 by sm.3.hash");
    end();
}

/* ---- a block that is driven ---- */

/* Flips the lowest bit of one output. */
struct liar {
    struct block_probe probe;
    char port;
};

static void lie(struct block_probe *probe, const struct block_inst *inst, const void *in,
                void *out_) {
    struct addr_hash_out *out = out_;
    char port = ((struct liar *)probe)->port;
    (void)inst;
    (void)in;
    out->out_valid ^= port == 'v';
    out->out_set ^= port == 's';
    out->out_part ^= port == 'p';
    out->out_rest ^= port == 'r';
}

static void ignore(struct block_probe *probe, const struct block_inst *inst, const void *in) {
    (void)probe;
    (void)inst;
    (void)in;
}

static void each_output_counts(void **state) {
    (void)state;
    static const char ports[] = "vspr";
    static const char *const says[] = {"out_valid=0", "set", "L2 bank", "DRAM line"};
    for (unsigned i = 0; i < 4; i++) {
        struct liar liar = {{lie, ignore}, ports[i]};
        defaults();
        make();
        take(LINE);
        watch.block.inst.probe = &liar.probe;
        idle(1);
        send(LINE, addr_bank(&map, LINE));
        come(LINE, addr_rest(&map, LINE));
        ERROR("SM 3", says[i]);
        end();
    }
}

static void an_output_without_access_is_found(void **state) {
    (void)state;
    struct liar liar = {{lie, ignore}, 'v'};
    defaults();
    make();
    watch.block.inst.probe = &liar.probe;
    idle(1);
    ERROR("out_valid=1 for none");
    end();
}

/* ---- time ---- */

/* Asked for: while something is on its way, and in the cycle of reset. */
static void next_event(void **state) {
    (void)state;
    char err[200];
    defaults();
    context = (struct context){0};
    map = addr_map_of(&cfg);
    assert_int_equal(addr_watch_init(&watch, &context.blocks, &cfg, &map, 0, err, sizeof err), 0);
    assert_int_equal(addr_watch_next_event(&watch), 0);
    idle(1);
    assert_true(addr_watch_next_event(&watch) == UINT64_MAX);
    take(LINE);
    assert_int_equal(addr_watch_next_event(&watch), 0);
    idle(1);
    assert_true(addr_watch_next_event(&watch) == UINT64_MAX);
    end();
}

/* Watched only: every cycle, it compares, and counts nothing. */
static void probes(void **state) {
    (void)state;
    struct liar honest = {{lie, ignore}, '-'};
    defaults();
    set("sim.hash=no");
    make();
    assert_false(addr_watch_on(&watch));
    watch.block.inst.probe = &honest.probe;
    assert_true(addr_watch_on(&watch));
    assert_int_equal(addr_watch_next_event(&watch), 0);
    idle(1); /* reset */
    take(LINE);
    idle(1);
    send(LINE, addr_bank(&map, LINE));
    come(LINE, addr_rest(&map, LINE));
    expect_counts(0, 0);
    expect_fetches(0);
    assert_int_equal(addr_watch_next_event(&watch), 0);
    send(LINE, addr_bank(&map, LINE) + 1);
    ERROR("L2 bank");
    end();
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_that_allow_no_block),
        cmocka_unit_test(every_function_has_a_block),
        cmocka_unit_test(latencies),
        cmocka_unit_test(parameters),
        cmocka_unit_test(accesses_and_packets_are_compared),
        cmocka_unit_test(unknown_lines_are_not_compared),
        cmocka_unit_test(packets_wait_for_the_block),
        cmocka_unit_test(wrong_sets_are_found),
        cmocka_unit_test(wrong_banks_are_found),
        cmocka_unit_test(wrong_subs_are_found),
        cmocka_unit_test(wrong_lines_are_found),
        cmocka_unit_test(each_output_counts),
        cmocka_unit_test(an_output_without_access_is_found),
        cmocka_unit_test(next_event),
        cmocka_unit_test(probes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
