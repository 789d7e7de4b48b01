// SPDX-License-Identifier: Apache-2.0
#include "incoming/incoming.h"

#include "lib/bits.h"

void incoming_observe(const void *model, const void *in, void *out_) {
    struct incoming_out *out = out_;
    (void)in;
    out->st_requests = incoming_requests(model);
    out->st_queues = incoming_queues(model);
}

void incoming_bank_init(struct incoming_bank *b, uint64_t mask) {
    unsigned place = 0;
    b->n = 0;
    while (mask) {
        unsigned low = bits_lowest(mask);
        unsigned length = bits_lowest(~(mask >> low));
        uint64_t run = bits_low(length) << low;
        b->run[b->n].mask = run;
        b->run[b->n++].shift = low - place;
        place += length;
        mask &= ~run;
    }
}

const char *incoming_illegal_banks(const struct block_params *p, int64_t banks, int64_t mask) {
    if (!bits_power_of_two((uint64_t)banks))
        return "BANKS must be a power of two";
    if (bits_count((uint64_t)mask) != bits_lowest((uint64_t)banks))
        return "BANK_MASK must have log2(BANKS) bits set";
    if (mask >> p->v[INCOMING_ADDR_W])
        return "BANK_MASK must lie within ADDR_W bits";
    return NULL;
}

#define BLOCK_IN_T struct incoming_in
#define BLOCK_OUT_T struct incoming_out
INCOMING_PORTS(BLOCK_PORT_FUNCTIONS)

const struct port_desc incoming_port_table[INCOMING_N_PORTS] = {INCOMING_PORTS(BLOCK_PORT_ENTRY)};
