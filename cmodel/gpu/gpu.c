#include "gpu/gpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/parts.h"

#define PROGRESS_CYCLES (UINT64_C(1) << 14)

/* ---- making and ending ---- */

/* Every place that can hold a packet. */
static uint64_t packets_needed(const struct config *c) {
    uint64_t slots = (uint64_t)(c->l2_mshr == MSHR_KIND_DL ? c->l2_dl_sets * c->l2_dl_slots
                                                           : c->l2_mshr_entries * c->l2_mshr_slots);
    uint64_t sm = (uint64_t)(c->l1d_miss_queue + c->icnt_in_queue + c->icnt_out_queue);
    uint64_t bank = (uint64_t)(c->icnt_out_queue + c->l2_latency + c->l2_in_queue +
                               c->l2_rsp_queue + c->icnt_in_queue + c->l2_miss_queue +
                               c->l2_evict_buffer + c->dram_queue + DRAM_RETURN_QUEUE) +
                    slots;
    return (uint64_t)c->sm_count * sm + (uint64_t)c->l2_partitions * bank + 1;
}

/* n cycles of a domain in SM cycles, rounded up. */
static uint64_t sm_cycles(const struct config *c, int64_t n, int64_t mhz) {
    return (uint64_t)((n * c->clock_sm_mhz + mhz - 1) / mhz);
}

/* SM cycles in which a healthy machine may move nothing, at most: everything that takes a known
 * time, one after the other, and two cycles of each domain to get from one to the next. */
static uint64_t longest_wait(const struct config *c) {
    int64_t sm = c->sm_alu_latency + c->sm_sfu_latency + c->sm_fp64_latency + c->sm_shared_latency +
                 UNITS_MAX_PASSES * c->sm_shared_interval + c->l1d_hit_latency + 2;
    int64_t flits =
        (c->icnt_header_bytes + LINE_BYTES + c->icnt_flit_bytes - 1) / c->icnt_flit_bytes;
    return (uint64_t)sm + sm_cycles(c, 2 * (c->icnt_latency + flits) + 2, c->clock_icnt_mhz) +
           sm_cycles(c, c->l2_latency + 2, c->clock_l2_mhz) +
           sm_cycles(c, c->dram_latency + c->dram_line_cycles + 2, c->clock_dram_mhz);
}

static int init_memory(struct gpu *g, char *err, size_t err_size) {
    const struct config *c = g->cfg;
    const struct dram_size dram = {(uint32_t)c->dram_queue, (uint32_t)c->dram_latency,
                                   (uint32_t)c->dram_line_cycles};
    for (uint32_t b = 0; b < g->n_banks; b++) {
        if (dram_init(&g->dram[b], &g->frame, &g->backing, &dram) != 0) {
            snprintf(err, err_size, "out of memory for DRAM channel %u", (unsigned)b);
            return -1;
        }
        if (l2_init(&g->l2[b], c, &g->frame, b, err, err_size) != 0)
            return -1;
        g->l2[b].req = &g->req;
        g->l2[b].reply = &g->reply;
        g->l2[b].dram = &g->dram[b];
        g->l2[b].map = &g->map;
    }
    return 0;
}

static int init_sms(struct gpu *g, char *err, size_t err_size) {
    for (uint32_t i = 0; i < g->n_sms; i++) {
        if (sm_init(&g->sm[i], g->cfg, &g->frame, i, err, err_size) != 0)
            return -1;
        struct l1d *l1 = &g->sm[i].l1d;
        l1->req = &g->req;
        l1->reply = &g->reply;
        l1->map = &g->map;
    }
    return 0;
}

static int init_frame(struct gpu *g, struct check *check) {
    const struct config *c = g->cfg;
    g->frame.check = check;
    g->frame.plant = (int)c->sim_plant;
    g->frame.plant_line = ~UINT64_C(0);
    const uint64_t mhz[CLOCK_DOMAINS] = {
        [CLOCK_DRAM] = (uint64_t)c->clock_dram_mhz,
        [CLOCK_L2] = (uint64_t)c->clock_l2_mhz,
        [CLOCK_ICNT] = (uint64_t)c->clock_icnt_mhz,
        [CLOCK_SM] = (uint64_t)c->clock_sm_mhz,
    };
    clocks_init(&g->clocks, mhz);
    uint64_t packets = packets_needed(c);
    struct xbar_size req = {g->n_sms, g->n_banks, (uint32_t)c->icnt_in_queue,
                            (uint32_t)c->icnt_out_queue, (uint32_t)c->icnt_latency};
    struct xbar_size reply = req;
    reply.n_in = g->n_banks;
    reply.n_out = g->n_sms;
    g->sm = calloc(g->n_sms, sizeof *g->sm);
    g->l2 = calloc(g->n_banks, sizeof *g->l2);
    g->dram = calloc(g->n_banks, sizeof *g->dram);
    if (!g->sm || !g->l2 || !g->dram || packet_pool_init(&g->frame.pool, (uint32_t)packets) != 0 ||
        xbar_init(&g->req, &g->frame, &req) != 0 || xbar_init(&g->reply, &g->frame, &reply) != 0)
        return -1;
    return 0;
}

struct gpu *gpu_create(const struct config *cfg, struct check *check, char *err, size_t err_size) {
    if (config_check(cfg, err, err_size) != 0)
        return NULL;
    struct gpu *g = calloc(1, sizeof *g);
    if (!g) {
        snprintf(err, err_size, "out of memory");
        return NULL;
    }
    g->cfg = cfg;
    g->n_sms = (uint32_t)cfg->sm_count;
    g->n_banks = (uint32_t)cfg->l2_partitions;
    g->patience = (uint64_t)cfg->sim_no_progress_cycles + longest_wait(cfg);
    g->map = addr_map_of(cfg);
    if (init_frame(g, check) != 0) {
        snprintf(err, err_size, "out of memory for the system");
        gpu_destroy(g);
        return NULL;
    }
    if (init_memory(g, err, err_size) != 0 || init_sms(g, err, err_size) != 0) {
        gpu_destroy(g);
        return NULL;
    }
    gpu_carry_data(g, check != NULL);
    return g;
}

void gpu_destroy(struct gpu *g) {
    if (!g)
        return;
    for (uint32_t i = 0; g->sm && i < g->n_sms; i++)
        sm_free(&g->sm[i]);
    for (uint32_t b = 0; g->l2 && b < g->n_banks; b++)
        l2_free(&g->l2[b]);
    for (uint32_t b = 0; g->dram && b < g->n_banks; b++)
        dram_free(&g->dram[b]);
    xbar_free(&g->req);
    xbar_free(&g->reply);
    packet_pool_free(&g->frame.pool);
    backing_free(&g->backing);
    free(g->sm);
    free(g->l2);
    free(g->dram);
    free(g);
}

void gpu_each_block(struct gpu *g, void (*fn)(void *ctx, struct block_inst *inst), void *ctx) {
    for (uint32_t i = 0; i < g->n_sms; i++)
        if (g->sm[i].l1d.enabled)
            fn(ctx, &g->sm[i].l1d.mshr.inst);
    for (uint32_t b = 0; b < g->n_banks; b++)
        fn(ctx, &g->l2[b].mshr.inst);
}

void gpu_carry_data(struct gpu *g, bool on) {
    struct frame *f = &g->frame;
    on = on || f->check;
    if (on == f->carry)
        return;
    int bad = packet_pool_carry(&f->pool, on);
    for (uint32_t i = 0; i < g->n_sms; i++)
        bad |= l1d_carry(&g->sm[i].l1d, on);
    for (uint32_t b = 0; b < g->n_banks; b++)
        bad |= l2_carry(&g->l2[b], on);
    f->carry = on;
    if (bad)
        frame_fail(f, FRAME_INTERNAL, "out of memory for the data of the caches");
}

void gpu_read_line(void *gpu, uint64_t line, uint8_t data[LINE_BYTES]) {
    struct gpu *g = gpu;
    if (!l2_read_line(&g->l2[addr_partition(&g->map, line)], line, data))
        backing_read(&g->backing, line, data);
}

const char *gpu_error(const struct gpu *g) {
    return g->frame.error;
}

bool gpu_plant_made(const struct gpu *g) {
    return g->frame.plant == PLANT_NONE || g->frame.planted;
}

/* ---- statistics ---- */

static void add_stats(struct stats *to, const struct stats *from) {
    for (unsigned i = 0; i < STAT_COUNT; i++)
        to->v[i] += from->v[i];
}

static void add_sm(struct stats *t, const struct sm *sm, uint64_t cycle) {
    const struct mshr_unit *u = &sm->l1d.mshr;
    add_stats(t, &sm->stats);
    stat_add(t, STAT_load_latency, level_area(&sm->lsu.waiting, cycle));
    stat_add(t, STAT_atomic_latency, level_area(&sm->lsu.atomics, cycle));
    stat_add(t, STAT_l1d_mshr_busy_cycles, level_busy(&u->used, cycle));
    stat_add(t, STAT_l1d_mshr_slot_cycles, level_area(&u->used, cycle));
    stat_add(t, STAT_l1d_mshr_capacity, level_busy(&u->used, cycle) * u->capacity);
}

static void add_bank(struct stats *t, const struct l2 *l2) {
    const struct mshr_unit *u = &l2->mshr;
    add_stats(t, &l2->stats);
    stat_add(t, STAT_l2_mshr_busy_cycles, level_busy(&u->used, l2->cycle));
    stat_add(t, STAT_l2_mshr_slot_cycles, level_area(&u->used, l2->cycle));
    stat_add(t, STAT_l2_mshr_capacity, level_busy(&u->used, l2->cycle) * u->capacity);
}

static void add_channel(struct stats *t, const struct dram *d) {
    stat_add(t, STAT_dram_reads, d->reads);
    stat_add(t, STAT_dram_writes, d->writes);
    stat_add(t, STAT_dram_cycles, d->cycle);
    stat_add(t, STAT_dram_busy_cycles, d->busy_cycles);
}

void gpu_stats(const struct gpu *g, struct stats *t) {
    memset(t, 0, sizeof *t);
    for (uint32_t i = 0; i < g->n_sms; i++)
        add_sm(t, &g->sm[i], g->cycle);
    for (uint32_t b = 0; b < g->n_banks; b++) {
        add_bank(t, &g->l2[b]);
        add_channel(t, &g->dram[b]);
    }
    stat_add(t, STAT_cycles, g->cycle);
    stat_add(t, STAT_kernels, g->kernels);
    stat_add(t, STAT_icnt_req_flits, g->req.flits);
    stat_add(t, STAT_icnt_req_stalls, g->req.stalls);
    stat_add(t, STAT_icnt_rsp_flits, g->reply.flits);
    stat_add(t, STAT_icnt_rsp_stalls, g->reply.stalls);
}

/* ---- kernels ---- */

/* Takes the next launch. Returns false if there is none, or it cannot run. */
static bool begin_kernel(struct gpu *g, struct workload *workload) {
    struct kernel_launch *l = &g->launch;
    memset(l, 0, sizeof *l);
    if (!workload->next(workload, l)) {
        g->all_done = true;
        return false;
    }
    char why[FRAME_ERROR_MAX];
    for (uint32_t i = 0; i < g->n_sms; i++)
        if (sm_launch(&g->sm[i], l, why, sizeof why) != 0) {
            frame_fail(&g->frame, FRAME_BAD_INPUT, "%s", why);
            return false;
        }
    g->next_cta = 0;
    g->n_ctas = (uint64_t)l->grid[0] * l->grid[1] * l->grid[2];
    g->running = true;
    return true;
}

/* Each SM with room gets at most one CTA a cycle, in turn. */
static void dispatch(struct gpu *g) {
    uint32_t first = g->turn;
    for (uint32_t n = 0; n < g->n_sms && g->next_cta < g->n_ctas; n++) {
        uint32_t i = first + n;
        i = i >= g->n_sms ? i - g->n_sms : i;
        if (!sm_has_room(&g->sm[i]))
            continue;
        sm_dispatch(&g->sm[i], g->next_cta++);
        g->turn = i + 1 == g->n_sms ? 0 : i + 1;
    }
}

/* All CTAs have run and nothing is on its way anywhere. */
static bool kernel_over(const struct gpu *g) {
    if (g->next_cta < g->n_ctas || g->frame.pool.in_use)
        return false;
    for (uint32_t i = 0; i < g->n_sms; i++)
        if (!sm_empty(&g->sm[i]))
            return false;
    return true;
}

static void end_kernel(struct gpu *g) {
    for (uint32_t i = 0; i < g->n_sms; i++)
        sm_end_kernel(&g->sm[i]);
    if (g->frame.check)
        check_kernel_end(g->frame.check);
    g->kernels++;
    g->running = false;
}

/* ---- the clock ---- */

static void tick_sms(struct gpu *g) {
    g->frame.sm_cycle = g->cycle;
    if (g->next_cta < g->n_ctas)
        dispatch(g);
    for (uint32_t i = 0; i < g->n_sms; i++)
        sm_tick(&g->sm[i], g->cycle);
    g->cycle++;
    if (kernel_over(g))
        end_kernel(g);
}

/* One instant. Consumers of requests go before their producers (docs/system.md). Returns true if it
 * was an SM cycle. */
static bool tick(struct gpu *g) {
    unsigned edges = clocks_next(&g->clocks);
    g->frame.now++;
    if (edges & 1u << CLOCK_DRAM)
        for (uint32_t b = 0; b < g->n_banks; b++)
            dram_tick(&g->dram[b]);
    if (edges & 1u << CLOCK_L2)
        for (uint32_t b = 0; b < g->n_banks; b++)
            l2_tick(&g->l2[b]);
    if (edges & 1u << CLOCK_ICNT) {
        xbar_tick(&g->req);
        xbar_tick(&g->reply);
    }
    if (!(edges & 1u << CLOCK_SM))
        return false;
    tick_sms(g);
    return true;
}

static bool stuck(struct gpu *g) {
    if (g->frame.progress != g->seen_progress) {
        g->seen_progress = g->frame.progress;
        g->moved_at = g->cycle;
    }
    return g->cycle - g->moved_at >= g->patience;
}

/* Whether the run ends after this SM cycle. */
static bool ended(struct gpu *g, const volatile bool *stop, enum gpu_end *end) {
    const struct frame *f = &g->frame;
    if (f->fault == FRAME_BAD_INPUT)
        *end = GPU_BAD_LAUNCH;
    else if (f->fault == FRAME_INTERNAL)
        *end = GPU_INTERNAL;
    else if (f->fault == FRAME_BROKEN || (f->check && check_failure(f->check)))
        *end = GPU_CHECK_FAILED;
    else if ((stop && *stop) ||
             (g->cfg->sim_max_cycles && g->cycle >= (uint64_t)g->cfg->sim_max_cycles))
        *end = GPU_STOPPED;
    else if (stuck(g))
        *end = GPU_NO_PROGRESS;
    else
        return false;
    return true;
}

enum gpu_end gpu_run(struct gpu *g, struct workload *workload, const volatile bool *stop,
                     void (*progress)(void *ctx, const struct stats *totals), void *ctx) {
    enum gpu_end end = GPU_DONE;
    g->all_done = false;
    while (!ended(g, stop, &end)) {
        if (!g->running && !begin_kernel(g, workload)) {
            if (g->all_done)
                break;
            continue; /* the fault ends the run */
        }
        while (!tick(g))
            ;
        if (progress && g->cycle % PROGRESS_CYCLES == 0) {
            struct stats totals;
            gpu_stats(g, &totals);
            progress(ctx, &totals);
        }
    }
    return end;
}
