/* SPDX-License-Identifier: Apache-2.0 */
/* The golden model behind all MSHR blocks.
 *
 * A pool of slot sets, of which the first `heads_only` may only be heads of super-entries; the
 * others may also be attached behind one, or from `heads` on only be attached. With all of them
 * heads-only nothing is ever linked, and
 * the model is the conventional, explicitly addressed MSHR, or with `word` the implicitly addressed
 * one; otherwise it is the DL-MSHR of Gu and Chen (ICS 2019, sections 4.3 to 4.6). Ports and
 * cycles: docs/understand/dl_mshr.md. How the RTL finds the tail (pointer or ring) does not show at
 * its ports, so it does not show here; only the walk does.
 */
#ifndef MEMTWIN_MSHR_MSHR_CORE_H
#define MEMTWIN_MSHR_MSHR_CORE_H

#include "mshr/mshr_ports.h"

#define MSHR_CORE_MAX_SETS 16384

struct mshr_core_geometry {
    unsigned sets;       /* 2..MSHR_CORE_MAX_SETS */
    unsigned slots;      /* per set, 1..MSHR_MAX_SLOTS */
    unsigned word;       /* 0, or bytes: an entry takes each word of its line once */
    unsigned data_w;     /* write data bits per slot, 0 or a multiple of 8 */
    unsigned payload_w;  /* payload bits per slot */
    bool addr_out;       /* rsp_addr tells the block address; else it is 0 */
    unsigned heads_only; /* sets 0..heads_only-1 are never attached */
    unsigned heads;      /* sets 0..heads-1 can be heads; at least heads_only */
    bool looks;          /* a request is for the address of the last lookup, not for req_addr */
    bool walk;           /* the tail is found by following the links, one set a cycle */
    bool early_free;     /* each set is freed as it empties */
};

struct mshr_core;

/* In power-up state; drive rst for a cycle. The caller owns it. */
struct mshr_core *mshr_core_create(const struct mshr_core_geometry *g);
void mshr_core_destroy(void *core);

/* The functions of a block_type, for struct mshr_in and struct mshr_out. Of more than MSHR_MAX_SETS
 * sets the first are observed.
 * rsp_payload, req_slot, rsp_slot and rsp_addr come from observe: no cache of the system reads
 * them, and none pays for them. */
void mshr_core_eval(const void *core, const void *in, void *out);
void mshr_core_observe(const void *core, const void *in, void *out);
void mshr_core_tick(void *core, const void *in);
void mshr_core_step(void *core, const void *in, void *out);

/* The rows that every MSHR's block_type has: what its model is. */
#define MSHR_CORE_FUNCTIONS                                                                        \
    .in_size = sizeof(struct mshr_in), .out_size = sizeof(struct mshr_out), .late = true,          \
    .destroy = mshr_core_destroy, .eval = mshr_core_eval, .observe = mshr_core_observe,            \
    .tick = mshr_core_tick, .step = mshr_core_step

/* Table of the ports of every MSHR block. */
#define MSHR_COUNT_PORT(...) +1
enum { MSHR_N_PORTS = 0 MSHR_PORTS(MSHR_COUNT_PORT) };
extern const struct port_desc mshr_port_table[MSHR_N_PORTS];

/* Rule on DATA_W that both blocks have; NULL if legal. */
const char *mshr_illegal_data_w(int64_t data_w);

/* Rows of the parameter tables after the first two (SETS or ENTRIES, SLOTS). */
#define MSHR_COMMON_PARAMS                                                                         \
    {"ADDR_W", 25, 1, 48, "bits of a block address"},                                              \
        {"OFF_W", 7, 1, 16, "bits of the offset in a block"},                                      \
        {"ID_W", 8, 1, 32, "bits of a requester id"},                                              \
        {"DATA_W", 0, 0, MSHR_MAX_DATA_W, "bits of write data per slot, a multiple of 8, or 0"},   \
        {"PAYLOAD_W", 0, 0, MSHR_MAX_PAYLOAD_W, "bits of payload per slot, or 0"}, {               \
        "ADDR_OUT", 0, 0, 1, "1: rsp_addr is the block address of the response, 0: it is 0"        \
    }

#endif
