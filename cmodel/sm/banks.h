/* SPDX-License-Identifier: Apache-2.0 */
/* Banks of an SM's register file (sm.register_banks), as in GPGPU-Sim's operand collector
 * (opndcoll_rfu_t): register r of warp slot w lies in bank (r + w) % n.
 *
 * struct banks: one file for all schedulers, without operand collectors (sm/collectors.h). A bank
 * is written or read once a cycle, and writes go first. A memory instruction issues into a latch,
 * reads its registers from one of two collectors of its own and leaves, one a cycle. While the
 * latch is taken, no other one issues.
 *
 * struct bank_uses: the part of a scheduler, with operand collectors. A bank is used twice a cycle.
 */
#ifndef MEMTWIN_SM_BANKS_H
#define MEMTWIN_SM_BANKS_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/kernel.h"
#include "lib/bits.h"

#define BANKS_MAX 32
/* Registers of a bank that delay an instruction, at most. */
#define BANKS_MAX_READS 8

/* Takes the lowest register out of the set. Returns false if there is none. */
static inline bool banks_next_reg(struct reg_set *from, uint32_t *reg) {
    for (unsigned i = 0; i < WARP_REGS / 64; i++)
        if (from->w[i]) {
            *reg = 64 * i + bits_lowest(from->w[i]);
            from->w[i] &= from->w[i] - 1;
            return true;
        }
    return false;
}

/* ---- one file ---- */

/* A memory instruction. */
struct banks_inst {
    bool held;
    uint32_t warp;       /* slot */
    struct reg_set left; /* registers that it has still to read */
};

struct banks {
    uint32_t n;       /* banks, a power of two, BANKS_MAX at most; 0: registers delay nothing */
    uint32_t written; /* in cycle `written_in`: bit per bank */
    uint64_t written_in;
    bool busy;                             /* an instruction is held */
    uint64_t next;                         /* cycle; those before have passed */
    struct banks_inst latch, collector[2]; /* the older one first */
};

/* Cycles that an instruction takes to read these registers if nothing else uses their banks: 0 to
 * BANKS_MAX_READS. */
uint32_t banks_read_cycles(const struct banks *b, const struct reg_set *src);

/* Registers of warp slot w are written in that cycle. */
void banks_write(struct banks *b, const struct reg_set *regs, uint32_t w, uint64_t cycle);

/* A memory instruction of warp slot w issues in this cycle; the latch is free.
 * src: registers that it reads. */
void banks_issue(struct banks *b, const struct reg_set *src, uint32_t w);

/* The cycle passes: after its writes, before its issue. In the cycles since the call before nothing
 * was written. Returns whether the latch is free. */
bool banks_tick(struct banks *b, uint64_t cycle);

/* ---- the part of a scheduler ---- */

#define BANK_USES_MAX 8

struct bank_uses {
    uint32_t n;                                  /* banks; 0: registers delay nothing */
    uint64_t at[BANK_USES_MAX][BANKS_MAX_READS]; /* cycle << 8 | uses in that cycle */
};

/* Registers of warp slot w are written in that cycle. */
void bank_uses_write(struct bank_uses *b, const struct reg_set *regs, uint32_t w, uint64_t cycle);

/* An instruction of warp slot w begins to read these registers in that cycle. Returns the cycles
 * that it waits for banks: below BANKS_MAX_READS. */
uint32_t bank_uses_read(struct bank_uses *b, const struct reg_set *src, uint32_t w, uint64_t cycle);

#endif
