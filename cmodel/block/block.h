/* SPDX-License-Identifier: Apache-2.0 */
/* A hardware block: the contract between the C model, its Verilog twin and the harness.
 *
 * A block's ports stand once, in an X-macro list (see mshr/mshr_ports.h for one):
 *
 *     #define LIST(X) X(dir, kind, name, max_bits, width, qualifier) ...
 *
 *   dir        IN, OUT (used by the system) or OBS (an output for observation only, computed only
 *              if a probe is attached to the block)
 *   kind       N: at most 64 bits, a uint64_t field; W: wider, an array of uint32_t, least
 *              significant word first
 *   max_bits   the widest the port gets at any parameter point that the Verilog takes
 *   width      its width in bits at the parameters `p` (const struct block_params *), at least 1
 *   qualifier  expression over `in` and `out` that is true when the port means something; ALWAYS
 *              for every cycle. An output is compared exactly when its qualifier is true, and the
 *              qualifier is taken from the model's values. An input gets noise, in Icarus X, when
 *              its qualifier is false: no output that means something and no state may depend on it
 *
 * The in and out structs, the port table, the Verilator shim, the comparer, the vector files and
 * the Icarus bench all come from this list.
 *
 * A block runs in two phases a cycle: `eval` (and `observe`) is combinational and changes nothing,
 * `tick` is the clock edge. Every module has a `clk` and an active-high synchronous `rst`; rst is
 * the first port of the list, clk is not in it.
 */
#ifndef MEMTWIN_BLOCK_BLOCK_H
#define MEMTWIN_BLOCK_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define BLOCK_MAX_PARAMS 16
#define BLOCK_NAME_MAX 48

/* Parameter values in the order of the block's parameter table. */
struct block_params {
    int64_t v[BLOCK_MAX_PARAMS];
    uint32_t given; /* bit i: v[i] was set explicitly, not derived from other parameters */
};

struct param_desc {
    const char *name;      /* as in the Verilog */
    int64_t def, min, max; /* the range is the Verilog's */
    const char *doc;       /* one line, with the unit */
};

enum port_dir { PORT_IN, PORT_OUT, PORT_OBS };

struct port_desc {
    const char *name;
    enum port_dir dir;
    unsigned max_bits;
    size_t offset; /* in the in struct (PORT_IN) or the out struct (PORT_OUT, PORT_OBS) */
    unsigned (*width)(const struct block_params *p);
    bool (*qualified)(const void *in, const void *out);
    const char *qualifier; /* its text in the port list */
};

/* One kind of block. All instances of it share this constant. */
struct block_type {
    const char *name; /* room name, also the Verilog module's name */
    const struct param_desc *params;
    unsigned n_params;
    /* Per parameter: the model's maximum if it is above the Verilog's range, else 0. NULL if no
     * parameter has one. */
    const int64_t *model_max;
    const struct port_desc *ports;
    unsigned n_ports;
    size_t in_size, out_size;
    /* Some inputs (the port list says which) matter to the tick alone: no output depends on them,
     * and a system may set them between block_eval and block_tick. */
    bool late;
    /* Derives parameters that were not given from the others. NULL if there are none. */
    void (*derive)(struct block_params *p);
    /* Checks rules between range-checked parameters. Returns NULL if they are legal, else a static
     * error text. */
    const char *(*illegal)(const struct block_params *p);
    /* Creates a model in power-up state (drive rst for a cycle to reset it). The caller owns it. */
    void *(*create)(const struct block_params *p);
    void (*destroy)(void *model);
    /* Combinational: writes the PORT_OUT fields of *out. Narrow fields whose qualifier is false are
     * 0, wide ones may be left as they are. */
    void (*eval)(const void *model, const void *in, void *out);
    /* Combinational, after eval: writes all PORT_OBS fields of *out. May also write PORT_OUT fields
     * that no part of the system reads. */
    void (*observe)(const void *model, const void *in, void *out);
    /* The clock edge with these inputs. */
    void (*tick)(void *model, const void *in);
    /* eval and tick of one cycle in one call, which shares their work. May be NULL. */
    void (*step)(void *model, const void *in, void *out);
};

struct block_inst;

/* Observer of an instance (a Verilog twin, a recorder, or both): tb/harness. */
struct block_probe {
    /* After the model's eval of a cycle; may replace *out (drive mode). */
    void (*eval)(struct block_probe *probe, const struct block_inst *inst, const void *in,
                 void *out);
    /* After the model's tick of a cycle. */
    void (*tick)(struct block_probe *probe, const struct block_inst *inst, const void *in);
};

/* One instance in a running system, for example "l2.3.mshr". */
struct block_inst {
    const struct block_type *type;
    void *model;               /* owned */
    struct block_probe *probe; /* not owned; NULL if no probe is attached (no overhead) */
    struct block_params params;
    char name[BLOCK_NAME_MAX];
};

/* Creates the model. Checks the parameters against the model's ranges. Returns 0, or -1 with one
 * line in err. */
int block_inst_init(struct block_inst *inst, const struct block_type *type,
                    const struct block_params *params, const char *name, char *err,
                    size_t err_size);
void block_inst_free(struct block_inst *inst);

/* Computes the outputs for the inputs. Call it exactly once per cycle, before block_tick. */
static inline void block_eval(struct block_inst *inst, const void *in, void *out) {
    inst->type->eval(inst->model, in, out);
    if (inst->probe)
        inst->probe->eval(inst->probe, inst, in, out);
}

/* The clock edge. `in` must be that of block_eval, except late inputs. */
static inline void block_tick(struct block_inst *inst, const void *in) {
    inst->type->tick(inst->model, in);
    if (inst->probe)
        inst->probe->tick(inst->probe, inst, in);
}

/* A whole cycle: block_eval, then block_tick. */
static inline void block_step(struct block_inst *inst, const void *in, void *out) {
    if (inst->type->step && !inst->probe) {
        inst->type->step(inst->model, in, out);
        return;
    }
    block_eval(inst, in, out);
    block_tick(inst, in);
}

/* Table of all twinned block types, ended by NULL: one line in cmodel/blocks.def each. */
extern const struct block_type *const block_types[];
const struct block_type *block_find(const char *name); /* NULL if there is none */
/* False for a model without Verilog: it is in no list, and the harness cannot attach to it. */
bool block_has_twin(const struct block_type *type);

/* Sets all parameters to their defaults. */
void block_params_default(const struct block_type *type, struct block_params *p);
/* Sets one NAME=VALUE. Returns 0, or -1 with one line in err (unknown name, not a number, outside
 * the Verilog's range). */
int block_params_set(const struct block_type *type, struct block_params *p, const char *assignment,
                     char *err, size_t err_size);
/* Checks ranges and legality of all parameters against the Verilog. Returns 0, or -1 with one line
 * in err. */
int block_params_check(const struct block_type *type, const struct block_params *p, char *err,
                       size_t err_size);
/* "NAME=VALUE NAME=VALUE ..." in table order. Returns the length as snprintf does. */
int block_params_print(const struct block_type *type, const struct block_params *p, char *buf,
                       size_t size);

/* ---- Making structs and tables from a port list ---- */

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

/* Members of the in struct and of the out struct of a port list. The narrow ones come first, so
 * that they share few cache lines of the host. */
#define BLOCK_IN_MEMBERS(PORTS) PORTS(BLOCK_IN_NARROW) PORTS(BLOCK_IN_WIDE)
#define BLOCK_OUT_MEMBERS(PORTS) PORTS(BLOCK_OUT_NARROW) PORTS(BLOCK_OUT_WIDE)

/* Width and qualifier functions, then the table, for a C file that has defined BLOCK_IN_T and
 * BLOCK_OUT_T as the two struct types. */
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
