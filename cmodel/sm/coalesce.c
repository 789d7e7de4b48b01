// SPDX-License-Identifier: Apache-2.0
#include "sm/coalesce.h"

#include <stdio.h>

#include "cache/addr_map.h"
#include "lib/bits.h"
#include "lib/request.h"

#define ADDR_BITS (ADDR_LINE_BITS + LINE_BITS)

#define HALF_WARP UINT32_C(0xffff)

/* Returns the size of a granule in bytes for lanes of `size` bytes. */
static uint8_t granule_of(const struct config *cfg, unsigned size) {
    if (cfg->sm_coalesce == COALESCE_SECTOR)
        return SECTOR_BYTES;
    bool small = cfg->sm_coalesce == COALESCE_SEGMENT && size < LINE_BYTES / WARP_LANES;
    return (uint8_t)(small ? size * WARP_LANES : LINE_BYTES);
}

void coalescer_init(struct coalescer *c, const struct config *cfg, uint32_t sm) {
    c->granule[0] = 0; /* no access has size 0 */
    for (unsigned size = 1; size <= COALESCE_MAX_SIZE; size++)
        c->granule[size] = granule_of(cfg, size);
    c->first_lanes = cfg->sm_coalesce == COALESCE_SEGMENT ? HALF_WARP : UINT32_MAX;
    c->local_line =
        LOCAL_BASE / LINE_BYTES + (uint64_t)sm * (uint64_t)cfg->sm_warps * LOCAL_WINDOW_LINES;
    c->slot_lines = LOCAL_WINDOW_LINES;
    c->word_lines = 1;
    c->cta_slots = 0;
}

/* Line at which interleaved local memory begins: like that of GPGPU-Sim, LOCAL_GENERIC_START, to
 * the maps of partitions, sets and rows. */
static uint64_t interleaved_base(void) {
    const uint64_t period = UINT64_C(24) << 12, theirs = 0x1f880000 / LINE_BYTES;
    return (LOCAL_BASE / LINE_BYTES + period - 1) / period * period + theirs;
}

void coalescer_interleave(struct coalescer *c, uint32_t sm, uint32_t sms, uint32_t warps,
                          uint32_t ctas) {
    c->local_line = interleaved_base() + (uint64_t)sm * warps;
    c->slot_lines = 1;
    c->cta_slots = warps * sms;
    c->word_lines = (uint64_t)warps * ctas * sms;
}

/* ---- legality ---- */

static const char *kind_of(const struct warp_inst *inst) {
    if (inst->op == WARP_ATOMIC)
        return inst->space == SPACE_LOCAL ? "local atomic" : "atomic";
    if (inst->space == SPACE_LOCAL)
        return inst->op == WARP_LOAD ? "local load" : "local store";
    return inst->op == WARP_LOAD ? "load" : "store";
}

static bool size_legal(const struct warp_inst *inst) {
    if (inst->op == WARP_ATOMIC)
        return (inst->size == 4 || inst->size == 8) && inst->space == SPACE_GLOBAL;
    const unsigned most = inst->space == SPACE_LOCAL ? COALESCE_MAX_LOCAL_SIZE : COALESCE_MAX_SIZE;
    return bits_power_of_two(inst->size) && inst->size <= most;
}

/* Returns the error in a lane's address, or NULL if there is none. */
static const char *address_fault(const struct warp_inst *inst, uint64_t addr) {
    if (addr & (inst->size - 1u))
        return "is not aligned to its size";
    if (inst->space == SPACE_LOCAL)
        return addr >= LOCAL_BYTES ? "is beyond the 512 KiB of a thread" : NULL;
    if (addr >> ADDR_BITS)
        return "is above 47 bits";
    return addr >= LOCAL_BASE && addr < LOCAL_END ? "lies in the region of local memory" : NULL;
}

static bool addresses_legal(const struct warp_inst *inst, struct error *why) {
    for (uint32_t left = inst->mask; left; left &= left - 1) {
        uint64_t addr = inst->addr[bits_lowest(left)];
        const char *fault = address_fault(inst, addr);
        if (!fault)
            continue;
        error_set(why, "address 0x%llx of a %u B %s %s", (unsigned long long)addr,
                  (unsigned)inst->size, kind_of(inst), fault);
        return false;
    }
    return true;
}

bool coalesce_legal(const struct warp_inst *inst, struct error *why) {
    if (!size_legal(inst) || !inst->mask) {
        error_set(why, "%s of %u bytes by lanes 0x%x is illegal", kind_of(inst),
                  (unsigned)inst->size, (unsigned)inst->mask);
        return false;
    }
    uint64_t all = 0;
    bool local = false; /* true if an address is in the region of local memory */
    for (uint32_t left = inst->mask; left; left &= left - 1) {
        const uint64_t addr = inst->addr[bits_lowest(left)];
        all |= addr;
        local |= addr - LOCAL_BASE < LOCAL_END - LOCAL_BASE;
    }
    const bool inside =
        inst->space == SPACE_LOCAL ? all < LOCAL_BYTES : !(all >> ADDR_BITS) && !local;
    if (inside && !(all & (inst->size - 1u)))
        return true;
    return addresses_legal(inst, why);
}

/* ---- accesses ---- */

struct making {
    struct coalesced *to;
    uint32_t n;
    uint64_t granule; /* size of a granule in bytes */
};

static struct making making_of(const struct coalescer *c, const struct warp_inst *inst,
                               struct coalesced *to) {
    return (struct making){to, 0, c->granule[inst->size]};
}

static uint64_t granule_at(const struct making *m, uint64_t addr) {
    return addr & ~(m->granule - 1);
}

static void open_access(struct making *m, uint64_t granule, const struct byte_mask *mask) {
    m->to[m->n++] = (struct coalesced){granule, *mask};
}

/* Adds the n bytes (at most 32) of one lane of a load or store. */
static inline void add_bytes(struct making *m, uint64_t addr, unsigned n) {
    uint64_t granule = granule_at(m, addr);
    uint32_t i = m->n;
    while (i > 0 && m->to[i - 1].granule != granule)
        i--;
    if (i == 0) {
        i = ++m->n;
        m->to[i - 1] = (struct coalesced){granule, {{0, 0}}};
    }
    /* The bytes are aligned, so they do not cross the middle of the line. */
    unsigned byte = addr % LINE_BYTES;
    m->to[i - 1].mask.w[byte / 64] |= bits_low(n) << byte % 64;
}

/* Adds the n bytes of one lane of an atomic to the first access, from index `from` on, in which
 * they are free, or to a new access. */
static void add_atomic(struct making *m, uint32_t from, uint64_t addr, unsigned n) {
    uint64_t granule = granule_at(m, addr);
    struct byte_mask mask = mask_range(addr % LINE_BYTES, n);
    for (uint32_t i = from; i < m->n; i++) {
        struct coalesced *a = &m->to[i];
        if (a->granule != granule || (a->mask.w[0] & mask.w[0]) || (a->mask.w[1] & mask.w[1]))
            continue;
        mask_add(&a->mask, &mask);
        return;
    }
    open_access(m, granule, &mask);
}

/* Adds the given lanes of an atomic. They share no access with the lanes of earlier calls. */
static void add_atomics(struct making *m, const struct warp_inst *inst, uint32_t lanes) {
    const uint32_t from = m->n;
    for (; lanes; lanes &= lanes - 1)
        add_atomic(m, from, inst->addr[bits_lowest(lanes)], inst->size);
}

/* Adds the bytes of one lane of a local load or store. `first` is the line of the slot's first
 * word. */
static void add_local(const struct coalescer *c, struct making *m, uint64_t first, unsigned lane,
                      uint64_t addr, unsigned size) {
    for (uint64_t word = addr; word < addr + size; word += LOCAL_WORD)
        add_bytes(m,
                  (first + word / LOCAL_WORD * c->word_lines) * LINE_BYTES + lane * LOCAL_WORD +
                      word % LOCAL_WORD,
                  size < LOCAL_WORD ? size : LOCAL_WORD);
}

/* Adds n bytes that begin at addr, with one access per granule. */
static void add_range(struct making *m, uint64_t addr, unsigned n) {
    while (n) {
        unsigned here = (unsigned)(granule_at(m, addr) + m->granule - addr);
        here = here < n ? here : n;
        struct byte_mask mask = mask_range(addr % LINE_BYTES, here);
        open_access(m, granule_at(m, addr), &mask);
        addr += here;
        n -= here;
    }
}

/* True if a run of lanes of `size` bytes that begins at this address avoids local memory and stays
 * within 47 bits. */
static bool run_legal(uint64_t first, unsigned size) {
    const uint64_t run = WARP_LANES * size, end = UINT64_C(1) << ADDR_BITS;
    return first <= LOCAL_BASE - run || (first >= LOCAL_END && first <= end - run);
}

uint32_t coalesce_even(const struct coalescer *c, const struct warp_inst *inst,
                       struct coalesced to[COALESCE_MAX]) {
    uint64_t first = inst->addr[0], step = inst->addr[1] - first, off = 0, want = first;
    if (inst->mask != UINT32_MAX || inst->op == WARP_ATOMIC || inst->space != SPACE_GLOBAL ||
        (step != 0 && step != inst->size) || !run_legal(first, inst->size) || !size_legal(inst) ||
        (first & (inst->size - 1u)))
        return 0;
    for (unsigned lane = 0; !inst->even && lane < WARP_LANES; lane++, want += step)
        off |= inst->addr[lane] ^ want;
    if (off)
        return 0;
    struct making m = making_of(c, inst, to);
    add_range(&m, first, step ? WARP_LANES * inst->size : inst->size);
    return m.n;
}

uint32_t coalesce(const struct coalescer *c, const struct warp_inst *inst, uint32_t slot,
                  struct coalesced to[COALESCE_MAX]) {
    struct making m = making_of(c, inst, to);
    if (inst->op == WARP_ATOMIC) {
        add_atomics(&m, inst, inst->mask & c->first_lanes);
        add_atomics(&m, inst, inst->mask & ~c->first_lanes);
        return m.n;
    }
    bool local = inst->space == SPACE_LOCAL;
    uint64_t first = c->local_line + slot * c->slot_lines;
    for (uint32_t left = inst->mask; left; left &= left - 1) {
        unsigned lane = bits_lowest(left);
        if (local)
            add_local(c, &m, first, lane, inst->addr[lane], inst->size);
        else
            add_bytes(&m, inst->addr[lane], inst->size);
    }
    return m.n;
}
