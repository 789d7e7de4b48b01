// SPDX-License-Identifier: Apache-2.0
/* alignedtypes: N bytes copied as arrays of twelve types, one type after the other, I launches
 * each.
 *
 * 64 blocks of 256 threads go over the elements together, a thread an element. A struct goes piece
 * by piece, all loads before the stores: by members if it is aligned as these are, else by up to 16
 * bytes, padding included. A thread has the pieces of an element side by side, so that a warp of a
 * struct of four bytes touches a line in each of four loads of one byte.
 *
 * Thread-level accesses, with e(t) = floor(N / bytes of the element) and p(t) its pieces: in: I
 * times the sum of e(t) p(t) loads. out: as many stores.
 *
 * The host clears `out` before the first launch of a type and compares after the last. What differs
 * from the sample: N, 50,000,000 there, and I, 32. The pieces, and all loads before the stores, are
 * what nvcc 13 makes of such a kernel; early compilers stored each piece before they loaded the
 * next.
 */
#include "lane.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define BLOCK 256
#define BLOCKS 64
#define UNIT 256 /* bytes; N is a multiple */
#define MAX_PIECES 4
#define SEED 0xa119

enum { INDEX, ADDRESS, PIECE }; /* registers; MAX_PIECES of the last */

/* Eight and 16 bytes that one access moves. */
struct two_words {
    uint32_t word[2];
};
struct four_words {
    uint32_t word[4];
};

/* An element is `pieces` of `width` bytes. */
struct element_type {
    const char *name;
    uint32_t width, pieces;
};

static const struct element_type types[] = {
    {"uint8", 1, 1},
    {"uint16", 2, 1},
    {"RGBA8_misaligned", 1, 4},
    {"LA32_misaligned", 4, 2},
    {"RGB32_misaligned", 4, 3},
    {"RGBA32_misaligned", 4, 4},
    {"RGBA8", 4, 1},
    {"I32", 4, 1},
    {"LA32", 8, 1},
    {"RGB32", 16, 1}, /* three members and padding */
    {"RGBA32", 16, 1},
    {"RGBA32_2", 16, 2},
};
#define TYPES (sizeof types / sizeof *types)

struct alignedtypes {
    struct lane_workload base;
    uint64_t n, repeats;
    ARRAY(uint8_t) in;
    ARRAY(uint8_t) out;
    /* The same memory, as pieces of each width. */
    ARRAY(uint16_t) in2;
    ARRAY(uint16_t) out2;
    ARRAY(uint32_t) in4;
    ARRAY(uint32_t) out4;
    ARRAY(struct two_words) in8;
    ARRAY(struct two_words) out8;
    ARRAY(struct four_words) in16;
    ARRAY(struct four_words) out16;
    const struct element_type *type; /* of this launch */
    char wrong[100];                 /* the first type whose copy was wrong, in one line; or "" */
};

union piece {
    uint8_t b1;
    uint16_t b2;
    uint32_t b4;
    struct two_words b8;
    struct four_words b16;
};

struct alignedtypes_warp {
    struct warp_head head;
    uint32_t k;   /* piece */
    uint64_t pos; /* element of lane 0 */
    union piece piece[MAX_PIECES][WARP_LANES];
};

static uint64_t elements(const struct alignedtypes *m, const struct element_type *t) {
    return m->n / (t->width * t->pieces);
}

#define THIS w->piece[w->k][l]
#define AT [(w->pos + l) * t->pieces + w->k]

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
        for (w->k = 0; w->k < t->pieces; w->k++) {
            if (t->width == 1)
                LD(THIS.b1, m->in, AT, R(PIECE + w->k), R(ADDRESS));
            else if (t->width == 2)
                LD(THIS.b2, m->in2, AT, R(PIECE + w->k), R(ADDRESS));
            else if (t->width == 4)
                LD(THIS.b4, m->in4, AT, R(PIECE + w->k), R(ADDRESS));
            else if (t->width == 8)
                LD(THIS.b8, m->in8, AT, R(PIECE + w->k), R(ADDRESS));
            else
                LD(THIS.b16, m->in16, AT, R(PIECE + w->k), R(ADDRESS));
        }
        for (w->k = 0; w->k < t->pieces; w->k++) {
            if (t->width == 1)
                ST(THIS.b1, m->out, AT, R(PIECE + w->k) | R(ADDRESS));
            else if (t->width == 2)
                ST(THIS.b2, m->out2, AT, R(PIECE + w->k) | R(ADDRESS));
            else if (t->width == 4)
                ST(THIS.b4, m->out4, AT, R(PIECE + w->k) | R(ADDRESS));
            else if (t->width == 8)
                ST(THIS.b8, m->out8, AT, R(PIECE + w->k) | R(ADDRESS));
            else
                ST(THIS.b16, m->out16, AT, R(PIECE + w->k) | R(ADDRESS));
        }
        ALU_RUN(3, R(INDEX), R(INDEX));
    }
    WARP_END();
}

/* The elements are copied, and bytes behind the last are 0. */
static int check_copy(const struct alignedtypes *m, const struct element_type *t, char *err,
                      size_t err_size) {
    const uint64_t copied = elements(m, t) * t->width * t->pieces;
    for (uint64_t i = 0; i < m->n; i++) {
        const unsigned want = i < copied ? m->in.v[i] : 0;
        if (m->out.v[i] == want)
            continue;
        snprintf(err, err_size, "out[%" PRIu64 "] is %u, expected %u, as %s", i,
                 (unsigned)m->out.v[i], want, t->name);
        return -1;
    }
    return 0;
}

static bool alignedtypes_next(struct workload *w, struct kernel_launch *launch) {
    struct alignedtypes *m = (struct alignedtypes *)w;
    const unsigned k = m->base.launched;
    if (k % m->repeats == 0 && m->type && !m->wrong[0])
        (void)check_copy(m, m->type, m->wrong, sizeof m->wrong);
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

static int alignedtypes_verify(struct workload *w, char *err, size_t err_size) {
    const struct alignedtypes *m = (const struct alignedtypes *)w;
    if (m->wrong[0]) {
        snprintf(err, err_size, "%s", m->wrong);
        return -1;
    }
    if (check_copy(m, &types[TYPES - 1], err, err_size) != 0)
        return -1;
    return verify_accesses(w, err, err_size);
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

static struct workload *alignedtypes_create(const char *size, char *err, size_t err_size);

const struct workload_type workload_alignedtypes = {
    .name = "alignedtypes",
    .suite = "CUDA SDK (alignedTypes)",
    .doc = "copies of arrays of structs: accesses of 1 to 16 bytes a lane, whole or in pieces",
    .size_doc = "N[,I]: bytes (a multiple of 256), launches of each of twelve types",
    .default_size = "2097152,1",
    .create = alignedtypes_create,
};

static struct workload *alignedtypes_create(const char *size, char *err, size_t err_size) {
    static const struct size_value desc[] = {{"N", UNIT, 1u << 30}, {"I", 1, 1000}};
    uint64_t v[2], accesses = 0;
    if (workload_size(&workload_alignedtypes, desc, 2, size, v, err, err_size) != 0 ||
        workload_multiple(&workload_alignedtypes, "N", v[0], UNIT, err, err_size) != 0)
        return NULL;
    struct alignedtypes *m = workload_new(&workload_alignedtypes, sizeof *m, err, err_size);
    if (!m)
        return NULL;
    m->n = v[0];
    m->repeats = v[1];
    m->base.w.launches = TYPES * m->repeats;
    m->base.w.next = alignedtypes_next;
    m->base.w.verify = alignedtypes_verify;
    if (!NEW_ARRAY(m, in, m->n, err, err_size) || !NEW_ARRAY(m, out, m->n, err, err_size)) {
        workload_free(&m->base.w);
        return NULL;
    }
    share_memory(m);
    struct rng r = {SEED};
    for (uint64_t i = 0; i < m->n; i++)
        m->in.v[i] = (uint8_t)rng_below(&r, 256);
    for (unsigned i = 0; i < TYPES; i++)
        accesses += m->repeats * elements(m, &types[i]) * types[i].pieces;
    expect_accesses(m->in.dev, accesses, 0);
    expect_accesses(m->out.dev, 0, accesses);
    return &m->base.w;
}
