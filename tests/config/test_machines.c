// SPDX-License-Identifier: Apache-2.0
/* Checks that the shipped configurations are legal and match the figures in papers and data
 * sheets. */
#include "cache/addr_map.h"
#include "config/config.h"
#include "gpu/gpu.h"
#include "l1d/l1d.h"
#include "l2/l2.h"
#include "tests/test.h"
#include "xbar/xbar.h"

static struct config shipped(const char *name) {
    struct config cfg;
    struct config_sources from;
    char configs[4096];
    struct error err;
    const char *home = getenv("MEMTWIN_HOME");
    snprintf(configs, sizeof configs, "%s/sim/configs", home ? home : ".");
    assert_int_equal(config_load(&cfg, &from, name, configs, &err), 0);
    return cfg;
}

static void shipped_configurations_are_legal(void **state) {
    static const char *const names[] = {"pascal28", "fermi15", "farfault15",
                                        "hpe15",    "uvm28",   "tiny"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct error err;
        struct config cfg = shipped(names[i]);
        assert_int_equal(gpu_check(&cfg, &err), 0);
        /* a DL-MSHR has the same number of slots as the static MSHR */
        assert_int_equal(cfg.l1d_mshr_entries * cfg.l1d_mshr_slots,
                         cfg.l1d_dl_sets * cfg.l1d_dl_slots);
        assert_int_equal(cfg.l2_mshr_entries * cfg.l2_mshr_slots, cfg.l2_dl_sets * cfg.l2_dl_slots);
    }
}

/* Returns the peak bandwidth of DRAM in MB/s. */
static uint32_t dram_peak(const struct config *cfg) {
    return (uint32_t)(cfg->l2_partitions * 128 * cfg->clock_dram_mhz /
                      (cfg->dram_burst * 128 / cfg->dram_atom_bytes));
}

/* Checks the figures in Table 2 of the DL-MSHR paper (Gu and Chen, ICS 2019). */
static void pascal28_is_the_papers_machine(void **state) {
    struct config cfg = shipped("pascal28");
    assert_int_equal(cfg.sm_count, 28);
    assert_int_equal(cfg.sm_warps, 48);
    assert_int_equal(cfg.sm_ctas, 8);
    assert_int_equal(cfg.l1d_sets * cfg.l1d_ways * 128, 16 * 1024);
    assert_int_equal(cfg.l1d_mshr_entries, 32);
    assert_int_equal(cfg.l1d_mshr_slots, 8);
    assert_int_equal(cfg.l2_partitions, 8);
    assert_int_equal(cfg.l2_sets * cfg.l2_ways * 128, 128 * 1024);
    assert_int_equal(cfg.l2_mshr_entries, 32);
    assert_int_equal(cfg.l2_mshr_slots, 4);
    assert_int_equal(cfg.clock_sm_mhz, 1137);
    assert_int_equal(cfg.clock_l2_mhz, 1137);
    assert_int_equal(dram_peak(&cfg), 345600);
    assert_true(cfg.icnt_flit_bytes && cfg.dram_read_queue && cfg.l1d_hit_latency &&
                cfg.l2_latency);
}

/* Checks the figures in Table 1 of Dai's dissertation. */
static void fermi15_is_the_papers_machine(void **state) {
    struct config cfg = shipped("fermi15");
    assert_int_equal(cfg.sm_count, 15);
    assert_int_equal(cfg.sm_schedulers, 2);
    assert_int_equal(cfg.sm_warps, 48);
    assert_int_equal(cfg.sm_ctas, 8);
    assert_int_equal(cfg.sm_shared_kib, 48);
    assert_int_equal(cfg.l1d_sets * cfg.l1d_ways * 128, 16 * 1024);
    assert_int_equal(cfg.l1d_ways, 4);
    assert_int_equal(cfg.l1d_write, L1D_WTWN);
    assert_int_equal(cfg.l1d_allocate, ALLOCATE_MISS);
    assert_int_equal(cfg.l1d_set_index, SET_BXOR);
    assert_int_equal(cfg.l1d_mshr_entries, 32);
    assert_int_equal(cfg.l1d_miss_queue, 8);
    assert_int_equal(cfg.l1d_bypass_slots, 0);
    assert_int_equal(cfg.icnt_flit_bytes, 32);
    assert_int_equal(cfg.l2_partitions, 6);
    assert_int_equal(cfg.l2_banks, 1);
    assert_int_equal(cfg.l2_sets * cfg.l2_ways * 128, 128 * 1024);
    assert_int_equal(cfg.l2_ways, 16);
    assert_int_equal(cfg.l2_write, L2_WBWA);
    assert_int_equal(cfg.l2_set_index, SET_BXOR);
    assert_int_equal(cfg.clock_sm_mhz, 700);
    assert_int_equal(cfg.clock_dram_mhz, 924);
    assert_int_equal(dram_peak(&cfg), 177408);
}

/* Checks the figures in Table 1 of Zheng et al. */
static void farfault15_is_the_papers_machine(void **state) {
    struct config cfg = shipped("farfault15");
    assert_int_equal(cfg.sm_count, 15);
    assert_int_equal(cfg.clock_sm_mhz, 1400);
    assert_int_equal(cfg.l1d_sets * cfg.l1d_ways * 128, 16 * 1024);
    assert_int_equal(cfg.l2_partitions, 12);
    assert_int_equal(cfg.l2_banks * cfg.l2_sets * cfg.l2_ways * 128, 128 * 1024);
    assert_int_equal(cfg.l2_mshr_entries, 128);
    assert_int_equal(cfg.dram_rcd, 12);
    assert_int_equal(cfg.dram_rp, 12);
    assert_int_equal(cfg.dram_rc, 40);
    assert_int_equal(cfg.dram_cl, 12);
    assert_int_equal(cfg.dram_wr, 12);
    assert_int_equal(dram_peak(&cfg), 384000);
}

/* Checks the figures in Table I of Yu et al. */
static void hpe15_is_the_papers_machine(void **state) {
    struct config cfg = shipped("hpe15");
    assert_int_equal(cfg.sm_count, 15);
    assert_int_equal(cfg.clock_sm_mhz, 1400);
    assert_int_equal(cfg.l1d_sets * cfg.l1d_ways * 128, 16 * 1024);
    assert_int_equal(cfg.l1d_ways, 4);
    assert_int_equal(cfg.l2_partitions, 12);
    assert_int_equal(cfg.l2_banks * cfg.l2_sets * cfg.l2_ways * 128, 128 * 1024);
    assert_int_equal(cfg.l2_ways, 8);
    assert_int_equal(dram_peak(&cfg), 177408);
}

/* Checks the figures in Table 4.1 of Gu's dissertation and those of UVMSmart's GTX 1080 Ti. */
static void uvm28_is_the_papers_machine(void **state) {
    struct config cfg = shipped("uvm28");
    assert_int_equal(cfg.sm_count, 28);
    assert_int_equal(cfg.clock_sm_mhz, 1481);
    assert_int_equal(cfg.clock_icnt_mhz, 2962);
    assert_int_equal(cfg.sm_warps, 64);
    assert_int_equal(cfg.sm_ctas, 32);
    assert_int_equal(cfg.l2_partitions * cfg.l2_banks, 22);
    assert_int_equal(cfg.l2_sets * cfg.l2_ways * 128, 128 * 1024);
    assert_int_equal(dram_peak(&cfg), 484000);
    assert_int_equal(cfg.gmmu_walk_latency, 100);
    assert_int_equal((int)(cfg.uvm_fault_us * cfg.clock_sm_mhz), 66645);
}

/* Each function below returns the unloaded latency of a one-sector load in SM cycles, as derived
 * in docs/understand/system.md. */
static int64_t l1d_hit(const struct config *cfg) {
    return 2 + cfg->l1d_hit_latency;
}

static int64_t l2_hit(const struct config *cfg) {
    const int64_t tags = cfg->l1d_model == MODEL_GPGPUSIM ? cfg->l1d_hit_latency - 1 : 0;
    return 8 + tags + 2 * cfg->icnt_latency + cfg->l2_latency +
           (XBAR_HEADER_BYTES + 32 + cfg->icnt_flit_bytes - 1) / cfg->icnt_flit_bytes;
}

static int64_t dram_read(const struct config *cfg) {
    int64_t ck = cfg->dram_rcd + cfg->dram_cl + cfg->dram_burst + cfg->dram_extra_latency;
    return 4 + l2_hit(cfg) + ck * cfg->clock_sm_mhz / cfg->clock_dram_mhz;
}

/* Returns the size of the array of an SM's shared memory and L1D in KiB. */
static int64_t unified_kib(const struct config *cfg) {
    assert_string_not_equal(cfg->l1d_carveouts, "none");
    return cfg->l1d_sets * cfg->l1d_ways / 8;
}

static int64_t l2_kib(const struct config *cfg) {
    return cfg->l2_partitions * cfg->l2_banks * cfg->l2_sets * cfg->l2_ways / 8;
}

/* Checks the machine against NVIDIA's figures and measured latencies. */
static void v100_is_as_described(void **state) {
    struct config cfg = shipped("v100");
    assert_int_equal(cfg.sm_count, 80);
    assert_int_equal(unified_kib(&cfg), 128);
    assert_int_equal(l2_kib(&cfg), 6 * 1024);
    assert_int_equal(dram_peak(&cfg), 898048);
    assert_int_equal(l1d_hit(&cfg), 28);
    assert_int_equal(l2_hit(&cfg), 193);
}

static void a100_is_as_described(void **state) {
    struct config cfg = shipped("a100");
    assert_int_equal(cfg.sm_count, 108);
    assert_int_equal(unified_kib(&cfg), 192);
    assert_int_equal(l2_kib(&cfg), 40 * 1024);
    assert_int_equal(32 * cfg.l2_partitions * cfg.l2_banks, 5120);
    assert_int_equal(dram_peak(&cfg), 1555200);
    assert_int_equal(l1d_hit(&cfg), 33);
    assert_int_equal(l2_hit(&cfg), 200);
    assert_int_equal(dram_read(&cfg), 289);
}

static void h100_is_as_described(void **state) {
    struct config cfg = shipped("h100");
    assert_int_equal(cfg.sm_count, 132);
    assert_int_equal(unified_kib(&cfg), 256);
    assert_int_equal(l2_kib(&cfg), 50 * 1024);
    assert_int_equal(dram_peak(&cfg), 3353600);
    assert_int_equal(l1d_hit(&cfg), 32);
    assert_int_equal(l2_hit(&cfg), 273);
    assert_int_equal(dram_read(&cfg), 685);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shipped_configurations_are_legal),
        cmocka_unit_test(pascal28_is_the_papers_machine),
        cmocka_unit_test(fermi15_is_the_papers_machine),
        cmocka_unit_test(farfault15_is_the_papers_machine),
        cmocka_unit_test(hpe15_is_the_papers_machine),
        cmocka_unit_test(uvm28_is_the_papers_machine),
        cmocka_unit_test(v100_is_as_described),
        cmocka_unit_test(a100_is_as_described),
        cmocka_unit_test(h100_is_as_described),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
