// SPDX-License-Identifier: Apache-2.0
/* One block alone: its driver's stimulus against model and twin, with functional coverage. */
#include "harness/cosim.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "harness/folder.h"
#include "harness/harness.h"
#include "harness/lane.h"
#include "harness/noise.h"
#include "harness/ports_check.h"
#include "harness/proc.h"
#include "harness/vectors.h"

#define FLOORS_FROM 100000  /* cycles from which coverage floors hold */
#define PROGRESS_EVERY 4096 /* cycles */

enum { GOOD = 0, BAD_INPUT = 1, INTERNAL = 2, DIFFERENT = 3 };

/* A fault planted into the model's outputs as compared. */
struct plant {
    const struct port_place *port; /* NULL: none */
    unsigned bit;
    uint64_t cycle;
    bool idle; /* the port was unqualified in that cycle */
};

/* A run of model and driver, optionally with a twin and a recorder. */
struct run {
    const struct cosim_opts *o;
    const struct layout *l;
    struct plant plant;
    const struct cosim_driver *calls;
    void *driver, *model;
    void *in, *out, *shown; /* shown: out, with the fault planted */
    struct noise noise;
    struct lane *lane;      /* NULL: no twin */
    struct vec_writer *rec; /* NULL: no recording */
    uint64_t cycle;
    const char *rule;   /* broken rule of the driver */
    unsigned differing; /* ports in the cycle of the first mismatch */
};

/* ---- Planted faults ---- */

/* Returns the text after the decimal number, or NULL if there is no number. */
static const char *parse_number(const char *text, uint64_t *value) {
    char *end;
    if (*text < '0' || *text > '9')
        return NULL;
    errno = 0;
    *value = strtoull(text, &end, 10);
    return errno ? NULL : end;
}

static int parse_plant(const char *text, const struct layout *l, struct plant *plant, char *err,
                       size_t err_size) {
    size_t len = strcspn(text, "[@");
    uint64_t bit = 0;
    const char *at = text + len;
    if (*at == '[')
        at = parse_number(at + 1, &bit);
    if (at && text[len] == '[')
        at = *at == ']' ? at + 1 : NULL;
    if (at)
        at = *at == '@' ? parse_number(at + 1, &plant->cycle) : NULL;
    if (!at || *at) {
        snprintf(err, err_size, "plant '%s': expected PORT@CYCLE or PORT[BIT]@CYCLE", text);
        return -1;
    }
    for (unsigned i = 0; i < l->n_out; i++)
        if (strlen(l->out[i].desc->name) == len && !strncmp(l->out[i].desc->name, text, len))
            plant->port = &l->out[i];
    if (!plant->port) {
        snprintf(err, err_size, "plant '%s': %s has no output of that name", text, l->type->name);
        return -1;
    }
    if (bit >= plant->port->width) {
        snprintf(err, err_size, "plant '%s': %s has bits 0 to %u at these parameters", text,
                 plant->port->desc->name, plant->port->width - 1);
        return -1;
    }
    plant->bit = (unsigned)bit;
    return 0;
}

static void plant_fault(struct run *r) {
    memcpy(r->shown, r->out, r->l->type->out_size);
    if (!r->plant.port || r->cycle != r->plant.cycle)
        return;
    r->plant.idle = r->cycle == 0 || !r->plant.port->desc->qualified(r->in, r->out);
    place_flip(r->plant.port, r->plant.bit, r->shown);
}

/* ---- The run ---- */

static const struct cosim_driver *driver_of(const struct cosim_opts *o) {
    return o->driver ? o->driver : cosim_driver_find(o->type);
}

static int run_init(struct run *r, const struct cosim_opts *o, const struct layout *l,
                    const struct plant *plant) {
    const struct block_type *type = o->type;
    memset(r, 0, sizeof *r);
    r->o = o;
    r->l = l;
    r->plant = *plant;
    r->calls = driver_of(o);
    r->driver = r->calls->create(type, &o->params, o->seed, o->cycles);
    r->model = type->create(&o->params);
    r->in = calloc(1, type->in_size);
    r->out = calloc(1, type->out_size);
    r->shown = calloc(1, type->out_size);
    int bad = noise_init(&r->noise, l, o->seed);
    return !bad && r->driver && r->model && r->in && r->out && r->shown ? 0 : -1;
}

static void run_free(struct run *r) {
    if (r->driver)
        r->calls->destroy(r->driver);
    if (r->model)
        r->o->type->destroy(r->model);
    free(r->in);
    free(r->out);
    free(r->shown);
    noise_free(&r->noise);
    vec_drop(r->rec);
}

/* Runs a cycle up to its clock edge. */
static void run_eval(struct run *r) {
    r->calls->drive(r->driver, r->in);
    const char *rule = noise_eval(&r->noise, r->model, r->in, r->out);
    plant_fault(r);
    if (r->rec)
        vec_write(r->rec, r->in, r->shown, r->out);
    if (r->lane)
        r->differing = lane_eval(r->lane, r->in, r->shown, r->out, NULL);
    r->rule = r->calls->sample(r->driver, r->in, r->out);
    r->rule = rule ? rule : r->rule;
}

static void run_tick(struct run *r) {
    r->o->type->tick(r->model, r->in);
    if (r->lane)
        lane_tick(r->lane);
    r->cycle++;
}

/* Runs cycles 0..cycles-1, or stops in the cycle (before its edge) of a mismatch or a broken rule.
 * Returns true if it was interrupted. */
static bool run_cycles(struct run *r, uint64_t cycles) {
    const struct cosim_opts *o = r->o;
    while (r->cycle < cycles) {
        run_eval(r);
        if (r->differing || r->rule || r->plant.idle)
            return false;
        run_tick(r);
        if (r->cycle % PROGRESS_EVERY != 0)
            continue;
        if (o->progress)
            o->progress(o->progress_ctx, r->cycle, o->cycles);
        if (o->stop && *o->stop)
            return true;
    }
    return false;
}

/* ---- The replay file ---- */

static int replay_path(const struct cosim_opts *o, const struct layout *l, char *path, char *err,
                       size_t err_size) {
    char name[PATH_SIZE], dir[PATH_SIZE];
    if (twin_name(l, name, err, err_size) || replay_folder(l->type->name, dir, err, err_size))
        return -1;
    return path_print(path, err, err_size, "%s/%s-seed%" PRIu64 "-%" PRIu64 ".vec", dir, name,
                      o->seed, o->cycles);
}

/* Runs driver and model again, from the same seed, and records them up to and including cycle
 * `last`. */
static int record_again(const struct run *first, uint64_t last, char *path, char *err,
                        size_t err_size) {
    struct run r;
    if (replay_path(first->o, first->l, path, err, err_size))
        return -1;
    if (run_init(&r, first->o, first->l, &first->plant)) {
        snprintf(err, err_size, "out of memory");
        run_free(&r);
        return -1;
    }
    r.rec = vec_create(path, first->l, err, err_size);
    int bad = r.rec ? 0 : -1;
    while (!bad && r.cycle <= last) {
        run_eval(&r);
        run_tick(&r);
    }
    if (!bad) {
        bad = vec_finish(r.rec, err, err_size);
        r.rec = NULL;
    }
    run_free(&r);
    return bad;
}

/* Makes the replay file after the run stopped in cycle r->cycle, by this run's recorder or by a
 * second run. */
static int finish_replay(struct run *r, char *path, char *err, size_t err_size) {
    if (!r->rec)
        return record_again(r, r->cycle, path, err, err_size);
    struct vec_writer *rec = r->rec;
    r->rec = NULL;
    return vec_finish(rec, err, err_size) || path_print(path, err, err_size, "%s", r->o->record);
}

/* ---- The verdict ---- */

/* Whether coverage floors apply: the run has FLOORS_FROM cycles, and the driver has set a floor. It
 * sets all to 0 in a run too short for the parameters. */
static bool floors_hold(const struct cover_point *points, size_t n, uint64_t cycles) {
    bool any = false;
    for (size_t i = 0; i < n; i++)
        any = any || points[i].floor > 0;
    return any && cycles >= FLOORS_FROM;
}

static void print_coverage(const struct cover_point *points, size_t n, bool floors, FILE *out) {
    int width = 5;
    for (size_t i = 0; i < n; i++)
        if ((int)strlen(points[i].name) > width)
            width = (int)strlen(points[i].name);
    fprintf(out, "coverage:\n  %-*s %12s %10s\n", width, "point", "hits", "floor");
    for (size_t i = 0; i < n; i++) {
        char floor[32] = "-";
        if (floors && points[i].floor)
            snprintf(floor, sizeof floor, "%" PRIu64, points[i].floor);
        fprintf(out, "  %-*s %12" PRIu64 " %10s%s\n", width, points[i].name, points[i].hits, floor,
                floors && points[i].hits < points[i].floor ? "  UNDER ITS FLOOR" : "");
    }
}

static int judge_coverage(struct run *r, FILE *out) {
    const struct cover_point *points = NULL;
    size_t n = r->calls->coverage(r->driver, &points), under = 0;
    bool floors = floors_hold(points, n, r->o->cycles);
    print_coverage(points, n, floors, out);
    if (!floors)
        fprintf(out, "%" PRIu64 " cycles are too few for coverage floors at this point\n",
                r->o->cycles);
    for (size_t i = 0; floors && i < n; i++)
        under += points[i].hits < points[i].floor;
    uint64_t compared = r->lane && r->cycle ? r->cycle - 1 : 0;
    fprintf(out, "cycles run %" PRIu64 ", compared %" PRIu64, r->cycle, compared);
    if (r->lane)
        fprintf(out, ", evaluated in the RTL %" PRIu64, lane_evaluated(r->lane));
    fprintf(out, "\n");
    if (under == 0) {
        fprintf(out, "verdict: PASS%s\n", r->lane ? "" : " (model alone)");
        return GOOD;
    }
    fprintf(out, "verdict: COVERAGE: %zu points under their floor:", under);
    for (size_t i = 0; i < n; i++)
        if (points[i].hits < points[i].floor)
            fprintf(out, " %s", points[i].name);
    fprintf(out, "\n");
    return INTERNAL;
}

static int report_stop(struct run *r, FILE *out) {
    char path[PATH_SIZE], err[512];
    if (finish_replay(r, path, err, sizeof err)) {
        fprintf(stderr, "memtwin cosim: no replay file: %s\n", err);
        path[0] = '\0';
    }
    if (r->differing) {
        struct mismatch m;
        lane_report(r->lane, r->l->type->name, r->shown, &m);
        harness_print_mismatch(&m, path[0] ? path : NULL, out);
        fprintf(out, "verdict: MISMATCH: cycle %" PRIu64 ", port %s, %u ports differ\n", m.cycle,
                m.port, r->differing);
        return DIFFERENT;
    }
    if (path[0])
        mismatch_print_command(path, out);
    fprintf(out, "verdict: RULE BROKEN: cycle %" PRIu64 ": %s\n", r->cycle, r->rule);
    return INTERNAL;
}

/* Completes the recording with its cycles so far. Returns whether writing failed. */
static bool finish_recording(struct run *r) {
    char err[512];
    struct vec_writer *rec = r->rec;
    r->rec = NULL;
    if (!rec || vec_finish(rec, err, sizeof err) == 0)
        return false;
    fprintf(stderr, "memtwin cosim: cannot write %s\n", err);
    return true;
}

static int finish(struct run *r, bool interrupted, FILE *out) {
    if (interrupted) {
        fprintf(stderr, "memtwin cosim: interrupted after %" PRIu64 " cycles\n", r->cycle);
        finish_recording(r);
        return BAD_INPUT;
    }
    if (r->plant.idle) {
        fprintf(stderr, "memtwin cosim: plant '%s': the port means nothing in that cycle\n",
                r->o->plant);
        return BAD_INPUT;
    }
    if (r->differing || r->rule)
        return report_stop(r, out);
    bool lost = finish_recording(r);
    int code = judge_coverage(r, out);
    return lost && code == GOOD ? BAD_INPUT : code;
}

/* ---- Setting up ---- */

/* Starts recorder and twin. An unwritable recording is refused before the twin is built. */
static int start(struct run *r, struct twin_lib *lib, struct lane *lane, FILE *out, char *err,
                 size_t err_size) {
    if (r->o->record) {
        r->rec = vec_create(r->o->record, r->l, err, err_size);
        if (!r->rec)
            return -1;
    }
    fprintf(out, "cosim %s %s: %" PRIu64 " cycles, seed %" PRIu64 "\n", r->l->type->name,
            r->l->params_text, r->o->cycles, r->o->seed);
    if (r->o->model_only)
        return 0;
    if (!block_find(r->l->type->name) && ports_check(r->l->type, &r->o->params, err, err_size))
        return -1; /* only for libraries: tests check MemTwin's own blocks */
    if (twin_load(lib, r->l, twin_kind_for(r->o->cycles), err, err_size) ||
        lane_init(lane, r->l, lib->table, r->o->seed, err, err_size))
        return -1;
    r->lane = lane;
    return 0;
}

static int run_with(const struct cosim_opts *o, const struct layout *l, const struct plant *plant,
                    FILE *out) {
    char err[1024] = "out of memory";
    struct twin_lib lib = {0};
    struct lane lane;
    struct run r;
    int code = BAD_INPUT;
    if (run_init(&r, o, l, plant) || start(&r, &lib, &lane, out, err, sizeof err))
        fprintf(stderr, "memtwin cosim: %s\n", err);
    else
        code = finish(&r, run_cycles(&r, o->cycles), out);
    if (r.lane)
        lane_free(r.lane);
    run_free(&r);
    twin_unload(&lib);
    return code;
}

static int read_plant(const struct cosim_opts *o, const struct layout *l, struct plant *plant,
                      char *err, size_t err_size) {
    if (!o->plant)
        return 0;
    if (o->model_only) {
        snprintf(err, err_size, "a planted fault needs a twin to be found by");
        return -1;
    }
    if (parse_plant(o->plant, l, plant, err, err_size))
        return -1;
    if (plant->cycle >= o->cycles) {
        snprintf(err, err_size, "plant '%s': the run has only %" PRIu64 " cycles", o->plant,
                 o->cycles);
        return -1;
    }
    return 0;
}

int cosim_run(const struct cosim_opts *o, FILE *out) {
    char err[1024];
    struct layout l;
    struct plant plant = {0};
    if (!driver_of(o)) {
        fprintf(stderr, "memtwin cosim: %s has no driver\n", o->type->name);
        return BAD_INPUT;
    }
    if (block_params_check(o->type, &o->params, err, sizeof err) ||
        layout_init(&l, o->type, &o->params, err, sizeof err)) {
        fprintf(stderr, "memtwin cosim: %s\n", err);
        return BAD_INPUT;
    }
    int code = BAD_INPUT;
    if (read_plant(o, &l, &plant, err, sizeof err))
        fprintf(stderr, "memtwin cosim: %s\n", err);
    else
        code = run_with(o, &l, &plant, out);
    layout_free(&l);
    return code;
}
