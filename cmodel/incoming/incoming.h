/* SPDX-License-Identifier: Apache-2.0 */
/* Declares the parts shared by the blocks in front of an L2 bank: the port table, the offer, the
 * DRAM bank of a line, and the parameter checks. Contract: docs/understand/incoming.md. */
#ifndef MEMTWIN_INCOMING_INCOMING_H
#define MEMTWIN_INCOMING_INCOMING_H

#include "incoming/incoming_ports.h"

/* First member of the struct of each model. The offer depends only on the state. It is computed at
 * the clock edge, and eval only reads it. */
struct incoming {
    uint32_t requests, /* number of requests */
        queues;        /* number of non-empty queues */
    bool valid;  /* true if a request is offered; otherwise the fields below have no meaning */
    uint8_t why; /* enum incoming_why */
    uint32_t id;
    uint64_t addr;
};

/* Each returns the number of requests or of non-empty queues after the last tick (st_requests,
 * st_queues). `model` may be of any of the three block types. */
static inline uint32_t incoming_requests(const void *model) {
    return ((const struct incoming *)model)->requests;
}
static inline uint32_t incoming_queues(const void *model) {
    return ((const struct incoming *)model)->queues;
}

/* Sets all PORT_OUT fields, which are the offer and the response to a fill. `refusal` is ignored
 * if fill_valid is 0. */
static inline void incoming_answer(const struct incoming *m, const struct incoming_in *in,
                                   enum incoming_refusal refusal, struct incoming_out *out) {
    out->fill_ready = in->fill_valid && !refusal;
    out->fill_refuse = in->fill_valid ? refusal : INCOMING_REFUSE_NONE;
    out->drain_valid = m->valid;
    out->drain_addr = m->valid ? m->addr : 0;
    out->drain_id = m->valid ? m->id : 0;
    out->drain_why = m->valid ? m->why : 0;
}

/* Implements block_type.observe for all three block types. */
void incoming_observe(const void *model, const void *in, void *out);

/* Mask of the line-number bits that form the DRAM bank number, split into runs of adjacent bits.
 * The lowest bit of the mask selects bit 0 of the bank number. */
#define INCOMING_MAX_BANK_BITS 6
struct incoming_bank {
    unsigned n; /* number of runs of adjacent bits in the mask */
    struct {
        uint64_t mask;
        unsigned shift; /* right shift of the run to its position in the bank number */
    } run[INCOMING_MAX_BANK_BITS];
};

void incoming_bank_init(struct incoming_bank *b, uint64_t mask);

static inline unsigned incoming_bank_of(const struct incoming_bank *b, uint64_t addr) {
    uint64_t bank = 0;
    for (unsigned i = 0; i < b->n; i++)
        bank |= (addr & b->run[i].mask) >> b->run[i].shift;
    return (unsigned)bank;
}

/* Checks BANKS and BANK_MASK. Returns NULL if they are legal, or else an error message. */
const char *incoming_illegal_banks(const struct block_params *p, int64_t banks, int64_t mask);

/* Fields of struct block_type that all three block types have in common. */
#define INCOMING_COUNT_PORT(...) +1
enum { INCOMING_N_PORTS = 0 INCOMING_PORTS(INCOMING_COUNT_PORT) };
extern const struct port_desc incoming_port_table[INCOMING_N_PORTS];

#define INCOMING_TYPE                                                                              \
    .ports = incoming_port_table, .n_ports = INCOMING_N_PORTS,                                     \
    .in_size = sizeof(struct incoming_in), .out_size = sizeof(struct incoming_out), .late = true,  \
    .observe = incoming_observe

/* First rows of the blocks' parameter tables. */
#define INCOMING_COMMON_PARAMS(depth, max_depth, doc)                                              \
    {"ADDR_W", 21, 1, 48, "width of a line number within the channel"},                            \
        {"ID_W", 24, 1, 32, "request ID width"}, {                                                 \
        "DEPTH", (depth), 1, (max_depth), (doc)                                                    \
    }
#define INCOMING_BANK_PARAMS                                                                       \
    {"BANKS", 16, 2, 64, "number of DRAM banks, a power of two"}, {                                \
        "BANK_MASK", 0x1C2, 1, INT32_MAX, "mask of the line number bits that select the bank"      \
    }
#define INCOMING_HOLD_PARAM                                                                        \
    { "HOLD", 1, 0, 1, "1: an offer stays until it is accepted; 0: a new choice in each cycle" }

#endif
