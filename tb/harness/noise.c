// SPDX-License-Identifier: Apache-2.0
#include "harness/noise.h"

#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "lib/random.h"

void noise_init(struct noise *n, const struct layout *l, uint64_t seed) {
    memset(n, 0, sizeof *n);
    n->l = l;
    n->random = seed;
    n->ports = alloc_zeroed(l->n_in + 1, sizeof *n->ports);
    n->n_seen = alloc_zeroed(l->n_in + 1, sizeof *n->n_seen);
    n->seen = alloc_zeroed(NOISE_SEEN, l->type->in_size);
    n->before = alloc_zeroed(1, l->type->out_size);
    for (unsigned i = 0; i < l->n_in; i++)
        if (strcmp(l->in[i].desc->qualifier, "ALWAYS") != 0)
            n->ports[n->n_ports++] = i;
}

void noise_free(struct noise *n) {
    free(n->ports);
    free(n->n_seen);
    free(n->seen);
    free(n->before);
    memset(n, 0, sizeof *n);
}

static unsigned char *find_seen(const struct noise *n, uint64_t which) {
    return n->seen + which % NOISE_SEEN * n->l->type->in_size;
}

static void copy_field(const struct port_place *p, void *to, const void *from) {
    memcpy((char *)to + p->desc->offset, (const char *)from + p->desc->offset, p->size);
}

static void remember(struct noise *n, unsigned port, const void *in) {
    const struct port_place *p = &n->l->in[port];
    uint64_t so_far = n->n_seen[port];
    if (so_far && place_same(p, find_seen(n, so_far - 1), in))
        return;
    copy_field(p, find_seen(n, so_far), in);
    n->n_seen[port]++;
}

static void draw_bits(struct noise *n, const struct port_place *p, void *in) {
    uint64_t bits = 0;
    for (unsigned bit = 0; bit < p->width; bit++, bits >>= 1) {
        if (bit % 64 == 0)
            bits = random_next(&n->random);
        if (bits & 1)
            place_flip(p, bit, in);
    }
}

static void draw_port(struct noise *n, unsigned port, void *in) {
    const struct port_place *p = &n->l->in[port];
    uint64_t kind = random_next(&n->random);
    if (kind >> 62 == 0) {
        draw_bits(n, p, in);
        return;
    }
    copy_field(p, in, find_seen(n, kind));
    if (kind >> 62 == 1)
        place_flip(p, random_below(&n->random, p->width), in);
}

void noise_apply(struct noise *n, void *in, const void *out, const void *held) {
    for (unsigned i = 0; i < n->n_ports; i++) {
        const struct port_place *p = &n->l->in[n->ports[i]];
        if (p->desc->qualified(in, out))
            remember(n, n->ports[i], in);
        else if (held)
            copy_field(p, in, held);
        else
            draw_port(n, n->ports[i], in);
    }
}

static void eval_noise(const struct block_type *type, const void *model, const void *in,
                       void *out) {
    type->eval(model, in, out);
    type->observe(model, in, out);
}

const char *noise_eval(struct noise *n, const void *model, void *in, void *out) {
    const struct layout *l = n->l;
    eval_noise(l->type, model, in, n->before);
    noise_apply(n, in, n->before, NULL);
    eval_noise(l->type, model, in, out);
    for (unsigned i = 0; i < l->n_out; i++) {
        const struct port_place *p = &l->out[i];
        bool means = p->desc->qualified(in, n->before);
        if (means != p->desc->qualified(in, out) || (means && !place_same(p, n->before, out)))
            return "an output of the model depends on an unqualified input";
    }
    return NULL;
}
