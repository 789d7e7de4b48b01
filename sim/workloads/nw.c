// SPDX-License-Identifier: Apache-2.0
/* nw (UVMBench, from Rodinia): computes the best global alignment of two sequences of N letters
 * with the Needleman-Wunsch algorithm.
 *
 * The score matrix is computed in tiles of 16 x 16, one anti-diagonal of tiles per launch. A CTA of
 * 16 threads, half a warp, loads the edge of its tile and the letters' scores, then processes the
 * tile's own anti-diagonals in shared memory. Rows are N+1 long, so no row of a tile is aligned.
 * Row 0 and column 0 of the matrices are inputs.
 *
 * Thread-level accesses, with (N/16)^2 tiles: mat: 33 loads and 256 stores per tile. ref: 256 loads
 * per tile.
 */
#include "lane.h"

#include <stdlib.h>

#include "lib/alloc.h"

#define TILE 16
#define PENALTY 10
#define LETTERS 20
#define SEED 0x9ee

enum { INDEX, EDGE, SCORE, REF, LAST_REF = REF + TILE - 1 }; /* registers; one REF for each row */

struct nw {
    struct lane_workload base;
    uint64_t n,      /* N */
        tiles;       /* number of tiles along an edge */
    uint64_t x0, y0; /* tile of CTA 0; the tiles of the next CTAs are to its north-east */
    bool growing;    /* true if the launch is in the upper left triangle of tiles */
    ARRAY(int32_t) ref;
    ARRAY(int32_t) mat;
};

/* __shared__ arrays of a CTA. */
struct nw_tile {
    int32_t score[TILE + 1][TILE + 1], ref[TILE][TILE];
};

struct nw_warp {
    struct warp_head head;
    uint32_t y; /* row of the tile */
    uint32_t m; /* step along the anti-diagonals */
    int32_t value[WARP_LANES];
};

static int32_t best(int32_t north_west, int32_t ref, int32_t west, int32_t north) {
    int32_t score = north_west + ref;
    score = score < west - PENALTY ? west - PENALTY : score;
    return score < north - PENALTY ? north - PENALTY : score;
}

/* Return the column and the row (counted from 1) of a lane's cell in step m, and the number of
 * active lanes. The anti-diagonals become longer up to step TILE - 1 and shorter after it. */
static uint32_t diagonal_x(uint32_t m, uint32_t lane) {
    return m < TILE ? lane + 1 : lane + m - TILE + 2;
}
static uint32_t diagonal_y(uint32_t m, uint32_t lane) {
    return m < TILE ? m - lane + 1 : TILE - lane;
}
static uint32_t diagonal_lanes(uint32_t m) {
    return m < TILE ? m + 1 : 2 * TILE - 1 - m;
}

static int32_t tile_score(const struct nw_tile *s, uint32_t m, uint32_t lane) {
    const uint32_t x = diagonal_x(m, lane), y = diagonal_y(m, lane);
    return best(s->score[y - 1][x - 1], s->ref[y - 1][x - 1], s->score[y][x - 1],
                s->score[y - 1][x]);
}

static void nw_step(void *ctx, const struct warp_place *place, void *cta, void *state,
                    struct warp_inst *inst) {
    struct nw *m = ctx;
    struct nw_tile *s = cta;
    struct nw_warp *w = state;
    const uint64_t c = m->n + 1;
    const uint64_t corner = TILE * (c * (m->y0 - place->cta[0]) + m->x0 +
                                    place->cta[0]); /* cell north-west of the tile */

    WARP_BEGIN();
    ALU_RUN(10, R(INDEX), 0);
    if (m->growing) {
        KEEP_LANES(l == 0);
        LD(w->value[l], m->mat, [corner], R(EDGE), R(INDEX));
        SHARED(1, s->score[0][0] = w->value[l], 0, R(EDGE));
        EVERY_LANE();
    }
    for (w->y = 0; w->y < TILE; w->y++)
        LD(s->ref[w->y][l], m->ref, [corner + c + 1 + l + c * w->y], R(REF + w->y), R(INDEX));
    for (w->y = 0; w->y < TILE; w->y++)
        SHARED(1, (void)0, 0, R(REF + w->y));
    BAR();
    if (!m->growing) {
        KEEP_LANES(l == 0);
        LD(w->value[l], m->mat, [corner], R(EDGE), R(INDEX));
        SHARED(1, s->score[0][0] = w->value[l], 0, R(EDGE));
        EVERY_LANE();
    }
    LD(w->value[l], m->mat, [corner + c + c * l], R(EDGE), R(INDEX));
    SHARED(1, s->score[l + 1][0] = w->value[l], 0, R(EDGE));
    BAR();
    LD(w->value[l], m->mat, [corner + 1 + l], R(EDGE), R(INDEX));
    SHARED(1, s->score[0][l + 1] = w->value[l], 0, R(EDGE));
    BAR();
    for (w->m = 0; w->m < 2 * TILE - 1; w->m++) {
        ALU_RUN(4, 0, R(INDEX));
        KEEP_LANES(l < diagonal_lanes(w->m));
        SHARED(4, w->value[l] = tile_score(s, w->m, l), R(SCORE), 0);
        ALU_RUN(4, R(SCORE), R(SCORE));
        SHARED(1, s->score[diagonal_y(w->m, l)][diagonal_x(w->m, l)] = w->value[l], 0, R(SCORE));
        EVERY_LANE();
        BAR();
    }
    for (w->y = 0; w->y < TILE; w->y++) {
        SHARED(1, w->value[l] = s->score[w->y + 1][l + 1], R(SCORE), 0);
        ST(w->value[l], m->mat, [corner + c + 1 + l + c * w->y], R(SCORE) | R(INDEX));
    }
    WARP_END();
}

static bool nw_next(struct workload *workload, struct kernel_launch *launch) {
    struct nw *m = (struct nw *)workload;
    const uint64_t k = m->base.launched, w = m->tiles;
    if (k == 2 * w - 1)
        return false;
    m->base.launched++;
    m->growing = k < w;
    m->x0 = m->growing ? 0 : k + 1 - w;
    m->y0 = m->growing ? k : w - 1;
    *launch = (struct kernel_launch){
        .name = m->growing ? "nw upper left" : "nw lower right",
        .grid = {(uint32_t)(m->growing ? k + 1 : 2 * w - 1 - k), 1, 1},
        .block = {TILE, 1, 1},
        .shared_bytes = sizeof(struct nw_tile),
        .warp_state_size = sizeof(struct nw_warp),
        .cta_state_size = sizeof(struct nw_tile),
        .step = nw_step,
        .ctx = m,
    };
    return true;
}

/* Generates random letters, and symmetric scores for pairs of letters: 4 to 11 for equal letters,
 * otherwise -4 to 3. */
static void nw_ref(uint64_t n, int32_t *ref) {
    struct rng r = {SEED};
    int32_t pair[LETTERS][LETTERS];
    for (unsigned i = 0; i < LETTERS; i++)
        for (unsigned j = 0; j <= i; j++)
            pair[i][j] = pair[j][i] = (int32_t)rng_below(&r, 8) + (i == j ? 4 : -4);
    const uint64_t c = n + 1;
    for (uint64_t i = 1; i <= n; i++) { /* row 0 and column 0 hold the letters temporarily */
        ref[i] = (int32_t)rng_below(&r, LETTERS);
        ref[i * c] = (int32_t)rng_below(&r, LETTERS);
    }
    for (uint64_t i = 1; i <= n; i++)
        for (uint64_t j = 1; j <= n; j++)
            ref[i * c + j] = pair[ref[i * c]][ref[j]];
    for (uint64_t i = 1; i <= n; i++)
        ref[i] = ref[i * c] = 0;
}

static void nw_edge(uint64_t n, int32_t *mat) {
    for (uint64_t i = 0; i <= n; i++)
        mat[i] = mat[i * (n + 1)] = -(int32_t)i * PENALTY;
}

static int nw_verify(struct workload *w, struct error *err) {
    struct nw *m = (struct nw *)w;
    const uint64_t c = m->n + 1;
    int32_t *ref = alloc_zeroed(c * c, sizeof *ref), *mat = alloc_zeroed(c * c, sizeof *mat);
    nw_ref(m->n, ref);
    nw_edge(m->n, mat);
    for (uint64_t at = c; at < c * c; at++)
        if (at % c != 0)
            mat[at] = best(mat[at - c - 1], ref[at], mat[at - 1], mat[at - c]);
    int rc = verify_ints("mat", m->mat.v, mat, c * c, err);
    free(ref);
    free(mat);
    return rc == 0 ? verify_accesses(w, err) : rc;
}

static bool nw_create(struct workload *w, const uint64_t *v) {
    struct nw *m = (struct nw *)w;
    const uint64_t n = m->n = v[0];
    if (!workload_multiple(w, "N", n, TILE))
        return false;
    m->tiles = n / TILE;
    m->base.w.launches = 2 * m->tiles - 1;
    const uint64_t cells = (n + 1) * (n + 1);
    if (!NEW_ARRAY(m, ref, cells) || !NEW_ARRAY(m, mat, cells))
        return false;
    nw_ref(n, m->ref.v);
    nw_edge(n, m->mat.v);
    const uint64_t tiles = m->tiles * m->tiles;
    expect_accesses(m->ref.dev, tiles * TILE * TILE, 0);
    expect_accesses(m->mat.dev, tiles * (2 * TILE + 1), tiles * TILE * TILE);
    return true;
}

const struct workload_type workload_nw = {
    .name = "nw",
    .suite = "UVMBench (Rodinia)",
    .class = "irregular",
    .doc = "sequence alignment: a wavefront of 16 x 16 tiles in shared memory, misaligned rows",
    .size_doc = "N, length of each sequence (a multiple of 16)",
    .default_size = "1024",
    .repeatable = true,
    .size = {{"N", TILE, 16368}},
    .state_size = sizeof(struct nw),
    .next = nw_next,
    .verify = nw_verify,
    .create = nw_create,
};
