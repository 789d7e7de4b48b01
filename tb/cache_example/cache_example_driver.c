// SPDX-License-Identifier: Apache-2.0
/* Generates the stimulus of cache_example in phases. Each phase draws the lines, the mix of
 * requests, and the speeds of the user and the memory. A payload is random while its valid is 0. */
#include "harness/cosim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cache_example/cache_memory.h"
#include "cache_example/cache_score.h"
#include "lib/alloc.h"
#include "lib/random.h"

enum { RESET_EVERY = 4000, BREACH_EVERY = 2000, PATIENCE = 4000, MAX_LIVE = 1200, HUB_EVERY = 4 };
enum { BREACH_ALONE_EVERY = 16 };

/* Sets of lines that a phase uses. "Near" means a hub and all its neighbors. */
enum cache_example_lines {
    CACHE_EXAMPLE_LINES_ONE,
    CACHE_EXAMPLE_LINES_SET,
    CACHE_EXAMPLE_LINES_FEW,
    CACHE_EXAMPLE_LINES_SETS,
    CACHE_EXAMPLE_LINES_NEAR,
    CACHE_EXAMPLE_LINES_ANY,
    CACHE_EXAMPLE_N_LINE_MIXES
};

#define EVENTS(X)                                                                                  \
    X(RESET, "reset while busy")                                                                   \
    X(RESET_FETCH, "reset while a fetch is in flight")                                             \
    X(RESET_WRITE, "reset while a line is written back")                                           \
    X(BREACH_ID, "beat without a fetch")                                                           \
    X(BREACH_LAST, "RLAST in the wrong beat")                                                      \
    X(BREACH_ACK, "acknowledgement without a write-back")                                          \
    X(WITHDRAWN, "a waiting request is withdrawn")                                                 \
    X(BACK_TO_BACK, "requests in two consecutive cycles")                                          \
    X(QUICK, "responses in four consecutive cycles")                                               \
    X(HIT_UNDER_MISS, "response before that of an older request, whose fetch is in flight")

enum cache_example_event {
#define X(id, text) EV_##id,
    EVENTS(X)
#undef X
        N_EVENTS
};

static const char *const waits[CACHE_N_WAITS] = {
    [CACHE_WAIT_ERROR] = "S1 waits: error",
    [CACHE_WAIT_COPY] = "S1 waits: a line is copied",
    [CACHE_WAIT_DRAIN] = "S1 waits: drain",
    [CACHE_WAIT_ANSWER] = "S1 waits: the previous response",
    [CACHE_WAIT_WRITE] = "S1 waits: a beat is written",
    [CACHE_WAIT_EVICTED] = "S1 waits: its line is in the eviction buffer",
    [CACHE_WAIT_ENTRY_FULL] = "S1 waits: entry-full",
    [CACHE_WAIT_MERGE_FULL] = "S1 waits: merge-full",
    [CACHE_WAIT_WAYS] = "S1 waits: all ways are filling",
    [CACHE_WAIT_BUFFER] = "S1 waits: the eviction buffer is full",
    [CACHE_WAIT_VICTIM] = "S1 waits: its victim is evicted",
    [CACHE_WAIT_FETCH] = "S1 waits: the previous fetch",
};

/* Place of a line whose address differs in one bit from that of the requested line: in the cache,
 * in a fetch, or in a write-back. */
enum cache_example_place {
    CACHE_EXAMPLE_PLACE_CACHE,
    CACHE_EXAMPLE_PLACE_FETCH,
    CACHE_EXAMPLE_PLACE_WRITE,
    CACHE_EXAMPLE_N_PLACES
};

static const char *const place_texts[CACHE_EXAMPLE_N_PLACES] = {
    [CACHE_EXAMPLE_PLACE_CACHE] =
        "one bit beside the line of the last answer, the rarest bit of the tag",
    [CACHE_EXAMPLE_PLACE_FETCH] = "one bit beside a line that is fetched, the rarest bit",
    [CACHE_EXAMPLE_PLACE_WRITE] = "one bit beside a line that is written back, the rarest bit",
};

enum {
    CACHE_EXAMPLE_N_POINTS = N_EVENTS + CACHE_EXAMPLE_N_PLACES + CACHE_N_WAITS +
                             CACHE_MEMORY_N_EVENTS + CACHE_SCORE_N_EVENTS
};

struct cache_example_driver {
    struct cache_lines lines;
    struct cache_memory memory;
    struct cache_score score;
    uint64_t rng, cycle;

    uint64_t phase_end;
    enum cache_example_lines mix;
    const struct cache_hub *hub;
    unsigned from,                         /* index of the first line of the phase */
        span;                              /* number of lines of the phase */
    unsigned turn[CACHE_EXAMPLE_N_PLACES]; /* counts the neighbors used, which take turns */
    unsigned requests,                     /* number of cycles in 16 that offer a request */
        writes,                            /* number of stores in 16 requests */
        answers;                           /* number of cycles in 16 that accept a response */
    bool withdraws;

    struct cache_example_in req; /* the pending request */
    bool offered,                /* true if `req` is offered */
        before;                  /* true if a request was accepted in the previous cycle */
    unsigned run;                /* number of responses in consecutive cycles */
    unsigned reset_in;           /* number of cycles until a planned reset, or 0 */
    enum cache_breach breach;    /* violation that err must report */
    uint64_t last_move;          /* last cycle with progress */
    int answered;                /* line of the last response, or CACHE_NONE */

    uint64_t events[N_EVENTS], waited[CACHE_N_WAITS];
    /* number of hits for each place and each differing bit */
    uint64_t near_hits[CACHE_EXAMPLE_N_PLACES][64];
    struct cover_point points[CACHE_EXAMPLE_N_POINTS];
};

static unsigned draw_below(struct cache_example_driver *d, unsigned n) {
    return random_below(&d->rng, n);
}

static bool one_in(struct cache_example_driver *d, unsigned n) {
    return draw_below(d, n) == 0;
}

/* Draws a number of cycles in 16: all, most, half, or few. */
static unsigned draw_rate(struct cache_example_driver *d) {
    static const unsigned rates[] = {16, 16, 13, 8, 2};
    return rates[draw_below(d, sizeof rates / sizeof *rates)];
}

static void draw_lines(struct cache_example_driver *d) {
    const struct cache_hub *hub = &d->lines.hub[draw_below(d, CACHE_HUBS)];
    unsigned n = d->lines.n, few = 2 + draw_below(d, d->lines.shape.ways + 1);
    d->hub = hub;
    d->mix = (enum cache_example_lines)draw_below(d, CACHE_EXAMPLE_N_LINE_MIXES);
    d->from = d->mix == CACHE_EXAMPLE_LINES_ANY ? 0 : hub->first;
    if (d->mix == CACHE_EXAMPLE_LINES_ONE)
        d->from += draw_below(d, hub->same_set);
    d->span = d->mix == CACHE_EXAMPLE_LINES_ONE    ? 1
              : d->mix == CACHE_EXAMPLE_LINES_FEW  ? few
              : d->mix == CACHE_EXAMPLE_LINES_SET  ? hub->same_set
              : d->mix == CACHE_EXAMPLE_LINES_NEAR ? hub->all
                                                   : n;
    if (d->from + d->span > n)
        d->span = n - d->from;
}

static void draw_phase(struct cache_example_driver *d) {
    static const unsigned delays[] = {0, 4, 30, 200};
    static const unsigned writes[] = {0, 2, 8, 8, 16};
    struct cache_manner *m = &d->memory.manner;
    d->phase_end = d->cycle + 100 + draw_below(d, 900);
    draw_lines(d);
    d->requests = draw_rate(d);
    d->answers = draw_rate(d);
    d->writes = writes[draw_below(d, 5)];
    d->withdraws = one_in(d, 4);
    m->ready = draw_rate(d);
    m->beat = draw_rate(d);
    m->delay = delays[draw_below(d, 4)];
    m->ack = delays[draw_below(d, 4)];
    m->mixed = one_in(d, 2);
    m->refused = one_in(d, 4) ? 64 : 0;
}

/* ---- Inputs ---- */

static void garbage(struct cache_example_driver *d, uint32_t *words) {
    for (unsigned i = 0; i < d->lines.shape.beat_bytes / 4; i++)
        words[i] = (uint32_t)random_next(&d->rng);
}

/* Fills all payloads with random values, which valid values then overwrite. */
static void drive_garbage(struct cache_example_driver *d, struct cache_example_in *in) {
    const struct cache_shape *s = &d->lines.shape;
    in->req_addr = random_next(&d->rng) & (s->lines * s->bytes - 1);
    in->req_write = draw_below(d, 2);
    in->req_id = draw_below(d, s->ids);
    in->req_mask = random_next(&d->rng) & bits_low(s->beat_bytes);
    in->m_rid = draw_below(d, 1u << bits_to_hold(s->heads - 1));
    in->m_rresp = draw_below(d, 4);
    in->m_rlast = draw_below(d, 2);
    in->m_bresp = draw_below(d, 4);
    garbage(d, in->req_data);
    garbage(d, in->m_rdata);
}

/* Draws an ID. Returns false if it may not be used: a pending request has it, or the maximum number
 * of requests is pending. */
static bool draw_id(struct cache_example_driver *d, uint64_t *id) {
    *id = draw_below(d, d->lines.shape.ids);
    return d->score.live < MAX_LIVE && !d->score.record[*id].live;
}

/* Returns a line that is in `place` and is the phase's hub or a neighbor of it, or CACHE_NONE. */
static int line_at(const struct cache_example_driver *d, enum cache_example_place place) {
    const struct cache_memory *m = &d->memory;
    int first = (int)d->hub->first, end = first + (int)d->hub->all;
    switch (place) {
    case CACHE_EXAMPLE_PLACE_WRITE:
        if (m->writing >= first && m->writing < end)
            return m->writing;
        for (unsigned i = m->writes; i-- > 0;)
            if (m->write[i].line >= first && m->write[i].line < end)
                return m->write[i].line;
        return CACHE_NONE;
    case CACHE_EXAMPLE_PLACE_FETCH:
        for (unsigned i = 0; i < d->lines.shape.heads; i++)
            if (m->fetch[i].open && m->fetch[i].line >= first && m->fetch[i].line < end)
                return m->fetch[i].line;
        return CACHE_NONE;
    default:
        return d->answered >= first && d->answered < end ? d->answered : CACHE_NONE;
    }
}

/* Returns a line whose address differs in one bit from that of a line in the cache, a fetch or a
 * write-back, or CACHE_NONE. For a neighbor, the result is its hub. For a hub, its neighbors take
 * turns, but for a write-back, which is rare, only the neighbors in other sets. */
static int draw_beside(struct cache_example_driver *d) {
    enum cache_example_place place = line_at(d, CACHE_EXAMPLE_PLACE_WRITE) != CACHE_NONE
                                         ? CACHE_EXAMPLE_PLACE_WRITE
                                     : one_in(d, 2) ? CACHE_EXAMPLE_PLACE_FETCH
                                                    : CACHE_EXAMPLE_PLACE_CACHE;
    int line = line_at(d, place), hub = (int)d->hub->first;
    unsigned from = place == CACHE_EXAMPLE_PLACE_WRITE ? d->hub->same_set : 1;
    unsigned end = place == CACHE_EXAMPLE_PLACE_CACHE ? d->hub->same_set : d->hub->all;
    if (line != hub || from == end)
        return line == CACHE_NONE ? line : hub;
    return hub + (int)(from + d->turn[place]++ % (end - from));
}

static unsigned draw_line(struct cache_example_driver *d) {
    int line = d->span > 1 && d->mix != CACHE_EXAMPLE_LINES_ANY && one_in(d, 2) ? draw_beside(d)
                                                                                : CACHE_NONE;
    if (line != CACHE_NONE)
        return (unsigned)line;
    return d->from + (d->mix == CACHE_EXAMPLE_LINES_NEAR && one_in(d, HUB_EVERY)
                          ? 0
                          : draw_below(d, d->span));
}

static void draw_request(struct cache_example_driver *d) {
    const struct cache_shape *s = &d->lines.shape;
    struct cache_example_in *r = &d->req;
    if (d->breach == BREACH_ID || draw_below(d, 16) >= d->requests || !draw_id(d, &r->req_id))
        return;
    const struct cache_line *line = &d->lines.line[draw_line(d)];
    unsigned beat = one_in(d, 2) ? 0 : draw_below(d, s->beats);
    r->req_addr = line->addr + beat * s->beat_bytes + draw_below(d, s->beat_bytes);
    r->req_write = draw_below(d, 16) < d->writes;
    r->req_mask = random_next(&d->rng) & bits_low(s->beat_bytes);
    if (one_in(d, 2))
        r->req_mask = bits_low(s->beat_bytes);
    garbage(d, r->req_data);
    d->offered = true;
}

static void drive_request(struct cache_example_driver *d, struct cache_example_in *in) {
    if (d->offered && d->withdraws && one_in(d, 4)) {
        d->offered = false;
        d->events[EV_WITHDRAWN]++;
    }
    if (!d->offered)
        draw_request(d);
    if (!d->offered)
        return;
    in->req_valid = 1;
    in->req_addr = d->req.req_addr;
    in->req_write = d->req.req_write;
    in->req_id = d->req.req_id;
    in->req_mask = d->req.req_mask;
    memcpy(in->req_data, d->req.req_data, sizeof in->req_data);
}

/* True if the last head has a fetch in flight and head 0 has none. A beat of head 0 is then a
 * breach, which a stale record of its fetch would hide. */
static bool last_head_alone(const struct cache_example_driver *d) {
    const struct cache_fetch *fetch = d->memory.fetch;
    return fetch[d->lines.shape.heads - 1].open && !fetch[0].open;
}

static void plan_phase(struct cache_example_driver *d) {
    if (!d->reset_in && one_in(d, RESET_EVERY))
        d->reset_in = 1;
    if (d->reset_in || d->breach)
        return;
    if (one_in(d, BREACH_EVERY))
        d->breach = d->memory.breach = (enum cache_breach)(1 + draw_below(d, N_BREACHES - 1));
    else if (last_head_alone(d) && one_in(d, BREACH_ALONE_EVERY))
        d->breach = d->memory.breach = BREACH_ID;
}

static void drive_inputs(void *driver, void *in_) {
    struct cache_example_driver *d = driver;
    struct cache_example_in *in = in_;
    memset(in, 0, sizeof *in);
    if (d->cycle >= d->phase_end)
        draw_phase(d);
    plan_phase(d);
    drive_garbage(d, in);
    drive_request(d, in);
    d->memory.idle = d->score.live == 0;
    cache_memory_drive(&d->memory, in);
    in->rsp_ready = draw_below(d, 16) < d->answers;
    in->rst = d->cycle == 0 || d->reset_in == 1;
    d->reset_in -= d->reset_in > 0;
}

/* ---- Outputs ---- */

static void draw_reset(struct cache_example_driver *d) {
    d->events[EV_RESET] += d->cycle > 0;
    d->events[EV_RESET_FETCH] += d->memory.open > 0;
    d->events[EV_RESET_WRITE] += d->memory.writes > 0 || d->memory.writing != CACHE_NONE;
    cache_memory_reset(&d->memory);
    cache_score_reset(&d->score);
    d->offered = d->before = false;
    d->answered = CACHE_NONE;
    d->run = 0;
    d->breach = BREACH_NONE;
    d->last_move = d->cycle;
}

/* Checks that err names the violation, and plans the reset that follows it. */
static const char *check_err(struct cache_example_driver *d, const struct cache_example_out *out) {
    if (!out->err)
        return NULL;
    if (!d->memory.broken)
        return "err without a violation by memory";
    if (out->err != (d->breach == BREACH_ACK ? 2 : 1))
        return "err is wrong";
    if (d->reset_in)
        return NULL;
    d->events[d->breach == BREACH_ID     ? EV_BREACH_ID
              : d->breach == BREACH_LAST ? EV_BREACH_LAST
                                         : EV_BREACH_ACK]++;
    d->reset_in = 1 + draw_below(d, 30);
    return NULL;
}

/* Checks that the cache makes progress. After a violation by memory, it must report the violation
 * soon, even if it makes progress. */
static const char *check_progress(struct cache_example_driver *d, const struct cache_example_in *in,
                                  const struct cache_example_out *out) {
    bool moves = (in->req_valid && out->req_ready) || (out->rsp_valid && in->rsp_ready) ||
                 (in->m_rvalid && out->m_rready) || (out->m_arvalid && in->m_arready);
    if (!d->memory.broken && (moves || !d->score.live))
        d->last_move = d->cycle;
    if (d->cycle - d->last_move <= PATIENCE)
        return NULL;
    return d->memory.broken ? "no err after a violation by memory" : "no progress";
}

static void come_beside(struct cache_example_driver *d, enum cache_example_place place,
                        uint64_t addr, int line) {
    uint64_t differ = line == CACHE_NONE ? 0 : addr ^ d->lines.line[line].addr;
    differ /= d->lines.shape.bytes;
    if (differ && !(differ & (differ - 1)))
        d->near_hits[place][bits_lowest(differ)]++;
}

static void cover_beside(struct cache_example_driver *d, uint64_t addr) {
    const struct cache_memory *m = &d->memory;
    addr &= ~(uint64_t)(d->lines.shape.bytes - 1);
    come_beside(d, CACHE_EXAMPLE_PLACE_CACHE, addr, d->answered);
    for (unsigned i = 0; i < d->lines.shape.heads; i++)
        come_beside(d, CACHE_EXAMPLE_PLACE_FETCH, addr,
                    m->fetch[i].open ? m->fetch[i].line : CACHE_NONE);
    for (unsigned i = 0; i < m->writes; i++)
        come_beside(d, CACHE_EXAMPLE_PLACE_WRITE, addr, m->write[i].line);
    come_beside(d, CACHE_EXAMPLE_PLACE_WRITE, addr, m->writing);
}

static void note_coverage(struct cache_example_driver *d, const struct cache_example_in *in,
                          const struct cache_example_out *out, uint64_t answered,
                          uint64_t overtaken) {
    bool is_taken = in->req_valid && out->req_ready;
    d->waited[out->st_wait]++;
    d->events[EV_BACK_TO_BACK] += is_taken && d->before;
    d->before = is_taken;
    d->run = d->score.answered > answered ? d->run + 1 : 0;
    d->events[EV_QUICK] += d->run == 4;
    d->events[EV_HIT_UNDER_MISS] +=
        d->memory.open && d->score.events[CACHE_EV_OVERTAKES] > overtaken;
    if (is_taken) {
        cover_beside(d, in->req_addr);
        d->offered = false;
    }
    if (out->rsp_valid)
        d->answered = d->score.record[out->rsp_id].line;
}

static const char *sample_outputs(void *driver, const void *in_, const void *out_) {
    struct cache_example_driver *d = driver;
    const struct cache_example_in *in = in_;
    const struct cache_example_out *out = out_;
    const char *broken = NULL;
    if (d->cycle > 0 && !in->rst) {
        uint64_t answered = d->score.answered, overtaken = d->score.events[CACHE_EV_OVERTAKES];
        bool stopped = d->memory.broken;
        broken = check_err(d, out);
        if (!broken)
            broken = cache_memory_sample(&d->memory, in, out);
        if (!broken && !stopped)
            broken = cache_score_sample(&d->score, in, out);
        if (!broken)
            broken = check_progress(d, in, out);
        note_coverage(d, in, out, answered, overtaken);
    }
    if (in->rst)
        draw_reset(d);
    d->cycle++;
    return broken;
}

/* ---- Coverage ---- */

static void add_point(struct cache_example_driver *d, size_t *n, const char *name, uint64_t hits,
                      bool possible) {
    d->points[(*n)++] = (struct cover_point){name, hits, possible};
}

static uint64_t rarest(const struct cache_example_driver *d, enum cache_example_place place) {
    const struct cache_shape *s = &d->lines.shape;
    uint64_t least = UINT64_MAX;
    for (unsigned bit = place == CACHE_EXAMPLE_PLACE_CACHE ? s->set_bits : 0; bit < s->line_bits;
         bit++)
        least = d->near_hits[place][bit] < least ? d->near_hits[place][bit] : least;
    return least;
}

static bool wait_possible(const struct cache_shape *s, enum cache_wait wait) {
    switch (wait) {
    case CACHE_WAIT_ENTRY_FULL:
        return s->heads <= 16 && s->ids > s->heads;
    case CACHE_WAIT_WRITE:
        return s->heads > 2;
    case CACHE_WAIT_MERGE_FULL:
        return s->heads * s->slots <= 64 && s->ids > s->heads;
    case CACHE_WAIT_WAYS:
        return s->heads > s->ways && s->tags > s->ways;
    case CACHE_WAIT_BUFFER:
    case CACHE_WAIT_EVICTED:
    case CACHE_WAIT_COPY:
    case CACHE_WAIT_VICTIM:
        return s->tags > s->ways && (wait != CACHE_WAIT_BUFFER || s->evicts <= 4);
    default:
        return true;
    }
}

static bool memory_possible(const struct cache_shape *s, enum cache_memory_event e) {
    switch (e) {
    case CACHE_EV_FETCH_ALL:
        return s->heads <= 16 && s->ids >= s->heads;
    case CACHE_EV_BEAT_HELD:
        return s->heads > 2 && s->ids >= s->heads;
    case CACHE_EV_MIXED:
    case CACHE_EV_FETCH_FAILS_ONCE:
        return s->beats > 1;
    case CACHE_EV_WRITES_ALL:
        return s->evicts <= 4;
    default:
        return true;
    }
}

static size_t list_coverage(void *driver, const struct cover_point **points) {
    static const char *const events[] = {
#define X(id, text) text,
        EVENTS(X)};
    static const char *const memory_texts[] = {CACHE_MEMORY_EVENTS(X)};
    static const char *const score_texts[] = {CACHE_SCORE_EVENTS(X)
#undef X
    };
    struct cache_example_driver *d = driver;
    const struct cache_shape *s = &d->lines.shape;
    size_t n = 0;
    for (unsigned i = 0; i < N_EVENTS; i++)
        add_point(d, &n, events[i], d->events[i], i != EV_QUICK || s->ids > 8);
    for (unsigned i = 0; i < CACHE_EXAMPLE_N_PLACES; i++)
        add_point(d, &n, place_texts[i], rarest(d, (enum cache_example_place)i), true);
    for (unsigned i = 1; i < CACHE_N_WAITS; i++)
        add_point(d, &n, waits[i], d->waited[i], wait_possible(s, (enum cache_wait)i));
    for (unsigned i = 0; i < CACHE_MEMORY_N_EVENTS; i++)
        add_point(d, &n, memory_texts[i], d->memory.events[i],
                  memory_possible(s, (enum cache_memory_event)i));
    for (unsigned i = 0; i < CACHE_SCORE_N_EVENTS; i++)
        add_point(d, &n, score_texts[i], d->score.events[i], true);
    *points = d->points;
    return n;
}

static void destroy_driver(void *driver) {
    struct cache_example_driver *d = driver;
    cache_score_free(&d->score);
    free(d);
}

static void *create_driver(const struct block_type *type, const struct block_params *p,
                           uint64_t seed, uint64_t cycles) {
    struct cache_example_driver *d = alloc_zeroed(1, sizeof *d);
    (void)type;
    (void)cycles;
    d->rng = seed;
    cache_lines_init(&d->lines, p, &d->rng);
    cache_memory_init(&d->memory, &d->lines, &d->rng);
    cache_score_init(&d->score, &d->lines);
    return d;
}

const struct cosim_driver cache_example_driver = {.create = create_driver,
                                                  .destroy = destroy_driver,
                                                  .drive = drive_inputs,
                                                  .sample = sample_outputs,
                                                  .coverage = list_coverage};
