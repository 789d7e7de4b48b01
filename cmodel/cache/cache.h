/* SPDX-License-Identifier: Apache-2.0 */
/* Implements the common part of an L1D and an L2 bank: lines with tags and data, an MSHR and the
 * misses that it tracks, the queue to the next level, and refusals. L1Ds (l1d/) and L2 banks (l2/)
 * classify requests and handle stores, replies and responses.
 *
 * A cycle of an L1D or L2 bank has these steps:
 *   classify    calls cache_find, then plans the request's outcome, given the state at the start
 *               of the cycle
 *   ask         calls cache_ask and cache_return, which set the MSHR's inputs
 *   step        calls cache_step, which runs the MSHR's cycle; a request of the draining miss
 *               may leave
 *   accept      calls cache_answer for the MSHR's decision, then cache_track or cache_refuse
 *   look up     calls cache_look, which gives the MSHR the granule of its next request
 *   fill        if the data of a miss have arrived, calls cache_begin_drain to drain its requests
 *
 * docs/understand/cache.md has the contract: signals, cycles, parameters.
 */
#ifndef MEMTWIN_CACHE_CACHE_H
#define MEMTWIN_CACHE_CACHE_H

#include <string.h>

#include "cache/addr_map.h"
#include "cache/cache_policy.h"
#include "cache/lines.h"
#include "cache/misses.h"
#include "cache/mshr_unit.h"
#include "cache/refusals.h"
#include "cache/set_index.h"
#include "context/context.h"
#include "lib/ring.h"
#include "lib/request.h"
#include "stats/gauge.h"
#include "stats/stats.h"

/* Location of a request in the cache. */
struct cache_place {
    uint32_t set, way, /* WAY_NONE if no way holds the line */
        miss;          /* MSHR entry of the granule's miss, or MISS_NONE */
};

/* Plan for a request. The functions that return the request's outcome fill it in. */
struct cache_plan {
    enum cache_outcome outcome;
    enum refusal why; /* valid for CACHE_REFUSED */
    struct cache_place place;
    bool claim;  /* the request's line is assigned to the way */
    bool turned; /* the request should have bypassed the cache, but does not */
};

/* True if the plan needs the MSHR. */
static inline bool cache_misses(const struct cache_plan *plan) {
    return plan->outcome == CACHE_PRIMARY || plan->outcome == CACHE_SECONDARY;
}

/* Maximum number of policies attached to a cache (cache/policies.c), including at most one bypass
 * policy and at most one victim policy. */
#define CACHE_POLICIES 8

struct cache_policy_of {
    const struct cache_policy *type;
    void *state; /* owned */
};

struct cache_policies {
    struct cache_policy_of bypass, victim; /* active policies; `type` is NULL if there is none */
    uint32_t listeners;                    /* number of active observers */
    struct cache_policy_of listener[CACHE_POLICIES];
    bool asked;         /* an active policy must be called in each cycle */
    bool misses_bypass; /* an active policy has misses_bypass set */
    uint32_t n_all;     /* number of attached policies */
    struct cache_policy_of all[CACHE_POLICIES];
};

/* MSHR that tracks the misses of every n-th granule, and its draining miss. */
struct cache_bank {
    struct mshr_unit mshr;
    struct miss drain;  /* `first` is the next request to leave; granule is GRANULE_NONE if no miss
                           drains */
    struct fifo filled; /* entries of filled misses whose drain has not begun */
};

/* The fields used in each cycle come first. */
struct cache {
    struct context *context; /* not owned */
    struct stats *stats;     /* not owned */
    bool sectored, allocate_on_fill;
    enum cache_use use; /* the policies' decision on this cycle's request */
    struct refusals refusals;
    struct lines lines;
    struct cache_bank *bank; /* owned */
    uint32_t banks;          /* number of banks, a power of two */
    uint32_t bank_entries;   /* number of MSHR entries per bank */
    struct misses misses;    /* entry e of bank b has the number e * banks + b */
    struct fifo miss_queue;  /* queue of fetches and other requests to the next level */
    struct fifo *evicts;     /* queue of write-backs: the miss queue, or a separate buffer */
    uint32_t reservations;   /* number of entries in `evicts` reserved by accepted requests */
    struct cache_policies policies;
    struct stats *const *kernel_stats; /* not owned; one per kernel; NULL if only one kernel runs */
};

struct cache_size {
    uint32_t sets, ways, miss_queue, banks;
    bool sectored, allocate_on_fill;
    struct mshr_geometry mshr;
};

/* Initializes the sizes from the keys of section l1d or l2. `sectors` is true if lines have
 * sectors. `id` is the width of the MSHR's ids in bits. `data` is the number of bits of write data
 * that the MSHR keeps per byte of a granule, 8 or 0. The cache has one bank. */
#define CACHE_SIZE_OF(cfg, cache, sectors, id, data)                                               \
    {                                                                                              \
        .sets = (uint32_t)(cfg)->cache##_sets, .ways = (uint32_t)(cfg)->cache##_ways,              \
        .miss_queue = (uint32_t)(cfg)->cache##_miss_queue, .banks = 1, .sectored = (sectors),      \
        .allocate_on_fill = (cfg)->cache##_allocate == ALLOCATE_FILL, .mshr = {                    \
            .keys = MSHR_KEYS_OF(cfg, cache),                                                      \
            .addr_w = ADDR_LINE_BITS + ((sectors) ? 2 : 0),                                        \
            .off_w = (sectors) ? SECTOR_BITS : LINE_BITS,                                          \
            .id_w = (id),                                                                          \
            .data_w = (data) * ((sectors) ? SECTOR_BYTES : LINE_BYTES),                            \
        }                                                                                          \
    }

/* Creates the cache without its MSHR. `refusals` is not owned. */
void cache_init(struct cache *c, const struct cache_size *size, struct context *context,
                struct stats *stats, const struct refusal_stats *refusals);
/* Creates the MSHR with this name, or the MSHRs NAME.0, NAME.1 and so on. Returns 0, or -1 with one
 * line in err. */
int cache_init_mshr(struct cache *c, const struct cache_size *size, const char *name,
                    struct error *err);
void cache_free(struct cache *c);

/* ---- requests and data ---- */

static inline struct request *cache_request(const struct cache *c, uint32_t number) {
    return request_at(&c->context->pool, number);
}

/* Returns the data of a request, or NULL if requests carry no data. */
static inline uint8_t *cache_data(const struct cache *c, uint32_t number) {
    return c->context->carry ? request_data(&c->context->pool, number) : NULL;
}

/* Returns the data of a way, or NULL if lines carry no data. */
static inline const uint8_t *cache_way_data(const struct cache *c, uint32_t way) {
    return c->context->carry ? lines_data(&c->lines, way) : NULL;
}

/* Copies the way's data to the request, if requests carry data. */
static inline void cache_read(const struct cache *c, uint32_t number, uint32_t way) {
    if (c->context->carry)
        memcpy(cache_data(c, number), lines_data(&c->lines, way), LINE_BYTES);
}

/* Applies those writes in the queue that are to `line`, in order, to `data`. Requests must carry
 * data. */
void cache_read_queue(const struct cache *c, const struct fifo *queue, uint64_t line,
                      uint8_t data[LINE_BYTES]);

/* ---- granules ---- */

static inline uint64_t cache_line_of(const struct cache *c, uint64_t granule) {
    return c->sectored ? granule / LINE_SECTORS : granule;
}

/* Returns the granule of a request that touches only one granule. */
static inline uint64_t cache_granule(const struct cache *c, const struct request *r) {
    return c->sectored ? r->line * LINE_SECTORS + mask_first(&r->mask) / SECTOR_BYTES : r->line;
}

/* Returns the sectors of a granule, one bit each. */
static inline unsigned cache_sectors(const struct cache *c, uint64_t granule) {
    return c->sectored ? 1u << granule % LINE_SECTORS : SECTORS_ALL;
}

static inline struct byte_mask cache_bytes(const struct cache *c, uint64_t granule) {
    return mask_of_sectors(cache_sectors(c, granule));
}

/* Returns the byte offset of a granule in its line. */
static inline unsigned cache_offset(const struct cache *c, uint64_t granule) {
    return c->sectored ? SECTOR_BYTES * (unsigned)(granule % LINE_SECTORS) : 0;
}

/* Returns the size of a granule in bytes. */
static inline unsigned cache_granule_bytes(const struct cache *c) {
    return c->sectored ? SECTOR_BYTES : LINE_BYTES;
}

/* ---- classify ---- */

/* Finds the line's way in the set, and the granule's miss. If ways are allocated on a miss, only a
 * way with pending sectors can have a miss. */
static inline struct cache_place cache_find(const struct cache *c, uint32_t set, uint64_t line,
                                            uint64_t granule) {
    const struct cache_place place = {set, lines_find(&c->lines, set, line), MISS_NONE};
    if (!c->misses.index.used)
        return place;
    if (!c->allocate_on_fill &&
        (place.way == WAY_NONE || !(c->lines.way[place.way].pending & cache_sectors(c, granule))))
        return place;
    return (struct cache_place){place.set, place.way, misses_find(&c->misses, granule)};
}

static inline enum cache_outcome cache_refusal(struct cache_plan *plan, enum refusal why) {
    plan->why = why;
    return CACHE_REFUSED;
}

/* Returns the number of free, unreserved entries for write-backs. */
static inline uint32_t cache_evict_places(const struct cache *c) {
    return c->evicts->capacity - c->evicts->count - c->reservations;
}

/* Returns a refusal if a queue has too little room for these numbers of fetches and write-backs,
 * otherwise REFUSE_NONE. */
static inline enum refusal cache_lacks(const struct cache *c, uint32_t fetches, uint32_t writes) {
    const uint32_t places = c->miss_queue.capacity - c->miss_queue.count;
    if (c->evicts == &c->miss_queue)
        return places < fetches + writes ? REFUSE_MISS_QUEUE : REFUSE_NONE;
    if (places < fetches)
        return REFUSE_MISS_QUEUE;
    return writes > cache_evict_places(c) ? REFUSE_EVICT_BUFFER : REFUSE_NONE;
}

/* True if a load may bypass the cache in this cycle: the miss queue has room, and none of the
 * load's bytes is newer in this cache than in the next level. */
static inline bool cache_can_bypass(const struct cache *c, const struct cache_plan *plan,
                                    const struct byte_mask *bytes) {
    const uint32_t way = plan->claim ? WAY_NONE : plan->place.way;
    return !ring_full(&c->miss_queue) &&
           (way == WAY_NONE || !mask_meet(&c->lines.way[way].dirty, bytes));
}

/* Returns the bypass policy's alternative for a load that would be refused. */
static inline enum cache_detour cache_detour(const struct cache *c, enum refusal why) {
    const struct cache_policy_of *p = &c->policies.bypass;
    return p->type && p->type->refused_load ? p->type->refused_load(p->state, why) : CACHE_STAY;
}

/* Returns the victim policy's choice. If that way cannot be replaced, returns WAY_NONE and records
 * a fault of the run. */
uint32_t cache_policy_victim(const struct cache *c, uint32_t set, const struct request *r);
/* Returns the victim for the request, or WAY_NONE if no way can be replaced. */
static inline uint32_t cache_victim(const struct cache *c, uint32_t set, const struct request *r) {
    return c->policies.victim.type ? cache_policy_victim(c, set, r) : lines_victim(&c->lines, set);
}

/* Plans a request that needs a way for its line, and room for `fetches` fetches, `writes` writes
 * and the victim's dirty bytes. Returns `outcome` or CACHE_REFUSED. */
static inline enum cache_outcome cache_plan_claim(const struct cache *c, struct cache_plan *plan,
                                                  enum cache_outcome outcome,
                                                  const struct request *r, uint32_t fetches,
                                                  uint32_t writes) {
    const uint32_t way = cache_victim(c, plan->place.set, r);
    if (way == WAY_NONE)
        return cache_refusal(plan, REFUSE_WAY);
    const enum refusal why = cache_lacks(c, fetches, writes + lines_dirty(&c->lines, way));
    if (why)
        return cache_refusal(plan, why);
    plan->place.way = way;
    plan->claim = true;
    return outcome;
}

/* ---- the MSHR ---- */

/* Returns the bank of a granule. */
static inline struct cache_bank *cache_bank_of(const struct cache *c, uint64_t granule) {
    return &c->bank[granule & (c->banks - 1)];
}
/* Returns the number of the miss in an MSHR entry of a bank. */
static inline uint32_t cache_miss_in(const struct cache *c, const struct cache_bank *b,
                                     uint32_t entry) {
    return entry * c->banks + (uint32_t)(b - c->bank);
}
/* Returns the number of the bank of a miss. */
static inline uint32_t cache_bank_of_miss(const struct cache *c, uint32_t miss) {
    return miss & (c->banks - 1);
}
/* Sends the request of a miss to its MSHR, unless the MSHR must first look up the granule. The
 * response carries `tag`. */
void cache_ask(struct cache *c, uint64_t granule, unsigned offset, uint32_t tag, bool write);
/* Returns the number of the miss that waits for a fetch, which has the MSHR entry of its bank. */
static inline uint32_t cache_miss_of(const struct cache *c, const struct request *fetch) {
    const struct cache_bank *b = c->banks > 1 ? cache_bank_of(c, cache_granule(c, fetch)) : c->bank;
    return cache_miss_in(c, b, fetch->entry);
}
/* Reports to the MSHR (ports RET) that the data of a miss have arrived. */
static inline void cache_return(struct cache *c, uint32_t entry) {
    struct mshr_unit *u = &c->bank[cache_bank_of_miss(c, entry)].mshr;
    u->returns = c->misses.miss[entry].granule;
    u->in.ret_valid = 1;
    u->in.ret_head = entry / c->banks;
}
/* True if the bank's MSHR needs no tick before an input arrives (mshr_unit_next_event). */
static inline bool cache_bank_idle(const struct cache_bank *b, bool standing) {
    return !b->filled.count && mshr_unit_next_event(&b->mshr, standing) != 0;
}
/* Returns the number of requests that the MSHRs track. */
static inline uint64_t cache_tracked(const struct cache *c) {
    uint64_t n = 0;
    for (uint32_t i = 0; i < c->banks; i++)
        n += mshr_unit_used(&c->bank[i].mshr);
    return n;
}
/* Runs the cycle of a bank's MSHR. `room` is true if a response may leave. Returns the request that
 * leaves the draining miss, with its response in mshr.out, or REQUEST_NONE. */
uint32_t cache_step(struct cache *c, struct cache_bank *b, uint64_t cycle, bool room);
/* Ends the drain after the last response, and returns the fetch to the pool. */
void cache_end_drain(struct cache *c, struct cache_bank *b);
/* Returns the MSHR's refusal of the request, or REFUSE_NONE if the MSHR has accepted it. */
static inline enum refusal cache_answer(const struct cache_bank *b) {
    static const uint8_t why[] = {
        [MSHR_REFUSE_NONE] = REFUSE_ENTRY_FULL, /* the MSHR's output in reset */
        [MSHR_REFUSE_ENTRY_FULL] = REFUSE_ENTRY_FULL,
        [MSHR_REFUSE_MERGE_FULL] = REFUSE_MERGE_FULL,
        [MSHR_REFUSE_WALK] = REFUSE_WALK,
    };
    const struct mshr_out *out = &b->mshr.out;
    return out->req_ready ? REFUSE_NONE : (enum refusal)why[out->req_refuse & 3];
}
/* True if a probe on an MSHR may replace the model's outputs, as a twin in drive does. */
static inline bool cache_watched(const struct cache *c) {
#ifdef MEMTWIN_CHECKED
    (void)c; /* test builds check the model's outputs as if a twin had produced them */
    return true;
#else
    return c->bank->mshr.block.inst.probe != NULL;
#endif
}
/* Checks the MSHR after it has accepted the request of a miss: it must report a primary or
 * secondary miss as planned, a new entry must have been free, and the MSHR must not track more
 * requests than it has slots. If the check fails, records a fault of the run and returns false. */
bool cache_agrees(struct cache *c, const struct cache_bank *b, const struct cache_plan *plan);
/* At the end of a cycle, sends the granule of the next request to an MSHR with a two-cycle lookup.
 * GRANULE_NONE keeps the previous granule. */
static inline void cache_look(struct cache_bank *b, uint64_t granule) {
    mshr_unit_look(&b->mshr, granule);
}

/* ---- accept ---- */

/* Claims the way for the request's line. The victim's dirty bytes have already been sent. */
static inline void cache_claim(struct cache *c, uint32_t way, uint64_t line,
                               const struct request *r) {
    const struct cache_policy_of *p = &c->policies.victim;
    if (p->type && p->type->claim)
        p->type->claim(p->state, way, r);
    lines_claim(&c->lines, way, line);
}

/* Records an access to the way's line. */
static inline void cache_touch(struct cache *c, uint32_t way) {
    const struct cache_policy_of *p = &c->policies.victim;
    lines_touch(&c->lines, way);
    if (p->type && p->type->touch)
        p->type->touch(p->state, way);
}

/* Appends a new request to `queue`, which leads to the next level. Sets kind, line and mask, and
 * clears the members that the caller may set. Returns the request's index. */
uint32_t cache_send(struct cache *c, struct fifo *queue, enum request_kind kind, uint64_t line,
                    const struct byte_mask *mask);
/* Sends a write-back of the masked bytes. `from` is the line's data, or NULL if requests carry no
 * data. Returns the request's index. */
uint32_t cache_write_back(struct cache *c, uint64_t line, const struct byte_mask *mask,
                          const uint8_t *from);
/* Tracks request `number`, which the MSHR has accepted for a miss, until the miss's data arrive.
 * Sends the fetch of a primary miss. Records an access to the way, if there is one and the plan
 * does not claim it. */
void cache_track(struct cache *c, const struct cache_plan *plan, uint32_t number, uint64_t granule);
/* Frees the way if it has neither valid bytes nor pending sectors. */
static inline void cache_free_if_empty(struct cache *c, uint32_t way) {
    if (mask_none(&c->lines.way[way].valid) && !c->lines.way[way].pending)
        lines_drop(&c->lines, way);
}

/* ---- fill ---- */

/* True if a miss waits for the reply. If none does, records a fault of the run. */
bool cache_expects(struct cache *c, const struct request *reply);
/* Notifies the victim policy that a fill has claimed the way. */
static inline void cache_note_fill(struct cache *c, uint32_t way) {
    const struct cache_policy_of *p = &c->policies.victim;
    if (p->type && p->type->fill)
        p->type->fill(p->state, way);
}
/* Begins the drain of a miss whose RET the MSHR has accepted. */
static inline void cache_begin_drain(struct cache *c, uint32_t entry) {
    c->bank[cache_bank_of_miss(c, entry)].drain = c->misses.miss[entry];
    misses_remove(&c->misses, entry);
}

/* ---- counting ---- */

/* Adds 1 to a statistic and, if several kernels run, to the same statistic of the request's
 * kernel. */
static inline void cache_count(struct cache *c, const struct request *r, enum stat_id id) {
    stat_add(c->stats, id, 1);
    if (c->kernel_stats)
        stat_add(c->kernel_stats[r->origin.kernel], id, 1);
}
/* Counts a refusal of the request in this cycle. Returns false. */
bool cache_refuse(struct cache *c, const struct request *r, enum refusal why);
/* Records that the request is accepted, so that the next request starts without refusals. Returns
 * true. */
static inline bool cache_accept(struct cache *c) {
    c->refusals.seen = 0;
    c->context->progress++;
    return true;
}
/* Ends a cycle. `counted` is the value of refusals.counted at the start of the cycle. If the
 * request was refused in the cycle and nothing moved, the refusal repeats until something moves. */
static inline void cache_stand(struct cache *c, uint64_t counted, bool has_moved) {
    c->refusals.standing = !has_moved && c->refusals.counted != counted;
}
/* Accounts for skipped cycles, in each of which the request is refused again. */
void cache_advance(struct cache *c, const struct request *r, uint64_t cycles);
/* Statistics of the MSHRs, summed over the banks. */
struct cache_mshr_stats {
    enum stat_id busy, /* number of cycles in which at least one slot is occupied */
        slots,         /* number of occupied slots, summed over all cycles */
        capacity;      /* number of slots, occupied or free, summed over the busy cycles */
};
void cache_add_mshr_stats(const struct cache *c, const struct cache_mshr_stats *ids, uint64_t cycle,
                          struct stats *to);

/* ---- policies: policies.c ---- */

/* Attaches a policy, unless it is already attached or not wanted. The caller sets cfg, map, sm,
 * bank and kernels in env, and this function sets the rest. `leader` is the cache of SM 0, or NULL
 * on SM 0. Returns 0, or -1 with one line in err. */
int cache_add_policy(struct cache *c, const struct cache_policy *type,
                     const struct cache_policy_env *env, const struct cache *leader,
                     struct error *err);
/* Returns the state of a policy, or NULL if it is not attached. */
void *cache_policy_state(const struct cache *c, const struct cache_policy *type);
/* Notifies the policies of a launch that begins in the next cycle. */
void cache_launch(struct cache *c, const struct cache_launch *launch);
struct cache_users cache_users(const struct cache *c);
/* The next three functions begin a cycle for the policies. cache_begin_cycle sets `use` for the
 * request, which may be NULL. It calls the other two functions if an active policy must be called
 * in each cycle. */
void cache_begin_policies(struct cache *c, uint64_t cycle);
void cache_ask_policy(struct cache *c, const struct request *r, uint64_t cycle);
static inline void cache_begin_cycle(struct cache *c, const struct request *r, uint64_t cycle) {
    c->use = r && r->bypass ? CACHE_BYPASS_ALL : CACHE_USE;
    if (!c->policies.asked)
        return;
    cache_begin_policies(c, cycle);
    cache_ask_policy(c, r, cycle);
}

/* Ends a cycle for the policies. `r` is the cycle's request, or NULL. */
void cache_tell_policies(struct cache *c, const struct request *r, const struct cache_event *e);
void cache_tell_send(struct cache *c, const struct request *r, uint32_t bank);
void cache_tell_reply(struct cache *c, const struct request *r, const struct request_times *times);
void cache_tell_drop(struct cache *c, uint64_t first, uint64_t end);
uint64_t cache_policies_next_event(const struct cache *c, uint64_t cycle);
void cache_policies_advance(struct cache *c, uint64_t cycles);
void cache_policies_dump(const struct cache *c, uint32_t number, FILE *out);

#endif
