// SPDX-License-Identifier: Apache-2.0
/* Tests of the coalescer: the accesses of an instruction, their bytes and order, and refused
 * instructions. */
#include "tests/sm/lsu_fixture.h"

static void unit_stride_in_every_size(void **state) {
    for (uint8_t size = 1; size <= 32; size *= 2) {
        push(inst_of(WARP_STORE, ALL, size, BASE, size));
        if (size == 1)
            expect_line(BASE, UINT32_MAX, 0);
        else if (size == 2)
            expect_line(BASE, UINT64_MAX, 0);
        else
            for (unsigned n = 0; n < size / 4u; n++)
                expect_line(BASE + n * LINE_BYTES, UINT64_MAX, UINT64_MAX);
        expect_end();
    }
    assert_int_equal(stats.v[STAT_store_lines], 1 + 1 + 1 + 2 + 4 + 8);
    assert_int_equal(stats.v[STAT_store_insts], 6);
}

static void a_line_for_each_lane(void **state) {
    for (uint8_t size = 1; size <= 16; size *= 2) {
        push(inst_of(WARP_STORE, ALL, size, BASE + 112, LINE_BYTES));
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            expect_line(BASE + lane * LINE_BYTES, 0, ((UINT64_C(1) << size) - 1) << 48);
        expect_end();
    }
}

static void all_lanes_at_one_address(void **state) {
    push(inst_of(WARP_STORE, ALL, 8, BASE + 72, 0));
    expect_line(BASE, 0, UINT64_C(0xff) << 8);
    expect_end();
}

/* A row of lanes that starts in the middle of a line accesses parts of two lines. */
static void a_row_across_two_lines(void **state) {
    push(inst_of(WARP_STORE, ALL, 4, BASE + 100, 4));
    expect_line(BASE, 0, UINT64_MAX << 36);
    expect_line(BASE + LINE_BYTES, UINT64_MAX, (UINT64_C(1) << 36) - 1);
    expect_end();
    push(inst_of(WARP_STORE, ALL, 2, BASE + 96, 2));
    expect_line(BASE, 0, UINT64_MAX << 32);
    expect_line(BASE + LINE_BYTES, UINT32_MAX, 0);
    expect_end();
}

static void only_active_lanes_count(void **state) {
    push(inst_of(WARP_STORE, UINT32_C(1) << 31, 4, BASE, 4));
    expect_line(BASE, 0, UINT64_C(0xf) << 60);
    push(inst_of(WARP_STORE, 0x80000001, 4, BASE, 4));
    expect_line(BASE, 0xf, UINT64_C(0xf) << 60);
    push(inst_of(WARP_STORE, 0x55555555, 4, BASE, 4));
    expect_line(BASE, UINT64_C(0x0f0f0f0f0f0f0f0f), UINT64_C(0x0f0f0f0f0f0f0f0f));
    push(inst_of(WARP_STORE, 0xffff0000, 16, BASE, 16));
    expect_line(BASE + 2 * LINE_BYTES, UINT64_MAX, UINT64_MAX);
    expect_line(BASE + 3 * LINE_BYTES, UINT64_MAX, UINT64_MAX);
    expect_end();
}

/* Lines are accessed in the order of the first lane in each. */
static void lines_keep_the_order_of_lanes(void **state) {
    struct warp_inst i = inst_of(WARP_STORE, 0x1f, 4, 0, 0);
    static const uint64_t line[] = {7, 2, 7, 5, 2};
    for (unsigned lane = 0; lane < 5; lane++)
        i.addr[lane] = BASE + line[lane] * LINE_BYTES + 4 * lane;
    push(i);
    expect_line(BASE + 7 * LINE_BYTES, 0xf | 0xf << 8, 0);
    expect_line(BASE + 2 * LINE_BYTES, 0xf << 4 | 0xf << 16, 0);
    expect_line(BASE + 5 * LINE_BYTES, 0xf << 12, 0);
    expect_end();
}

/* ---- sectors ---- */

static void sectors_are_accesses_of_their_own(void **state) {
    push(inst_of(WARP_STORE, ALL, 4, BASE, 4));
    expect_line(BASE, UINT32_MAX, 0);
    expect_line(BASE, UINT64_C(0xffffffff) << 32, 0);
    expect_line(BASE, 0, UINT32_MAX);
    expect_line(BASE, 0, UINT64_C(0xffffffff) << 32);
    expect_end();
    /* first all lanes access one word; then lanes alternate between two sectors of two lines */
    push(inst_of(WARP_LOAD, ALL, 8, BASE + 40, 0));
    expect_line(BASE, UINT64_C(0xff) << 40, 0);
    struct warp_inst i = inst_of(WARP_STORE, 0xf, 4, 0, 0);
    static const uint64_t at[] = {96, 128, 100, 60};
    for (unsigned lane = 0; lane < 4; lane++)
        i.addr[lane] = BASE + at[lane];
    push(i);
    expect_line(BASE, 0, UINT64_C(0xff) << 32);
    expect_line(BASE + LINE_BYTES, 0xf, 0);
    expect_line(BASE, UINT64_C(0xf) << 60, 0);
    expect_end();
    assert_int_equal(stats.v[STAT_store_lines], 7);
    assert_int_equal(stats.v[STAT_load_lines], 1);
}

/* ---- segments ---- */

/* Mask of each fourth byte in 64 bytes of a line. */
#define EACH_4TH_BYTE UINT64_C(0x1111111111111111)

/* 32 adjacent bytes or halfwords fill one segment. Words and larger accesses fill lines. */
static void a_row_of_each_size_is_one_segment(void **state) {
    push(inst_of(WARP_LOAD, ALL, 1, BASE + 32, 1));
    expect_line(BASE, UINT64_C(0xffffffff) << 32, 0);
    push(inst_of(WARP_LOAD, ALL, 2, BASE + 64, 2));
    expect_line(BASE, 0, UINT64_MAX);
    push(inst_of(WARP_LOAD, ALL, 4, BASE, 4));
    expect_line(BASE, UINT64_MAX, UINT64_MAX);
    assert_int_equal(stats.v[STAT_load_lines], 3);
    push(inst_of(WARP_STORE, ALL, 8, BASE, 8));
    push(inst_of(WARP_STORE, ALL, 16, BASE + 2 * LINE_BYTES, 16));
    for (unsigned line = 0; line < 2 + 4; line++)
        expect_line(BASE + line * LINE_BYTES, UINT64_MAX, UINT64_MAX);
    expect_end();
    assert_int_equal(stats.v[STAT_store_lines], 6);
}

/* With a stride of four bytes, the lanes' bytes are in all four 32-byte segments of a line, and
 * their halfwords in both 64-byte segments. */
static void segments_of_a_line_are_accesses_of_their_own(void **state) {
    for (unsigned op = WARP_LOAD; op <= WARP_STORE; op += WARP_STORE - WARP_LOAD) {
        push(inst_of((enum warp_op)op, ALL, 1, BASE, 4));
        assert_int_equal(lsu_offer(&lsu)->kind, op == WARP_LOAD ? REQUEST_LOAD : REQUEST_STORE);
        expect_line(BASE, EACH_4TH_BYTE & UINT32_MAX, 0);
        expect_line(BASE, EACH_4TH_BYTE << 32, 0);
        expect_line(BASE, 0, EACH_4TH_BYTE & UINT32_MAX);
        expect_line(BASE, 0, EACH_4TH_BYTE << 32);
        push(inst_of((enum warp_op)op, ALL, 2, BASE, 4));
        expect_line(BASE, EACH_4TH_BYTE * 3, 0);
        expect_line(BASE, 0, EACH_4TH_BYTE * 3);
        expect_end();
    }
    assert_int_equal(stats.v[STAT_load_lines], 6);
    assert_int_equal(stats.v[STAT_store_lines], 6);
}

/* A row of lanes that starts within a segment continues in the next segment of the same line. */
static void a_row_across_two_segments(void **state) {
    push(inst_of(WARP_STORE, ALL, 1, BASE + 23, 1));
    expect_line(BASE, UINT64_C(0x1ff) << 23, 0);
    expect_line(BASE, UINT64_C(0x7fffff) << 32, 0);
    push(inst_of(WARP_STORE, ALL, 1, BASE + 127, 1));
    expect_line(BASE, 0, UINT64_C(1) << 63);
    expect_line(BASE + LINE_BYTES, UINT32_MAX >> 1, 0);
    push(inst_of(WARP_STORE, ALL, 2, BASE + 32, 2));
    expect_line(BASE, UINT64_C(0xffffffff) << 32, 0);
    expect_line(BASE, 0, UINT32_MAX);
    push(inst_of(WARP_STORE, ALL, 4, BASE + 64, 4));
    expect_line(BASE, 0, UINT64_MAX);
    expect_line(BASE + LINE_BYTES, UINT64_MAX, 0);
    expect_end();
}

/* First all lanes access one byte; then lanes alternate between segments of two lines. */
static void segments_keep_the_order_of_lanes(void **state) {
    push(inst_of(WARP_STORE, ALL, 1, BASE + 70, 0));
    expect_line(BASE, 0, 1 << 6);
    struct warp_inst i = inst_of(WARP_STORE, 0x3f, 1, 0, 0);
    static const uint64_t at[] = {100, 130, 101, 60, 95, 64};
    for (unsigned lane = 0; lane < 6; lane++)
        i.addr[lane] = BASE + at[lane];
    push(i);
    expect_line(BASE, 0, UINT64_C(3) << 36);
    expect_line(BASE + LINE_BYTES, 1 << 2, 0);
    expect_line(BASE, UINT64_C(1) << 60, 0);
    expect_line(BASE, 0, UINT64_C(1) << 31 | 1);
    expect_end();
}

/* In local memory, one word per lane fills a line. The bytes of 8 lanes are in one segment, and so
 * are the halfwords of 16 lanes. */
static void local_bytes_are_in_four_segments(void **state) {
    struct warp_inst i = inst_of(WARP_STORE, ALL, 1, 0, 0);
    i.space = SPACE_LOCAL;
    push(i);
    const uint64_t line = lsu_offer(&lsu)->line * LINE_BYTES;
    for (unsigned segment = 0; segment < 4; segment++) {
        uint64_t bytes = EACH_4TH_BYTE & (UINT64_C(0xffffffff) << 32 * (segment % 2));
        expect_line(line, segment < 2 ? bytes : 0, segment < 2 ? 0 : bytes);
    }
    i.size = 2;
    push(i);
    expect_line(line, EACH_4TH_BYTE * 3, 0);
    expect_line(line, 0, EACH_4TH_BYTE * 3);
    i.size = 16;
    push(i);
    for (unsigned word = 0; word < 4; word++)
        expect_line(line + word * LINE_BYTES, UINT64_MAX, UINT64_MAX);
    expect_end();
}

/* Returns a copy of the instruction that contains only its first two addresses. */
static struct warp_inst short_form(struct warp_inst i) {
    i.even = true;
    memset(i.addr + 2, 0xaa, sizeof i.addr - 2 * sizeof *i.addr);
    return i;
}

static void check_quick(unsigned size, uint64_t first, unsigned step) {
    struct warp_inst i = inst_of(WARP_STORE, ALL, (uint8_t)size, first, step);
    struct coalesced quick[COALESCE_MAX], slow[COALESCE_MAX];
    uint32_t n = coalesce_even(&lsu.coalescer, &i, quick);
    assert_true(n > 0);
    assert_int_equal(coalesce(&lsu.coalescer, &i, 0, slow), n);
    assert_memory_equal(quick, slow, n * sizeof quick[0]);
    const struct warp_inst even = short_form(i);
    memset(quick, 0, sizeof quick);
    assert_int_equal(coalesce_even(&lsu.coalescer, &even, quick), n);
    assert_memory_equal(quick, slow, n * sizeof quick[0]);
    i.addr[31] += size;
    assert_int_equal(coalesce_even(&lsu.coalescer, &i, quick), 0);
}

/* With a stride of 0 or of the access size, below and above local memory, the fast path makes the
 * same accesses as the slow path, which handles lanes one by one. */
static void quick_and_slow_ways_agree(void **state) {
    for (unsigned size = 1; size <= 32; size *= 2)
        for (unsigned step = 0; step <= size; step += size)
            for (uint64_t at = 0; at < 256; at += size) {
                check_quick(size, BASE + at, step);
                check_quick(size, LOCAL_END + at, step);
            }
}

/* Tests strides without a fast path, upward and downward. Only the first two addresses of an
 * instruction with a constant stride are filled in. */
static void even_addresses_need_not_be_filled_in(void **state) {
    static const int64_t steps[] = {8, 128, -4, -128, 4096};
    for (unsigned n = 0; n < sizeof steps / sizeof *steps; n++) {
        const struct warp_inst i = inst_of(WARP_LOAD, ALL, 4, BASE + 65536, (uint64_t)steps[n]);
        struct coalesced full[COALESCE_MAX];
        const uint32_t accesses = coalesce(&lsu.coalescer, &i, 0, full);
        assert_true(push(short_form(i)));
        for (uint32_t k = 0; k < accesses; k++)
            expect_line(full[k].granule / LINE_BYTES * LINE_BYTES, full[k].mask.w[0],
                        full[k].mask.w[1]);
        expect_end();
        struct warp_inst again = short_form(i);
        for (unsigned lane = 0; lane < WARP_LANES; lane++)
            assert_int_equal(warp_inst_addr(&again, lane), i.addr[lane]);
        warp_inst_expand(&again);
        assert_false(again.even);
        assert_memory_equal(again.addr, i.addr, sizeof i.addr);
    }
    assert_false(push(short_form(inst_of(WARP_LOAD, ALL, 4, BASE + 2, 128))));
    assert_int_equal(context.fault, CONTEXT_BAD_INPUT);
}

/* A row of lanes that touches a forbidden region never uses the fast path. The last row before the
 * region and the first one after it do. */
static void quick_way_is_legal(void **state) {
    static const uint64_t end = UINT64_C(1) << 47, run = WARP_LANES * 16;
    static const uint64_t bad[] = {LOCAL_BASE - run + 16, LOCAL_BASE, LOCAL_END - 16,
                                   end - run + 16, UINT64_MAX - 15};
    struct coalesced to[COALESCE_MAX];
    for (unsigned n = 0; n < sizeof bad / sizeof bad[0]; n++) {
        struct warp_inst i = inst_of(WARP_STORE, ALL, 16, bad[n], 16);
        struct error why;
        assert_int_equal(coalesce_even(&lsu.coalescer, &i, to), 0);
        assert_false(coalesce_legal(&i, &why));
    }
    check_quick(16, LOCAL_BASE - run, 16);
    check_quick(16, LOCAL_END, 16);
    check_quick(16, end - run, 16);
    struct warp_inst i = inst_of(WARP_STORE, ALL, 8, LOCAL_END, 8);
    struct error why;
    assert_true(coalesce_legal(&i, &why));
}

/* ---- atomics ---- */

static void lanes_of_an_atomic_at_one_word_serialize(void **state) {
    push(inst_of(WARP_ATOMIC, ALL, 4, BASE + 8, 0));
    const struct request *a = lsu_offer(&lsu);
    assert_int_equal(a->kind, REQUEST_ATOMIC);
    assert_false(a->result);
    for (unsigned n = 0; n < WARP_LANES; n++)
        expect_line(BASE, 0xf00, 0);
    expect_end();
    assert_int_equal(lsu_loads_out(&lsu), 0);
    push(inst_of(WARP_ATOMIC, ALL, 8, BASE, 8));
    expect_line(BASE, UINT64_MAX, UINT64_MAX);
    expect_line(BASE + LINE_BYTES, UINT64_MAX, UINT64_MAX);
    expect_end();
    assert_int_equal(stats.v[STAT_atomic_insts], 2);
    assert_int_equal(stats.v[STAT_atomic_lines], 34);
}

static void a_row_of_an_atomic_is_one_access(void **state) {
    push(inst_of(WARP_ATOMIC, ALL, 4, BASE, 4));
    expect_line(BASE, UINT64_MAX, UINT64_MAX);
    expect_end();
}

/* With segments, a lane does not share an access with the other half of the warp. */
static void halves_of_an_atomic_are_apart(void **state) {
    push(inst_of(WARP_ATOMIC, ALL, 4, BASE, 4));
    expect_line(BASE, UINT64_MAX, 0);
    expect_line(BASE, 0, UINT64_MAX);
    struct warp_inst i = inst_of(WARP_ATOMIC, 0x70003, 4, 0, 0);
    i.addr[0] = BASE + LINE_BYTES;
    i.addr[1] = BASE;
    i.addr[16] = i.addr[17] = BASE + LINE_BYTES + 8;
    i.addr[18] = BASE + 4;
    push(i);
    expect_line(BASE + LINE_BYTES, 0xf, 0);
    expect_line(BASE, 0xf, 0);
    expect_line(BASE + LINE_BYTES, 0xf00, 0);
    expect_line(BASE + LINE_BYTES, 0xf00, 0);
    expect_line(BASE, 0xf0, 0);
    push(inst_of(WARP_ATOMIC, 0xffff0000, 4, BASE, 4));
    expect_line(BASE, 0, UINT64_MAX);
    push(inst_of(WARP_STORE, ALL, 4, BASE, 4)); /* stores are not split into halves */
    expect_line(BASE, UINT64_MAX, UINT64_MAX);
    expect_end();
    assert_int_equal(stats.v[STAT_atomic_lines], 2 + 5 + 1);
}

/* The lanes access words 0 1 0 2 0 1 and a word in the next line. This gives three accesses, the
 * first of which contains all words of its line. */
static void conflicts_open_as_many_accesses_as_lanes_meet(void **state) {
    struct warp_inst i = inst_of(WARP_ATOMIC, 0x7f, 4, 0, 0);
    static const uint64_t word[] = {0, 1, 0, 2, 32, 0, 1};
    for (unsigned lane = 0; lane < 7; lane++)
        i.addr[lane] = BASE + 4 * word[lane];
    i.dst.w[0] = 2;
    push(i);
    const struct request a = *lsu_offer(&lsu);
    assert_true(a.result);
    expect_line(BASE, 0xfff, 0);
    expect_line(BASE, 0xff, 0);
    expect_line(BASE + LINE_BYTES, 0xf, 0);
    expect_line(BASE, 0xf, 0);
    expect_end();
    assert_int_equal(lsu_loads_out(&lsu), 1);
    struct request rsp = response_to(a.origin.load, BASE / LINE_BYTES, 0);
    for (unsigned n = 0; n < 3; n++) {
        rsp.version = 9 - n;
        assert_null(answer(&rsp, 5));
    }
    rsp.line++;
    const struct lsu_load *load = answer(&rsp, 6);
    assert_non_null(load);
    assert_int_equal(load->dst.w[0], 2);
    assert_int_equal(lsu_loads_out(&lsu), 0);
}

/* ---- local memory ---- */

/* Returns the first address of the window, by the formula in docs/understand/sm.md. */
static uint64_t window(void) {
    return (UINT64_C(1) << 46) + (SM * 48 + WARP) * UINT64_C(131073) * LINE_BYTES;
}

static struct warp_inst local_inst(uint32_t mask, uint8_t size, uint64_t addr, uint64_t stride) {
    struct warp_inst i = inst_of(WARP_STORE, mask, size, addr, stride);
    i.space = SPACE_LOCAL;
    return i;
}

static void local_words_of_the_lanes_lie_side_by_side(void **state) {
    push(local_inst(ALL, 4, 40, 0));
    assert_true(lsu_offer(&lsu)->local);
    expect_line(window() + 10 * LINE_BYTES, UINT64_MAX, UINT64_MAX);
    push(local_inst(ALL, 16, 32, 0));
    for (unsigned word = 8; word < 12; word++)
        expect_line(window() + word * LINE_BYTES, UINT64_MAX, UINT64_MAX);
    push(local_inst(0x80000001, 1, 6, 0));
    expect_line(window() + LINE_BYTES, 1 << 2, UINT64_C(1) << 62);
    push(local_inst(2, 8, 524280, 0));
    expect_line(window() + 131070 * LINE_BYTES, 0xf0, 0);
    expect_line(window() + 131071 * LINE_BYTES, 0xf0, 0);
    expect_end();
    assert_int_equal(stats.v[STAT_local_insts], 4);
}

static void local_lanes_apart_make_128_accesses(void **state) {
    push(local_inst(ALL, 16, 0, 1024));
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        for (unsigned w = 0; w < 4; w++) {
            struct byte_mask m = {{0, 0}};
            m.w[lane / 16] = UINT64_C(0xf) << 4 * (lane % 16);
            expect_line(window() + (lane * 256 + w) * LINE_BYTES, m.w[0], m.w[1]);
        }
    expect_end();
}

/* No two bytes of any lanes overlap. The lines of a warp contain every byte once, and the windows
 * of neighboring slots and SMs do not overlap. */
static void local_memory_is_mapped_one_to_one(void **state) {
    static uint8_t seen[64][LINE_BYTES];
    memset(seen, 0, sizeof seen);
    for (unsigned byte = 0; byte < 256; byte++)
        for (unsigned lane = 0; lane < WARP_LANES; lane++) {
            struct warp_inst i = local_inst(UINT32_C(1) << lane, 1, byte, 0);
            struct coalesced to[COALESCE_MAX];
            assert_int_equal(coalesce(&lsu.coalescer, &i, WARP, to), 1);
            uint64_t line = coalesced_line(&to[0]) - window() / LINE_BYTES;
            assert_true(line < 64);
            assert_int_equal(seen[line][mask_first(&to[0].mask)]++, 0);
        }
    for (unsigned line = 0; line < 64; line++)
        for (unsigned b = 0; b < LINE_BYTES; b++)
            assert_int_equal(seen[line][b], 1);
    struct warp_inst first = local_inst(1, 1, 0, 0), last = local_inst(ALL, 1, 524287, 0);
    struct coalesced a[COALESCE_MAX], b[COALESCE_MAX];
    coalesce(&lsu.coalescer, &last, WARP, a);
    coalesce(&lsu.coalescer, &first, WARP + 1, b);
    assert_true(a[0].granule < b[0].granule);
    struct coalescer next;
    coalescer_init(&next, &cfg, SM + 1);
    coalesce(&lsu.coalescer, &last, (unsigned)cfg.sm_warps - 1, a);
    coalesce(&next, &first, 0, b);
    assert_true(a[0].granule < b[0].granule);
    /* SM 511 is the last SM of the largest GPU */
    coalescer_init(&next, &(struct config){.sm_warps = 128}, 511);
    coalesce(&next, &last, 127, a);
    assert_true(a[0].granule < LOCAL_END);
}

/* With GPGPU-Sim's arrangement, a word's lines are those of the CTA's warps, of all SMs and of all
 * CTA slots, in this order, and then come those of the next word. */
static void local_memory_is_interleaved(void **state) {
    enum { SMS = 3, WARPS = 2, CTAS = 4 };
    struct coalescer c = lsu.coalescer;
    struct coalesced a[COALESCE_MAX];
    for (unsigned word = 0, line = 0; word < 3; word++)
        for (unsigned cta = 0; cta < CTAS; cta++)
            for (unsigned sm = 0; sm < SMS; sm++)
                for (unsigned warp = 0; warp < WARPS; warp++, line++) {
                    struct warp_inst i = local_inst(ALL, 4, 4 * word, 0);
                    coalescer_interleave(&c, sm, SMS, WARPS, CTAS);
                    assert_int_equal(coalesce(&c, &i, coalescer_slot(&c, 77, cta, warp), a), 1);
                    assert_int_equal(a[0].granule, UINT64_C(0x400020080000) + line * LINE_BYTES);
                }
    assert_int_equal(coalescer_slot(&lsu.coalescer, 77, 1, 1), 77);
}

/* ---- bad input ---- */

static void what_cannot_be_is_refused(void **state) {
    static const struct {
        enum warp_op op;
        uint32_t mask;
        uint8_t size, space;
        uint64_t addr;
        const char *why;
    } bad[] = {
        {WARP_STORE, ALL, 4, SPACE_GLOBAL, BASE + 2, "0x80000002 of a 4 B store is not aligned"},
        {WARP_LOAD, 0, 4, SPACE_GLOBAL, BASE, "warp 7: load of 4 bytes by lanes 0x0"},
        {WARP_STORE, ALL, 3, SPACE_GLOBAL, BASE, "warp 7: store of 3 bytes"},
        {WARP_STORE, ALL, 0, SPACE_GLOBAL, BASE, "warp 7: store of 0 bytes"},
        {WARP_STORE, ALL, 64, SPACE_GLOBAL, BASE, "warp 7: store of 64 bytes"},
        {WARP_LOAD, ALL, 32, SPACE_LOCAL, 0, "warp 7: local load of 32 bytes"},
        {WARP_STORE, 1, 4, SPACE_GLOBAL, UINT64_C(1) << 47, "above 47 bits"},
        {WARP_STORE, ALL, 16, SPACE_GLOBAL, (UINT64_C(1) << 47) - 496, "above 47 bits"},
        {WARP_LOAD, ALL, 4, SPACE_GLOBAL, LOCAL_BASE - 124, "the region of local memory"},
        {WARP_LOAD, 1, 4, SPACE_GLOBAL, LOCAL_END - 4, "the region of local memory"},
        {WARP_LOAD, ALL, 4, SPACE_LOCAL, LOCAL_BYTES - 124, "beyond the 512 KiB"},
        {WARP_ATOMIC, ALL, 2, SPACE_GLOBAL, BASE, "warp 7: atomic of 2 bytes"},
        {WARP_ATOMIC, ALL, 16, SPACE_GLOBAL, BASE, "warp 7: atomic of 16 bytes"},
        {WARP_ATOMIC, ALL, 4, SPACE_LOCAL, 0, "warp 7: local atomic"},
    };
    for (unsigned n = 0; n < sizeof bad / sizeof bad[0]; n++) {
        context.fault = CONTEXT_OK;
        struct warp_inst i = inst_of(bad[n].op, bad[n].mask, bad[n].size, bad[n].addr, bad[n].size);
        i.space = bad[n].space;
        assert_false(push(i));
        assert_int_equal(context.fault, CONTEXT_BAD_INPUT);
        assert_non_null(strstr(context.error.text, "kernel kern, CTA (4,5,6), warp 7: "));
        if (!strstr(context.error.text, bad[n].why))
            fail_msg("'%s' expected: %s", bad[n].why, context.error.text);
        assert_null(lsu_offer(&lsu));
    }
    context.fault = CONTEXT_OK;
    assert_true(push(inst_of(WARP_LOAD, ALL, 4, LOCAL_END, 4)));
    assert_true(push(inst_of(WARP_LOAD, ALL, 16, (UINT64_C(1) << 47) - 512, 16)));
    assert_int_equal(context.fault, CONTEXT_OK);
}

#define SECTORS(f) cmocka_unit_test_setup_teardown(f, setup_sectors, teardown)
#define SEGMENTS(f) cmocka_unit_test_setup_teardown(f, setup_segments, teardown)

int main(void) {
    const struct CMUnitTest tests[] = {
        CASE(unit_stride_in_every_size),
        CASE(a_line_for_each_lane),
        CASE(all_lanes_at_one_address),
        CASE(a_row_across_two_lines),
        CASE(only_active_lanes_count),
        CASE(lines_keep_the_order_of_lanes),
        SECTORS(sectors_are_accesses_of_their_own),
        SEGMENTS(a_row_of_each_size_is_one_segment),
        SEGMENTS(segments_of_a_line_are_accesses_of_their_own),
        SEGMENTS(a_row_across_two_segments),
        SEGMENTS(segments_keep_the_order_of_lanes),
        SEGMENTS(local_bytes_are_in_four_segments),
        CASE(quick_and_slow_ways_agree),
        CASE(even_addresses_need_not_be_filled_in),
        CASE(quick_way_is_legal),
        SECTORS(quick_and_slow_ways_agree),
        SEGMENTS(quick_and_slow_ways_agree),
        CASE(lanes_of_an_atomic_at_one_word_serialize),
        SEGMENTS(lanes_of_an_atomic_at_one_word_serialize),
        CASE(conflicts_open_as_many_accesses_as_lanes_meet),
        CASE(a_row_of_an_atomic_is_one_access),
        SEGMENTS(halves_of_an_atomic_are_apart),
        SEGMENTS(conflicts_open_as_many_accesses_as_lanes_meet),
        CASE(local_words_of_the_lanes_lie_side_by_side),
        CASE(local_lanes_apart_make_128_accesses),
        CASE(local_memory_is_mapped_one_to_one),
        CASE(local_memory_is_interleaved),
        CASE(what_cannot_be_is_refused),
    };
    return cmocka_run_group_tests_name("coalesce", tests, NULL, NULL);
}
