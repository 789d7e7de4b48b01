// SPDX-License-Identifier: Apache-2.0
#include "mshr/mshr_kind.h"

#include <assert.h>

#define MSHR_KIND(VALUE, name) extern const struct mshr_kind mshr_kind_##name;
#include "mshr/mshr_kinds.def"
#undef MSHR_KIND

const struct mshr_kind *const mshr_kinds[MSHR_KINDS] = {
#define MSHR_KIND(VALUE, name) &mshr_kind_##name,
#include "mshr/mshr_kinds.def"
#undef MSHR_KIND
};

struct mshr_payload mshr_payload_of(const struct mshr_geometry *g) {
    const struct mshr_payload layout = {.off_w = (uint8_t)g->off_w,
                                        .tag_w = (uint8_t)g->id_w,
                                        .mask_at = (uint8_t)(g->data_w / 32),
                                        .fixed_at = (uint8_t)(g->data_w / 32 + g->data_w / 256)};
    assert(g->data_w % 256 == 0 && g->off_w + g->id_w < 64);
    return layout;
}

/* Returns the width of the payload in bits. */
static int64_t payload_width(const struct mshr_payload *layout) {
    return layout->fixed_at * INT64_C(32) + layout->off_w + layout->tag_w + 1;
}

struct block_params mshr_params_of(const struct mshr_geometry *g) {
    const struct mshr_kind *kind = mshr_kinds[g->keys.kind];
    const struct mshr_size size = kind->size(g);
    const struct mshr_payload layout = mshr_payload_of(g);
    struct block_params p;
    block_params_default(kind->type(g), &p);
    p.v[MSHR_SETS] = size.heads;
    p.v[MSHR_SLOTS] = size.slots;
    p.v[MSHR_ADDR_W] = g->addr_w;
    p.v[MSHR_PAYLOAD_W] = payload_width(&layout);
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
