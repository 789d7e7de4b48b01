/* SPDX-License-Identifier: Apache-2.0 */
/* Scoreboard of hir. Applies the rules in docs/understand/hir.md to a list of page sets in order
 * of first touch. All outputs follow from this list and the inputs. */
#ifndef MEMTWIN_HIR_HIR_SCORE_H
#define MEMTWIN_HIR_HIR_SCORE_H

#include "hir/hir_ports.h"

enum { HIR_MAX_SETS = 1024, HIR_MAX_WAYS = 16, HIR_MAX_PAGES = 32 };

/* Sizes derived from the parameters. */
struct hir_geometry {
    unsigned sets, ways, pages, entries, set_bits, tag_bits, count_w;
    uint64_t tags, count_max, lost_max, number_mask;
};

/* States of a cycle. The block is busy from BEGIN on. */
enum hir_state {
    HIR_STATE_EMPTY,
    HIR_STATE_HOLDS,       /* entries are in use, or the first hit is being looked up */
    HIR_STATE_BEGIN,       /* the cycle after flush */
    HIR_STATE_NONE,        /* the order is read, but it has no entry */
    HIR_STATE_ORDER,       /* the order is read */
    HIR_STATE_ENTRY,       /* the entry is read */
    HIR_STATE_STANDS,      /* an entry is shown but not accepted */
    HIR_STATE_LEAVES,      /* an entry is shown and accepted */
    HIR_STATE_LAST_STANDS, /* the last entry is shown but not accepted */
    HIR_STATE_LAST_LEAVES, /* the last entry is shown and accepted */
    HIR_N_STATES
};

struct hir_item {
    uint64_t number;
    /* number of touches of each page, up to the counter's maximum */
    unsigned touches[HIR_MAX_PAGES];
};

struct hir_score {
    struct hir_geometry g;
    bool was_hit; /* the previous cycle had a hit, which the next two fields describe */
    uint64_t number;
    unsigned page;
    uint64_t lost;
    unsigned since, sent;          /* number of cycles since flush, or 0; number of entries sent */
    unsigned n;                    /* number of items */
    unsigned in_set[HIR_MAX_SETS]; /* number of items in each set */
    unsigned way_item[HIR_MAX_SETS][HIR_MAX_WAYS]; /* item index of each way */
    struct hir_item items[HIR_MAX_SETS * HIR_MAX_WAYS];
};

/* Events of one cycle, before its clock edge. */
struct hir_look {
    enum hir_state state;
    bool any;          /* a hit is being looked up; the other fields are valid */
    bool found, loses; /* if both are false, the hit creates an entry */
    unsigned row, way; /* row is the set of the page set */
    unsigned item;     /* index of the found or new item */
};

void hir_geometry_init(struct hir_geometry *g, const struct block_params *p);
void hir_score_init(struct hir_score *s, const struct hir_geometry *g);
static inline bool hir_score_busy(const struct hir_score *s) {
    return s->since > 0;
}
/* Returns the state of the cycle if out_ready has this value. */
enum hir_state hir_score_state(const struct hir_score *s, bool out_ready);
/* Checks the outputs of a cycle and fills in *look. Returns the broken rule, or NULL if there is
 * none. */
const char *hir_score_check(const struct hir_score *s, const struct hir_in *in,
                            const struct hir_out *out, struct hir_look *look);
/* Applies the cycle's clock edge. */
void hir_score_tick(struct hir_score *s, const struct hir_in *in, const struct hir_look *look);

#endif
