#include "sm/lsu.h"

#include <stdlib.h>
#include <string.h>

#include "lib/bits.h"

int lsu_init(struct lsu *u, const struct config *cfg, struct frame *frame, uint32_t sm) {
    memset(u, 0, sizeof *u);
    u->frame = frame;
    u->sm = sm;
    u->capacity = (uint32_t)cfg->sm_lsu_queue;
    u->n_loads = u->n_free = (uint32_t)cfg->sm_pending_loads;
    u->queue = calloc(u->capacity, sizeof *u->queue);
    u->load = calloc(u->n_loads, sizeof *u->load);
    u->free_id = calloc(u->n_loads, sizeof *u->free_id);
    if (!u->queue || !u->load || !u->free_id)
        return -1;
    for (uint32_t i = 0; i < u->n_loads; i++)
        u->free_id[i] = (uint16_t)(u->n_loads - 1 - i);
    if (!frame->check)
        return 0;
    u->lines = calloc((size_t)u->n_loads * WARP_LANES, sizeof *u->lines);
    return u->lines ? 0 : -1;
}

void lsu_free(struct lsu *u) {
    free(u->queue);
    free(u->load);
    free(u->free_id);
    free(u->lines);
    memset(u, 0, sizeof *u);
}

/* Planted fault: a lane is left out whose bytes no other lane has. */
static bool lane_lost(struct lsu *u, const struct lsu_inst *q, uint64_t addr, uint32_t size) {
    if (u->frame->plant != PLANT_LOSE_LANE || q->n == 0)
        return false;
    unsigned byte = addr % LINE_BYTES;
    for (uint32_t i = 0; i < q->n; i++)
        if (q->line[i] == addr / LINE_BYTES &&
            !(bits_low(size) & ~(q->mask[i].w[byte / 64] >> (byte % 64))))
            return false;
    return frame_plant(u->frame, PLANT_LOSE_LANE);
}

/* Adds the bytes of one lane; lanes of one line become one access, lines keep the lanes' order. */
static void add_lane(struct lsu_inst *q, uint64_t addr, uint32_t size) {
    uint64_t line = addr / LINE_BYTES;
    uint32_t i = q->n;
    while (i > 0 && q->line[i - 1] != line)
        i--;
    if (i == 0) {
        i = ++q->n;
        q->line[i - 1] = line;
        q->mask[i - 1] = (struct byte_mask){{0, 0}};
    }
    unsigned byte = addr % LINE_BYTES;
    q->mask[i - 1].w[byte / 64] |= bits_low(size) << (byte % 64);
}

static bool lane_legal(struct lsu *u, const struct warp_inst *inst, uint64_t addr) {
    if (addr >> ADDR_LINE_BITS < LINE_BYTES && (addr & (inst->size - 1u)) == 0)
        return true;
    frame_fail(u->frame, FRAME_BAD_INPUT,
               "address 0x%llx of a %u B access is not aligned to its size or is above %u bits",
               (unsigned long long)addr, (unsigned)inst->size, ADDR_LINE_BITS + 7);
    return false;
}

static void coalesce(struct lsu *u, struct lsu_inst *q, const struct warp_inst *inst) {
    q->n = q->next = 0;
    if (!bits_power_of_two(inst->size) || inst->size > 16 || !inst->mask) {
        frame_fail(u->frame, FRAME_BAD_INPUT, "a load or store of %u bytes by lanes 0x%x",
                   (unsigned)inst->size, (unsigned)inst->mask);
        return;
    }
    for (uint32_t left = inst->mask; left; left &= left - 1) {
        uint64_t addr = inst->addr[bits_lowest(left)];
        if (!lane_legal(u, inst, addr))
            return;
        bool last = (left & (left - 1)) == 0;
        if (!last || !lane_lost(u, q, addr, inst->size))
            add_lane(q, addr, inst->size);
    }
}

void lsu_push(struct lsu *u, const struct warp_inst *inst, uint32_t warp) {
    uint32_t at = u->head + u->count;
    struct lsu_inst *q = &u->queue[at >= u->capacity ? at - u->capacity : at];
    q->kind = inst->op == WARP_LOAD ? PACKET_LOAD : PACKET_STORE;
    coalesce(u, q, inst);
    if (q->n == 0)
        return; /* bad input, the run ends */
    u->count++;
    stat_add(u->stats, q->kind == PACKET_LOAD ? STAT_load_insts : STAT_store_insts, 1);
    if (q->kind != PACKET_LOAD)
        return;
    q->id = u->free_id[--u->n_free];
    u->load[q->id] = (struct lsu_load){inst->dst, q->n, (uint16_t)warp};
}

bool lsu_offer(const struct lsu *u, struct l1d_access *access) {
    if (!u->count)
        return false;
    const struct lsu_inst *q = &u->queue[u->head];
    access->line = q->line[q->next];
    access->mask = q->mask[q->next];
    access->id = q->id;
    access->kind = q->kind;
    access->local = access->skip = access->result = false;
    return true;
}

static void note_line(struct lsu *u, const struct lsu_inst *q) {
    struct lsu_line *l = &u->lines[q->id * WARP_LANES + q->next];
    l->line = q->line[q->next];
    l->mask = q->mask[q->next];
    l->ticket = check_load(u->frame->check, u->sm);
    l->waiting = true;
}

void lsu_taken(struct lsu *u, uint64_t cycle) {
    struct lsu_inst *q = &u->queue[u->head];
    stat_add(u->stats, q->kind == PACKET_LOAD ? STAT_load_lines : STAT_store_lines, 1);
    if (q->kind == PACKET_LOAD) {
        level_change(&u->waiting, cycle, 1);
        if (u->lines)
            note_line(u, q);
    }
    if (++q->next < q->n)
        return;
    if (++u->head == u->capacity)
        u->head = 0;
    u->count--;
}

static bool check_line(struct lsu *u, const struct l1d_rsp *rsp) {
    struct lsu_line *l = &u->lines[rsp->id * WARP_LANES];
    for (unsigned i = 0; i < WARP_LANES; i++, l++) {
        if (!l->waiting || l->line != rsp->line)
            continue;
        l->waiting = false;
        check_load_done(u->frame->check, u->sm, l->ticket, l->line, &l->mask, rsp->data);
        return true;
    }
    return false;
}

const struct lsu_load *lsu_answer(struct lsu *u, const struct l1d_rsp *rsp, uint64_t cycle) {
    struct lsu_load *load = rsp->id < u->n_loads ? &u->load[rsp->id] : NULL;
    if (!load || load->remaining == 0 || u->waiting.value == 0 ||
        (u->lines && !check_line(u, rsp))) {
        frame_fail(u->frame, FRAME_BROKEN,
                   "SM %u: answer to load %u, line 0x%llx, that is not waited for", (unsigned)u->sm,
                   (unsigned)rsp->id, (unsigned long long)rsp->line * LINE_BYTES);
        return NULL;
    }
    level_change(&u->waiting, cycle, -1);
    if (--load->remaining)
        return NULL;
    u->free_id[u->n_free++] = (uint16_t)rsp->id;
    return load;
}
