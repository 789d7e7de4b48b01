/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the coalescing table of true-usage eviction without a GPU. The table is the model of the
 * block `expiry`. */
#ifndef MEMTWIN_TESTS_EVICT_TURE_TABLE_H
#define MEMTWIN_TESTS_EVICT_TURE_TABLE_H

#include "evict/ture.h"
#include "expiry/expiry_ports.h"
#include "tests/test.h"

struct ture_table {
    void *model;
};

static inline void ture_table_open(struct ture_table *t, const struct config *cfg) {
    const struct expiry_in reset = {.rst = 1};
    struct block_params p;
    block_params_default(&expiry_type, &p);
    p.v[EXPIRY_ENTRIES] = cfg->ture_table;
    p.v[EXPIRY_TAKE] = cfg->ture_batch;
    assert_non_null(t->model = expiry_type.create(&p));
    expiry_type.tick(t->model, &reset);
}

static inline void ture_table_close(struct ture_table *t) {
    expiry_type.destroy(t->model);
}

/* Runs a cycle: accepts the output, and offers the policy's oldest operation. Returns true if
 * either happened. */
static inline bool ture_table_step(struct ture_table *t, struct ture *policy) {
    struct expiry_in in = {0};
    struct expiry_out out;
    expiry_type.eval(t->model, &in, &out);
    bool busy = out.out_valid || ture_op(policy) || expiry_next_event(t->model) == 0;
    ture_serve(policy, &out, &in);
    expiry_type.tick(t->model, &in);
    return busy;
}

/* Runs until all operations are done. */
static inline void ture_table_settle(struct ture_table *t, struct ture *policy) {
    while (ture_table_step(t, policy))
        ;
}

#endif
