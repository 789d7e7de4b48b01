/* SPDX-License-Identifier: Apache-2.0 */
/* What feeds the SMs: workloads, kernel launches, warp instructions.
 *
 * A workload is a list of kernel launches over a set of device arrays. A kernel is a C program over
 * the 32 lanes of a warp that really reads and writes its arrays; each call of `step` runs it up to
 * its next warp instruction. So memory is bounded by one small state per resident warp. A trace
 * reader supplies the same interface.
 */
#ifndef MEMTWIN_KERNEL_KERNEL_H
#define MEMTWIN_KERNEL_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WARP_LANES 32

/* Most accesses of a memory instruction: 16 B of local memory are four words, each in another line.
 */
#define LOAD_MAX_ACCESSES (WARP_LANES * 4)
#define WARP_REGS 256
#define KERNELS_AT_ONCE 4 /* that run, each of a workload of its own, at most */

/* Registers of a warp, bit r % 64 of word r / 64 for register r. */
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
    WARP_ALU,     /* a run of `repeat` instructions of the integer and single-precision unit */
    WARP_SFU,     /* the same of the special-function unit */
    WARP_FP64,    /* the same of the double-precision unit */
    WARP_SHARED,  /* a run of `repeat` shared-memory accesses of `passes` passes each */
    WARP_LOAD,    /* load, one address a lane */
    WARP_STORE,   /* store */
    WARP_ATOMIC,  /* read-modify-write at the L2; dst empty: without a result (a reduction) */
    WARP_BARRIER, /* CTA barrier */
    WARP_EXIT     /* the warp is done; step is not called again */
};

enum warp_space {
    SPACE_GLOBAL,
    SPACE_LOCAL /* private to the thread: `addr` counts bytes from 0 in each lane */
};

/* Most bytes of local memory per thread, as in CUDA. Local memory has a region of its own in device
 * addresses, which holds no other data. Each warp slot of the machine has a window of
 * LOCAL_WINDOW_LINES lines there: word w (4 B) of the 32 lanes is line w of the window
 * (docs/understand/sm.md). */
#define LOCAL_BYTES (UINT64_C(512) << 10)
#define LOCAL_WORD 4
#define LOCAL_BASE (UINT64_C(1) << 46)
#define LOCAL_END (LOCAL_BASE + (UINT64_C(1) << 41))
/* One line more than the words, so that windows do not all begin in the same set of a cache. */
#define LOCAL_WINDOW_LINES (LOCAL_BYTES / LOCAL_WORD + 1)

/* The code of kernels lies in the same region, above the windows: instruction `pc` at byte pc. */
#define CODE_LINE ((LOCAL_BASE + (UINT64_C(1) << 40)) / 128)

static inline bool line_is_code(uint64_t line) {
    return line >= CODE_LINE && line < LOCAL_END / 128;
}

struct warp_inst {
    struct reg_set src, dst; /* registers read and written */
    enum warp_op op;
    uint32_t mask;   /* active lanes; not 0 for memory accesses */
    uint32_t repeat; /* instructions in the run, at least 1; 1 for accesses, barriers and exits */
    uint8_t size;    /* bytes per lane of an access: 1, 2, 4, 8 or 16; of an atomic 4 or 8 */
    uint8_t space;   /* enum warp_space of a load or store; atomics are global */
    uint8_t passes;  /* SHARED: bank-conflict degree, 1 to 32 */
    bool skip_l1;    /* a load that the L1D must not serve (ld.volatile, LDG.STRONG.GPU) */
    bool has_pc;     /* pc is known */
    bool even;       /* of `addr` only the first two are filled in: all 32 lanes are as far apart */
    uint32_t pc;     /* byte address in the code of the kernel */
    uint64_t addr[WARP_LANES]; /* byte address of each active lane, aligned to size */
};

static inline uint64_t warp_inst_addr(const struct warp_inst *i, unsigned lane) {
    return i->even ? i->addr[0] + lane * (i->addr[1] - i->addr[0]) : i->addr[lane];
}

/* Fills in all addresses. */
static inline void warp_inst_expand(struct warp_inst *i) {
    for (unsigned lane = 2; i->even && lane < WARP_LANES; lane++)
        i->addr[lane] = warp_inst_addr(i, lane);
    i->even = false;
}

/* What makes two instructions without a pc the same one. */
struct warp_inst_form {
    struct reg_set src, dst;
    uint32_t op;
    uint8_t size, space, skip_l1, zero;
};

static inline struct warp_inst_form warp_inst_form(const struct warp_inst *i) {
    return (struct warp_inst_form){i->src, i->dst, i->op, i->size, i->space, i->skip_l1, 0};
}

/* Where a warp stands in its launch. */
struct warp_place {
    uint32_t cta[3];  /* block index x, y, z */
    uint32_t warp;    /* warp index in the block */
    uint32_t threads; /* live threads of this warp, 1..32, lanes 0..threads-1 */
};

struct kernel_launch {
    const char *name; /* of the kernel; lives as long as the workload */
    uint32_t grid[3], block[3];
    uint32_t shared_bytes;  /* shared memory per CTA, for the occupancy limit */
    uint32_t regs;          /* 32-bit registers per thread, for the same; 0: unknown, no limit */
    uint32_t paper_regs;    /* the same, from the literature; counts with sm.registers_of=all */
    size_t warp_state_size; /* bytes; zeroed by the caller before the warp's first step */
    size_t cta_state_size; /* bytes of the CTA's shared state (its __shared__ arrays); zeroed too */
    /* Runs the warp to its next instruction and writes it to *inst, whose `even` is false before
     * the warp's first; only a trace changes it. Called again after a barrier only when all live
     * warps of the CTA have arrived. */
    void (*step)(void *ctx, const struct warp_place *place, void *cta_state, void *warp_state,
                 struct warp_inst *inst);
    void *ctx; /* owned by the workload */
    /* Warps of different CTAs may call step concurrently and in any order, except for the first
     * call of each warp. */
    bool apart;
};

/* A device array, for address checks, access counts and allocation (256 B aligned bump allocator
 * from 0x80000000, in order). */
struct device_array {
    const char *name;
    uint64_t base;  /* device byte address */
    uint64_t bytes; /* size */
    /* Thread-level accesses made so far, counted where step yields them, and how many there must be
     * by the closed formula, valid after the last launch. */
    uint64_t loads, stores, atomics;
    uint64_t expected_loads, expected_stores, expected_atomics;
    bool counted; /* false: data dependent without a closed formula (expected_* are then bounds) */
};

struct workload;

struct workload_type {
    const char *name;     /* "gemm" */
    const char *suite;    /* where it comes from */
    const char *class;    /* in UVMBench (Gu 2023, Table 5.1): "regular", "irregular"; else NULL */
    const char *doc;      /* one line: what it computes, its access pattern */
    const char *size_doc; /* what SIZE means: "N, the matrix edge" */
    const char *default_size;
    bool repeatable; /* a launch run several times in a row leaves what it leaves run once */
    /* A workload of that size ("512", "16384,5"; NULL: default). NULL on error, one line in err. */
    struct workload *(*create)(const char *size, char *err, size_t err_size);
};

/* First member of every workload's own struct. */
struct workload {
    const struct workload_type *type;
    struct device_array *arrays;
    unsigned n_arrays;
    /* Launches and their CTAs from the first to the last; 0: not known ahead. For progress only. */
    uint64_t launches, ctas;
    /* Why a launch must not run several times in a row; NULL: it may. */
    const char *once;
    /* Fills *launch with the next launch; called when all warps of the former one have exited,
     * since the host may look at its results. Returns false when there is none left. */
    bool (*next)(struct workload *w, struct kernel_launch *launch);
    /* Compares the results with a plain C version of the algorithm, and the access counts with the
     * closed formula. Returns 0, or -1 with one line in err. After the last launch. */
    int (*verify)(struct workload *w, char *err, size_t err_size);
    void (*destroy)(struct workload *w);
    /* One line if its input has turned out to be wrong (a trace, found while it is read), else
     * NULL; the run ends then. NULL itself if nothing can be wrong. */
    const char *(*error)(const struct workload *w);
};

/* Table of all built-in workloads, ended by NULL: one line in sim/workloads/workloads.def each. */
extern const struct workload_type *const workload_types[];
const struct workload_type *workload_find(const char *name);

#endif
