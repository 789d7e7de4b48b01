/* SPDX-License-Identifier: Apache-2.0 */
/* Scoreboard of hir: what docs/understand/hir.md says of the ports, told by a list of the page sets
 * in the order in which they were first touched. All outputs follow from it and from the inputs. */
#ifndef MEMTWIN_HIR_HIR_SCORE_H
#define MEMTWIN_HIR_HIR_SCORE_H

#include "hir/hir_ports.h"

enum { HIR_MAX_SETS = 1024, HIR_MAX_WAYS = 16, HIR_MAX_PAGES = 32 };

/* What the parameters come to. */
struct hir_geometry {
    unsigned sets, ways, pages, entries, set_bits, tag_bits, count_w;
    uint64_t tags, count_max, lost_max, number_mask;
};

/* The state of a cycle; those from BEGIN on are busy. */
enum hir_state {
    STATE_EMPTY,
    STATE_HOLDS,       /* entries in use, or the first hit is being looked up */
    STATE_BEGIN,       /* the cycle after flush */
    STATE_NONE,        /* the order is read, and there is none */
    STATE_ORDER,       /* the order is read */
    STATE_ENTRY,       /* the entry is read */
    STATE_STANDS,      /* an entry is shown, and not taken */
    STATE_LEAVES,      /* an entry is shown, and taken */
    STATE_LAST_STANDS, /* the last, the same */
    STATE_LAST_LEAVES,
    N_STATES
};

struct hir_item {
    uint64_t number;
    unsigned touches[HIR_MAX_PAGES]; /* as far as a counter counts */
};

struct hir_score {
    struct hir_geometry g;
    bool taken; /* in the cycle before: a hit, the next two */
    uint64_t number;
    unsigned page;
    uint64_t lost;
    unsigned since, sent;          /* since: cycles from flush to this one; 0: there was none */
    unsigned n;                    /* items */
    unsigned in_set[HIR_MAX_SETS]; /* items in each set */
    unsigned at[HIR_MAX_SETS][HIR_MAX_WAYS]; /* which they are, the way's number first */
    struct hir_item items[HIR_MAX_SETS * HIR_MAX_WAYS];
};

/* One cycle, before its edge. */
struct hir_look {
    enum hir_state state;
    bool any;          /* a hit is being looked up: the others */
    bool found, loses; /* neither: it makes an entry */
    unsigned row, way; /* row: the set of the page set */
    unsigned item;     /* found or new */
};

void hir_geometry_init(struct hir_geometry *g, const struct block_params *p);
void hir_score_init(struct hir_score *s, const struct hir_geometry *g);
static inline bool hir_score_busy(const struct hir_score *s) {
    return s->since > 0;
}
/* The state of the cycle whose inputs these are. */
enum hir_state hir_score_state(const struct hir_score *s, bool out_ready);
/* Checks the outputs of a cycle and fills *look. Returns NULL, or the rule that is broken. */
const char *hir_score_check(const struct hir_score *s, const struct hir_in *in,
                            const struct hir_out *out, struct hir_look *look);
/* The clock edge of that cycle. */
void hir_score_tick(struct hir_score *s, const struct hir_in *in, const struct hir_look *look);

#endif
