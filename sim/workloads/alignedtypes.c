// SPDX-License-Identifier: Apache-2.0
/* alignedtypes (CUDA SDK alignedTypes): copies N bytes as arrays of twelve element types, one type
 * after the other, with I launches per type.
 *
 * 64 CTAs of 256 threads share the elements; a thread copies one element at a time. A struct is
 * copied in pieces. If it is not aligned, each member is a piece. Otherwise, a piece has up to 16
 * bytes. The pieces of an element are adjacent. A warp that copies unaligned structs of four bytes
 * therefore accesses the same line in each of its four one-byte loads.
 *
 * With V = 0 the kernel follows the code of Open64, the compiler of CUDA up to 4.0 (taken from CUDA
 * 2.2 PTX in the tests of GPU Ocelot). It stores each piece before it loads the next. It loads
 * RGB32, which has three members and padding, as 16 bytes, and stores it as 8 and 4 bytes. With V =
 * 1 the kernel follows the code of nvcc 13: all loads precede the stores, and padding is copied.
 *
 * Thread-level accesses, with e(t) = floor(N / element bytes) and p(t) pieces per element of type
 * t: in: I times the sum of e(t) p(t) loads. out: the same number of stores, plus I e(RGB32) if V =
 * 0.
 *
 * The host clears `out` before the first launch of a type and compares it with `in` after the last
 * launch of the type. Differences from the sample: N (50,000,000 in the sample) and I (32 in the
 * sample).
 */
#include "lane.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define BLOCK 256
#define BLOCKS 64
#define UNIT 256 /* N must be a multiple of this number of bytes */
#define MAX_PIECES 4
#define MAX_BYTES 32 /* size of the largest element type */
#define SEED 0xa119

enum { INDEX, ADDRESS, PIECE }; /* registers; MAX_PIECES of them start at PIECE */

/* Structs of 8 and 16 bytes, each loaded or stored by one access. */
struct two_words {
    uint32_t word[2];
};
struct four_words {
    uint32_t word[4];
};

/* Element type. It has `pieces` pieces of `width` bytes. Its last `padding` bytes are padding. */
struct element_type {
    const char *name;
    uint32_t width, pieces, padding;
};

static const struct element_type types[] = {
    {"uint8", 1, 1, 0},
    {"uint16", 2, 1, 0},
    {"RGBA8_misaligned", 1, 4, 0},
    {"LA32_misaligned", 4, 2, 0},
    {"RGB32_misaligned", 4, 3, 0},
    {"RGBA32_misaligned", 4, 4, 0},
    {"RGBA8", 4, 1, 0},
    {"I32", 4, 1, 0},
    {"LA32", 8, 1, 0},
    {"RGB32", 16, 1, 4},
    {"RGBA32", 16, 1, 0},
    {"RGBA32_2", 16, 2, 0},
};
#define TYPES (sizeof types / sizeof *types)

struct alignedtypes {
    struct lane_workload base;
    uint64_t n, repeats;
    bool loads_first; /* true if all pieces of an element are loaded before its stores */
    ARRAY(uint8_t) in;
    ARRAY(uint8_t) out;
    /* Views of `in` and `out` as arrays of wider pieces. */
    ARRAY(uint16_t) in2;
    ARRAY(uint16_t) out2;
    ARRAY(uint32_t) in4;
    ARRAY(uint32_t) out4;
    ARRAY(struct two_words) in8;
    ARRAY(struct two_words) out8;
    ARRAY(struct four_words) in16;
    ARRAY(struct four_words) out16;
    const struct element_type *type; /* element type of the current launch */
    struct error wrong;              /* message about the first type with a wrong copy, or "" */
};

union element {
    uint8_t b1[MAX_BYTES];
    uint16_t b2[MAX_BYTES / 2];
    uint32_t b4[MAX_BYTES / 4];
    struct two_words b8[MAX_BYTES / 8];
    struct four_words b16[MAX_BYTES / 16];
};

/* Load or store of `width` bytes of an element, starting at byte `at`. */
struct alignedtypes_move {
    bool stores;
    uint32_t piece, width, at;
};

struct alignedtypes_warp {
    struct warp_head head;
    uint32_t k; /* index of the move within the element */
    struct alignedtypes_move move;
    uint64_t pos; /* index of lane 0's element */
    union element element[WARP_LANES];
};

static uint32_t bytes_of(const struct element_type *t) {
    return t->width * t->pieces;
}

static uint64_t elements(const struct alignedtypes *m, const struct element_type *t) {
    return m->n / bytes_of(t);
}

/* Returns true if an element's single load is followed by two stores, which omit the padding. */
static bool splits_store(const struct alignedtypes *m, const struct element_type *t) {
    return !m->loads_first && t->padding;
}

static uint32_t stores_of(const struct alignedtypes *m, const struct element_type *t) {
    return t->pieces + splits_store(m, t);
}

static struct alignedtypes_move move_of(const struct alignedtypes *m, const struct element_type *t,
                                        uint32_t k) {
    if (splits_store(m, t) && k > 0)
        return (struct alignedtypes_move){true, 0, k == 1 ? 8 : 4, 8 * (k - 1)};
    const uint32_t piece = m->loads_first ? k % t->pieces : k / 2;
    const bool stores = m->loads_first ? k >= t->pieces : k % 2;
    return (struct alignedtypes_move){stores, piece, t->width, piece * t->width};
}

#define PART [w->move.at / w->move.width]
#define AT [((w->pos + l) * bytes_of(t) + w->move.at) / w->move.width]
#define DATA R(PIECE + w->move.piece)

static void alignedtypes_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                              struct warp_inst *inst) {
    struct alignedtypes *m = ctx;
    struct alignedtypes_warp *w = state;
    const struct element_type *t = m->type;
    const uint64_t n = elements(m, t);
    (void)cta;

    WARP_BEGIN();
    ALU_RUN(6, R(INDEX), 0);
    for (w->pos = thread_in_grid(place, BLOCK, 0); w->pos < n; w->pos += BLOCKS * BLOCK) {
        KEEP_LANES(w->pos + l < n);
        ALU_RUN(4, R(ADDRESS), R(INDEX));
        for (w->k = 0; w->k < t->pieces + stores_of(m, t); w->k++) {
            w->move = move_of(m, t, w->k);
            if (w->move.stores) {
                if (w->move.width == 1)
                    ST(w->element[l].b1 PART, m->out, AT, DATA | R(ADDRESS));
                else if (w->move.width == 2)
                    ST(w->element[l].b2 PART, m->out2, AT, DATA | R(ADDRESS));
                else if (w->move.width == 4)
                    ST(w->element[l].b4 PART, m->out4, AT, DATA | R(ADDRESS));
                else if (w->move.width == 8)
                    ST(w->element[l].b8 PART, m->out8, AT, DATA | R(ADDRESS));
                else
                    ST(w->element[l].b16 PART, m->out16, AT, DATA | R(ADDRESS));
            } else if (w->move.width == 1)
                LD(w->element[l].b1 PART, m->in, AT, DATA, R(ADDRESS));
            else if (w->move.width == 2)
                LD(w->element[l].b2 PART, m->in2, AT, DATA, R(ADDRESS));
            else if (w->move.width == 4)
                LD(w->element[l].b4 PART, m->in4, AT, DATA, R(ADDRESS));
            else if (w->move.width == 8)
                LD(w->element[l].b8 PART, m->in8, AT, DATA, R(ADDRESS));
            else
                LD(w->element[l].b16 PART, m->in16, AT, DATA, R(ADDRESS));
        }
        ALU_RUN(3, R(INDEX), R(INDEX));
    }
    WARP_END();
}

/* Returns true if byte i is copied, i.e. belongs to an element and not to omitted padding. */
static bool is_copied(const struct alignedtypes *m, const struct element_type *t, uint64_t i) {
    const uint32_t used = bytes_of(t) - (splits_store(m, t) ? t->padding : 0);
    return i / bytes_of(t) < elements(m, t) && i % bytes_of(t) < used;
}

/* Checks that copied bytes are equal and that all others are 0. */
static int check_copy(const struct alignedtypes *m, const struct element_type *t,
                      struct error *err) {
    for (uint64_t i = 0; i < m->n; i++) {
        const unsigned want = is_copied(m, t, i) ? m->in.v[i] : 0;
        if (m->out.v[i] == want)
            continue;
        return error_set(err, "out[%" PRIu64 "] is %u, expected %u, as %s", i,
                         (unsigned)m->out.v[i], want, t->name);
    }
    return 0;
}

static bool alignedtypes_next(struct workload *w, struct kernel_launch *launch) {
    struct alignedtypes *m = (struct alignedtypes *)w;
    const unsigned k = m->base.launched;
    if (k % m->repeats == 0 && m->type && !m->wrong.text[0])
        (void)check_copy(m, m->type, &m->wrong);
    if (k == TYPES * m->repeats)
        return false;
    m->base.launched++;
    m->type = &types[k / m->repeats];
    if (k % m->repeats == 0)
        memset(m->out.v, 0, m->n);
    *launch = (struct kernel_launch){
        .name = m->type->name,
        .grid = {BLOCKS, 1, 1},
        .block = {BLOCK, 1, 1},
        .warp_state_size = sizeof(struct alignedtypes_warp),
        .step = alignedtypes_step,
        .ctx = m,
    };
    return true;
}

static int alignedtypes_verify(struct workload *w, struct error *err) {
    const struct alignedtypes *m = (const struct alignedtypes *)w;
    if (m->wrong.text[0])
        return error_set(err, "%s", m->wrong.text);
    if (check_copy(m, &types[TYPES - 1], err) != 0)
        return -1;
    return verify_accesses(w, err);
}

static void share_memory(struct alignedtypes *m) {
    m->in2.v = (void *)m->in.v;
    m->in4.v = (void *)m->in.v;
    m->in8.v = (void *)m->in.v;
    m->in16.v = (void *)m->in.v;
    m->out2.v = (void *)m->out.v;
    m->out4.v = (void *)m->out.v;
    m->out8.v = (void *)m->out.v;
    m->out16.v = (void *)m->out.v;
    m->in2.dev = m->in4.dev = m->in8.dev = m->in16.dev = m->in.dev;
    m->out2.dev = m->out4.dev = m->out8.dev = m->out16.dev = m->out.dev;
}

static bool alignedtypes_create(struct workload *w, const uint64_t *v) {
    struct alignedtypes *m = (struct alignedtypes *)w;
    uint64_t loads = 0, stores = 0;
    if (!workload_multiple(w, "N", v[0], UNIT))
        return false;
    m->n = v[0];
    m->repeats = v[1];
    m->loads_first = v[2];
    m->base.w.launches = TYPES * m->repeats;
    if (!NEW_ARRAY(m, in, m->n) || !NEW_ARRAY(m, out, m->n))
        return false;
    share_memory(m);
    struct rng r = {SEED};
    for (uint64_t i = 0; i < m->n; i++)
        m->in.v[i] = (uint8_t)rng_below(&r, 256);
    for (unsigned i = 0; i < TYPES; i++) {
        loads += m->repeats * elements(m, &types[i]) * types[i].pieces;
        stores += m->repeats * elements(m, &types[i]) * stores_of(m, &types[i]);
    }
    expect_accesses(m->in.dev, loads, 0);
    expect_accesses(m->out.dev, 0, stores);
    return true;
}

const struct workload_type workload_alignedtypes = {
    .name = "alignedtypes",
    .suite = "CUDA SDK (alignedTypes)",
    .doc = "copies of arrays of structs: accesses of 1 to 16 bytes per lane, whole or in pieces",
    .size_doc = "N[,I[,V]]: bytes (a multiple of 256), launches per type, V=1: loads before stores",
    .default_size = "2097152,1,0",
    .repeatable = true,
    .size = {{"N", UNIT, 1u << 30}, {"I", 1, 1000}, {"V", 0, 1}},
    .state_size = sizeof(struct alignedtypes),
    .next = alignedtypes_next,
    .verify = alignedtypes_verify,
    .create = alignedtypes_create,
};
