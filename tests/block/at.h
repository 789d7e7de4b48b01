/* SPDX-License-Identifier: Apache-2.0 */
/* Helpers for tests of one block: they set parameters by name, and record inputs and outputs,
 * which tests/golden.bash compares with the Verilog. */
#ifndef MEMTWIN_TESTS_BLOCK_AT_H
#define MEMTWIN_TESTS_BLOCK_AT_H

#include "block/block.h"
#include "harness/vectors.h"
#include "tests/test.h"

/* Returns the default parameters, changed by the "NAME=VALUE" strings in `set`, which ends with
 * NULL. */
static inline struct block_params block_at(const struct block_type *type, const char *const *set) {
    struct block_params p;
    struct error err = {0};
    block_params_default(type, &p);
    for (; *set; set++)
        if (block_params_set(type, &p, *set, &err))
            fail_msg("%s", err.text);
    return p;
}

/* Checks that the block refuses these parameters with a message that contains `text`. */
static inline void block_refuses(const struct block_type *type, const char *text,
                                 const char *const *set) {
    struct block_params p = block_at(type, set);
    struct error err = {0};
    assert_int_equal(block_params_check(type, &p, &err), -1);
    if (!strstr(err.text, text))
        fail_msg("'%s' is not in '%s'", text, err.text);
}

#define ILLEGAL_OF(type, text, ...)                                                                \
    block_refuses(type, text, (const char *const[]){__VA_ARGS__, NULL})

/* Computes the outputs for these inputs without a clock edge. The model must write every output. */
static inline void block_look(const struct block_inst *b, const void *in, void *out) {
    memset(out, 0xff, b->type->out_size);
    b->type->eval(b->model, in, out);
    b->type->observe(b->model, in, out);
}

struct tape {
    struct vec_writer *writer; /* NULL if nothing is recorded */
    struct layout *layout;     /* owned by the tape */
};

/* Starts a recording in FOLDER/name.vec if the environment variable `variable` is set to FOLDER. */
static inline void tape_begin(struct tape *t, const struct block_inst *b, const char *variable,
                              const char *name) {
    const char *folder = getenv(variable);
    char path[1024];
    struct error err = {0};
    *t = (struct tape){0};
    if (!folder)
        return;
    t->layout = calloc(1, sizeof *t->layout);
    assert_non_null(t->layout);
    snprintf(path, sizeof path, "%s/%s.vec", folder, name);
    if (!layout_init(t->layout, b->type, &b->params, &err))
        t->writer = vec_create(path, t->layout, &err);
    if (!t->writer)
        fail_msg("%s", err.text);
}

/* Runs one clock cycle and records it. */
static inline void tape_cycle(struct tape *t, const void *in, const void *out) {
    if (t->writer)
        vec_write(t->writer, in, out, out);
}

static inline void tape_end(struct tape *t) {
    struct error err = {0};
    if (t->writer && vec_finish(t->writer, &err))
        fail_msg("%s", err.text);
    if (t->layout)
        layout_free(t->layout);
    free(t->layout);
}

#endif
