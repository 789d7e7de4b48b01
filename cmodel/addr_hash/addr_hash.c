// SPDX-License-Identifier: Apache-2.0
#include "addr_hash/addr_hash_ports.h"

#include <stdlib.h>

#include "cache/addr_map.h"
#include "lib/alloc.h"

/* An access in the pipeline. */
struct addr_hash_stage {
    bool valid;
    uint64_t line;
};

struct addr_hash {
    struct addr_map map;
    enum set_index index;
    uint32_t sets;
    unsigned latency;
    struct addr_hash_stage stage[ADDR_HASH_MAX_LATENCY]; /* newest access first */
};

/* ---- Parameters ---- */

static const struct param_desc params[ADDR_HASH_N_PARAMS] = {
    {"ADDR_W", 40, 1, 48, "line number width"},
    {"SETS", 32, 1, 4096, "number of L1D sets, a power of two"},
    {"INDEX", SET_BXOR, SET_BMOD, SET_IPOLY_SUM,
     "set-index function of the L1D: 0 bmod, 1 bxor, 2 fermi, 3 xor, 4 pmod, 5 a_prime, "
     "6 d_prime, 7 ipoly, 8 ipoly_sum"},
    {"PARTITIONS", 16, 1, 256, "number of memory partitions"},
    {"MAP", PARTITION_MODULO, PARTITION_MODULO, PARTITION_IPOLY,
     "partition map: 0 modulo, 1 xor, 2 xor_next, 3 prime, 4 a_prime, 5 d_prime, 6 ipoly"},
    {"INTERLEAVE", 1, 0, 10, "log2 of the consecutive lines mapped to one partition"},
    {"LATENCY", 1, 1, ADDR_HASH_MAX_LATENCY, "latency from an access to its outputs, in cycles"},
};

/* Returns an error message if set_index_needs() does not allow this number of sets for function f,
 * otherwise NULL. The message is from `why` or, if `why` has none, the text of set_index_needs().
 */
static const char *illegal_index(enum set_index f, uint32_t sets) {
    static const char *const why[SET_IPOLY_SUM + 1] = {
        [SET_FERMI] = "INDEX=2 (fermi) needs SETS=32 or SETS=64",
        [SET_PMOD] = "INDEX=4 (pmod) needs SETS from 4 to 4096",
        [SET_A_PRIME] = "INDEX=5 (a_prime) needs SETS from 4 to 4096",
        [SET_IPOLY] = "INDEX=7 (ipoly) needs SETS from 8 to 4096",
    };
    const char *needs = set_index_needs(f, sets);
    return needs && why[f] ? why[f] : needs;
}

static const char *illegal_map(enum partition_map map, uint32_t partitions) {
    static const char *const why[PARTITION_IPOLY + 1] = {
        [PARTITION_XOR] = "MAP=1 (xor) needs PARTITIONS to be a power of two",
        [PARTITION_XOR_NEXT] = "MAP=2 (xor_next) needs PARTITIONS to be a power of two",
        [PARTITION_PRIME] = "MAP=3 (prime) needs PARTITIONS of at least 2",
        [PARTITION_A_PRIME] = "MAP=4 (a_prime) needs PARTITIONS=2, 4, 16 or 64",
        [PARTITION_D_PRIME] = "MAP=5 (d_prime) needs PARTITIONS to be a power of two",
        [PARTITION_IPOLY] = "MAP=6 (ipoly) needs PARTITIONS=8, 16, 32 or 64",
    };
    const char *needs = addr_map_needs(map, partitions);
    return needs && why[map] ? why[map] : needs;
}

static const char *find_illegal(const struct block_params *p) {
    uint32_t sets = (uint32_t)p->v[ADDR_HASH_SETS];
    if (!bits_power_of_two(sets))
        return "SETS must be a power of two";
    const char *why = illegal_index((enum set_index)p->v[ADDR_HASH_INDEX], sets);
    return why ? why
               : illegal_map((enum partition_map)p->v[ADDR_HASH_MAP],
                             (uint32_t)p->v[ADDR_HASH_PARTITIONS]);
}

/* ---- Creation ---- */

static void *create_addr_hash(const struct block_params *p) {
    struct addr_hash *m = alloc_zeroed(1, sizeof *m);
    m->map = addr_map_fixed((enum partition_map)p->v[ADDR_HASH_MAP],
                            (uint32_t)p->v[ADDR_HASH_PARTITIONS],
                            UINT32_C(1) << p->v[ADDR_HASH_INTERLEAVE]);
    m->index = (enum set_index)p->v[ADDR_HASH_INDEX];
    m->sets = (uint32_t)p->v[ADDR_HASH_SETS];
    m->latency = (unsigned)p->v[ADDR_HASH_LATENCY];
    return m;
}

/* ---- Outputs ---- */

static void eval_addr_hash(const void *model, const void *in, void *out_) {
    const struct addr_hash *m = model;
    const struct addr_hash_stage *last = &m->stage[m->latency - 1];
    struct addr_hash_out *out = out_;
    (void)in;
    *out = (struct addr_hash_out){.out_valid = last->valid};
    if (!last->valid)
        return;
    out->out_set = addr_set(m->index, last->line, m->sets);
    out->out_part = addr_partition(&m->map, last->line);
    out->out_rest = addr_rest(&m->map, last->line);
}

static void observe_addr_hash(const void *model, const void *in, void *out) {
    (void)model;
    (void)in;
    (void)out;
}

/* ---- The clock edge ---- */

static void tick_addr_hash(void *model, const void *in_) {
    struct addr_hash *m = model;
    const struct addr_hash_in *in = in_;
    m->stage[1] = m->stage[0];
    m->stage[0] = (struct addr_hash_stage){in->acc_valid, in->acc_line};
    if (in->rst)
        m->stage[0].valid = m->stage[1].valid = false;
}

uint64_t addr_hash_next_event(const void *model) {
    const struct addr_hash *m = model;
    bool busy = m->stage[0].valid || m->stage[m->latency - 1].valid;
    return busy ? 0 : UINT64_MAX;
}

ADDR_HASH_PORTS(BLOCK_PORT_FUNCTIONS)

static const struct port_desc ports[] = {ADDR_HASH_PORTS(BLOCK_PORT_ENTRY)};

const struct block_type addr_hash_type = {
    .name = "addr_hash",
    .params = params,
    .n_params = ADDR_HASH_N_PARAMS,
    .ports = ports,
    .n_ports = sizeof ports / sizeof *ports,
    .in_size = sizeof(struct addr_hash_in),
    .out_size = sizeof(struct addr_hash_out),
    .late = true,
    .illegal = find_illegal,
    .create = create_addr_hash,
    .destroy = free,
    .eval = eval_addr_hash,
    .observe = observe_addr_hash,
    .tick = tick_addr_hash,
};
