// SPDX-License-Identifier: Apache-2.0
/* Runs the examples in Gu's dissertation, Figures 2.5 and 2.6, through the ports. The same cycles
 * are replayed on the RTL in a four-state simulator and, except in the test tier, on the Verilated
 * RTL.
 * tier: test, 1 s; full, 8 s */
#include <stdio.h>

#include "harness/harness.h"
#include "os/path.h"
#include "tests/cart/lines.h"
#include "tests/tier.h"

struct play {
    struct incoming_bench b;
    struct harness *harness;
    char dir[PATH_SIZE], file[PATH_SIZE + 16];
};

static void play_start(struct play *p, const char *const *set) {
    struct error err;
    make(&p->b, &cart_type, set);
    p->harness = harness_create(NULL);
    assert_int_equal(temp_dir_make(p->dir, &err), 0);
    snprintf(p->file, sizeof p->file, "%s/golden.vec", p->dir);
    if (harness_record(p->harness, &p->b.inst, p->file, 1000, false, &err))
        fail_msg("%s", err.text);
    reset(&p->b);
}

#define PLAY(p, ...) play_start(p, (const char *const[]){MAP, __VA_ARGS__, NULL})

static void play_end(struct play *p) {
    expect_empty(&p->b);
    harness_destroy(p->harness);
    end(&p->b);
    if (!tier_is_test()) /* a twin takes seconds to build */
        assert_int_equal(replay_run(p->file, REPLAY_TWIN, REPLAY_ALL, NULL, stdout), 0);
    assert_int_equal(replay_run(p->file, REPLAY_ICARUS, REPLAY_ALL, NULL, stdout), 0);
    temp_dir_remove(p->dir);
}

static void fill_each(struct incoming_bench *b, uint64_t addr, const uint64_t *ids, size_t n) {
    for (size_t i = 0; i < n; i++)
        fill(b, addr, ids[i]);
}

/* ---- Figure 2.6: six queues of five entries, and the orders of section 2.4.4 ---- */

enum { DUMMY = 100 };

/* Fills Q3 (13 12) and Q4 (15 14), which have the same line. The first queue must be full before
 * the second is assigned, so three dummies are sent first. They are output from then on. */
static void fill_bank_2(struct incoming_bench *b) {
    fill_each(b, line(2, 1, 1), IDS(DUMMY, DUMMY + 1, DUMMY + 2, 13, 12, 15, 14));
    expect_held(b, 7, 2);
}

/* Fills Q0, Q1, Q2 and Q5 while a dummy is held. */
static void fill_banks_1_and_3(struct incoming_bench *b) {
    fill_each(b, line(1, 1, 0), IDS(2, 1, 0));
    fill_each(b, line(1, 1, 1), IDS(7, 6, 5, 4, 3));
    fill_each(b, line(1, 2, 2), IDS(11, 10, 9, 8));
    fill_each(b, line(3, 3, 1), IDS(18, 17, 16));
}

/* Bank 2 has a history because of the dummies, but the history names the queue that the figure
 * drains first. */
static void test_figure_2_6_rotating(void **unused) {
    struct play p;
    PLAY(&p, "DEPTH=5");
    fill_bank_2(&p.b);
    fill(&p.b, line(0, 0, 0), DUMMY + 3);
    expect_drains(&p.b, IDS(DUMMY, DUMMY + 3, DUMMY + 1));
    fill(&p.b, line(0, 0, 0), DUMMY + 4); /* enters while the last dummy of bank 2 is held */
    drain(&p.b, DUMMY + 2);
    expect_offer(&p.b, DUMMY + 4, INCOMING_WHY_ROW);
    fill_banks_1_and_3(&p.b);
    drain(&p.b, DUMMY + 4);
    expect_held(&p.b, 19, 6);
    expect_offer(&p.b, 7, INCOMING_WHY_LONGEST); /* bank 1 has no history */
    expect_drains(&p.b, IDS(7, 13, 18, 6, 12, 17, 5, 15, 16, 4, 14, 3, 2, 1, 0, 11, 10, 9, 8));
    play_end(&p);
}

/* Gu's text gives the first six requests. The rest follow the contract, in which the lowest queue
 * wins a tie. Q4 waits for Q3. */
static void test_figure_2_6_longest_first(void **unused) {
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

/* Round robin starts with the queue after Q3, which had the dummies. Locality is lost, as Gu's
 * text says. */
static void test_figure_2_6_round_robin(void **unused) {
    struct play p;
    PLAY(&p, "DEPTH=5", "POLICY=2");
    fill_bank_2(&p.b);
    expect_drains(&p.b, IDS(DUMMY, DUMMY + 1));
    fill_banks_1_and_3(&p.b);
    drain(&p.b, DUMMY + 2);
    expect_drains(&p.b, IDS(18, 2, 7, 11, 13, 17, 1, 6, 10, 12, 15, 16, 0, 5, 9, 14, 4, 8, 3));
    play_end(&p);
}

/* ---- Figure 2.5: the purpose of the order ---- */

struct cart_access {
    unsigned bank, row, column;
};

/* Returns the number of accesses for which a bank must open a row other than that of its previous
 * access. */
static unsigned row_conflicts(const struct cart_access *mr, const uint64_t *order, unsigned n) {
    unsigned conflicts = 0;
    int open[4] = {-1, -1, -1, -1};
    for (unsigned i = 0; i < n; i++) {
        const struct cart_access *a = &mr[order[i]];
        conflicts += open[a->bank] >= 0 && open[a->bank] != (int)a->row;
        open[a->bank] = (int)a->row;
    }
    return conflicts;
}

/* Section 2.4.1 says that MR0 and MR2 access one line, MR1 is in their bank but in another row, MR3
 * is in another bank, and MR4 is in B0/R0, the row of MR0. The column of MR4, and the row and
 * column of MR3, are our assumptions. */
static void test_figure_2_5(void **unused) {
    static const struct cart_access mr[] = {{0, 0, 0}, {0, 1, 0}, {0, 0, 0}, {1, 0, 0}, {0, 0, 1}};
    static const uint64_t arrival[] = {0, 1, 2, 3, 4}, wanted[] = {0, 3, 2, 4, 1};
    struct play p;
    PLAY(&p, "DEPTH=2");
    for (uint64_t i = 0; i < 5; i++)
        fill(&p.b, line(mr[i].bank, mr[i].row, mr[i].column), i);
    expect_offer(&p.b, 0, INCOMING_WHY_HELD);
    drain(&p.b, 0);
    expect_offer(&p.b, 3, INCOMING_WHY_LONGEST); /* bank 1 works in parallel with bank 0 */
    drain(&p.b, 3);
    /* MR2 has MR0's line, and leaves before MR1 can close the row */
    expect_offer(&p.b, 2, INCOMING_WHY_QUEUE);
    drain(&p.b, 2);
    expect_offer(&p.b, 4, INCOMING_WHY_ROW); /* MR4 has MR0's row, which is still open */
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
