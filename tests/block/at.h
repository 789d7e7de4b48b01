/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by tests of one block: parameters by name, and a recording of its inputs and outputs,
 * which tests/golden.bash compares with the Verilog. */
#ifndef MEMTWIN_TESTS_BLOCK_AT_H
#define MEMTWIN_TESTS_BLOCK_AT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "block/block.h"
#include "harness/vectors.h"

/* The defaults, and what `set` changes: "NAME=VALUE", ended by NULL. */
static inline struct block_params block_at(const struct block_type *type, const char *const *set) {
    struct block_params p;
    char err[200] = "";
    block_params_default(type, &p);
    for (; *set; set++)
        if (block_params_set(type, &p, *set, err, sizeof err))
            fail_msg("%s", err);
    return p;
}

/* The outputs for these inputs; no clock. Each output is written. */
static inline void block_look(const struct block_inst *b, const void *in, void *out) {
    memset(out, 0xff, b->type->out_size);
    b->type->eval(b->model, in, out);
    b->type->observe(b->model, in, out);
}

struct tape {
    struct vec_writer *writer; /* NULL: nothing is recorded */
    struct layout *layout;     /* owned */
};

/* Records into FOLDER/name.vec, if the environment says variable=FOLDER. */
static inline void tape_begin(struct tape *t, const struct block_inst *b, const char *variable,
                              const char *name) {
    const char *folder = getenv(variable);
    char path[1024], err[1024] = "";
    *t = (struct tape){0};
    if (!folder)
        return;
    t->layout = calloc(1, sizeof *t->layout);
    assert_non_null(t->layout);
    snprintf(path, sizeof path, "%s/%s.vec", folder, name);
    if (!layout_init(t->layout, b->type, &b->params, err, sizeof err))
        t->writer = vec_create(path, t->layout, err, sizeof err);
    if (!t->writer)
        fail_msg("%s", err);
}

/* One clock cycle, with the outputs that the block has for these inputs. */
static inline void tape_cycle(struct tape *t, const void *in, const void *out) {
    if (t->writer)
        vec_write(t->writer, in, out, out);
}

static inline void tape_end(struct tape *t) {
    char err[1024] = "";
    if (t->writer && vec_finish(t->writer, err, sizeof err))
        fail_msg("%s", err);
    if (t->layout)
        layout_free(t->layout);
    free(t->layout);
}

#endif
