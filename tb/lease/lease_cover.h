/* SPDX-License-Identifier: Apache-2.0 */
/* Functional coverage of lease, from what the scoreboard sees in a cycle. */
#ifndef MEMTWIN_LEASE_LEASE_COVER_H
#define MEMTWIN_LEASE_LEASE_COVER_H

#include "harness/cosim.h"
#include "lease/lease_score.h"

/* Points: id, text. possible() in the .c file says where one cannot occur. */
#define LEASE_EVENTS(X)                                                                            \
    X(CHOSEN, "an entry is chosen")                                                                \
    X(CHOSEN_IN_ROW, "an entry is chosen in two cycles, one behind the other")                     \
    X(CHOSEN_JOINED, "two lanes of the block that gets an entry")                                  \
    X(CHOSEN_OTHER, "a lane of the block that gets an entry whose group has no room")              \
    X(CHOSEN_HIGHER, "an entry is chosen, not for the lowest lane with an access")                 \
    X(PASSED_LANE, "a lane is passed over, as another gets an entry")                              \
    X(HIT_1, "an entry that was chosen in the cycle before")                                       \
    X(HIT_2, "an entry that was chosen two cycles before")                                         \
    X(HIT_OLD, "an entry that was chosen earlier")                                                 \
    X(HIT_TWO, "two lanes in one entry that was there")                                            \
    X(HIT_APART, "two lanes in different entries")                                                 \
    X(HIT_GROUP, "counted in an entry of another group")                                           \
    X(QUOTA_NONE, "passed over: the group has no quota")                                           \
    X(QUOTA_1, "passed over: the group's last entry was chosen in the cycle before")               \
    X(QUOTA_2, "passed over: it was chosen two cycles before")                                     \
    X(QUOTA_OLD, "passed over: it was chosen earlier")                                             \
    X(QUOTA_LESS, "passed over: the group has more entries than its quota")                        \
    X(QUOTA_LAST, "a group gets the last entry of a quota of several")                             \
    X(BEYOND, "passed over: a nonexistent group")                                                  \
    X(MISSED, "no entry is free")                                                                  \
    X(MISSED_1, "no entry is free, the last was chosen in the cycle before")                       \
    X(MISSED_MANY, "no entry is free for two lanes")                                               \
    X(SET, "a quota is set with an access of the group")                                           \
    X(SET_BEYOND, "a quota of a nonexistent group")                                                \
    X(SET_0, "a quota of 0 is set while the group has an entry")                                   \
    X(FULL_COUNT, "a counter is full, and an access comes")                                        \
    X(FULL_OVER, "more accesses in a cycle than its counter has place for")                        \
    X(FULL_PAGES, "all pages of a block")                                                          \
    X(FIRST, "an access in the first cycle of a window")                                           \
    X(LAST, "an access in the last cycle of a window")                                             \
    X(LAST_CHOSEN, "an entry is chosen in the last cycle of a window")                             \
    X(OUTSIDE, "an access outside a window")                                                       \
    X(EMPTY, "a window without entries")                                                           \
    X(ALL_USED, "a window that uses all entries")                                                  \
    X(REST, "an entry whose quotient has a remainder")                                             \
    X(MEAN_REST, "a mean that has a remainder")                                                    \
    X(ROUND_DOWN, "a mean that is rounded down to accesses a page")                                \
    X(ROUND_UP, "a mean that is rounded up")                                                       \
    X(GROUPS_2, "leases of two groups")                                                            \
    X(GROUP_LAST, "the last group has a lease")                                                    \
    X(UPD_FIRST, "the first lease of a group")                                                     \
    X(UPD_UP, "a lease rises")                                                                     \
    X(UPD_DOWN, "a lease falls")                                                                   \
    X(UPD_SAME, "a lease stays")                                                                   \
    X(UPD_MOST, "a lease is held at the most")                                                     \
    X(UPD_LEAST, "a lease is held at 1")                                                           \
    X(UPD_ODD, "a lease falls by a part that is rounded")                                          \
    X(RESET_SAMPLE, "reset with an access under way")                                              \
    X(RESET_ENTRIES, "reset while entries are worked out")                                         \
    X(RESET_GROUP, "reset while a lease is worked out")                                            \
    X(RESET_SHOWN, "reset with an update")                                                         \
    X(RESET_IDLE, "reset between windows, all done")

enum lease_event {
#define X(id, text) EV_##id,
    LEASE_EVENTS(X)
#undef X
        N_EVENTS
};

struct lease_cover {
    struct lease_geometry g;
    uint64_t events[N_EVENTS], cycles;
    uint64_t of_entry[LEASE_MAX_ENTRIES];
    struct cover_point points[N_EVENTS + LEASE_MAX_ENTRIES];
    char names[LEASE_MAX_ENTRIES][24];
    /* Cycles since an entry was chosen, in order of the entries; since a group got one. */
    uint32_t age[LEASE_MAX_ENTRIES], group_age[LEASE_MAX_GROUPS];
};

void lease_cover_init(struct lease_cover *c, const struct lease_geometry *g, uint64_t cycles);
/* Before lease_score_tick of a cycle. */
void lease_cover_before(struct lease_cover *c, const struct lease_score *s,
                        const struct lease_in *in);
/* Behind it; `was`: the scoreboard before it. */
void lease_cover_after(struct lease_cover *c, const struct lease_score *was,
                       const struct lease_score *s, const struct lease_in *in);
size_t lease_cover_points(struct lease_cover *c, const struct cover_point **points);

#endif
