/* SPDX-License-Identifier: Apache-2.0 */
/* What the workloads share: a way to write a kernel over the lanes of a warp, device arrays, sizes,
 * inputs, checks, and a runner without timing.
 *
 * A kernel is a step function (kernel.h) written as a protothread: each macro returns one warp
 * instruction to the caller, and the next step continues after it. Such a function has
 *
 *     place, inst   its parameters, under these names
 *     w             pointer to the warp's state, whose first member is `struct warp_head head`
 *
 * and `l` is the lane inside the macros' arguments. Values that outlive an instruction must be in
 * *w; locals are set again at every step, above WARP_BEGIN. A source line has at most one
 * instruction macro.
 *
 *     WARP_BEGIN();
 *     RETURN_UNLESS(index(place, l) < m->n);
 *     LD(w->x[l], m->x, [index(place, l)], R(X), 0);
 *     ALU(1, w->x[l] *= 2, R(X), R(X));
 *     ST(w->x[l], m->x, [index(place, l)], R(X));
 *     WARP_END();
 *
 * Only active lanes take part. Without active lanes an instruction is skipped (except a barrier).
 * Host memory is read and written when the instruction is yielded.
 */
#ifndef MEMTWIN_WORKLOADS_LANE_H
#define MEMTWIN_WORKLOADS_LANE_H

#include "kernel/kernel.h"
#include "lib/bits.h"
#include "trace/banks.h"

/* ---- Writing a kernel ---- */

struct warp_head {
    uint32_t resume; /* source line after the last instruction; 0: not begun */
    uint32_t on;     /* active lanes */
};

/* Mask of register r. `dst` and `src` below are ORs of such masks, or 0. */
#define R(r) (1ull << (r))

static inline uint32_t lane_first(uint32_t mask) {
    return mask ? (uint32_t)__builtin_ctz(mask) : 0;
}

/* Loops over the lanes l of the mask, lowest first. */
#define FOR_LANES(l, mask)                                                                         \
    for (uint32_t rest_ = (mask), l = lane_first(rest_); rest_;                                    \
         rest_ &= rest_ - 1, l = lane_first(rest_))

static inline uint32_t warp_live_lanes(const struct warp_place *place) {
    return place->threads >= WARP_LANES ? UINT32_MAX : (1u << place->threads) - 1;
}

/* Linear index of the lane's thread in its block, and in the grid of 1-D blocks. */
static inline uint32_t thread_in_block(const struct warp_place *place, uint32_t lane) {
    return place->warp * WARP_LANES + lane;
}
static inline uint64_t thread_in_grid(const struct warp_place *place, uint32_t block,
                                      uint32_t lane) {
    return (uint64_t)place->cta[0] * block + thread_in_block(place, lane);
}

/* x and y of the lane's thread in a 2-D block of `width` threads. */
static inline uint32_t thread_x(const struct warp_place *place, uint32_t width, uint32_t lane) {
    return thread_in_block(place, lane) % width;
}
static inline uint32_t thread_y(const struct warp_place *place, uint32_t width, uint32_t lane) {
    return thread_in_block(place, lane) / width;
}

/* Fills all but size and addresses. */
static inline void lane_inst(struct warp_inst *inst, enum warp_op op, uint32_t mask,
                             uint32_t repeat, uint64_t dst, uint64_t src) {
    inst->op = op;
    inst->mask = mask;
    inst->repeat = repeat;
    inst->size = 0;
    inst->space = SPACE_GLOBAL;
    inst->passes = 1;
    inst->skip_l1 = inst->has_pc = false;
    inst->dst = (struct reg_set){{dst}};
    inst->src = (struct reg_set){{src}};
}

#define WARP_BEGIN()                                                                               \
    switch (w->head.resume) {                                                                      \
    case 0:                                                                                        \
        EVERY_LANE();

#define WARP_END()                                                                                 \
    }                                                                                              \
    lane_inst(inst, WARP_EXIT, 0, 1, 0, 0)

#define WARP_YIELD_()                                                                              \
    w->head.resume = __LINE__;                                                                     \
    return;                                                                                        \
    case __LINE__:;

/* Reactivates every lane of the warp, after a branch. */
#define EVERY_LANE() w->head.on = warp_live_lanes(place)

/* Sets *lanes to the active lanes for which cond holds. */
#define FIND_LANES(lanes, cond)                                                                    \
    do {                                                                                           \
        uint32_t found_ = 0;                                                                       \
        FOR_LANES(l, w->head.on) {                                                                 \
            if (cond)                                                                              \
                found_ |= 1u << l;                                                                 \
        }                                                                                          \
        *(lanes) = found_;                                                                         \
    } while (0)

/* Deactivates lanes for which cond fails: an `if` (restore w->head.on after it) or a loop exit. */
#define KEEP_LANES(cond) FIND_LANES(&w->head.on, cond)

/* Lanes for which cond fails return; the warp exits when all have returned. */
#define RETURN_UNLESS(cond)                                                                        \
    do {                                                                                           \
        KEEP_LANES(cond);                                                                          \
        if (!w->head.on) {                                                                         \
            lane_inst(inst, WARP_EXIT, 0, 1, 0, 0);                                                \
            return;                                                                                \
        }                                                                                          \
    } while (0)

/* A device array with its host memory: ARRAY(float) a; */
#define ARRAY(type)                                                                                \
    struct {                                                                                       \
        type *v;                                                                                   \
        struct device_array *dev;                                                                  \
    }

/* Device address of the element `at`, which is C text after the array's name: [i] or [i].field. */
#define ADDRESS_OF_(array, at)                                                                     \
    ((array).dev->base + (uint64_t)((const char *)&(array).v at - (const char *)(array).v))

/* value = array at */
#define LD(value, array, at, dst, src)                                                             \
    do {                                                                                           \
        if (w->head.on) {                                                                          \
            lane_inst(inst, WARP_LOAD, w->head.on, 1, dst, src);                                   \
            FOR_LANES(l, w->head.on) {                                                             \
                inst->size = sizeof((array).v at);                                                 \
                inst->addr[l] = ADDRESS_OF_(array, at);                                            \
                (value) = (array).v at;                                                            \
            }                                                                                      \
            (array).dev->loads += bits_count32(w->head.on);                                        \
            WARP_YIELD_()                                                                          \
        }                                                                                          \
    } while (0)

/* array at = value */
#define ST(value, array, at, src)                                                                  \
    do {                                                                                           \
        if (w->head.on) {                                                                          \
            lane_inst(inst, WARP_STORE, w->head.on, 1, 0, src);                                    \
            FOR_LANES(l, w->head.on) {                                                             \
                inst->size = sizeof((array).v at);                                                 \
                inst->addr[l] = ADDRESS_OF_(array, at);                                            \
                (array).v at = (value);                                                            \
            }                                                                                      \
            (array).dev->stores += bits_count32(w->head.on);                                       \
            WARP_YIELD_()                                                                          \
        }                                                                                          \
    } while (0)

/* Atomic update: for each lane in turn, old = array at, then array at = value (which may use old).
 * dst 0: the old value is not used (a reduction). */
#define ATOMIC(old, value, array, at, dst, src)                                                    \
    do {                                                                                           \
        if (w->head.on) {                                                                          \
            lane_inst(inst, WARP_ATOMIC, w->head.on, 1, dst, src);                                 \
            FOR_LANES(l, w->head.on) {                                                             \
                inst->size = sizeof((array).v at);                                                 \
                inst->addr[l] = ADDRESS_OF_(array, at);                                            \
                (old) = (array).v at;                                                              \
                (array).v at = (value);                                                            \
            }                                                                                      \
            (array).dev->atomics += bits_count32(w->head.on);                                      \
            WARP_YIELD_()                                                                          \
        }                                                                                          \
    } while (0)

#define LOCAL_(op, at, dst, src)                                                                   \
    do {                                                                                           \
        if (w->head.on) {                                                                          \
            lane_inst(inst, op, w->head.on, 1, dst, src);                                          \
            inst->space = SPACE_LOCAL;                                                             \
            inst->size = LOCAL_WORD;                                                               \
            FOR_LANES(l, w->head.on) {                                                             \
                inst->addr[l] = (at);                                                              \
            }                                                                                      \
            WARP_YIELD_()                                                                          \
        }                                                                                          \
    } while (0)

/* A load or store of the word at byte `at` of each thread's local memory. Its value is in the
 * warp's state. */
#define LDL(at, dst, src) LOCAL_(WARP_LOAD, at, dst, src)
#define STL(at, src) LOCAL_(WARP_STORE, at, 0, src)

#define LANE_RUN_(op, n, statement, dst, src)                                                      \
    do {                                                                                           \
        if (w->head.on) {                                                                          \
            lane_inst(inst, op, w->head.on, n, dst, src);                                          \
            FOR_LANES(l, w->head.on) {                                                             \
                (void)l;                                                                           \
                statement;                                                                         \
            }                                                                                      \
            WARP_YIELD_()                                                                          \
        }                                                                                          \
    } while (0)

/* ALU: a run of n arithmetic instructions that executes `statement` for every lane. ALU_RUN: a run
 * without a statement. BRANCH: compare and jump, which depend on `src`. */
#define ALU(n, statement, dst, src) LANE_RUN_(WARP_ALU, n, statement, dst, src)
#define ALU_RUN(n, dst, src) LANE_RUN_(WARP_ALU, n, (void)0, dst, src)
#define BRANCH(src) ALU_RUN(2, 0, src)

/* As ALU, on the special-function and on the double-precision unit. */
#define SFU(n, statement, dst, src) LANE_RUN_(WARP_SFU, n, statement, dst, src)
#define FP64(n, statement, dst, src) LANE_RUN_(WARP_FP64, n, statement, dst, src)

/* A run of n shared-memory accesses without bank conflicts. */
#define SHARED(n, statement, dst, src) LANE_RUN_(WARP_SHARED, n, statement, dst, src)

/* One shared-memory access of each lane to the 4-byte word of index `word`; bank conflicts cost
 * passes. */
#define SHARED_AT(statement, word, dst, src)                                                       \
    do {                                                                                           \
        if (w->head.on) {                                                                          \
            uint64_t byte_[WARP_LANES], *next_ = byte_;                                            \
            lane_inst(inst, WARP_SHARED, w->head.on, 1, dst, src);                                 \
            FOR_LANES(l, w->head.on) {                                                             \
                *next_++ = 4 * (uint64_t)(word);                                                   \
                statement;                                                                         \
            }                                                                                      \
            inst->passes = (uint8_t)banks_passes(w->head.on, byte_, 4);                            \
            WARP_YIELD_()                                                                          \
        }                                                                                          \
    } while (0)

/* Block barrier. */
#define BAR()                                                                                      \
    do {                                                                                           \
        lane_inst(inst, WARP_BARRIER, warp_live_lanes(place), 1, 0, 0);                            \
        WARP_YIELD_()                                                                              \
    } while (0)

/* ---- Making a workload ---- */

#define LANE_MAX_ARRAYS 24
#define LANE_DEVICE_BASE 0x80000000ull
#define LANE_DEVICE_BYTES 0x80000000ull /* all arrays end below 4 GiB */

/* First member of every workload's own struct. */
struct lane_workload {
    struct workload w;
    struct device_array arrays[LANE_MAX_ARRAYS];
    void *host[LANE_MAX_ARRAYS]; /* owned; same order */
    unsigned launched;           /* launches made, counted by the workload */
};

/* One value of a size list. A missing value defaults to that of default_size, else to `min`. */
struct size_value {
    const char *name;
    uint64_t min, max;
};

/* Reads a size (NULL: default) into value[0..n-1]. Returns 0, or -1 with one line in err. */
int workload_size(const struct workload_type *type, const struct size_value *desc, unsigned n,
                  const char *size, uint64_t *value, char *err, size_t err_size);

/* Checks that a value is a multiple of `unit`. 0, or -1 with one line in err. */
int workload_multiple(const struct workload_type *type, const char *name, uint64_t value,
                      uint64_t unit, char *err, size_t err_size);
/* Checks that a value is not greater than another one. 0, or -1 with one line in err. */
int workload_at_most(const struct workload_type *type, const char *name, uint64_t value,
                     const char *most_name, uint64_t most, char *err, size_t err_size);

/* Allocates a zeroed struct of `size` bytes that begins with a struct lane_workload. Its `destroy`
 * frees the host arrays and the struct. */
void *workload_new(const struct workload_type *type, size_t size);

/* Adds an array of n elements, n * elem_size < 2^64. Returns its zeroed host memory, which the
 * workload owns, or NULL with one line in err. */
void *workload_array(struct lane_workload *base, const char *name, uint64_t n, size_t elem_size,
                     struct device_array **dev, char *err, size_t err_size);
/* Adds member `a` of type ARRAY(...); true if that worked. */
#define NEW_ARRAY(m, a, n, err, err_size)                                                          \
    (((m)->a.v = workload_array(&(m)->base, #a, n, sizeof *(m)->a.v, &(m)->a.dev, err,             \
                                err_size)) != NULL)

/* Frees what workload_new and workload_array made. */
void workload_free(struct workload *w);

/* Host memory of the array of that name, for tests; NULL if there is none. */
void *workload_host(struct workload *w, const char *array);

/* A one-dimensional launch of `blocks` blocks of `threads` threads. */
static inline void launch_1d(struct kernel_launch *launch, uint64_t blocks, uint64_t threads) {
    launch->grid[0] = (uint32_t)blocks;
    launch->block[0] = (uint32_t)threads;
    launch->grid[1] = launch->grid[2] = launch->block[1] = launch->block[2] = 1;
}

static inline float square(float x) {
    return x * x;
}

static inline uint64_t ceil_div(uint64_t a, uint64_t b) {
    return (a + b - 1) / b;
}

/* Number of cells first..last that lie in 0..n-1. */
static inline uint64_t cells_inside(int64_t first, int64_t last, int64_t n) {
    const int64_t low = first > 0 ? first : 0, high = last < n - 1 ? last : n - 1;
    return high >= low ? (uint64_t)(high - low + 1) : 0;
}

/* ---- Inputs: splitmix64 ---- */

struct rng {
    uint64_t state; /* the seed */
};
uint64_t rng_next(struct rng *r);
uint64_t rng_below(struct rng *r, uint64_t n); /* uniform 0..n-1, n at most 2^32 */
float rng_unit(struct rng *r);                 /* uniform [0,1), a multiple of 2^-24 */
void rng_fill(struct rng *r, float *v, uint64_t n, float low, float high);

/* ---- Checks: 0, or -1 with one line in err ---- */

void expect_accesses(struct device_array *a, uint64_t loads, uint64_t stores);
void expect_atomics(struct device_array *a, uint64_t atomics); /* 0 if not called */
/* Compares access counts with the expected ones, for all arrays that are `counted`. */
int verify_accesses(const struct workload *w, char *err, size_t err_size);
/* Checks that the values of an array are bit-identical. */
int verify_floats(const char *array, const float *got, const float *want, uint64_t n, char *err,
                  size_t err_size);
int verify_doubles(const char *array, const double *got, const double *want, uint64_t n, char *err,
                   size_t err_size);
int verify_ints(const char *array, const int32_t *got, const int32_t *want, uint64_t n, char *err,
                size_t err_size);

/* ---- Running without timing ---- */

struct workload_counts {
    uint64_t launches, ctas, warps;
    uint64_t warp_loads, warp_stores, warp_atomics;       /* warp instructions */
    uint64_t thread_loads, thread_stores, thread_atomics; /* their active lanes */
    uint64_t alu, shared, barriers; /* warp instructions, runs multiplied out; alu: all units */
    uint64_t shared_passes;         /* of shared */
    char err[200];                  /* one line after a failure, else "" */
};

/* Order in which the warps of a block run (blocks run one after the other). */
enum run_order {
    RUN_ROUND_ROBIN, /* one instruction of each warp in turn */
    RUN_GREEDY,      /* each warp up to a barrier or its end */
    RUN_REVERSE      /* as GREEDY; last block first, last warp first */
};

/* Called for each load, store and atomic of global memory, with the index of its array (0 for a
 * trace). Returns false to end the run. */
struct workload_observer {
    void *ctx;
    bool (*access)(void *ctx, const struct warp_inst *inst, unsigned array);
};

/* Runs all launches and checks each instruction: live lanes, registers written before they are
 * read, addresses aligned and inside one array, correct access counts of the arrays. A trace, which
 * has no arrays, is not checked. Returns 0, or -1 with a line in counts->err or in w->error. */
int workload_run_functional(struct workload *w, struct workload_counts *counts);
int workload_run_ordered(struct workload *w, enum run_order order, struct workload_counts *counts);
/* workload_run_functional with an observer. If it ends the run: -1 with an empty counts->err. */
int workload_run_observed(struct workload *w, const struct workload_observer *observer,
                          struct workload_counts *counts);

/* ---- Repeating launches ---- */

/* Makes a workload that runs each launch of `w` n times in a row, at least once. It owns w, and has
 * its type and arrays. Results and access counts can be verified if the type is `repeatable`.
 * Destroys w and returns NULL with one line in err if its launches must not be repeated or memory
 * ran out. */
struct workload *workload_repeat(struct workload *w, uint64_t n, char *err, size_t err_size);

#endif
