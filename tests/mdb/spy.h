/* SPDX-License-Identifier: Apache-2.0 */
/* Probe on a bpg that records the inputs of a cycle. The probe can output an lmax other than the
 * model's, even in reset, like RTL after power-up. */
#ifndef MEMTWIN_TESTS_MDB_SPY_H
#define MEMTWIN_TESTS_MDB_SPY_H

#include "bpg/bpg_ports.h"

struct spy {
    struct block_probe base;
    struct bpg_in in; /* inputs of the last cycle */
    uint64_t cycles;  /* number of cycles stepped */
    uint32_t limit;   /* lmax to output; 0 to output the model's */
    uint32_t all;     /* number of calculators */
    bool update;      /* true to output `update` = 1, too */
};

static inline void spy_eval(struct block_probe *probe, const struct block_inst *inst,
                            const void *in_, void *out_) {
    const struct spy *s = (const struct spy *)probe;
    const struct bpg_in *in = in_;
    struct bpg_out *out = out_;
    (void)inst;
    if (!s->limit)
        return;
    out->lmax = s->limit;
    out->update |= s->update;
    out->ask_past = s->limit < s->all && in->ask_id >= s->limit;
}

static inline void spy_tick(struct block_probe *probe, const struct block_inst *inst,
                            const void *in) {
    struct spy *s = (struct spy *)probe;
    (void)inst;
    s->in = *(const struct bpg_in *)in;
    s->cycles++;
}

static inline void spy_on(struct spy *s, struct block_inst *inst) {
    s->base = (struct block_probe){spy_eval, spy_tick};
    s->all = (uint32_t)inst->params.v[BPG_CALCULATORS];
    inst->probe = &s->base;
}

static inline void spy_limit(struct spy *s, uint32_t limit) {
    s->limit = limit;
}

#endif
