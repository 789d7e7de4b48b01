// SPDX-License-Identifier: Apache-2.0
/* Implements static re-reference interval prediction (l1d.replacement=srrip, l2.replacement=srrip),
 * based on Jaleel et al., "High performance cache replacement using re-reference interval
 * prediction (RRIP)", ISCA 2010: SRRIP-HP with predictions of two bits.
 *
 * Each way predicts the distance of the next use of its line. A new line gets SRRIP_LONG, and a
 * use sets SRRIP_NEAR_IMMEDIATE. The victim is the first way that predicts SRRIP_DISTANT. If
 * there is no such way, all predictions of the set are incremented until there is one. In this
 * model, the victim is the first way with the highest prediction, and the predictions of the set
 * are increased only when the victim is replaced, so that a refused miss changes nothing. The
 * predictions of ways that may not be replaced are increased too. */
#include <stdlib.h>

#include "lib/alloc.h"
#include "policy/policies.h"

enum { SRRIP_NEAR_IMMEDIATE, SRRIP_LONG = 2, SRRIP_DISTANT };

struct srrip {
    const struct lines *lines; /* not owned */
    uint8_t *prediction;       /* owned; one per way */
};

static int create_srrip(void **policy, const struct cache_policy_env *env, struct error *err) {
    struct srrip *s = *policy = alloc_zeroed(1, sizeof *s);
    (void)err, s->lines = env->lines;
    s->prediction = alloc_zeroed(lines_count(env->lines), sizeof *s->prediction);
    return 0;
}

static void destroy_srrip(void *policy) {
    struct srrip *s = policy;
    free(s->prediction);
    free(s);
}

static uint32_t choose_victim(const void *policy, uint32_t set, const struct request *r) {
    const struct srrip *s = policy;
    const struct lines *t = s->lines;
    uint32_t best = WAY_NONE;
    (void)r;
    for (uint32_t way = set * t->ways; way < lines_end(t, set); way++) {
        if (t->line[way] == LINE_NONE)
            return way;
        if (!lines_busy(t, way) && (best == WAY_NONE || s->prediction[way] > s->prediction[best]))
            best = way;
    }
    return best;
}

/* Claims a way. If the way is free, the predictions are not increased. */
static void claim_way(void *policy, uint32_t way, const struct request *r) {
    struct srrip *s = policy;
    const uint32_t ways = s->lines->ways, first = way / ways * ways;
    const unsigned grow = s->lines->line[way] == LINE_NONE ? 0 : SRRIP_DISTANT - s->prediction[way];
    (void)r;
    for (uint32_t i = first; i < first + ways; i++)
        s->prediction[i] = s->prediction[i] + grow > SRRIP_DISTANT
                               ? SRRIP_DISTANT
                               : (uint8_t)(s->prediction[i] + grow);
    s->prediction[way] = SRRIP_LONG;
}

static void touch_way(void *policy, uint32_t way) {
    ((struct srrip *)policy)->prediction[way] = SRRIP_NEAR_IMMEDIATE;
}

const struct cache_policy cache_policy_srrip = {
    .name = "srrip",
    .doc = "the line with the most distant predicted reuse (SRRIP-HP, 2 bits)",
    .create = create_srrip,
    .destroy = destroy_srrip,
    .victim = choose_victim,
    .claim = claim_way,
    .touch = touch_way,
};
