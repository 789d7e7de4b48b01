// SPDX-License-Identifier: Apache-2.0
/* Prints an L2 bank's requests and queues. */
#include "l2/inside.h"
#include "lib/request_dump.h"

static void dump_block(const struct request_pool *pool, const struct l2_in_block *b, FILE *out) {
    if (!b->held)
        return;
    fprintf(out, "%s %u requests in %u queues", b->block.inst.name, (unsigned)b->held,
            (unsigned)incoming_queues(b->block.inst.model));
    if (b->out.drain_valid) {
        fputs(", offers", out);
        request_dump(pool, (uint32_t)b->out.drain_id, out);
    }
    fputc('\n', out);
}

static void dump_any(const struct l2 *l2, FILE *out) {
    const struct nonblocking *any = &l2->in.any;
    if (!any->count)
        return;
    fprintf(out, "l2.%u buffer %u/%u:", (unsigned)l2->bank, (unsigned)any->count,
            (unsigned)any->capacity);
    for (uint32_t i = 0; i < any->count; i++)
        request_dump(&l2->cache.context->pool, any->entry[i].request, out);
    fputc('\n', out);
}

static void dump_chain(const struct request_pool *pool, uint32_t number, FILE *out) {
    for (; number != REQUEST_NONE; number = pool->place[number].request.next)
        request_dump(pool, number, out);
    fputc('\n', out);
}

/* Prints the filled misses in the order in which they will drain (l2.model=gpgpusim). */
static void dump_filled(const struct l2 *l2, FILE *out) {
    if (!l2->cache.bank->filled.count)
        return;
    fprintf(out, "l2.%u filled entries %u/%u:", (unsigned)l2->bank,
            (unsigned)l2->cache.bank->filled.count, (unsigned)l2->cache.bank->filled.capacity);
    for (uint32_t i = 0; i < l2->cache.bank->filled.count; i++)
        fprintf(out, " %u", (unsigned)*ring_at(&l2->cache.bank->filled, i));
    fputc('\n', out);
}

static void dump_misses(const struct l2 *l2, FILE *out) {
    const struct cache *c = &l2->cache;
    for (uint32_t i = 0; i < c->misses.room; i++) {
        if (!misses_has(&c->misses, i))
            continue;
        fprintf(out, "l2.%u entry %u:", (unsigned)l2->bank, (unsigned)i);
        dump_chain(&c->context->pool, c->misses.miss[i].first, out);
    }
    dump_filled(l2, out);
    if (c->bank->drain.first == REQUEST_NONE)
        return;
    fprintf(out, "l2.%u draining:", (unsigned)l2->bank);
    dump_chain(&c->context->pool, c->bank->drain.first, out);
}

void l2_dump(const struct l2 *l2, FILE *out) {
    const struct request_pool *pool = &l2->cache.context->pool;
    request_dump_timed(pool, &l2->in.pipe, "l2", l2->bank, "pipeline", out);
    dump_block(pool, &l2->in.fifo, out);
    dump_block(pool, &l2->in.reorder, out);
    dump_any(l2, out);
    request_dump_fifo(pool, &l2->cache.miss_queue, "l2", l2->bank, "miss queue", out);
    request_dump_fifo(pool, &l2->evict_buffer, "l2", l2->bank, "evict buffer", out);
    request_dump_fifo(pool, &l2->reply_queue, "l2", l2->bank, "reply queue", out);
    mshr_unit_dump(&l2->cache.bank->mshr, out);
    cache_policies_dump(&l2->cache, l2->bank, out);
    dump_misses(l2, out);
}
