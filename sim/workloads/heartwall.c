// SPDX-License-Identifier: Apache-2.0
/* heartwall: follows P points of a heart's walls through F frames of a video.
 *
 * A block a point, of 256 threads. The first frame gives each point its template, 2 T + 1 pixels
 * wide and high; in every further one a block looks for it in the 2 S + 1 around the point: the
 * sums of products at all offsets, divided by the deviation of the pixels under the template, which
 * follows from running sums down the columns and along the rows of the pixels and of their squares.
 * The best offset near that of the last frame is the point's new place. Every tenth frame the point
 * moves there and the template is mixed with what it sees. All these arrays are in global memory,
 * a copy a point, column by column; most phases go over one element after another, those that sum
 * have a thread a column or row.
 *
 * Thread-level accesses of a block in a frame after the first, with A = 2 T + 1, B = 2 S + 1, C = A
 * + B - 1, D = B + 2 A, M the sum over c < C of |[c - 4, c + 5] with [0, C-1]|:
 *   frame     B^2 loads                          in2       B^2 (A^2 + 2) loads, B^2 stores
 *   templates 3 A^2 loads                        conv      2 C^2 loads, 2 C^2 stores
 *   pad       2 (D^2 + 2 C D) loads, 4 D^2 stores          sel  2 C D loads, 2 C D stores
 *   cumh      4 C D + 4 C^2 loads, 6 C D stores            cumh_sel  2 C^2 of both
 *   sub2      3 C^2 loads, 2 C^2 stores          sqr       B^2 of both
 *   sqr_sub2  5 C^2 of both                      in_sqr    A^2 of both
 *   mask      M^2 loads, C^2 stores              maskconv  C^2 of both
 *   place     2 stores
 * The first frame: A^2 loads of frame, A^2 stores of templates; every tenth: both, and A^2 loads.
 */
#include "lane.h"

#include <math.h>
#include <stdlib.h>

#include "lib/alloc.h"

#define BLOCK 256
#define POINTS 51
#define INNER_POINTS 20 /* of 51 points lie on the inner wall */
#define MAX_S 40
#define MAX_T 25
#define MAX_SIDE (2 * (MAX_S + MAX_T) + 1) /* of conv */
#define HEIGHT 590                         /* of a frame */
#define WIDTH 609
#define MOVE_BACK 4 /* a point moves by -4 to 5 pixels a frame */
#define MOVE_ON 5
#define REFRESH 10 /* frames from one change of the templates to the next */
#define ALPHA 0.87f
#define LEAST 1e-6f /* a variance is not less */
#define SEED 0x8ea7

/* registers */
enum { INDEX, X, Y, SUM, TOTAL };

typedef ARRAY(float) float_array;

struct place {
    int32_t row, column;
};

struct heartwall {
    struct lane_workload base;
    uint64_t points, frames, s, t;
    uint64_t frame_no; /* of this launch */
    /* Edges: of a template, of what is searched, of the offsets, of that with zeros around it. */
    uint32_t a, b, c, d;
    uint64_t inner;             /* points on the inner wall */
    struct place point[POINTS]; /* where templates were taken last */
    struct place moved[POINTS]; /* from there to the place in the last frame */
    float_array frame, inner_templates, outer_templates;
    float_array in2, conv, pad, sel, cumh, cumh_sel, sub2, sqr, sqr_sub2, in_sqr, mask, maskconv;
    ARRAY(struct place) place; /* [points][frames] */
};

/* __shared__ variables of a block. */
struct heartwall_block {
    float rotated[(2 * MAX_T + 1) * (2 * MAX_T + 1)];
    float partial[2 * MAX_T + 1], partial_squares[2 * MAX_T + 1];
    float sum, sum_squares, deviation;
    float best[MAX_SIDE];
    uint32_t best_at[MAX_SIDE];
};

struct heartwall_warp {
    struct warp_head head;
    uint32_t at;       /* element of lane 0 */
    uint32_t all, row; /* lanes with an element, and with this column of the template */
    uint32_t i, j;
    unsigned squared; /* 0: sums of pixels, 1: of squares */
    float x[WARP_LANES], y[WARP_LANES], sum[WARP_LANES];
    uint32_t best_at[WARP_LANES];
};

/* ---- Arithmetic ---- */

static float windowed_deviation(float sum, float squares, uint32_t pixels) {
    return sqrtf(fmaxf(squares - sum * sum / (float)pixels, LEAST));
}

/* Of a template, times the root of its pixels less one. */
static float template_deviation(float sum, float squares, uint32_t pixels) {
    const float variance = (squares - sum * sum / (float)pixels) / (float)(pixels - 1);
    return sqrtf((float)(pixels - 1)) * sqrtf(fmaxf(variance, LEAST));
}

/* First and last column (row) of the template that meets what is searched at offset c. */
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

/* The offset at which the point was in the last frame. */
static uint32_t last_offset(const struct heartwall *m, struct place moved) {
    const int32_t middle = (int32_t)(m->s + m->t);
    return (uint32_t)((middle + moved.column) * (int32_t)m->c + middle + moved.row);
}

static int32_t limited(int32_t v, int32_t low, int32_t high) {
    return v < low ? low : v > high ? high : v;
}

/* What the best offset says; a point stays in what is searched. */
static struct place movement(const struct heartwall *m, uint32_t offset) {
    const int32_t s = (int32_t)m->s, middle = s + (int32_t)m->t, c = (int32_t)m->c;
    return (struct place){.row = limited((int32_t)offset % c - middle, -s, s),
                          .column = limited((int32_t)offset / c - middle, -s, s)};
}

/* The point's new place; what is searched stays in the frame. */
static struct place moved_by(const struct heartwall *m, struct place p, struct place by) {
    const int32_t edge = (int32_t)(m->s > m->t ? m->s : m->t) + 1;
    return (struct place){.row = limited(p.row + by.row, edge, HEIGHT - edge),
                          .column = limited(p.column + by.column, edge, WIDTH - edge)};
}

/* Element e of a square of that half edge around a point (which counts from 1), in a frame. */
static uint64_t around(struct place p, uint64_t half, uint32_t e) {
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

/* ---- The kernel ---- */

/* Floats from one point's copy to the next: each is allocated apart. */
static uint64_t pitch(uint32_t elements) {
    return ceil_div(elements, 64) * 64;
}

/* Switches on the lanes whose element is below n; false if there are none. */
static bool elements_below(struct heartwall_warp *w, uint32_t n) {
    if (w->at >= n)
        return false;
    w->head.on = n - w->at >= WARP_LANES ? UINT32_MAX : (1u << (n - w->at)) - 1;
    return true;
}

/* For each element e < n of the thread, BLOCK apart. */
#define EACH(n) for (w->at = place->warp * WARP_LANES; elements_below(w, n); w->at += BLOCK)
#define E (w->at + l)
#define OWN(n, e) [point * pitch(n) + (e)]
#define TEMPLATES (*(point < m->inner ? &m->inner_templates : &m->outer_templates))
#define TEMPLATE(e) [(point < m->inner ? point : point - m->inner) * aa + (e)]
#define LOAD(value, array, n, e, dst) LD(value, array, OWN(n, e), R(dst), R(INDEX))
#define STORE(value, array, n, e, src) ST(value, array, OWN(n, e), R(src) | R(INDEX))
#define SOURCE (*(w->squared ? &m->sqr : &m->in2))
#define SUMS (*(w->squared ? &m->sqr_sub2 : &m->sub2))

/* Whether element e of what has zeros around it lies inside, and where. */
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
    const uint32_t point = place->cta[0], aa = m->a * m->a;
    (void)cta;

    WARP_BEGIN();
    EACH(aa) {
        ALU_RUN(12, R(INDEX), 0);
        LD(w->x[l], m->frame, [around(m->point[point], m->t, E)], R(X), R(INDEX));
        ST(w->x[l], TEMPLATES, TEMPLATE(E), R(X) | R(INDEX));
    }
    WARP_END();
}

/* The best offset of all columns; without one that is better than none, that of the last frame. */
static uint32_t best_of(const struct heartwall *m, const struct heartwall_block *s,
                        uint32_t point) {
    float best = 0;
    uint32_t best_at = last_offset(m, m->moved[point]);
    for (uint32_t i = 0; i < m->c; i++)
        keep_better(&best, &best_at, s->best[i], s->best_at[i]);
    return best_at;
}

static void move_point(struct heartwall *m, uint32_t point, uint32_t offset) {
    m->moved[point] = movement(m, offset);
    if (m->frame_no % REFRESH == 0) {
        m->point[point] = moved_by(m, m->point[point], m->moved[point]);
        m->moved[point] = (struct place){0, 0};
    }
}

#define ON_J (first_of(m, E / c) + w->j)
#define ON_I (first_of(m, E % c) + w->i)
#define PLACE [point * m->frames + m->frame_no]

static void heartwall_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                           struct warp_inst *inst) {
    struct heartwall *m = ctx;
    struct heartwall_block *s = cta;
    struct heartwall_warp *w = state;
    const uint32_t point = place->cta[0], a = m->a, b = m->b, c = m->c, d = m->d;
    const uint32_t aa = a * a, bb = b * b, cc = c * c, cd = c * d, dd = d * d;

    WARP_BEGIN();
    ALU_RUN(12, R(INDEX), 0);
    EACH(bb) {
        ALU_RUN(8, R(INDEX), R(INDEX));
        LD(w->x[l], m->frame, [around(m->point[point], m->s, E)], R(X), R(INDEX));
        STORE(w->x[l], m->in2, bb, E, X);
    }
    BAR();
    EACH(aa) {
        LD(w->x[l], TEMPLATES, TEMPLATE(aa - 1 - E), R(X), R(INDEX));
        SHARED(1, s->rotated[E] = w->x[l], 0, R(X) | R(INDEX));
    }
    BAR();
    EACH(cc) {
        ALU(12, w->sum[l] = 0, R(INDEX) | R(SUM), R(INDEX));
        w->all = w->head.on;
        for (w->j = 0; w->head.on; w->j++) {
            KEEP_LANES(first_of(m, E / c) + w->j <= last_of(m, E / c));
            w->row = w->head.on;
            for (w->i = 0; w->head.on; w->i++) {
                KEEP_LANES(first_of(m, E % c) + w->i <= last_of(m, E % c));
                SHARED(1, w->y[l] = s->rotated[a * ON_J + ON_I], R(Y), R(INDEX));
                LOAD(w->x[l], m->in2, bb, b * (E / c - ON_J) + E % c - ON_I, X);
                ALU(2, w->sum[l] += w->y[l] * w->x[l], R(SUM), R(SUM) | R(X) | R(Y));
            }
            w->head.on = w->row;
        }
        w->head.on = w->all;
        STORE(w->sum[l], m->conv, cc, E, SUM);
    }
    BAR();
    for (w->squared = 0; w->squared < 2; w->squared++) {
        if (w->squared) {
            EACH(bb) {
                LOAD(w->x[l], m->in2, bb, E, X);
                ALU(1, w->x[l] *= w->x[l], R(X), R(X));
                STORE(w->x[l], m->sqr, bb, E, X);
            }
            BAR();
        }
        EACH(dd) {
            ALU(8, w->x[l] = 0, R(INDEX) | R(X), R(INDEX));
            w->all = w->head.on;
            KEEP_LANES(in_middle(m, E));
            LOAD(w->x[l], SOURCE, bb, middle_at(m, E), X);
            w->head.on = w->all;
            STORE(w->x[l], m->pad, dd, E, X);
        }
        BAR();
        EACH(d) {
            ALU(2, w->sum[l] = 0, R(SUM), R(INDEX));
            for (w->i = 0; w->i < d; w->i++) {
                LOAD(w->x[l], m->pad, dd, E * d + w->i, X);
                ALU(3, w->sum[l] += w->x[l], R(SUM), R(SUM) | R(X));
                STORE(w->sum[l], m->pad, dd, E * d + w->i, SUM);
            }
        }
        BAR();
        EACH(cd) {
            ALU_RUN(6, R(INDEX), R(INDEX));
            LOAD(w->x[l], m->pad, dd, E / c * d + E % c + a, X);
            STORE(w->x[l], m->sel, cd, E, X);
        }
        BAR();
        EACH(cd) {
            ALU_RUN(6, R(INDEX), R(INDEX));
            LOAD(w->x[l], m->pad, dd, E / c * d + E % c, X);
            STORE(w->x[l], m->cumh, cd, E, X);
        }
        BAR();
        EACH(cd) {
            LOAD(w->x[l], m->sel, cd, E, X);
            LOAD(w->y[l], m->cumh, cd, E, Y);
            ALU(2, w->x[l] -= w->y[l], R(X), R(X) | R(Y));
            STORE(w->x[l], m->cumh, cd, E, X);
        }
        BAR();
        EACH(c) {
            ALU(2, w->sum[l] = 0, R(SUM), R(INDEX));
            for (w->i = 0; w->i < d; w->i++) {
                LOAD(w->x[l], m->cumh, cd, w->i * c + E, X);
                ALU(3, w->sum[l] += w->x[l], R(SUM), R(SUM) | R(X));
                STORE(w->sum[l], m->cumh, cd, w->i * c + E, SUM);
            }
        }
        BAR();
        EACH(cc) {
            ALU_RUN(6, R(INDEX), R(INDEX));
            LOAD(w->x[l], m->cumh, cd, E + a * c, X);
            STORE(w->x[l], m->cumh_sel, cc, E, X);
        }
        BAR();
        EACH(cc) {
            ALU_RUN(6, R(INDEX), R(INDEX));
            LOAD(w->x[l], m->cumh, cd, E, X);
            STORE(w->x[l], SUMS, cc, E, X);
        }
        BAR();
        EACH(cc) {
            LOAD(w->x[l], m->cumh_sel, cc, E, X);
            LOAD(w->y[l], SUMS, cc, E, Y);
            ALU(2, w->x[l] -= w->y[l], R(X), R(X) | R(Y));
            STORE(w->x[l], SUMS, cc, E, X);
        }
        BAR();
    }
    EACH(cc) {
        LOAD(w->x[l], m->sub2, cc, E, X);
        LOAD(w->y[l], m->sqr_sub2, cc, E, Y);
        ALU(4, w->x[l] = windowed_deviation(w->x[l], w->y[l], aa), R(X), R(X) | R(Y));
        SFU(1, (void)0, R(X), R(X));
        STORE(w->x[l], m->sqr_sub2, cc, E, X);
    }
    BAR();
    EACH(aa) {
        LD(w->x[l], TEMPLATES, TEMPLATE(E), R(X), R(INDEX));
        ALU(1, w->x[l] *= w->x[l], R(X), R(X));
        STORE(w->x[l], m->in_sqr, aa, E, X);
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
            LOAD(w->x[l], m->in_sqr, aa, E + w->i * a, X);
            ALU(3, w->sum[l] += w->x[l], R(SUM), R(SUM) | R(X));
        }
        SHARED(1, s->partial_squares[E] = w->sum[l], 0, R(SUM));
    }
    BAR();
    w->head.on = place->warp == 0 ? 3 : 0; /* a thread each */
    SHARED(a, *(l ? &s->sum_squares : &s->sum) = total(l ? s->partial_squares : s->partial, a),
           R(SUM), 0);
    BAR();
    w->head.on &= 1;
    SHARED(2, s->deviation = template_deviation(s->sum, s->sum_squares, aa), R(SUM), R(SUM));
    SFU(2, (void)0, R(SUM), R(SUM));
    BAR();
    EACH(cc) {
        SHARED(1, w->y[l] = s->deviation, R(Y), 0);
        LOAD(w->x[l], m->sqr_sub2, cc, E, X);
        ALU(1, w->x[l] *= w->y[l], R(X), R(X) | R(Y));
        STORE(w->x[l], m->sqr_sub2, cc, E, X);
    }
    BAR();
    EACH(cc) {
        SHARED(1, w->sum[l] = s->sum, R(SUM), 0);
        LOAD(w->x[l], m->conv, cc, E, X);
        LOAD(w->y[l], m->sub2, cc, E, Y);
        ALU(8, w->x[l] -= w->y[l] * w->sum[l] / (float)aa, R(X), R(X) | R(Y) | R(SUM));
        STORE(w->x[l], m->conv, cc, E, X);
    }
    BAR();
    EACH(cc) {
        LOAD(w->x[l], m->conv, cc, E, X);
        LOAD(w->y[l], m->sqr_sub2, cc, E, Y);
        ALU(8, w->x[l] /= w->y[l], R(X), R(X) | R(Y));
        STORE(w->x[l], m->sqr_sub2, cc, E, X);
    }
    BAR();
    EACH(cc) {
        ALU(4, w->x[l] = E == last_offset(m, m->moved[point]), R(X), R(INDEX));
        STORE(w->x[l], m->mask, cc, E, X);
    }
    BAR();
    EACH(cc) {
        ALU(10, w->sum[l] = 0, R(INDEX) | R(SUM), R(INDEX));
        w->all = w->head.on;
        for (w->j = 0; w->head.on; w->j++) {
            KEEP_LANES(mask_first(E / c) + w->j <= mask_last(m, E / c));
            w->row = w->head.on;
            for (w->i = 0; w->head.on; w->i++) {
                KEEP_LANES(mask_first(E % c) + w->i <= mask_last(m, E % c));
                LOAD(w->x[l], m->mask, cc,
                     (mask_first(E / c) + w->j) * c + mask_first(E % c) + w->i, X);
                ALU(2, w->sum[l] += w->x[l], R(SUM), R(SUM) | R(X));
            }
            w->head.on = w->row;
        }
        w->head.on = w->all;
        LOAD(w->x[l], m->sqr_sub2, cc, E, X);
        ALU(1, w->x[l] *= w->sum[l], R(X), R(X) | R(SUM));
        STORE(w->x[l], m->maskconv, cc, E, X);
    }
    BAR();
    EACH(c) {
        ALU(2, w->sum[l] = 0, R(SUM), R(INDEX));
        for (w->i = 0; w->i < c; w->i++) {
            LOAD(w->x[l], m->maskconv, cc, c * E + w->i, X);
            ALU(3, keep_better(&w->sum[l], &w->best_at[l], w->x[l], c * E + w->i), R(SUM),
                R(SUM) | R(X));
        }
        SHARED(1, s->best[E] = w->sum[l], 0, R(SUM));
        SHARED(1, s->best_at[E] = w->best_at[l], 0, R(SUM));
    }
    BAR();
    w->head.on = place->warp == 0;
    SHARED(2 * c, s->best_at[0] = best_of(m, s, point), R(SUM), 0);
    ALU(8, move_point(m, point, s->best_at[0]), R(TOTAL), R(SUM));
    ST(moved_by(m, m->point[point], m->moved[point]).row, m->place, PLACE.row, R(TOTAL));
    ST(moved_by(m, m->point[point], m->moved[point]).column, m->place, PLACE.column, R(TOTAL));
    BAR();
    if (m->frame_no % REFRESH == 0) {
        EACH(aa) {
            ALU_RUN(12, R(INDEX), R(INDEX));
            LD(w->y[l], TEMPLATES, TEMPLATE(E), R(Y), R(INDEX));
            LD(w->x[l], m->frame, [around(m->point[point], m->t, E)], R(X), R(INDEX));
            ALU(2, w->x[l] = ALPHA * w->y[l] + (1 - ALPHA) * w->x[l], R(X), R(X) | R(Y));
            ST(w->x[l], TEMPLATES, TEMPLATE(E), R(X) | R(INDEX));
        }
    }
    WARP_END();
}

/* ---- Launches ---- */

/* Host: pixels move up by a row and on by a column each frame, under some noise. */
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
        .step = first ? template_step : heartwall_step,
        .ctx = m,
    };
    return true;
}

/* ---- Plain version ---- */

/* A point's arrays, row after column as those of the kernel. */
struct plain {
    float templates[POINTS][(2 * MAX_T + 1) * (2 * MAX_T + 1)];
    float searched[(2 * MAX_S + 1) * (2 * MAX_S + 1)], squares[(2 * MAX_S + 1) * (2 * MAX_S + 1)];
    float conv[MAX_SIDE * MAX_SIDE], sums[MAX_SIDE * MAX_SIDE], square_sums[MAX_SIDE * MAX_SIDE];
    float zeros_around[(MAX_SIDE + 2 * MAX_T + 1) * (MAX_SIDE + 2 * MAX_T + 1)];
    float strips[MAX_SIDE * (MAX_SIDE + 2 * MAX_T + 1)];
    float frame[WIDTH * HEIGHT];
    struct place point[POINTS], moved[POINTS], place[POINTS];
};

/* Sums of products of the template and what it covers of `x`, at every offset. */
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

/* Sums of what the template covers of `x`, by running sums: over rows, then over columns. */
static void window_sums(const struct heartwall *m, struct plain *p, const float *x, float *out) {
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

/* Makes the sums to correlations, and finds the best one near the last. */
static uint32_t plain_best(const struct heartwall *m, struct plain *p, const float *template,
                           struct place moved) {
    const uint32_t a = m->a, c = m->c, aa = a * a;
    float sum = 0, squares = 0, best = 0;
    for (uint32_t j = 0; j < a; j++)
        sum += total(&template[j * a], a);
    for (uint32_t i = 0; i < a; i++) {
        float row = 0;
        for (uint32_t j = 0; j < a; j++)
            row += template[j * a + i] * template[j * a + i];
        squares += row;
    }
    uint32_t at = last_offset(m, moved);
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

static void plain_point(const struct heartwall *m, struct plain *p, uint64_t k, uint64_t frame) {
    float *template = p->templates[k];
    for (uint32_t e = 0; e < m->b * m->b; e++) {
        p->searched[e] = p->frame[around(p->point[k], m->s, e)];
        p->squares[e] = p->searched[e] * p->searched[e];
    }
    correlate(m, template, p->searched, p->conv);
    window_sums(m, p, p->searched, p->sums);
    window_sums(m, p, p->squares, p->square_sums);
    p->moved[k] = movement(m, plain_best(m, p, template, p->moved[k]));
    p->place[k] = moved_by(m, p->point[k], p->moved[k]);
    if (frame % REFRESH != 0)
        return;
    p->point[k] = p->place[k];
    p->moved[k] = (struct place){0, 0};
    for (uint32_t e = 0; e < m->a * m->a; e++)
        template[e] = ALPHA *template[e] + (1 - ALPHA) * p->frame[around(p->point[k], m->t, e)];
}

/* Two ellipses. */
static void make_points(const struct heartwall *m, struct place *point) {
    for (uint64_t k = 0; k < m->points; k++) {
        const bool inner = k < m->inner;
        const uint64_t of = inner ? m->inner : m->points - m->inner;
        const double turn = 6.283185307179586 * (double)(inner ? k : k - m->inner) / (double)of;
        point[k].row = 398 + (int32_t)((inner ? 90 : 145) * cos(turn));
        point[k].column = 306 + (int32_t)((inner ? 95 : 151) * sin(turn));
    }
}

/* What a point's copies hold, and where it was in this frame. */
static int compare_point(struct heartwall *m, const struct plain *p, uint64_t k, char *err,
                         size_t err_size) {
    const uint32_t aa = m->a * m->a, cc = m->c * m->c;
    const uint64_t copy = k * pitch(cc);
    const float_array *templates = k < m->inner ? &m->inner_templates : &m->outer_templates;
    const float *mine = &templates->v[(k < m->inner ? k : k - m->inner) * aa];
    if (verify_floats(templates->dev->name, mine, p->templates[k], aa, err, err_size) != 0 ||
        verify_floats("conv", &m->conv.v[copy], p->conv, cc, err, err_size) != 0 ||
        verify_floats("sub2", &m->sub2.v[copy], p->sums, cc, err, err_size) != 0 ||
        verify_floats("sqr_sub2", &m->sqr_sub2.v[copy], p->square_sums, cc, err, err_size) != 0)
        return -1;
    return 0;
}

static int compare_places(struct heartwall *m, const struct plain *p, uint64_t frame, char *err,
                          size_t err_size) {
    for (uint64_t k = 0; k < m->points; k++)
        if (verify_ints("place", &m->place.v[k * m->frames + frame].row, &p->place[k].row, 2, err,
                        err_size) != 0)
            return -1;
    return 0;
}

static int heartwall_verify(struct workload *w, char *err, size_t err_size) {
    struct heartwall *m = (struct heartwall *)w;
    struct plain *p = alloc_zeroed(1, sizeof *p);
    int rc = 0;
    if (rc == 0)
        make_points(m, p->point);
    for (uint64_t frame = 0; rc == 0 && frame < m->frames; frame++) {
        make_frame(frame, p->frame);
        for (uint64_t k = 0; rc == 0 && k < m->points; k++) {
            for (uint32_t e = 0; frame == 0 && e < m->a * m->a; e++)
                p->templates[k][e] = p->frame[around(p->point[k], m->t, e)];
            if (frame > 0)
                plain_point(m, p, k, frame);
            if (frame == m->frames - 1)
                rc = compare_point(m, p, k, err, err_size);
        }
        if (rc == 0)
            rc = compare_places(m, p, frame, err, err_size);
    }
    free(p);
    return rc == 0 ? verify_accesses(w, err, err_size) : rc;
}

/* ---- Making it ---- */

static struct workload *heartwall_create(const char *size, char *err, size_t err_size);

const struct workload_type workload_heartwall = {
    .name = "heartwall",
    .suite = "Rodinia",
    .doc = "points followed through frames: a block a point, phases over arrays of its own",
    .size_doc = "P[,F[,S[,T]]]: points, frames, pixels searched and of a template to either side",
    .default_size = "51,3,16,10",
    .create = heartwall_create,
};

/* The formulae above. */
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

static bool heartwall_arrays(struct heartwall *m, char *err, size_t err_size) {
    const uint64_t k = m->points, aa = m->a * m->a;
    const uint64_t bb = k * pitch(m->b * m->b), cc = k * pitch(m->c * m->c);
    const uint64_t cd = k * pitch(m->c * m->d), dd = k * pitch(m->d * m->d);
    return NEW_ARRAY(m, frame, WIDTH * HEIGHT, err, err_size) &&
           NEW_ARRAY(m, inner_templates, m->inner * aa, err, err_size) &&
           NEW_ARRAY(m, outer_templates, (k - m->inner) * aa, err, err_size) &&
           NEW_ARRAY(m, in2, bb, err, err_size) && NEW_ARRAY(m, conv, cc, err, err_size) &&
           NEW_ARRAY(m, pad, dd, err, err_size) && NEW_ARRAY(m, sel, cd, err, err_size) &&
           NEW_ARRAY(m, cumh, cd, err, err_size) && NEW_ARRAY(m, cumh_sel, cc, err, err_size) &&
           NEW_ARRAY(m, sub2, cc, err, err_size) && NEW_ARRAY(m, sqr, bb, err, err_size) &&
           NEW_ARRAY(m, sqr_sub2, cc, err, err_size) &&
           NEW_ARRAY(m, in_sqr, k * pitch((uint32_t)aa), err, err_size) &&
           NEW_ARRAY(m, mask, cc, err, err_size) && NEW_ARRAY(m, maskconv, cc, err, err_size) &&
           NEW_ARRAY(m, place, k * m->frames, err, err_size);
}

static struct workload *heartwall_create(const char *size, char *err, size_t err_size) {
    static const struct size_value desc[] = {
        {"P", 2, POINTS}, {"F", 2, 104}, {"S", 2, MAX_S}, {"T", 1, MAX_T}};
    uint64_t v[4];
    if (workload_size(&workload_heartwall, desc, 4, size, v, err, err_size) != 0)
        return NULL;
    struct heartwall *m = workload_new(&workload_heartwall, sizeof *m);
    m->points = v[0];
    m->frames = v[1];
    m->s = v[2];
    m->t = v[3];
    m->a = 2 * (uint32_t)m->t + 1;
    m->b = 2 * (uint32_t)m->s + 1;
    m->c = m->a + m->b - 1;
    m->d = m->b + 2 * m->a;
    m->inner = ceil_div(m->points * INNER_POINTS, POINTS);
    m->base.w.launches = m->frames;
    m->base.w.next = heartwall_next;
    m->base.w.verify = heartwall_verify;
    if (!heartwall_arrays(m, err, err_size)) {
        workload_free(&m->base.w);
        return NULL;
    }
    make_points(m, m->point);
    heartwall_expect(m);
    return &m->base.w;
}
