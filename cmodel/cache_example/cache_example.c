// SPDX-License-Identifier: Apache-2.0
/* see() derives a cycle's events from the inputs and the state at the start of the cycle. eval
 * outputs the events, and tick executes them. */
#include "cache_example/cache_example_ports.h"

#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "mshr/mshr_core.h"

enum { MAX_HEADS = 64, MAX_EVICTS = 8 };

struct word {
    uint32_t w[CACHE_MAX_WORDS];
};

struct cpu_request {
    bool valid, write;
    uint64_t line; /* line address */
    unsigned beat, id;
    uint32_t mask;
    struct word data;
};

/* State of a set, with one bit per way. */
struct cache_example_set {
    uint8_t filling, valid, dirty;
};

/* State of the fetch that an MSHR head tracks. */
struct cache_example_fetch {
    bool open, failed;
    uint32_t line_index; /* location of its line: set * ways + way */
    unsigned beat;       /* index of the next beat to arrive */
};

/* A line in the eviction buffer. */
struct evicted {
    bool held, unsent;
    uint64_t line;
};

/* Payload of the MSHR: a request that waits for its line. */
struct waiting_request {
    uint32_t beat, id, write, mask;
    struct word data;
};
_Static_assert(sizeof(struct waiting_request) * 8 <= MSHR_MAX_PAYLOAD_W, "fits a payload");

struct cache_example_state {
    unsigned ways, beats, evicts, line_bits, index_bits, size_bits;
    uint32_t words; /* number of 32-bit words in a word of DATA_W bits */
    uint64_t strobes;

    struct cpu_request s1;
    struct cache_example_set *sets;
    uint64_t *tags;    /* indexed by set * ways + way */
    struct word *data; /* indexed by (set * ways + way) * beats + beat */
    unsigned turn;     /* way after the one that was claimed last */
    struct word read;  /* output of the data RAM */

    bool answering, answer_write, answer_err;
    unsigned answer_id;

    struct mshr_core *mshr;
    bool fetching; /* AR is valid */
    unsigned fetch_head;
    uint64_t fetch_line;

    struct cache_example_fetch fetches[MAX_HEADS];
    bool beat_valid, beat_error, beat_last; /* beat in the register of the R channel */
    unsigned beat_head;
    struct word beat_data;

    uint32_t drain_at; /* location of the line being drained: set * ways + way */
    bool drain_bad, drain_dirty;

    struct evicted evicted[MAX_EVICTS];
    struct word *evicted_data; /* indexed by buffer line * beats + beat */
    unsigned in,               /* index of the buffer line to be filled next */
        out,                   /* index of the buffer line to be sent next */
        oldest;                /* index of the buffer line to be acknowledged next */
    bool copying;              /* a line is being copied into buffer line `in` */
    uint32_t copy_at;          /* location of the line being copied: set * ways + way */
    unsigned copied;           /* number of words of the line read so far */
    bool sending;              /* the W beats of buffer line `out` are being sent */
    unsigned sent;             /* index of the beat being sent */
    bool fail;
    uint64_t fail_line;

    unsigned err;
};

/* Events of a cycle. */
struct view {
    struct mshr_in ask; /* MSHR inputs, with the request in S1 */
    struct mshr_out mshr;
    struct waiting_request waiting; /* request of the MSHR's response */
    bool hit, go, room, victim_dirty;
    uint32_t index, hit_at, victim_at;
    unsigned victim_way;
    bool beat_ends, beat_broken, beat_write; /* properties of the beat in the R register */
    bool drain_take;
    enum cache_wait wait;
    bool leaves;
};

/* ---- Parameters, creation ---- */

static const struct param_desc params[CACHE_EXAMPLE_N_PARAMS] = {
    {"LINE_BYTES", 64, 32, 128, "line size in bytes, a power of two"},
    {"SETS", 64, 2, 256, "number of sets, a power of two"},
    {"WAYS", 4, 1, 8, "ways per set"},
    {"DATA_W", 128, 64, 256, "width of a word, the data of one request or beat; a power of two"},
    {"ADDR_W", 32, 16, 48, "byte address width"},
    {"ID_W", 8, 1, 16, "requester ID width"},
    {"MSHR_SETS", 16, 2, 64, "number of MSHR slot sets, which limits the fetches in flight"},
    {"MSHR_SLOTS", 2, 1, 16, "slots per MSHR slot set"},
    {"EVICTS", 2, 1, 8, "maximum number of write-backs in flight"},
};

static const char *find_illegal(const struct block_params *p) {
    if (!bits_power_of_two((uint64_t)p->v[CACHE_EXAMPLE_LINE_BYTES]))
        return "LINE_BYTES must be a power of two";
    if (!bits_power_of_two((uint64_t)p->v[CACHE_EXAMPLE_SETS]))
        return "SETS must be a power of two";
    if (!bits_power_of_two((uint64_t)p->v[CACHE_EXAMPLE_DATA_W]))
        return "DATA_W must be a power of two";
    return NULL;
}

static void destroy_cache_example(void *model) {
    struct cache_example_state *m = model;
    mshr_core_destroy(m->mshr);
    free(m->sets);
    free(m->tags);
    free(m->data);
    free(m->evicted_data);
    free(m);
}

static void *create_cache_example(const struct block_params *p) {
    struct cache_example_state *m = alloc_zeroed(1, sizeof *m);
    const struct mshr_core_geometry g = {
        .sets = (unsigned)p->v[CACHE_EXAMPLE_MSHR_SETS],
        .slots = (unsigned)p->v[CACHE_EXAMPLE_MSHR_SLOTS],
        .payload_w = sizeof(struct waiting_request) * 8,
        .heads_only = (unsigned)p->v[CACHE_EXAMPLE_MSHR_SETS] / 2,
        .heads = (unsigned)p->v[CACHE_EXAMPLE_MSHR_SETS],
    };
    size_t sets = (size_t)p->v[CACHE_EXAMPLE_SETS];
    m->ways = (unsigned)p->v[CACHE_EXAMPLE_WAYS];
    m->beats = (unsigned)(p->v[CACHE_EXAMPLE_LINE_BYTES] * 8 / p->v[CACHE_EXAMPLE_DATA_W]);
    m->beats += !m->beats;
    m->evicts = (unsigned)p->v[CACHE_EXAMPLE_EVICTS];
    m->line_bits = bits_lowest((uint64_t)p->v[CACHE_EXAMPLE_LINE_BYTES]);
    m->index_bits = bits_lowest(sets);
    m->size_bits = bits_lowest((uint64_t)p->v[CACHE_EXAMPLE_DATA_W] / 8);
    m->words = (uint32_t)p->v[CACHE_EXAMPLE_DATA_W] / 32;
    m->strobes = bits_low((unsigned)p->v[CACHE_EXAMPLE_DATA_W] / 8);
    m->mshr = mshr_core_create(&g);
    m->sets = alloc_zeroed(sets, sizeof *m->sets);
    m->tags = alloc_zeroed(sets * m->ways, sizeof *m->tags);
    m->data = alloc_zeroed(sets * m->ways * m->beats, sizeof *m->data);
    m->evicted_data = alloc_zeroed((size_t)m->evicts * m->beats, sizeof *m->evicted_data);
    return m;
}

/* ---- Events of a cycle ---- */

static void see_lines(const struct cache_example_state *m, struct view *v) {
    v->index = (uint32_t)(m->s1.line & bits_low(m->index_bits));
    const struct cache_example_set *set = &m->sets[v->index];
    uint64_t tag = m->s1.line >> m->index_bits;
    for (unsigned w = 0; w < m->ways; w++)
        if (set->valid >> w & 1 && m->tags[v->index * m->ways + w] == tag) {
            v->hit = true;
            v->hit_at = v->index * m->ways + w;
        }
    uint64_t some = bits_low(m->ways) & ~(uint64_t)set->filling,
             spare = some & ~(uint64_t)set->valid;
    if (spare)
        some = spare;
    v->room = some;
    if (!some)
        return;
    uint64_t next = some & ~bits_low(m->turn);
    v->victim_way = bits_lowest(next ? next : some);
    v->victim_at = v->index * m->ways + v->victim_way;
    v->victim_dirty = (set->valid & set->dirty) >> v->victim_way & 1;
}

static void see_mshr(const struct cache_example_state *m, struct view *v) {
    const struct cpu_request *s1 = &m->s1;
    v->ask.req_valid = s1->valid;
    v->ask.req_addr = s1->line;
    const struct waiting_request request = {
        .beat = s1->beat, .id = s1->id, .write = s1->write, .mask = s1->mask, .data = s1->data};
    memcpy(v->ask.req_payload, &request, sizeof request);
    v->ask.ret_head = m->beat_head;
    mshr_core_eval(m->mshr, &v->ask, &v->mshr);
    memcpy(&v->waiting, v->mshr.rsp_payload, sizeof v->waiting);
}

static void see_beat(const struct cache_example_state *m, struct view *v) {
    const struct cache_example_fetch *f = &m->fetches[m->beat_head];
    v->beat_ends = f->beat + 1 == m->beats;
    v->beat_broken = m->beat_valid && (!f->open || m->beat_last != v->beat_ends);
    v->beat_write =
        m->beat_valid && !v->beat_broken && !m->err && !(v->beat_ends && v->mshr.rsp_valid);
}

static bool in_buffer(const struct cache_example_state *m, uint64_t line) {
    for (unsigned i = 0; i < m->evicts; i++)
        if (m->evicted[i].held && m->evicted[i].line == line)
            return true;
    return false;
}

static enum cache_wait wait_of_hit(const struct cache_example_state *m, const struct view *v) {
    if (v->mshr.rsp_valid)
        return CACHE_WAIT_DRAIN;
    if (!v->go)
        return CACHE_WAIT_ANSWER;
    return m->s1.write && v->beat_write ? CACHE_WAIT_WRITE : CACHE_WAIT_NONE;
}

/* Returns the reason why a primary miss cannot begin its fetch in this cycle, or CACHE_WAIT_NONE if
 * it can. */
static enum cache_wait wait_of_primary(const struct cache_example_state *m,
                                       const struct cache_example_in *in, const struct view *v) {
    if (!v->room)
        return CACHE_WAIT_WAYS;
    if (!v->victim_dirty)
        return m->fetching && !in->m_arready ? CACHE_WAIT_FETCH : CACHE_WAIT_NONE;
    if (v->mshr.rsp_valid)
        return CACHE_WAIT_DRAIN;
    if (!v->go)
        return CACHE_WAIT_ANSWER;
    return m->evicted[m->in].held ? CACHE_WAIT_BUFFER : CACHE_WAIT_VICTIM;
}

static enum cache_wait wait_of(const struct cache_example_state *m,
                               const struct cache_example_in *in, const struct view *v) {
    if (!m->s1.valid)
        return CACHE_WAIT_NONE;
    if (m->err)
        return CACHE_WAIT_ERROR;
    if (m->copying)
        return CACHE_WAIT_COPY;
    if (v->hit)
        return wait_of_hit(m, v);
    if (v->mshr.rsp_valid && m->drain_at / m->ways == v->index)
        return CACHE_WAIT_DRAIN;
    if (in_buffer(m, m->s1.line))
        return CACHE_WAIT_EVICTED;
    if (!v->mshr.req_ready)
        return v->mshr.req_refuse == MSHR_REFUSE_ENTRY_FULL ? CACHE_WAIT_ENTRY_FULL
                                                            : CACHE_WAIT_MERGE_FULL;
    return v->mshr.req_primary ? wait_of_primary(m, in, v) : CACHE_WAIT_NONE;
}

static void see(const struct cache_example_state *m, const struct cache_example_in *in,
                struct view *v) {
    memset(v, 0, sizeof *v);
    v->go = !m->answering || in->rsp_ready;
    see_lines(m, v);
    see_mshr(m, v);
    see_beat(m, v);
    v->drain_take = v->mshr.rsp_valid && v->go && !m->copying && !m->err &&
                    !(v->waiting.write && v->beat_write);
    v->wait = wait_of(m, in, v);
    v->leaves = m->s1.valid && v->wait == CACHE_WAIT_NONE;
}

/* ---- Outputs ---- */

static void show_bus(const struct cache_example_state *m, const struct view *v,
                     struct cache_example_out *out) {
    const struct evicted *e = &m->evicted[m->out];
    out->m_arvalid = m->fetching;
    out->m_arid = m->fetching ? m->fetch_head : 0;
    out->m_araddr = m->fetching ? m->fetch_line << m->line_bits : 0;
    out->m_rready = !m->beat_valid || v->beat_write;
    out->m_awvalid = e->unsent && !m->sending;
    out->m_awaddr = out->m_awvalid ? e->line << m->line_bits : 0;
    out->m_wvalid = m->sending;
    out->m_wlast = m->sending && m->sent + 1 == m->beats;
    if (m->sending)
        memcpy(out->m_wdata, m->evicted_data[m->out * m->beats + m->sent].w, sizeof out->m_wdata);
    out->m_arlen = out->m_awlen = m->beats - 1;
    out->m_arsize = out->m_awsize = m->size_bits;
    out->m_arburst = out->m_awburst = 1; /* INCR */
    out->m_wstrb = m->strobes;
    out->m_bready = 1;
}

static void eval_cache_example(const void *model, const void *in, void *out_) {
    const struct cache_example_state *m = model;
    struct cache_example_out *out = out_;
    struct view v;
    see(m, in, &v);
    out->req_ready = !m->s1.valid || v.leaves;
    out->rsp_valid = m->answering;
    out->rsp_id = m->answering ? m->answer_id : 0;
    out->rsp_write = m->answering && m->answer_write;
    out->rsp_err = m->answering && m->answer_err;
    memcpy(out->rsp_data, m->read.w, sizeof out->rsp_data);
    show_bus(m, &v, out);
    out->fail = m->fail;
    out->fail_addr = m->fail ? m->fail_line << m->line_bits : 0;
    out->err = m->err;
}

static void observe_cache_example(const void *model, const void *in, void *out) {
    struct view v;
    see(model, in, &v);
    ((struct cache_example_out *)out)->st_wait = v.wait;
}

/* ---- The clock edge ---- */

static struct word *word_at(struct cache_example_state *m, uint32_t line_index, unsigned beat) {
    return &m->data[(size_t)line_index * m->beats + beat];
}

static void write_bytes(struct word *to, const uint32_t *from, uint32_t mask) {
    for (; mask; mask &= mask - 1) {
        unsigned byte = bits_lowest(mask), shift = byte % 4 * 8;
        uint32_t keep = ~((uint32_t)0xff << shift);
        to->w[byte / 4] = (to->w[byte / 4] & keep) | (from[byte / 4] & ~keep);
    }
}

static void answer_request(struct cache_example_state *m, unsigned id, bool write, bool err) {
    m->answering = true;
    m->answer_id = id;
    m->answer_write = write;
    m->answer_err = err;
}

/* Completes the oldest request that waits for the line being drained. */
static void drain_request(struct cache_example_state *m, const struct view *v) {
    const struct waiting_request *r = &v->waiting;
    struct word *word = word_at(m, m->drain_at, r->beat);
    struct cache_example_set *set = &m->sets[m->drain_at / m->ways];
    uint8_t way = (uint8_t)(1 << m->drain_at % m->ways);
    answer_request(m, r->id, r->write, m->drain_bad);
    if (!r->write)
        m->read = *word;
    else if (!m->drain_bad)
        write_bytes(word, r->data.w, r->mask);
    m->drain_dirty |= r->write;
    if (!v->mshr.rsp_last)
        return;
    set->filling &= (uint8_t)~way;
    set->valid |= m->drain_bad ? 0 : way;
    set->dirty = (uint8_t)((set->dirty & ~way) | (m->drain_dirty ? way : 0));
}

static void write_beat(struct cache_example_state *m, const struct view *v) {
    struct cache_example_fetch *f = &m->fetches[m->beat_head];
    *word_at(m, f->line_index, f->beat) = m->beat_data;
    f->failed = m->beat_error || (f->failed && f->beat);
    f->beat++;
    if (!v->beat_ends)
        return;
    f->open = false;
    f->beat = 0;
    m->drain_at = f->line_index;
    m->drain_bad = f->failed;
    m->drain_dirty = false;
}

static void take_beat(struct cache_example_state *m, const struct cache_example_in *in) {
    m->beat_valid = in->m_rvalid;
    m->beat_head = (unsigned)in->m_rid;
    m->beat_error = in->m_rresp >> 1;
    m->beat_last = in->m_rlast;
    memcpy(m->beat_data.w, in->m_rdata, sizeof m->beat_data.w);
}

static void serve_hit(struct cache_example_state *m, const struct view *v) {
    struct word *word = word_at(m, v->hit_at, m->s1.beat);
    answer_request(m, m->s1.id, m->s1.write, false);
    if (!m->s1.write) {
        m->read = *word;
        return;
    }
    write_bytes(word, m->s1.data.w, m->s1.mask);
    m->sets[v->index].dirty |= (uint8_t)(1 << v->hit_at % m->ways);
}

/* Begins the fetch of a primary miss, which claims its victim's way. */
static void begin_fetch(struct cache_example_state *m, const struct view *v) {
    uint8_t way = (uint8_t)(1 << v->victim_way);
    m->sets[v->index].filling |= way;
    m->sets[v->index].valid &= (uint8_t)~way;
    m->tags[v->victim_at] = m->s1.line >> m->index_bits;
    m->turn = v->victim_way + 1;
    m->fetching = true;
    m->fetch_head = (unsigned)v->mshr.req_head;
    m->fetch_line = m->s1.line;
    m->fetches[m->fetch_head].open = true;
    m->fetches[m->fetch_head].line_index = v->victim_at;
}

static void begin_copy(struct cache_example_state *m, const struct view *v) {
    m->sets[v->index].valid &= (uint8_t) ~(1 << v->victim_way);
    m->evicted[m->in].line = m->tags[v->victim_at] << m->index_bits | v->index;
    m->copying = true;
    m->copy_at = v->victim_at;
    m->copied = 0;
}

/* Runs one cycle of copying a line. Each word is read in one cycle and stored in the next. */
static void copy_line(struct cache_example_state *m) {
    if (m->copied)
        m->evicted_data[m->in * m->beats + m->copied - 1] = m->read;
    if (m->copied < m->beats) {
        m->read = *word_at(m, m->copy_at, m->copied++);
        return;
    }
    m->evicted[m->in].held = m->evicted[m->in].unsent = true;
    m->in = (m->in + 1) % m->evicts;
    m->copying = false;
}

static void send_request(struct cache_example_state *m, const struct cache_example_in *in) {
    struct evicted *e = &m->evicted[m->out];
    if (!m->sending) {
        m->sending = e->unsent && in->m_awready;
        m->sent = 0;
        return;
    }
    m->sent += (unsigned)in->m_wready;
    if (m->sent < m->beats)
        return;
    e->unsent = m->sending = false;
    m->out = (m->out + 1) % m->evicts;
}

/* Processes the acknowledgement of a write-back, if one arrives. Returns false if one arrives
 * although no line waits for it. */
static bool acknowledge_write(struct cache_example_state *m, const struct cache_example_in *in) {
    struct evicted *e = &m->evicted[m->oldest];
    m->fail = false;
    if (!in->m_bvalid)
        return true;
    if (!e->held || e->unsent)
        return false;
    m->fail = in->m_bresp >> 1;
    m->fail_line = e->line;
    e->held = false;
    m->oldest = (m->oldest + 1) % m->evicts;
    return true;
}

static void take_request(struct cache_example_state *m, const struct cache_example_in *in) {
    m->s1 = (struct cpu_request){
        .valid = in->req_valid,
        .write = in->req_write,
        .line = in->req_addr >> m->line_bits,
        .beat = (unsigned)(in->req_addr >> m->size_bits & (m->beats - 1)),
        .id = (unsigned)in->req_id,
        .mask = (uint32_t)in->req_mask,
    };
    memcpy(m->s1.data.w, in->req_data, sizeof m->s1.data.w);
}

static void reset_cache_example(struct cache_example_state *m) {
    const struct mshr_in in = {.rst = 1};
    mshr_core_tick(m->mshr, &in);
    memset(m->sets, 0, ((size_t)1 << m->index_bits) * sizeof *m->sets);
    memset(m->fetches, 0, sizeof m->fetches);
    memset(m->evicted, 0, sizeof m->evicted);
    m->s1.valid = m->answering = m->fetching = m->beat_valid = m->copying = m->sending = false;
    m->fail = false;
    m->turn = m->in = m->out = m->oldest = m->err = 0;
}

static void tick_cache_example(void *model, const void *in_) {
    struct cache_example_state *m = model;
    const struct cache_example_in *in = in_;
    struct view v;
    if (in->rst) {
        reset_cache_example(m);
        return;
    }
    see(m, in, &v);
    bool acked = acknowledge_write(m, in), begins = v.wait == CACHE_WAIT_VICTIM;
    if (!m->err)
        m->err = v.beat_broken ? 1 : !acked ? 2 : v.mshr.err ? 3 : 0;
    send_request(m, in);
    m->answering &= !v.go;
    m->fetching &= !in->m_arready;
    if (m->copying)
        copy_line(m);
    if (v.drain_take)
        drain_request(m, &v);
    if (v.beat_write)
        write_beat(m, &v);
    if (!m->beat_valid || v.beat_write)
        take_beat(m, in);
    if (v.leaves && v.hit)
        serve_hit(m, &v);
    if (v.leaves && !v.hit && v.mshr.req_primary)
        begin_fetch(m, &v);
    if (begins)
        begin_copy(m, &v);
    v.ask.req_valid = v.leaves && !v.hit;
    v.ask.ret_valid = v.beat_write && v.beat_ends;
    v.ask.rsp_ready = v.drain_take;
    mshr_core_tick(m->mshr, &v.ask);
    if (!m->s1.valid || v.leaves)
        take_request(m, in);
}

CACHE_EXAMPLE_PORTS(BLOCK_PORT_FUNCTIONS)

static const struct port_desc ports[] = {CACHE_EXAMPLE_PORTS(BLOCK_PORT_ENTRY)};

const struct block_type cache_example_type = {
    .name = "cache_example",
    .params = params,
    .n_params = CACHE_EXAMPLE_N_PARAMS,
    .ports = ports,
    .n_ports = sizeof ports / sizeof *ports,
    .in_size = sizeof(struct cache_example_in),
    .out_size = sizeof(struct cache_example_out),
    .illegal = find_illegal,
    .create = create_cache_example,
    .destroy = destroy_cache_example,
    .eval = eval_cache_example,
    .observe = observe_cache_example,
    .tick = tick_cache_example,
};
