// SPDX-License-Identifier: Apache-2.0
#include "cache/refusals.h"

/* Reasons that an access was refused for, to count distinct accesses. */
enum { REFUSED_ENTRY = 1, REFUSED_MERGE = 2, REFUSED_OTHER = 4 };

bool refusals_count(struct refusals *r, struct stats *s, enum stat_id reason) {
    const struct refusal_stats *ids = r->ids;
    stat_add(s, ids->cycles, 1);
    stat_add(s, reason, 1);
    uint8_t now = reason == ids->entry_full   ? REFUSED_ENTRY
                  : reason == ids->merge_full ? REFUSED_MERGE
                                              : REFUSED_OTHER;
    uint8_t fresh = now & (uint8_t)~r->seen;
    stat_add(s, ids->accesses, r->seen == 0);
    stat_add(s, ids->accesses_entry_full, fresh == REFUSED_ENTRY);
    stat_add(s, ids->accesses_merge_full, fresh == REFUSED_MERGE);
    r->seen |= now;
    r->reason = reason;
    r->counted++;
    return false;
}

void refusals_advance(const struct refusals *r, struct stats *s, uint64_t cycles) {
    stat_add(s, r->ids->cycles, cycles);
    stat_add(s, r->reason, cycles);
}

enum stat_id refusals_of_mshr(const struct refusals *r, const struct mshr_unit *u) {
    return u->out.req_refuse == MSHR_REFUSE_MERGE_FULL ? r->ids->merge_full : r->ids->entry_full;
}

bool refusals_miss_taken(struct refusals *r, struct stats *s, struct context *c,
                         const struct mshr_unit *u, bool absent) {
    const struct mshr_out *out = &u->out;
    if (!out->req_ready) {
        if (out->req_refuse == MSHR_REFUSE_WALK)
            stat_add(s, r->ids->walk, 1);
        else
            refusals_count(r, s, refusals_of_mshr(r, u));
        return false;
    }
    if ((out->req_primary != 0) == absent)
        return true;
    context_fail(c, CONTEXT_BROKEN, "%s: says %s for a line that is %s in the tags",
                 u->block.inst.name, out->req_primary ? "primary" : "secondary",
                 out->req_primary ? "on its way" : "absent");
    return false;
}
