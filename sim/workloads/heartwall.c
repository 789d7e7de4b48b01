// SPDX-License-Identifier: Apache-2.0
/* heartwall (Rodinia): tracks P points of a heart's walls through F frames of a video.
 *
 * A CTA of 256 threads tracks one point. The first frame gives each point its template, 2 T + 1
 * pixels wide and high. In each later frame the CTA searches for the template in a window around
 * the point, 2 S + 1 pixels wide and high. It computes the sums of products at all offsets, divided
 * by the deviation of the pixels under the template. The deviation follows from running sums, along
 * columns and rows, of the pixels and of their squares. The best offset near that of the previous
 * frame is the point's new position. In every tenth frame the point moves to that position, and the
 * template is blended with the pixels there. All these arrays are in global memory, stored column
 * by column, with one copy per point. Most phases process one element per thread; phases that sum
 * have one thread per column or row.
 *
 * Thread-level accesses of a CTA in a frame after the first, with A = 2 T + 1, B = 2 S + 1, C = A +
 * B - 1, D = B + 2 A, M the sum over c < C of the size of [c - 4, c + 5] within [0, C-1]:
 *   frame     B^2 loads                          in2       B^2 (A^2 + 2) loads, B^2 stores
 *   templates 3 A^2 loads                        conv      2 C^2 loads, 2 C^2 stores
 *   pad       2 (D^2 + 2 C D) loads, 4 D^2 stores          sel  2 C D loads, 2 C D stores
 *   cumh      4 C D + 4 C^2 loads, 6 C D stores            cumh_sel  2 C^2 of both
 *   sub2      3 C^2 loads, 2 C^2 stores          sqr       B^2 of both
 *   sqr_sub2  5 C^2 of both                      in_sqr    A^2 of both
 *   mask      M^2 loads, C^2 stores              maskconv  C^2 of both
 *   place     2 stores
 * The first frame: A^2 loads of frame, A^2 stores of templates. Every tenth frame: the accesses of
 * a later frame and of the first, plus A^2 loads.
 */
#include "lane.h"

#include <math.h>
#include <stdlib.h>

#include "lib/alloc.h"

#define BLOCK 256
#define POINTS 51
#define INNER_POINTS 20 /* number of inner points among the 51 */
#define MAX_S 40
#define MAX_T 25
#define MAX_SIDE (2 * (MAX_S + MAX_T) + 1) /* maximum edge of conv */
#define HEIGHT 590                         /* height of a frame, in pixels */
#define WIDTH 609
#define MOVE_BACK 4 /* a point moves by -4 to 5 pixels per frame */
#define MOVE_ON 5
#define REFRESH 10 /* frames between updates of the templates */
#define ALPHA 0.87f
#define LEAST 1e-6f /* minimum variance */
#define SEED 0x8ea7

/* registers */
enum { INDEX, X, Y, SUM, TOTAL };

typedef ARRAY(float) float_array;

struct heartwall_place {
    int32_t row, column;
};

struct heartwall {
    struct lane_workload base;
    uint64_t points, frames, s, t;
    uint64_t frame_no; /* index of the current launch's frame */
    /* Edges of a template, of the search window, of the offsets, and of the padded window. */
    uint32_t a, b, c, d;
    uint32_t aa, bb, cc, cd, dd;          /* products of two edges */
    uint64_t inner;                       /* number of points on the inner wall */
    struct heartwall_place point[POINTS]; /* position at the last update of the templates */
    struct heartwall_place
        motion[POINTS]; /* distance from `point` to the position in the previous frame */
    float_array frame, inner_templates, outer_templates;
    float_array in2, conv, pad, sel, cumh, cumh_sel, sub2, sqr, sqr_sub2, in_sqr, mask, maskconv;
    ARRAY(struct heartwall_place) place; /* [points][frames] */
};

/* __shared__ variables of a CTA. */
struct heartwall_block {
    float rotated[(2 * MAX_T + 1) * (2 * MAX_T + 1)];
    float partial[2 * MAX_T + 1], partial_squares[2 * MAX_T + 1];
    float sum, sum_squares, deviation;
    float best[MAX_SIDE];
    uint32_t best_at[MAX_SIDE];
};

struct heartwall_warp {
    struct warp_head head;
    uint32_t phase;
    uint32_t at;  /* element of lane 0 */
    uint32_t all, /* lanes with an element */
        row;      /* lanes that have not finished their loop over columns */
    uint32_t i, j;
    unsigned squared; /* 0 for sums of pixels, 1 for sums of their squares */
    float x[WARP_LANES], y[WARP_LANES], sum[WARP_LANES];
    uint32_t best_at[WARP_LANES];
};

/* ---- Arithmetic ---- */

static float windowed_deviation(float sum, float squares, uint32_t pixels) {
    return sqrtf(fmaxf(squares - sum * sum / (float)pixels, LEAST));
}

/* Returns the deviation of a template, times the square root of (pixels - 1). */
static float template_deviation(float sum, float squares, uint32_t pixels) {
    const float variance = (squares - sum * sum / (float)pixels) / (float)(pixels - 1);
    return sqrtf((float)(pixels - 1)) * sqrtf(fmaxf(variance, LEAST));
}

/* Return the first and the last column (or row) of the template that overlap the search window at
 * offset c. */
static uint32_t first_of(const struct heartwall *m, uint32_t c) {
    return c < m->b ? 0 : c - m->b + 1;
}
static uint32_t last_of(const struct heartwall *m, uint32_t c) {
    return c < m->a ? c : m->a - 1;
}

static uint32_t mask_first(uint32_t c) {
    return c < MOVE_BACK ? 0 : c - MOVE_BACK;
}
static uint32_t mask_last(const struct heartwall *m, uint32_t c) {
    return c + MOVE_ON < m->c ? c + MOVE_ON : m->c - 1;
}

/* Returns the offset of the point in the previous frame. */
static uint32_t last_offset(const struct heartwall *m, struct heartwall_place motion) {
    const int32_t middle = (int32_t)(m->s + m->t);
    return (uint32_t)((middle + motion.column) * (int32_t)m->c + middle + motion.row);
}

static int32_t limited(int32_t v, int32_t low, int32_t high) {
    return v < low ? low : v > high ? high : v;
}

/* Returns the movement to the best offset, limited to the search window. */
static struct heartwall_place movement(const struct heartwall *m, uint32_t offset) {
    const int32_t s = (int32_t)m->s, middle = s + (int32_t)m->t, c = (int32_t)m->c;
    return (struct heartwall_place){.row = limited((int32_t)offset % c - middle, -s, s),
                                    .column = limited((int32_t)offset / c - middle, -s, s)};
}

/* Returns the point's new position, limited so that the search window stays in the frame. */
static struct heartwall_place moved_by(const struct heartwall *m, struct heartwall_place p,
                                       struct heartwall_place by) {
    const int32_t edge = (int32_t)(m->s > m->t ? m->s : m->t) + 1;
    return (struct heartwall_place){.row = limited(p.row + by.row, edge, HEIGHT - edge),
                                    .column = limited(p.column + by.column, edge, WIDTH - edge)};
}

/* Returns the index in a frame of element e of a square around a point. The square extends `half`
 * pixels in each direction. The rows and columns of a point are counted from 1. */
static uint64_t around(struct heartwall_place p, uint64_t half, uint32_t e) {
    const uint32_t edge = 2 * (uint32_t)half + 1;
    const int64_t row = p.row - (int64_t)half - 1 + e % edge;
    const int64_t column = p.column - (int64_t)half - 1 + e / edge;
    return (uint64_t)(column * HEIGHT + row);
}

static float total(const float *v, uint32_t n) {
    float sum = 0;
    for (uint32_t i = 0; i < n; i++)
        sum += v[i];
    return sum;
}

static void keep_better(float *best, uint32_t *best_at, float v, uint32_t at) {
    if (v > *best) {
        *best = v;
        *best_at = at;
    }
}

/* ---- Kernel ---- */

/* Returns the distance in floats between the copies of two points. It is a multiple of 256 B, as if
 * the copies were allocated separately. */
static uint64_t pitch(uint32_t elements) {
    return ceil_div(elements, 64) * 64;
}

/* Activates the lanes whose element index is below n. Returns false if there are none. */
static bool elements_below(struct heartwall_warp *w, uint32_t n) {
    if (w->at >= n)
        return false;
    w->head.on = n - w->at >= WARP_LANES ? UINT32_MAX : (1u << (n - w->at)) - 1;
    return true;
}

/* Loops over the thread's elements e < n, BLOCK apart. */
#define EACH(n) for (w->at = place->warp * WARP_LANES; elements_below(w, n); w->at += BLOCK)
#define E (w->at + l)
#define POINT (place->cta[0])
#define OWN(n, e) [POINT * pitch(n) + (e)]
#define TEMPLATES (*(POINT < m->inner ? &m->inner_templates : &m->outer_templates))
#define TEMPLATE(e) [(POINT < m->inner ? POINT : POINT - m->inner) * m->aa + (e)]
#define LOAD(value, array, n, e, dst) LD(value, array, OWN(n, e), R(dst), R(INDEX))
#define STORE(value, array, n, e, src) ST(value, array, OWN(n, e), R(src) | R(INDEX))
#define SOURCE (*(w->squared ? &m->sqr : &m->in2))
#define SUMS (*(w->squared ? &m->sqr_sub2 : &m->sub2))

/* Return whether element e of the padded window lies inside the window, and the element's index
 * there. */
static bool in_middle(const struct heartwall *m, uint32_t e) {
    return e % m->d - m->a < m->b && e / m->d - m->a < m->b;
}
static uint32_t middle_at(const struct heartwall *m, uint32_t e) {
    return (e / m->d - m->a) * m->b + e % m->d - m->a;
}

static void template_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                          struct warp_inst *inst) {
    struct heartwall *m = ctx;
    struct heartwall_warp *w = state;
    (void)cta;

    WARP_BEGIN();
    EACH(m->aa) {
        ALU_RUN(12, R(INDEX), 0);
        LD(w->x[l], m->frame, [around(m->point[POINT], m->t, E)], R(X), R(INDEX));
        ST(w->x[l], TEMPLATES, TEMPLATE(E), R(X) | R(INDEX));
    }
    WARP_END();
}

/* Returns the best offset of all columns, or that of the previous frame if no correlation is above
 * 0. */
static uint32_t best_of(const struct heartwall *m, const struct heartwall_block *s,
                        uint32_t point) {
    float best = 0;
    uint32_t best_at = last_offset(m, m->motion[point]);
    for (uint32_t i = 0; i < m->c; i++)
        keep_better(&best, &best_at, s->best[i], s->best_at[i]);
    return best_at;
}

static void move_point(struct heartwall *m, uint32_t point, uint32_t offset) {
    m->motion[point] = movement(m, offset);
    if (m->frame_no % REFRESH == 0) {
        m->point[point] = moved_by(m, m->point[point], m->motion[point]);
        m->motion[point] = (struct heartwall_place){0, 0};
    }
}

/* to[e] = from[e_from] for each e < n */
#define COPY(n, to, from, n_from, e_from)                                                          \
    do {                                                                                           \
        EACH(n) {                                                                                  \
            ALU_RUN(6, R(INDEX), R(INDEX));                                                        \
            LOAD(w->x[l], from, n_from, e_from, X);                                                \
            STORE(w->x[l], to, n, E, X);                                                           \
        }                                                                                          \
        BAR();                                                                                     \
    } while (0)

/* to[e] = x for each e < n, where `statement` updates x = a[e] by y = b[e] */
#define COMBINE(n, to, a, b, cost, statement)                                                      \
    do {                                                                                           \
        EACH(n) {                                                                                  \
            LOAD(w->x[l], a, n, E, X);                                                             \
            LOAD(w->y[l], b, n, E, Y);                                                             \
            ALU(cost, statement, R(X), R(X) | R(Y));                                               \
            STORE(w->x[l], to, n, E, X);                                                           \
        }                                                                                          \
        BAR();                                                                                     \
    } while (0)

/* Replaces the elements e(i), i < d, with their running sums, in n threads. */
#define RUNNING_SUMS(n, array, size, e)                                                            \
    do {                                                                                           \
        EACH(n) {                                                                                  \
            ALU(2, w->sum[l] = 0, R(SUM), R(INDEX));                                               \
            for (w->i = 0; w->i < m->d; w->i++) {                                                  \
                LOAD(w->x[l], array, size, e, X);                                                  \
                ALU(3, w->sum[l] += w->x[l], R(SUM), R(SUM) | R(X));                               \
                STORE(w->sum[l], array, size, e, SUM);                                             \
            }                                                                                      \
        }                                                                                          \
        BAR();                                                                                     \
    } while (0)

/* Loads the search window and the template, and rotates the template. */
static void take_inputs(struct heartwall *m, struct heartwall_block *s, struct heartwall_warp *w,
                        const struct warp_place *place, struct warp_inst *inst) {
    WARP_BEGIN();
    ALU_RUN(12, R(INDEX), 0);
    EACH(m->bb) {
        ALU_RUN(8, R(INDEX), R(INDEX));
        LD(w->x[l], m->frame, [around(m->point[POINT], m->s, E)], R(X), R(INDEX));
        STORE(w->x[l], m->in2, m->bb, E, X);
    }
    BAR();
    EACH(m->aa) {
        LD(w->x[l], TEMPLATES, TEMPLATE(m->aa - 1 - E), R(X), R(INDEX));
        SHARED(1, s->rotated[E] = w->x[l], 0, R(X) | R(INDEX));
    }
    BAR();
    PHASE_END();
}

#define ON_J (first_of(m, E / c) + w->j)
#define ON_I (first_of(m, E % c) + w->i)

/* Computes conv, the sums of products at all offsets. */
static void convolve(struct heartwall *m, struct heartwall_block *s, struct heartwall_warp *w,
                     const struct warp_place *place, struct warp_inst *inst) {
    const uint32_t a = m->a, b = m->b, c = m->c;

    WARP_BEGIN();
    EACH(m->cc) {
        ALU(12, w->sum[l] = 0, R(INDEX) | R(SUM), R(INDEX));
        w->all = w->head.on;
        for (w->j = 0; w->head.on; w->j++) {
            KEEP_LANES(first_of(m, E / c) + w->j <= last_of(m, E / c));
            w->row = w->head.on;
            for (w->i = 0; w->head.on; w->i++) {
                KEEP_LANES(first_of(m, E % c) + w->i <= last_of(m, E % c));
                SHARED(1, w->y[l] = s->rotated[a * ON_J + ON_I], R(Y), R(INDEX));
                LOAD(w->x[l], m->in2, m->bb, b * (E / c - ON_J) + E % c - ON_I, X);
                ALU(2, w->sum[l] += w->y[l] * w->x[l], R(SUM), R(SUM) | R(X) | R(Y));
            }
            w->head.on = w->row;
        }
        w->head.on = w->all;
        STORE(w->sum[l], m->conv, m->cc, E, SUM);
    }
    BAR();
    PHASE_END();
}

static void square_pixels(struct heartwall *m, struct heartwall_warp *w,
                          const struct warp_place *place, struct warp_inst *inst) {
    WARP_BEGIN();
    EACH(m->bb) {
        LOAD(w->x[l], m->in2, m->bb, E, X);
        ALU(1, w->x[l] *= w->x[l], R(X), R(X));
        STORE(w->x[l], m->sqr, m->bb, E, X);
    }
    BAR();
    PHASE_END();
}

/* Computes sub2 or sqr_sub2: sums of the pixels under the template, or of their squares. */
static void sum_windows(struct heartwall *m, struct heartwall_warp *w,
                        const struct warp_place *place, struct warp_inst *inst) {
    const uint32_t a = m->a, c = m->c, d = m->d;

    WARP_BEGIN();
    EACH(m->dd) {
        ALU(8, w->x[l] = 0, R(INDEX) | R(X), R(INDEX));
        w->all = w->head.on;
        KEEP_LANES(in_middle(m, E));
        LOAD(w->x[l], SOURCE, m->bb, middle_at(m, E), X);
        w->head.on = w->all;
        STORE(w->x[l], m->pad, m->dd, E, X);
    }
    BAR();
    RUNNING_SUMS(d, m->pad, m->dd, E * d + w->i);
    COPY(m->cd, m->sel, m->pad, m->dd, E / c * d + E % c + a);
    COPY(m->cd, m->cumh, m->pad, m->dd, E / c * d + E % c);
    COMBINE(m->cd, m->cumh, m->sel, m->cumh, 2, w->x[l] -= w->y[l]);
    RUNNING_SUMS(c, m->cumh, m->cd, w->i * c + E);
    COPY(m->cc, m->cumh_sel, m->cumh, m->cd, E + a * c);
    COPY(m->cc, SUMS, m->cumh, m->cd, E);
    COMBINE(m->cc, SUMS, m->cumh_sel, SUMS, 2, w->x[l] -= w->y[l]);
    PHASE_END();
}

/* Computes the deviations of the windows, in sqr_sub2, and of the template. */
static void find_deviations(struct heartwall *m, struct heartwall_block *s,
                            struct heartwall_warp *w, const struct warp_place *place,
                            struct warp_inst *inst) {
    const uint32_t a = m->a;

    WARP_BEGIN();
    EACH(m->cc) {
        LOAD(w->x[l], m->sub2, m->cc, E, X);
        LOAD(w->y[l], m->sqr_sub2, m->cc, E, Y);
        ALU(4, w->x[l] = windowed_deviation(w->x[l], w->y[l], m->aa), R(X), R(X) | R(Y));
        SFU(1, (void)0, R(X), R(X));
        STORE(w->x[l], m->sqr_sub2, m->cc, E, X);
    }
    BAR();
    EACH(m->aa) {
        LD(w->x[l], TEMPLATES, TEMPLATE(E), R(X), R(INDEX));
        ALU(1, w->x[l] *= w->x[l], R(X), R(X));
        STORE(w->x[l], m->in_sqr, m->aa, E, X);
    }
    BAR();
    EACH(a) {
        ALU(2, w->sum[l] = 0, R(SUM), R(INDEX));
        for (w->i = 0; w->i < a; w->i++) {
            LD(w->x[l], TEMPLATES, TEMPLATE(E * a + w->i), R(X), R(INDEX));
            ALU(3, w->sum[l] += w->x[l], R(SUM), R(SUM) | R(X));
        }
        SHARED(1, s->partial[E] = w->sum[l], 0, R(SUM));
    }
    BAR();
    EACH(a) {
        ALU(2, w->sum[l] = 0, R(SUM), R(INDEX));
        for (w->i = 0; w->i < a; w->i++) {
            LOAD(w->x[l], m->in_sqr, m->aa, E + w->i * a, X);
            ALU(3, w->sum[l] += w->x[l], R(SUM), R(SUM) | R(X));
        }
        SHARED(1, s->partial_squares[E] = w->sum[l], 0, R(SUM));
    }
    BAR();
    w->head.on = place->warp == 0 ? 3 : 0; /* one thread for each sum */
    SHARED(a, *(l ? &s->sum_squares : &s->sum) = total(l ? s->partial_squares : s->partial, a),
           R(SUM), 0);
    BAR();
    w->head.on &= 1;
    SHARED(2, s->deviation = template_deviation(s->sum, s->sum_squares, m->aa), R(SUM), R(SUM));
    SFU(2, (void)0, R(SUM), R(SUM));
    BAR();
    PHASE_END();
}

/* Computes sqr_sub2, the normalized correlation at all offsets. */
static void normalize(struct heartwall *m, struct heartwall_block *s, struct heartwall_warp *w,
                      const struct warp_place *place, struct warp_inst *inst) {
    WARP_BEGIN();
    EACH(m->cc) {
        SHARED(1, w->y[l] = s->deviation, R(Y), 0);
        LOAD(w->x[l], m->sqr_sub2, m->cc, E, X);
        ALU(1, w->x[l] *= w->y[l], R(X), R(X) | R(Y));
        STORE(w->x[l], m->sqr_sub2, m->cc, E, X);
    }
    BAR();
    EACH(m->cc) {
        SHARED(1, w->sum[l] = s->sum, R(SUM), 0);
        LOAD(w->x[l], m->conv, m->cc, E, X);
        LOAD(w->y[l], m->sub2, m->cc, E, Y);
        ALU(8, w->x[l] -= w->y[l] * w->sum[l] / (float)m->aa, R(X), R(X) | R(Y) | R(SUM));
        STORE(w->x[l], m->conv, m->cc, E, X);
    }
    BAR();
    COMBINE(m->cc, m->sqr_sub2, m->conv, m->sqr_sub2, 8, w->x[l] /= w->y[l]);
    PHASE_END();
}

/* Computes maskconv, which is the correlation near the offset of the previous frame, and 0
 * elsewhere. */
static void mask_offsets(struct heartwall *m, struct heartwall_warp *w,
                         const struct warp_place *place, struct warp_inst *inst) {
    const uint32_t c = m->c;

    WARP_BEGIN();
    EACH(m->cc) {
        ALU(4, w->x[l] = E == last_offset(m, m->motion[POINT]), R(X), R(INDEX));
        STORE(w->x[l], m->mask, m->cc, E, X);
    }
    BAR();
    EACH(m->cc) {
        ALU(10, w->sum[l] = 0, R(INDEX) | R(SUM), R(INDEX));
        w->all = w->head.on;
        for (w->j = 0; w->head.on; w->j++) {
            KEEP_LANES(mask_first(E / c) + w->j <= mask_last(m, E / c));
            w->row = w->head.on;
            for (w->i = 0; w->head.on; w->i++) {
                KEEP_LANES(mask_first(E % c) + w->i <= mask_last(m, E % c));
                LOAD(w->x[l], m->mask, m->cc,
                     (mask_first(E / c) + w->j) * c + mask_first(E % c) + w->i, X);
                ALU(2, w->sum[l] += w->x[l], R(SUM), R(SUM) | R(X));
            }
            w->head.on = w->row;
        }
        w->head.on = w->all;
        LOAD(w->x[l], m->sqr_sub2, m->cc, E, X);
        ALU(1, w->x[l] *= w->sum[l], R(X), R(X) | R(SUM));
        STORE(w->x[l], m->maskconv, m->cc, E, X);
    }
    BAR();
    PHASE_END();
}

#define PLACE [POINT * m->frames + m->frame_no]

/* Finds the best offset and the point's new position. */
static void find_place(struct heartwall *m, struct heartwall_block *s, struct heartwall_warp *w,
                       const struct warp_place *place, struct warp_inst *inst) {
    const uint32_t c = m->c;

    WARP_BEGIN();
    EACH(c) {
        ALU(2, w->sum[l] = 0, R(SUM), R(INDEX));
        for (w->i = 0; w->i < c; w->i++) {
            LOAD(w->x[l], m->maskconv, m->cc, c * E + w->i, X);
            ALU(3, keep_better(&w->sum[l], &w->best_at[l], w->x[l], c * E + w->i), R(SUM),
                R(SUM) | R(X));
        }
        SHARED(1, s->best[E] = w->sum[l], 0, R(SUM));
        SHARED(1, s->best_at[E] = w->best_at[l], 0, R(SUM));
    }
    BAR();
    w->head.on = place->warp == 0;
    SHARED(2 * c, s->best_at[0] = best_of(m, s, POINT), R(SUM), 0);
    ALU(8, move_point(m, POINT, s->best_at[0]), R(TOTAL), R(SUM));
    ST(moved_by(m, m->point[POINT], m->motion[POINT]).row, m->place, PLACE.row, R(TOTAL));
    ST(moved_by(m, m->point[POINT], m->motion[POINT]).column, m->place, PLACE.column, R(TOTAL));
    BAR();
    PHASE_END();
}

static void mix_template(struct heartwall *m, struct heartwall_warp *w,
                         const struct warp_place *place, struct warp_inst *inst) {
    WARP_BEGIN();
    EACH(m->aa) {
        ALU_RUN(12, R(INDEX), R(INDEX));
        LD(w->y[l], TEMPLATES, TEMPLATE(E), R(Y), R(INDEX));
        LD(w->x[l], m->frame, [around(m->point[POINT], m->t, E)], R(X), R(INDEX));
        ALU(2, w->x[l] = ALPHA * w->y[l] + (1 - ALPHA) * w->x[l], R(X), R(X) | R(Y));
        ST(w->x[l], TEMPLATES, TEMPLATE(E), R(X) | R(INDEX));
    }
    PHASE_END();
}

static void track_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                       struct warp_inst *inst) {
    struct heartwall *m = ctx;
    struct heartwall_block *s = cta;
    struct heartwall_warp *w = state;

    PHASES_BEGIN();
    PHASE(take_inputs(m, s, w, place, inst));
    PHASE(convolve(m, s, w, place, inst));
    PHASE(sum_windows(m, w, place, inst));
    PHASE(square_pixels(m, w, place, inst));
    w->squared = 1;
    PHASE(sum_windows(m, w, place, inst));
    PHASE(find_deviations(m, s, w, place, inst));
    PHASE(normalize(m, s, w, place, inst));
    PHASE(mask_offsets(m, w, place, inst));
    PHASE(find_place(m, s, w, place, inst));
    if (m->frame_no % REFRESH == 0)
        PHASE(mix_template(m, w, place, inst));
    PHASES_END();
}

/* ---- Launches ---- */

/* Generates a frame on the host. Pixels move up by one row and right by one column per frame, and
 * have noise. */
static void make_frame(uint64_t frame_no, float *frame) {
    struct rng noise = {SEED + frame_no};
    for (uint64_t column = 0; column < WIDTH; column++)
        for (uint64_t row = 0; row < HEIGHT; row++) {
            struct rng r = {SEED + (column + 1000 - frame_no) * 4096 + row + frame_no};
            *frame++ = 0.1f + 0.8f * rng_unit(&r) + 0.1f * rng_unit(&noise);
        }
}

static bool heartwall_next(struct workload *w, struct kernel_launch *launch) {
    struct heartwall *m = (struct heartwall *)w;
    m->frame_no = m->base.launched;
    if (m->frame_no == m->frames)
        return false;
    const bool first = m->base.launched++ == 0;
    make_frame(m->frame_no, m->frame.v);
    *launch = (struct kernel_launch){
        .name = first ? "heartwall templates" : "heartwall track",
        .grid = {(uint32_t)m->points, 1, 1},
        .block = {BLOCK, 1, 1},
        .shared_bytes = sizeof(struct heartwall_block),
        .warp_state_size = sizeof(struct heartwall_warp),
        .cta_state_size = sizeof(struct heartwall_block),
        .step = first ? template_step : track_step,
        .ctx = m,
    };
    return true;
}

/* ---- Reference version ---- */

/* Arrays of the reference version, stored column by column as in the kernel. */
struct heartwall_plain {
    float templates[POINTS][(2 * MAX_T + 1) * (2 * MAX_T + 1)];
    float searched[(2 * MAX_S + 1) * (2 * MAX_S + 1)], squares[(2 * MAX_S + 1) * (2 * MAX_S + 1)];
    float conv[MAX_SIDE * MAX_SIDE], sums[MAX_SIDE * MAX_SIDE], square_sums[MAX_SIDE * MAX_SIDE];
    float zeros_around[(MAX_SIDE + 2 * MAX_T + 1) * (MAX_SIDE + 2 * MAX_T + 1)];
    float strips[MAX_SIDE * (MAX_SIDE + 2 * MAX_T + 1)];
    float frame[WIDTH * HEIGHT];
    struct heartwall_place point[POINTS], motion[POINTS], place[POINTS];
};

/* Computes the sums of products of the template and the part of `x` under it, at every offset. */
static void correlate(const struct heartwall *m, const float *template, const float *x,
                      float *out) {
    const int64_t a = m->a, b = m->b, c = m->c;
    for (int64_t column = 0; column < c; column++)
        for (int64_t row = 0; row < c; row++) {
            float sum = 0;
            for (int64_t j = 0; j < a; j++)
                for (int64_t i = 0; i < a; i++)
                    if (column >= j && column - j < b && row >= i && row - i < b)
                        sum += template[a * a - 1 - (j * a + i)] * x[(column - j) * b + row - i];
            *out++ = sum;
        }
}

/* Computes the sum of the part of `x` under the template, at every offset, from running sums, first
 * over rows, then over columns. */
static void window_sums(const struct heartwall *m, struct heartwall_plain *p, const float *x,
                        float *out) {
    const uint32_t a = m->a, c = m->c, d = m->d;
    for (uint32_t column = 0; column < d; column++) {
        float sum = 0;
        for (uint32_t row = 0, e = column * d; row < d; row++, e++)
            p->zeros_around[e] = sum += in_middle(m, e) ? x[middle_at(m, e)] : 0;
        for (uint32_t row = 0, e = column * d; row < c; row++, e++)
            p->strips[column * c + row] = p->zeros_around[e + a] - p->zeros_around[e];
    }
    for (uint32_t row = 0; row < c; row++) {
        float sum = 0;
        for (uint32_t column = 0; column < d; column++)
            p->strips[column * c + row] = sum += p->strips[column * c + row];
    }
    for (uint32_t e = 0; e < c * c; e++)
        out[e] = p->strips[e + a * c] - p->strips[e];
}

/* Turns the sums into correlations. Returns the best offset near that of the previous frame. */
static uint32_t plain_best(const struct heartwall *m, struct heartwall_plain *p,
                           const float *template, struct heartwall_place motion) {
    const uint32_t a = m->a, c = m->c, aa = m->aa;
    float sum = 0, squares = 0, best = 0;
    for (uint32_t j = 0; j < a; j++)
        sum += total(&template[j * a], a);
    for (uint32_t i = 0; i < a; i++) {
        float row = 0;
        for (uint32_t j = 0; j < a; j++)
            row += template[j * a + i] * template[j * a + i];
        squares += row;
    }
    uint32_t at = last_offset(m, motion);
    const int64_t column = at / c, row = at % c;
    for (uint32_t e = 0; e < c * c; e++) {
        const float deviation = windowed_deviation(p->sums[e], p->square_sums[e], aa) *
                                template_deviation(sum, squares, aa);
        p->conv[e] -= p->sums[e] * sum / (float)aa;
        p->square_sums[e] = p->conv[e] / deviation;
        if (row - e % c <= MOVE_ON && e % c - row <= MOVE_BACK && column - e / c <= MOVE_ON &&
            e / c - column <= MOVE_BACK)
            keep_better(&best, &at, p->square_sums[e], e);
    }
    return at;
}

static void plain_point(const struct heartwall *m, struct heartwall_plain *p, uint64_t k,
                        uint64_t frame) {
    float *template = p->templates[k];
    for (uint32_t e = 0; e < m->bb; e++) {
        p->searched[e] = p->frame[around(p->point[k], m->s, e)];
        p->squares[e] = p->searched[e] * p->searched[e];
    }
    correlate(m, template, p->searched, p->conv);
    window_sums(m, p, p->searched, p->sums);
    window_sums(m, p, p->squares, p->square_sums);
    p->motion[k] = movement(m, plain_best(m, p, template, p->motion[k]));
    p->place[k] = moved_by(m, p->point[k], p->motion[k]);
    if (frame % REFRESH != 0)
        return;
    p->point[k] = p->place[k];
    p->motion[k] = (struct heartwall_place){0, 0};
    for (uint32_t e = 0; e < m->aa; e++)
        template[e] = ALPHA *template[e] + (1 - ALPHA) * p->frame[around(p->point[k], m->t, e)];
}

/* Places the points on two ellipses. */
static void make_points(const struct heartwall *m, struct heartwall_place *point) {
    for (uint64_t k = 0; k < m->points; k++) {
        const bool inner = k < m->inner;
        const uint64_t of = inner ? m->inner : m->points - m->inner;
        const double turn = 6.283185307179586 * (double)(inner ? k : k - m->inner) / (double)of;
        point[k].row = 398 + (int32_t)((inner ? 90 : 145) * cos(turn));
        point[k].column = 306 + (int32_t)((inner ? 95 : 151) * sin(turn));
    }
}

/* Compares the arrays of a point with the reference version. */
static int compare_point(struct heartwall *m, const struct heartwall_plain *p, uint64_t k,
                         struct error *err) {
    const uint32_t aa = m->aa, cc = m->cc;
    const uint64_t copy = k * pitch(cc);
    const float_array *templates = k < m->inner ? &m->inner_templates : &m->outer_templates;
    const float *mine = &templates->v[(k < m->inner ? k : k - m->inner) * aa];
    if (verify_floats(templates->dev->name, mine, p->templates[k], aa, err) != 0 ||
        verify_floats("conv", &m->conv.v[copy], p->conv, cc, err) != 0 ||
        verify_floats("sub2", &m->sub2.v[copy], p->sums, cc, err) != 0 ||
        verify_floats("sqr_sub2", &m->sqr_sub2.v[copy], p->square_sums, cc, err) != 0)
        return -1;
    return 0;
}

static int compare_places(struct heartwall *m, const struct heartwall_plain *p, uint64_t frame,
                          struct error *err) {
    for (uint64_t k = 0; k < m->points; k++)
        if (verify_ints("place", &m->place.v[k * m->frames + frame].row, &p->place[k].row, 2,
                        err) != 0)
            return -1;
    return 0;
}

static int heartwall_verify(struct workload *w, struct error *err) {
    struct heartwall *m = (struct heartwall *)w;
    struct heartwall_plain *p = alloc_zeroed(1, sizeof *p);
    int rc = 0;
    if (rc == 0)
        make_points(m, p->point);
    for (uint64_t frame = 0; rc == 0 && frame < m->frames; frame++) {
        make_frame(frame, p->frame);
        for (uint64_t k = 0; rc == 0 && k < m->points; k++) {
            for (uint32_t e = 0; frame == 0 && e < m->aa; e++)
                p->templates[k][e] = p->frame[around(p->point[k], m->t, e)];
            if (frame > 0)
                plain_point(m, p, k, frame);
            if (frame == m->frames - 1)
                rc = compare_point(m, p, k, err);
        }
        if (rc == 0)
            rc = compare_places(m, p, frame, err);
    }
    free(p);
    return rc == 0 ? verify_accesses(w, err) : rc;
}

/* ---- Construction ---- */

/* Sets the expected access counts from the formulae in the file's header. */
static void heartwall_expect(struct heartwall *m) {
    const uint64_t a = m->a, b = m->b, c = m->c, d = m->d;
    const uint64_t k = m->points, n = k * (m->frames - 1), changes = (m->frames - 1) / REFRESH;
    const uint64_t inner = m->inner, outer = k - inner, loads = 3 * (m->frames - 1) + changes;
    uint64_t masked = 0;
    for (int64_t i = 0; i < (int64_t)c; i++)
        masked += cells_inside(i - MOVE_BACK, i + MOVE_ON, (int64_t)c);
    expect_accesses(m->frame.dev, n * b * b + k * (1 + changes) * a * a, 0);
    expect_accesses(m->inner_templates.dev, inner * loads * a * a, inner * (1 + changes) * a * a);
    expect_accesses(m->outer_templates.dev, outer * loads * a * a, outer * (1 + changes) * a * a);
    expect_accesses(m->in2.dev, n * b * b * (a * a + 2), n * b * b);
    expect_accesses(m->conv.dev, n * 2 * c * c, n * 2 * c * c);
    expect_accesses(m->pad.dev, n * 2 * (d * d + 2 * c * d), n * 4 * d * d);
    expect_accesses(m->sel.dev, n * 2 * c * d, n * 2 * c * d);
    expect_accesses(m->cumh.dev, n * (4 * c * d + 4 * c * c), n * 6 * c * d);
    expect_accesses(m->cumh_sel.dev, n * 2 * c * c, n * 2 * c * c);
    expect_accesses(m->sub2.dev, n * 3 * c * c, n * 2 * c * c);
    expect_accesses(m->sqr.dev, n * b * b, n * b * b);
    expect_accesses(m->sqr_sub2.dev, n * 5 * c * c, n * 5 * c * c);
    expect_accesses(m->in_sqr.dev, n * a * a, n * a * a);
    expect_accesses(m->mask.dev, n * masked * masked, n * c * c);
    expect_accesses(m->maskconv.dev, n * c * c, n * c * c);
    expect_accesses(m->place.dev, 0, 2 * n);
}

static bool heartwall_arrays(struct heartwall *m) {
    const uint64_t k = m->points, aa = m->aa, bb = k * pitch(m->bb), cc = k * pitch(m->cc);
    const uint64_t cd = k * pitch(m->c * m->d), dd = k * pitch(m->d * m->d);
    return NEW_ARRAY(m, frame, WIDTH * HEIGHT) && NEW_ARRAY(m, inner_templates, m->inner * aa) &&
           NEW_ARRAY(m, outer_templates, (k - m->inner) * aa) && NEW_ARRAY(m, in2, bb) &&
           NEW_ARRAY(m, conv, cc) && NEW_ARRAY(m, pad, dd) && NEW_ARRAY(m, sel, cd) &&
           NEW_ARRAY(m, cumh, cd) && NEW_ARRAY(m, cumh_sel, cc) && NEW_ARRAY(m, sub2, cc) &&
           NEW_ARRAY(m, sqr, bb) && NEW_ARRAY(m, sqr_sub2, cc) &&
           NEW_ARRAY(m, in_sqr, k * pitch((uint32_t)aa)) && NEW_ARRAY(m, mask, cc) &&
           NEW_ARRAY(m, maskconv, cc) && NEW_ARRAY(m, place, k * m->frames);
}

static bool heartwall_create(struct workload *w, const uint64_t *v) {
    struct heartwall *m = (struct heartwall *)w;
    m->points = v[0];
    m->frames = v[1];
    m->s = v[2];
    m->t = v[3];
    m->a = 2 * (uint32_t)m->t + 1;
    m->b = 2 * (uint32_t)m->s + 1;
    m->c = m->a + m->b - 1;
    m->d = m->b + 2 * m->a;
    m->aa = m->a * m->a;
    m->bb = m->b * m->b;
    m->cc = m->c * m->c;
    m->cd = m->c * m->d;
    m->dd = m->d * m->d;
    m->inner = ceil_div(m->points * INNER_POINTS, POINTS);
    m->base.w.launches = m->frames;
    if (!heartwall_arrays(m))
        return false;
    make_points(m, m->point);
    heartwall_expect(m);
    return true;
}

const struct workload_type workload_heartwall = {
    .name = "heartwall",
    .suite = "Rodinia",
    .doc = "points tracked through frames: one CTA per point, phases over its own arrays",
    .size_doc = "P[,F[,S[,T]]]: points, frames, pixels on each side of the search window and of "
                "the template",
    .default_size = "51,3,16,10",
    .size = {{"P", 2, POINTS}, {"F", 2, 104}, {"S", 2, MAX_S}, {"T", 1, MAX_T}},
    .state_size = sizeof(struct heartwall),
    .next = heartwall_next,
    .verify = heartwall_verify,
    .create = heartwall_create,
};
