/* SPDX-License-Identifier: Apache-2.0 */
/* Defines the contract between a block's C model, its Verilog twin and the harness.
 *
 * A block's ports are declared once, in an X-macro list (mshr/mshr_ports.h is an example):
 *
 *     #define LIST(X) X(dir, kind, name, max_bits, width, qualifier) ...
 *
 *   dir        IN, OUT (used by the system) or OBS (an output for observation only, computed only
 *              if a probe is attached to the block)
 *   kind       N: at most 64 bits, in a uint64_t field; W: wider, in an array of uint32_t with the
 *              least significant word first
 *   max_bits   maximum width at any parameter point that the Verilog accepts
 *   width      width in bits at the parameters `p` (const struct block_params *), at least 1
 *   qualifier  expression over `in` and `out` that is true when the port is valid; ALWAYS means
 *              every cycle. An output is compared only when its qualifier is true in the model.
 *              While an input's qualifier is false, the input gets noise (X in Icarus), on which no
 *              valid output and no state may depend
 *
 * The in and out structs, the port table, the Verilator shim, the comparer, the vector files and
 * the Icarus bench are all generated from this list.
 *
 * A cycle of a block has two phases. `eval` and `observe` are combinational and change no state;
 * `tick` is the clock edge. Every module has a `clk` and an active-high synchronous `rst`. The list
 * begins with rst and does not contain clk.
 */
#ifndef MEMTWIN_BLOCK_BLOCK_H
#define MEMTWIN_BLOCK_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/error.h"

#ifdef __cplusplus
extern "C" {
#endif

#define BLOCK_MAX_PARAMS 16
#define BLOCK_NAME_MAX 48

/* Parameter values in the order of the block's parameter table. */
struct block_params {
    int64_t v[BLOCK_MAX_PARAMS];
    uint32_t given; /* bit i is 1 if v[i] was set explicitly, not derived from other parameters */
};

struct param_desc {
    const char *name;      /* name in the Verilog module */
    int64_t def, min, max; /* default and range in the Verilog module */
    const char *doc;       /* one-line description with the unit */
};

enum port_dir { PORT_IN, PORT_OUT, PORT_OBS };

struct port_desc {
    const char *name;
    enum port_dir dir;
    unsigned max_bits;
    size_t offset; /* offset in the in struct (PORT_IN) or the out struct (PORT_OUT, PORT_OBS) */
    unsigned (*width)(const struct block_params *p);
    bool (*qualified)(const void *in, const void *out);
    const char *qualifier; /* text of the qualifier in the port list */
};

/* Type of a block: a constant that all instances of the block share. */
struct block_type {
    const char *name; /* name of the block's folder and of its Verilog module */
    const struct param_desc *params;
    unsigned n_params;
    /* For each parameter, the model's maximum if it exceeds that of the Verilog module, otherwise
     * 0. NULL if all elements are 0. */
    const int64_t *model_max;
    const struct port_desc *ports;
    unsigned n_ports;
    size_t in_size, out_size;
    /* True if some inputs affect only the tick. The port list names them. They may be set between
     * block_eval and block_tick. */
    bool late;
    /* Derives unset parameters from the others. May be NULL. */
    void (*derive)(struct block_params *p);
    /* Checks the rules that relate parameters whose ranges have been checked. Returns NULL if all
     * parameters are legal, otherwise a static error message. */
    const char *(*illegal)(const struct block_params *p);
    /* Creates a model in power-up state, owned by the caller. One cycle of rst resets it. */
    void *(*create)(const struct block_params *p);
    void (*destroy)(void *model);
    /* Combinational: writes the PORT_OUT fields of *out. While a port's qualifier is false, a
     * narrow field is 0, but a wide field may keep its old value. */
    void (*eval)(const void *model, const void *in, void *out);
    /* Combinational, after eval: writes all PORT_OBS fields of *out. May also write PORT_OUT fields
     * that no part of the system reads. */
    void (*observe)(const void *model, const void *in, void *out);
    /* Runs the clock edge. */
    void (*tick)(void *model, const void *in);
    /* Runs eval and tick of one cycle in one call, for speed. May be NULL. */
    void (*step)(void *model, const void *in, void *out);
};

struct block_inst;

/* Probe of a block instance (a Verilog twin, a recorder, or both), implemented in tb/harness. */
struct block_probe {
    /* Called after the model's eval; may replace *out (drive mode). */
    void (*eval)(struct block_probe *probe, const struct block_inst *inst, const void *in,
                 void *out);
    /* Called after the model's tick. */
    void (*tick)(struct block_probe *probe, const struct block_inst *inst, const void *in);
};

/* Instance of a block in a running system, for example "l2.3.mshr". */
struct block_inst {
    const struct block_type *type;
    void *model;               /* owned */
    struct block_probe *probe; /* not owned; NULL if no probe is attached */
    struct block_params params;
    char name[BLOCK_NAME_MAX];
};

/* Checks the parameters against the model's ranges and creates the model. Returns 0, or -1 with one
 * line in err. */
int block_inst_init(struct block_inst *inst, const struct block_type *type,
                    const struct block_params *params, const char *name, struct error *err);
void block_inst_free(struct block_inst *inst);

/* Computes the outputs. Call it exactly once per cycle, before block_tick. */
static inline void block_eval(struct block_inst *inst, const void *in, void *out) {
    inst->type->eval(inst->model, in, out);
    if (inst->probe)
        inst->probe->eval(inst->probe, inst, in, out);
}

/* Runs the clock edge. `in` must be the same as in block_eval, except for late inputs. */
static inline void block_tick(struct block_inst *inst, const void *in) {
    inst->type->tick(inst->model, in);
    if (inst->probe)
        inst->probe->tick(inst->probe, inst, in);
}

/* Runs one cycle: block_eval, then block_tick. */
static inline void block_step(struct block_inst *inst, const void *in, void *out) {
    if (inst->type->step && !inst->probe) {
        inst->type->step(inst->model, in, out);
        return;
    }
    block_eval(inst, in, out);
    block_tick(inst, in);
}

/* Table of all block types with a twin, one per line of cmodel/blocks.def, terminated by NULL. */
extern const struct block_type *const block_types[];
const struct block_type *block_find(const char *name); /* returns NULL if no type has this name */
/* True if the block has a Verilog module, so that a twin can be attached. Such blocks are listed in
 * block_types. */
bool block_has_twin(const struct block_type *type);

/* Sets all parameters to their defaults. */
void block_params_default(const struct block_type *type, struct block_params *p);
/* Sets one parameter from "NAME=VALUE". Returns 0, or -1 with one line in err if the name is
 * unknown, or the value is not an integer or is outside the Verilog module's range. */
int block_params_set(const struct block_type *type, struct block_params *p, const char *assignment,
                     struct error *err);
/* Checks that all parameters are in range and legal for the Verilog module. Returns 0, or -1 with
 * one line in err. */
int block_params_check(const struct block_type *type, const struct block_params *p,
                       struct error *err);
/* Prints "NAME=VALUE NAME=VALUE ..." to buf, in table order. Returns the length as snprintf()
 * does. */
int block_params_print(const struct block_type *type, const struct block_params *p, char *buf,
                       size_t size);

/* ---- Structs and tables from a port list ---- */

#define BLOCK_NARROW_N(name, max) uint64_t name;
#define BLOCK_NARROW_W(name, max)
#define BLOCK_WIDE_N(name, max)
#define BLOCK_WIDE_W(name, max) uint32_t name[((max) + 31) / 32];
#define BLOCK_IN_IN(make, name, max) make(name, max)
#define BLOCK_IN_OUT(make, name, max)
#define BLOCK_IN_OBS(make, name, max)
#define BLOCK_OUT_IN(make, name, max)
#define BLOCK_OUT_OUT(make, name, max) make(name, max)
#define BLOCK_OUT_OBS(make, name, max) make(name, max)
#define BLOCK_IN_NARROW(dir, kind, name, max, width, qual)                                         \
    BLOCK_IN_##dir(BLOCK_NARROW_##kind, name, max)
#define BLOCK_IN_WIDE(dir, kind, name, max, width, qual)                                           \
    BLOCK_IN_##dir(BLOCK_WIDE_##kind, name, max)
#define BLOCK_OUT_NARROW(dir, kind, name, max, width, qual)                                        \
    BLOCK_OUT_##dir(BLOCK_NARROW_##kind, name, max)
#define BLOCK_OUT_WIDE(dir, kind, name, max, width, qual)                                          \
    BLOCK_OUT_##dir(BLOCK_WIDE_##kind, name, max)

/* Members of the in and out structs of a port list. Narrow members come first, so that they occupy
 * few of the host's cache lines. */
#define BLOCK_IN_MEMBERS(PORTS) PORTS(BLOCK_IN_NARROW) PORTS(BLOCK_IN_WIDE)
#define BLOCK_OUT_MEMBERS(PORTS) PORTS(BLOCK_OUT_NARROW) PORTS(BLOCK_OUT_WIDE)

/* The macros below define the width and qualifier functions and the port table, in a C file that
 * defines BLOCK_IN_T and BLOCK_OUT_T as the two struct types. */
#define ALWAYS true
#define BLOCK_PORT_FUNCTIONS(dir, kind, name, max, width_expr, qual)                               \
    static unsigned port_width_##name(const struct block_params *p) {                              \
        (void)p;                                                                                   \
        return (unsigned)(width_expr);                                                             \
    }                                                                                              \
    static bool port_qualified_##name(const void *in_, const void *out_) {                         \
        const BLOCK_IN_T *in = (const BLOCK_IN_T *)in_;                                            \
        const BLOCK_OUT_T *out = (const BLOCK_OUT_T *)out_;                                        \
        (void)in;                                                                                  \
        (void)out;                                                                                 \
        return (qual);                                                                             \
    }
#define BLOCK_STRUCT_IN BLOCK_IN_T
#define BLOCK_STRUCT_OUT BLOCK_OUT_T
#define BLOCK_STRUCT_OBS BLOCK_OUT_T
#define BLOCK_PORT_ENTRY(dir, kind, name, max, width_expr, qual)                                   \
    {#name,                                                                                        \
     PORT_##dir,                                                                                   \
     (max),                                                                                        \
     offsetof(BLOCK_STRUCT_##dir, name),                                                           \
     port_width_##name,                                                                            \
     port_qualified_##name,                                                                        \
     #qual},

#ifdef __cplusplus
}
#endif
#endif
