/* SPDX-License-Identifier: Apache-2.0 */
/* Banks of an SM's register file (sm.register_banks), as in GPGPU-Sim's operand collector
 * (opndcoll_rfu_t). Register r of warp slot w is in register bank (r + w) % n.
 *
 * struct banks models one file for all schedulers, and is used if there are no operand collectors
 * (sm/collectors.h). A bank can be written or read once per cycle. Writes have priority. A memory
 * instruction issues into a latch, moves to one of two collectors, reads its registers and leaves.
 * One instruction leaves per cycle. While the latch is occupied, no other memory instruction
 * issues.
 *
 * struct bank_uses models the banks of one scheduler, and is used if there are operand collectors.
 * A bank can be used twice per cycle. */
#ifndef MEMTWIN_SM_BANKS_H
#define MEMTWIN_SM_BANKS_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/kernel.h"
#include "lib/bits.h"

#define BANKS_MAX 32
/* Upper limit on the number of cycles that an instruction takes to read its registers. */
#define BANKS_MAX_READS 8

/* Removes the lowest register from the set. Returns false if the set is empty. */
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

/* Memory instruction that is reading its registers. */
struct banks_inst {
    bool held;
    uint32_t warp;       /* warp slot */
    struct reg_set left; /* registers still to read */
};

struct banks {
    uint32_t n;       /* number of banks, a power of two up to BANKS_MAX; 0 for no delay */
    uint32_t written; /* mask of the banks written in cycle `written_in` */
    uint64_t written_in;
    bool busy;     /* true if the latch or a collector holds an instruction */
    uint64_t next; /* next cycle to tick */
    struct banks_inst latch, collector[2]; /* `collector` has the older instruction first */
};

/* Returns the number of cycles that an instruction takes to read these registers if nothing else
 * uses their banks: 0 to BANKS_MAX_READS. */
uint32_t banks_read_cycles(const struct banks *b, const struct reg_set *src);

/* Records that registers of warp slot w are written in `cycle`. */
void banks_write(struct banks *b, const struct reg_set *regs, uint32_t w, uint64_t cycle);

/* Issues a memory instruction of warp slot w in this cycle. The latch must be free. `src`
 * contains the registers that the instruction reads. */
void banks_issue(struct banks *b, const struct reg_set *src, uint32_t w);

/* Ticks `cycle` and the skipped cycles before it, in which no register may have been written.
 * Call it after the cycle's writes and before its issue. Returns true if the latch is free. */
bool banks_tick(struct banks *b, uint64_t cycle);

/* ---- banks of a scheduler ---- */

#define BANK_USES_MAX 8

struct bank_uses {
    uint32_t n; /* number of banks; 0 for no delay */
    uint64_t cycle_uses[BANK_USES_MAX]
                       [BANKS_MAX_READS]; /* cycle << 8 | number of uses in that cycle */
};

/* Records that registers of warp slot w are written in `cycle`. */
void bank_uses_write(struct bank_uses *b, const struct reg_set *regs, uint32_t w, uint64_t cycle);

/* Begins to read these registers for an instruction of warp slot w in `cycle`. Returns the
 * number of cycles that the instruction waits for banks, which is less than BANKS_MAX_READS. */
uint32_t bank_uses_read(struct bank_uses *b, const struct reg_set *src, uint32_t w, uint64_t cycle);

#endif
