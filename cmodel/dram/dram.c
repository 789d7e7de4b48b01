// SPDX-License-Identifier: Apache-2.0
#include "dram/dram.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/request_dump.h"
#include "uvm/uvm.h"

/* Atoms that a request in the front queue will need, stored in its queue entry. */
struct dram_asked {
    uint8_t bits,    /* bit n is 1 if atom n is needed */
        atoms;       /* number of atoms */
    uint16_t writes; /* 1 for a write, otherwise 0 */
};

/* A tag consists of the request's index, a bit that is 1 for a write, and the atom's index in the
 * line. A line has at most 8 atoms. */
#define TAG_ATOM_BITS 3
#define TAG_WRITES (1u << TAG_ATOM_BITS)
#define TAG_REQUEST_SHIFT (TAG_ATOM_BITS + 1)

/* Creates the queues. dram.extra_latency is spent in the queue in front of the device if
 * dram.model=gpgpusim, otherwise in the reply queue. */
static void init_queues(struct dram *d, const struct config *cfg) {
    const bool front = cfg->dram_model == MODEL_GPGPUSIM && d->extra_latency;
    const uint32_t stages = front ? d->extra_latency + 1 : 0;
    const uint32_t places = d->in_flight && stages > d->in_flight ? d->in_flight : stages;
    d->back_latency = front ? 0 : d->extra_latency;
    timed_fifo_init(&d->front, places);
    ring_init(&d->lines, places);
    timed_fifo_init(&d->back, d->back_latency + (uint32_t)cfg->dram_reply_queue);
}

/* Returns the atoms that overlap a sector, one bit each. */
static unsigned atoms_in(const struct dram *d, unsigned sector) {
    const unsigned first = sector * SECTOR_BYTES / d->atom_bytes;
    const unsigned last = ((sector + 1) * SECTOR_BYTES - 1) / d->atom_bytes;
    return (2u << last) - (1u << first);
}

static void init_atoms(struct dram *d) {
    for (unsigned bits = 0; bits <= SECTORS_ALL; bits++) {
        for (unsigned s = 0; s < LINE_SECTORS; s++)
            if (bits >> s & 1)
                d->atoms[bits].bits |= (uint8_t)atoms_in(d, s);
        d->atoms[bits].count = (uint8_t)bits_count(d->atoms[bits].bits);
    }
}

void dram_init(struct dram *d, struct context *context, struct backing *backing,
               const struct config *cfg) {
    const struct gddr5_size size = dram_device(cfg);
    struct error err;
    memset(d, 0, sizeof *d);
    d->context = context;
    d->backing = backing;
    d->atom_bytes = (uint32_t)cfg->dram_atom_bytes;
    init_atoms(d);
    d->extra_latency = (uint32_t)cfg->dram_extra_latency;
    if (cfg->dram_model == MODEL_GPGPUSIM) {
        d->in_flight = (uint32_t)cfg->dram_in_flight;
        d->l2_banks = (uint32_t)cfg->l2_banks;
        /* The L2 sees the channel once per L2 cycle. */
        if (cfg->dram_delay_first)
            d->most_admits =
                (uint32_t)((cfg->clock_dram_mhz + cfg->clock_l2_mhz - 1) / cfg->clock_l2_mhz);
    }
    d->places[0] = size.read_queue;
    d->places[1] = size.write_queue;
    d->banks = size.banks;
    d->device = gddr5_create(&size);
    const int bad =
        dram_layout_parse(&d->layout, cfg->dram_address_map, d->atom_bytes, size.banks, &err);
    assert(bad == 0);
    (void)bad;
    d->next = gddr5_next_event(d->device);
    init_queues(d, cfg);
}

void dram_free(struct dram *d) {
    gddr5_destroy(d->device);
    ring_free(&d->back);
    ring_free(&d->front);
    ring_free(&d->lines);
    free(d->rows);
}

/* Returns the current DRAM cycle. */
static inline uint64_t cycle_of(const struct dram *d) {
    return d->context->dram_cycle;
}

/* ---- requests ---- */

bool dram_can_push(const struct dram *d, uint32_t request) {
    const struct request *p = request_at(&d->context->pool, request);
    const uint32_t atoms = d->atoms[mask_sector_bits(&p->mask)].count;
    return !dram_closed(d) &&
           (d->admits >= atoms || gddr5_room(d->device, request_writes(p)) >= atoms);
}

bool dram_may_push(const struct dram *d, uint32_t request, uint32_t l2_bank) {
    if (!dram_can_push(d, request))
        return false;
    if (!d->l2_banks || !(d->refused & ~(UINT64_C(1) << l2_bank)))
        return true;
    for (uint32_t i = 1; i <= d->l2_banks; i++) {
        const uint32_t next = (d->last + i) % d->l2_banks;
        if (next == l2_bank || d->refused >> next & 1)
            return next == l2_bank;
    }
    return true;
}

/* Pushes the request's atoms into the device. */
static void enter_request(struct dram *d, uint32_t request, struct dram_asked asked,
                          uint64_t local_line, uint64_t now) {
    _Static_assert(REQUEST_POOL_MAX <= GDDR5_NONE >> TAG_REQUEST_SHIFT,
                   "a tag is never GDDR5_NONE");
    const uint32_t tag = request << TAG_REQUEST_SHIFT | (asked.writes ? TAG_WRITES : 0);
    for (unsigned atoms = asked.bits; atoms; atoms &= atoms - 1) {
        unsigned a = (unsigned)__builtin_ctz(atoms);
        const struct dram_place place =
            dram_layout_find(&d->layout, local_line * LINE_BYTES + a * d->atom_bytes);
        const struct gddr5_req req = {place.row, place.bank, place.col, tag | a, asked.writes != 0};
        gddr5_push(d->device, now, &req);
    }
}

static struct dram_asked asked_by(const struct timed_slot *s) {
    struct dram_asked asked;
    _Static_assert(sizeof asked == sizeof s->note, "the room in a slot");
    memcpy(&asked, &s->note, sizeof asked);
    return asked;
}

/* True if the device has room for all atoms of the request at the head of the front queue. */
static bool front_has_room(const struct dram *d) {
    const struct dram_asked asked = asked_by(ring_first(&d->front));
    return gddr5_room(d->device, asked.writes) >= asked.atoms;
}

/* Returns the cycle of the next event: the device's next event or, if it is earlier, the cycle in
 * which the request at the front queue's head can enter the device. */
static uint64_t next_step(const struct dram *d, uint64_t now) {
    const uint64_t next = gddr5_next_event(d->device);
    if (!d->front.count)
        return next;
    uint64_t ready = d->front.ready;
    ready = ready > now ? ready : now + 1;
    return ready < next && front_has_room(d) ? ready : next;
}

void dram_push(struct dram *d, uint32_t request, uint64_t local_line, uint32_t l2_bank) {
    struct request *p = request_at(&d->context->pool, request);
    const uint64_t now = cycle_of(d);
    const unsigned sectors = mask_sector_bits(&p->mask);
    const struct dram_asked asked = {d->atoms[sectors].bits, d->atoms[sectors].count,
                                     request_writes(p)};
    assert(asked.atoms);
    if (d->admits && gddr5_room(d->device, asked.writes) < asked.atoms)
        d->admits -= asked.atoms;
    p->dram = (struct request_dram){asked.atoms, (uint16_t)l2_bank};
    d->inside++;
    d->refused &= ~(UINT64_C(1) << l2_bank);
    d->last = l2_bank;
    if (d->front.capacity) {
        ring_push(&d->lines, local_line);
        struct timed_slot *s = timed_fifo_push(&d->front, request, now + d->extra_latency);
        memcpy(&s->note, &asked, sizeof asked);
    } else {
        enter_request(d, request, asked, local_line, now);
    }
    d->next = next_step(d, now);
    if (d->next < d->context->dram_next)
        d->context->dram_next = d->next;
    d->context->progress++;
}

/* Moves at most one request per cycle from the front queue to the device. */
static void advance_front(struct dram *d, uint64_t now) {
    if (!timed_fifo_ready(&d->front, now) || !front_has_room(d))
        return;
    const struct dram_asked asked = asked_by(ring_first(&d->front));
    enter_request(d, timed_fifo_pop(&d->front), asked, ring_pop(&d->lines), now);
    if (d->most_admits)
        d->admits =
            d->admits + asked.atoms < d->most_admits ? d->admits + asked.atoms : d->most_admits;
    d->context->progress++;
}

/* ---- data ---- */

static void copy_atom(struct dram *d, struct request *p, uint32_t request, unsigned atom) {
    struct byte_mask mask = mask_range(atom * d->atom_bytes, d->atom_bytes);
    uint8_t *data = request_data(&d->context->pool, request);
    if (!request_writes(p)) {
        uint8_t line[LINE_BYTES];
        backing_read(d->backing, p->line, line);
        mask_copy(data, line, &mask);
        return;
    }
    mask.w[0] &= p->mask.w[0];
    mask.w[1] &= p->mask.w[1];
    backing_write(d->backing, p->line, data, &mask);
}

/* Moves the data of an atom after its column command. Completes a write with its last atom. For a
 * read, prefetches the request into the host's cache. */
static void move_atom(struct dram *d, uint32_t tag) {
    uint32_t request = tag >> TAG_REQUEST_SHIFT;
    struct request *p = request_at(&d->context->pool, request);
    d->bytes += d->atom_bytes;
    d->context->progress++;
    if (d->context->uvm)
        uvm_see(d->context->uvm, p->line);
    if (d->context->carry)
        copy_atom(d, p, request, tag & ((1u << TAG_ATOM_BITS) - 1));
    if (!(tag & TAG_WRITES)) {
        request_prefetch(&d->context->pool, request);
        return;
    }
    if (--p->dram.atoms)
        return;
    d->writes++;
    d->inside--;
    if (d->context->uvm)
        uvm_release(d->context->uvm, p->line);
    request_give(&d->context->pool, request);
}

/* Takes a read's atom, whose data are complete, from the device. The last atom is taken only if the
 * reply queue has room. The request then enters that queue. */
static void take_atom(struct dram *d, uint32_t tag, uint64_t now) {
    uint32_t request = tag >> TAG_REQUEST_SHIFT;
    struct request *p = request_at(&d->context->pool, request);
    if (p->dram.atoms == 1 && ring_full(&d->back))
        return;
    gddr5_take(d->device, now);
    d->context->progress++;
    if (--p->dram.atoms)
        return;
    p->reply = true;
    d->reads++;
    d->context->dram_replies++;
    timed_fifo_push(&d->back, request, now + d->back_latency)->note = p->dram.bank;
}

void dram_step(struct dram *d) {
    const uint64_t now = cycle_of(d);
    uint32_t tag = gddr5_done(d->device, now);
    if (tag != GDDR5_NONE)
        take_atom(d, tag, now);
    tag = gddr5_tick(d->device, now);
    if (tag != GDDR5_NONE)
        move_atom(d, tag);
    if (d->front.count)
        advance_front(d, now);
    d->next = next_step(d, now);
}

uint64_t dram_next_event(const struct dram *d) {
    uint64_t next = d->next;
    if (d->back.count) {
        uint64_t ready = d->back.ready;
        next = ready < next ? ready : next;
    }
    return next > cycle_of(d) ? next : cycle_of(d) + 1;
}

struct each {
    void (*fn)(void *ctx, uint32_t request, bool issued);
    void *ctx;
};

static void each_atom(void *ctx, uint32_t tag, bool issued) {
    const struct each *e = ctx;
    e->fn(e->ctx, tag >> TAG_REQUEST_SHIFT, issued);
}

void dram_each(const struct dram *d, void (*fn)(void *ctx, uint32_t request, bool issued),
               void *ctx) {
    struct each each = {fn, ctx};
    for (uint32_t i = 0; i < d->front.count; i++)
        fn(ctx, ring_at(&d->front, i)->request, false);
    gddr5_each(d->device, each_atom, &each);
}

/* ---- statistics ---- */

/* Adds the latencies. Bin n of the device is bucket n + 1, which counts values of n + 1 bits. */
static void add_latencies(const struct gddr5_stats *s, struct stats *to) {
    stat_add(to, STAT_dram_read_latency, s->latency_sum[0]);
    stat_add(to, STAT_dram_write_latency, s->latency_sum[1]);
    for (unsigned b = 0; b < GDDR5_LATENCY_BINS; b++) {
        unsigned k = b + 1 < HIST_BUCKETS ? b + 1 : HIST_BUCKETS - 1;
        to->h[HIST_dram_read_latency_hist][k] += s->latency_bin[0][b];
        to->h[HIST_dram_write_latency_hist][k] += s->latency_bin[1][b];
    }
}

void dram_add_stats(const struct dram *d, struct stats *to) {
    const struct gddr5_stats *s = gddr5_stats(d->device);
    const uint64_t now = cycle_of(d);
    stat_add(to, STAT_dram_reads, d->reads);
    stat_add(to, STAT_dram_writes, d->writes);
    stat_add(to, STAT_dram_bytes, d->bytes);
    stat_add(to, STAT_dram_cycles, now);
    stat_add(to, STAT_dram_busy_cycles, s->busy);
    stat_add(to, STAT_dram_act, s->commands[GDDR5_ACT]);
    stat_add(to, STAT_dram_pre, s->commands[GDDR5_PRE] + s->commands[GDDR5_PREA]);
    stat_add(to, STAT_dram_rd, s->commands[GDDR5_RD]);
    stat_add(to, STAT_dram_wr, s->commands[GDDR5_WR]);
    stat_add(to, STAT_dram_ref, s->commands[GDDR5_REF] + s->commands[GDDR5_REFPB]);
    stat_add(to, STAT_dram_row_hits, s->hits);
    stat_add(to, STAT_dram_row_misses, s->misses);
    stat_add(to, STAT_dram_row_conflicts, s->conflicts);
    stat_add(to, STAT_dram_turnarounds, s->turns);
    stat_add(to, STAT_dram_read_queue_cycles, level_area(&s->held[0], now));
    stat_add(to, STAT_dram_write_queue_cycles, level_area(&s->held[1], now));
    stat_add(to, STAT_dram_read_full_cycles, level_area(&s->full[0], now));
    stat_add(to, STAT_dram_write_full_cycles, level_area(&s->full[1], now));
    stat_add(to, STAT_dram_bank_cycles, level_area(&s->banks, now));
    stat_add(to, STAT_dram_active_cycles, level_busy(&s->banks, now));
    add_latencies(s, to);
}

/* ---- gauges ---- */

/* Levels of the DRAM banks. A bank's level is 1 while a row is open. */
struct dram_rows {
    struct level open[GDDR5_MAX_BANKS];
    char name[GDDR5_MAX_BANKS][24];
};

static void set_open(struct level *l, uint64_t cycle, bool open) {
    if (l->value != open)
        level_change(l, cycle, open ? 1 : -1);
}

/* Records a command for the watcher of the request's load. */
static void mark_command(const struct dram *d, enum gddr5_cmd cmd, uint32_t bank, uint64_t row,
                         uint32_t request) {
    struct request_pool *pool = &d->context->pool;
    struct request_marks *m = &pool->marks[request];
    if (m->at[MARK_DRAM_BEGIN] < request_times(pool, request)->to_dram) {
        m->at[MARK_DRAM_BEGIN] = d->context->time;
        m->opened = cmd != GDDR5_RD;
    }
    if (cmd != GDDR5_RD)
        return;
    m->at[MARK_DRAM_READ] = d->context->time;
    m->dram_row = row;
    m->dram_bank = (uint16_t)bank;
}

static void note_command(void *ctx, uint64_t cycle, enum gddr5_cmd cmd, uint32_t bank, uint64_t row,
                         uint32_t col, uint32_t tag) {
    const struct dram *d = ctx;
    (void)col;
    if (d->context->pool.marks && tag != GDDR5_NONE)
        mark_command(d, cmd, bank, row, tag >> TAG_REQUEST_SHIFT);
    if (!d->rows)
        return;
    if (cmd == GDDR5_ACT || cmd == GDDR5_PRE)
        set_open(&d->rows->open[bank], cycle, cmd == GDDR5_ACT);
    for (uint32_t b = 0; cmd == GDDR5_PREA && b < d->banks; b++)
        set_open(&d->rows->open[b], cycle, false);
}

void dram_watch_loads(struct dram *d) {
    gddr5_trace(d->device, note_command, d);
}

void dram_watch_banks(struct dram *d) {
    if (d->rows)
        return;
    d->rows = alloc_zeroed(1, sizeof *d->rows);
    for (uint32_t b = 0; b < d->banks; b++)
        snprintf(d->rows->name[b], sizeof d->rows->name[b], "DRAM bank %02u", (unsigned)b);
    gddr5_trace(d->device, note_command, d);
}

void dram_bank_gauges(const struct dram *d, const struct gauge_reader *to) {
    for (uint32_t b = 0; b < d->banks; b++) {
        const struct gauge gauge = {
            d->rows->name[b], "row open", 1, level_area(&d->rows->open[b], cycle_of(d)),
            cycle_of(d),      true};
        to->read(to->ctx, &gauge);
    }
}

void dram_gauges(const struct dram *d, const struct gauge_reader *to) {
    const struct gddr5_stats *s = gddr5_stats(d->device);
    const uint64_t now = cycle_of(d);
    gauge_show(to, "DRAM read queue", "atoms", d->places[0], level_area(&s->held[0], now), now);
    gauge_show(to, "DRAM write queue", "atoms", d->places[1], level_area(&s->held[1], now), now);
    gauge_show(to, "DRAM banks", "in service", d->banks, level_area(&s->banks, now), now);
    gauge_show(to, "DRAM data bus", "in use", 1, gddr5_bus_used(d->device, now), now);
    if (d->show_banks)
        dram_bank_gauges(d, to);
}

/* ---- dump ---- */

struct atom_dump {
    const struct request_pool *pool;
    FILE *out;
};

static void dump_atom(void *ctx, uint32_t request, bool issued) {
    const struct atom_dump *d = ctx;
    request_dump(d->pool, request, d->out);
    if (issued)
        fputs(" (issued)", d->out);
}

static void dump_atoms(const struct dram *d, uint32_t i, FILE *out) {
    struct atom_dump ctx = {&d->context->pool, out};
    if (gddr5_empty(d->device))
        return;
    fprintf(out, "dram.%u atoms, room for %u more reads and %u more writes:", (unsigned)i,
            (unsigned)gddr5_room(d->device, false), (unsigned)gddr5_room(d->device, true));
    dram_each(d, dump_atom, &ctx);
    fputc('\n', out);
}

void dram_dump(const struct dram *d, uint32_t i, FILE *out) {
    request_dump_timed(&d->context->pool, &d->front, "dram", i, "delay", out);
    dump_atoms(d, i, out);
    request_dump_timed(&d->context->pool, &d->back, "dram", i, "reply queue", out);
}
