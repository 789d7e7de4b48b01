/* Random traffic of loads, stores, atomics and local memory through a whole system, with the data
 * check, under every scheduler, for lines and sectors. */
#include "tests/gpu/fixture.h"

#define INSTS 50

static bool results; /* atomics want the old values */

static uint32_t mix(uint32_t x) {
    x ^= x >> 16;
    x *= 0x7feb352dU;
    x ^= x >> 15;
    x *= 0x846ca68bU;
    return x ^ x >> 16;
}

static void atomic(struct warp_inst *i, uint32_t r) {
    i->op = WARP_ATOMIC;
    i->size = r & 1 ? 8 : 4;
    for (unsigned l = 0; l < WARP_LANES; l++)
        i->addr[l] = BASE + (mix(r + 1) % 16) * LINE_BYTES + mix(r + l / 3) % 32 * i->size;
    i->src.w[0] = R(r >> 12 & 7);
    if (results && (r & 2))
        i->dst.w[0] = R(r >> 16 & 7);
}

static void access(struct warp_inst *i, uint32_t r) {
    static const uint8_t sizes[] = {1, 2, 4, 8, 16};
    i->op = r & 1 ? WARP_STORE : WARP_LOAD;
    i->size = sizes[(r >> 4) % 5];
    i->space = (r >> 1) % 3 == 0 ? SPACE_LOCAL : SPACE_GLOBAL;
    i->skip_l1 = (r >> 24) % 5 == 0;
    uint64_t base = i->space == SPACE_LOCAL ? 0 : BASE + mix(r + 1) % 48 * LINE_BYTES;
    unsigned spread = (r >> 8) % 4 == 0 ? 512 : i->size;
    for (unsigned l = 0; l < WARP_LANES; l++)
        i->addr[l] = base + (mix(r + l) % spread + l % 2 * i->size) / i->size * i->size;
    (i->op == WARP_LOAD ? &i->dst : &i->src)->w[0] = R(r >> 12 & 7);
}

static void traffic(const struct warp_place *place, uint32_t pc, struct warp_inst *i) {
    uint32_t r = mix(place->cta[0] * 7919 + place->warp * 104729 + pc * 31 + 5);
    if (pc == INSTS) {
        i->op = WARP_EXIT;
        return;
    }
    if (pc % 16 == 15) {
        i->op = WARP_BARRIER;
        return;
    }
    i->mask &= (r >> 20 & 3) ? mix(r) | 1 : UINT32_MAX;
    if (r % 8 == 7) {
        alu(i, R(r >> 8 & 7), R(r >> 12 & 7));
        i->op = (enum warp_op)((r >> 16) % 4);
        i->passes = (uint8_t)(1 + (r >> 18) % 8);
    } else if (r % 8 > 4) {
        atomic(i, r >> 3);
    } else {
        access(i, r >> 3);
    }
}

static struct config tight_config(unsigned variant) {
    struct config c = small_config();
    c.clock_icnt_mhz = 900;
    c.clock_l2_mhz = 700;
    c.clock_dram_mhz = 1700;
    c.l1d_sets = 4;
    c.l1d_ways = c.l2_ways = 2;
    c.l2_sets = 8;
    c.dram_extra_latency = 20;
    c.sm_scheduler = variant % 4;
    c.sm_coalesce = variant / 4 % 2;
    c.sm_schedulers = 1 + variant % 3;
    c.sm_swl_warps = c.sm_two_level_active = 1 + variant % 4;
    c.sm_lsu_queue = c.sm_pending_loads = variant % 5 ? 4 : 1;
    c.l1d_enabled = variant % 8 != 5;
    return c;
}

static void expect_clean(const struct config *c) {
    struct program p = program_of(traffic);
    p.kernel[1] = traffic;
    p.ctas = 8;
    p.threads = 150;
    struct outcome o = run_program(c, &p, true);
    if (o.end != GPU_DONE)
        fail_msg("end %d: %s", (int)o.end, o.error);
    const uint64_t *v = o.stats.v;
    assert_int_equal(v[STAT_ctas], 16);
    assert_int_equal(o.checked, v[STAT_load_lines] + v[STAT_atomic_lines]);
    assert_true(v[STAT_local_insts] > 100 && v[STAT_atomic_insts] > 100);
    assert_true(v[STAT_atomic_lines] > 3 * v[STAT_atomic_insts]);
    assert_int_equal(v[STAT_atomic_latency] > 0, results);
    struct outcome plain = run_program(c, &p, false);
    assert_memory_equal(&plain.stats, &o.stats, sizeof o.stats);
}

static void all_spaces_are_clean(void **state) {
    (void)state;
    for (unsigned variant = 0; variant < 16; variant++) {
        results = variant / 8;
        struct config c = tight_config(variant);
        expect_clean(&c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(all_spaces_are_clean)};
    return cmocka_run_group_tests_name("spaces", tests, NULL, NULL);
}
