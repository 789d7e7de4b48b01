/* SPDX-License-Identifier: Apache-2.0 */
/* A bench for the C model of one block. A block's tests define these macros before including it:
 *
 *   BENCH             the block, such as `cap` for cap_type, struct cap_in and struct cap_out
 *   BENCH_VECTORS     name of an environment variable, or NULL; if the variable names a folder,
 *                     each test writes its inputs and outputs there as a vector file
 *   BENCH_STATE       more members of the bench, such as struct cap_bench; the default has none
 *   BENCH_CLEAR(b)    ends a cycle; the default sets all inputs to 0
 */
#ifndef MEMTWIN_TESTS_BLOCK_BENCH_H
#define MEMTWIN_TESTS_BLOCK_BENCH_H

#include "tests/block/at.h"

#define LENGTH(a) (sizeof(a) / sizeof *(a))
#define BENCH_JOIN_(a, b) a##b
#define BENCH_JOIN(a, b) BENCH_JOIN_(a, b)
#define BENCH_TYPE BENCH_JOIN(BENCH, _type)
#define BENCH_STRUCT BENCH_JOIN(BENCH, _bench)
#ifndef BENCH_STATE
#define BENCH_STATE
#endif
#ifndef BENCH_CLEAR
#define BENCH_CLEAR(b) memset(&(b)->in, 0, sizeof(b)->in)
#endif

struct BENCH_STRUCT {
    struct block_inst inst;
    struct BENCH_JOIN(BENCH, _in) in;
    struct BENCH_JOIN(BENCH, _out) out; /* outputs of the last call of cycle() or look() */
    struct tape tape;
    BENCH_STATE
};

static inline unsigned param(const struct BENCH_STRUCT *b, unsigned i) {
    return (unsigned)b->inst.params.v[i];
}

/* Computes the outputs for the inputs that are set, without a clock edge. */
static inline const struct BENCH_JOIN(BENCH, _out) * look(struct BENCH_STRUCT *b) {
    block_look(&b->inst, &b->in, &b->out);
    return &b->out;
}

/* Runs one clock cycle with the inputs that are set. */
static inline void cycle(struct BENCH_STRUCT *b) {
    look(b);
    tape_cycle(&b->tape, &b->in, &b->out);
    block_tick(&b->inst, &b->in);
    BENCH_CLEAR(b);
}

static inline void idle(struct BENCH_STRUCT *b, uint64_t cycles) {
    while (cycles--)
        cycle(b);
}

static inline void reset(struct BENCH_STRUCT *b) {
    b->in.rst = 1;
    cycle(b);
}

static inline struct block_params point(const char *const *set) {
    return block_at(&BENCH_TYPE, set);
}

#define ILLEGAL(text, ...) ILLEGAL_OF(&BENCH_TYPE, text, __VA_ARGS__)

/* Starts a bench. `name` is the name of the vector file, or NULL. */
static inline struct BENCH_STRUCT start_at(const char *name, const struct block_params *p) {
    struct BENCH_STRUCT b = {0};
    struct error err;
    if (block_inst_init(&b.inst, &BENCH_TYPE, p, "bench", &err))
        fail_msg("%s", err.text);
    if (name && BENCH_VECTORS)
        tape_begin(&b.tape, &b.inst, BENCH_VECTORS, name);
    reset(&b);
    return b;
}

static inline struct BENCH_STRUCT start(const char *name, const char *const *set) {
    const struct block_params p = point(set);
    return start_at(name, &p);
}

/* Starts a bench with these parameters. A recording is named after the test. */
#define START(...) start(__func__, (const char *const[]){__VA_ARGS__, NULL})

static inline void end(struct BENCH_STRUCT *b) {
    cycle(b); /* records the state after the last cycle */
    tape_end(&b->tape);
    block_inst_free(&b->inst);
}

#endif
