/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses the users (warps or CTAs) of an SM that bypass its L1D: those numbered l1d.cache_users
 * and above, or those that model-driven bypassing chooses, with a block bpg in each SM or in SM 0
 * for all.
 *
 * A cycle: mdb_ask, the L1D acts, mdb_taken or mdb_refused or neither, mdb_tick.
 * docs/understand/mdb.md.
 */
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

/* l1d.bypass_unit */
enum { BYPASS_UNIT_AUTO, BYPASS_UNIT_WARP, BYPASS_UNIT_CTA };
/* l1d.mdb_failures */
enum { FAILURES_CYCLES, FAILURES_ACCESSES };

/* The decision of SM 0's block on its way to the other SMs (mdb_global). */
struct mdb_bus {
    uint32_t lmax, before; /* before: until `since` */
    uint64_t since;        /* SM cycle */
};

/* Who the users of a launch are, the same on each SM. */
struct mdb_users {
    bool ctas;  /* CTAs, by their slot, else warps, by their number in the CTA */
    uint32_t n; /* on an SM, at least 1 */
};

struct mdb {
    uint8_t scheme; /* BYPASS_STATIC, _MDB_LOCAL, _MDB_GLOBAL; BYPASS_NONE: no user bypasses */
    uint32_t all;   /* a limit that lets all users use the L1D */
    uint32_t limit; /* users that used the L1D in the last tick */
    struct mdb_users users;
    bool past;           /* the current access bypasses the L1D if it is a load */
    bool refused;        /* each cycle in which the last access is refused again is a failure */
    bool once;           /* l1d.mdb_failures=accesses */
    bool counted;        /* with `once`: the access that waits has been a failure */
    struct mdb_bus *bus; /* not owned; with mdb_global only */
    struct block_part block;
    struct bpg_in in;
    struct bpg_out out;
    uint32_t entry; /* of the table, the next to be written */
    bool busy;      /* the block has to be stepped even if there is no access */
};

/* Relations between the keys of static and mdb. Returns 0, or -1 with one line in err. */
int mdb_check(const struct config *cfg, char *err, size_t err_size);
/* The block's parameters; the configuration is legal, with mdb_local or mdb_global. */
struct block_params mdb_params(const struct config *cfg);

/* Returns 0, or -1 with one line in err. The block is in reset: the first cycle has rst = 1. */
int mdb_init(struct mdb *m, struct block_list *blocks, const struct config *cfg, uint32_t sm,
             char *err, size_t err_size);
void mdb_free(struct mdb *m);

static inline bool mdb_on(const struct mdb *m) {
    return m->scheme != BYPASS_NONE;
}

/* fit: CTAs that an SM holds at once at most; warps: of a CTA. */
struct mdb_users mdb_users_of(const struct config *cfg, const struct kernel_launch *launch,
                              uint32_t fit, uint32_t warps);
/* A kernel starts in the next SM cycle, which has to be computed if there is a block. */
void mdb_launch(struct mdb *m, const struct mdb_users *users);

/* The user that an access is of: its warp's CTA slot and number in the CTA. */
static inline uint8_t mdb_user(const struct mdb *m, uint32_t cta, uint32_t warp) {
    return (uint8_t)(m->users.ctas ? cta : warp);
}

/* A cycle begins, with an access of that user or (access false) with none: sets `past`. */
void mdb_ask(struct mdb *m, struct stats *s, bool access, uint8_t user, uint64_t cycle);
/* The L1D accepts the current access. */
void mdb_taken(struct mdb *m, struct stats *s, enum bpg_op op, uint64_t line);
/* The L1D refuses the current access, which uses the L1D, because it lacks a resource of a miss. */
void mdb_refused(struct mdb *m, struct stats *s);
void mdb_tick(struct mdb *m);

/* Returns 0 if the next cycle must be ticked even without an access, else UINT64_MAX. */
static inline uint64_t mdb_next_event(const struct mdb *m) {
    return m->busy ? 0 : block_part_next_event(&m->block);
}

/* Accounts for skipped cycles, in which the last access is refused again if `refused`. */
void mdb_advance(struct mdb *m, struct stats *s, uint64_t cycles);
/* Prints the users that use the L1D of that SM now. */
void mdb_dump(const struct mdb *m, uint32_t sm, FILE *out);

#endif
