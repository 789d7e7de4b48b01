/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses which users (warps or CTAs) of an SM bypass its L1D. These are either the users numbered
 * l1d.cache_users and above, or the users chosen by model-driven bypassing, with a bpg block in
 * each SM or with one block in SM 0 for all SMs.
 *
 * The order of calls in a cycle is mdb_ask, the L1D's tick, at most one of mdb_taken and
 * mdb_refused, and mdb_tick. See docs/understand/mdb.md. */
#ifndef MEMTWIN_MDB_MDB_H
#define MEMTWIN_MDB_MDB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "block/block_part.h"
#include "bpg/bpg_ports.h"
#include "config/config.h"
#include "kernel/kernel.h"
#include "stats/stats.h"

/* Values of l1d.mdb_failures. */
enum { L1D_MDB_FAILURES_VALUES(VALUE_ENUMERATOR) };

/* Decision of SM 0's block on its way to the other SMs (mdb_global). */
struct mdb_bus {
    uint32_t lmax,  /* limit that applies from cycle `since` on */
        before;     /* limit that applies before cycle `since` */
    uint64_t since; /* SM cycle from which `lmax` applies */
};

/* Users of a launch. They are the same on each SM. */
struct mdb_users {
    bool ctas;  /* true if the users are CTAs, numbered by slot; false if they are warps of a CTA */
    uint32_t n; /* number of users on an SM, at least 1 */
};

struct mdb {
    uint8_t scheme; /* BYPASS_STATIC, _MDB_LOCAL, _MDB_GLOBAL; BYPASS_NONE if no user bypasses */
    uint32_t all;   /* limit that lets all users use the L1D */
    uint32_t limit; /* number of users that may use the L1D, as of the last tick */
    struct mdb_users users;
    bool past;    /* true if the current access bypasses the L1D if it is a load */
    bool refused; /* true if each cycle that refuses the last access again counts as a failure */
    bool once;    /* true if l1d.mdb_failures=accesses */
    bool counted; /* if `once`, true if the waiting access has already counted as a failure */
    struct mdb_bus *bus; /* not owned; NULL unless mdb_global is used */
    struct block_part block;
    struct bpg_in in;
    struct bpg_out out;
    uint32_t entry; /* index of the next table entry to write */
    bool busy;      /* true if the block must be ticked even without an access */
};

/* Checks relations between the keys of static and model-driven bypassing. Returns 0, or -1 with one
 * line in err. */
int mdb_check(const struct config *cfg, struct error *err);
/* Returns the block's parameters for a legal configuration with mdb_local or mdb_global. */
struct block_params mdb_params(const struct config *cfg);

/* Creates the policy. Its block starts in reset, with rst = 1 in the first cycle. Returns 0, or
 * -1 with one line in err. */
int mdb_init(struct mdb *m, struct block_list *blocks, const struct config *cfg, uint32_t sm,
             struct error *err);
void mdb_free(struct mdb *m);

static inline bool mdb_on(const struct mdb *m) {
    return m->scheme != BYPASS_NONE;
}

/* Returns the users of a launch. `fit` is the maximum number of CTAs on an SM, and `warps` is
 * the number of warps per CTA. */
struct mdb_users mdb_users_of(const struct config *cfg, const struct kernel_launch *launch,
                              uint32_t fit, uint32_t warps);
/* Prepares for a kernel that starts in the next SM cycle. If there is a block, that cycle must be
 * ticked. */
void mdb_launch(struct mdb *m, const struct mdb_users *users);

/* Returns the number of the user that issued an access, given the CTA slot of the access's warp and
 * the warp's index in the CTA. */
static inline uint8_t mdb_user(const struct mdb *m, uint32_t cta, uint32_t warp) {
    return (uint8_t)(m->users.ctas ? cta : warp);
}

/* Begins a cycle, with an access by `user` if `access` is true, or else without an access. Sets
 * `past`. */
void mdb_ask(struct mdb *m, struct stats *s, bool access, uint8_t user, uint64_t cycle);
/* Records that the L1D accepts the current access. */
void mdb_taken(struct mdb *m, struct stats *s, enum bpg_op op, uint64_t line);
/* Records that the L1D refuses the current access because a resource that a miss needs is
 * missing. The access must use the L1D. */
void mdb_refused(struct mdb *m, struct stats *s);
void mdb_tick(struct mdb *m);

/* Returns 0 if the next cycle must be ticked even without an access, or else UINT64_MAX. */
static inline uint64_t mdb_next_event(const struct mdb *m) {
    return m->busy ? 0 : block_part_next_event(&m->block);
}

/* Accounts for skipped cycles. In each, the last access is refused again and counts as a failure.
 * Call it only if `refused` is true. */
void mdb_advance(struct mdb *m, struct stats *s, uint64_t cycles);
/* Prints which users currently use the L1D of the SM. */
void mdb_dump(const struct mdb *m, uint32_t sm, FILE *out);

#endif
