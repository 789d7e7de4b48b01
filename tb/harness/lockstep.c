// SPDX-License-Identifier: Apache-2.0
/* Attaches twins and recorders to the instances in a running system. */
#include "harness/harness.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "harness/lane.h"
#include "harness/layout.h"
#include "harness/noise.h"
#include "harness/vectors.h"
#include "lib/alloc.h"

/* State of one watched instance. The probe is the first member, so that a pointer to the probe is
 * also a pointer to the watch. */
struct lockstep_watch {
    struct block_probe probe;
    struct lockstep_watch *next; /* the next watch in order of attachment */
    unsigned order;
    struct harness *h;
    struct block_inst *inst;
    struct layout l;
    void *model_out; /* the model's outputs, including observed ones */
    uint64_t cycle;
    uint64_t edges; /* value of the harness's `edges` when this cycle was evaluated */
    struct noise noise;
    void *given;     /* the system's inputs in the last cycle */
    void *noisy,     /* `given` with noise */
        *noise_next; /* buffer for the inputs of the next cycle */
    /* the twin, if there is one */
    bool has_twin;
    enum twin_mode mode;
    struct lane lane;
    uint64_t compared, /* number of compared cycles */
        mismatches;    /* number of differing ports so far */
    /* the recorder, if there is one */
    struct vec_writer *rec;
    uint64_t last;
    bool rec_noise; /* true to record the twin's inputs instead of the system's */
};

/* A loaded shared object that the instances of one block and point share. */
struct loaded {
    struct loaded *next;
    const struct block_type *type;
    char params[512];
    struct twin_lib lib;
};

struct harness {
    volatile bool *stop;
    struct lockstep_watch *watches, **tail;
    struct loaded *libs;
    uint64_t mismatches;
    uint64_t edges; /* number of clock edges of all instances so far, used as a time stamp */
    unsigned watched;
    struct mismatch first;
    uint64_t first_edges;
    unsigned first_order;
};

struct harness *harness_create(volatile bool *stop) {
    struct harness *h = alloc_zeroed(1, sizeof *h);
    h->stop = stop;
    h->tail = &h->watches;
    return h;
}

static void finish_recording(struct lockstep_watch *w) {
    struct error err;
    if (w->rec && vec_finish(w->rec, &err))
        fprintf(stderr, "recording of %s: %s\n", w->inst->name, err.text);
    w->rec = NULL;
}

int harness_end_recordings(struct harness *h, bool keep, struct error *err) {
    for (struct lockstep_watch *w = h->watches; w; w = w->next) {
        struct vec_writer *rec = w->rec;
        w->rec = NULL;
        if (!keep)
            vec_drop(rec);
        else if (rec && vec_finish(rec, err))
            return -1;
    }
    return 0;
}

static void watch_free(struct lockstep_watch *w) {
    finish_recording(w);
    if (w->has_twin)
        lane_free(&w->lane);
    if (w->inst->probe == &w->probe)
        w->inst->probe = NULL;
    noise_free(&w->noise);
    free(w->given);
    free(w->noisy);
    free(w->noise_next);
    free(w->model_out);
    layout_free(&w->l);
    free(w);
}

void harness_destroy(struct harness *h) {
    if (!h)
        return;
    for (struct lockstep_watch *w = h->watches, *next; w; w = next) {
        next = w->next;
        watch_free(w);
    }
    for (struct loaded *lib = h->libs, *next; lib; lib = next) {
        next = lib->next;
        twin_unload(&lib->lib);
        free(lib);
    }
    free(h);
}

/* ---- Every cycle ---- */

/* True if a difference is to be reported as the first one. Of differences between the same two
 * clock edges, the one of the instance that was attached first is reported. */
static bool is_first(const struct harness *h, const struct lockstep_watch *w) {
    return h->mismatches == 0 || (w->edges == h->first_edges && w->order < h->first_order);
}

static void mismatched(struct lockstep_watch *w, unsigned ports) {
    struct harness *h = w->h;
    if (is_first(h, w)) {
        lane_report(&w->lane, w->inst->name, w->model_out, &h->first);
        h->first_edges = w->edges;
        h->first_order = w->order;
    }
    h->mismatches += ports;
    w->mismatches += ports;
    if (h->stop)
        *h->stop = true;
}

/* Replaces all PORT_OUT fields with the RTL's outputs, for drive mode. */
static void drive_lane(const struct lockstep_watch *w, void *out) {
    for (unsigned i = 0; i < w->l.n_out; i++) {
        const struct port_place *p = &w->l.out[i];
        if (p->desc->dir == PORT_OUT)
            memcpy((char *)out + p->desc->offset, (char *)w->lane.other + p->desc->offset, p->size);
    }
}

/* Adds noise for the twin. The noise stays constant as long as the system's inputs do, so that the
 * RTL can settle. */
static void add_noise(struct lockstep_watch *w, const void *in) {
    size_t size = w->l.type->in_size;
    void *now = w->noise_next;
    bool still = w->cycle > 0 && memcmp(w->given, in, size) == 0;
    memcpy(now, in, size);
    noise_apply(&w->noise, now, w->model_out, still ? w->noisy : NULL);
    memcpy(w->given, in, size);
    w->noise_next = w->noisy;
    w->noisy = now;
}

/* Evaluates the twin after all inputs are known. Returns true if the twin's outputs are usable. */
static bool settle_lane(struct lockstep_watch *w, const void *in) {
    if (w->has_twin || w->rec_noise)
        add_noise(w, in);
    if (w->rec)
        vec_write(w->rec, w->rec_noise ? w->noisy : in, w->model_out, w->model_out);
    if (!w->has_twin)
        return false;
    unsigned ports = lane_eval(&w->lane, w->noisy, w->model_out, w->model_out, NULL);
    if (ports)
        mismatched(w, ports);
    if (w->cycle == 0)
        return false;
    w->compared++;
    return true;
}

/* Evaluates the twin's outputs before late inputs are known. Returns true if the outputs are
 * usable. */
static bool peek_driver(struct lockstep_watch *w, const void *in) {
    if (!w->has_twin || w->mode != TWIN_DRIVE)
        return false;
    w->lane.table->eval(w->lane.twin, in, w->lane.other);
    return w->cycle > 0;
}

static void watch_eval(struct block_probe *probe, const struct block_inst *inst, const void *in,
                       void *out) {
    struct lockstep_watch *w = (struct lockstep_watch *)probe;
    w->edges = w->h->edges;
    memcpy(w->model_out, out, inst->type->out_size);
    inst->type->observe(inst->model, in, w->model_out);
    bool there = inst->type->late ? peek_driver(w, in) : settle_lane(w, in);
    if (there && w->mode == TWIN_DRIVE)
        drive_lane(w, out);
}

static void watch_tick(struct block_probe *probe, const struct block_inst *inst, const void *in) {
    struct lockstep_watch *w = (struct lockstep_watch *)probe;
    if (inst->type->late)
        settle_lane(w, in);
    if (w->has_twin)
        lane_tick(&w->lane);
    if (w->rec && w->cycle == w->last)
        finish_recording(w);
    w->cycle++;
    w->h->edges++;
}

/* ---- Attaching ---- */

/* Returns the instance's watch, and creates it if it is missing. Returns NULL with a one-line
 * message in err if that fails. */
static struct lockstep_watch *watch_of(struct harness *h, struct block_inst *inst,
                                       struct error *err) {
    for (struct lockstep_watch *w = h->watches; w; w = w->next)
        if (w->inst == inst)
            return w;
    if (inst->probe) {
        error_set(err, "%s already has a probe", inst->name);
        return NULL;
    }
    struct lockstep_watch *w = alloc_zeroed(1, sizeof *w);
    if (layout_init(&w->l, inst->type, &inst->params, err)) {
        free(w);
        return NULL;
    }
    w->inst = inst;
    w->model_out = alloc_zeroed(1, inst->type->out_size);
    w->given = alloc_zeroed(1, inst->type->in_size);
    w->noisy = alloc_zeroed(1, inst->type->in_size);
    w->noise_next = alloc_zeroed(1, inst->type->in_size);
    noise_init(&w->noise, &w->l, 1);
    w->h = h;
    w->order = h->watched++;
    w->probe.eval = watch_eval;
    w->probe.tick = watch_tick;
    inst->probe = &w->probe;
    *h->tail = w;
    h->tail = &w->next;
    return w;
}

static const struct twin_table *lib_of(struct harness *h, const struct layout *l,
                                       struct error *err) {
    for (struct loaded *lib = h->libs; lib; lib = lib->next)
        if (lib->type == l->type && strcmp(lib->params, l->params_text) == 0)
            return lib->lib.table;
    struct loaded *lib = alloc_zeroed(1, sizeof *lib);
    if (twin_load(&lib->lib, l, twin_kind_of_run(), err)) {
        free(lib);
        return NULL;
    }
    lib->type = l->type;
    snprintf(lib->params, sizeof lib->params, "%s", l->params_text);
    lib->next = h->libs;
    h->libs = lib;
    return lib->lib.table;
}

int harness_attach(struct harness *h, struct block_inst *inst, enum twin_mode mode, uint64_t seed,
                   struct error *err) {
    struct lockstep_watch *w = watch_of(h, inst, err);
    if (!w)
        return -1;
    if (w->has_twin || w->cycle > 0)
        return error_set(err, "%s %s", inst->name,
                         w->has_twin ? "has a twin already" : "is running already");
    const struct twin_table *table = lib_of(h, &w->l, err);
    if (!table || lane_init(&w->lane, &w->l, table, seed, err))
        return -1;
    w->has_twin = true;
    w->mode = mode;
    return 0;
}

int harness_record(struct harness *h, struct block_inst *inst, const char *path, uint64_t last,
                   bool noise, struct error *err) {
    struct lockstep_watch *w = watch_of(h, inst, err);
    if (!w)
        return -1;
    if (w->rec || w->cycle > 0)
        return error_set(err, "%s %s", inst->name,
                         w->rec ? "is recorded already" : "is running already");
    w->last = last;
    w->rec_noise = noise;
    w->rec = vec_create(path, &w->l, err);
    return w->rec ? 0 : -1;
}

struct harness_count harness_count(const struct harness *h, const struct block_type *type) {
    struct harness_count n = {0};
    for (const struct lockstep_watch *w = h->watches; w; w = w->next) {
        if (!w->has_twin || (type && w->inst->type != type))
            continue;
        n.twins++;
        n.cycles += w->compared;
        n.evaluated += lane_evaluated(&w->lane);
        n.mismatches += w->mismatches;
    }
    return n;
}

const struct mismatch *harness_first_mismatch(const struct harness *h) {
    return h->mismatches ? &h->first : NULL;
}

void harness_print_mismatch(const struct mismatch *m, const char *replay_file, FILE *out) {
    mismatch_print(m, "model", "rtl", out);
    if (replay_file)
        mismatch_print_command(replay_file, out);
}
