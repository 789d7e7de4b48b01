// SPDX-License-Identifier: Apache-2.0
#include "implicit_mshr/implicit_mshr.h"

#include <inttypes.h>

#include "lib/bits.h"
#include "mshr/mshr_core.h"
#include "mshr/mshr_kind.h"

static const struct param_desc params[MSHR_N_COMMON] = {
    {"ENTRIES", 32, 2, MSHR_CORE_MAX_SETS, "entries"},
    {"WORD", 4, 1, 1 << 16, "bytes of a word, a power of two"},
    MSHR_COMMON_PARAMS,
};

static int64_t words(const struct block_params *p) {
    return ((int64_t)1 << p->v[MSHR_OFF_W]) / p->v[IMPLICIT_MSHR_WORD];
}

static const char *illegal(const struct block_params *p) {
    int64_t word = p->v[IMPLICIT_MSHR_WORD];
    if (word & (word - 1))
        return "WORD must be a power of two";
    if (words(p) < 1 || words(p) > MSHR_MAX_SLOTS)
        return "2^OFF_W / WORD, the words of a line, must be 1 to 64";
    return mshr_illegal_data_w(p->v[MSHR_DATA_W]);
}

/* As many slots as words, filled in order of arrival; the words that are there are marked. */
static void *create(const struct block_params *p) {
    const struct mshr_core_geometry g = {
        .sets = (unsigned)p->v[MSHR_SETS],
        .slots = (unsigned)words(p),
        .word = (unsigned)p->v[IMPLICIT_MSHR_WORD],
        .data_w = (unsigned)p->v[MSHR_DATA_W],
        .payload_w = (unsigned)p->v[MSHR_PAYLOAD_W],
        .addr_out = p->v[MSHR_ADDR_OUT],
        .heads_only = (unsigned)p->v[MSHR_SETS],
        .heads = (unsigned)p->v[MSHR_SETS],
    };
    return mshr_core_create(&g);
}

const struct block_type implicit_mshr_type = {
    .name = "implicit_mshr",
    .params = params,
    .n_params = MSHR_N_COMMON,
    .illegal = illegal,
    .create = create,
    MSHR_CORE_FUNCTIONS,
};

/* ---- as an MSHR of a cache ---- */

static struct mshr_size size(const struct mshr_geometry *g) {
    return (struct mshr_size){.heads = (uint32_t)g->keys.entries,
                              .slots = (uint32_t)(((int64_t)1 << g->off_w) / g->keys.word)};
}

static void set_params(const struct mshr_geometry *g, struct block_params *p) {
    p->v[IMPLICIT_MSHR_WORD] = g->keys.word;
}

static int check(const struct mshr_keys *k, char *err, size_t err_size) {
    if (bits_power_of_two((uint64_t)k->word))
        return 0;
    return config_refuse(err, err_size, "%s.mshr_word=%" PRId64 " is not a power of two",
                         k->section, k->word);
}

const struct mshr_kind mshr_kind_implicit = {
    .name = "implicit",
    .type = &implicit_mshr_type,
    .size = size,
    .params = set_params,
    .check = check,
};
