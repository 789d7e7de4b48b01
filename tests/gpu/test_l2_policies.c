/* The system under every policy of the L2, on random traffic to few lines, with the data check. */
#include "tests/gpu/fixture.h"

#define INSTS 24

static uint32_t mix(uint32_t x) {
    x ^= x >> 16;
    x *= 0x7feb352dU;
    x ^= x >> 15;
    x *= 0x846ca68bU;
    return x ^ x >> 16;
}

static void traffic(const struct warp_place *place, uint32_t pc, struct warp_inst *i) {
    static const uint8_t sizes[] = {1, 2, 4, 8};
    uint32_t r = mix(place->cta[0] * 7919 + place->warp * 104729 + pc * 31 + 5);
    if (pc == INSTS) {
        i->op = WARP_EXIT;
        return;
    }
    if (pc % 16 == 15) {
        i->op = WARP_BARRIER;
        return;
    }
    i->size = sizes[r >> 4 & 3];
    i->mask &= (r >> 20 & 1) ? mix(r) | 1 : UINT32_MAX;
    uint64_t stride = (r >> 22 & 3) == 0 ? 128 : (r >> 22 & 3) == 1 ? 40 : i->size;
    enum warp_op op = r % 2 ? WARP_STORE : WARP_LOAD;
    access_to(i, op, BASE + mix(r + 1) % 48 * LINE_BYTES, stride);
    if (op == WARP_LOAD)
        i->dst.w[0] = R(r >> 12 & 7);
    else
        i->src.w[0] = R(r >> 12 & 7);
}

static struct config traffic_config(void) {
    struct config c = small_config();
    c.sm_count = 4;
    c.clock_icnt_mhz = 900;
    c.clock_l2_mhz = 700;
    c.clock_dram_mhz = 1700;
    c.l1d_sets = c.l1d_ways = 2;
    c.l2_sets = 4;
    c.l2_ways = 2;
    c.l2_rsp_queue = c.l2_evict_buffer = c.l2_miss_queue = 2;
    c.l2_mshr_entries = 4;
    c.l2_mshr_slots = 2;
    c.l2_dl_sets = 6;
    c.l2_dl_reserved_heads = 2;
    c.dram_latency = 60;
    c.dram_queue = 4;
    return c;
}

/* Policy number `n` of N_POLICIES. */
#define N_POLICIES 32

static void choose(struct config *c, int n) {
    static const int writes[4][2] = {{L2_WBWA, WRITE_FETCH},
                                     {L2_WBWA, WRITE_LAZY},
                                     {L2_WTWN, WRITE_FETCH},
                                     {L2_WEWN, WRITE_FETCH}};
    c->l2_write = writes[n % 4][0];
    c->l2_write_fetch = writes[n % 4][1];
    c->l2_allocate = n / 4 % 2;
    c->l2_sectored = n / 8 % 2;
    c->l2_mshr = n / 16 ? MSHR_KIND_DL : MSHR_KIND_STATIC;
}

static void expect_sums(const uint64_t *v) {
    assert_int_equal(v[STAT_l2_accesses], v[STAT_l2_hits] + v[STAT_l2_primary] +
                                              v[STAT_l2_secondary] + v[STAT_l2_write_misses]);
    assert_int_equal(v[STAT_l2_primary], v[STAT_l2_fills]);
    assert_int_equal(v[STAT_l2_primary], v[STAT_dram_reads]);
    assert_int_equal(v[STAT_l2_writebacks] + v[STAT_l2_write_throughs], v[STAT_dram_writes]);
    assert_int_equal(v[STAT_l2_rf], v[STAT_l2_rf_entry_full] + v[STAT_l2_rf_merge_full] +
                                        v[STAT_l2_rf_miss_queue] + v[STAT_l2_rf_line] +
                                        v[STAT_l2_rf_evict_buffer] + v[STAT_l2_rf_rsp_queue] +
                                        v[STAT_l2_rf_order]);
}

static struct program traffic_program(void) {
    struct program p = program_of(traffic);
    p.kernel[1] = traffic;
    p.ctas = 4;
    p.threads = 200;
    return p;
}

static void every_policy_is_clean(void **state) {
    (void)state;
    for (int n = 0; n < N_POLICIES; n++) {
        struct config c = traffic_config();
        choose(&c, n);
        c.l1d_enabled = n % 3 != 0;
        struct program p = traffic_program();
        struct outcome o = run_program(&c, &p, true);
        if (o.end != GPU_DONE)
            fail_msg("policy %d: end %d: %s", n, (int)o.end, o.error);
        assert_int_equal(o.checked, o.stats.v[STAT_load_lines]);
        assert_true(o.checked > 1000);
        expect_sums(o.stats.v);
    }
}

/* With and without the check, that is with and without data: the same statistics. */
static void data_change_no_statistic(void **state) {
    (void)state;
    for (int n = 0; n < N_POLICIES; n += 5) {
        struct config c = traffic_config();
        choose(&c, n);
        struct program p = traffic_program();
        struct outcome plain = run_program(&c, &p, false);
        struct outcome checked = run_program(&c, &p, true);
        assert_int_equal(plain.end, GPU_DONE);
        assert_memory_equal(&plain.stats, &checked.stats, sizeof plain.stats);
    }
}

/* A store that is lost is found under every policy. */
static void a_lost_store_is_found(void **state) {
    (void)state;
    for (int n = 0; n < N_POLICIES; n += 3) {
        struct config c = traffic_config();
        choose(&c, n);
        c.sim_plant = PLANT_LOSE_STORE;
        struct program p = traffic_program();
        struct outcome o = run_program(&c, &p, true);
        assert_true(o.plant_made);
        assert_int_equal(o.end, GPU_CHECK_FAILED);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_policy_is_clean),
        cmocka_unit_test(data_change_no_statistic),
        cmocka_unit_test(a_lost_store_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
