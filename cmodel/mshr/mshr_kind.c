// SPDX-License-Identifier: Apache-2.0
#include "mshr/mshr_kind.h"

#define MSHR_KIND(VALUE, name) extern const struct mshr_kind mshr_kind_##name;
#include "mshr/mshr_kinds.def"
#undef MSHR_KIND

const struct mshr_kind *const mshr_kinds[MSHR_KINDS] = {
#define MSHR_KIND(VALUE, name) &mshr_kind_##name,
#include "mshr/mshr_kinds.def"
#undef MSHR_KIND
};

struct block_params mshr_params_of(const struct mshr_geometry *g) {
    const struct mshr_kind *kind = mshr_kinds[g->keys.kind];
    const struct mshr_size size = kind->size(g);
    struct block_params p;
    block_params_default(kind->type(g), &p);
    p.v[MSHR_SETS] = size.heads;
    p.v[MSHR_SLOTS] = size.slots;
    p.v[MSHR_ADDR_W] = g->addr_w;
    p.v[MSHR_PAYLOAD_W] = 1 + g->id_w + g->off_w + g->data_w + g->data_w / 8;
    if (kind->params)
        kind->params(g, &p);
    return p;
}

int mshr_check(const struct mshr_keys *k, struct error *err) {
    for (unsigned i = 0; i < MSHR_KINDS; i++)
        if (mshr_kinds[i]->check && mshr_kinds[i]->check(k, err) != 0)
            return -1;
    return 0;
}
