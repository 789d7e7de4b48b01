// SPDX-License-Identifier: Apache-2.0
#include "cache_example/cache_memory.h"

#include <string.h>

#include "lib/random.h"

static unsigned draw_below(struct cache_memory *m, unsigned n) {
    return random_below(m->rng, n);
}

static bool sometimes(struct cache_memory *m, unsigned n_in_16) {
    return draw_below(m, 16) < n_in_16;
}

static void count_event(struct cache_memory *m, enum cache_memory_event e, bool condition) {
    m->events[e] += condition;
}

void cache_memory_init(struct cache_memory *m, struct cache_lines *lines, uint64_t *rng) {
    *m = (struct cache_memory){.lines = lines, .rng = rng, .manner = {.ready = 16}};
    cache_memory_reset(m);
}

void cache_memory_reset(struct cache_memory *m) {
    for (unsigned i = 0; i < CACHE_MAX_HEADS; i++)
        m->fetch[i].open = false;
    m->open = m->writes = 0;
    m->begun = m->writing = CACHE_NONE;
    m->beat = m->ack = m->failed = m->broken = false;
    m->breach = BREACH_NONE;
    memset(&m->before, 0, sizeof m->before);
}

/* ---- Outputs to the cache ---- */

/* Returns the fetch that sends the next beat, or CACHE_NONE. */
static int choose_fetch(struct cache_memory *m) {
    if (m->begun != CACHE_NONE && !m->manner.mixed)
        return m->begun;
    unsigned from = draw_below(m, CACHE_MAX_HEADS);
    for (unsigned i = 0; i < CACHE_MAX_HEADS; i++) {
        unsigned id = (from + i) % CACHE_MAX_HEADS;
        if (m->fetch[id].open && m->fetch[id].due <= m->cycle)
            return (int)id;
    }
    return CACHE_NONE;
}

static void offer_beat(struct cache_memory *m, unsigned id, struct cache_example_in *in) {
    const struct cache_shape *s = &m->lines->shape;
    const struct cache_fetch *f = &m->fetch[id];
    const uint8_t *data = f->data + f->beat * s->beat_bytes;
    bool bad = f->fails && (f->bad_beat == s->beats || f->bad_beat == f->beat);
    memset(in->m_rdata, 0, sizeof in->m_rdata);
    for (unsigned i = 0; i < s->beat_bytes; i++)
        in->m_rdata[i / 4] |= (uint32_t)data[i] << i % 4 * 8;
    m->beat = true;
    m->beat_id = id;
    in->m_rvalid = 1;
    in->m_rid = id;
    in->m_rresp = bad ? 2 + draw_below(m, 2) : draw_below(m, 2);
    in->m_rlast = f->beat + 1 == s->beats;
}

static void drive_beat(struct cache_memory *m, struct cache_example_in *in) {
    if (m->beat) { /* keeps the offered beat stable */
        in->m_rvalid = 1;
        in->m_rid = m->in.m_rid;
        in->m_rresp = m->in.m_rresp;
        in->m_rlast = m->in.m_rlast;
        memcpy(in->m_rdata, m->in.m_rdata, sizeof in->m_rdata);
        return;
    }
    if (m->broken || !sometimes(m, m->manner.beat))
        return;
    if (m->breach == BREACH_ID && m->idle) {
        m->beat = m->broken = true;
        in->m_rvalid = 1;
        /* the correct value for the first beat of a fetch */
        in->m_rlast = m->lines->shape.beats == 1;
        m->beat_id = (unsigned)in->m_rid;
        return;
    }
    int id = choose_fetch(m);
    if (id == CACHE_NONE)
        return;
    offer_beat(m, (unsigned)id, in);
    if (m->breach == BREACH_LAST) {
        m->broken = true;
        in->m_rlast = !in->m_rlast;
    }
}

static void drive_ack(struct cache_memory *m, struct cache_example_in *in) {
    if (m->ack) { /* keeps the offered acknowledgement stable */
        in->m_bvalid = 1;
        in->m_bresp = m->in.m_bresp;
        return;
    }
    if (m->breach == BREACH_ACK && !m->writes && !m->broken) {
        m->broken = m->ack = true;
        in->m_bvalid = 1;
    }
    if (m->broken || !m->writes || m->write[0].due > m->cycle)
        return;
    m->ack = true;
    in->m_bvalid = 1;
    in->m_bresp = m->write[0].fails ? 2 + draw_below(m, 2) : draw_below(m, 2);
}

void cache_memory_drive(struct cache_memory *m, struct cache_example_in *in) {
    in->m_arready = sometimes(m, m->manner.ready);
    in->m_awready = sometimes(m, m->manner.ready);
    in->m_wready = sometimes(m, m->manner.ready);
    drive_beat(m, in);
    drive_ack(m, in);
}

/* ---- Checks of the master ---- */

static const char *check_stable(const struct cache_memory *m, const struct cache_example_out *out) {
    const struct cache_example_out *b = &m->before;
    if (b->m_arvalid && !m->in.m_arready &&
        (!out->m_arvalid || out->m_araddr != b->m_araddr || out->m_arid != b->m_arid))
        return "AR changed while it waited";
    if (b->m_awvalid && !m->in.m_awready && (!out->m_awvalid || out->m_awaddr != b->m_awaddr))
        return "AW changed while it waited";
    if (b->m_wvalid && !m->in.m_wready &&
        (!out->m_wvalid || out->m_wlast != b->m_wlast ||
         memcmp(out->m_wdata, b->m_wdata, m->lines->shape.beat_bytes)))
        return "W changed while it waited";
    return NULL;
}

static const char *check_burst(const struct cache_shape *s, const struct cache_example_out *out) {
    if (out->m_arlen != s->beats - 1 || out->m_awlen != s->beats - 1)
        return "a burst is not a line long";
    if (out->m_arsize != s->size || out->m_awsize != s->size)
        return "a beat is not a word";
    if (out->m_arburst != 1 || out->m_awburst != 1)
        return "a burst does not increment";
    return NULL;
}

static bool is_being_written(const struct cache_memory *m, int line) {
    for (unsigned i = 0; i < m->writes; i++)
        if (m->write[i].line == line)
            return true;
    return m->writing == line;
}

static const char *take_fetch(struct cache_memory *m, const struct cache_example_out *out) {
    const struct cache_shape *s = &m->lines->shape;
    int line = cache_lines_find(m->lines, out->m_araddr);
    if (line == CACHE_NONE)
        return "a fetch of a line that was not requested";
    if (out->m_arid >= s->heads || m->fetch[out->m_arid].open)
        return "a fetch by an id that is in use";
    if (is_being_written(m, line))
        return "a line is fetched before its write-back is acknowledged";
    if (memcmp(m->lines->line[line].memory, m->lines->line[line].want, s->bytes))
        return "a line is fetched whose stores are not all in memory";
    struct cache_fetch *f = &m->fetch[out->m_arid];
    count_event(m, CACHE_EV_FETCH_UNDER_FETCH, m->open);
    count_event(m, CACHE_EV_FETCH_ALL, ++m->open == s->heads);
    count_event(m, CACHE_EV_AGAIN, m->was_written[line]);
    m->was_written[line] = false;
    *f = (struct cache_fetch){.open = true, .line = line, .number = m->fetched++};
    f->due = m->cycle + 1 + draw_below(m, m->manner.delay + 1);
    f->fails = draw_below(m, 256) < m->manner.refused;
    f->bad_beat = draw_below(m, s->beats + 1);
    memcpy(f->data, m->lines->line[line].memory, sizeof f->data);
    return NULL;
}

static void end_fetch(struct cache_memory *m, struct cache_fetch *f) {
    for (unsigned i = 0; i < CACHE_MAX_HEADS; i++)
        if (m->fetch[i].open && m->fetch[i].number < f->number) {
            m->events[CACHE_EV_FETCH_OVERTAKES]++;
            break;
        }
    count_event(m, CACHE_EV_FETCH_FAILS, f->fails);
    count_event(m, CACHE_EV_FETCH_FAILS_ONCE, f->fails && f->bad_beat < m->lines->shape.beats);
    m->lines->line[f->line].failed = f->fails;
    f->open = false;
    m->open--;
}

static void take_beat(struct cache_memory *m) {
    struct cache_fetch *f = &m->fetch[m->beat_id];
    m->beat = false;
    if (m->broken)
        return;
    count_event(m, CACHE_EV_MIXED, m->begun != CACHE_NONE && m->begun != (int)m->beat_id);
    m->begun = (int)m->beat_id;
    if (++f->beat < m->lines->shape.beats)
        return;
    m->begun = CACHE_NONE;
    end_fetch(m, f);
}

static const char *take_address(struct cache_memory *m, const struct cache_example_out *out) {
    int line = cache_lines_find(m->lines, out->m_awaddr);
    if (line == CACHE_NONE)
        return "a write-back of a line without a store";
    if (m->writing != CACHE_NONE)
        return "a write-back address before the last word of the previous one";
    if (is_being_written(m, line))
        return "two write-backs of a line at a time";
    m->writing = line;
    m->word = 0;
    return NULL;
}

static const char *take_word(struct cache_memory *m, const struct cache_example_out *out) {
    const struct cache_shape *s = &m->lines->shape;
    if (m->writing == CACHE_NONE)
        return "a word before its address";
    if (out->m_wlast != (m->word + 1 == s->beats))
        return "WLAST is wrong";
    if (out->m_wstrb != bits_low(s->beat_bytes))
        return "a write-back of less than the line";
    if (m->writes == s->evicts)
        return "more write-backs than EVICTS";
    for (unsigned i = 0; i < s->beat_bytes; i++)
        m->words[m->word * s->beat_bytes + i] = (uint8_t)(out->m_wdata[i / 4] >> i % 4 * 8);
    if (++m->word < s->beats)
        return NULL;
    struct cache_write *w = &m->write[m->writes];
    memcpy(w->data, m->words, sizeof w->data);
    w->line = m->writing;
    w->due = m->cycle + 1 + draw_below(m, m->manner.ack + 1);
    w->fails = draw_below(m, 256) < m->manner.refused;
    m->writing = CACHE_NONE;
    count_event(m, CACHE_EV_WRITE, true);
    count_event(m, CACHE_EV_WRITE_UNDER_FETCH, m->open);
    count_event(m, CACHE_EV_WRITES_ALL, ++m->writes == s->evicts);
    return NULL;
}

/* Ends a write-back. A refused write-back updates memory, too, as AXI allows. */
static void end_write(struct cache_memory *m) {
    const struct cache_write *w = &m->write[0];
    memcpy(m->lines->line[w->line].memory, w->data, m->lines->shape.bytes);
    m->was_written[w->line] = true;
    m->failed = w->fails;
    m->failed_line = w->line;
    count_event(m, CACHE_EV_WRITE_FAILS, w->fails);
    memmove(m->write, m->write + 1, --m->writes * sizeof *m->write);
}

static const char *check_fail(const struct cache_memory *m, const struct cache_example_out *out) {
    if (out->fail != m->failed)
        return m->failed ? "a refused write-back is not reported"
                         : "a successful write-back is reported as refused";
    if (m->failed && out->fail_addr != m->lines->line[m->failed_line].addr)
        return "a refused write-back is reported for another line";
    return NULL;
}

const char *cache_memory_sample(struct cache_memory *m, const struct cache_example_in *in,
                                const struct cache_example_out *out) {
    const char *broken = m->broken ? NULL : check_stable(m, out);
    if (!broken)
        broken = check_burst(&m->lines->shape, out);
    if (!broken && !m->broken)
        broken = check_fail(m, out);
    m->failed = false;
    if (!broken && !m->broken && out->m_arvalid && in->m_arready)
        broken = take_fetch(m, out);
    if (!broken && !m->broken && out->m_wvalid && in->m_wready)
        broken = take_word(m, out);
    if (!broken && !m->broken && out->m_awvalid && in->m_awready)
        broken = take_address(m, out);
    count_event(m, CACHE_EV_BEAT_HELD, in->m_rvalid && !out->m_rready);
    count_event(m, CACHE_EV_ADDRESS_HELD, out->m_awvalid && !in->m_awready);
    count_event(m, CACHE_EV_WORD_HELD, out->m_wvalid && !in->m_wready);
    if (in->m_rvalid && out->m_rready)
        take_beat(m);
    if (in->m_bvalid && out->m_bready) {
        m->ack = false;
        if (!m->broken)
            end_write(m);
    }
    m->in = *in;
    m->before = *out;
    m->cycle++;
    return broken;
}
