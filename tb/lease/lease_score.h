/* SPDX-License-Identifier: Apache-2.0 */
/* Scoreboard of lease. Computes the results of a window's accesses in one step, by the rules in
 * docs/understand/lease.md without the pipeline, and the cycle in which each result is output. */
#ifndef MEMTWIN_LEASE_LEASE_SCORE_H
#define MEMTWIN_LEASE_LEASE_SCORE_H

#include "lease/lease_ports.h"

/* Latencies in cycles from an access to the outputs that show its entry and its count. */
enum { SHOWS_ENTRY = 3, SHOWS_COUNT = 6 };

/* Sizes derived from the parameters. */
struct lease_geometry {
    unsigned lanes, entries, block_w, count_w, pages, groups, life_w, weight;
    unsigned page_w, group_w, quota_w, entry_bits;
    uint32_t duty, period, count_max, lease_max;
};

struct lease_access {
    bool valid;
    uint32_t block, page, group;
};

/* An entry with its accesses in the window so far. */
struct lease_sample {
    uint32_t block, group, count, pages;
};

/* State of the window after the accesses in a cycle. */
struct lease_window {
    unsigned used;
    uint64_t missed;
    struct lease_sample entry[LEASE_MAX_ENTRIES];
};

/* A step of the lease computation. `cycle` is the cycle of the period in which it starts and in
 * which its update, if any, is output. */
struct lease_step {
    uint32_t cycle;
    enum lease_phase phase;
    bool update;
    uint32_t group, lease;
};

struct lease_group {
    uint32_t quota, entries, lease;
    bool leased;
};

struct lease_score {
    struct lease_geometry g;
    uint32_t cycle; /* number of the cycle in the period */
    /* states after each of the last cycles, newest first */
    struct lease_window window[SHOWS_COUNT];
    struct lease_group group[LEASE_MAX_GROUPS];
    struct lease_step step[2 * LEASE_MAX_GROUPS + 2];
    unsigned n_steps;

    /* results of the last lease_score_tick, which the coverage reads */
    struct lease_access access[LEASE_MAX_LANES];
    int in_entry[LEASE_MAX_LANES]; /* entry that counted the lane's access, or -1 */
    uint32_t able;                 /* mask of lanes without an entry whose group had quota left */
    int chosen;                    /* lane that got an entry, or -1 */
};

void lease_geometry_init(struct lease_geometry *g, const struct block_params *p);
void lease_score_init(struct lease_score *s, const struct lease_geometry *g);
/* Checks the outputs of a cycle. Returns a text that names the broken rule, or NULL if there is
 * none. */
const char *lease_score_check(const struct lease_score *s, const struct lease_out *out);
/* Applies the cycle's clock edge. */
void lease_score_tick(struct lease_score *s, const struct lease_in *in);

/* Returns the step in progress, or NULL if the cycle is in the window. */
const struct lease_step *lease_score_step(const struct lease_score *s);
/* Returns 16 * accesses / pages for an entry, rounded down. */
uint32_t lease_score_f(const struct lease_sample *e);
/* Returns the entry of a block, or -1 if there is none. */
int lease_score_find(const struct lease_window *w, uint32_t block);

#endif
