// SPDX-License-Identifier: Apache-2.0
/* cnn (UVMBench): trains a small convolutional network (the shape of LeNet) on I images of digits,
 * one at a time.
 *
 * Layer c1 computes six maps of 24 x 24 from windows of 5 x 5 of the image. Layer s1 reduces each
 * map to 6 x 6 from windows of 4 x 4 with shared weights. Layer f has ten sums over all of s1. An
 * image takes 23 launches. They compute the sums, biases and sigmoids of each layer, then the
 * error, and then, from the last layer to the first, gradients and new weights. All launches except
 * the one for the error have 64 CTAs of 64 threads. A thread processes a contiguous part of the
 * launch's elements. An element's indices are the digits of its number, the least significant
 * first. An element loads one or two values and stores or adds one. The table below has a row for
 * each launch.
 *
 * Thread-level accesses of a launch of N elements: N to each array in the launch's row of the
 * table.
 *
 * Many elements add to the same address. With floats the result would depend on the order, so sums,
 * and the biases that the original updates with atomics, are integer multiples of 2^-16 here.
 */
#include "lane.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"

#define THREADS 64 /* threads per CTA, and number of CTAs */
#define DIGITS 5
#define LABELS 10
#define SEED 0xc44

static const float rate = 0.1f;

/* Element of an array: `i`, in units of 2^-16, if the array is `fixed`, else `f`. */
union cnn_value {
    float f;
    int32_t i;
};

static float from_fixed(int32_t x) {
    return (float)x / 65536;
}
static int32_t to_fixed(float x) {
    return (int32_t)(x * 65536);
}
static float sigmoid(float x) {
    return 1 / (1 + expf(-x));
}

/* ---- Arrays ---- */

enum {
    INPUT,
    C1_OUT,
    C1_SUM,
    C1_BIAS,
    C1_WEIGHT,
    C1_D_OUT,
    C1_D_SUM,
    C1_D_WEIGHT,
    S1_OUT,
    S1_SUM,
    S1_BIAS,
    S1_WEIGHT,
    S1_D_OUT,
    S1_D_SUM,
    S1_D_WEIGHT,
    F_OUT,
    F_SUM,
    F_BIAS,
    F_WEIGHT,
    F_D_SUM,
    F_D_WEIGHT,
    ARRAYS
};

enum { C1_CELLS = 6 * 24 * 24, S1_CELLS = 6 * 6 * 6, F_WEIGHTS = 10 * S1_CELLS };

static const struct {
    const char *name;
    uint32_t n;
    bool fixed; /* true if the elements are integers in units of 2^-16 */
} arrays[ARRAYS] = {
    [INPUT] = {"input", 28 * 28},
    [C1_OUT] = {"c1.out", C1_CELLS},
    [C1_SUM] = {"c1.sum", C1_CELLS, true},
    [C1_BIAS] = {"c1.bias", 6, true},
    [C1_WEIGHT] = {"c1.weight", 6 * 5 * 5},
    [C1_D_OUT] = {"c1.d_out", C1_CELLS, true},
    [C1_D_SUM] = {"c1.d_sum", C1_CELLS},
    [C1_D_WEIGHT] = {"c1.d_weight", 6 * 5 * 5, true},
    [S1_OUT] = {"s1.out", S1_CELLS},
    [S1_SUM] = {"s1.sum", S1_CELLS, true},
    [S1_BIAS] = {"s1.bias", 1, true},
    [S1_WEIGHT] = {"s1.weight", 4 * 4},
    [S1_D_OUT] = {"s1.d_out", S1_CELLS, true},
    [S1_D_SUM] = {"s1.d_sum", S1_CELLS},
    [S1_D_WEIGHT] = {"s1.d_weight", 4 * 4, true},
    [F_OUT] = {"f.out", LABELS},
    [F_SUM] = {"f.sum", LABELS, true},
    [F_BIAS] = {"f.bias", LABELS, true},
    [F_WEIGHT] = {"f.weight", F_WEIGHTS},
    [F_D_SUM] = {"f.d_sum", LABELS},
    [F_D_WEIGHT] = {"f.d_weight", F_WEIGHTS},
};

/* ---- Launches ---- */

enum work {
    ADD_PRODUCT, /* to += a b, atomic */
    ADD_BIAS,    /* to = a + b */
    SIGMOID,     /* to = sigmoid(a) */
    ERROR,       /* to = target - a */
    PRODUCT,     /* to = a b */
    SLOPE,       /* to = b times the slope of sigmoid at a */
    LEARN_BIAS,  /* to = b's bias + rate a */
    ADD_LEARNT,  /* to += rate a / share, atomic */
    LEARN        /* to = a + rate b */
};

/* Operand: an array, and the increment of the index for each digit. In a launch without digits, the
 * index is the element's number. */
struct operand {
    int array; /* -1 if none */
    uint16_t step[DIGITS];
};

struct launch_of {
    const char *name;
    enum work work;
    uint32_t n;
    uint8_t radix[DIGITS]; /* radix of each digit; 0 if unused */
    uint32_t share; /* for ADD_LEARNT and ADD_PRODUCT: number of elements in a mean; 0 for a sum */
    struct operand a, b, to;
};

#define NOTHING                                                                                    \
    { .array = -1 }

/* clang-format off */
static const struct launch_of launches[] = {
    {"cnn c1 sum", ADD_PRODUCT, 86400, {5, 5, 6, 24, 24}, 0,
     {C1_WEIGHT, {5, 1, 25, 0, 0}}, {INPUT, {28, 1, 0, 28, 1}}, {C1_SUM, {0, 0, 576, 24, 1}}},
    {"cnn c1 bias", ADD_BIAS, C1_CELLS, {6, 24, 24}, 0,
     {C1_SUM, {576, 24, 1}}, {C1_BIAS, {1, 0, 0}}, {C1_SUM, {576, 24, 1}}},
    {"cnn c1 out", SIGMOID, C1_CELLS, {0}, 0, {C1_SUM, {1}}, NOTHING, {C1_OUT, {1}}},
    {"cnn s1 sum", ADD_PRODUCT, 3456, {4, 4, 6, 6, 6}, 0,
     {S1_WEIGHT, {4, 1, 0, 0, 0}}, {C1_OUT, {24, 1, 576, 96, 4}}, {S1_SUM, {0, 0, 36, 6, 1}}},
    {"cnn s1 bias", ADD_BIAS, S1_CELLS, {6, 6, 6}, 0,
     {S1_SUM, {36, 6, 1}}, {S1_BIAS, {0}}, {S1_SUM, {36, 6, 1}}},
    {"cnn s1 out", SIGMOID, S1_CELLS, {0}, 0, {S1_SUM, {1}}, NOTHING, {S1_OUT, {1}}},
    {"cnn f sum", ADD_PRODUCT, F_WEIGHTS, {10, 6, 6, 6}, 0,
     {F_WEIGHT, {216, 36, 6, 1}}, {S1_OUT, {0, 36, 6, 1}}, {F_SUM, {1, 0, 0, 0}}},
    {"cnn f bias", ADD_BIAS, LABELS, {0}, 0, {F_SUM, {1}}, {F_BIAS, {1}}, {F_SUM, {1}}},
    {"cnn f out", SIGMOID, LABELS, {0}, 0, {F_SUM, {1}}, NOTHING, {F_OUT, {1}}},
    {"cnn error", ERROR, LABELS, {0}, 0, {F_OUT, {1}}, NOTHING, {F_D_SUM, {1}}},
    {"cnn f gradient", PRODUCT, F_WEIGHTS, {10, 6, 6, 6}, 0,
     {F_D_SUM, {1, 0, 0, 0}}, {S1_OUT, {0, 36, 6, 1}}, {F_D_WEIGHT, {216, 36, 6, 1}}},
    {"cnn f new bias", LEARN_BIAS, LABELS, {0}, 0, {F_BIAS, {1}}, {F_D_SUM, {1}}, {F_BIAS, {1}}},
    {"cnn s1 blame", ADD_PRODUCT, F_WEIGHTS, {10, 6, 6, 6}, 0,
     {F_WEIGHT, {216, 36, 6, 1}}, {F_D_SUM, {1, 0, 0, 0}}, {S1_D_OUT, {0, 36, 6, 1}}},
    {"cnn s1 slope", SLOPE, S1_CELLS, {6, 6, 6}, 0,
     {S1_SUM, {36, 6, 1}}, {S1_D_OUT, {36, 6, 1}}, {S1_D_SUM, {36, 6, 1}}},
    {"cnn s1 gradient", ADD_PRODUCT, 3456, {4, 4, 6, 6, 6}, 0,
     {S1_D_SUM, {0, 0, 36, 6, 1}}, {C1_OUT, {24, 1, 576, 96, 4}}, {S1_D_WEIGHT, {4, 1, 0, 0, 0}}},
    {"cnn s1 new bias", ADD_LEARNT, S1_CELLS, {6, 6, 6}, 216,
     {S1_D_SUM, {36, 6, 1}}, NOTHING, {S1_BIAS, {0}}},
    {"cnn c1 blame", ADD_PRODUCT, 3456, {4, 4, 6, 6, 6}, 0,
     {S1_WEIGHT, {4, 1, 0, 0, 0}}, {S1_D_SUM, {0, 0, 36, 6, 1}}, {C1_D_OUT, {24, 1, 576, 96, 4}}},
    {"cnn c1 slope", SLOPE, C1_CELLS, {6, 24, 24}, 0,
     {C1_SUM, {576, 24, 1}}, {C1_D_OUT, {576, 24, 1}}, {C1_D_SUM, {576, 24, 1}}},
    {"cnn c1 gradient", ADD_PRODUCT, 86400, {6, 5, 5, 24, 24}, 576,
     {C1_D_SUM, {576, 0, 0, 24, 1}}, {INPUT, {0, 28, 1, 28, 1}}, {C1_D_WEIGHT, {25, 5, 1, 0, 0}}},
    {"cnn c1 new bias", ADD_LEARNT, C1_CELLS, {6, 24, 24}, 576,
     {C1_D_SUM, {576, 24, 1}}, NOTHING, {C1_BIAS, {1, 0, 0}}},
    {"cnn f learn", LEARN, F_WEIGHTS, {0}, 0, {F_WEIGHT, {1}}, {F_D_WEIGHT, {1}}, {F_WEIGHT, {1}}},
    {"cnn s1 learn", LEARN, 16, {0}, 0, {S1_WEIGHT, {1}}, {S1_D_WEIGHT, {1}}, {S1_WEIGHT, {1}}},
    {"cnn c1 learn", LEARN, 150, {0}, 0, {C1_WEIGHT, {1}}, {C1_D_WEIGHT, {1}}, {C1_WEIGHT, {1}}},
};
/* clang-format on */

#define LAUNCHES (sizeof launches / sizeof *launches)

enum { INDEX, A, B, RESULT }; /* registers */

struct cnn {
    struct lane_workload base;
    uint64_t images;
    struct rng rng; /* generator of the images */
    uint32_t label; /* digit of the current image */
    const struct launch_of *k;
    ARRAY(union cnn_value) array[ARRAYS];
};

struct cnn_warp {
    struct warp_head head;
    uint32_t at; /* index of the element, relative to each thread's first one */
    union cnn_value a[WARP_LANES], b[WARP_LANES], result[WARP_LANES];
};

static bool adds(const struct launch_of *k) {
    return k->work == ADD_PRODUCT || k->work == ADD_LEARNT;
}

/* Returns the index of a thread's first element. */
static uint32_t first_of(const struct launch_of *k, uint64_t thread) {
    return k->work == ERROR ? (uint32_t)thread
                            : (uint32_t)(k->n * thread / ((uint64_t)THREADS * THREADS));
}

/* Returns the index of element n in the operand's array. */
static uint32_t index_of(const struct launch_of *k, const struct operand *o, uint32_t n) {
    uint32_t index = 0;
    for (unsigned d = 0; d < DIGITS && k->radix[d]; d++) {
        index += n % k->radix[d] * o->step[d];
        n /= k->radix[d];
    }
    return k->radix[0] ? index : n;
}

static float value_of(const struct operand *o, union cnn_value v) {
    return arrays[o->array].fixed ? from_fixed(v.i) : v.f;
}

/* Returns the value that element n of a launch stores or, if adds(k), adds. */
static union cnn_value result_of(const struct launch_of *k, uint32_t n, uint32_t label,
                                 union cnn_value a, union cnn_value b) {
    const float x = value_of(&k->a, a), y = k->b.array < 0 ? 0 : value_of(&k->b, b);
    const float share = k->share ? (float)k->share : 1;
    switch (k->work) {
    case ADD_PRODUCT:
        return (union cnn_value){.i = to_fixed(x * y / share)};
    case ADD_BIAS:
        return (union cnn_value){.i = a.i + b.i};
    case SIGMOID:
        return (union cnn_value){.f = sigmoid(x)};
    case ERROR:
        return (union cnn_value){.f = (n == label ? 1.0f : 0.0f) - x};
    case PRODUCT:
        return (union cnn_value){.f = x * y};
    case SLOPE:
        return (union cnn_value){.f = y * sigmoid(x) * (1 - sigmoid(x))};
    case LEARN_BIAS:
        return (union cnn_value){.i = a.i + to_fixed(rate * y)};
    case ADD_LEARNT:
        return (union cnn_value){.i = to_fixed(rate * x / share)};
    case LEARN:
        return (union cnn_value){.f = x + rate * y};
    }
    return (union cnn_value){0};
}

#define THREAD thread_in_grid(place, k->work == ERROR ? 1 : THREADS, l)
#define ELEMENT (first_of(k, THREAD) + w->at)

static void cnn_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                     struct warp_inst *inst) {
    struct cnn *m = ctx;
    const struct launch_of *k = m->k;
    struct cnn_warp *w = state;
    int32_t old;
    (void)cta;

    WARP_BEGIN();
    for (w->at = 0;; w->at++) {
        BRANCH(0);
        KEEP_LANES(ELEMENT < first_of(k, THREAD + 1));
        if (!w->head.on)
            break;
        if (k->radix[0])
            ALU_RUN(60, R(INDEX), 0);
        else
            ALU_RUN(4, R(INDEX), 0);
        LD(w->a[l], m->array[k->a.array], [index_of(k, &k->a, ELEMENT)], R(A), R(INDEX));
        if (k->b.array >= 0)
            LD(w->b[l], m->array[k->b.array], [index_of(k, &k->b, ELEMENT)], R(B), R(INDEX));
        if (k->work == SIGMOID || k->work == SLOPE) {
            ALU_RUN(13, R(A), R(A));
            SFU(2, (void)0, R(A), R(A));
        }
        ALU(4, w->result[l] = result_of(k, ELEMENT, m->label, w->a[l], w->b[l]), R(RESULT),
            R(A) | (k->b.array >= 0 ? R(B) : 0));
        if (adds(k))
            ATOMIC(old, old + w->result[l].i, m->array[k->to.array],
                   [index_of(k, &k->to, ELEMENT)].i, 0, R(RESULT) | R(INDEX));
        else
            ST(w->result[l], m->array[k->to.array], [index_of(k, &k->to, ELEMENT)],
               R(RESULT) | R(INDEX));
    }
    WARP_END();
}

/* Generates the next image and returns its digit, on the host. */
static uint32_t make_image(struct rng *r, union cnn_value *input) {
    const uint32_t label = (uint32_t)rng_below(r, LABELS);
    for (uint32_t i = 0; i < arrays[INPUT].n; i++)
        input[i].f = rng_unit(r) * (i % LABELS == label ? 1.0f : 0.5f);
    return label;
}

static void clear(struct cnn *m, int array) {
    memset(m->array[array].v, 0, m->array[array].dev->bytes);
}

static void begin_image(struct cnn *m) {
    static const int cleared[] = {C1_SUM,   S1_SUM,      F_SUM,      C1_D_OUT,
                                  S1_D_OUT, C1_D_WEIGHT, S1_D_WEIGHT};
    m->label = make_image(&m->rng, m->array[INPUT].v);
    for (size_t i = 0; i < sizeof cleared / sizeof *cleared; i++)
        clear(m, cleared[i]);
}

static bool cnn_next(struct workload *w, struct kernel_launch *launch) {
    struct cnn *m = (struct cnn *)w;
    if (m->base.launched == m->base.w.launches)
        return false;
    m->k = &launches[m->base.launched % LAUNCHES];
    if (m->k == launches)
        begin_image(m);
    m->base.launched++;
    const bool error = m->k->work == ERROR;
    *launch = (struct kernel_launch){
        .name = m->k->name,
        .grid = {error ? LABELS : THREADS, 1, 1},
        .block = {error ? 1 : THREADS, 1, 1},
        .warp_state_size = sizeof(struct cnn_warp),
        .step = cnn_step,
        .ctx = m,
    };
    return true;
}

/* ---- Reference version ---- */

struct cnn_plain {
    union cnn_value input[28][28];
    float c1_weight[6][5][5], c1_out[6][24][24], c1_d_sum[6][24][24];
    float s1_weight[4][4], s1_out[6][6][6], s1_d_sum[6][6][6];
    float f_weight[10][6][6][6], f_out[10], f_d_sum[10], f_d_weight[10][6][6][6];
    int32_t c1_sum[6][24][24], c1_bias[6], c1_d_out[6][24][24], c1_d_weight[6][5][5];
    int32_t s1_sum[6][6][6], s1_bias[1], s1_d_out[6][6][6], s1_d_weight[4][4];
    int32_t f_sum[10], f_bias[10];
};

#define FOR(i, n) for (int i = 0; i < (n); i++)

static void forward(struct cnn_plain *p) {
    FOR(map, 6) FOR(y, 24) FOR(x, 24) {
        int32_t sum = 0;
        FOR(dy, 5) FOR(dx, 5) {
            sum += to_fixed(p->c1_weight[map][dy][dx] * p->input[y + dy][x + dx].f);
        }
        p->c1_sum[map][y][x] = sum + p->c1_bias[map];
        p->c1_out[map][y][x] = sigmoid(from_fixed(p->c1_sum[map][y][x]));
    }
    FOR(map, 6) FOR(y, 6) FOR(x, 6) {
        int32_t sum = 0;
        FOR(dy, 4) FOR(dx, 4) {
            sum += to_fixed(p->s1_weight[dy][dx] * p->c1_out[map][4 * y + dy][4 * x + dx]);
        }
        p->s1_sum[map][y][x] = sum + p->s1_bias[0];
        p->s1_out[map][y][x] = sigmoid(from_fixed(p->s1_sum[map][y][x]));
    }
    FOR(digit, 10) {
        int32_t sum = 0;
        FOR(map, 6) FOR(y, 6) FOR(x, 6) {
            sum += to_fixed(p->f_weight[digit][map][y][x] * p->s1_out[map][y][x]);
        }
        p->f_sum[digit] = sum + p->f_bias[digit];
        p->f_out[digit] = sigmoid(from_fixed(p->f_sum[digit]));
    }
}

static float sloped(int32_t d, int32_t sum) {
    const float s = sigmoid(from_fixed(sum));
    return from_fixed(d) * s * (1 - s);
}

static void backward_f(struct cnn_plain *p, uint32_t label) {
    memset(p->s1_d_out, 0, sizeof p->s1_d_out);
    FOR(digit, 10) {
        const float error = (digit == (int)label ? 1.0f : 0.0f) - p->f_out[digit];
        p->f_d_sum[digit] = error;
        p->f_bias[digit] += to_fixed(rate * error);
        FOR(map, 6) FOR(y, 6) FOR(x, 6) {
            p->f_d_weight[digit][map][y][x] = error * p->s1_out[map][y][x];
            p->s1_d_out[map][y][x] += to_fixed(p->f_weight[digit][map][y][x] * error);
        }
    }
}

static void backward_s1(struct cnn_plain *p) {
    memset(p->s1_d_weight, 0, sizeof p->s1_d_weight);
    FOR(map, 6) FOR(y, 6) FOR(x, 6) {
        p->s1_d_sum[map][y][x] = sloped(p->s1_d_out[map][y][x], p->s1_sum[map][y][x]);
        p->s1_bias[0] += to_fixed(rate * p->s1_d_sum[map][y][x] / 216);
        FOR(dy, 4) FOR(dx, 4) {
            const float e = p->s1_d_sum[map][y][x];
            p->s1_d_weight[dy][dx] += to_fixed(e * p->c1_out[map][4 * y + dy][4 * x + dx]);
            p->c1_d_out[map][4 * y + dy][4 * x + dx] = to_fixed(p->s1_weight[dy][dx] * e);
        }
    }
}

static void backward_c1(struct cnn_plain *p) {
    memset(p->c1_d_weight, 0, sizeof p->c1_d_weight);
    FOR(map, 6) FOR(y, 24) FOR(x, 24) {
        p->c1_d_sum[map][y][x] = sloped(p->c1_d_out[map][y][x], p->c1_sum[map][y][x]);
        p->c1_bias[map] += to_fixed(rate * p->c1_d_sum[map][y][x] / 576);
        FOR(dy, 5) FOR(dx, 5) {
            p->c1_d_weight[map][dy][dx] +=
                to_fixed(p->c1_d_sum[map][y][x] * p->input[y + dy][x + dx].f / 576);
        }
    }
}

static void learn(struct cnn_plain *p) {
    FOR(digit, 10) FOR(map, 6) FOR(y, 6) FOR(x, 6) {
        p->f_weight[digit][map][y][x] += rate * p->f_d_weight[digit][map][y][x];
    }
    FOR(y, 4) FOR(x, 4) {
        p->s1_weight[y][x] += rate * from_fixed(p->s1_d_weight[y][x]);
    }
    FOR(map, 6) FOR(y, 5) FOR(x, 5) {
        p->c1_weight[map][y][x] += rate * from_fixed(p->c1_d_weight[map][y][x]);
    }
}

static float weight(struct rng *r) {
    return rng_unit(r) - 0.5f;
}

/* Generates the initial weights and biases. The images are then drawn from r. */
static void first_weights(struct rng *r, struct cnn_plain *p) {
    *r = (struct rng){SEED};
    FOR(map, 6) {
        p->c1_bias[map] = to_fixed(weight(r));
        FOR(y, 5) FOR(x, 5) {
            p->c1_weight[map][y][x] = weight(r);
        }
    }
    p->s1_bias[0] = to_fixed(weight(r));
    FOR(y, 4) FOR(x, 4) {
        p->s1_weight[y][x] = weight(r);
    }
    FOR(digit, 10) {
        p->f_bias[digit] = to_fixed(weight(r));
        FOR(map, 6) FOR(y, 6) FOR(x, 6) {
            p->f_weight[digit][map][y][x] = weight(r);
        }
    }
}

static int compare(const struct cnn *m, const struct cnn_plain *p, struct error *err) {
    const void *want[ARRAYS] = {
        [INPUT] = p->input,
        [C1_OUT] = p->c1_out,
        [C1_SUM] = p->c1_sum,
        [C1_BIAS] = p->c1_bias,
        [C1_WEIGHT] = p->c1_weight,
        [C1_D_OUT] = p->c1_d_out,
        [C1_D_SUM] = p->c1_d_sum,
        [C1_D_WEIGHT] = p->c1_d_weight,
        [S1_OUT] = p->s1_out,
        [S1_SUM] = p->s1_sum,
        [S1_BIAS] = p->s1_bias,
        [S1_WEIGHT] = p->s1_weight,
        [S1_D_OUT] = p->s1_d_out,
        [S1_D_SUM] = p->s1_d_sum,
        [S1_D_WEIGHT] = p->s1_d_weight,
        [F_OUT] = p->f_out,
        [F_SUM] = p->f_sum,
        [F_BIAS] = p->f_bias,
        [F_WEIGHT] = p->f_weight,
        [F_D_SUM] = p->f_d_sum,
        [F_D_WEIGHT] = p->f_d_weight,
    };
    for (int i = 0; i < ARRAYS; i++) {
        const void *got = m->array[i].v;
        const int rc = arrays[i].fixed
                           ? verify_ints(arrays[i].name, got, want[i], arrays[i].n, err)
                           : verify_floats(arrays[i].name, got, want[i], arrays[i].n, err);
        if (rc != 0)
            return rc;
    }
    return 0;
}

static int cnn_verify(struct workload *w, struct error *err) {
    struct cnn *m = (struct cnn *)w;
    struct cnn_plain *p = alloc_zeroed(1, sizeof *p);
    struct rng r;
    first_weights(&r, p);
    for (uint64_t i = 0; i < m->images; i++) {
        const uint32_t label = make_image(&r, p->input[0]);
        forward(p);
        backward_f(p, label);
        backward_s1(p);
        backward_c1(p);
        learn(p);
    }
    const int rc = compare(m, p, err);
    free(p);
    return rc == 0 ? verify_accesses(w, err) : rc;
}

/* Adds N accesses to each array of a launch, as in the formulae in the file's header. */
static void cnn_expect(struct cnn *m) {
    for (size_t i = 0; i < LAUNCHES; i++) {
        const struct launch_of *k = &launches[i];
        const uint64_t n = m->images * k->n;
        m->array[k->a.array].dev->expected_loads += n;
        if (k->b.array >= 0)
            m->array[k->b.array].dev->expected_loads += n;
        *(adds(k) ? &m->array[k->to.array].dev->expected_atomics
                  : &m->array[k->to.array].dev->expected_stores) += n;
    }
}

static bool cnn_arrays(struct cnn *m) {
    for (int i = 0; i < ARRAYS; i++) {
        m->array[i].v = workload_array(&m->base, arrays[i].name, arrays[i].n, sizeof *m->array[i].v,
                                       &m->array[i].dev);
        if (!m->array[i].v)
            return false;
    }
    return true;
}

static void cnn_start(struct cnn *m) {
    struct cnn_plain *p = alloc_zeroed(1, sizeof *p);
    first_weights(&m->rng, p);
    memcpy(m->array[C1_WEIGHT].v, p->c1_weight, sizeof p->c1_weight);
    memcpy(m->array[S1_WEIGHT].v, p->s1_weight, sizeof p->s1_weight);
    memcpy(m->array[F_WEIGHT].v, p->f_weight, sizeof p->f_weight);
    memcpy(m->array[C1_BIAS].v, p->c1_bias, sizeof p->c1_bias);
    memcpy(m->array[S1_BIAS].v, p->s1_bias, sizeof p->s1_bias);
    memcpy(m->array[F_BIAS].v, p->f_bias, sizeof p->f_bias);
    free(p);
}

static bool cnn_create(struct workload *w, const uint64_t *v) {
    struct cnn *m = (struct cnn *)w;
    const uint64_t images = m->images = v[0];
    m->base.w.launches = LAUNCHES * images;
    if (!cnn_arrays(m))
        return false;
    cnn_start(m);
    cnn_expect(m);
    return true;
}

const struct workload_type workload_cnn = {
    .name = "cnn",
    .suite = "UVMBench",
    .class = "regular",
    .doc = "training of a small convolutional network: tiny arrays, atomic sums in a few words",
    .size_doc = "I, number of images",
    .default_size = "2",
    .size = {{"I", 1, 60000}},
    .state_size = sizeof(struct cnn),
    .next = cnn_next,
    .verify = cnn_verify,
    .create = cnn_create,
};
