/* SPDX-License-Identifier: Apache-2.0 */
/* The cache inside an L1D, an L2 bank and a level below it: lines with tags and data, an MSHR and
 * the misses that it tracks, the queue to the next level, refusals. Its users (l1d/, l2/, memory/)
 * classify requests and handle stores, replies and responses.
 *
 * A cycle of a user:
 *   classify    cache_find, then a plan: the request's outcome, by the state at the start
 *   ask         cache_ask, cache_return: the MSHR's inputs
 *   step        cache_step: the MSHR's cycle; a response leaves the miss that drains
 *   accept      cache_answer: the MSHR's decision; then cache_track or cache_refuse
 *   look up     cache_look: the granule of the next request to the MSHR
 *   fill        cache_begin_drain: the data of a miss have arrived, its requests drain from now on
 *
 * docs/understand/cache.md has the contract: signals, cycles, parameters.
 */
#ifndef MEMTWIN_CACHE_CACHE_H
#define MEMTWIN_CACHE_CACHE_H

#include "cache/addr_map.h"
#include "cache/cache_policy.h"
#include "cache/lines.h"
#include "cache/misses.h"
#include "cache/mshr_unit.h"
#include "cache/refusals.h"
#include "cache/set_index.h"
#include "context/context.h"
#include "lib/fifo.h"
#include "lib/request.h"
#include "stats/gauge.h"
#include "stats/stats.h"

/* Place of a request in the cache. */
struct cache_place {
    uint32_t set, way, miss; /* way may be WAY_NONE, miss MISS_NONE */
};

/* Filled in by the functions that classify a request and return its outcome. */
struct cache_plan {
    enum cache_outcome outcome;
    enum refusal why; /* of CACHE_REFUSED */
    struct cache_place at;
    bool claim;  /* the way gets a new line */
    bool turned; /* it should have bypassed the cache, but found no room */
};

/* The plan needs the MSHR. */
static inline bool cache_misses(const struct cache_plan *plan) {
    return plan->outcome == CACHE_PRIMARY || plan->outcome == CACHE_SECONDARY;
}

/* The policies of a cache: at most one bypass policy, at most one victim policy, and all observers
 * (cache/policies.c). */
#define CACHE_POLICIES 8

struct cache_policy_of {
    const struct cache_policy *type;
    void *state; /* owned */
};

struct cache_policies {
    struct cache_policy_of bypass, victim; /* active; `type` NULL: none */
    uint32_t listeners;                    /* active observers */
    struct cache_policy_of listener[CACHE_POLICIES];
    bool asked;         /* an active policy is called in each cycle */
    bool misses_bypass; /* set by an active policy */
    uint32_t n_all;     /* attached policies */
    struct cache_policy_of all[CACHE_POLICIES];
};

/* Fields used in each cycle come first. */
struct cache {
    struct context *context; /* not owned */
    struct stats *stats;     /* not owned */
    bool sectored, allocate_on_fill;
    enum cache_use use; /* the policies' decision on this cycle's request */
    struct refusals refusals;
    struct lines lines;
    struct mshr_unit mshr;
    struct misses misses;
    struct fifo miss_queue; /* fetches and other requests to the next level */
    struct fifo *evicts;    /* queue of write-backs: the miss queue, or a separate buffer */
    uint32_t promised;      /* places of `evicts` that accepted requests will need */
    struct miss drain;      /* `first` is the next request to leave; GRANULE_NONE: no drain */
    struct cache_policies policies;
    struct stats *const *kernel_stats; /* not owned; by kernel; NULL while one runs */
};

struct cache_size {
    uint32_t sets, ways, miss_queue;
    bool sectored, allocate_on_fill;
    struct mshr_geometry mshr;
};

/* By the keys of section l1d or l2. id, data: bits of an id in the MSHR, and of write data for each
 * bit of the byte mask (0: it has none). */
#define CACHE_SIZE_OF(cfg, cache, id, data)                                                        \
    {                                                                                              \
        .sets = (uint32_t)(cfg)->cache##_sets, .ways = (uint32_t)(cfg)->cache##_ways,              \
        .miss_queue = (uint32_t)(cfg)->cache##_miss_queue, .sectored = (cfg)->cache##_sectored,    \
        .allocate_on_fill = (cfg)->cache##_allocate == ALLOCATE_FILL, .mshr = {                    \
            .keys = MSHR_KEYS_OF(cfg, cache),                                                      \
            .addr_w = ADDR_LINE_BITS + ((cfg)->cache##_sectored ? 2 : 0),                          \
            .off_w = (cfg)->cache##_sectored ? SECTOR_BITS : LINE_BITS,                            \
            .id_w = (id),                                                                          \
            .data_w = (data) * ((cfg)->cache##_sectored ? SECTOR_BYTES : LINE_BYTES),              \
        }                                                                                          \
    }

/* refusals: not owned. */
void cache_init(struct cache *c, const struct cache_size *size, struct context *context,
                struct stats *stats, const struct refusal_stats *refusals);
/* Makes the MSHR, under that name. Returns 0, or -1 with one line in err. */
int cache_init_mshr(struct cache *c, const struct cache_size *size, const char *name, char *err,
                    size_t err_size);
void cache_free(struct cache *c);

/* ---- granules ---- */

static inline uint64_t cache_line_of(const struct cache *c, uint64_t granule) {
    return c->sectored ? granule / LINE_SECTORS : granule;
}

/* The granule of an access that touches one of them. */
static inline uint64_t cache_granule(const struct cache *c, const struct request *r) {
    return c->sectored ? r->line * LINE_SECTORS + mask_first(&r->mask) / SECTOR_BYTES : r->line;
}

/* The sectors of a granule, one bit each. */
static inline unsigned cache_sectors(const struct cache *c, uint64_t granule) {
    return c->sectored ? 1u << granule % LINE_SECTORS : SECTORS_ALL;
}

static inline struct byte_mask cache_bytes(const struct cache *c, uint64_t granule) {
    return mask_of_sectors(cache_sectors(c, granule));
}

/* Byte offset of a granule in its line, and its bytes. */
static inline unsigned cache_offset(const struct cache *c, uint64_t granule) {
    return c->sectored ? SECTOR_BYTES * (unsigned)(granule % LINE_SECTORS) : 0;
}

static inline unsigned cache_granule_bytes(const struct cache *c) {
    return c->sectored ? SECTOR_BYTES : LINE_BYTES;
}

/* ---- classify ---- */

/* The way of the line in that set, and the miss of the granule. With allocation on a miss, a way
 * says of itself which sectors are in flight. */
static inline struct cache_place cache_find(const struct cache *c, uint32_t set, uint64_t line,
                                            uint64_t granule) {
    const struct cache_place at = {set, lines_find(&c->lines, set, line), MISS_NONE};
    if (!c->misses.used)
        return at;
    if (!c->allocate_on_fill &&
        (at.way == WAY_NONE || !(c->lines.pending[at.way] & cache_sectors(c, granule))))
        return at;
    return (struct cache_place){at.set, at.way, misses_find(&c->misses, granule)};
}

static inline enum cache_outcome cache_refusal(struct cache_plan *plan, enum refusal why) {
    plan->why = why;
    return CACHE_REFUSED;
}

/* Places for write-backs that neither hold one nor are promised. */
static inline uint32_t cache_evict_places(const struct cache *c) {
    return c->evicts->capacity - c->evicts->count - c->promised;
}

/* The queue without room for that many fetches and write-backs, or REFUSE_NONE. */
static inline enum refusal cache_lacks(const struct cache *c, uint32_t fetches, uint32_t writes) {
    const uint32_t places = c->miss_queue.capacity - c->miss_queue.count;
    if (c->evicts == &c->miss_queue)
        return places < fetches + writes ? REFUSE_MISS_QUEUE : REFUSE_NONE;
    if (places < fetches)
        return REFUSE_MISS_QUEUE;
    return writes > cache_evict_places(c) ? REFUSE_EVICT_BUFFER : REFUSE_NONE;
}

/* A load may bypass the cache in this cycle: none of the bytes is newer here than below. */
static inline bool cache_can_bypass(const struct cache *c, const struct cache_plan *plan,
                                    const struct byte_mask *bytes) {
    const uint32_t way = plan->claim ? WAY_NONE : plan->at.way;
    return !fifo_full(&c->miss_queue) &&
           (way == WAY_NONE || !mask_meet(&c->lines.dirty[way], bytes));
}

/* Whether the bypass policy lets a load that would be refused bypass the cache. */
static inline enum cache_detour cache_detour(const struct cache *c, enum refusal why) {
    const struct cache_policy_of *p = &c->policies.bypass;
    return p->type && p->type->refused_load ? p->type->refused_load(p->state, why) : CACHE_STAY;
}

/* The victim policy's choice. One that no cache could replace is a fault of the run. */
uint32_t cache_policy_victim(const struct cache *c, uint32_t set, const struct request *r);
/* The way that a new line may take for the request, or WAY_NONE. */
static inline uint32_t cache_victim(const struct cache *c, uint32_t set, const struct request *r) {
    return c->policies.victim.type ? cache_policy_victim(c, set, r) : lines_victim(&c->lines, set);
}

/* The request needs a way for its line, and room for what it sends besides the victim's dirty
 * bytes. */
static inline enum cache_outcome cache_plan_claim(const struct cache *c, struct cache_plan *plan,
                                                  enum cache_outcome outcome,
                                                  const struct request *r, uint32_t fetches,
                                                  uint32_t writes) {
    const uint32_t way = cache_victim(c, plan->at.set, r);
    if (way == WAY_NONE)
        return cache_refusal(plan, REFUSE_WAY);
    const enum refusal why = cache_lacks(c, fetches, writes + lines_dirty(&c->lines, way));
    if (why)
        return cache_refusal(plan, why);
    plan->at.way = way;
    plan->claim = true;
    return outcome;
}

/* ---- the MSHR ---- */

/* Shows the request of a miss to the MSHR, if the MSHR has looked its granule up. tag: bits that
 * come back with its response. */
void cache_ask(struct cache *c, uint64_t granule, unsigned offset, uint32_t tag);
/* Shows RET of a miss. */
static inline void cache_return(struct cache *c, uint32_t entry) {
    c->mshr.in.ret_valid = 1;
    c->mshr.in.ret_head = entry;
}
/* The MSHR's cycle; room: a response may leave. Returns the request that leaves the miss that
 * drains, or REQUEST_NONE: its bits are in mshr.out. */
uint32_t cache_step(struct cache *c, uint64_t cycle, bool room);
/* The last response of a miss has left. */
void cache_end_drain(struct cache *c);
/* Why the MSHR refuses the request that it was shown; REFUSE_NONE: it has accepted it. */
static inline enum refusal cache_answer(const struct cache *c) {
    static const uint8_t why[] = {
        [MSHR_REFUSE_NONE] = REFUSE_ENTRY_FULL, /* in reset */
        [MSHR_REFUSE_ENTRY_FULL] = REFUSE_ENTRY_FULL,
        [MSHR_REFUSE_MERGE_FULL] = REFUSE_MERGE_FULL,
        [MSHR_REFUSE_WALK] = REFUSE_WALK,
    };
    const struct mshr_out *out = &c->mshr.out;
    return out->req_ready ? REFUSE_NONE : (enum refusal)why[out->req_refuse & 3];
}
/* Something watches the MSHR, and may answer otherwise than the model (a twin that drives). */
static inline bool cache_watched(const struct cache *c) {
#ifdef MEMTWIN_CHECKED
    (void)c; /* the model's answers count as those of a twin would */
    return true;
#else
    return c->mshr.block.inst.probe != NULL;
#endif
}
/* The MSHR has accepted the request of a miss: it says primary or secondary as the plan does, and
 * tracks no more requests than it has slots. If not, that is a fault of the run. */
bool cache_agrees(struct cache *c, const struct cache_plan *plan);
/* A twin with a lookup of two cycles is shown, at the end of a cycle, the granule that the next
 * request asks for; GRANULE_NONE: the one before. */
static inline void cache_look(struct cache *c, uint64_t granule) {
    mshr_unit_look(&c->mshr, granule);
}

/* ---- accept ---- */

/* The way gets the line for that request. The victim's dirty bytes have left. */
static inline void cache_claim(struct cache *c, uint32_t way, uint64_t line,
                               const struct request *r) {
    const struct cache_policy_of *p = &c->policies.victim;
    if (p->type && p->type->claim)
        p->type->claim(p->state, way, r);
    lines_claim(&c->lines, way, line);
}

/* An access uses the line of the way. */
static inline void cache_touch(struct cache *c, uint32_t way) {
    const struct cache_policy_of *p = &c->policies.victim;
    lines_touch(&c->lines, way);
    if (p->type && p->type->touch)
        p->type->touch(p->state, way);
}

/* Appends a new request to the queue to the next level. Sets kind, line and mask; all other members
 * are zero for the caller to set. Returns its number. */
uint32_t cache_send(struct cache *c, struct fifo *queue, enum request_kind kind, uint64_t line,
                    const struct byte_mask *mask);
/* The MSHR has accepted request `number` of a miss. The request and its way wait for the data; the
 * way has been claimed if the plan says so. A primary miss sends its fetch. */
void cache_track(struct cache *c, const struct cache_plan *plan, uint32_t number, uint64_t granule);
/* Frees a way that holds no bytes and has no fetch in flight. */
static inline void cache_free_if_empty(struct cache *c, uint32_t way) {
    if (mask_none(&c->lines.valid[way]) && !c->lines.pending[way])
        lines_drop(&c->lines, way);
}

/* ---- fill ---- */

/* Whether a miss waits for the reply. If not, records a failure of the run. */
bool cache_expects(struct cache *c, const struct request *reply);
/* Tells the victim policy that a fill has claimed the way. */
static inline void cache_note_fill(struct cache *c, uint32_t way) {
    const struct cache_policy_of *p = &c->policies.victim;
    if (p->type && p->type->fill)
        p->type->fill(p->state, way);
}
/* The MSHR accepted RET of the miss: its requests drain from now on. */
static inline void cache_begin_drain(struct cache *c, uint32_t entry) {
    c->drain = c->misses.miss[entry];
    misses_remove(&c->misses, entry);
}

/* ---- counting ---- */

/* Counts one, also for the request's kernel. */
static inline void cache_count(struct cache *c, const struct request *r, enum stat_id id) {
    stat_add(c->stats, id, 1);
    if (c->kernel_stats)
        stat_add(c->kernel_stats[r->origin.kernel], id, 1);
}
/* The request is refused in this cycle. Returns false. */
bool cache_refuse(struct cache *c, const struct request *r, enum refusal why);
/* The request is accepted, so the next one is a new one. Returns true. */
static inline bool cache_accept(struct cache *c) {
    c->refusals.seen = 0;
    c->context->progress++;
    return true;
}
/* Ends a cycle that began with `counted` refused cycles. A refusal in it stands if nothing moved.
 */
static inline void cache_stand(struct cache *c, uint64_t counted, bool moved) {
    c->refusals.standing = !moved && c->refusals.counted != counted;
}
/* Accounts for skipped cycles, each of which refuses the request again. */
void cache_advance(struct cache *c, const struct request *r, uint64_t cycles);
/* Statistics of the MSHR up to that cycle: busy cycles, slot cycles, capacity. */
struct cache_mshr_stats {
    enum stat_id busy, slots, capacity;
};
void cache_add_mshr_stats(const struct cache *c, const struct cache_mshr_stats *ids, uint64_t cycle,
                          struct stats *to);

/* ---- policies: policies.c ---- */

/* Attaches a policy, unless it is attached already or not needed. The caller sets map, numbers and
 * configuration in env; the cache sets the rest. leader: the cache of the first SM, or NULL on it.
 * Returns 0, or -1 with one line in err. */
int cache_add_policy(struct cache *c, const struct cache_policy *type,
                     const struct cache_policy_env *env, const struct cache *leader, char *err,
                     size_t err_size);
/* The state of a policy, or NULL if it is not attached. */
void *cache_policy_state(const struct cache *c, const struct cache_policy *type);
/* A launch begins in the next cycle. */
void cache_launch(struct cache *c, const struct cache_launch *launch);
struct cache_users cache_users(const struct cache *c);
/* Begin a cycle. cache_begin_cycle sets `use` for the request (may be NULL), and calls the other
 * two if an active policy needs a call in each cycle. */
void cache_begin_policies(struct cache *c, uint64_t cycle);
void cache_ask_policy(struct cache *c, const struct request *r, uint64_t cycle);
static inline void cache_begin_cycle(struct cache *c, const struct request *r, uint64_t cycle) {
    c->use = r && r->bypass ? CACHE_BYPASS_ALL : CACHE_USE;
    if (!c->policies.asked)
        return;
    cache_begin_policies(c, cycle);
    cache_ask_policy(c, r, cycle);
}

/* Ends a cycle for the policies. r: the request of the cycle, or NULL. */
void cache_tell_policies(struct cache *c, const struct request *r, const struct cache_event *e);
void cache_tell_send(struct cache *c, const struct request *r, uint32_t bank);
void cache_tell_reply(struct cache *c, const struct request *r, const struct request_times *times);
void cache_tell_drop(struct cache *c, uint64_t first, uint64_t end);
uint64_t cache_policies_next_event(const struct cache *c, uint64_t cycle);
void cache_policies_advance(struct cache *c, uint64_t cycles);
void cache_policies_dump(const struct cache *c, uint32_t number, FILE *out);

#endif
