// SPDX-License-Identifier: Apache-2.0
/* Tests that skipping idle cycles does not change the outputs of an MSHR inside a cache. */
#include "cache/mshr_unit.h"
#include "tests/test.h"

static void see_eval(struct block_probe *probe, const struct block_inst *inst, const void *in,
                     void *out) {
    (void)probe;
    (void)inst;
    (void)in;
    (void)out;
}

static void see_tick(struct block_probe *probe, const struct block_inst *inst, const void *in) {
    (void)probe;
    (void)inst;
    (void)in;
}

static struct block_probe probe = {see_eval, see_tick};

/* One unit skips idle cycles; the other has a probe and never skips. */
static struct mshr_unit unit[2];
static struct block_list blocks;
static uint64_t cycle;
static uint64_t next_look; /* address of the next cycle's lookup */

static void make_geometry(const struct mshr_geometry *g) {
    struct error err;
    cycle = 0;
    next_look = MSHR_UNIT_NOTHING;
    for (unsigned i = 0; i < 2; i++)
        assert_int_equal(mshr_unit_init(&unit[i], &blocks, g, "test", &err), 0);
    unit[1].block.inst.probe = &probe;
}

static void make(int64_t tail, int64_t slots) {
    const struct mshr_geometry g = {{.kind = MSHR_KIND_DL,
                                     .dl_sets = 8,
                                     .dl_slots = slots,
                                     .dl_reserved_heads = 1,
                                     .dl_tail = tail},
                                    .addr_w = 40,
                                    .off_w = 7,
                                    .id_w = 8};
    make_geometry(&g);
}

static void end(void) {
    for (unsigned i = 0; i < 2; i++)
        mshr_unit_free(&unit[i]);
}

/* Runs one cycle of both units with these inputs, and checks that the outputs a cache uses are
 * equal. Returns the outputs. */
static struct mshr_out step(const struct mshr_in *in) {
    for (unsigned i = 0; i < 2; i++) {
        unit[i].in = *in;
        mshr_unit_step(&unit[i], cycle);
        if (unit[i].looks)
            mshr_unit_look(&unit[i], next_look);
    }
    cycle++;
    const struct mshr_out *a = &unit[0].out, *b = &unit[1].out;
    if (in->req_valid) {
        assert_int_equal(a->req_ready, b->req_ready);
        assert_int_equal(a->req_refuse, b->req_refuse);
        assert_int_equal(a->req_primary, b->req_primary);
        assert_int_equal(a->req_head, b->req_head);
    }
    if (in->ret_valid)
        assert_int_equal(a->ret_ready, b->ret_ready);
    assert_int_equal(a->rsp_valid, b->rsp_valid);
    if (a->rsp_valid) {
        assert_int_equal(mshr_unit_tag(&unit[0]), mshr_unit_tag(&unit[1]));
        assert_int_equal(mshr_unit_offset(&unit[0]), mshr_unit_offset(&unit[1]));
        assert_int_equal(a->rsp_last, b->rsp_last);
    }
    assert_int_equal(mshr_unit_used(&unit[0]), mshr_unit_used(&unit[1]));
    assert_int_equal(level_area(&unit[0].used, cycle), level_area(&unit[1].used, cycle));
    return *a;
}

static void idle(unsigned n) {
    const struct mshr_in in = {.rsp_ready = 1};
    while (n--)
        step(&in);
}

static struct mshr_out ask(uint64_t addr, unsigned id) {
    const struct mshr_in in = {
        .req_valid = 1, .req_addr = addr, .req_payload = {id}, .rsp_ready = 1};
    return step(&in);
}

/* Repeats the request until it is accepted. Returns the number of cycles waited. */
static unsigned ask_on(uint64_t addr, unsigned id) {
    unsigned n = 0;
    for (struct mshr_out out = ask(addr, id); !out.req_ready; out = ask(addr, id)) {
        assert_int_equal(out.req_refuse, MSHR_REFUSE_WALK);
        assert_true(++n < 20);
    }
    return n;
}

/* A walk that is interrupted for one cycle restarts from the beginning. */
static void a_walk_is_forgotten_in_an_idle_cycle(void **state) {
    make(0, 1);
    idle(1); /* the reset cycle */
    for (unsigned id = 0; id < 4; id++)
        assert_int_equal(ask_on(5, id), id ? id - 1 : 0);
    for (unsigned gap = 1; gap < 4; gap++) {
        struct mshr_out out = ask(5, 9);
        assert_int_equal(out.req_ready, 0);
        assert_int_equal(out.req_refuse, MSHR_REFUSE_WALK);
        out = ask(5, 9);
        assert_int_equal(out.req_refuse, MSHR_REFUSE_WALK);
        idle(gap);
    }
    assert_int_equal(ask_on(5, 9), 3);
    end();
}

static uint32_t seed;

static uint32_t below(uint32_t n) {
    seed = seed * 1664525 + 1013904223;
    return (seed >> 8) % n;
}

/* Runs random requests, RETs and idle cycles. */
static void random_run(unsigned cycles) {
    uint64_t head_of[6] = {0};
    bool waits[6] = {0};
    idle(1); /* the reset cycle */
    for (unsigned n = 0; n < cycles; n++) {
        struct mshr_in in = {.rsp_ready = below(3) > 0};
        uint32_t a = below(6), back = below(6);
        next_look = below(3) ? below(6) : MSHR_UNIT_NOTHING;
        if (unit[0].looks && unit[0].looked != MSHR_UNIT_NOTHING)
            a = (uint32_t)unit[0].looked;
        if (below(3) == 0 && waits[back]) {
            in.ret_valid = 1;
            in.ret_head = head_of[back];
        }
        if (below(2) && mshr_unit_knows(&unit[0], a) && !(in.ret_valid && a == back)) {
            in.req_valid = 1;
            in.req_addr = a;
            in.req_payload[0] = below(128) | (n & 0xff) << 7;
        }
        struct mshr_out out = step(&in);
        if (in.ret_valid && out.ret_ready)
            waits[back] = false;
        if (in.req_valid && out.req_ready && out.req_primary) {
            waits[a] = true;
            head_of[a] = out.req_head;
        }
        assert_int_equal(out.err, 0);
    }
    end();
}

static void gaps_never_show(void **state) {
    for (unsigned round = 0; round < 30; round++) {
        seed = round;
        make(round % 3, 1 + round % 2);
        random_run(2000);
    }
}

static const struct mshr_geometry kinds[] = {
    {{.kind = MSHR_KIND_STATIC, .entries = 4, .slots = 16, .lookup = 1},
     .addr_w = 40,
     .off_w = 7,
     .id_w = 8},
    {{.kind = MSHR_KIND_DL, .dl_sets = 8, .dl_slots = 2, .dl_reserved_heads = 4},
     .addr_w = 40,
     .off_w = 7,
     .id_w = 8},
    {{.kind = MSHR_KIND_UNLIMITED, .entries = 4, .slots = 2}, .addr_w = 42, .off_w = 5, .id_w = 8},
    {{.kind = MSHR_KIND_STATIC, .entries = 4, .slots = 4, .lookup = 2},
     .addr_w = 40,
     .off_w = 7,
     .id_w = 8},
    {{.kind = MSHR_KIND_DL,
      .dl_sets = 8,
      .dl_slots = 2,
      .dl_reserved_heads = 4,
      .dl_tail = 2,
      .dl_pools = MSHR_POOLS_SPLIT},
     .addr_w = 40,
     .off_w = 7,
     .id_w = 8},
};

static void gaps_never_show_in_any_kind(void **state) {
    for (unsigned k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        seed = k;
        make_geometry(&kinds[k]);
        random_run(20000);
    }
}

static void a_geometry_says_what_it_holds(void **state) {
    static const struct {
        const char *type;
        uint32_t heads;
        uint64_t requests, capacity;
        int64_t addr_w;
    } want[] = {{"static_mshr", 4, 64, 64, 40},
                {"dl_mshr_paper", 8, 16, 16, 40},
                {"unlimited_mshr", 16384, 65536, 0, 42},
                {"static_mshr", 4, 16, 16, 40},
                {"dl_mshr", 8, 16, 16, 40}};
    for (unsigned k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        make_geometry(&kinds[k]);
        assert_string_equal(unit[0].block.inst.type->name, want[k].type);
        assert_int_equal(unit[0].block.inst.params.v[MSHR_ADDR_W], want[k].addr_w);
        assert_int_equal(unit[0].heads, want[k].heads);
        const struct mshr_size size = mshr_size_of(&kinds[k]);
        assert_int_equal(size.heads, want[k].heads);
        assert_int_equal(mshr_size_requests(&size), want[k].requests);
        assert_int_equal(unit[0].capacity, want[k].capacity);
        end();
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_walk_is_forgotten_in_an_idle_cycle),
        cmocka_unit_test(gaps_never_show),
        cmocka_unit_test(gaps_never_show_in_any_kind),
        cmocka_unit_test(a_geometry_says_what_it_holds),
    };
    return cmocka_run_group_tests_name("mshr_unit", tests, NULL, NULL);
}
