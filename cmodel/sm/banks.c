// SPDX-License-Identifier: Apache-2.0
#include "sm/banks.h"

#include <assert.h>

/* ---- one file ---- */

uint32_t banks_read_cycles(const struct banks *b, const struct reg_set *src) {
    uint8_t reads[BANKS_MAX] = {0};
    uint32_t r, most = 0;
    for (struct reg_set left = *src; banks_next_reg(&left, &r);)
        if (++reads[r % b->n] > most)
            most = reads[r % b->n];
    return most < BANKS_MAX_READS ? most : BANKS_MAX_READS;
}

void banks_write(struct banks *b, const struct reg_set *regs, uint32_t w, uint64_t cycle) {
    uint32_t r;
    if (b->written_in != cycle)
        b->written = 0;
    b->written_in = cycle;
    for (struct reg_set left = *regs; banks_next_reg(&left, &r);)
        b->written |= UINT32_C(1) << (r + w) % b->n;
}

void banks_issue(struct banks *b, const struct reg_set *src, uint32_t w) {
    assert(!b->latch.held);
    b->latch = (struct banks_inst){true, w, *src};
    b->busy = true;
}

/* Dispatches the oldest instruction that has read all its registers. */
static void dispatch_unit(struct banks *b) {
    struct banks_inst *c = b->collector;
    if (c[0].held && regs_none(&c[0].left))
        c[0] = c[1];
    else if (!c[1].held || !regs_none(&c[1].left))
        return;
    c[1].held = false;
}

/* Reads registers from free banks. `busy_banks` is a mask of the other banks. */
static void read_registers(struct banks *b, uint32_t busy_banks) {
    for (struct banks_inst *c = b->collector; c < b->collector + 2 && c->held; c++) {
        uint32_t r;
        for (struct reg_set left = c->left; banks_next_reg(&left, &r);) {
            const uint32_t bank = UINT32_C(1) << (r + c->warp) % b->n;
            if (!(busy_banks & bank))
                c->left.w[r / 64] &= ~(UINT64_C(1) << r % 64);
            busy_banks |= bank;
        }
    }
}

/* Moves the latch's instruction to a collector if one is free. */
static void collect_operands(struct banks *b) {
    if (!b->latch.held || b->collector[1].held)
        return;
    b->collector[b->collector[0].held] = b->latch;
    b->latch.held = false;
}

bool banks_tick(struct banks *b, uint64_t cycle) {
    for (; b->busy && b->next <= cycle; b->next++) {
        dispatch_unit(b);
        read_registers(b, b->written_in == b->next ? b->written : 0);
        collect_operands(b);
        b->busy = b->collector[0].held;
    }
    b->next = cycle + 1;
    return !b->latch.held;
}

/* ---- banks of a scheduler ---- */

#define USES_A_CYCLE 2

/* Returns the bank's entry for `cycle`. Its low 8 bits are the number of uses. */
static uint64_t *uses_of(struct bank_uses *b, uint32_t bank, uint64_t cycle) {
    uint64_t *entry = &b->cycle_uses[bank][cycle % BANKS_MAX_READS];
    if (*entry >> 8 != cycle)
        *entry = cycle << 8;
    return entry;
}

void bank_uses_write(struct bank_uses *b, const struct reg_set *regs, uint32_t w, uint64_t cycle) {
    uint32_t r;
    for (struct reg_set left = *regs; banks_next_reg(&left, &r);)
        ++*uses_of(b, (r + w) % b->n, cycle);
}

uint32_t bank_uses_read(struct bank_uses *b, const struct reg_set *src, uint32_t w,
                        uint64_t cycle) {
    uint32_t r, most = 0;
    for (struct reg_set left = *src; banks_next_reg(&left, &r);) {
        uint32_t wait = 0;
        while (wait < BANKS_MAX_READS - 1 &&
               (*uses_of(b, (r + w) % b->n, cycle + wait) & 255) >= USES_A_CYCLE)
            wait++;
        ++*uses_of(b, (r + w) % b->n, cycle + wait);
        most = wait > most ? wait : most;
    }
    return most;
}
