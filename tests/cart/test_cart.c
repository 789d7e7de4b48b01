// SPDX-License-Identifier: Apache-2.0
/* Directed tests of the cart model. They follow the contract rule by rule. */
#include "tests/cart/lines.h"

/* ---- Fill ---- */

static void test_fill_rules(void **unused) {
    struct incoming_bench b = START("ROWS=2", "COLS=2", "DEPTH=2");
    fill(&b, line(0, 1, 1), 1); /* rule 3: opens an empty group */
    expect_held(&b, 1, 1);
    fill(&b, line(0, 1, 1), 2); /* rule 1: joins a queue of its line */
    expect_held(&b, 2, 1);
    fill(&b, line(0, 1, 2), 3); /* rule 2: opens the other queue of the group */
    expect_held(&b, 3, 2);
    expect_refusal(&b, line(0, 1, 3), INCOMING_REFUSE_COLUMN);
    /* the queue of the line is full, and the group has no empty queue */
    expect_refusal(&b, line(0, 1, 1), INCOMING_REFUSE_COLUMN);
    expect_refusal(&b, line(0, 1, 2), INCOMING_REFUSE_NONE);
    fill(&b, line(0, 7, 1), 4); /* rule 3: the other group */
    expect_held(&b, 4, 3);
    expect_refusal(&b, line(0, 9, 1), INCOMING_REFUSE_ROW);
    expect_refusal(&b, line(0, 7, 5), INCOMING_REFUSE_NONE);
    expect_refusal(&b, line(1, 9, 1), INCOMING_REFUSE_NONE); /* another branch is not affected */
    end(&b);
}

/* Requests for a line with two queues join only the younger queue, even if the older one has room
 * again. */
static void test_youngest_queue_counts(void **unused) {
    struct incoming_bench b = START("ROWS=1", "COLS=2", "DEPTH=2");
    for (uint64_t id = 0; id < 3; id++)
        fill(&b, line(2, 1, 1), id); /* queue 0: 0 1; queue 1: 2 */
    expect_held(&b, 3, 2);
    drain(&b, 0);
    fill(&b, line(2, 1, 1), 3); /* queue 1, although queue 0 has room */
    expect_refusal(&b, line(2, 1, 1), INCOMING_REFUSE_COLUMN);
    expect_drains(&b, IDS(1, 2, 3));
    expect_empty(&b);
    end(&b);
}

static void test_third_queue_of_a_line(void **unused) {
    struct incoming_bench b = START("ROWS=2", "COLS=3", "DEPTH=1", "POLICY=1");
    for (uint64_t id = 0; id < 3; id++)
        fill(&b, line(0, 1, 1), id);
    expect_refusal(&b, line(0, 1, 1), INCOMING_REFUSE_COLUMN);
    drain(&b, 0);
    fill(&b, line(0, 1, 1), 3); /* queue 0 again, so the youngest queue has the lowest number */
    expect_drains(&b, IDS(1, 2, 3));
    end(&b);
}

/* The younger queue of a line becomes the longer one, but waits for the older queue. */
static void test_order_of_a_line(void **unused) {
    static const char *const policies[] = {"POLICY=0", "POLICY=1", "POLICY=2"};
    for (int i = 0; i < 3; i++) {
        struct incoming_bench b = START("ROWS=2", "COLS=2", "DEPTH=3", policies[i]);
        for (uint64_t id = 0; id < 6; id++)
            fill(&b, line(1, 1, 1), id);
        fill(&b, line(1, 2, 1), 9);
        for (uint64_t next = 0; next < 6;) {
            b.in.drain_ready = 1;
            cycle(&b);
            if (b.out.drain_id != 9)
                assert_int_equal(b.out.drain_id, next++);
        }
        end(&b);
    }
}

static void test_every_address(void **unused) {
    static const char *const drop[] = {"COL_DROP=0", "COL_DROP=1", "COL_DROP=3"};
    for (int i = 0; i < 3; i++) {
        struct incoming_bench b =
            /* BANK_MASK is binary 1 0001 0010 */
            start(&cart_type, (const char *const[]){"ADDR_W=10", "BANKS=8", "BANK_MASK=274",
                                                    "COL_MASK=141", /* binary 0 1000 1101 */
                                                    "POLICY=2", drop[i], NULL});
        for (uint64_t addr = 0; addr < 1024; addr++) {
            fill(&b, addr, addr ^ 0x155);
            look(&b);
            assert_int_equal(b.out.drain_addr, addr);
            drain(&b, addr ^ 0x155);
        }
        expect_empty(&b);
        end(&b);
    }
}

/* Tests the highest bits of the widest address and ID. */
static void test_widest(void **unused) {
    struct incoming_bench b =
        start(&cart_type, (const char *const[]){"ADDR_W=48", "ID_W=32", "BANKS=64",
                                                "BANK_MASK=2113929216", /* selects bits 25 to 30 */
                                                "COL_MASK=1", "ROWS=8", "COLS=8", NULL});
    uint64_t addr = UINT64_C(0xFFFFFFFFFFFF);
    fill(&b, addr, 0xFFFFFFFF);
    fill(&b, addr >> 1, 0xFFFFFFFE);
    look(&b);
    assert_true(b.out.drain_addr == addr);
    drain(&b, 0xFFFFFFFF);
    look(&b);
    assert_true(b.out.drain_addr == addr >> 1);
    drain(&b, 0xFFFFFFFE);
    end(&b);
}

/* ---- Fill: any empty queue of the branch ---- */

/* A row can use more queues than a group has. A branch can store more rows than it has groups. */
static void test_fill_of_the_branch(void **unused) {
    struct incoming_bench b = START("ROWS=2", "COLS=2", "DEPTH=1", "FILL=1");
    for (unsigned column = 0; column < 4; column++)
        fill(&b, line(0, 1, column), column);
    expect_held(&b, 4, 4);
    expect_refusal(&b, line(0, 1, 4), INCOMING_REFUSE_COLUMN);
    /* the queue of the line is full, and the branch has no empty queue */
    expect_refusal(&b, line(0, 1, 0), INCOMING_REFUSE_COLUMN);
    expect_refusal(&b, line(0, 2, 0), INCOMING_REFUSE_ROW);
    expect_refusal(&b, line(1, 2, 0), INCOMING_REFUSE_NONE); /* bank 1 is another branch */
    end(&b);

    b = START("ROWS=2", "COLS=2", "DEPTH=1", "FILL=1");
    for (unsigned row = 1; row < 5; row++)
        fill(&b, line(0, row, 0), row);
    expect_held(&b, 4, 4);
    expect_refusal(&b, line(0, 5, 0), INCOMING_REFUSE_ROW);
    expect_refusal(&b, line(0, 4, 1), INCOMING_REFUSE_COLUMN);
    end(&b);
}

/* The lowest empty queue is used, whatever rows the other queues have. Round robin makes the queue
 * numbers visible. */
static void test_lowest_empty_queue_of_the_branch(void **unused) {
    struct incoming_bench b = START("ROWS=2", "COLS=2", "DEPTH=1", "POLICY=2", "FILL=1");
    for (unsigned row = 1; row < 4; row++)
        fill(&b, line(0, row, 0), row); /* opens queues 0, 1 and 2 */
    expect_drains(&b, IDS(1, 2));
    fill(&b, line(0, 3, 1), 4); /* queue 0, although queue 2 has its row; queue 2 is output */
    fill(&b, line(0, 5, 0), 5); /* opens queue 1 */
    fill(&b, line(0, 6, 0), 6); /* opens queue 3 */
    expect_drains(&b, IDS(3, 6, 4, 5));
    end(&b);
}

/* The queues of a line drain in order of age, wherever in the branch they are. */
static void test_order_of_a_line_in_the_branch(void **unused) {
    static const char *const policies[] = {"POLICY=0", "POLICY=1", "POLICY=2"};
    for (int i = 0; i < 3; i++) {
        struct incoming_bench b = START("ROWS=3", "COLS=1", "DEPTH=2", "FILL=1", policies[i]);
        fill(&b, line(1, 2, 1), 9); /* opens queue 0 */
        for (uint64_t id = 0; id < 3; id++)
            fill(&b, line(1, 1, 1), id); /* queue 1: 0 1; queue 2: 2 */
        drain(&b, 9);
        fill(&b, line(1, 1, 1), 3); /* the youngest has room */
        drain(&b, 0);
        /* opens queue 0, which is now the youngest, instead of joining queue 1 */
        fill(&b, line(1, 1, 1), 4);
        fill(&b, line(1, 1, 1), 5);
        expect_held(&b, 5, 3);
        expect_refusal(&b, line(1, 1, 1), INCOMING_REFUSE_COLUMN);
        expect_drains(&b, IDS(1, 2, 3, 4, 5));
        expect_empty(&b);
        end(&b);
    }
}

/* All queues of the last drained row are candidates, wherever they are in the branch. */
static void test_row_of_last_time_in_the_branch(void **unused) {
    struct incoming_bench b = START("DEPTH=2", "ROWS=2", "COLS=2", "FILL=1");
    fill(&b, line(0, 1, 0), 1); /* opens queue 0, whose request is offered */
    fill(&b, line(0, 2, 0), 2); /* opens queue 1 */
    fill(&b, line(0, 2, 0), 3);
    fill(&b, line(0, 1, 1), 4); /* opens queue 2 */
    fill(&b, line(0, 1, 2), 5); /* opens queue 3, the longest queue of the row */
    fill(&b, line(0, 1, 2), 6);
    drain(&b, 1);
    expect_offer(&b, 5, INCOMING_WHY_ROW);
    drain(&b, 5);
    expect_offer(&b, 6, INCOMING_WHY_QUEUE);
    drain(&b, 6);
    expect_offer(&b, 4, INCOMING_WHY_ROW);
    drain(&b, 4);
    expect_offer(&b, 2, INCOMING_WHY_LONGEST);
    end(&b);
}

/* The last request of a row leaves in the cycle in which a queue is assigned, first to the same row
 * and then to another row. */
static void test_row_gets_a_queue_as_it_leaves(void **unused) {
    static const unsigned row[] = {1, 2};
    static const unsigned why[] = {INCOMING_WHY_ROW, INCOMING_WHY_LONGEST};
    for (int i = 0; i < 2; i++) {
        struct incoming_bench b = START("DEPTH=2", "ROWS=2", "COLS=2", "FILL=1");
        fill(&b, line(0, 1, 0), 1); /* opens queue 0 */
        fill(&b, line(0, 3, 0), 2); /* opens queue 1 */
        set_fill(&b, line(0, row[i], 1), 3);
        drain(&b, 1);
        assert_int_equal(b.out.fill_ready, 1); /* opens queue 2 */
        expect_offer(&b, i == 0 ? 3 : 2, why[i]);
        drain(&b, i == 0 ? 3 : 2);
        expect_offer(&b, i == 0 ? 2 : 3, INCOMING_WHY_LONGEST);
        end(&b);
    }
}

/* ---- Columns of several lines ---- */

/* Two bits of MAP's column are dropped, so lines 0 to 3 of a row form one column, and lines 4
 * to 7 form the other. */
static void test_lines_of_a_column_share_a_queue(void **unused) {
    struct incoming_bench b = START("ROWS=1", "COLS=2", "DEPTH=3", "COL_DROP=2");
    fill(&b, line(0, 1, 2), 1);
    fill(&b, line(0, 1, 0), 2);
    fill(&b, line(0, 1, 7), 3);
    fill(&b, line(0, 1, 3), 4);
    expect_held(&b, 4, 2);
    expect_refusal(&b, line(0, 1, 1), INCOMING_REFUSE_COLUMN); /* the queue is full */
    expect_refusal(&b, line(0, 1, 4), INCOMING_REFUSE_NONE);
    const struct {
        uint64_t line, id;
    } drains[] = {{line(0, 1, 2), 1}, {line(0, 1, 0), 2}, {line(0, 1, 3), 4}, {line(0, 1, 7), 3}};
    for (int i = 0; i < 4; i++) {
        look(&b);
        assert_int_equal(b.out.drain_addr, drains[i].line);
        drain(&b, drains[i].id);
    }
    expect_empty(&b);
    end(&b);
}

/* A second queue of a column waits for the first, although their lines differ. */
static void test_second_queue_of_a_column(void **unused) {
    struct incoming_bench b = START("ROWS=1", "COLS=2", "DEPTH=2", "COL_DROP=1", "POLICY=1");
    fill(&b, line(0, 1, 0), 1);
    fill(&b, line(0, 1, 0), 2);
    fill(&b, line(0, 1, 1), 3); /* opens the second queue */
    fill(&b, line(0, 1, 0), 4); /* joins the second queue, the youngest for both lines */
    expect_held(&b, 4, 2);
    drain(&b, 1);
    /* the room in the older queue is not used */
    expect_refusal(&b, line(0, 1, 1), INCOMING_REFUSE_COLUMN);
    expect_drains(&b, IDS(2, 3, 4));
    end(&b);
}

/* ---- Drain: the rotating policy ---- */

static void test_rotation(void **unused) {
    struct incoming_bench b = START("HOLD=1");
    fill(&b, line(2, 0, 0), 20); /* offered from here on */
    for (unsigned bank = 0; bank < 4; bank++)
        for (unsigned row = 1; row < 3; row++)
            fill(&b, line(bank, row, 0), bank * 10 + row);
    drain(&b, 20);
    const unsigned banks[] = {3, 0, 1, 2, 3, 0, 1, 2};
    for (int i = 0; i < 8; i++)
        drain(&b, banks[i] * 10 + (i < 4 ? 1 : 2));
    expect_empty(&b);
    end(&b);
}

static void test_queue_of_last_time(void **unused) {
    struct incoming_bench b = START("DEPTH=4");
    fill(&b, line(0, 1, 1), 1);
    fill(&b, line(0, 1, 1), 2);
    fill(&b, line(0, 1, 1), 3);
    drain(&b, 1);
    for (uint64_t id = 10; id < 14; id++)
        fill(&b, line(0, 2, 2), id); /* a longer queue that is not chosen */
    expect_offer(&b, 2, INCOMING_WHY_HELD);
    drain(&b, 2);
    expect_offer(&b, 3, INCOMING_WHY_QUEUE);
    drain(&b, 3);
    expect_offer(&b, 10, INCOMING_WHY_LONGEST);
    end(&b);
}

/* A queue that has become empty since it drained no longer counts as the last drained queue, even
 * if it gets the same line again. */
static void test_queue_that_was_empty(void **unused) {
    struct incoming_bench b = START("DEPTH=2");
    fill(&b, line(0, 1, 1), 1);
    drain(&b, 1);
    expect_empty(&b);
    fill(&b, line(0, 1, 1), 2);
    expect_offer(&b, 2, INCOMING_WHY_ROW);
    reset(&b);
    fill(&b, line(0, 1, 1), 1);
    drain(&b, 1);
    fill(&b, line(0, 2, 1), 2);
    expect_offer(&b, 2, INCOMING_WHY_LONGEST);
    end(&b);
}

static void test_row_of_last_time(void **unused) {
    struct incoming_bench b = START("DEPTH=3", "COLS=3");
    fill(&b, line(0, 1, 0), 1);
    fill(&b, line(0, 1, 1), 2);
    fill(&b, line(0, 1, 2), 3); /* the longest queue of the row */
    fill(&b, line(0, 1, 2), 4);
    for (uint64_t id = 10; id < 13; id++)
        fill(&b, line(0, 2, 0), id); /* the longest queue of the branch */
    drain(&b, 1);
    expect_offer(&b, 3, INCOMING_WHY_ROW);
    drain(&b, 3);
    expect_offer(&b, 4, INCOMING_WHY_QUEUE);
    drain(&b, 4);
    expect_offer(&b, 2, INCOMING_WHY_ROW);
    drain(&b, 2);
    expect_offer(&b, 10, INCOMING_WHY_LONGEST);
    end(&b);
}

/* Rows are compared by address. The group of the last drained row is released and assigned to
 * another row, and the first row gets another group. */
static void test_row_is_remembered_by_address(void **unused) {
    struct incoming_bench b = START("DEPTH=3");
    fill(&b, line(0, 5, 0), 1);
    fill(&b, line(1, 0, 0), 2);
    drain(&b, 1); /* branch 0 is empty; branch 1 is output, and held */
    for (uint64_t id = 10; id < 13; id++)
        fill(&b, line(0, 6, 0), id); /* opens group 0 */
    fill(&b, line(0, 5, 3), 5);      /* opens group 1 */
    drain(&b, 2);
    expect_offer(&b, 5, INCOMING_WHY_ROW);
    drain(&b, 5);
    expect_offer(&b, 10, INCOMING_WHY_LONGEST);
    drain(&b, 10);
    fill(&b, line(0, 5, 3), 6); /* the last drained row is now row 6 */
    drain(&b, 11);
    drain(&b, 12);
    fill(&b, line(0, 6, 4), 7);
    expect_offer(&b, 6, INCOMING_WHY_HELD);
    end(&b);
}

/* Row 0 is a row like any other. If there is no history, row 0 does not count as the last drained
 * row. */
static void test_no_row_after_reset(void **unused) {
    struct incoming_bench b = START("DEPTH=3");
    fill(&b, line(1, 0, 0), 2); /* held while branch 0 is filled */
    fill(&b, line(0, 0, 0), 3);
    fill(&b, line(0, 9, 0), 4);
    fill(&b, line(0, 9, 0), 5);
    drain(&b, 2);
    expect_offer(&b, 4, INCOMING_WHY_LONGEST);
    end(&b);
}

static void test_ties(void **unused) {
    struct incoming_bench b = START("DEPTH=2", "COLS=2", "ROWS=2");
    fill(&b, line(3, 0, 0), 99);
    fill(&b, line(0, 1, 0), 1);
    fill(&b, line(0, 2, 0), 2);
    fill(&b, line(0, 2, 1), 3);
    fill(&b, line(0, 1, 1), 4);
    drain(&b, 99);
    expect_drains(&b, IDS(1, 4, 2, 3)); /* queue 0, then its row, then queues 2 and 3 */
    end(&b);

    b = START("DEPTH=2", "POLICY=1");
    fill(&b, line(3, 0, 0), 30); /* held at the output */
    fill(&b, line(2, 2, 0), 20);
    fill(&b, line(1, 1, 1), 10);
    fill(&b, line(1, 1, 0), 11);
    fill(&b, line(2, 2, 0), 21);
    fill(&b, line(1, 1, 0), 12);
    drain(&b, 30);
    expect_drains(&b, IDS(11, 20, 10, 12, 21)); /* the lowest branch, then the lowest queue */
    end(&b);
}

/* ---- Other policies ---- */

static void test_longest_first(void **unused) {
    struct incoming_bench b = START("DEPTH=3", "POLICY=1", "HOLD=0");
    fill(&b, line(0, 0, 0), 1);
    expect_offer(&b, 1, INCOMING_WHY_LONGEST);
    fill(&b, line(3, 0, 0), 2);
    fill(&b, line(3, 0, 0), 3);
    expect_offer(&b, 2, INCOMING_WHY_LONGEST);
    cycle(&b);
    expect_offer(&b, 2, INCOMING_WHY_LONGEST); /* the refusal changes nothing */
    expect_drains(&b, IDS(2, 1, 3));
    end(&b);
}

static void test_round_robin(void **unused) {
    struct incoming_bench b = START("DEPTH=2", "POLICY=2", "ROWS=2");
    fill(&b, line(3, 0, 0), 99);
    fill(&b, line(0, 1, 0), 1);
    fill(&b, line(0, 1, 0), 2);
    fill(&b, line(0, 1, 0), 3); /* a second queue of that line waits for the first */
    fill(&b, line(0, 2, 0), 4);
    fill(&b, line(0, 2, 0), 5);
    fill(&b, line(2, 1, 0), 6);
    fill(&b, line(2, 2, 0), 7);
    fill(&b, line(2, 1, 0), 8);
    expect_offer(&b, 99, INCOMING_WHY_HELD);
    drain(&b, 99);
    expect_offer(&b, 1, INCOMING_WHY_NEXT);
    expect_drains(&b, IDS(1, 4, 6, 7, 2, 3, 5, 8));
    expect_empty(&b);
    end(&b);
}

/* ---- Back-pressure ---- */

static void test_hold_against_arrivals(void **unused) {
    struct incoming_bench b = START("DEPTH=3", "POLICY=1");
    fill(&b, line(2, 1, 0), 1);
    expect_offer(&b, 1, INCOMING_WHY_LONGEST);
    for (uint64_t id = 10; id < 13; id++) {
        fill(&b, line(0, 1, 0), id);
        expect_offer(&b, 1, INCOMING_WHY_HELD);
    }
    drain(&b, 1);
    expect_offer(&b, 10, INCOMING_WHY_LONGEST);
    end(&b);
}

/* With HOLD=0, the block outputs other requests after the bank has refused one. */
static void test_rotation_under_refusal(void **unused) {
    struct incoming_bench b = START("HOLD=0", "DEPTH=3");
    for (unsigned bank = 0; bank < 3; bank++) {
        fill(&b, line(bank, 1, 0), bank);
        fill(&b, line(bank, 1, 0), bank);
    }
    look(&b);
    uint64_t first = b.out.drain_id;
    for (uint64_t i = 0; i < 9; i++) {
        expect_offer(&b, (first + i) % 3, INCOMING_WHY_LONGEST);
        cycle(&b);
    }
    /* the history of a branch begins with its first drain, not with the nine choices before it */
    drain(&b, first);
    fill(&b, line((unsigned)first, 2, 0), 50);
    fill(&b, line((unsigned)first, 2, 0), 51);
    while (look(&b), b.out.drain_id != first)
        cycle(&b);
    expect_offer(&b, first, INCOMING_WHY_QUEUE);
    end(&b);
}

static void test_round_robin_under_refusal(void **unused) {
    struct incoming_bench b = START("HOLD=0", "POLICY=2");
    fill(&b, line(1, 1, 0), 1); /* offered in the cycles of the other fills */
    fill(&b, line(1, 2, 0), 2);
    fill(&b, line(3, 1, 0), 3);
    look(&b);
    uint64_t at = b.out.drain_id;
    for (int i = 0; i < 7; i++, at = at % 3 + 1) {
        expect_offer(&b, at, INCOMING_WHY_NEXT);
        cycle(&b);
    }
    end(&b);
}

/* ---- Events in one cycle ---- */

static void test_offered_in_the_next_cycle(void **unused) {
    struct incoming_bench b = START("DEPTH=2");
    set_fill(&b, line(1, 1, 1), 7);
    b.in.drain_ready = 1; /* no output is valid yet */
    cycle(&b);
    assert_int_equal(b.out.fill_ready, 1);
    assert_int_equal(b.out.drain_valid, 0);
    expect_offer(&b, 7, INCOMING_WHY_LONGEST);
    drain(&b, 7);
    expect_empty(&b);
    end(&b);
}

/* A full queue accepts no request in the cycle in which a request leaves it, and a queue that
 * becomes empty is free from the next cycle on. */
static void test_room_by_the_state_before(void **unused) {
    struct incoming_bench b = START("DEPTH=1", "COLS=1", "ROWS=1");
    fill(&b, line(0, 1, 1), 1);
    const struct {
        uint64_t line;
        enum incoming_refusal why;
    } cases[] = {{line(0, 1, 1), INCOMING_REFUSE_COLUMN},
                 {line(0, 1, 2), INCOMING_REFUSE_COLUMN},
                 {line(0, 2, 1), INCOMING_REFUSE_ROW}};
    for (uint64_t i = 0; i < 3; i++) {
        set_fill(&b, cases[i].line, i);
        b.in.drain_ready = 1;
        cycle(&b);
        assert_int_equal(b.out.drain_valid, 1);
        assert_int_equal(b.out.fill_refuse, cases[i].why);
        fill(&b, cases[i].line, i); /* the queue is free now */
    }
    end(&b);

    b = START("DEPTH=2", "COLS=1", "ROWS=1");
    fill(&b, line(0, 1, 1), 1);
    fill(&b, line(0, 1, 1), 2);
    set_fill(&b, line(0, 1, 1), 3);
    drain(&b, 1);
    assert_int_equal(b.out.fill_refuse, INCOMING_REFUSE_COLUMN);
    expect_refusal(&b, line(0, 1, 1), INCOMING_REFUSE_NONE);
    end(&b);
}

static void test_join_as_the_last_request_leaves(void **unused) {
    struct incoming_bench b = START("DEPTH=2", "COLS=1", "ROWS=1");
    fill(&b, line(0, 1, 1), 1);
    set_fill(&b, line(0, 1, 1), 2);
    drain(&b, 1);
    assert_int_equal(b.out.fill_ready, 1);
    expect_held(&b, 1, 1);
    expect_offer(&b, 2, INCOMING_WHY_QUEUE); /* the queue has not been empty in between */
    end(&b);
}

/* The older queue of a line becomes empty in the cycle in which the line gets another queue. */
static void test_second_queue_as_the_first_empties(void **unused) {
    struct incoming_bench b = START("DEPTH=1", "COLS=2", "ROWS=1");
    fill(&b, line(0, 1, 1), 1);
    set_fill(&b, line(0, 1, 1), 2);
    drain(&b, 1);
    assert_int_equal(b.out.fill_ready, 1);
    expect_offer(&b, 2, INCOMING_WHY_ROW);
    expect_refusal(&b, line(0, 1, 2), INCOMING_REFUSE_NONE); /* the row still has the group */
    expect_refusal(&b, line(0, 2, 1), INCOMING_REFUSE_ROW);
    drain(&b, 2);
    expect_empty(&b);
    expect_refusal(&b, line(0, 2, 1), INCOMING_REFUSE_NONE);
    end(&b);
}

static void test_withdrawn_fill(void **unused) {
    struct incoming_bench b = START("DEPTH=1", "COLS=1", "ROWS=1");
    fill(&b, line(0, 1, 1), 1);
    set_fill(&b, line(0, 1, 1), 2);
    cycle(&b);
    assert_int_equal(b.out.fill_ready, 0);
    set_fill(&b, line(1, 1, 1), 3); /* replaces the refused request */
    cycle(&b);
    assert_int_equal(b.out.fill_ready, 1);
    cycle(&b);
    assert_int_equal(b.out.fill_ready, 0); /* fill_ready is 0 if fill_valid is 0 */
    expect_drains(&b, IDS(1, 3));
    expect_empty(&b);
    end(&b);
}

static void test_reset_in_the_middle(void **unused) {
    struct incoming_bench b = START("DEPTH=3", "AGE_LIMIT=1");
    fill(&b, line(2, 1, 0), 1);
    fill(&b, line(2, 1, 0), 2);
    fill(&b, line(2, 2, 0), 3);
    fill(&b, line(3, 2, 0), 4);
    drain(&b, 1);
    set_fill(&b, line(0, 0, 0), 8);
    b.in.rst = b.in.drain_ready = 1;
    cycle(&b);
    assert_int_equal(b.out.fill_ready, 1); /* fill_ready shows the state before reset */
    assert_int_equal(b.out.drain_id, 4);
    assert_int_equal(b.out.st_requests, 3);
    expect_empty(&b);           /* no request has entered in the reset cycle */
    fill(&b, line(3, 0, 0), 5); /* held at the output; the drain before reset left no history */
    fill(&b, line(2, 1, 0), 6);
    fill(&b, line(2, 2, 0), 7);
    fill(&b, line(2, 2, 0), 8);
    drain(&b, 5);
    expect_offer(&b, 7, INCOMING_WHY_LONGEST);
    end(&b);
}

/* ---- AGE_LIMIT ---- */

/* Runs a stream of requests for one line, at least one of which is always stored, and one request
 * for another line. Returns the number of requests that drain before the other request once that
 * request is the oldest, or `drains` if it never drains. */
static unsigned passes(struct incoming_bench *b, unsigned drains) {
    const uint64_t hot = line(1, 1, 0), other = line(1, 1, 1);
    fill(b, hot, 1);
    fill(b, other, 2);
    set_fill(b, hot, 1);
    drain(b, 1); /* request 1 is older than request 2, so this drain is not counted */
    for (unsigned n = 0; n < drains; n++) {
        look(b);
        if (b->out.drain_id == 2)
            return n;
        set_fill(b, hot, 1);
        drain(b, 1);
        assert_int_equal(b->out.fill_ready, 1);
    }
    return drains;
}

static void test_starvation_without_a_limit(void **unused) {
    struct incoming_bench b = START("DEPTH=2");
    assert_int_equal(passes(&b, 100000), 100000);
    expect_held(&b, 2, 2);
    end(&b);
}

static void test_age_limit_is_exact(void **unused) {
    static const char *const limits[] = {"AGE_LIMIT=1", "AGE_LIMIT=2", "AGE_LIMIT=3",
                                         "AGE_LIMIT=100", "AGE_LIMIT=65535"};
    const unsigned n[] = {1, 2, 3, 100, 65535};
    for (int i = 0; i < 5; i++) {
        struct incoming_bench b = START("DEPTH=2", limits[i]);
        assert_int_equal(passes(&b, 100000), n[i]);
        expect_offer(&b, 2, INCOMING_WHY_AGED);
        drain(&b, 2);
        expect_offer(&b, 1, INCOMING_WHY_ROW); /* the count restarts; both lines are in one row */
        end(&b);
    }
}

/* The limit applies to each branch. A branch stays at the limit while the bank refuses. */
static void test_age_stays_at_the_limit(void **unused) {
    struct incoming_bench b = START("DEPTH=3", "AGE_LIMIT=2", "HOLD=0");
    fill(&b, line(1, 1, 0), 1);
    fill(&b, line(1, 2, 0), 2);
    for (int i = 0; i < 3; i++) {
        set_fill(&b, line(1, 1, 0), 1);
        drain(&b, 1);
    }
    for (int i = 0; i < 5; i++) {
        expect_offer(&b, 2, INCOMING_WHY_AGED);
        cycle(&b);
    }
    fill(&b, line(2, 1, 0), 3); /* another branch, whose oldest request has not been overtaken */
    while (look(&b), b.out.drain_id != 3)
        cycle(&b);
    assert_int_equal(b.out.drain_why, INCOMING_WHY_LONGEST);
    drain(&b, 3);
    expect_offer(&b, 2, INCOMING_WHY_AGED);
    drain(&b, 2);
    expect_offer(&b, 1, INCOMING_WHY_LONGEST);
    end(&b);
}

/* ---- Parameters ---- */

static void test_parameters(void **unused) {
    const struct block_type *t = &cart_type;
    struct block_params p;
    struct error err;
    assert_true(t->late);
    block_params_default(t, &p);
    assert_int_equal(block_params_check(t, &p, &err), 0);
    ILLEGAL_OF(t, "BANKS must be a power of two", "BANKS=12");
    ILLEGAL_OF(t, "BANK_MASK must have log2(BANKS) bits set", "BANKS=8");
    ILLEGAL_OF(t, "BANK_MASK must have log2(BANKS) bits set", "BANK_MASK=1");
    ILLEGAL_OF(t, "BANK_MASK must lie within ADDR_W bits", "ADDR_W=8");
    ILLEGAL_OF(t, "COL_MASK and BANK_MASK must have no bit in common", "COL_MASK=2");
    ILLEGAL_OF(t, "COL_MASK must lie within ADDR_W bits", "ADDR_W=9", "COL_MASK=512");
    ILLEGAL_OF(t, "BANK_MASK and COL_MASK must leave a bit for the row", "ADDR_W=9");
    ILLEGAL_OF(t, "BANKS x ROWS x COLS x DEPTH must be at most 8192", "ROWS=8", "COLS=8",
               "DEPTH=9");
    ILLEGAL_OF(t, "AGE_LIMIT needs POLICY=0", "AGE_LIMIT=1", "POLICY=1");
    ILLEGAL_OF(t, "AGE_LIMIT needs POLICY=0", "AGE_LIMIT=1", "POLICY=2");
    ILLEGAL_OF(t, "COL_DROP must be less than the number of bits in COL_MASK", "COL_DROP=5");
    ILLEGAL_OF(t, "COL_DROP must be less than the number of bits in COL_MASK", "COL_DROP=1",
               "COL_MASK=4");
    static const char *const outside[] = {"ADDR_W=0",
                                          "ADDR_W=49",
                                          "ID_W=0",
                                          "ID_W=33",
                                          "DEPTH=0",
                                          "DEPTH=33",
                                          "BANKS=1",
                                          "BANKS=128",
                                          "COL_MASK=0",
                                          "ROWS=0",
                                          "ROWS=9",
                                          "COLS=0",
                                          "COLS=9",
                                          "POLICY=3",
                                          "AGE_LIMIT=65536",
                                          "FILL=2",
                                          "COL_DROP=30",
                                          "HOLD=2",
                                          "BANK_MASK=2147483648",
                                          "COL_MASK=2147483648"};
    for (size_t i = 0; i < sizeof outside / sizeof *outside; i++)
        assert_int_equal(block_params_set(t, &p, outside[i], &err), -1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fill_rules),
        cmocka_unit_test(test_youngest_queue_counts),
        cmocka_unit_test(test_third_queue_of_a_line),
        cmocka_unit_test(test_order_of_a_line),
        cmocka_unit_test(test_every_address),
        cmocka_unit_test(test_widest),
        cmocka_unit_test(test_fill_of_the_branch),
        cmocka_unit_test(test_lowest_empty_queue_of_the_branch),
        cmocka_unit_test(test_order_of_a_line_in_the_branch),
        cmocka_unit_test(test_row_of_last_time_in_the_branch),
        cmocka_unit_test(test_row_gets_a_queue_as_it_leaves),
        cmocka_unit_test(test_lines_of_a_column_share_a_queue),
        cmocka_unit_test(test_second_queue_of_a_column),
        cmocka_unit_test(test_rotation),
        cmocka_unit_test(test_queue_of_last_time),
        cmocka_unit_test(test_queue_that_was_empty),
        cmocka_unit_test(test_row_of_last_time),
        cmocka_unit_test(test_row_is_remembered_by_address),
        cmocka_unit_test(test_no_row_after_reset),
        cmocka_unit_test(test_ties),
        cmocka_unit_test(test_longest_first),
        cmocka_unit_test(test_round_robin),
        cmocka_unit_test(test_hold_against_arrivals),
        cmocka_unit_test(test_rotation_under_refusal),
        cmocka_unit_test(test_round_robin_under_refusal),
        cmocka_unit_test(test_offered_in_the_next_cycle),
        cmocka_unit_test(test_room_by_the_state_before),
        cmocka_unit_test(test_join_as_the_last_request_leaves),
        cmocka_unit_test(test_second_queue_as_the_first_empties),
        cmocka_unit_test(test_withdrawn_fill),
        cmocka_unit_test(test_reset_in_the_middle),
        cmocka_unit_test(test_starvation_without_a_limit),
        cmocka_unit_test(test_age_limit_is_exact),
        cmocka_unit_test(test_age_stays_at_the_limit),
        cmocka_unit_test(test_parameters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
