/* SPDX-License-Identifier: Apache-2.0 */
/* Golden model used by all MSHR blocks.
 *
 * The model is a pool of slot sets. The first `heads_only` sets can only be heads of
 * super-entries. The sets from there to `heads` - 1 can be heads or be attached behind a head.
 * The sets from `heads` on can only be attached. If all sets are heads-only, no sets are ever
 * linked, and the model is the conventional, explicitly addressed MSHR. Otherwise it is the
 * DL-MSHR of Gu and Chen (ICS 2019, sections 4.3 to 4.6). Ports and cycles:
 * docs/understand/dl_mshr.md. How the RTL finds the tail (by a pointer or a ring) is not visible
 * at its ports, so only the walk is modeled. */
#ifndef MEMTWIN_MSHR_MSHR_CORE_H
#define MEMTWIN_MSHR_MSHR_CORE_H

#include "mshr/mshr_ports.h"

#define MSHR_CORE_MAX_SETS 16384

struct mshr_core_geometry {
    unsigned sets;       /* number of sets, 1..MSHR_CORE_MAX_SETS */
    unsigned slots;      /* number of slots per set, 1..MSHR_MAX_SLOTS */
    unsigned payload_w;  /* width in bits of a slot's payload */
    bool addr_out;       /* true if ret_addr is the granule's address, false if it is 0 */
    unsigned heads_only; /* number of sets that are never attached: sets 0..heads_only-1 */
    unsigned heads;  /* number of sets that can be heads: sets 0..heads-1; at least heads_only */
    bool looks;      /* true if a request uses the address of the last lookup instead of req_addr */
    bool walk;       /* true if the tail is found by following the links, one set per cycle */
    bool early_free; /* true if each set is freed when it empties */
};

struct mshr_core;

/* Creates a core in its power-up state. The caller owns it. One cycle of rst resets it. */
struct mshr_core *mshr_core_create(const struct mshr_core_geometry *g);
void mshr_core_destroy(void *core);

/* Functions of a block_type, for struct mshr_in and struct mshr_out. Only the first MSHR_MAX_SETS
 * sets are observed. req_slot, rsp_slot, ret_addr, room and empty are computed only by observe,
 * because no cache of the system reads them. */
void mshr_core_eval(const void *core, const void *in, void *out);
void mshr_core_observe(const void *core, const void *in, void *out);
void mshr_core_tick(void *core, const void *in);
void mshr_core_step(void *core, const void *in, void *out);

/* Fields of the block_type of every MSHR. */
#define MSHR_CORE_FUNCTIONS                                                                        \
    .in_size = sizeof(struct mshr_in), .out_size = sizeof(struct mshr_out), .late = true,          \
    .destroy = mshr_core_destroy, .eval = mshr_core_eval, .observe = mshr_core_observe,            \
    .tick = mshr_core_tick, .step = mshr_core_step

/* Rows of the parameter tables after the first two rows (SETS or ENTRIES, and SLOTS). */
#define MSHR_COMMON_PARAMS                                                                         \
    {"ADDR_W", 25, 1, 64, "block address width"}, {                                                \
        "PAYLOAD_W", 16, 0, MSHR_MAX_PAYLOAD_W, "payload bits per slot; 0: none"                   \
    }
#define MSHR_ADDR_OUT_PARAM                                                                        \
    { "ADDR_OUT", 0, 0, 1, "1: ret_addr is the block address of ret_head; 0: it is 0" }

#endif
