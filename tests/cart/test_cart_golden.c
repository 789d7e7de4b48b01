// SPDX-License-Identifier: Apache-2.0
/* The examples of Gu's dissertation, Figures 2.5 and 2.6, through the ports; the same cycles are
 * replayed on the RTL, Verilated and in four states. */
#include <stdio.h>

#include "harness/harness.h"
#include "harness/proc.h"
#include "tests/cart/lines.h"

struct play {
    struct bench b;
    struct harness *harness;
    char dir[PATH_SIZE], file[PATH_SIZE + 16];
};

static void play_start(struct play *p, const char *const *set) {
    char err[1024];
    make(&p->b, &cart_type, set);
    p->harness = harness_create(NULL);
    assert_int_equal(temp_dir_make(p->dir, err, sizeof err), 0);
    snprintf(p->file, sizeof p->file, "%s/golden.vec", p->dir);
    if (harness_record(p->harness, &p->b.inst, p->file, 1000, false, err, sizeof err))
        fail_msg("%s", err);
    reset(&p->b);
}

#define PLAY(p, ...) play_start(p, (const char *const[]){MAP, __VA_ARGS__, NULL})

static void play_end(struct play *p) {
    expect_empty(&p->b);
    harness_destroy(p->harness);
    end(&p->b);
    assert_int_equal(replay_run(p->file, REPLAY_TWIN, REPLAY_ALL, NULL, stdout), 0);
    assert_int_equal(replay_run(p->file, REPLAY_ICARUS, REPLAY_ALL, NULL, stdout), 0);
    temp_dir_remove(p->dir);
}

static void fill_each(struct bench *b, uint64_t addr, const uint64_t *ids, size_t n) {
    for (size_t i = 0; i < n; i++)
        fill(b, addr, ids[i]);
}

/* ---- Figure 2.6: six queues of five places, and the orders that section 2.4.4 gives ---- */

enum { DUMMY = 100 };

/* Q3 and Q4, 13 12 and 15 14 of one line: the first queue has to be full for the second to be
 * assigned, so three dummies lead it. They are offered from here on. */
static void fill_bank_2(struct bench *b) {
    fill_each(b, line(2, 1, 1), IDS(DUMMY, DUMMY + 1, DUMMY + 2, 13, 12, 15, 14));
    expect_held(b, 7, 2);
}

/* Q0, Q1, Q2 and Q5, while a dummy is held. */
static void fill_banks_1_and_3(struct bench *b) {
    fill_each(b, line(1, 1, 0), IDS(2, 1, 0));
    fill_each(b, line(1, 1, 1), IDS(7, 6, 5, 4, 3));
    fill_each(b, line(1, 2, 2), IDS(11, 10, 9, 8));
    fill_each(b, line(3, 3, 1), IDS(18, 17, 16));
}

/* Bank 2 has a history (the dummies), but of the queue that the figure has drained first there. */
static void test_figure_2_6_rotating(void **unused) {
    (void)unused;
    struct play p;
    PLAY(&p, "DEPTH=5");
    fill_bank_2(&p.b);
    fill(&p.b, line(0, 0, 0), DUMMY + 3);
    expect_drains(&p.b, IDS(DUMMY, DUMMY + 3, DUMMY + 1));
    fill(&p.b, line(0, 0, 0), DUMMY + 4); /* while the last dummy of bank 2 is held */
    drain(&p.b, DUMMY + 2);
    expect_offer(&p.b, DUMMY + 4, INCOMING_WHY_ROW);
    fill_banks_1_and_3(&p.b);
    drain(&p.b, DUMMY + 4);
    expect_held(&p.b, 19, 6);
    expect_offer(&p.b, 7, INCOMING_WHY_LONGEST); /* bank 1 has no history */
    expect_drains(&p.b, IDS(7, 13, 18, 6, 12, 17, 5, 15, 16, 4, 14, 3, 2, 1, 0, 11, 10, 9, 8));
    play_end(&p);
}

/* The text gives the first six; the rest is by the contract, ties to the lowest. Q4 waits for Q3.
 */
static void test_figure_2_6_longest_first(void **unused) {
    (void)unused;
    struct play p;
    PLAY(&p, "DEPTH=5", "POLICY=1");
    fill_bank_2(&p.b);
    expect_drains(&p.b, IDS(DUMMY, DUMMY + 1));
    expect_offer(&p.b, DUMMY + 2, INCOMING_WHY_LONGEST);
    fill_banks_1_and_3(&p.b);
    drain(&p.b, DUMMY + 2);
    expect_held(&p.b, 19, 6);
    expect_drains(&p.b, IDS(7, 6, 11, 2, 5, 10));
    expect_drains(&p.b, IDS(18, 1, 4, 9, 13, 17, 0, 3, 8, 12, 15, 14, 16));
    play_end(&p);
}

/* Queues in turn, from the one behind the dummies' (Q3): what the text says of it, locality lost.
 */
static void test_figure_2_6_round_robin(void **unused) {
    (void)unused;
    struct play p;
    PLAY(&p, "DEPTH=5", "POLICY=2");
    fill_bank_2(&p.b);
    expect_drains(&p.b, IDS(DUMMY, DUMMY + 1));
    fill_banks_1_and_3(&p.b);
    drain(&p.b, DUMMY + 2);
    expect_drains(&p.b, IDS(18, 2, 7, 11, 13, 17, 1, 6, 10, 12, 15, 16, 0, 5, 9, 14, 4, 8, 3));
    play_end(&p);
}

/* ---- Figure 2.5: what the order is for ---- */

struct access {
    unsigned bank, row, column;
};

/* How often a bank has to open another row than that of its access before. */
static unsigned row_conflicts(const struct access *mr, const uint64_t *order, unsigned n) {
    unsigned conflicts = 0;
    int open[4] = {-1, -1, -1, -1};
    for (unsigned i = 0; i < n; i++) {
        const struct access *a = &mr[order[i]];
        conflicts += open[a->bank] >= 0 && open[a->bank] != (int)a->row;
        open[a->bank] = (int)a->row;
    }
    return conflicts;
}

/* From the text of section 2.4.1: MR0 and MR2 are one line; MR1 is in their bank, and its row
 * replaces theirs; MR3 is in another bank; MR4 is in B0/R0, the row of MR0. That MR4 is of another
 * column, and the row and column of MR3, are taken so here. */
static void test_figure_2_5(void **unused) {
    (void)unused;
    static const struct access mr[] = {{0, 0, 0}, {0, 1, 0}, {0, 0, 0}, {1, 0, 0}, {0, 0, 1}};
    static const uint64_t arrival[] = {0, 1, 2, 3, 4}, wanted[] = {0, 3, 2, 4, 1};
    struct play p;
    PLAY(&p, "DEPTH=2");
    for (uint64_t i = 0; i < 5; i++)
        fill(&p.b, line(mr[i].bank, mr[i].row, mr[i].column), i);
    expect_offer(&p.b, 0, INCOMING_WHY_HELD);
    drain(&p.b, 0);
    expect_offer(&p.b, 3, INCOMING_WHY_LONGEST); /* bank 1 at work beside bank 0 */
    drain(&p.b, 3);
    expect_offer(&p.b, 2, INCOMING_WHY_QUEUE); /* MR0's line, before MR1 could replace it */
    drain(&p.b, 2);
    expect_offer(&p.b, 4, INCOMING_WHY_ROW); /* MR0's row, still open */
    drain(&p.b, 4);
    expect_offer(&p.b, 1, INCOMING_WHY_LONGEST);
    drain(&p.b, 1);
    assert_int_equal(row_conflicts(mr, arrival, 5), 2);
    assert_int_equal(row_conflicts(mr, wanted, 5), 1);
    play_end(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_figure_2_6_rotating),
        cmocka_unit_test(test_figure_2_6_longest_first),
        cmocka_unit_test(test_figure_2_6_round_robin),
        cmocka_unit_test(test_figure_2_5),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
