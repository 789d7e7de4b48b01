/* SPDX-License-Identifier: Apache-2.0 */
/* Scoreboard of lease: what a window's accesses come to at once, as docs/understand/lease.md has it
 * without the pipeline, and when each of it is to be shown. */
#ifndef MEMTWIN_LEASE_LEASE_SCORE_H
#define MEMTWIN_LEASE_LEASE_SCORE_H

#include "lease/lease_ports.h"

/* Cycles from an access to the first one that shows its entry; its count. */
enum { SHOWS_ENTRY = 3, SHOWS_COUNT = 6 };

/* What the parameters come to. */
struct lease_geometry {
    unsigned lanes, entries, block_w, count_w, pages, groups, life_w, weight;
    unsigned page_w, group_w, quota_w, entry_bits;
    uint32_t duty, period, count_max, lease_max;
};

struct lease_access {
    bool valid;
    uint32_t block, page, group;
};

/* An entry; the accesses of the window so far. */
struct lease_sample {
    uint32_t block, group, count, pages;
};

/* The window, as it is behind the accesses of a cycle. */
struct lease_window {
    unsigned used;
    uint64_t missed;
    struct lease_sample entry[LEASE_MAX_ENTRIES];
};

/* A step of working out leases begins in this cycle of the period; the update shows there. */
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
    uint32_t cycle;                          /* of the period */
    struct lease_window window[SHOWS_COUNT]; /* [0]: of the last cycle; [i]: i cycles before */
    struct lease_group group[LEASE_MAX_GROUPS];
    struct lease_step step[2 * LEASE_MAX_GROUPS + 2];
    unsigned n_steps;

    /* What the last lease_score_tick found, for the coverage. */
    struct lease_access access[LEASE_MAX_LANES];
    int in_entry[LEASE_MAX_LANES]; /* that it was counted in; -1: none */
    uint32_t able;                 /* lanes without entry whose group had room */
    int chosen;                    /* lane that got an entry; -1: none */
};

void lease_geometry_init(struct lease_geometry *g, const struct block_params *p);
void lease_score_init(struct lease_score *s, const struct lease_geometry *g);
/* The access in a lane. */
struct lease_access lease_access_of(const struct lease_geometry *g, const struct lease_in *in,
                                    unsigned lane);
/* Checks a cycle's outputs. Returns NULL, or the rule that is broken. */
const char *lease_score_check(const struct lease_score *s, const struct lease_out *out);
/* The clock edge of that cycle. */
void lease_score_tick(struct lease_score *s, const struct lease_in *in);

/* The step of this cycle; NULL: it is one of the window. */
const struct lease_step *lease_score_step(const struct lease_score *s);
/* 16 accesses a page of an entry, rounded down. */
uint32_t lease_score_f(const struct lease_sample *e);
/* The entry of a block, or -1. */
int lease_score_find(const struct lease_window *w, uint32_t block);

#endif
