/* SPDX-License-Identifier: Apache-2.0 */
/* Tools shared by the workloads: macros to write a kernel over the lanes of a warp, device arrays,
 * sizes, inputs, checks, and a runner without timing.
 *
 * A workload's file begins with a comment on its computation, suite, size parameters and memory
 * accesses, with formulae for the access counts. Its `verify` compares the results with a reference
 * version in C, and the access counts with the formulae.
 *
 * A kernel is a step function (kernel.h) written as a protothread: each macro returns one warp
 * instruction to the caller, and the next step continues after it. Such a step function has
 *
 *     place, inst   its parameters, under these names
 *     w             pointer to the warp's state, whose first member is `struct warp_head head`
 *
 * and `l` is the lane inside the macros' arguments. Values that outlive an instruction must be in
 * *w. Local variables are set again at every step, above WARP_BEGIN.
 *
 *     WARP_BEGIN();
 *     RETURN_UNLESS(index(place, l) < m->n);
 *     LD(w->x[l], m->x, [index(place, l)], R(X), 0);
 *     ALU(1, w->x[l] *= 2, R(X), R(X));
 *     ST(w->x[l], m->x, [index(place, l)], R(X));
 *     WARP_END();
 *
 * Only active lanes take part. An instruction without active lanes is skipped, except a barrier.
 * Host memory is read and written when the instruction is issued.
 */
#ifndef MEMTWIN_WORKLOADS_LANE_H
#define MEMTWIN_WORKLOADS_LANE_H

#include "kernel/kernel.h"
#include "lib/bits.h"
#include "trace/banks.h"

/* ---- Writing a kernel ---- */

struct warp_head {
    uint32_t resume; /* case label after the last instruction issued; 0 before the first */
    uint32_t on;     /* active lanes */
};

/* Mask of register r. `dst` and `src` below are ORs of register masks, or 0. */
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

/* Return the linear index of the lane's thread in its CTA, and in a 1-D grid of 1-D CTAs of `block`
 * threads. */
static inline uint32_t thread_in_block(const struct warp_place *place, uint32_t lane) {
    return place->warp * WARP_LANES + lane;
}
static inline uint64_t thread_in_grid(const struct warp_place *place, uint32_t block,
                                      uint32_t lane) {
    return (uint64_t)place->cta[0] * block + thread_in_block(place, lane);
}

/* Return x and y of the lane's thread in a 2-D CTA of `width` threads per row. */
static inline uint32_t thread_x(const struct warp_place *place, uint32_t width, uint32_t lane) {
    return thread_in_block(place, lane) % width;
}
static inline uint32_t thread_y(const struct warp_place *place, uint32_t width, uint32_t lane) {
    return thread_in_block(place, lane) / width;
}

/* Initializes an instruction. The caller sets the size and the addresses of an access. */
static inline void lane_inst(struct warp_inst *inst, enum warp_op op, uint32_t mask,
                             uint32_t repeat, uint64_t dst, uint64_t src) {
    inst->op = op;
    inst->mask = mask;
    inst->repeat = repeat;
    inst->size = 0;
    inst->space = SPACE_GLOBAL;
    inst->passes = 1;
    inst->unit = UNIT_INT;
    inst->skip_l1 = inst->atomic = inst->has_pc = false;
    inst->async = ASYNC_NONE;
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

#define WARP_YIELD_AT_(number)                                                                     \
    w->head.resume = (number);                                                                     \
    return;                                                                                        \
    case (number):;
#define WARP_YIELD_() WARP_YIELD_AT_(__COUNTER__ + 1)

/* A long kernel may be split into phases, which are functions that begin with WARP_BEGIN and end
 * with PHASE_END. The step function calls them, has no instructions of its own, and keeps the
 * current phase in w->phase:
 *
 *     PHASES_BEGIN();
 *     PHASE(load(m, w, place, inst));
 *     PHASE(sum_up(m, w, place, inst));
 *     PHASES_END();
 */
#define PHASE_END()                                                                                \
    }                                                                                              \
    w->head.resume = 0

#define PHASES_BEGIN()                                                                             \
    switch (w->phase) {                                                                            \
    case 0:

#define PHASE_AT_(number, call)                                                                    \
    do {                                                                                           \
        w->phase = (number);                                                                       \
        __attribute__((fallthrough));                                                              \
    case (number):                                                                                 \
        call;                                                                                      \
        if (w->head.resume)                                                                        \
            return;                                                                                \
    } while (0)
#define PHASE(call) PHASE_AT_(__COUNTER__ + 1, call)

#define PHASES_END() WARP_END()

/* Reactivates all live lanes of the warp, for example after a branch. */
#define EVERY_LANE() w->head.on = warp_live_lanes(place)

/* Sets *lanes to the active lanes for which cond is true. */
#define FIND_LANES(lanes, cond)                                                                    \
    do {                                                                                           \
        uint32_t found_ = 0;                                                                       \
        FOR_LANES(l, w->head.on) {                                                                 \
            if (cond)                                                                              \
                found_ |= 1u << l;                                                                 \
        }                                                                                          \
        *(lanes) = found_;                                                                         \
    } while (0)

/* Deactivates the lanes for which cond is false. Use it for an `if` (restore w->head.on after it)
 * or a loop exit. */
#define KEEP_LANES(cond) FIND_LANES(&w->head.on, cond)

/* Deactivates the lanes for which cond is false. If no lane stays active, the warp exits. */
#define RETURN_UNLESS(cond)                                                                        \
    do {                                                                                           \
        KEEP_LANES(cond);                                                                          \
        if (!w->head.on) {                                                                         \
            lane_inst(inst, WARP_EXIT, 0, 1, 0, 0);                                                \
            return;                                                                                \
        }                                                                                          \
    } while (0)

/* Device array with its host memory, for example: ARRAY(float) a; */
#define ARRAY(type)                                                                                \
    struct {                                                                                       \
        type *v;                                                                                   \
        struct device_array *dev;                                                                  \
    }

/* Device address of the element `at`, which is the C text after the array's name: [i] or
 * [i].field. */
#define ADDRESS_OF_(array, at)                                                                     \
    ((array).dev->base + (uint64_t)((const char *)&(array).v at - (const char *)(array).v))

/* Load by every active lane: value = array at */
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

/* Store by every active lane: array at = value */
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
 * dst is 0 if the old value is not used (a reduction). */
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

/* Load or store of the word at byte offset `at` of each thread's local memory. The kernel keeps the
 * word's value in the warp's state. */
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

/* ALU issues a run of n arithmetic instructions and executes `statement` for every active lane.
 * ALU_RUN issues a run without a statement. BRANCH issues a compare and a jump, which read
 * `src`. */
#define ALU(n, statement, dst, src) LANE_RUN_(WARP_ALU, n, statement, dst, src)
#define ALU_RUN(n, dst, src) LANE_RUN_(WARP_ALU, n, (void)0, dst, src)
#define BRANCH(src) ALU_RUN(2, 0, src)

/* SFU and FP64 are like ALU, but use the special-function and the double-precision unit. */
#define SFU(n, statement, dst, src) LANE_RUN_(WARP_SFU, n, statement, dst, src)
#define FP64(n, statement, dst, src) LANE_RUN_(WARP_FP64, n, statement, dst, src)

/* Issues a run of n shared-memory accesses without bank conflicts. */
#define SHARED(n, statement, dst, src) LANE_RUN_(WARP_SHARED, n, statement, dst, src)

/* Issues one shared-memory access by each lane to the 4-byte word with index `word`. Bank conflicts
 * add passes. */
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

/* Issues a CTA barrier. */
#define BAR()                                                                                      \
    do {                                                                                           \
        lane_inst(inst, WARP_BARRIER, warp_live_lanes(place), 1, 0, 0);                            \
        WARP_YIELD_()                                                                              \
    } while (0)

/* ---- Construction of a workload ---- */

#define LANE_MAX_ARRAYS 24
#define LANE_DEVICE_BASE 0x80000000ull
#define LANE_DEVICE_BYTES 0x80000000ull /* all arrays end below 4 GiB */

/* First member of every workload's own struct. */
struct lane_workload {
    struct workload w;
    struct device_array arrays[LANE_MAX_ARRAYS];
    void *host[LANE_MAX_ARRAYS]; /* owned; in the order of the arrays */
    unsigned launched;           /* number of launches so far, counted by the workload */
    struct error err;            /* message if `create` fails */
};

/* Functions for a type's `create`. If one returns false or NULL, the workload's err has the
 * message. */

/* Checks that a value is a multiple of `unit`. Returns false if it is not. */
bool workload_multiple(struct workload *w, const char *name, uint64_t value, uint64_t unit);
/* Checks that a value is not greater than `most`. Returns false if it is. */
bool workload_at_most(struct workload *w, const char *name, uint64_t value, const char *most_name,
                      uint64_t most);

/* Adds an array of n elements. n * elem_size must be less than 2^64. Returns its zeroed host
 * memory, which the workload owns, or NULL. */
void *workload_array(struct lane_workload *base, const char *name, uint64_t n, size_t elem_size,
                     struct device_array **dev);
/* Adds the array `a`, a member of type ARRAY(...). */
#define NEW_ARRAY(m, a, n)                                                                         \
    (((m)->a.v = workload_array(&(m)->base, #a, n, sizeof *(m)->a.v, &(m)->a.dev)) != NULL)

/* Frees the workload and its arrays. */
void workload_free(struct workload *w);

/* Returns the host memory of an array, given its name, or NULL if there is no such array. Only
 * tests call it. */
void *workload_host(struct workload *w, const char *array);

/* Fills a one-dimensional launch of `blocks` CTAs of `threads` threads. */
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

/* Returns the number of cells first..last within 0..n-1. */
static inline uint64_t cells_inside(int64_t first, int64_t last, int64_t n) {
    const int64_t low = first > 0 ? first : 0, high = last < n - 1 ? last : n - 1;
    return high >= low ? (uint64_t)(high - low + 1) : 0;
}

/* ---- Inputs: splitmix64 ---- */

struct rng {
    uint64_t state; /* initialized with the seed */
};
uint64_t rng_next(struct rng *r);
uint64_t rng_below(struct rng *r,
                   uint64_t n); /* returns a uniform number in 0..n-1, n at most 2^32 */
float rng_unit(struct rng *r);  /* returns a uniform number in [0,1), a multiple of 2^-24 */
void rng_fill(struct rng *r, float *v, uint64_t n, float low, float high);

/* ---- Checks: the verify functions return 0, or -1 with one line in err ---- */

void expect_accesses(struct device_array *a, uint64_t loads, uint64_t stores);
void expect_atomics(struct device_array *a, uint64_t atomics); /* none are expected by default */
/* Compares access counts with the expected ones, for all arrays that are `counted`. */
int verify_accesses(const struct workload *w, struct error *err);
/* Check that the n values in `got` are bit-identical to those in `want`. */
int verify_floats(const char *array, const float *got, const float *want, uint64_t n,
                  struct error *err);
int verify_doubles(const char *array, const double *got, const double *want, uint64_t n,
                   struct error *err);
int verify_ints(const char *array, const int32_t *got, const int32_t *want, uint64_t n,
                struct error *err);

/* ---- Running without timing ---- */

struct workload_counts {
    uint64_t launches, ctas, warps;
    uint64_t warp_loads, warp_stores, warp_atomics;       /* numbers of warp instructions */
    uint64_t thread_loads, thread_stores, thread_atomics; /* numbers of their active lanes */
    /* Numbers of warp instructions. A run of n counts as n. `alu` includes SFU and FP64. */
    uint64_t alu, shared, barriers;
    uint64_t shared_passes; /* number of passes of the shared-memory accesses */
    struct error err;       /* message after a failure, else "" */
};

/* Order in which the warps of a CTA run. CTAs run one after the other. */
enum run_order {
    RUN_ROUND_ROBIN, /* one instruction of each warp in turn */
    RUN_GREEDY,      /* each warp up to a barrier or its end */
    RUN_REVERSE      /* like RUN_GREEDY, with the last CTA and the last warp first */
};

/* Observer of the loads, stores and atomics of global memory. `access` gets each instruction with
 * the index of the array that it accesses (0 for a trace), and returns false to end the run. */
struct workload_observer {
    void *ctx;
    bool (*access)(void *ctx, const struct warp_inst *inst, unsigned array);
};

/* Run all launches, in `order` or else in RUN_ROUND_ROBIN, and check each instruction: lanes must
 * be live, registers must be written before they are read, addresses must be aligned and inside one
 * array, and the access counts of the arrays must be correct. A trace, which has no arrays, is not
 * checked. Return 0, or -1 with one line in counts->err or from w->error(). */
int workload_run_functional(struct workload *w, struct workload_counts *counts);
int workload_run_ordered(struct workload *w, enum run_order order, struct workload_counts *counts);
/* Works like workload_run_functional, with an observer. Returns -1 with an empty counts->err if the
 * observer ends the run. */
int workload_run_observed(struct workload *w, const struct workload_observer *observer,
                          struct workload_counts *counts);

/* ---- Repeating launches ---- */

/* Creates a workload that runs each launch of `w` n times in a row; n is at least 1. The new
 * workload owns w, and has the type and the arrays of w. Results and access counts can be verified
 * if the type is `repeatable`. If the launches of w must not be repeated, destroys w and returns
 * NULL with one line in err. */
struct workload *workload_repeat(struct workload *w, uint64_t n, struct error *err);

#endif
