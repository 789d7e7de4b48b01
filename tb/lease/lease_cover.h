/* SPDX-License-Identifier: Apache-2.0 */
/* Counts the functional coverage of lease in each cycle, based on the scoreboard. */
#ifndef MEMTWIN_LEASE_LEASE_COVER_H
#define MEMTWIN_LEASE_LEASE_COVER_H

#include "harness/cosim.h"
#include "lease/lease_score.h"

/* Coverage points, each with its ID and text. The .c file excludes impossible points. */
#define LEASE_EVENTS(X)                                                                            \
    X(CHOSEN, "an entry is chosen")                                                                \
    X(CHOSEN_IN_ROW, "an entry is chosen in two consecutive cycles")                               \
    X(CHOSEN_JOINED, "two lanes of the block that gets an entry")                                  \
    X(CHOSEN_OTHER, "a lane of the block that gets an entry, of a group without quota left")       \
    X(CHOSEN_HIGHER, "an entry is chosen for a lane that is not the lowest with an access")        \
    X(PASSED_LANE, "a lane gets no entry because another gets one")                                \
    X(HIT_1, "hit of an entry chosen in the previous cycle")                                       \
    X(HIT_2, "hit of an entry chosen two cycles before")                                           \
    X(HIT_OLD, "hit of an entry chosen earlier")                                                   \
    X(HIT_TWO, "hits of two lanes in one existing entry")                                          \
    X(HIT_APART, "hits of two lanes in different entries")                                         \
    X(HIT_GROUP, "hit of an entry of another group")                                               \
    X(QUOTA_NONE, "no entry: the group has no quota")                                              \
    X(QUOTA_1, "no entry: the group's last one was chosen in the previous cycle")                  \
    X(QUOTA_2, "no entry: the group's last one was chosen two cycles before")                      \
    X(QUOTA_OLD, "no entry: the group's last one was chosen earlier")                              \
    X(QUOTA_ROW, "no entry: the group's last two were chosen in the two previous cycles")          \
    X(QUOTA_LESS, "no entry: the group has more entries than its quota")                           \
    X(QUOTA_LAST, "a group gets the last entry of a quota of several")                             \
    X(BEYOND, "no entry: a nonexistent group")                                                     \
    X(MISSED, "no entry is free")                                                                  \
    X(MISSED_1, "no entry is free, the last was chosen in the previous cycle")                     \
    X(MISSED_MANY, "no entry is free for two lanes")                                               \
    X(SET, "a quota is set with an access of the group")                                           \
    X(SET_BEYOND, "a quota of a nonexistent group")                                                \
    X(SET_0, "a quota of 0 is set while the group has an entry")                                   \
    X(FULL_COUNT, "a counter is full, and an access comes")                                        \
    X(FULL_OVER, "a counter saturates with several accesses in a cycle")                           \
    X(FULL_PAGES, "all pages of a block")                                                          \
    X(FIRST, "an access in the first cycle of a window")                                           \
    X(LAST, "an access in the last cycle of a window")                                             \
    X(LAST_CHOSEN, "an entry is chosen in the last cycle of a window")                             \
    X(LAST_QUOTA, "no entry in the last cycle of a window: the group's last one was just chosen")  \
    X(OUTSIDE, "an access outside a window")                                                       \
    X(EMPTY, "a window without entries")                                                           \
    X(ALL_USED, "a window that uses all entries")                                                  \
    X(REST, "an entry whose quotient has a remainder")                                             \
    X(MEAN_REST, "a mean with a remainder")                                                        \
    X(ROUND_DOWN, "a mean rounded down to accesses per page")                                      \
    X(ROUND_UP, "a mean rounded up to accesses per page")                                          \
    X(GROUPS_2, "leases of two groups")                                                            \
    X(GROUP_LAST, "the last group gets a lease")                                                   \
    X(UPD_FIRST, "the first lease of a group")                                                     \
    X(UPD_UP, "a lease rises")                                                                     \
    X(UPD_DOWN, "a lease falls")                                                                   \
    X(UPD_SAME, "a lease is unchanged")                                                            \
    X(UPD_MOST, "a lease is clamped to its maximum")                                               \
    X(UPD_LEAST, "a lease is clamped to 1")                                                        \
    X(UPD_ODD, "a lease falls by a rounded amount")                                                \
    X(RESET_SAMPLE, "reset with an access in the pipeline")                                        \
    X(RESET_ENTRIES, "reset while entries are averaged")                                           \
    X(RESET_GROUP, "reset while a lease is computed")                                              \
    X(RESET_SHOWN, "reset with an update")                                                         \
    X(RESET_IDLE, "reset between windows, when all leases are done")

enum lease_event {
#define X(id, text) EV_##id,
    LEASE_EVENTS(X)
#undef X
        N_EVENTS
};

struct lease_cover {
    struct lease_geometry g;
    uint64_t events[N_EVENTS], cycles;
    uint64_t entry_hits[LEASE_MAX_ENTRIES];
    struct cover_point points[N_EVENTS + LEASE_MAX_ENTRIES];
    char names[LEASE_MAX_ENTRIES][24];
    /* number of cycles since each entry was chosen; number of cycles since each group got an
     * entry */
    uint32_t age[LEASE_MAX_ENTRIES], group_age[LEASE_MAX_GROUPS];
    uint32_t group_row[LEASE_MAX_GROUPS]; /* entries that each group got in consecutive cycles */
};

void lease_cover_init(struct lease_cover *c, const struct lease_geometry *g, uint64_t cycles);
/* Must be called before lease_score_tick in each cycle. */
void lease_cover_before(struct lease_cover *c, const struct lease_score *s,
                        const struct lease_in *in);
/* Must be called after lease_score_tick in each cycle. `was` is the scoreboard before that call. */
void lease_cover_after(struct lease_cover *c, const struct lease_score *was,
                       const struct lease_score *s, const struct lease_in *in);
size_t lease_cover_points(struct lease_cover *c, const struct cover_point **points);

#endif
