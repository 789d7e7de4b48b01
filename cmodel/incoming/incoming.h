/* SPDX-License-Identifier: Apache-2.0 */
/* What the blocks before an L2 bank share: the port table, the offer, the bank of a line, rules
 * between parameters. Contract: docs/understand/incoming.md. */
#ifndef MEMTWIN_INCOMING_INCOMING_H
#define MEMTWIN_INCOMING_INCOMING_H

#include "incoming/incoming_ports.h"

/* First member of every model. The offer is a function of the state, so it is made by the clock
 * edge and only read by eval. */
struct incoming {
    uint32_t requests, queues; /* held; with at least one */
    bool valid;                /* a request is offered; the rest means something only then */
    uint8_t why;               /* enum incoming_why */
    uint32_t id;
    uint64_t addr;
};

/* Of a model of any of the three types: requests held and queues with at least one, as st_requests
 * and st_queues have them, after the last tick. */
static inline uint32_t incoming_requests(const void *model) {
    return ((const struct incoming *)model)->requests;
}
static inline uint32_t incoming_queues(const void *model) {
    return ((const struct incoming *)model)->queues;
}

/* All PORT_OUT fields: the offer, and the answer to a fill (refusal: ignored without fill_valid).
 */
static inline void incoming_answer(const struct incoming *m, const struct incoming_in *in,
                                   enum incoming_refusal refusal, struct incoming_out *out) {
    out->fill_ready = in->fill_valid && !refusal;
    out->fill_refuse = in->fill_valid ? refusal : INCOMING_REFUSE_NONE;
    out->drain_valid = m->valid;
    out->drain_addr = m->valid ? m->addr : 0;
    out->drain_id = m->valid ? m->id : 0;
    out->drain_why = m->valid ? m->why : 0;
}

/* block_type.observe of all three. */
void incoming_observe(const void *model, const void *in, void *out);

/* The bank of a line: bits of a mask, made a number. */
#define INCOMING_MAX_BANK_BITS 6
struct incoming_bank {
    unsigned n; /* runs of neighbouring bits in the mask */
    struct {
        uint64_t mask;
        unsigned shift; /* to the right, to their place in the number */
    } run[INCOMING_MAX_BANK_BITS];
};

void incoming_bank_init(struct incoming_bank *b, uint64_t mask);

static inline unsigned incoming_bank_of(const struct incoming_bank *b, uint64_t addr) {
    uint64_t bank = 0;
    for (unsigned i = 0; i < b->n; i++)
        bank |= (addr & b->run[i].mask) >> b->run[i].shift;
    return (unsigned)bank;
}

/* Rules on BANKS and BANK_MASK. NULL if legal, else why not. */
const char *incoming_illegal_banks(const struct block_params *p, int64_t banks, int64_t mask);

/* The rows that each of the types has. */
#define INCOMING_COUNT_PORT(...) +1
enum { INCOMING_N_PORTS = 0 INCOMING_PORTS(INCOMING_COUNT_PORT) };
extern const struct port_desc incoming_port_table[INCOMING_N_PORTS];

#define INCOMING_TYPE                                                                              \
    .ports = incoming_port_table, .n_ports = INCOMING_N_PORTS,                                     \
    .in_size = sizeof(struct incoming_in), .out_size = sizeof(struct incoming_out), .late = true,  \
    .observe = incoming_observe

/* The first rows of the parameter tables. */
#define INCOMING_COMMON_PARAMS(depth, max_depth, doc)                                              \
    {"ADDR_W", 21, 1, 48, "bits of a line number within the DRAM channel"},                        \
        {"ID_W", 24, 1, 32, "bits of a request ID"}, {                                             \
        "DEPTH", (depth), 1, (max_depth), (doc)                                                    \
    }
#define INCOMING_BANK_PARAMS                                                                       \
    {"BANKS", 16, 2, 64, "DRAM banks, a power of two"}, {                                          \
        "BANK_MASK", 0x1C2, 1, INT32_MAX, "bits of the line number that are the bank"              \
    }
#define INCOMING_HOLD_PARAM                                                                        \
    { "HOLD", 1, 0, 1, "1: an offer stays until it is taken; 0: a new choice in each cycle" }

#endif
