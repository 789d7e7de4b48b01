// SPDX-License-Identifier: Apache-2.0
/* Directed tests of the MSHR models. Each test checks one situation, with exact cycles and results
 * that are written by hand. The constrained-random driver brings the RTL into the same situations
 * in lockstep. */
#include "dl_mshr/dl_mshr.h"
#include "dl_mshr_paper/dl_mshr_paper.h"
#include "static_mshr/static_mshr.h"
#include "tests/block/at.h"

/* Block under test with its inputs and outputs. */
struct dl_mshr_bench {
    const struct block_type *type;
    void *model;
    struct mshr_in in;
    struct mshr_out out;
};

static void settle(struct dl_mshr_bench *b) {
    b->type->eval(b->model, &b->in, &b->out);
    b->type->observe(b->model, &b->in, &b->out);
}

/* Applies the clock edge, withdraws the request and the RET, and computes the outputs of the new
 * cycle. */
static void edge(struct dl_mshr_bench *b) {
    b->type->tick(b->model, &b->in);
    b->in.rst = b->in.look = b->in.req_valid = b->in.ret_valid = 0;
    settle(b);
}

static struct dl_mshr_bench start(const struct block_type *type, const char *const *params) {
    struct dl_mshr_bench b = {.type = type};
    struct block_params p = block_at(type, params);
    struct error err = {0};
    assert_int_equal(block_params_check(type, &p, &err), 0);
    b.model = type->create(&p);
    assert_non_null(b.model);
    b.in.rst = 1;
    b.in.rsp_ready = 1;
    settle(&b);
    edge(&b);
    return b;
}

#define START(...) start(&dl_mshr_paper_type, (const char *const[]){__VA_ARGS__, NULL})

static void end(struct dl_mshr_bench *b) {
    assert_int_equal(b->out.err, MSHR_OK);
    b->type->destroy(b->model);
}

static void offer(struct dl_mshr_bench *b, uint64_t addr, uint64_t id) {
    b->in.req_valid = 1;
    b->in.req_addr = addr;
    b->in.req_payload[0] = (uint32_t)id;
    settle(b);
}

static void give_back(struct dl_mshr_bench *b, uint64_t head) {
    b->in.ret_valid = 1;
    b->in.ret_head = head;
    settle(b);
    assert_int_equal(b->out.ret_ready, 1);
}

/* Offers a request, expects it to be accepted, and applies the clock edge. Returns the head if it
 * is a primary miss, else -1. */
static int take(struct dl_mshr_bench *b, uint64_t addr, uint64_t id) {
    offer(b, addr, id);
    assert_int_equal(b->out.req_ready, 1);
    int head = b->out.req_primary ? (int)b->out.req_head : -1;
    edge(b);
    return head;
}

static void expect_refused(struct dl_mshr_bench *b, uint64_t addr, enum mshr_refusal why) {
    offer(b, addr, 99);
    assert_int_equal(b->out.req_ready, 0);
    assert_int_equal(b->out.req_refuse, why);
    edge(b);
}

static void expect_response(struct dl_mshr_bench *b, uint64_t id, bool last) {
    assert_int_equal(b->out.rsp_valid, 1);
    assert_int_equal(b->out.rsp_payload[0], id);
    assert_int_equal(b->out.rsp_last, last);
    edge(b);
}

static unsigned state(const struct dl_mshr_bench *b, unsigned set) {
    return b->out.st_state[set / 8] >> (set % 8 * 4) & 15;
}

/* As in Gu and Chen 2019, section 4.3, 8 slot sets of 2 slots can store 8 primaries, or one
 * primary and 15 secondaries. */
static void test_extremes_of_the_papers_example(void **unused) {
    struct dl_mshr_bench b = START("SETS=8", "SLOTS=2", "RESERVED_HEADS=0");
    for (int i = 0; i < 8; i++)
        assert_int_equal(take(&b, 100 + (uint64_t)i, 1), i);
    expect_refused(&b, 200, MSHR_REFUSE_ENTRY_FULL);
    end(&b);

    b = START("SETS=8", "SLOTS=2", "RESERVED_HEADS=0");
    assert_int_equal(take(&b, 100, 0), 0);
    for (uint64_t i = 1; i < 16; i++)
        assert_int_equal(take(&b, 100, i), -1);
    expect_refused(&b, 100, MSHR_REFUSE_MERGE_FULL);
    expect_refused(&b, 101, MSHR_REFUSE_ENTRY_FULL);
    give_back(&b, 0);
    edge(&b);
    for (uint64_t i = 0; i < 16; i++)
        expect_response(&b, i, i == 15);
    assert_int_equal(b.out.st_free_shared, 8);
    end(&b);
}

static void test_reserved_heads_first_and_never_attached(void **unused) {
    struct dl_mshr_bench b = START("SETS=4", "SLOTS=1", "RESERVED_HEADS=2");
    assert_int_equal(take(&b, 10, 0), 0);
    assert_int_equal(take(&b, 10, 1), -1); /* attaches set 2 */
    assert_int_equal(state(&b, 2), MSHR_S7);
    assert_int_equal(take(&b, 10, 2), -1); /* attaches set 3 */
    assert_int_equal(state(&b, 2), MSHR_S8);
    assert_int_equal(b.out.st_free_heads, 1);
    expect_refused(&b, 10, MSHR_REFUSE_MERGE_FULL);
    assert_int_equal(state(&b, 3), MSHR_S9);
    assert_int_equal(take(&b, 11, 3), 1); /* the reserved head serves a new block */
    end(&b);
}

static void test_state_diagram_head_path(void **unused) {
    struct dl_mshr_bench b = START("SETS=2", "SLOTS=2", "RESERVED_HEADS=0");
    take(&b, 5, 0);
    assert_int_equal(state(&b, 0), MSHR_S1);
    take(&b, 5, 1);
    assert_int_equal(state(&b, 0), MSHR_S2);
    take(&b, 6, 2);
    expect_refused(&b, 5, MSHR_REFUSE_MERGE_FULL);
    assert_int_equal(state(&b, 0), MSHR_S4);
    give_back(&b, 1);
    edge(&b);
    assert_int_equal(state(&b, 1), MSHR_S5);
    /* the set becomes free at the clock edge, which is too late for this cycle's request */
    offer(&b, 5, 3);
    assert_int_equal(b.out.req_refuse, MSHR_REFUSE_MERGE_FULL);
    expect_response(&b, 2, true);
    assert_int_equal(state(&b, 1), MSHR_S0);
    take(&b, 5, 3);
    assert_int_equal(state(&b, 0), MSHR_S3);
    assert_int_equal(state(&b, 1), MSHR_S6);
    give_back(&b, 0);
    edge(&b);
    assert_int_equal(state(&b, 0), MSHR_S5);
    assert_int_equal(state(&b, 1), MSHR_S6);
    expect_response(&b, 0, false);
    expect_response(&b, 1, false);
    assert_int_equal(state(&b, 0),
                     MSHR_S5); /* a head is freed only together with its attached sets */
    assert_int_equal(state(&b, 1), MSHR_S10);
    expect_response(&b, 3, true);
    assert_int_equal(state(&b, 0), MSHR_S0);
    assert_int_equal(state(&b, 1), MSHR_S0);
    end(&b);
}

/* Requests for one line leave in order, each with all words of its own payload. */
static void test_wide_payloads_keep_their_order(void **unused) {
    struct dl_mshr_bench b = START("SETS=4", "SLOTS=2", "RESERVED_HEADS=2", "PAYLOAD_W=2048");
    for (uint64_t i = 0; i < 4; i++) {
        b.in.req_payload[1] = 0xA0 + (uint32_t)i;
        b.in.req_payload[63] = 0xF0000000u << i;
        take(&b, 7, i);
    }
    give_back(&b, 0);
    edge(&b);
    for (uint64_t i = 0; i < 4; i++) {
        assert_int_equal(b.out.rsp_payload[1], 0xA0 + i);
        assert_int_equal(b.out.rsp_payload[63], 0xF0000000u << i);
        expect_response(&b, i, i == 3);
    }
    end(&b);
}

static void test_merge_in_the_cycle_of_ret_leaves_with_it(void **unused) {
    for (unsigned fill = 1; fill <= 2;
         fill++) { /* with 1 slot in use, the merge fills the head; with 2, it links a set */
        struct dl_mshr_bench b = START("SETS=4", "SLOTS=2", "RESERVED_HEADS=2");
        for (uint64_t i = 0; i < fill; i++)
            take(&b, 7, i);
        offer(&b, 7, 50);
        give_back(&b, 0);
        assert_int_equal(b.out.req_ready, 1);
        assert_int_equal(b.out.req_primary, 0);
        edge(&b);
        assert_int_equal(take(&b, 7, 60), 1); /* the next request opens a second head */
        for (uint64_t i = 1; i < fill; i++)
            expect_response(&b, i, false);
        expect_response(&b, 50, true);
        assert_int_equal(state(&b, 1), MSHR_S1);
        end(&b);
    }
}

static void test_late_request_during_the_drain_is_not_merged(void **unused) {
    struct dl_mshr_bench b = START("SETS=4", "SLOTS=2", "RESERVED_HEADS=2");
    take(&b, 7, 0);
    take(&b, 7, 1);
    give_back(&b, 0);
    edge(&b);
    b.in.rsp_ready = 0; /* back-pressure in the middle of the drain */
    settle(&b);
    assert_int_equal(take(&b, 7, 2), 1);
    assert_int_equal(take(&b, 7, 3), -1);
    assert_int_equal(b.out.rsp_payload[0], 0); /* the response does not change */
    b.in.rsp_ready = 1;
    settle(&b);
    expect_response(&b, 0, false);
    expect_response(&b, 1, true);
    give_back(&b, 1);
    edge(&b);
    expect_response(&b, 2, false);
    expect_response(&b, 3, true);
    end(&b);
}

static void test_back_to_back_requests_make_one_head(void **unused) {
    struct dl_mshr_bench b = START("SETS=4", "SLOTS=2", "RESERVED_HEADS=2");
    assert_int_equal(take(&b, 7, 0), 0);
    assert_int_equal(take(&b, 7, 1), -1);
    end(&b);
}

static void test_drains_follow_without_an_empty_cycle(void **unused) {
    struct dl_mshr_bench b = START("SETS=4", "SLOTS=2", "RESERVED_HEADS=2");
    take(&b, 7, 0);
    take(&b, 8, 1);
    give_back(&b, 0);
    edge(&b);
    assert_int_equal(b.out.rsp_last, 1);
    give_back(&b, 1);
    expect_response(&b, 0, true);
    expect_response(&b, 1, true);
    assert_int_equal(b.out.rsp_valid, 0);
    end(&b);
}

static void test_walk_takes_one_cycle_a_link(void **unused) {
    struct dl_mshr_bench b = START("SETS=4", "SLOTS=1", "RESERVED_HEADS=0", "TAIL=0");
    take(&b, 7, 0);
    take(&b, 7, 1); /* no walk is needed, since the head is the tail */
    expect_refused(&b, 7, MSHR_REFUSE_WALK);
    assert_int_equal(take(&b, 7, 2), -1);
    expect_refused(&b, 7, MSHR_REFUSE_WALK);
    expect_refused(&b, 7, MSHR_REFUSE_WALK);
    assert_int_equal(take(&b, 7, 3), -1);
    end(&b);
}

static void test_early_free(void **unused) {
    struct dl_mshr_bench b = START("SETS=2", "SLOTS=1", "RESERVED_HEADS=0", "EARLY_FREE=1");
    take(&b, 7, 0);
    take(&b, 7, 1);
    give_back(&b, 0);
    edge(&b);
    expect_response(&b, 0, false);
    assert_int_equal(state(&b, 0), MSHR_S0);
    assert_int_equal(take(&b, 9, 2), 0); /* the head's set is reused while its chain drains */
    assert_int_equal(b.out.rsp_valid, 0);
    give_back(&b, 0);
    edge(&b);
    expect_response(&b, 2, true);
    end(&b);
}

static void test_return_of_no_head_is_an_error(void **unused) {
    struct dl_mshr_bench b = START("SETS=4", "SLOTS=1", "RESERVED_HEADS=0");
    take(&b, 7, 0);
    take(&b, 7, 1);
    give_back(&b, 1); /* the set is attached and not a head */
    edge(&b);
    assert_int_equal(b.out.err, MSHR_ERR_RETURN);
    assert_int_equal(state(&b, 1), MSHR_ERR);
    offer(&b, 8, 0);
    assert_int_equal(b.out.req_ready, 0);
    assert_int_equal(b.out.ret_ready, 0);
    edge(&b);
    assert_int_equal(b.out.err, MSHR_ERR_RETURN); /* err stays until reset */
    b.in.rst = 1;
    edge(&b);
    assert_int_equal(b.out.st_free_shared, 4);
    end(&b);
}

static void test_static_entries_never_link(void **unused) {
    struct dl_mshr_bench b =
        start(&static_mshr_type, (const char *const[]){"ENTRIES=2", "SLOTS=2", NULL});
    take(&b, 7, 0);
    take(&b, 7, 1);
    expect_refused(&b, 7, MSHR_REFUSE_MERGE_FULL); /* refused although set 1 is free */
    assert_int_equal(state(&b, 0), MSHR_S4);
    assert_int_equal(take(&b, 8, 2), 1);
    expect_refused(&b, 9, MSHR_REFUSE_ENTRY_FULL);
    give_back(&b, 0);
    edge(&b);
    expect_response(&b, 0, false);
    expect_response(&b, 1, true);
    assert_int_equal(b.out.st_free_heads, 1);
    assert_int_equal(b.out.st_free_shared, 0);
    end(&b);
}

/* With one entry, a second block waits until the drain of the first has ended. */
static void test_static_blocks_with_one_entry(void **unused) {
    struct dl_mshr_bench b =
        start(&static_mshr_type, (const char *const[]){"ENTRIES=1", "SLOTS=2", NULL});
    assert_int_equal(take(&b, 7, 0), 0);
    take(&b, 7, 1);
    expect_refused(&b, 8, MSHR_REFUSE_ENTRY_FULL);
    give_back(&b, 0);
    edge(&b);
    expect_refused(&b, 7, MSHR_REFUSE_ENTRY_FULL); /* the drained entry takes no merge */
    expect_response(&b, 1, true);
    assert_int_equal(b.out.st_free_heads, 1);
    assert_int_equal(take(&b, 8, 2), 0);
    give_back(&b, 1); /* there is no entry 1 */
    edge(&b);
    assert_int_equal(b.out.err, MSHR_ERR_RETURN);
    assert_int_equal(state(&b, 0), MSHR_S1);
    b.in.rst = 1;
    edge(&b);
    end(&b);
}

/* ---- lookup of two cycles ---- */

static void look(struct dl_mshr_bench *b, uint64_t addr) {
    b->in.look = 1;
    b->in.look_addr = addr;
}

/* Calls take() for the address of the lookup. req_addr gets another address, since it is unused. */
static int take_looked(struct dl_mshr_bench *b, uint64_t id) {
    return take(b, 1000 + id, id);
}

static void expect_refused_looked(struct dl_mshr_bench *b, enum mshr_refusal why) {
    expect_refused(b, 1000, why);
}

static struct dl_mshr_bench start_looking(bool dl) {
    if (dl)
        return start(&dl_mshr_type, (const char *const[]){"SETS=4", "SLOTS=2", "HEADS=2", NULL});
    return start(&static_mshr_type,
                 (const char *const[]){"ENTRIES=2", "SLOTS=2", "LOOKUP=2", NULL});
}

/* In each cycle, a request can be accepted for the address that was looked up in the previous
 * cycle. */
static void test_a_lookup_beside_each_request(void **unused) {
    for (int dl = 0; dl < 2; dl++) {
        struct dl_mshr_bench b = start_looking(dl);
        look(&b, 5);
        edge(&b);
        look(&b, 6);
        assert_int_equal(take_looked(&b, 1), 0);
        look(&b, 5);
        assert_int_equal(take_looked(&b, 2), 1);
        look(&b, 7);
        assert_int_equal(take_looked(&b, 3), -1); /* merges into the entry of address 5 */
        expect_refused_looked(&b, MSHR_REFUSE_ENTRY_FULL);
        b.type->destroy(b.model);
    }
}

/* A primary is visible to the request in the next cycle, which may use the primary's lookup or a
 * lookup in the primary's cycle. */
static void test_a_lookup_sees_the_primary_beside_it(void **unused) {
    for (int n = 0; n < 4; n++) {
        struct dl_mshr_bench b = start_looking(n & 1);
        look(&b, 5);
        edge(&b);
        if (n & 2)
            look(&b, 5);
        assert_int_equal(take_looked(&b, 1), 0);
        assert_int_equal(take_looked(&b, 2), -1);
        give_back(&b, 0);
        edge(&b);
        expect_response(&b, 1, false);
        expect_response(&b, 2, true);
        end(&b);
    }
}

/* A request whose lookup was before RET, or in its cycle, joins the drain; one that is looked up
 * after RET opens a new entry. */
static void test_a_lookup_follows_ret(void **unused) {
    for (int n = 0; n < 8; n++) {
        struct dl_mshr_bench b = start_looking(n & 1);
        bool merges = n & 2, in_same_cycle = n & 4;
        look(&b, 5);
        edge(&b);
        assert_int_equal(take_looked(&b, 1), 0);
        look(&b, 6); /* looks up another address in between */
        edge(&b);
        look(&b, 5);
        if (!in_same_cycle)
            edge(&b);
        b.in.rsp_ready = 0;
        give_back(&b, 0);
        if (merges && !in_same_cycle)
            assert_int_equal(take_looked(&b, 2), -1); /* merges in the cycle of RET */
        else
            edge(&b);
        if (!merges)
            assert_int_equal(take_looked(&b, 3), -1); /* joins the drain */
        look(&b, 5);
        edge(&b);
        assert_int_equal(take_looked(&b, 4), 1); /* opens a new head while the first drains */
        b.type->destroy(b.model);
    }
}

/* The looked-up address remains valid until the next lookup, for any number of cycles. */
static void test_a_lookup_is_held(void **unused) {
    for (int dl = 0; dl < 2; dl++) {
        struct dl_mshr_bench b = start_looking(dl);
        look(&b, 5);
        edge(&b);
        for (int i = 0; i < 20; i++)
            edge(&b);
        assert_int_equal(take_looked(&b, 1), 0);
        for (int i = 0; i < 20; i++)
            edge(&b);
        assert_int_equal(take_looked(&b, 2), -1);
        b.in.look_addr = 9; /* ignored, since look is 0 */
        edge(&b);
        give_back(&b, 0);
        edge(&b);
        expect_response(&b, 1, false);
        expect_response(&b, 2, true);
        expect_refused_looked(&b, MSHR_REFUSE_STALE); /* the drain has ended: look up again */
        look(&b, 5);
        edge(&b);
        assert_int_equal(take_looked(&b, 3), 0);
        end(&b);
    }
}

/* With HEADS=2 and 4 sets, there are at most two blocks, and two sets can only be attached. */
static void test_attach_only_sets(void **unused) {
    struct dl_mshr_bench b = start_looking(true);
    assert_int_equal(b.out.st_free_heads, 2);
    assert_int_equal(b.out.st_free_shared, 2);
    assert_int_equal(b.out.room, 2);
    assert_int_equal(b.out.empty, 1);
    look(&b, 5);
    edge(&b);
    assert_int_equal(take_looked(&b, 0), 0);
    assert_int_equal(b.out.room, 1);
    assert_int_equal(b.out.empty, 0);
    look(&b, 6);
    edge(&b);
    assert_int_equal(take_looked(&b, 1), 1);
    look(&b, 7);
    edge(&b);
    assert_int_equal(b.out.room, 0);
    expect_refused_looked(&b, MSHR_REFUSE_ENTRY_FULL); /* refused although two sets are free */
    look(&b, 6);
    edge(&b);
    for (uint64_t id = 2; id < 7; id++)
        assert_int_equal(take_looked(&b, id), -1);
    assert_int_equal(state(&b, 1), MSHR_S3);
    assert_int_equal(state(&b, 2), MSHR_S8);
    assert_int_equal(state(&b, 3), MSHR_S7);
    expect_refused_looked(&b, MSHR_REFUSE_MERGE_FULL);
    assert_int_equal(state(&b, 3), MSHR_S9);
    give_back(&b, 1);
    edge(&b);
    for (uint64_t id = 1; id < 7; id++)
        expect_response(&b, id, id == 6);
    assert_int_equal(b.out.st_free_heads, 1);
    assert_int_equal(b.out.st_free_shared, 2);
    end(&b);
}

static const char *illegal_with(const struct block_type *type, const char *const *params) {
    static struct error err;
    struct block_params p = block_at(type, params);
    return block_params_check(type, &p, &err) ? err.text : "";
}

#define ILLEGAL(type, ...) illegal_with(&(type), (const char *const[]){__VA_ARGS__, NULL})

static void test_relations_of_parameters(void **unused) {
    assert_string_equal(ILLEGAL(dl_mshr_type, "SETS=8", "HEADS=4"), "");
    assert_string_equal(ILLEGAL(dl_mshr_type, "SETS=3"), "");
    assert_non_null(strstr(ILLEGAL(dl_mshr_type, "SETS=8", "HEADS=8"), "HEADS must be below SETS"));
    assert_string_equal(ILLEGAL(dl_mshr_paper_type, "SETS=2"), "");
    assert_non_null(strstr(ILLEGAL(dl_mshr_paper_type, "SETS=6", "RESERVED_HEADS=7"),
                           "RESERVED_HEADS must be below SETS"));
}

static void test_parameters_are_checked(void **unused) {
    struct block_params p;
    struct error err;
    block_params_default(&dl_mshr_type, &p);
    assert_int_equal(block_params_check(&dl_mshr_type, &p, &err), 0);
    assert_int_equal(block_params_set(&dl_mshr_type, &p, "SETS=1", &err), -1);
    assert_int_equal(block_params_set(&dl_mshr_type, &p, "SETTS=8", &err), -1);
    assert_int_equal(block_params_set(&dl_mshr_type, &p, "SETS=8x", &err), -1);
    assert_int_equal(block_params_set(&dl_mshr_type, &p, "SETS", &err), -1);
    assert_int_equal(block_params_set(&dl_mshr_type, &p, "SETS=8", &err), 0);
    assert_int_equal(p.v[DL_MSHR_HEADS], 5); /* the default is five eighths of the sets */
    block_params_default(&dl_mshr_paper_type, &p);
    assert_int_equal(block_params_set(&dl_mshr_paper_type, &p, "SETS=8", &err), 0);
    assert_int_equal(p.v[DL_MSHR_PAPER_RESERVED_HEADS], 4); /* the default is half of the sets */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_extremes_of_the_papers_example),
        cmocka_unit_test(test_reserved_heads_first_and_never_attached),
        cmocka_unit_test(test_state_diagram_head_path),
        cmocka_unit_test(test_wide_payloads_keep_their_order),
        cmocka_unit_test(test_merge_in_the_cycle_of_ret_leaves_with_it),
        cmocka_unit_test(test_late_request_during_the_drain_is_not_merged),
        cmocka_unit_test(test_back_to_back_requests_make_one_head),
        cmocka_unit_test(test_drains_follow_without_an_empty_cycle),
        cmocka_unit_test(test_walk_takes_one_cycle_a_link),
        cmocka_unit_test(test_early_free),
        cmocka_unit_test(test_return_of_no_head_is_an_error),
        cmocka_unit_test(test_static_entries_never_link),
        cmocka_unit_test(test_static_blocks_with_one_entry),
        cmocka_unit_test(test_a_lookup_beside_each_request),
        cmocka_unit_test(test_a_lookup_sees_the_primary_beside_it),
        cmocka_unit_test(test_a_lookup_follows_ret),
        cmocka_unit_test(test_a_lookup_is_held),
        cmocka_unit_test(test_attach_only_sets),
        cmocka_unit_test(test_relations_of_parameters),
        cmocka_unit_test(test_parameters_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
