// SPDX-License-Identifier: Apache-2.0
#include "trace/reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/alloc.h"
#include "trace/traceg.h"
#include "lib/bits.h"

/* CTA that is resident, or has been read and waits for dispatch. */
struct cta {
    struct cta *next; /* link in `resident` or in `spare` */
    uint64_t index;   /* index in the grid */
    uint32_t warps;   /* number of warps that have not exited */
    struct traceg_block block;
};

/* State of a CTA and of a warp in the SM, zeroed at dispatch. */
struct cta_state {
    struct cta *cta;
};
struct warp_state {
    bool begun;
    uint32_t next_inst;
};

struct reader;

/* A running kernel. */
struct kernel_file {
    struct kernel_file *next; /* link in reader.running */
    struct reader *reader;
    struct traceg *file; /* owned */
    size_t kernel;       /* index in the list */
    bool noted;          /* true if its oddities are in those of the trace */
    uint64_t next_block; /* index of the next CTA in the file */
    uint32_t warps;      /* number of warps per CTA */
    struct cta *resident;
};

struct reader {
    struct workload w;
    struct trace *trace;
    size_t next_kernel; /* index in the list, for trace_next */
    char **names;       /* owned; names of the launched kernels; NULL for those not yet launched */
    struct kernel_file *running; /* owned; at most one unless launches of several streams run */
    struct cta *spare;
    uint32_t *of; /* owned; stream of each kernel of the list */
    struct workload_streams streams;
    struct error error;
};

static const struct workload_type trace_type = {
    .name = "trace",
    .suite = "Accel-Sim",
    .doc = "a trace file",
    .size_doc = "none",
    .default_size = "",
};

/* Returns true if the trace is read strictly and something is odd, which is then an error. */
static bool odd_refused(struct kernel_file *k) {
    struct reader *r = k->reader;
    return r->trace->strict && trace_refuse_odd(k->file, &r->error);
}

/* ---- CTAs ---- */

/* Returns a spare CTA, or a new one, to read into. */
static struct cta *take_spare(struct reader *r) {
    struct cta *c = r->spare;
    if (c)
        r->spare = c->next;
    else
        c = alloc_zeroed(1, sizeof *c);
    return c;
}

static void give_spare(struct reader *r, struct cta *c) {
    c->next = r->spare;
    r->spare = c;
}

/* Reads the next CTA of the file. Returns false at the end or on an error. */
static bool read_block(struct kernel_file *k) {
    struct reader *r = k->reader;
    struct cta *c = take_spare(r);
    int got = traceg_block(k->file, &c->block);
    if (got <= 0) {
        give_spare(r, c);
        error_set(&r->error, "%s", traceg_error(k->file));
        return false;
    }
    c->index = k->next_block++;
    c->warps = k->warps;
    c->next = k->resident;
    k->resident = c;
    return !odd_refused(k);
}

/* Returns the CTA with this index, or NULL after an error. CTAs are dispatched in order, so it has
 * been read already or is the next one in the file. */
static struct cta *find_cta(struct kernel_file *k, uint64_t index) {
    while (!k->reader->error.text[0] && k->next_block <= index)
        if (!read_block(k))
            return NULL;
    struct cta *c = k->resident;
    while (c && c->index != index)
        c = c->next;
    return c;
}

static void warp_exited(struct kernel_file *k, struct cta *c) {
    if (--c->warps)
        return;
    struct cta **link = &k->resident;
    while (*link != c)
        link = &(*link)->next;
    *link = c->next;
    give_spare(k->reader, c);
}

static void no_more(struct warp_inst *inst) {
    memset(inst, 0, offsetof(struct warp_inst, addr));
    inst->op = WARP_EXIT;
    inst->repeat = 1;
    inst->passes = 1;
}

static void trace_step(void *ctx, const struct warp_place *place, void *cta_state, void *warp_state,
                       struct warp_inst *inst) {
    struct kernel_file *k = ctx;
    struct cta_state *cs = cta_state;
    struct warp_state *ws = warp_state;
    if (!cs->cta) {
        const uint32_t *g = traceg_header(k->file)->grid;
        cs->cta = find_cta(k, place->cta[0] + (uint64_t)g[0] * place->cta[1] +
                                  (uint64_t)g[0] * g[1] * place->cta[2]);
    }
    if (!cs->cta) { /* NULL after an error, which ends the run */
        no_more(inst);
        return;
    }
    struct cta *c = cs->cta;
    if (!ws->begun) {
        ws->begun = true;
        ws->next_inst = c->block.warp[place->warp].begin;
    }
    traceg_decode(k->file, &c->block, place->warp, &ws->next_inst, inst);
    if (inst->op == WARP_EXIT)
        warp_exited(k, c);
}

/* ---- Workload ---- */

static void note_odd(struct kernel_file *k) {
    struct trace *t = k->reader->trace;
    if (!k->noted && !t->strict)
        trace_add_odd(t, k->kernel, k->file);
    k->noted = true;
}

void trace_note_odd(struct workload *w) {
    for (struct kernel_file *k = ((struct reader *)w)->running; k; k = k->next)
        note_odd(k);
}

static void close_run(struct kernel_file *k) {
    struct reader *r = k->reader;
    struct kernel_file **link = &r->running;
    while (*link != k)
        link = &(*link)->next;
    *link = k->next;
    note_odd(k);
    traceg_close(k->file);
    while (k->resident) { /* some are left after an error or an interrupt */
        struct cta *c = k->resident;
        k->resident = c->next;
        give_spare(r, c);
    }
    free(k);
}

static void close_all(struct reader *r) {
    while (r->running)
        close_run(r->running);
}

/* Opens kernel i of the list, without copies. */
static bool open_run(struct workload *w, uint64_t i, struct kernel_launch *launch) {
    struct reader *r = (struct reader *)w;
    struct traceg *file = trace_open_kernel(r->trace, i, &r->error);
    if (!file)
        return false;
    const uint32_t *block = traceg_header(file)->block;
    struct kernel_file *k = alloc_zeroed(1, sizeof *k);
    *k = (struct kernel_file){.next = r->running,
                              .reader = r,
                              .file = file,
                              .kernel = i,
                              .warps =
                                  (block[0] * block[1] * block[2] + WARP_LANES - 1) / WARP_LANES};
    r->running = k;
    *launch = traceg_launch(file);
    if (traceg_odd(file)[ODD_REGISTERS].times)
        launch->regs = r->trace->list.kernel[i].regs;
    launch->name = r->names[i] = alloc_text(launch->name);
    launch->warp_state_size = sizeof(struct warp_state);
    launch->cta_state_size = sizeof(struct cta_state);
    launch->step = trace_step;
    launch->ctx = k;
    return true;
}

static void close_launch(struct workload *w, struct kernel_launch *launch) {
    (void)w;
    close_run(launch->ctx);
}

static const struct kernel_copy *copies_before(const struct workload *w, uint64_t i, size_t *n) {
    const struct trace_list *l = &((const struct reader *)w)->trace->list;
    const size_t first = i ? l->kernel[i - 1].copies : 0;
    *n = l->kernel[i].copies - first;
    return l->copy + first;
}

static bool trace_next(struct workload *w, struct kernel_launch *launch) {
    struct reader *r = (struct reader *)w;
    close_all(r);
    if (r->error.text[0] || r->next_kernel == r->trace->list.n_kernels ||
        !open_run(w, r->next_kernel, launch))
        return false;
    launch->copy = copies_before(w, r->next_kernel++, &launch->copies);
    return true;
}

static const char *trace_error(const struct workload *w) {
    const struct reader *r = (const struct reader *)w;
    return r->error.text[0] ? r->error.text : NULL;
}

static int trace_verify(struct workload *w, struct error *err) {
    const char *error = trace_error(w); /* a trace has no results */
    if (!error)
        return 0;
    return error_set(err, "%s", error);
}

static void free_ctas(struct cta *c) {
    while (c) {
        struct cta *next = c->next;
        traceg_block_free(&c->block);
        free(c);
        c = next;
    }
}

static void trace_destroy(struct workload *w) {
    struct reader *r = (struct reader *)w;
    close_all(r);
    for (size_t i = 0; i < r->trace->list.n_kernels; i++)
        free(r->names[i]);
    free(r->names);
    free(r->of);
    free_ctas(r->spare);
    free(r);
}

static void add_streams(struct reader *r) {
    const struct trace *t = r->trace;
    r->of = alloc_zeroed(t->list.n_kernels, sizeof *r->of);
    for (size_t i = 0; i < t->list.n_kernels; i++)
        r->of[i] = t->list.kernel[i].stream;
    r->streams =
        (struct workload_streams){t->n_streams, r->of, open_run, close_launch, copies_before};
    r->w.streams = &r->streams;
}

struct workload *trace_open(struct trace *t) {
    struct reader *r = alloc_zeroed(1, sizeof *r);
    r->w = (struct workload){.type = &trace_type,
                             .next = trace_next,
                             .verify = trace_verify,
                             .destroy = trace_destroy,
                             .error = trace_error,
                             .launches = t->list.n_kernels,
                             .ctas = t->ctas};
    r->trace = t;
    t->n_odd = 0;
    r->names = alloc_zeroed(t->list.n_kernels, sizeof *r->names);
    if (t->n_streams > 1)
        add_streams(r);
    return &r->w;
}

/* ---- Counting ---- */

static void count_inst(struct trace_counts *c, const struct warp_inst *inst) {
    c->insts++;
    c->threads += bits_count32(inst->mask);
    switch (inst->op) {
    case WARP_ALU:
        c->alu++;
        break;
    case WARP_SFU:
        c->sfu++;
        break;
    case WARP_FP64:
        c->fp64++;
        break;
    case WARP_SHARED:
        c->shared++;
        c->shared_passes += inst->passes;
        break;
    case WARP_LOAD:
        c->local += inst->space == SPACE_LOCAL;
        c->loads += inst->space == SPACE_GLOBAL;
        break;
    case WARP_STORE:
        c->local += inst->space == SPACE_LOCAL;
        c->stores += inst->space == SPACE_GLOBAL;
        break;
    case WARP_ATOMIC:
        c->atomics++;
        break;
    case WARP_BARRIER:
        c->barriers++;
        break;
    case WARP_EXIT:
        break;
    }
}

static void count_block(const struct kernel_file *k, const struct traceg_block *b,
                        struct trace_counts *c) {
    struct warp_inst inst;
    c->blocks++;
    for (uint32_t w = 0; w < k->warps; w++) {
        uint32_t position = b->warp[w].begin;
        c->warps++;
        do {
            traceg_decode(k->file, b, w, &position, &inst);
            count_inst(c, &inst);
        } while (inst.op != WARP_EXIT);
    }
}

struct trace_counting {
    struct trace_counts *counts;
    bool (*go_on)(void *ctx, const struct trace_counts *counts);
    void *ctx;
};

/* Reads and counts the next CTA of the file. Returns 1, 0 at the end, or -1 with one line in
 * err. */
static int count_next(const struct kernel_file *k, struct traceg_block *b, struct trace_counts *c,
                      struct error *err) {
    const int got = traceg_block(k->file, b);
    if (got < 0)
        return error_set(err, "%s", traceg_error(k->file));
    if (k->reader->trace->strict && trace_refuse_odd(k->file, err))
        return -1;
    if (got)
        count_block(k, b, c);
    return got;
}

/* Counts a kernel, or leaves it out if it is bad. Returns 0, or -1 if `go_on` stops. */
static int count_kernel(struct reader *r, const struct trace_counting *how) {
    struct trace_counts *c = how->counts, before = *c;
    struct traceg_block block = {0};
    struct error why;
    int got;
    c->kernels++;
    while ((got = count_next(r->running, &block, c, &why)) > 0)
        if (how->go_on && !how->go_on(how->ctx, c))
            break;
    traceg_block_free(&block);
    if (got < 0) {
        trace_leave_out(r->trace, r->trace->list.kernel[r->next_kernel - 1].number, why.text);
        *c = before;
    }
    c->text_bytes += traceg_bytes(r->running->file);
    return got > 0 ? -1 : 0;
}

int trace_count(struct trace *t, void *ctx,
                bool (*go_on)(void *ctx, const struct trace_counts *counts),
                struct trace_counts *counts, struct error *err) {
    const struct trace_counting how = {counts, go_on, ctx};
    struct kernel_launch launch;
    struct workload *w = trace_open(t);
    memset(counts, 0, sizeof *counts);
    int result = 0;
    while (result == 0 && w->next(w, &launch))
        if (count_kernel((struct reader *)w, &how))
            result = error_set(err, "interrupted");
    if (result == 0)
        result = w->verify(w, err);
    w->destroy(w);
    return result;
}
