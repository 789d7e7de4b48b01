// SPDX-License-Identifier: Apache-2.0
/* sad (Parboil): sums of absolute differences (SAD) between each part of a frame of W x H pixels
 * and a reference frame displaced by up to 16 pixels each way, as in the motion search of H.264.
 *
 * A macroblock is 16 x 16 pixels. `4x4` has one CTA of 61 threads for each 4 x 4 pixels, which it
 * loads into shared memory and from there into registers. A thread computes the sums of 18 of the
 * 1089 positions, three adjacent ones at a time from 24 pixels of the reference. The first warp
 * then copies the sums, 8 B per lane. Lanes are 18 positions apart, so the next lane loads 18
 * pixels further on, or 15 pixels back in the next row. `8x8` adds the sums of `4x4` in twos and
 * fours, with one CTA of four warps per macroblock. `16x16` adds those of `8x8` in the same way,
 * with one warp per macroblock. A word holds two sums of 16 bits.
 *
 * The reference is read with global loads (a texture in the original), 2 B per pixel. At the
 * frame's edge, its outermost pixels repeat. Each part has room for 1096 sums, of which the last
 * seven are zero (undefined in the original).
 *
 * Thread-level accesses, with M = W H / 256: frame: W H loads. ref: 139392 M loads. blk_sad: 10900
 * M loads, 18009 M stores.
 */
#include "lane.h"

#include <stdlib.h>

#include "lib/alloc.h"

#define MACROBLOCK 16 /* edge, in pixels */
#define PART 4        /* edge of the smallest part */
#define PIXELS (PART * PART)
#define PARTS 41 /* number of parts of a macroblock, of all shapes */
#define RANGE 16
#define POSITIONS_WIDE (2 * RANGE + 1)
#define POSITIONS (POSITIONS_WIDE * POSITIONS_WIDE)
#define ROOM 1096 /* number of sums stored per part */
#define FOURS (ROOM / 4)
#define PAIRS ((POSITIONS + 1) / 2)
#define OF_THREAD 18 /* number of positions per thread */
#define SIDE 3       /* number of adjacent positions computed from SPAN pixels of each row */
#define SPAN (SIDE + PART - 1)
#define BLOCK ((POSITIONS + OF_THREAD - 1) / OF_THREAD)
#define SEED 0x5ad

/* registers; four of them start at IN */
enum { INDEX, PIXEL, TEXEL, SUM, IN };

/* Parts of a shape: index of the first in blk_sad for a single macroblock, and their number. */
struct sad_shape {
    uint32_t first, parts;
};
static const struct sad_shape whole = {0, 1}, wide16 = {1, 2}, high16 = {3, 2}, square8 = {5, 4},
                              wide8 = {9, 8}, high8 = {17, 8}, square4 = {25, 16};

/* Sums of 16 bits at adjacent positions. */
union four_sums {
    uint16_t one[4];
    uint32_t two[2];
    uint64_t four;
};

struct sad {
    struct lane_workload base;
    uint64_t width, height;
    uint64_t across, macroblocks; /* macroblocks per row, and in total */
    ARRAY(uint16_t) frame;
    ARRAY(uint16_t) ref;
    ARRAY(union four_sums) blk_sad; /* indexed by shape, macroblock, part and position */
};

/* Returns the index of the first sum of a part of a macroblock. */
static uint64_t sums_of(const struct sad *m, const struct sad_shape *s, uint64_t macroblock,
                        uint64_t part) {
    return (s->first * m->macroblocks + macroblock * s->parts + part) * FOURS;
}

/* Clamps i to 0..n-1. */
static uint64_t inside(int64_t i, uint64_t n) {
    return i < 0 ? 0 : i >= (int64_t)n ? n - 1 : (uint64_t)i;
}

/* Returns the index of the reference pixel for pixel (x, y) of the part at (x0, y0), displaced to a
 * position. */
static uint64_t reference_pixel(const struct sad *m, uint64_t x0, uint64_t y0, uint64_t position,
                                uint64_t x, uint64_t y) {
    const int64_t column = (int64_t)(x0 + x + position % POSITIONS_WIDE) - RANGE;
    const int64_t row = (int64_t)(y0 + y + position / POSITIONS_WIDE) - RANGE;
    return inside(row, m->height) * m->width + inside(column, m->width);
}

/* ---- 4x4 ---- */

/* __shared__ arrays of a CTA. */
struct search_block {
    uint16_t pixel[PIXELS];
    union four_sums sums[FOURS];
};

struct search_warp {
    struct warp_head head;
    uint32_t i; /* index of the thread's position, or of lane 0's four sums */
    uint32_t x, y;
    uint16_t pixel[WARP_LANES], sum[SIDE][WARP_LANES];
    uint64_t four[WARP_LANES];
};

static void clear_sums(struct search_warp *w, uint32_t l) {
    for (uint32_t k = 0; k < SIDE; k++)
        w->sum[k][l] = 0;
}

/* Returns true if column x of the span belongs to the part at the k-th position. */
static bool uses(uint32_t x, uint32_t k) {
    return x >= k && x - k < PART;
}

static uint32_t uses_of(uint32_t x) {
    uint32_t n = 0;
    for (uint32_t k = 0; k < SIDE; k++)
        n += uses(x, k);
    return n;
}

static uint16_t with_difference(uint16_t sum, uint16_t a, uint16_t b) {
    return (uint16_t)(sum + (a > b ? a - b : b - a));
}

static void add_differences(struct search_warp *w, const struct search_block *s, uint32_t l) {
    for (uint32_t k = 0; k < SIDE; k++)
        if (uses(w->x, k))
            w->sum[k][l] =
                with_difference(w->sum[k][l], w->pixel[l], s->pixel[w->y * PART + w->x - k]);
}

#define T thread_in_block(place, l)
#define POSITION (T * OF_THREAD + w->i)
#define SUM_AT(k) s->sums[(POSITION + (k)) / 4].one[(POSITION + (k)) % 4]

/* Runs kernel `4x4`. The sums of adjacent lanes are nine words apart in shared memory, in different
 * banks. */
static void search_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                        struct warp_inst *inst) {
    struct sad *m = ctx;
    struct search_block *s = cta;
    struct search_warp *w = state;
    const uint64_t x0 = (uint64_t)place->cta[0] * PART, y0 = (uint64_t)place->cta[1] * PART;
    const uint64_t macroblock = y0 / MACROBLOCK * m->across + x0 / MACROBLOCK;
    const uint64_t part = place->cta[1] % PART * PART + place->cta[0] % PART;

    WARP_BEGIN();
    ALU_RUN(12, R(INDEX), 0);
    KEEP_LANES(T < PIXELS);
    LD(w->pixel[l], m->frame, [(y0 + T / PART) * m->width + x0 + T % PART], R(PIXEL), R(INDEX));
    SHARED(1, s->pixel[T] = w->pixel[l], 0, R(PIXEL) | R(INDEX));
    EVERY_LANE();
    BAR();
    ALU_RUN(12, R(INDEX), R(INDEX));
    SHARED(PIXELS, (void)0, R(PIXEL), 0);
    for (w->i = 0; w->i < OF_THREAD; w->i += SIDE) {
        KEEP_LANES(POSITION < POSITIONS);
        ALU(8, clear_sums(w, l), R(INDEX) | R(SUM), R(INDEX));
        for (w->y = 0; w->y < PART; w->y++) {
            for (w->x = 0; w->x < SPAN; w->x++) {
                LD(w->pixel[l], m->ref, [reference_pixel(m, x0, y0, POSITION, w->x, w->y)],
                   R(TEXEL), R(INDEX));
                ALU(3 * uses_of(w->x), add_differences(w, s, l), R(SUM),
                    R(SUM) | R(TEXEL) | R(PIXEL));
            }
        }
        SHARED_AT(SUM_AT(0) = w->sum[0][l], (POSITION + 0) / 2, 0, R(SUM) | R(INDEX));
        SHARED_AT(SUM_AT(1) = w->sum[1][l], (POSITION + 1) / 2, 0, R(SUM) | R(INDEX));
        SHARED_AT(SUM_AT(2) = w->sum[2][l], (POSITION + 2) / 2, 0, R(SUM) | R(INDEX));
        ALU_RUN(6, R(INDEX), R(INDEX));
    }
    EVERY_LANE();
    BAR();
    KEEP_LANES(T < WARP_LANES);
    ALU_RUN(8, R(INDEX), R(INDEX));
    for (w->i = 0; w->i < FOURS; w->i += WARP_LANES) {
        KEEP_LANES(w->i + T < FOURS);
        /* Each lane reads two words (8 B), so lanes half a warp apart share a bank. */
        SHARED_AT(w->four[l] = s->sums[w->i + T].four, 2 * (w->i + T), R(SUM), R(INDEX));
        ST(w->four[l], m->blk_sad, [sums_of(m, &square4, macroblock, part) + w->i + T].four,
           R(SUM) | R(INDEX));
        ALU_RUN(3, R(INDEX), R(INDEX));
    }
    WARP_END();
}

/* ---- 8x8 and 16x16 ---- */

#define INPUTS 4 /* upper left, upper right, lower left, lower right */
#define OUTPUTS 5

/* Mask of the inputs of each output: left, right, upper and lower half, and all. */
static const uint32_t halves[OUTPUTS] = {5, 10, 3, 12, 15};

struct add_warp {
    struct warp_head head;
    uint64_t pair; /* index of the pair of positions that lane 0 adds */
    uint32_t k;
    uint32_t in[INPUTS][WARP_LANES], out[WARP_LANES];
};

/* Returns the sum of the output's input words, each of which holds two sums. No sum overflows. */
static uint32_t added(const struct add_warp *w, uint32_t l) {
    uint32_t sum = 0;
    for (uint32_t k = 0; k < INPUTS; k++)
        if (halves[w->k] >> k & 1)
            sum += w->in[k][l];
    return sum;
}

/* Function that returns the index of the k-th input, or output, of a warp. */
typedef uint64_t place_fn(const struct sad *m, const struct warp_place *place, uint32_t k);

static uint64_t macroblock_of(const struct sad *m, const struct warp_place *place) {
    return place->cta[1] * m->across + place->cta[0];
}

/* Return the inputs and outputs of `8x8`, which has one warp per quarter of the macroblock. */
static uint64_t quarter_input(const struct sad *m, const struct warp_place *place, uint32_t k) {
    const uint32_t y = place->warp / 2 * 2 + k / 2, x = place->warp % 2 * 2 + k % 2;
    return sums_of(m, &square4, macroblock_of(m, place), y * 4 + x);
}
static uint64_t quarter_output(const struct sad *m, const struct warp_place *place, uint32_t k) {
    const uint64_t macroblock = macroblock_of(m, place);
    const uint32_t y = place->warp / 2, x = place->warp % 2;
    if (k < 2)
        return sums_of(m, &high8, macroblock, y * 4 + x * 2 + k);
    if (k < 4)
        return sums_of(m, &wide8, macroblock, (y * 2 + k - 2) * 2 + x);
    return sums_of(m, &square8, macroblock, y * 2 + x);
}

static uint64_t whole_input(const struct sad *m, const struct warp_place *place, uint32_t k) {
    return sums_of(m, &square8, macroblock_of(m, place), k);
}
static uint64_t whole_output(const struct sad *m, const struct warp_place *place, uint32_t k) {
    const uint64_t macroblock = macroblock_of(m, place);
    if (k < 2)
        return sums_of(m, &high16, macroblock, k);
    if (k < 4)
        return sums_of(m, &wide16, macroblock, k - 2);
    return sums_of(m, &whole, macroblock, 0);
}

#define PAIR_AT(first) [(first) + (w->pair + l) / 2].two[(w->pair + l) % 2]

static void add_step(struct sad *m, const struct warp_place *place, struct add_warp *w,
                     struct warp_inst *inst, place_fn *input, place_fn *output) {
    WARP_BEGIN();
    ALU_RUN(20, R(INDEX), 0);
    for (w->pair = 0; w->pair < PAIRS; w->pair += WARP_LANES) {
        KEEP_LANES(w->pair + l < PAIRS);
        for (w->k = 0; w->k < INPUTS; w->k++)
            LD(w->in[w->k][l], m->blk_sad, PAIR_AT(input(m, place, w->k)), R(IN + w->k), R(INDEX));
        for (w->k = 0; w->k < OUTPUTS; w->k++) {
            ALU(1, w->out[l] = added(w, l), R(SUM), (uint64_t)halves[w->k] << IN);
            ST(w->out[l], m->blk_sad, PAIR_AT(output(m, place, w->k)), R(SUM) | R(INDEX));
        }
        ALU_RUN(3, R(INDEX), R(INDEX));
    }
    WARP_END();
}

static void quarter_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                         struct warp_inst *inst) {
    (void)cta;
    add_step(ctx, place, state, inst, quarter_input, quarter_output);
}

static void whole_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                       struct warp_inst *inst) {
    (void)cta;
    add_step(ctx, place, state, inst, whole_input, whole_output);
}

/* ---- Launches ---- */

static bool sad_next(struct workload *w, struct kernel_launch *launch) {
    struct sad *m = (struct sad *)w;
    const uint32_t across = (uint32_t)m->across, down = (uint32_t)(m->height / MACROBLOCK);
    const unsigned k = m->base.launched;
    if (k == 3)
        return false;
    m->base.launched++;
    *launch = (struct kernel_launch){
        .name = k == 1 ? "sad 8x8" : "sad 16x16",
        .grid = {across, down, 1},
        .block = {WARP_LANES, k == 1 ? 4 : 1, 1},
        .warp_state_size = sizeof(struct add_warp),
        .step = k == 1 ? quarter_step : whole_step,
        .ctx = m,
    };
    if (k == 0)
        *launch = (struct kernel_launch){
            .name = "sad 4x4",
            .grid = {across * (MACROBLOCK / PART), down * (MACROBLOCK / PART), 1},
            .block = {BLOCK, 1, 1},
            .shared_bytes = sizeof(struct search_block),
            .warp_state_size = sizeof(struct search_warp),
            .cta_state_size = sizeof(struct search_block),
            .step = search_step,
            .ctx = m,
        };
    return true;
}

/* ---- Reference version ---- */

/* Returns the sum of absolute differences between the 4 x 4 pixels at (x0, y0) and the reference at
 * a position. */
static uint16_t difference(const struct sad *m, uint64_t x0, uint64_t y0, uint64_t position) {
    uint16_t sum = 0;
    for (uint64_t y = 0; y < PART; y++)
        for (uint64_t x = 0; x < PART; x++)
            sum = with_difference(sum, m->frame.v[(y0 + y) * m->width + x0 + x],
                                  m->ref.v[reference_pixel(m, x0, y0, position, x, y)]);
    return sum;
}

/* Computes the sums of the smallest parts of a macroblock. */
static void compare_parts(const struct sad *m, union four_sums *sums, uint64_t macroblock) {
    const uint64_t x0 = macroblock % m->across * MACROBLOCK;
    const uint64_t y0 = macroblock / m->across * MACROBLOCK;
    for (uint64_t part = 0; part < square4.parts; part++) {
        union four_sums *to = &sums[sums_of(m, &square4, macroblock, part)];
        const uint64_t x = x0 + part % 4 * PART, y = y0 + part / 4 * PART;
        for (uint64_t p = 0; p < POSITIONS; p++)
            to[p / 4].one[p % 4] = difference(m, x, y, p);
    }
}

/* Computes the sums of the parts of a shape. A part consists of `wide` x `high` smallest parts. */
static void add_parts(const struct sad *m, union four_sums *sums, uint64_t macroblock,
                      const struct sad_shape *shape, uint64_t wide, uint64_t high) {
    for (uint64_t part = 0; part < PIXELS; part++) {
        const uint64_t larger = part / 4 / high * (4 / wide) + part % 4 / wide;
        union four_sums *to = &sums[sums_of(m, shape, macroblock, larger)];
        const union four_sums *from = &sums[sums_of(m, &square4, macroblock, part)];
        for (uint64_t p = 0; p < POSITIONS; p++)
            to[p / 4].one[p % 4] = (uint16_t)(to[p / 4].one[p % 4] + from[p / 4].one[p % 4]);
    }
}

static uint64_t all_sums(const struct sad *m) {
    return PARTS * m->macroblocks * FOURS;
}

static int sad_verify(struct workload *w, struct error *err) {
    struct sad *m = (struct sad *)w;
    union four_sums *sums = alloc_zeroed(all_sums(m), sizeof *sums);
    for (uint64_t k = 0; k < m->macroblocks; k++) {
        compare_parts(m, sums, k);
        add_parts(m, sums, k, &high8, 1, 2);
        add_parts(m, sums, k, &wide8, 2, 1);
        add_parts(m, sums, k, &square8, 2, 2);
        add_parts(m, sums, k, &high16, 2, 4);
        add_parts(m, sums, k, &wide16, 4, 2);
        add_parts(m, sums, k, &whole, 4, 4);
    }
    int rc = verify_ints("blk_sad", (const int32_t *)m->blk_sad.v, (const int32_t *)sums,
                         2 * all_sums(m), err); /* two sums per word */
    free(sums);
    return rc == 0 ? verify_accesses(w, err) : rc;
}

/* ---- Construction ---- */

static void sad_inputs(struct sad *m) {
    struct rng r = {SEED};
    for (uint64_t i = 0; i < m->width * m->height; i++) {
        m->frame.v[i] = (uint16_t)rng_below(&r, 256);
        m->ref.v[i] = (uint16_t)rng_below(&r, 256);
    }
}

static void sad_expect(struct sad *m) {
    const uint64_t n = m->macroblocks, parts = square4.parts;
    const uint64_t additions = (parts / INPUTS + 1) * PAIRS * n; /* per lane: quarters and whole */
    expect_accesses(m->frame.dev, n * parts * PIXELS, 0);
    expect_accesses(m->ref.dev, n * parts * POSITIONS / SIDE * SPAN * PART, 0);
    expect_accesses(m->blk_sad.dev, INPUTS * additions, n * parts * FOURS + OUTPUTS * additions);
}

static bool sad_create(struct workload *w, const uint64_t *v) {
    struct sad *m = (struct sad *)w;
    if (!workload_multiple(w, "W", v[0], MACROBLOCK) ||
        !workload_multiple(w, "H", v[1], MACROBLOCK))
        return false;
    m->width = v[0];
    m->height = v[1];
    m->across = m->width / MACROBLOCK;
    m->macroblocks = m->across * (m->height / MACROBLOCK);
    m->base.w.launches = 3;
    if (!NEW_ARRAY(m, frame, m->width * m->height) || !NEW_ARRAY(m, ref, m->width * m->height) ||
        !NEW_ARRAY(m, blk_sad, all_sums(m)))
        return false;
    sad_inputs(m);
    sad_expect(m);
    return true;
}

const struct workload_type workload_sad = {
    .name = "sad",
    .suite = "Parboil",
    .doc = "motion search in a video: 2 B per lane, 18 pixels apart, much reuse; coalesced sums",
    .size_doc = "W[,H]: width and height of the frames (multiples of 16)",
    .default_size = "176,144",
    .repeatable = true,
    .size = {{"W", MACROBLOCK, 8192}, {"H", MACROBLOCK, 8192}},
    .state_size = sizeof(struct sad),
    .next = sad_next,
    .verify = sad_verify,
    .create = sad_create,
};
