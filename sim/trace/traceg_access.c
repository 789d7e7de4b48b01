// SPDX-License-Identifier: Apache-2.0
#include "trace/traceg_private.h"

#include "trace/scan.h"

static int read_hex(struct traceg *t, const char **p, uint64_t *v) {
    scan_spaces(p);
    const char *from = *p;
    if (!scan_hex(p, v) || !scan_field_end(*p))
        return traceg_fail_at(t, from, "expected a hexadecimal address");
    return 0;
}

static int read_step(struct traceg *t, const char **p, int64_t *v) {
    scan_spaces(p);
    const char *from = *p;
    if (!scan_signed(p, v) || !scan_field_end(*p))
        return traceg_fail_at(t, from, "expected a decimal distance");
    return 0;
}

static int read_list(struct traceg *t, const char **p, struct trace_access *a) {
    for (uint32_t i = 0; i < a->n; i++)
        if (read_hex(t, p, &a->addr[i]) != 0)
            return -1;
    return 0;
}

/* Computes all addresses of an access whose `even` is true, and clears `even`. */
static void spread_addresses(struct trace_access *a) {
    for (uint32_t i = 1; a->even && i < a->n; i++)
        a->addr[i] = a->addr[0] + (uint64_t)a->stride * i;
    a->even = false;
}

static int read_stride(struct traceg *t, const char **p, struct trace_access *a) {
    const uint32_t run = a->mask ? a->mask / (a->mask & -a->mask) : 0;
    if (read_hex(t, p, &a->addr[0]) != 0 || read_step(t, p, &a->stride) != 0)
        return -1;
    if (run & (run + 1))
        return traceg_fail(t, "address mode 1 with mask %08x, which is not a single run of lanes",
                           a->mask);
    a->even = true;
    return 0;
}

static int read_deltas(struct traceg *t, const char **p, struct trace_access *a) {
    uint64_t addr;
    if (read_hex(t, p, &addr) != 0)
        return -1;
    for (uint32_t i = 0; i < a->n; i++) {
        int64_t delta = 0;
        if (i > 0 && read_step(t, p, &delta) != 0)
            return -1;
        addr += (uint64_t)delta;
        a->addr[i] = addr;
    }
    return 0;
}

/* Reads a number and the spaces behind it. */
static bool read_field(const char **p, uint64_t *v, unsigned base) {
    scan_spaces(p);
    const bool good = (base == 16 ? scan_hex(p, v) : scan_decimal(p, v)) && scan_field_end(*p);
    scan_spaces(p);
    return good;
}

int traceg_read_addresses(struct traceg *t, const char **p, struct trace_access *a) {
    scan_spaces(p);
    char mode = **p;
    a->even = false;
    if (mode < '0' || mode > '2' || !scan_field_end(*p + 1))
        return traceg_fail_at(t, *p, "expected an address mode, 0, 1 or 2");
    ++*p;
    if (mode == '0')
        return read_list(t, p, a);
    return mode == '1' ? read_stride(t, p, a) : read_deltas(t, p, a);
}

/* Reads the addresses of a bulk copy, of which mode 3 has a list, mode 4 a base and differences.
 * Sets *n to their number. */
static int read_bulk_addresses(struct traceg *t, const char **p, uint64_t *n) {
    uint64_t v;
    int64_t difference;
    const char *from = *p, mode = **p;
    *n = 0;
    if ((mode != '3' && mode != '4') || !scan_field_end(*p + 1))
        return traceg_fail_at(t, from, "expected the address mode of a bulk copy, 3 or 4");
    ++*p;
    bool good = mode == '3' || read_field(p, &v, 16);
    good = good && read_field(p, n, 10) && *n <= TRACE_LINE_MAX;
    for (uint64_t i = mode == '4'; good && i < *n; i++) {
        scan_spaces(p);
        good = mode == '3' ? scan_hex(p, &v) : scan_signed(p, &difference);
        good = good && scan_field_end(*p);
    }
    return good ? 0 : traceg_fail_at(t, from, "expected the addresses of a bulk copy");
}

/* Reads the fields that tracer version 6 writes before the addresses of a bulk copy. */
static int read_bulk_fields(struct traceg *t, const char **p) {
    uint64_t barrier, cast = 0, lanes, outside;
    const char *from = *p;
    if (read_field(p, &barrier, 16) && read_field(p, &cast, 10) &&
        (!cast || read_field(p, &lanes, 16)) && read_field(p, &t->bulk_bytes, 10) &&
        read_field(p, &outside, 10))
        return 0;
    return traceg_fail_at(t, from, "expected barrier, multicast and bytes of a bulk copy");
}

int traceg_read_bulk(struct traceg *t, const char **p, uint32_t width, struct trace_access *a) {
    uint64_t n;
    scan_spaces(p);
    if (t->header.version >= 6)
        return read_bulk_fields(t, p) || read_bulk_addresses(t, p, &n) ? -1 : 0;
    const bool listed = width && (**p == '3' || **p == '4') && scan_field_end(*p + 1);
    if (listed ? read_bulk_addresses(t, p, &n) : width ? traceg_read_addresses(t, p, a) : 0)
        return -1;
    t->bulk_bytes = width * (listed ? n : a->n);
    return 0;
}

static bool in_window(uint64_t addr, uint64_t base) {
    return base && addr - base < TRACE_WINDOW_BYTES;
}

static bool is_shared(const struct traceg *t, const struct opcode *o, uint64_t addr) {
    if (o->space == OPCODE_SHARED)
        return true;
    bool in = in_window(addr, t->header.shared_base);
    if (o->space == OPCODE_ASYNC)
        return in || addr < TRACE_WINDOW_BYTES;
    return o->space == OPCODE_GENERIC && in;
}

static bool is_local(const struct traceg *t, const struct opcode *o, uint64_t addr) {
    if (o->space == OPCODE_LOCAL)
        return true;
    return o->space == OPCODE_GENERIC && o->op != WARP_ATOMIC &&
           in_window(addr, t->header.local_base);
}

static enum code_use use_of(const struct traceg *t, const struct opcode *o, uint64_t addr) {
    return is_shared(t, o, addr) ? USE_SHARED : is_local(t, o, addr) ? USE_LOCAL : USE_OP;
}

bool traceg_is_access(const struct traceg *t, const struct opcode *o, struct trace_access *a) {
    if (o->odd != ODD_UNKNOWN)
        return true;
    spread_addresses(a);
    for (uint32_t i = 0; i < a->n; i++)
        if (a->addr[i] >> TRACE_ADDRESS_BITS || is_local(t, o, a->addr[i]))
            return false;
    return true;
}

bool traceg_is_mixed(const struct traceg *t, const struct opcode *o, struct trace_access *a) {
    if (o->space != OPCODE_GENERIC)
        return false;
    const enum code_use first = use_of(t, o, a->addr[0]);
    if (a->even) { /* no window fits between lanes that are less than a window apart */
        const int64_t lanes = a->n - 1, near = a->stride == (int32_t)a->stride;
        const int64_t span = near ? a->stride * lanes : 0;
        if (near && (span < 0 ? -span : span) < TRACE_WINDOW_BYTES)
            return use_of(t, o, a->addr[0] + (uint64_t)span) != first;
    }
    spread_addresses(a);
    for (uint32_t i = 1; i < a->n; i++)
        if (use_of(t, o, a->addr[i]) != first)
            return true;
    return false;
}

void traceg_take_lanes(const struct traceg *t, const struct opcode *o, struct trace_access *a,
                       enum code_use use, struct trace_access *part) {
    uint32_t i = 0;
    spread_addresses(a);
    *part = (struct trace_access){0};
    for (uint32_t rest = a->mask; rest; rest &= rest - 1, i++) {
        if (use_of(t, o, a->addr[i]) != use)
            continue;
        part->mask |= rest & -rest;
        part->addr[part->n++] = a->addr[i];
    }
}

/* Folds a local address into the 512 KiB that a thread has at most. Its stack ends at the end of
 * the window of 16 MiB, so its addresses are distinct if they are less than 512 KiB apart. */
static int fold_local(struct traceg *t, uint64_t *addr) {
    t->local_low = *addr < t->local_low ? *addr : t->local_low;
    t->local_high = *addr > t->local_high ? *addr : t->local_high;
    if (t->local_high - t->local_low >= LOCAL_BYTES)
        return traceg_fail(
            t, "local addresses 0x%llx and 0x%llx of the kernel are 512 KiB or more apart",
            (unsigned long long)t->local_low, (unsigned long long)t->local_high);
    *addr %= LOCAL_BYTES;
    return 0;
}

/* Makes local addresses offsets into the memory of a thread. */
static int to_local(struct traceg *t, struct trace_access *a) {
    const uint64_t base = t->header.local_base;
    for (uint32_t i = 0; i < a->n; i++) {
        uint64_t addr = a->addr[i];
        if (in_window(addr, base))
            a->addr[i] = addr - base;
        else if (base == 0)
            a->addr[i] = addr % TRACE_WINDOW_BYTES;
        else if (addr >= TRACE_WINDOW_BYTES)
            return traceg_fail(t, "0x%llx is outside the local window of 16 MiB at 0x%llx",
                               (unsigned long long)addr, (unsigned long long)base);
        if (fold_local(t, &a->addr[i]))
            return -1;
    }
    return 0;
}

static bool aligned(uint64_t addr, uint32_t size) {
    return !(addr & (size - 1));
}

/* Returns true if the addresses of an even access are legal. If the first and the last are legal,
 * so are all others. */
static bool even_good(const struct trace_access *a, uint32_t size) {
    if (!a->even)
        return false;
    const uint64_t last = a->addr[0] + (uint64_t)a->stride * (a->n - 1);
    return a->stride == (int32_t)a->stride && aligned(a->addr[0] | (uint64_t)a->stride, size) &&
           !((a->addr[0] | last) >> TRACE_ADDRESS_BITS);
}

/* Rounds the addresses down to a multiple of `size`, since the machine has only such accesses. */
static void align_addresses(struct traceg *t, struct trace_access *a, uint32_t size) {
    for (uint32_t i = 0; i < a->n; i++)
        a->addr[i] &= ~(uint64_t)(size - 1);
    traceg_note(t, ODD_UNALIGNED);
}

/* Checks the addresses. `size` is the number of bytes per lane, a power of two. */
static int check_addresses(struct traceg *t, struct trace_access *a, uint32_t size) {
    uint64_t all = 0;
    if (even_good(a, size))
        return 0;
    spread_addresses(a);
    for (uint32_t i = 0; i < a->n; i++)
        all |= a->addr[i];
    if (!aligned(all, size))
        align_addresses(t, a, size);
    if (!(all >> TRACE_ADDRESS_BITS))
        return 0;
    uint32_t i = 0;
    while (!(a->addr[i] >> TRACE_ADDRESS_BITS))
        i++;
    return traceg_fail(t, "address 0x%llx has more than 47 bits", (unsigned long long)a->addr[i]);
}

int traceg_locate(struct traceg *t, const struct opcode *o, struct trace_access *a,
                  enum code_use *use) {
    if (o->rounded) {
        spread_addresses(a);
        for (uint32_t i = 0; i < a->n; i++)
            a->addr[i] &= ~(uint64_t)(o->size - 1);
    }
    *use = use_of(t, o, a->addr[0]);
    if (*use != USE_OP)
        spread_addresses(a);
    if (*use == USE_LOCAL && to_local(t, a) != 0)
        return -1;
    return check_addresses(t, a, o->size);
}
