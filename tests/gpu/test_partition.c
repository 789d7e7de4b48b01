// SPDX-License-Identifier: Apache-2.0
/* Checks how many CTAs of the kernels in Dai's Table 6 fit on an SM of maxwell16_cke: alone, with
 * SMK, and as configured by hand. Each kernel's needs follow from the CTAs and percentages in the
 * table. */
#include "gpu/partition.h"
#include "tests/test.h"

enum { HS, PF, BP, SV, MM, KS, AX, KERNELS };

static const struct {
    const char *name;
    uint32_t block, regs, shared, alone;
} table6[KERNELS] = {
    [HS] = {"hs", 256, 36, 3072, 7},  [PF] = {"pf", 256, 16, 2048, 12},
    [BP] = {"bp", 256, 12, 1088, 12}, [SV] = {"sv", 192, 16, 0, 16},
    [MM] = {"3m", 256, 12, 0, 12},    [KS] = {"ks", 256, 12, 0, 12},
    [AX] = {"ax", 256, 12, 0, 12},
};

/* Returns the machine in Dai's Table 5. */
static struct config machine(void) {
    struct config c;
    config_default(&c);
    c.sm_warps = 96;
    c.sm_ctas = 16;
    c.sm_shared_kib = 96;
    c.sm_registers = 65536;
    c.sm_register_source = REGISTERS_ALL;
    c.sm_register_unit = 1;
    return c;
}

static struct sm_resources need_of(const struct config *c, int kernel) {
    const struct kernel_launch l = {.name = table6[kernel].name,
                                    .grid = {1, 1, 1},
                                    .block = {table6[kernel].block, 1, 1},
                                    .paper_regs = table6[kernel].regs,
                                    .shared_bytes = table6[kernel].shared};
    struct sm_resources need;
    struct error err;
    assert_int_equal(sm_resources_needed(c, &l, &need, &err), 0);
    return need;
}

static void alone_as_many_as_in_the_table(void **state) {
    const struct config c = machine();
    const struct sm_resources have = sm_resources_of(&c), none = {{0}};
    for (int k = 0; k < KERNELS; k++) {
        const struct sm_resources need = need_of(&c, k);
        assert_int_equal(sm_resources_fit(&have, &none, &need), table6[k].alone);
    }
}

static void a_unit_of_registers_is_rounded_up(void **state) {
    struct config c = machine();
    c.sm_register_unit = 256;
    const struct sm_resources have = sm_resources_of(&c), none = {{0}}, hs = need_of(&c, HS);
    assert_int_equal(sm_resources_fit(&have, &none, &hs), 6);
    c.sm_register_source = REGISTERS_TRACES;
    const struct sm_resources unknown = need_of(&c, HS);
    assert_int_equal(unknown.n[RES_REGISTERS], 0);
}

static void smk_shares_by_dominant_resource(void **state) {
    static const struct {
        int a, b;
        uint32_t ctas_a, ctas_b;
    } pairs[] = {{HS, PF, 4, 7}, {HS, BP, 4, 8}, {HS, SV, 4, 9},
                 {PF, BP, 6, 6}, {BP, SV, 6, 8}, {SV, KS, 8, 6}};
    const struct config c = machine();
    const struct sm_resources have = sm_resources_of(&c);
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        const struct sm_resources need[] = {need_of(&c, pairs[i].a), need_of(&c, pairs[i].b)};
        uint32_t ctas[2];
        partition_smk(&have, need, 2, ctas);
        if (ctas[0] != pairs[i].ctas_a || ctas[1] != pairs[i].ctas_b)
            fail_msg("%s+%s: %u, %u instead of %u, %u", table6[pairs[i].a].name,
                     table6[pairs[i].b].name, (unsigned)ctas[0], (unsigned)ctas[1],
                     (unsigned)pairs[i].ctas_a, (unsigned)pairs[i].ctas_b);
    }
}

/* Returns true if n CTAs of kernel a and m of kernel b fit. Stores the number of free warp slots
 * in *left. */
static bool fit(int a, uint64_t n, int b, uint64_t m, uint64_t *left) {
    const struct config c = machine();
    const struct sm_resources have = sm_resources_of(&c), na = need_of(&c, a), nb = need_of(&c, b);
    struct sm_resources used = {{0}};
    for (uint64_t i = 0; i < n + m; i++) {
        const struct sm_resources *next = i < n ? &na : &nb;
        if (!sm_resources_fit(&have, &used, next))
            return false;
        sm_resources_add(&used, next, 1);
    }
    *left = have.n[RES_WARPS] - used.n[RES_WARPS];
    return true;
}

static void the_papers_sweet_points_fill_the_sm(void **state) {
    uint64_t left;
    assert_true(fit(PF, 5, BP, 7, &left));
    assert_int_equal(left, 0);
    assert_true(fit(BP, 9, SV, 4, &left));
    assert_int_equal(left, 0);
    assert_false(fit(PF, 6, BP, 7, &left));
    assert_false(fit(BP, 9, SV, 5, &left));
}

static void expect_refused(struct config c, uint32_t kernels, const char *why) {
    struct error err = {0};
    assert_int_equal(partition_check(&c, kernels, &err), -1);
    if (!strstr(err.text, why))
        fail_msg("'%s' expected: %s", why, err.text);
}

static void lists_of_ctas_are_checked(void **state) {
    struct config c = machine();
    struct error err;
    static const char *const bad[] = {"manual", "", "5,", ",5", "5,0", "5;7", "65,1", "-5,7"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        strcpy(c.cke_partition, bad[i]);
        expect_refused(c, 2,
                       "must be none, leftover, spatial, smk, or the CTA count of each workload");
    }
    strcpy(c.cke_partition, "5,7");
    assert_int_equal(partition_check(&c, 2, &err), 0);
    expect_refused(c, 3, "for each of the 3 workloads; cke.partition=5,7 has 2");
    expect_refused(c, 1, "cke.partition=5,7 has 2");
    strcpy(c.cke_partition, "64,1,2,3");
    assert_int_equal(partition_check(&c, 4, &err), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(alone_as_many_as_in_the_table),
        cmocka_unit_test(a_unit_of_registers_is_rounded_up),
        cmocka_unit_test(smk_shares_by_dominant_resource),
        cmocka_unit_test(the_papers_sweet_points_fill_the_sm),
        cmocka_unit_test(lists_of_ctas_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
