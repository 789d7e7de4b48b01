// SPDX-License-Identifier: Apache-2.0
/* Tests of the address watch alone: which keys allow its block, what it compares, and whether it
 * detects each kind of difference. */
#include "addr_hash/addr_hash_ports.h"
#include "addr_watch/addr_watch.h"
#include "cache/lines.h"
#include "gpu/gpu.h"
#include "tests/test.h"

#define LENGTH(a) (sizeof(a) / sizeof *(a))
#define LINE UINT64_C(0x1234567)

static struct config cfg;
static struct context context;
static struct stats stats;
static struct addr_map map;
static struct addr_watch watch;

static void set(const char *assignment) {
    struct error err;
    if (config_override(&cfg, NULL, assignment, &err) != 0)
        fail_msg("%s", err.text);
}

static void defaults(void) {
    config_default(&cfg);
    set("sim.check_hash=yes");
    set("l2.partitions=16");
}

/* Initializes the watch and runs its reset cycle. */
static void make(void) {
    struct error err;
    context = (struct context){0};
    memset(&stats, 0, sizeof stats);
    map = addr_map_of(&cfg);
    assert_int_equal(gpu_check(&cfg, &err), 0);
    if (addr_watch_init(&watch, &context.blocks, &cfg, &map, 3, &err) != 0)
        fail_msg("%s", err.text);
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

/* Reports to the watch that the L1D accepts an access to `line` in set `in_set`. */
static void take_in(uint64_t line, uint32_t in_set) {
    const struct addr_watch_access a = {.valid = true, .line = line, .set = in_set};
    addr_watch_tick(&watch, &context, &stats, &a);
}

static void take(uint64_t line) {
    take_in(line, set_of(line));
}

static void send(uint64_t line, uint32_t bank) {
    addr_watch_request(&watch, &context, &stats, line, bank);
}

/* Reports to the watch a reply to a fetch of `line`, which has number `dram_line` in its channel.
 */
static void reply_line(uint64_t line, uint64_t dram_line) {
    addr_watch_reply(&watch, &context, &stats, line, dram_line);
}

static void expect_fetches(uint64_t fetches) {
    assert_int_equal(context.fault, CONTEXT_OK);
    assert_int_equal(stats.v[STAT_hash_fetches], fetches);
}

static void expect_counts(uint64_t accesses, uint64_t packets) {
    assert_int_equal(context.fault, CONTEXT_OK);
    assert_int_equal(stats.v[STAT_hash_accesses], accesses);
    assert_int_equal(stats.v[STAT_hash_requests], packets);
}

/* Expects the run to end with an internal error whose text contains all strings in `says`. */
static void expect_error(const char *const *says) {
    assert_int_equal(context.fault, CONTEXT_INTERNAL);
    for (; *says; says++)
        if (!strstr(context.error.text, *says))
            fail_msg("'%s' is not in '%s'", *says, context.error.text);
}

#define ERROR(...) expect_error((const char *const[]){__VA_ARGS__, NULL})

/* ---- keys ---- */

static void refused(const char *const *keys, const char *text) {
    struct error err = {0};
    struct block_params p;
    defaults();
    for (; *keys; keys++)
        set(*keys);
    assert_false(addr_watch_params(&cfg, &p));
    assert_int_equal(gpu_check(&cfg, &err), -1);
    if (!strstr(err.text, text) || !strstr(err.text, "sim.check_hash=yes"))
        fail_msg("'%s' is not '%s' for sim.check_hash=yes", err.text, text);
    set("sim.check_hash=no"); /* without the check, any function is legal, and there is no block */
    make();
    assert_false(addr_watch_on(&watch));
    assert_null(context.blocks.first);
    assert_true(addr_watch_next_event(&watch) == UINT64_MAX);
    end();
}

#define REFUSED(text, ...) refused((const char *const[]){__VA_ARGS__, NULL}, text)

static void keys_that_allow_no_block(void **state) {
    REFUSED("l1d.sets=48", "l1d.sets=48");
    REFUSED("l1d.enabled=yes, not no", "l1d.enabled=no");
    REFUSED("l2.partition_map=random", "l2.partition_map=random");
    REFUSED("l2.partitions=257", "l2.partitions=257");
    REFUSED("l2.interleave_lines=3", "l2.interleave_lines=3");
}

/* The block allows every configuration that the keys allow, since the same functions check both. */
static void every_function_has_a_block(void **state) {
    struct error err;
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
                    if (block_params_check(&addr_hash_type, &p, &err) != 0)
                        fail_msg("%s", err.text);
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

/* Functions that divide by a number other than a power of two have a latency of two cycles. All
 * other functions have a latency of one cycle. */
static void latencies(void **state) {
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

/* ---- agreement ---- */

/* Checks that each access and each packet is compared once. Several accesses to a line may precede
 * its packet. */
static void all_is_compared(const char *index, const char *partition_map) {
    char text[80];
    defaults();
    snprintf(text, sizeof text, "l1d.set_index=%s", index);
    set(text);
    snprintf(text, sizeof text, "l2.partition_map=%s", partition_map);
    set(text);
    set("l2.banks=2");
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
    reply_line(LINE + 2999 * 2999 % 1024 * 977, addr_rest(&map, LINE + 2999 * 2999 % 1024 * 977));
    expect_fetches(1);
    end();
}

static void accesses_and_packets_are_compared(void **state) {
    all_is_compared("bmod", "modulo");
    all_is_compared("ipoly", "xor");
    all_is_compared("pmod", "a_prime");
    all_is_compared("a_prime", "prime");
}

/* A packet is not compared if the watch has not seen its line, or if another line has replaced the
 * line in the watch. */
static void unknown_lines_are_not_compared(void **state) {
    defaults();
    make();
    send(LINE, 99);
    reply_line(LINE, 99);
    take(LINE);
    reply_line(LINE, 99);
    for (uint64_t i = 1; i <= 10000; i++)
        take(LINE + i);
    idle(2);
    send(LINE, 99);
    reply_line(LINE, 99);
    expect_counts(10001, 0);
    expect_fetches(0);
    end();
}

/* A packet that leaves before the block's output is compared later. */
static void packets_wait_for_the_block(void **state) {
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
    /* compared immediately, because the block's output is known */
    send(LINE, addr_bank(&map, LINE));
    expect_counts(1, 2);
    end();
}

/* ---- differences ---- */

static void wrong_sets_are_found(void **state) {
    defaults();
    make();
    take_in(LINE, set_of(LINE) ^ 1);
    idle(1);
    ERROR("SM 3", "0x1234567", "in set 6", "7 according to sm.3.hash");
    end();
}

static void wrong_banks_are_found(void **state) {
    for (unsigned early = 0; early < 2; early++) {
        defaults();
        make();
        take(LINE);
        if (early)
            send(LINE, addr_bank(&map, LINE) + 1);
        idle(1);
        if (!early)
            send(LINE, addr_bank(&map, LINE) + 1);
        ERROR("SM 3", "0x1234567", "L2 bank 4", "3 according to sm.3.hash");
        end();
    }
}

/* The watch detects a wrong L2 bank even if the right bank belongs to the same partition. */
static void wrong_subs_are_found(void **state) {
    defaults();
    set("l2.banks=2");
    make();
    take(LINE);
    idle(1);
    send(LINE, addr_bank(&map, LINE) ^ 1);
    ERROR("L2 bank", "according to sm.3.hash");
    end();
}

static void wrong_lines_are_found(void **state) {
    defaults();
    make();
    take(LINE);
    idle(1);
    reply_line(LINE, LINE / 32 * 2 + 1);
    expect_fetches(1);
    reply_line(LINE, LINE / 32 * 2);
    ERROR("SM 3", "0x1234567", "DRAM line 0x123456 ", "0x123457 according to sm.3.hash");
    end();
}

/* ---- a block in drive mode ---- */

/* A probe that flips the lowest bit of one output. `port` is 'v' for out_valid, 's' for out_set,
 * 'p' for out_part, 'r' for out_rest, or '-' for none. */
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
        reply_line(LINE, addr_rest(&map, LINE));
        ERROR("SM 3", says[i]);
        end();
    }
}

static void an_output_without_access_is_found(void **state) {
    struct liar liar = {{lie, ignore}, 'v'};
    defaults();
    make();
    watch.block.inst.probe = &liar.probe;
    idle(1);
    ERROR("out_valid=1 for none");
    end();
}

/* ---- time ---- */

/* The watch has a next event while accesses are in the pipeline, and in the reset cycle. */
static void next_event(void **state) {
    struct error err;
    defaults();
    context = (struct context){0};
    map = addr_map_of(&cfg);
    assert_int_equal(addr_watch_init(&watch, &context.blocks, &cfg, &map, 0, &err), 0);
    assert_int_equal(addr_watch_next_event(&watch), 0);
    idle(1);
    assert_true(addr_watch_next_event(&watch) == UINT64_MAX);
    take(LINE);
    assert_int_equal(addr_watch_next_event(&watch), 0);
    idle(1);
    assert_true(addr_watch_next_event(&watch) == UINT64_MAX);
    end();
}

/* If only a probe needs the block, the block runs in every cycle, but the watch counts nothing. */
static void probes(void **state) {
    struct liar honest = {{lie, ignore}, '-'};
    defaults();
    set("sim.check_hash=no");
    make();
    assert_false(addr_watch_on(&watch));
    watch.block.inst.probe = &honest.probe;
    assert_true(addr_watch_on(&watch));
    assert_int_equal(addr_watch_next_event(&watch), 0);
    idle(1); /* the reset cycle */
    take(LINE);
    idle(1);
    send(LINE, addr_bank(&map, LINE));
    reply_line(LINE, addr_rest(&map, LINE));
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
