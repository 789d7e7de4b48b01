// SPDX-License-Identifier: Apache-2.0
/* Directed tests of the model of cart: the contract, rule by rule. */
#include "tests/cart/lines.h"

/* ---- Fill ---- */

static void test_fill_rules(void **unused) {
    (void)unused;
    struct bench b = START("ROWS=2", "COLS=2", "DEPTH=2");
    fill(&b, line(0, 1, 1), 1); /* 3: an empty group */
    expect_held(&b, 1, 1);
    fill(&b, line(0, 1, 1), 2); /* 1: joins */
    expect_held(&b, 2, 1);
    fill(&b, line(0, 1, 2), 3); /* 2: the group's other queue */
    expect_held(&b, 3, 2);
    expect_refusal(&b, line(0, 1, 3), INCOMING_REFUSE_COLUMN);
    expect_refusal(&b, line(0, 1, 1), INCOMING_REFUSE_COLUMN); /* full, and no second queue */
    expect_refusal(&b, line(0, 1, 2), INCOMING_REFUSE_NONE);
    fill(&b, line(0, 7, 1), 4); /* 3: the other group */
    expect_held(&b, 4, 3);
    expect_refusal(&b, line(0, 9, 1), INCOMING_REFUSE_ROW);
    expect_refusal(&b, line(0, 7, 5), INCOMING_REFUSE_NONE);
    expect_refusal(&b, line(1, 9, 1), INCOMING_REFUSE_NONE); /* another branch has nothing of it */
    end(&b);
}

/* A line with two queues: only the youngest is joined, though the older has room again. */
static void test_youngest_queue_counts(void **unused) {
    (void)unused;
    struct bench b = START("ROWS=1", "COLS=2", "DEPTH=2");
    for (uint64_t id = 0; id < 3; id++)
        fill(&b, line(2, 1, 1), id); /* queue 0: 0 1; queue 1: 2 */
    expect_held(&b, 3, 2);
    drain(&b, 0);
    fill(&b, line(2, 1, 1), 3); /* queue 1, not the room in queue 0 */
    expect_refusal(&b, line(2, 1, 1), INCOMING_REFUSE_COLUMN);
    expect_drains(&b, IDS(1, 2, 3));
    expect_empty(&b);
    end(&b);
}

static void test_third_queue_of_a_line(void **unused) {
    (void)unused;
    struct bench b = START("ROWS=2", "COLS=3", "DEPTH=1", "POLICY=1");
    for (uint64_t id = 0; id < 3; id++)
        fill(&b, line(0, 1, 1), id);
    expect_refusal(&b, line(0, 1, 1), INCOMING_REFUSE_COLUMN);
    drain(&b, 0);
    fill(&b, line(0, 1, 1), 3); /* in queue 0 again: the youngest has the lowest number */
    expect_drains(&b, IDS(1, 2, 3));
    end(&b);
}

/* The younger queue of a line gets to be the longer one, and waits. */
static void test_order_of_a_line(void **unused) {
    (void)unused;
    static const char *const policies[] = {"POLICY=0", "POLICY=1", "POLICY=2"};
    for (int i = 0; i < 3; i++) {
        struct bench b = START("ROWS=2", "COLS=2", "DEPTH=3", policies[i]);
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
    (void)unused;
    static const char *const drop[] = {"COL_DROP=0", "COL_DROP=1", "COL_DROP=3"};
    for (int i = 0; i < 3; i++) {
        struct bench b = start(&cart_type, (const char *const[]){"ADDR_W=10", "BANKS=8",
                                                                 "BANK_MASK=274", /* 1 0001 0010 */
                                                                 "COL_MASK=141",  /* 0 1000 1101 */
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

/* The widest address and id, in the highest bits. */
static void test_widest(void **unused) {
    (void)unused;
    struct bench b =
        start(&cart_type, (const char *const[]){"ADDR_W=48", "ID_W=32", "BANKS=64",
                                                "BANK_MASK=2113929216", /* bits 25 to 30 */
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

/* A row takes more queues than a group has, and the branch more rows than it has groups. */
static void test_fill_of_the_branch(void **unused) {
    (void)unused;
    struct bench b = START("ROWS=2", "COLS=2", "DEPTH=1", "FILL=1");
    for (unsigned column = 0; column < 4; column++)
        fill(&b, line(0, 1, column), column);
    expect_held(&b, 4, 4);
    expect_refusal(&b, line(0, 1, 4), INCOMING_REFUSE_COLUMN);
    expect_refusal(&b, line(0, 1, 0), INCOMING_REFUSE_COLUMN); /* full, and no second queue */
    expect_refusal(&b, line(0, 2, 0), INCOMING_REFUSE_ROW);
    expect_refusal(&b, line(1, 2, 0), INCOMING_REFUSE_NONE); /* another branch */
    end(&b);

    b = START("ROWS=2", "COLS=2", "DEPTH=1", "FILL=1");
    for (unsigned row = 1; row < 5; row++)
        fill(&b, line(0, row, 0), row);
    expect_held(&b, 4, 4);
    expect_refusal(&b, line(0, 5, 0), INCOMING_REFUSE_ROW);
    expect_refusal(&b, line(0, 4, 1), INCOMING_REFUSE_COLUMN);
    end(&b);
}

/* Round robin shows the numbers of queues: the lowest that is empty, of whatever rows the others
 * are. */
static void test_lowest_empty_queue_of_the_branch(void **unused) {
    (void)unused;
    struct bench b = START("ROWS=2", "COLS=2", "DEPTH=1", "POLICY=2", "FILL=1");
    for (unsigned row = 1; row < 4; row++)
        fill(&b, line(0, row, 0), row); /* queues 0, 1, 2 */
    expect_drains(&b, IDS(1, 2));
    fill(&b, line(0, 3, 1), 4); /* queue 0, not beside its row; queue 2 is offered */
    fill(&b, line(0, 5, 0), 5); /* queue 1 */
    fill(&b, line(0, 6, 0), 6); /* queue 3 */
    expect_drains(&b, IDS(3, 6, 4, 5));
    end(&b);
}

/* The queues of a line, now in any places of the branch, keep their order. */
static void test_order_of_a_line_in_the_branch(void **unused) {
    (void)unused;
    static const char *const policies[] = {"POLICY=0", "POLICY=1", "POLICY=2"};
    for (int i = 0; i < 3; i++) {
        struct bench b = START("ROWS=3", "COLS=1", "DEPTH=2", "FILL=1", policies[i]);
        fill(&b, line(1, 2, 1), 9); /* queue 0 */
        for (uint64_t id = 0; id < 3; id++)
            fill(&b, line(1, 1, 1), id); /* queue 1: 0 1; queue 2: 2 */
        drain(&b, 9);
        fill(&b, line(1, 1, 1), 3); /* the youngest has room */
        drain(&b, 0);
        fill(&b, line(1, 1, 1), 4); /* not queue 1 but queue 0, the youngest now */
        fill(&b, line(1, 1, 1), 5);
        expect_held(&b, 5, 3);
        expect_refusal(&b, line(1, 1, 1), INCOMING_REFUSE_COLUMN);
        expect_drains(&b, IDS(1, 2, 3, 4, 5));
        expect_empty(&b);
        end(&b);
    }
}

/* All queues of the row of last time count, wherever they are. */
static void test_row_of_last_time_in_the_branch(void **unused) {
    (void)unused;
    struct bench b = START("DEPTH=2", "ROWS=2", "COLS=2", "FILL=1");
    fill(&b, line(0, 1, 0), 1); /* queue 0; offered */
    fill(&b, line(0, 2, 0), 2); /* queue 1 */
    fill(&b, line(0, 2, 0), 3);
    fill(&b, line(0, 1, 1), 4); /* queue 2 */
    fill(&b, line(0, 1, 2), 5); /* queue 3, the longest of the row */
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

/* A queue goes to the row as that row's last request leaves; and one to another row. */
static void test_row_gets_a_queue_as_it_leaves(void **unused) {
    (void)unused;
    static const unsigned row[] = {1, 2};
    static const unsigned why[] = {INCOMING_WHY_ROW, INCOMING_WHY_LONGEST};
    for (int i = 0; i < 2; i++) {
        struct bench b = START("DEPTH=2", "ROWS=2", "COLS=2", "FILL=1");
        fill(&b, line(0, 1, 0), 1); /* queue 0 */
        fill(&b, line(0, 3, 0), 2); /* queue 1 */
        set_fill(&b, line(0, row[i], 1), 3);
        drain(&b, 1);
        assert_int_equal(b.out.fill_ready, 1); /* queue 2 */
        expect_offer(&b, i == 0 ? 3 : 2, why[i]);
        drain(&b, i == 0 ? 3 : 2);
        expect_offer(&b, i == 0 ? 2 : 3, INCOMING_WHY_LONGEST);
        end(&b);
    }
}

/* ---- Columns of several lines ---- */

/* Of two bits less than MAP's column: lines 0 to 3 of a row are one column, 4 to 7 the other. */
static void test_lines_of_a_column_share_a_queue(void **unused) {
    (void)unused;
    struct bench b = START("ROWS=1", "COLS=2", "DEPTH=3", "COL_DROP=2");
    fill(&b, line(0, 1, 2), 1);
    fill(&b, line(0, 1, 0), 2);
    fill(&b, line(0, 1, 7), 3);
    fill(&b, line(0, 1, 3), 4);
    expect_held(&b, 4, 2);
    expect_refusal(&b, line(0, 1, 1), INCOMING_REFUSE_COLUMN); /* full */
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

/* A second queue of the column waits for the first, though their lines are different. */
static void test_second_queue_of_a_column(void **unused) {
    (void)unused;
    struct bench b = START("ROWS=1", "COLS=2", "DEPTH=2", "COL_DROP=1", "POLICY=1");
    fill(&b, line(0, 1, 0), 1);
    fill(&b, line(0, 1, 0), 2);
    fill(&b, line(0, 1, 1), 3); /* the second queue, */
    fill(&b, line(0, 1, 0), 4); /* that is the youngest for both lines */
    expect_held(&b, 4, 2);
    drain(&b, 1);
    expect_refusal(&b, line(0, 1, 1), INCOMING_REFUSE_COLUMN); /* its room is not joined */
    expect_drains(&b, IDS(2, 3, 4));
    end(&b);
}

/* ---- Drain: the rotating policy ---- */

static void test_rotation(void **unused) {
    (void)unused;
    struct bench b = START("HOLD=1");
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
    (void)unused;
    struct bench b = START("DEPTH=4");
    fill(&b, line(0, 1, 1), 1);
    fill(&b, line(0, 1, 1), 2);
    fill(&b, line(0, 1, 1), 3);
    drain(&b, 1);
    for (uint64_t id = 10; id < 14; id++)
        fill(&b, line(0, 2, 2), id); /* longer, and for nothing */
    expect_offer(&b, 2, INCOMING_WHY_HELD);
    drain(&b, 2);
    expect_offer(&b, 3, INCOMING_WHY_QUEUE);
    drain(&b, 3);
    expect_offer(&b, 10, INCOMING_WHY_LONGEST);
    end(&b);
}

/* A queue that has been empty since is not the queue of last time, though it has the same number
 * and even the same line. */
static void test_queue_that_was_empty(void **unused) {
    (void)unused;
    struct bench b = START("DEPTH=2");
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
    (void)unused;
    struct bench b = START("DEPTH=3", "COLS=3");
    fill(&b, line(0, 1, 0), 1);
    fill(&b, line(0, 1, 1), 2);
    fill(&b, line(0, 1, 2), 3); /* the longest of the row */
    fill(&b, line(0, 1, 2), 4);
    for (uint64_t id = 10; id < 13; id++)
        fill(&b, line(0, 2, 0), id); /* the longest of the branch */
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

/* By address: its group was given up, went to another row, and another group got the row. */
static void test_row_is_remembered_by_address(void **unused) {
    (void)unused;
    struct bench b = START("DEPTH=3");
    fill(&b, line(0, 5, 0), 1);
    fill(&b, line(1, 0, 0), 2);
    drain(&b, 1); /* branch 0 is empty; branch 1 is offered, and held */
    for (uint64_t id = 10; id < 13; id++)
        fill(&b, line(0, 6, 0), id); /* group 0 */
    fill(&b, line(0, 5, 3), 5);      /* group 1 */
    drain(&b, 2);
    expect_offer(&b, 5, INCOMING_WHY_ROW);
    drain(&b, 5);
    expect_offer(&b, 10, INCOMING_WHY_LONGEST);
    drain(&b, 10);
    fill(&b, line(0, 5, 3), 6); /* the row of last time is now row 6 */
    drain(&b, 11);
    drain(&b, 12);
    fill(&b, line(0, 6, 4), 7);
    expect_offer(&b, 6, INCOMING_WHY_HELD);
    end(&b);
}

/* Row 0 is a row as any other: nothing remembered is not row 0. */
static void test_no_row_after_reset(void **unused) {
    (void)unused;
    struct bench b = START("DEPTH=3");
    fill(&b, line(1, 0, 0), 2); /* held while branch 0 is filled */
    fill(&b, line(0, 0, 0), 3);
    fill(&b, line(0, 9, 0), 4);
    fill(&b, line(0, 9, 0), 5);
    drain(&b, 2);
    expect_offer(&b, 4, INCOMING_WHY_LONGEST);
    end(&b);
}

static void test_ties(void **unused) {
    (void)unused;
    struct bench b = START("DEPTH=2", "COLS=2", "ROWS=2");
    fill(&b, line(3, 0, 0), 99);
    fill(&b, line(0, 1, 0), 1);
    fill(&b, line(0, 2, 0), 2);
    fill(&b, line(0, 2, 1), 3);
    fill(&b, line(0, 1, 1), 4);
    drain(&b, 99);
    expect_drains(&b, IDS(1, 4, 2, 3)); /* queue 0; its row; queues 2 and 3 */
    end(&b);

    b = START("DEPTH=2", "POLICY=1");
    fill(&b, line(3, 0, 0), 30); /* held */
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
    (void)unused;
    struct bench b = START("DEPTH=3", "POLICY=1", "HOLD=0");
    fill(&b, line(0, 0, 0), 1);
    expect_offer(&b, 1, INCOMING_WHY_LONGEST);
    fill(&b, line(3, 0, 0), 2);
    fill(&b, line(3, 0, 0), 3);
    expect_offer(&b, 2, INCOMING_WHY_LONGEST);
    cycle(&b);
    expect_offer(&b, 2, INCOMING_WHY_LONGEST); /* refused: nothing has changed */
    expect_drains(&b, IDS(2, 1, 3));
    end(&b);
}

static void test_round_robin(void **unused) {
    (void)unused;
    struct bench b = START("DEPTH=2", "POLICY=2", "ROWS=2");
    fill(&b, line(3, 0, 0), 99);
    fill(&b, line(0, 1, 0), 1);
    fill(&b, line(0, 1, 0), 2);
    fill(&b, line(0, 1, 0), 3); /* a second queue of that line: waits for the first */
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
    (void)unused;
    struct bench b = START("DEPTH=3", "POLICY=1");
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

/* HOLD=0: what the bank refuses lets the others have their try. */
static void test_rotation_under_refusal(void **unused) {
    (void)unused;
    struct bench b = START("HOLD=0", "DEPTH=3");
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
    /* History inside a branch: longest was decided nine times and never drained. */
    drain(&b, first);
    fill(&b, line((unsigned)first, 2, 0), 50);
    fill(&b, line((unsigned)first, 2, 0), 51);
    while (look(&b), b.out.drain_id != first)
        cycle(&b);
    expect_offer(&b, first, INCOMING_WHY_QUEUE);
    end(&b);
}

static void test_round_robin_under_refusal(void **unused) {
    (void)unused;
    struct bench b = START("HOLD=0", "POLICY=2");
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

/* ---- The same cycle ---- */

static void test_offered_in_the_next_cycle(void **unused) {
    (void)unused;
    struct bench b = START("DEPTH=2");
    set_fill(&b, line(1, 1, 1), 7);
    b.in.drain_ready = 1; /* means nothing yet */
    cycle(&b);
    assert_int_equal(b.out.fill_ready, 1);
    assert_int_equal(b.out.drain_valid, 0);
    expect_offer(&b, 7, INCOMING_WHY_LONGEST);
    drain(&b, 7);
    expect_empty(&b);
    end(&b);
}

/* A full queue that drains takes nothing in that cycle, and one that empties is free from the next.
 */
static void test_room_by_the_state_before(void **unused) {
    (void)unused;
    struct bench b = START("DEPTH=1", "COLS=1", "ROWS=1");
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
    (void)unused;
    struct bench b = START("DEPTH=2", "COLS=1", "ROWS=1");
    fill(&b, line(0, 1, 1), 1);
    set_fill(&b, line(0, 1, 1), 2);
    drain(&b, 1);
    assert_int_equal(b.out.fill_ready, 1);
    expect_held(&b, 1, 1);
    expect_offer(&b, 2, INCOMING_WHY_QUEUE); /* it has not been empty */
    end(&b);
}

/* The line's older queue empties in the cycle in which the line gets another. */
static void test_second_queue_as_the_first_empties(void **unused) {
    (void)unused;
    struct bench b = START("DEPTH=1", "COLS=2", "ROWS=1");
    fill(&b, line(0, 1, 1), 1);
    set_fill(&b, line(0, 1, 1), 2);
    drain(&b, 1);
    assert_int_equal(b.out.fill_ready, 1);
    expect_offer(&b, 2, INCOMING_WHY_ROW);
    expect_refusal(&b, line(0, 1, 2), INCOMING_REFUSE_NONE); /* the group still holds the row */
    expect_refusal(&b, line(0, 2, 1), INCOMING_REFUSE_ROW);
    drain(&b, 2);
    expect_empty(&b);
    expect_refusal(&b, line(0, 2, 1), INCOMING_REFUSE_NONE);
    end(&b);
}

static void test_withdrawn_fill(void **unused) {
    (void)unused;
    struct bench b = START("DEPTH=1", "COLS=1", "ROWS=1");
    fill(&b, line(0, 1, 1), 1);
    set_fill(&b, line(0, 1, 1), 2);
    cycle(&b);
    assert_int_equal(b.out.fill_ready, 0);
    set_fill(&b, line(1, 1, 1), 3); /* changed */
    cycle(&b);
    assert_int_equal(b.out.fill_ready, 1);
    cycle(&b);
    assert_int_equal(b.out.fill_ready, 0); /* 0 without fill_valid */
    expect_drains(&b, IDS(1, 3));
    expect_empty(&b);
    end(&b);
}

static void test_reset_in_the_middle(void **unused) {
    (void)unused;
    struct bench b = START("DEPTH=3", "AGE_LIMIT=1");
    fill(&b, line(2, 1, 0), 1);
    fill(&b, line(2, 1, 0), 2);
    fill(&b, line(2, 2, 0), 3);
    fill(&b, line(3, 2, 0), 4);
    drain(&b, 1);
    set_fill(&b, line(0, 0, 0), 8);
    b.in.rst = b.in.drain_ready = 1;
    cycle(&b);
    assert_int_equal(b.out.fill_ready, 1); /* outputs are those of the state .. */
    assert_int_equal(b.out.drain_id, 4);
    assert_int_equal(b.out.st_requests, 3);
    expect_empty(&b);           /* .. and nothing enters or leaves */
    fill(&b, line(3, 0, 0), 5); /* held; the drain before the reset has left no row behind */
    fill(&b, line(2, 1, 0), 6);
    fill(&b, line(2, 2, 0), 7);
    fill(&b, line(2, 2, 0), 8);
    drain(&b, 5);
    expect_offer(&b, 7, INCOMING_WHY_LONGEST);
    end(&b);
}

/* ---- AGE_LIMIT ---- */

/* A stream to one line, which has always one request of itself waiting, and one request that waits
 * beside it. Returns how many pass it after it has become the oldest, or `drains` if all do. */
static unsigned passes(struct bench *b, unsigned drains) {
    const uint64_t hot = line(1, 1, 0), other = line(1, 1, 1);
    fill(b, hot, 1);
    fill(b, other, 2);
    set_fill(b, hot, 1);
    drain(b, 1); /* older than the other, so it overtakes none */
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
    (void)unused;
    struct bench b = START("DEPTH=2");
    assert_int_equal(passes(&b, 100000), 100000);
    expect_held(&b, 2, 2);
    end(&b);
}

static void test_age_limit_is_exact(void **unused) {
    (void)unused;
    static const char *const limits[] = {"AGE_LIMIT=1", "AGE_LIMIT=2", "AGE_LIMIT=3",
                                         "AGE_LIMIT=100", "AGE_LIMIT=65535"};
    const unsigned n[] = {1, 2, 3, 100, 65535};
    for (int i = 0; i < 5; i++) {
        struct bench b = START("DEPTH=2", limits[i]);
        assert_int_equal(passes(&b, 100000), n[i]);
        expect_offer(&b, 2, INCOMING_WHY_AGED);
        drain(&b, 2);
        expect_offer(&b, 1, INCOMING_WHY_ROW); /* the count restarts; the row is the other's */
        end(&b);
    }
}

/* The limit counts for each branch by itself, and stays reached while the bank refuses. */
static void test_age_stays_at_the_limit(void **unused) {
    (void)unused;
    struct bench b = START("DEPTH=3", "AGE_LIMIT=2", "HOLD=0");
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
    fill(&b, line(2, 1, 0), 3); /* another branch: nothing has passed its oldest */
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
    (void)unused;
    const struct block_type *t = &cart_type;
    struct block_params p;
    char err[1024];
    assert_true(t->late);
    block_params_default(t, &p);
    assert_int_equal(block_params_check(t, &p, err, sizeof err), 0);
    ILLEGAL(t, "BANKS must be a power of two", "BANKS=12");
    ILLEGAL(t, "BANK_MASK must have log2(BANKS) bits set", "BANKS=8");
    ILLEGAL(t, "BANK_MASK must have log2(BANKS) bits set", "BANK_MASK=1");
    ILLEGAL(t, "BANK_MASK must lie within ADDR_W bits", "ADDR_W=8");
    ILLEGAL(t, "COL_MASK must have no bit of BANK_MASK", "COL_MASK=2");
    ILLEGAL(t, "COL_MASK must lie within ADDR_W bits", "ADDR_W=9", "COL_MASK=512");
    ILLEGAL(t, "BANK_MASK and COL_MASK must leave a bit for the row", "ADDR_W=9");
    ILLEGAL(t, "BANKS x ROWS x COLS x DEPTH must be at most 8192", "ROWS=8", "COLS=8", "DEPTH=9");
    ILLEGAL(t, "AGE_LIMIT needs POLICY=0", "AGE_LIMIT=1", "POLICY=1");
    ILLEGAL(t, "AGE_LIMIT needs POLICY=0", "AGE_LIMIT=1", "POLICY=2");
    ILLEGAL(t, "COL_DROP must leave a bit of COL_MASK", "COL_DROP=5");
    ILLEGAL(t, "COL_DROP must leave a bit of COL_MASK", "COL_DROP=1", "COL_MASK=4");
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
        assert_int_equal(block_params_set(t, &p, outside[i], err, sizeof err), -1);
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
