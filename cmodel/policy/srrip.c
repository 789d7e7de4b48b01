// SPDX-License-Identifier: Apache-2.0
/* Static re-reference interval prediction: l1d.replacement=srrip, l2.replacement=srrip. After
 * Jaleel et al., "High performance cache replacement using re-reference interval prediction
 * (RRIP)", ISCA 2010: SRRIP-HP with predictions of two bits.
 *
 * Each way predicts how soon its line is used again. A new line gets LONG, a use makes it
 * NEAR_IMMEDIATE. The victim is the first way that predicts DISTANT; if there is none, all
 * predictions of the set grow until there is. Here the victim is the first way with the highest
 * prediction, and the others grow when it is replaced, so that a refused miss changes nothing. Ways
 * that may not be replaced grow too.
 */
#include <stdlib.h>

#include "lib/alloc.h"
#include "policy/policies.h"

enum { NEAR_IMMEDIATE, LONG = 2, DISTANT };

struct srrip {
    const struct lines *lines; /* not owned */
    uint8_t *prediction;       /* owned; by way */
};

static int create(void **policy, const struct cache_policy_env *env, char *err, size_t err_size) {
    struct srrip *s = *policy = alloc_zeroed(1, sizeof *s);
    (void)err, (void)err_size;
    s->lines = env->lines;
    s->prediction = alloc_zeroed(lines_count(env->lines), sizeof *s->prediction);
    return 0;
}

static void destroy(void *policy) {
    struct srrip *s = policy;
    free(s->prediction);
    free(s);
}

static uint32_t victim(const void *policy, uint32_t set, const struct request *r) {
    const struct srrip *s = policy;
    const struct lines *t = s->lines;
    uint32_t best = WAY_NONE;
    (void)r;
    for (uint32_t way = set * t->ways; way < (set + 1) * t->ways; way++) {
        if (t->line[way] == LINE_NONE)
            return way;
        if (!t->pending[way] && !(t->flags[way] & WAY_PINNED) &&
            (best == WAY_NONE || s->prediction[way] > s->prediction[best]))
            best = way;
    }
    return best;
}

/* A free way is taken without a search for a distant one. */
static void claim(void *policy, uint32_t way, const struct request *r) {
    struct srrip *s = policy;
    const uint32_t ways = s->lines->ways, first = way / ways * ways;
    const unsigned grow = s->lines->line[way] == LINE_NONE ? 0 : DISTANT - s->prediction[way];
    (void)r;
    for (uint32_t i = first; i < first + ways; i++)
        s->prediction[i] =
            s->prediction[i] + grow > DISTANT ? DISTANT : (uint8_t)(s->prediction[i] + grow);
    s->prediction[way] = LONG;
}

static void touch(void *policy, uint32_t way) {
    ((struct srrip *)policy)->prediction[way] = NEAR_IMMEDIATE;
}

const struct cache_policy cache_policy_srrip = {
    .name = "srrip",
    .doc = "the line with the most distant predicted reuse (SRRIP-HP, 2 bits)",
    .create = create,
    .destroy = destroy,
    .victim = victim,
    .claim = claim,
    .touch = touch,
};
