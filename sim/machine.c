// SPDX-License-Identifier: Apache-2.0
#include "machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/check.h"
#include "gpu/gpu.h"
#include "gpu/partition.h"
#include "harness/harness.h"
#include "lib/host_memory.h"
#include "trace/reader.h"

void machine_free(struct machine *m) {
    if (m->harness)
        harness_destroy(m->harness);
    twins_free(&m->choice);
    if (m->gpu)
        gpu_destroy(m->gpu);
    if (m->check)
        check_destroy(m->check);
    workload_set_free(&m->workloads);
    memset(m, 0, sizeof *m);
}

/* Opens the workloads or the trace of the run. Returns 0, or -1 with one line in r->err. */
static int open_workloads(struct run *r, struct workload_set *s) {
    if (!r->opts->trace)
        return workload_set_open(s, r->workload, &r->err) ||
                       workload_set_repeat(s, r->opts->repeat, &r->err)
                   ? -1
                   : 0;
    s->w[0] = trace_open(&r->trace);
    s->n = 1;
    return 0;
}

int machine_make(struct machine *m, struct run *r, const struct config *cfg) {
    struct error why;
    r->machine = m;
    if (open_workloads(r, &m->workloads) != 0)
        return -1;
    m->workloads.endless = cfg->cke_restart != RESTART_NONE;
    m->harness = harness_create(&r->stop);
    m->gpu = gpu_create_booked(cfg, m->check, r->book, &why);
    if (!m->gpu)
        return error_set(&r->err, "configuration %s: %s", r->opts->config, why.text);
    return r->overlaps ? gpu_use_launches(m->gpu, m->workloads.w[0], &r->err)
                       : gpu_use_streams(m->gpu, m->workloads.n, &r->err);
}

/* Generous size of the state of one SM or L2 bank, in bytes: those of titanx, 52 in all, take 9.7
 * MB of the heap, and those of qv100, 144 in all, 55 MB. Unused heap costs no memory. */
#define STATE_OF_PART ((size_t)512 << 10)

static void prepare_heap(const struct config *cfg) {
    const size_t parts = (size_t)(cfg->sm_count + cfg->l2_partitions * cfg->l2_banks);
    const size_t bytes = parts * STATE_OF_PART;
    host_memory_use_huge_pages(bytes < HOST_HEAP_MAX ? bytes : HOST_HEAP_MAX);
}

int machine_init(struct machine *m, struct run *r) {
    const struct run_opts *o = r->opts;
    memset(m, 0, sizeof *m);
    prepare_heap(&r->cfg);
    m->check = o->check ? check_create((unsigned)r->cfg.sm_count) : NULL;
    if (r->book)
        book_read(r->book);
    if (machine_make(m, r, &r->cfg) != 0)
        return -1;
    gpu_carry_data(m->gpu, o->check || o->twins.n + o->records.n > 0);
    return twins_choose(&m->choice, m->gpu, o->twins.text, o->twins.n, &r->err);
}
