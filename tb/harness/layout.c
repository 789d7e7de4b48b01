// SPDX-License-Identifier: Apache-2.0
#include "harness/layout.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"

static const char hex_chars[] = "0123456789abcdef";

const char *port_dir_name(enum port_dir dir) {
    static const char *const names[] = {"IN", "OUT", "OBS"};
    return names[dir];
}

static size_t field_size(const struct port_desc *d) {
    return d->max_bits <= 64 ? sizeof(uint64_t) : (d->max_bits + 31) / 32 * sizeof(uint32_t);
}

static int place_port(struct layout *l, const struct port_desc *d, struct error *err) {
    unsigned width = d->width(&l->params);
    if (width < 1 || width > d->max_bits)
        return error_set(err, "%s: port %s is %u bits wide at %s; its list says 1..%u",
                         l->type->name, d->name, width, l->params_text, d->max_bits);
    bool in = d->dir == PORT_IN;
    unsigned *bits = in ? &l->in_bits : &l->out_bits;
    struct port_place *place = in ? &l->in[l->n_in++] : &l->out[l->n_out++];
    *place = (struct port_place){d, width, *bits, field_size(d)};
    *bits += width;
    return 0;
}

int layout_init(struct layout *l, const struct block_type *type, const struct block_params *p,
                struct error *err) {
    memset(l, 0, sizeof *l);
    l->type = type;
    l->params = *p;
    block_params_print(type, p, l->params_text, sizeof l->params_text);
    l->in = alloc_zeroed(type->n_ports + 1, sizeof *l->in);
    l->out = alloc_zeroed(type->n_ports + 1, sizeof *l->out);
    for (unsigned i = 0; i < type->n_ports; i++) {
        if (place_port(l, &type->ports[i], err)) {
            layout_free(l);
            return -1;
        }
    }
    return 0;
}

void layout_free(struct layout *l) {
    free(l->in);
    free(l->out);
    l->in = l->out = NULL;
}

/* Returns bits 4*digit to 4*digit+3 of a field, which is a uint64_t or an array of uint32_t. */
static unsigned digit_of(const struct port_place *place, const void *base, unsigned digit) {
    const unsigned char *field = (const unsigned char *)base + place->desc->offset;
    if (place->size == sizeof(uint64_t)) {
        uint64_t v;
        memcpy(&v, field, sizeof v);
        return (unsigned)(v >> (digit * 4)) & 15;
    }
    uint32_t w;
    memcpy(&w, field + digit / 8 * sizeof w, sizeof w);
    return (w >> (digit % 8 * 4)) & 15;
}

static void set_bit(const struct port_place *place, void *base, unsigned bit) {
    unsigned char *field = (unsigned char *)base + place->desc->offset;
    if (place->size == sizeof(uint64_t)) {
        uint64_t v;
        memcpy(&v, field, sizeof v);
        v |= (uint64_t)1 << bit;
        memcpy(field, &v, sizeof v);
        return;
    }
    uint32_t w;
    memcpy(&w, field + bit / 32 * sizeof w, sizeof w);
    w |= (uint32_t)1 << (bit % 32);
    memcpy(field + bit / 32 * sizeof w, &w, sizeof w);
}

void place_flip(const struct port_place *place, unsigned bit, void *base) {
    char *field = (char *)base + place->desc->offset;
    if (place->size == sizeof(uint64_t)) {
        uint64_t v;
        memcpy(&v, field, sizeof v);
        v ^= (uint64_t)1 << bit;
        memcpy(field, &v, sizeof v);
        return;
    }
    uint32_t w;
    field += bit / 32 * sizeof w;
    memcpy(&w, field, sizeof w);
    w ^= (uint32_t)1 << bit % 32;
    memcpy(field, &w, sizeof w);
}

bool place_same(const struct port_place *place, const void *a, const void *b) {
    const char *x = (const char *)a + place->desc->offset;
    const char *y = (const char *)b + place->desc->offset;
    if (place->size == sizeof(uint64_t))
        return memcmp(x, y, sizeof(uint64_t)) == 0;
    return memcmp(x, y, place->size) == 0;
}

size_t place_hex(const struct port_place *place, const void *base, char *buf, size_t size) {
    size_t n = place->size * 2, least = hex_digits(place->width), len = 0;
    while (n > least && digit_of(place, base, (unsigned)n - 1) == 0)
        n--;
    for (; n > 0 && len + 1 < size; n--)
        buf[len++] = hex_chars[digit_of(place, base, (unsigned)n - 1)];
    buf[len] = '\0';
    return len;
}

bool place_in_width(const struct port_place *place, const void *base) {
    const unsigned char *field = (const unsigned char *)base + place->desc->offset;
    if (place->size == sizeof(uint64_t)) {
        uint64_t v;
        memcpy(&v, field, sizeof v);
        return place->width >= 64 || v >> place->width == 0;
    }
    for (size_t word = place->width / 32; word < place->size / sizeof(uint32_t); word++) {
        uint32_t w;
        memcpy(&w, field + word * sizeof w, sizeof w);
        if (word == place->width / 32)
            w >>= place->width % 32;
        if (w)
            return false;
    }
    return true;
}

void pack_hex(const struct port_place *places, unsigned n, unsigned bits, const void *base,
              char *digits) {
    size_t len = hex_digits(bits);
    memset(digits, 0, len + 1);
    for (unsigned i = 0; i < n; i++) {
        const struct port_place *p = &places[i];
        for (unsigned b = 0; b < p->width; b += 4) {
            unsigned left = p->width - b, bit = p->low_bit + b;
            unsigned v = digit_of(p, base, b / 4) & (left < 4 ? (1u << left) - 1 : 15u);
            v <<= bit % 4;
            digits[len - 1 - bit / 4] |= (char)(v & 15);
            if (v >> 4)
                digits[len - 2 - bit / 4] |= (char)(v >> 4);
        }
    }
    for (size_t i = 0; i < len; i++)
        digits[i] = hex_chars[(unsigned char)digits[i]];
}

static int hex_value(char c) {
    const char *digit = c ? strchr(hex_chars, c) : NULL;
    return digit ? (int)(digit - hex_chars) : -1;
}

static void unpack_port(const struct port_place *p, const char *digits, size_t len, void *base) {
    for (unsigned b = 0; b < p->width; b++) {
        unsigned bit = p->low_bit + b;
        if (hex_value(digits[len - 1 - bit / 4]) >> (bit % 4) & 1)
            set_bit(p, base, b);
    }
}

bool unpack_hex(const struct port_place *places, unsigned n, unsigned bits, const char *digits,
                void *base) {
    size_t len = hex_digits(bits);
    for (size_t i = 0; i < len; i++)
        if (hex_value(digits[i]) < 0)
            return false;
    if (bits % 4 && hex_value(digits[0]) >> (bits % 4))
        return false;
    for (unsigned i = 0; i < n; i++) {
        unsigned char *field = (unsigned char *)base + places[i].desc->offset;
        memset(field, 0, places[i].size);
        unpack_port(&places[i], digits, len, base);
    }
    return true;
}
