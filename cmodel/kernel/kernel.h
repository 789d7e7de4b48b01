/* SPDX-License-Identifier: Apache-2.0 */
/* Declares the input of the SMs: workloads, kernel launches and warp instructions.
 *
 * A workload is a list of kernel launches over a set of device arrays. A kernel is a C program that
 * runs for all 32 lanes of a warp, and really reads and writes the arrays. Each call of `step` runs
 * a warp to its next instruction, so a kernel's only state is a small struct for each resident warp
 * and CTA. A trace reader implements the same interface. */
#ifndef MEMTWIN_KERNEL_KERNEL_H
#define MEMTWIN_KERNEL_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/error.h"

#define WARP_LANES 32

/* Maximum number of line accesses of a memory instruction. An access to 16 B of local memory
 * covers four words per lane, each in a different line. */
#define LOAD_MAX_ACCESSES (WARP_LANES * 4)
#define WARP_REGS 256
#define WORKLOADS_AT_ONCE 4 /* maximum number of concurrent workloads */
#define KERNELS_AT_ONCE 128 /* maximum number of concurrent kernels of a trace */

/* Set of a warp's registers. Register r is bit r % 64 of word r / 64. */
struct reg_set {
    uint64_t w[WARP_REGS / 64];
};

static inline bool regs_none(const struct reg_set *r) {
    return (r->w[0] | r->w[1] | r->w[2] | r->w[3]) == 0;
}

static inline bool regs_overlap(const struct reg_set *a, const struct reg_set *b) {
    return ((a->w[0] & b->w[0]) | (a->w[1] & b->w[1]) | (a->w[2] & b->w[2]) |
            (a->w[3] & b->w[3])) != 0;
}

static inline void regs_add(struct reg_set *to, const struct reg_set *r) {
    for (unsigned i = 0; i < WARP_REGS / 64; i++)
        to->w[i] |= r->w[i];
}

static inline void regs_remove(struct reg_set *from, const struct reg_set *r) {
    for (unsigned i = 0; i < WARP_REGS / 64; i++)
        from->w[i] &= ~r->w[i];
}

enum warp_op {
    WARP_ALU,    /* run of `repeat` instructions for the integer and single-precision unit */
    WARP_SFU,    /* run of `repeat` instructions for the special-function unit */
    WARP_FP64,   /* run of `repeat` instructions for the double-precision unit */
    WARP_SHARED, /* run of `repeat` shared-memory accesses of `passes` passes each */
    WARP_LOAD,   /* load with one address per lane */
    WARP_STORE,
    WARP_ATOMIC,  /* read-modify-write in the L2; no result if `dst` is empty (a reduction) */
    WARP_BARRIER, /* CTA barrier */
    WARP_EXIT     /* the warp has ended; step() is not called again */
};

/* Kind of unit of a WARP_ALU instruction, if the machine has units of their own (sm.int). */
enum warp_unit {
    UNIT_INT, /* also all arithmetic of built-in workloads */
    UNIT_FLOAT,
    UNIT_HALF, /* packed half precision: the unit of UNIT_FLOAT at twice its rate */
    UNIT_BRANCH,
    UNIT_TEXTURE,
    UNIT_TENSOR,
    UNIT_UNIFORM
};

/* Part of an instruction in the copies of its warp from global to shared memory. A warp's copies
 * form groups, each of which the warp closes. */
enum warp_async {
    ASYNC_NONE,
    ASYNC_COPY,  /* a load that copies, or the WARP_SHARED that is its write of shared memory and
                    has addresses there */
    ASYNC_CLOSE, /* arithmetic that closes the group of all copies since the last one */
    ASYNC_WAIT   /* arithmetic; the warp then waits for its closed groups but the last `keep` */
};
#define ASYNC_KEEP_MAX 63

enum warp_space {
    SPACE_GLOBAL,
    SPACE_LOCAL /* private to the thread: `addr` is a byte offset into the lane's local memory */
};

/* Maximum size of a thread's local memory in bytes, as in CUDA. Local memory has its own region of
 * device addresses, in which each warp slot of the machine has a window of LOCAL_WINDOW_LINES
 * lines. Line w of a window holds word w (4 B) of all 32 lanes. With sm.model=gpgpusim, windows are
 * interleaved (docs/understand/sm.md). */
#define LOCAL_BYTES (UINT64_C(512) << 10)
#define LOCAL_WORD 4
#define LOCAL_BASE (UINT64_C(1) << 46)
#define LOCAL_END (LOCAL_BASE + (UINT64_C(1) << 41))
/* Includes one extra line, so that the windows do not all begin in the same cache set. */
#define LOCAL_WINDOW_LINES (LOCAL_BYTES / LOCAL_WORD + 1)

/* First line of kernel code. Code is in the region of local memory, at higher addresses than the
 * windows. A pc is a byte offset from the start of this line. */
#define CODE_LINE ((LOCAL_BASE + (UINT64_C(1) << 40)) / 128)

static inline bool line_is_code(uint64_t line) {
    return line >= CODE_LINE && line < LOCAL_END / 128;
}

struct warp_inst {
    struct reg_set src, /* registers read */
        dst;            /* registers written */
    enum warp_op op;
    uint32_t mask;   /* active lanes; not 0 for a memory access */
    uint32_t repeat; /* length of the run, at least 1; always 1 for a load, store, atomic, barrier
                        or exit */
    uint8_t size;    /* number of bytes per lane: 1, 2, 4, 8 or 16; also 32 for a global load or
                        store; 4 or 8 for an atomic */
    uint8_t space;   /* enum warp_space of a load or store; atomics are global */
    uint8_t passes;  /* bank-conflict degree of WARP_SHARED, 1 to 32 */
    uint8_t unit;    /* enum warp_unit of WARP_ALU */
    bool skip_l1;    /* true if the L1D must not serve this load (ld.volatile, LDG.STRONG.GPU) */
    bool atomic;     /* true for a WARP_SHARED that is an atomic */
    bool has_pc;     /* true if pc is valid */
    /* enum warp_async, and the number of groups that ASYNC_WAIT does not wait for */
    uint8_t async : 2, keep : 6;
    bool even; /* true if the lanes' addresses have a constant stride; then only addr[0] and addr[1]
                  are valid */
    uint32_t pc;               /* byte address in the kernel's code */
    uint64_t addr[WARP_LANES]; /* byte address for each active lane, a multiple of size */
};

static inline uint64_t warp_inst_addr(const struct warp_inst *i, unsigned lane) {
    return i->even ? i->addr[0] + lane * (i->addr[1] - i->addr[0]) : i->addr[lane];
}

/* Fills in the addresses of all lanes. */
static inline void warp_inst_expand(struct warp_inst *i) {
    for (unsigned lane = 2; i->even && lane < WARP_LANES; lane++)
        i->addr[lane] = warp_inst_addr(i, lane);
    i->even = false;
}

/* Fields that identify an instruction without a pc. */
struct warp_inst_form {
    struct reg_set src, dst;
    uint32_t op;
    uint8_t size, space, skip_l1, zero;
};

static inline struct warp_inst_form warp_inst_form(const struct warp_inst *i) {
    return (struct warp_inst_form){i->src, i->dst, i->op, i->size, i->space, i->skip_l1, 0};
}

/* Position of a warp in its launch. */
struct warp_place {
    uint32_t cta[3];  /* CTA index x, y, z */
    uint32_t warp;    /* warp index in the CTA */
    uint32_t threads; /* number of live threads, 1..32; they are in lanes 0..threads-1 */
};

/* Bytes that the host copies to the GPU. */
struct kernel_copy {
    uint64_t addr, bytes; /* device byte address */
};

struct kernel_launch {
    const char *name; /* name of the kernel; valid as long as the workload exists */
    uint32_t grid[3], block[3];
    uint32_t shared_bytes; /* size of the shared memory per CTA in bytes, for the occupancy limit */
    uint32_t regs; /* number of 32-bit registers per thread, for the occupancy limit; 0 if unknown,
                      which means no limit */
    uint32_t paper_regs;    /* number of registers per thread according to the literature; used if
                               sm.register_source=all */
    size_t warp_state_size; /* size of a warp's state in bytes; the caller zeroes it before the
                               warp's first step */
    size_t cta_state_size;  /* size of the CTA's __shared__ arrays in bytes; the caller zeroes the
                               arrays */
    /* Runs the warp to its next instruction and stores that instruction in *inst. inst->even is
     * false before the warp's first instruction, and only a trace changes it. After a barrier,
     * step() is called only when all live warps of the CTA have arrived. */
    void (*step)(void *ctx, const struct warp_place *place, void *cta_state, void *warp_state,
                 struct warp_inst *inst);
    void *ctx;                      /* owned by the workload */
    const struct kernel_copy *copy; /* copies since the previous launch, in their order; owned by
                                       the workload */
    size_t copies;
};

/* Device array. It is used for address checks, access counts and allocation. A bump allocator
 * places the arrays in order from 0x80000000 on, aligned to 256 B. */
struct device_array {
    const char *name;
    uint64_t base; /* device byte address */
    uint64_t bytes;
    /* Numbers of thread-level accesses so far, counted when step() returns them. */
    uint64_t loads, stores, atomics;
    /* Numbers of accesses according to the closed formula, valid after the last launch. */
    uint64_t expected_loads, expected_stores, expected_atomics;
    bool counted; /* false if the counts depend on the data; expected_* are then bounds */
};

struct workload;

/* Launches of several streams (in the CUDA sense). A stream's launches run in their order; launches
 * of different streams may run at once. Launch i is the one that `next` would return as the i-th,
 * counted from 0. */
struct workload_streams {
    uint32_t n;         /* number of streams */
    const uint32_t *of; /* stream of each launch, 0..n-1 */
    /* Fills *launch with launch i, without copies. Each launch is opened once, in any order.
     * Returns false after an error of the input. */
    bool (*open)(struct workload *w, uint64_t i, struct kernel_launch *launch);
    /* Frees what a launch needs. All its warps have exited. */
    void (*close)(struct workload *w, struct kernel_launch *launch);
    /* Returns the copies between launch i - 1 and launch i, and sets their number. */
    const struct kernel_copy *(*copies)(const struct workload *w, uint64_t i, size_t *n);
};

/* One value of a size list. Its default is the value in default_size, or `min` if default_size
 * does not give one. */
struct size_value {
    const char *name;
    uint64_t min, max;
};
#define WORKLOAD_SIZES 5

struct workload_type {
    const char *name;     /* name, such as "gemm" */
    const char *suite;    /* benchmark suite */
    const char *class;    /* UVMBench class (Gu 2023, Table 5.1): "regular", "irregular" or NULL */
    const char *doc;      /* one line that describes the computation and the access pattern */
    const char *size_doc; /* meaning of SIZE, such as "N, the matrix edge" */
    const char *default_size;
    struct size_value size[WORKLOAD_SIZES]; /* ends at the first element without a name */
    bool repeatable;     /* true if running a launch several times in a row has the same effect as
                            running it once */
    const void *variant; /* distinguishes types that share functions */
    size_t state_size;   /* size of the workload's own struct in bytes */
    /* Creates the arrays and inputs of a zeroed workload of the given size. On an error, sets
     * the lane_workload's err and returns false. */
    bool (*create)(struct workload *w, const uint64_t *size);
    /* These functions are described in struct workload. `destroy` is NULL if there are only arrays
     * to free. */
    bool (*next)(struct workload *w, struct kernel_launch *launch);
    int (*verify)(struct workload *w, struct error *err);
    void (*destroy)(struct workload *w);
};

/* First member of every workload's own struct. */
struct workload {
    const struct workload_type *type;
    struct device_array *arrays;
    unsigned n_arrays;
    /* Total numbers of launches and CTAs, only to show progress; 0 if not known in advance. */
    uint64_t launches, ctas;
    /* Reason why a launch must not run several times in a row, or NULL if it may. */
    const char *once;
    /* Fills *launch with the next launch. It is called when all warps of the previous launch have
     * exited, because the host may read that launch's results. Returns false after the last launch.
     */
    bool (*next)(struct workload *w, struct kernel_launch *launch);
    /* Compares the results with a plain C version of the algorithm, and the access counts with the
     * closed formula, after the last launch. Returns 0, or -1 with one line in err. */
    int (*verify)(struct workload *w, struct error *err);
    void (*destroy)(struct workload *w);
    /* Returns a one-line message if the input, such as a trace, was found to be wrong, or else
     * NULL. A wrong input ends the run. `error` itself is NULL if the input cannot be wrong. */
    const char *(*error)(const struct workload *w);
    /* Its streams, for a caller that uses them instead of `next`. NULL if there is one. */
    const struct workload_streams *streams;
};

/* Table of all built-in workloads, one per line of sim/workloads/workloads.def, terminated by
 * NULL. */
extern const struct workload_type *const workload_types[];
const struct workload_type *workload_find(const char *name);
/* Reads the values of a size, or those of the default size where `size`, which may be NULL, has
 * none. Returns 0, or -1 with one line in err. */
int workload_sizes(const struct workload_type *type, const char *size,
                   uint64_t value[WORKLOAD_SIZES], struct error *err);
/* Creates a workload of the given size, such as "512" or "16384,5", or of the default size if
 * `size` is NULL. On an error, returns NULL with one line in err. */
struct workload *workload_create(const struct workload_type *type, const char *size,
                                 struct error *err);

#endif
