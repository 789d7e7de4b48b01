// SPDX-License-Identifier: Apache-2.0
/* Runs one block alone. Applies the stimulus of the block's driver to the model and the twin, and
 * counts functional coverage. The cycles may be divided into runs with different seeds (a sweep).
 */
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
#include "os/path.h"
#include "harness/vectors.h"
#include "lib/alloc.h"
#include "lib/message.h"
#include "lib/print.h"
#include "lib/shell.h"

#define FLOORS_FROM 100000 /* minimum number of cycles in a run with coverage floors */
#define ANY_LENGTH                                                                                 \
    (UINT64_C(1) << 40)     /* planned length in which every possible point has a floor */
#define PROGRESS_EVERY 4096 /* number of cycles between progress reports */

enum { COSIM_GOOD = 0, COSIM_BAD_INPUT = 1, COSIM_INTERNAL = 2, COSIM_DIFFERENT = 3 };

/* A fault that is planted into the copy of the model's outputs that is compared. */
struct plant {
    const struct port_place *port; /* port with the fault, or NULL if there is no fault */
    unsigned bit;
    uint64_t cycle;
    bool idle; /* true if the port was invalid in the cycle of the fault */
};

/* A run of model and driver with one seed, optionally with a twin and a recorder. */
struct cosim_run {
    struct cosim_opts opts; /* with the seed and the number of cycles of this run */
    const struct cosim_opts *o;
    const struct layout *l;
    struct plant plant;
    const struct cosim_driver *calls;
    void *driver, *model;
    void *in, *out, *shown; /* `shown` is `out` with the planted fault */
    struct noise noise;
    struct lane lane_space;
    struct lane *lane;      /* NULL if there is no twin */
    struct vec_writer *rec; /* NULL if nothing is recorded */
    uint64_t cycle;
    uint64_t before;    /* number of cycles in the sweep's earlier runs */
    const char *rule;   /* broken rule of the driver, or NULL if there is none */
    unsigned differing; /* number of ports that differ in this cycle */
};

/* ---- Planted faults ---- */

/* Parses a decimal number. Returns the text after it, or NULL if there is no valid number. */
static const char *parse_number(const char *text, uint64_t *value) {
    char *end;
    if (*text < '0' || *text > '9')
        return NULL;
    errno = 0;
    *value = strtoull(text, &end, 10);
    return errno ? NULL : end;
}

/* Writes the names of the outputs to `text`: "a, b, c". */
static void list_outputs(const struct layout *l, char *text, size_t size) {
    size_t n = 0;
    for (unsigned i = 0; i < l->n_out && n < size; i++)
        n += (size_t)snprintf(text + n, size - n, "%s%s", i ? ", " : "", l->out[i].desc->name);
}

static int parse_plant(const char *text, const struct layout *l, struct plant *plant,
                       struct error *err) {
    size_t len = strcspn(text, "[@");
    uint64_t bit = 0;
    const char *end = text + len;
    if (*end == '[')
        end = parse_number(end + 1, &bit);
    if (end && text[len] == '[')
        end = *end == ']' ? end + 1 : NULL;
    if (end)
        end = *end == '@' ? parse_number(end + 1, &plant->cycle) : NULL;
    if (!end || *end)
        return error_set(err, "plant '%s': expected PORT@CYCLE or PORT[BIT]@CYCLE", text);
    for (unsigned i = 0; i < l->n_out; i++)
        if (strlen(l->out[i].desc->name) == len && !strncmp(l->out[i].desc->name, text, len))
            plant->port = &l->out[i];
    if (!plant->port) {
        char outputs[ERROR_SIZE];
        list_outputs(l, outputs, sizeof outputs);
        return error_set(err, "plant '%s': %s has no output of that name; it has %s", text,
                         l->type->name, outputs);
    }
    if (bit >= plant->port->width)
        return error_set(err, "plant '%s': %s has bits 0 to %u at these parameters", text,
                         plant->port->desc->name, plant->port->width - 1);
    plant->bit = (unsigned)bit;
    return 0;
}

/* Prints the plant as --plant takes it. The cycle is that of the run. */
static void print_plant(const struct plant *plant, char *buf, size_t size) {
    char bit[16] = "";
    if (plant->bit)
        snprintf(bit, sizeof bit, "[%u]", plant->bit);
    snprintf(buf, size, "%s%s@%" PRIu64, plant->port->desc->name, bit, plant->cycle);
}

static void plant_fault(struct cosim_run *r) {
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

static void run_init(struct cosim_run *r, const struct cosim_opts *o, const struct layout *l,
                     const struct plant *plant) {
    const struct block_type *type = o->type;
    memset(r, 0, sizeof *r);
    r->opts = *o;
    r->o = &r->opts;
    r->l = l;
    r->plant = *plant;
    r->calls = driver_of(o);
    r->driver = r->calls->create(type, &o->params, o->seed, o->cycles);
    r->model = type->create(&o->params);
    r->in = alloc_zeroed(1, type->in_size);
    r->out = alloc_zeroed(1, type->out_size);
    r->shown = alloc_zeroed(1, type->out_size);
    noise_init(&r->noise, l, o->seed);
}

static void run_free(struct cosim_run *r) {
    if (r->lane)
        lane_free(r->lane);
    r->calls->destroy(r->driver);
    r->o->type->destroy(r->model);
    free(r->in);
    free(r->out);
    free(r->shown);
    noise_free(&r->noise);
    vec_drop(r->rec);
}

/* Runs a cycle up to its clock edge. */
static void run_eval(struct cosim_run *r) {
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

static void run_tick(struct cosim_run *r) {
    r->o->type->tick(r->model, r->in);
    if (r->lane)
        lane_tick(r->lane);
    r->cycle++;
}

/* True if the run stopped at a mismatch, a broken rule or an invalid plant. */
static bool has_stopped(const struct cosim_run *r) {
    return r->differing || r->rule || r->plant.idle;
}

/* Runs all cycles, but stops before the clock edge of a cycle with a mismatch or a broken rule.
 * `total` is the number of cycles of the sweep. Returns true if the run was interrupted. */
static bool run_cycles(struct cosim_run *r, uint64_t total) {
    const struct cosim_opts *o = r->o;
    while (r->cycle < o->cycles) {
        run_eval(r);
        if (has_stopped(r))
            return false;
        run_tick(r);
        const uint64_t done = r->before + r->cycle;
        if (done % PROGRESS_EVERY != 0)
            continue;
        if (o->progress)
            o->progress(o->progress_ctx, done, total);
        if (o->stop && *o->stop)
            return true;
    }
    return false;
}

/* ---- The replay file ---- */

/* Makes the path of the replay file of a run that stopped in `cycle`. */
static int name_replay(const struct cosim_run *r, uint64_t cycle, char *path, struct error *err) {
    char twin[PATH_SIZE], stem[PATH_SIZE], plant[128] = "";
    if (r->plant.port)
        print_plant(&r->plant, plant, sizeof plant);
    if (twin_name(r->l, twin, err) ||
        path_print(stem, err, "%s-seed%" PRIu64 "-%" PRIu64, twin, r->o->seed, r->o->cycles))
        return -1;
    const struct replay_name name = {
        .block = r->l->type->name, .stem = stem, .what = plant, .cycle = cycle};
    return replay_path(&name, path, err);
}

/* Runs driver and model again from the same seed, and records them up to and including cycle
 * `last`. */
static int record_again(const struct cosim_run *first, uint64_t last, char *path,
                        struct error *err) {
    struct cosim_run r;
    if (name_replay(first, last, path, err))
        return -1;
    run_init(&r, first->o, first->l, &first->plant);
    r.rec = vec_create(path, first->l, err);
    int bad = r.rec ? 0 : -1;
    while (!bad && r.cycle <= last) {
        run_eval(&r);
        run_tick(&r);
    }
    if (!bad) {
        bad = vec_finish(r.rec, err);
        r.rec = NULL;
    }
    run_free(&r);
    return bad;
}

/* Makes the replay file of a run that stopped in cycle r->cycle, either from its recording or with
 * a second run. */
static int finish_replay(struct cosim_run *r, char *path, struct error *err) {
    if (!r->rec)
        return record_again(r, r->cycle, path, err);
    struct vec_writer *rec = r->rec;
    r->rec = NULL;
    return vec_finish(rec, err) || path_print(path, err, "%s", r->o->record);
}

/* ---- The sweep ---- */

/* Runs with consecutive seeds, one after the other. Each has its own model and driver, its own
 * power-up state of the RTL, and begins with a reset. */
struct sweep {
    const struct cosim_opts *o;
    const struct layout *l;
    struct twin_lib lib;
    unsigned n;            /* number of runs */
    unsigned begun;        /* number of runs that have begun */
    struct cosim_run *run; /* owned; n runs */
};

/* Returns the number of cycles of run i. The first run gets half of the cycles, since some events,
 * such as the saturation of a wide counter, need a long run. The others get equal parts. */
static uint64_t cycles_of(const struct sweep *s, unsigned i) {
    const uint64_t total = s->o->cycles, rest = total / 2;
    if (s->n == 1)
        return total;
    return i ? rest / (s->n - 1) + (i <= rest % (s->n - 1)) : total - rest;
}

static struct cosim_run *last_run(struct sweep *s) {
    return &s->run[s->begun - 1];
}

/* Creates the next run. */
static void next_run(struct sweep *s, const struct plant *plant) {
    const unsigned i = s->begun++;
    struct cosim_run *r = &s->run[i], *before = i ? r - 1 : NULL;
    struct cosim_opts o = *s->o;
    const uint64_t at = before ? before->before + before->cycle : 0;
    struct plant here = *plant;
    o.seed += i;
    o.cycles = cycles_of(s, i);
    if (here.cycle < at || here.cycle - at >= o.cycles)
        here.port = NULL;
    here.cycle -= at;
    run_init(r, &o, s->l, &here);
    r->before = at;
    if (!before)
        return;
    r->rec = before->rec; /* the recording continues */
    before->rec = NULL;
    if (r->rec)
        vec_restart(r->rec);
}

static void sweep_free(struct sweep *s) {
    for (unsigned i = 0; i < s->begun; i++)
        run_free(&s->run[i]);
    free(s->run);
    twin_unload(&s->lib);
}

/* ---- The verdict ---- */

/* True if coverage floors apply. They apply if the sweep has FLOORS_FROM cycles and the driver has
 * set a floor. The driver sets all floors to 0 in a run that is too short for the parameters. */
static bool floors_hold(const struct cover_point *points, size_t n, uint64_t cycles) {
    bool any = false;
    for (size_t i = 0; i < n; i++)
        any = any || points[i].floor > 0;
    return any && cycles >= FLOORS_FROM;
}

/* The coverage of a sweep. */
struct coverage {
    struct cover_point *points; /* owned */
    size_t n;
    size_t left_out; /* number of points without hits that need not occur at these parameters */
};

static void print_coverage(const struct coverage *c, bool floors, FILE *out) {
    const struct cover_point *points = c->points;
    const size_t n = c->n;
    int width = 5;
    for (size_t i = 0; i < n; i++)
        if ((int)strlen(points[i].name) > width)
            width = (int)strlen(points[i].name);
    fprintf(out, "coverage:\n  %-*s %12s %10s\n", width, "point", "hits", "floor");
    for (size_t i = 0; i < n; i++) {
        char floor[32] = "-";
        if (points[i].floor)
            snprintf(floor, sizeof floor, "%" PRIu64, points[i].floor);
        fprintf(out, "  %-*s %12" PRIu64 " %10s%s\n", width, points[i].name, points[i].hits, floor,
                floors && points[i].hits < points[i].floor ? "  UNDER ITS FLOOR" : "");
    }
    if (c->left_out)
        fprintf(out,
                "not shown: %zu point%s without hits that cannot occur, or are too rare for a "
                "floor, with these parameters\n",
                c->left_out, message_plural(c->left_out));
}

/* Creates the driver of a single run of this length, and sets *points to its *n points. The caller
 * destroys the driver, which owns the points. */
static void *single_run(const struct sweep *s, uint64_t cycles, const struct cover_point **points,
                        size_t *n) {
    const struct cosim_driver *calls = s->run[0].calls;
    void *driver = calls->create(s->o->type, &s->o->params, s->o->seed, cycles);
    *points = NULL;
    *n = calls->coverage(driver, points);
    return driver;
}

/* Sets the floors to those of a single run of this length. */
static void set_floors(const struct sweep *s, uint64_t cycles, struct coverage *c) {
    const struct cover_point *points;
    size_t same;
    void *driver = single_run(s, cycles, &points, &same);
    for (size_t p = 0; p < c->n && p < same; p++)
        c->points[p].floor = points[p].floor;
    s->run[0].calls->destroy(driver);
}

/* True if floors apply to a single run of this length. */
static bool floors_hold_in(const struct sweep *s, uint64_t cycles) {
    const struct cover_point *points;
    size_t n;
    void *driver = single_run(s, cycles, &points, &n);
    const bool hold = floors_hold(points, n, cycles);
    s->run[0].calls->destroy(driver);
    return hold;
}

/* Returns the minimum length of a run with floors, or 0 if no run has any. */
static uint64_t floors_from(const struct sweep *s) {
    uint64_t below = FLOORS_FROM - 1, n = ANY_LENGTH;
    if (!floors_hold_in(s, n))
        return 0;
    while (n - below > 1) {
        const uint64_t middle = below + (n - below) / 2;
        *(floors_hold_in(s, middle) ? &n : &below) = middle;
    }
    return n;
}

static void print_too_few(const struct sweep *s, FILE *out) {
    const uint64_t from = floors_from(s);
    fprintf(out, "%" PRIu64 " cycle%s too few for coverage floors at this point", s->o->cycles,
            s->o->cycles == 1 ? " is" : "s are");
    if (from)
        fprintf(out, "; %" PRIu64 " are enough", from);
    fprintf(out, "\n");
}

/* Removes the points without hits that have no floor, however long a run is. */
static void leave_out(const struct sweep *s, struct coverage *c) {
    size_t kept = 0;
    set_floors(s, ANY_LENGTH, c);
    bool *possible = alloc_zeroed(c->n + 1, sizeof *possible);
    for (size_t p = 0; p < c->n; p++)
        possible[p] = c->points[p].floor > 0;
    set_floors(s, s->o->cycles, c);
    for (size_t p = 0; p < c->n; p++)
        if (possible[p] || c->points[p].hits || c->points[p].floor)
            c->points[kept++] = c->points[p];
    c->left_out = c->n - kept;
    c->n = kept;
    free(possible);
}

/* Adds up the coverage of all runs. The names are those of the first run's driver. The floors are
 * those of a single run that is as long as the sweep. The caller frees the points. */
static struct coverage sum_coverage(const struct sweep *s) {
    const struct cosim_run *first = &s->run[0];
    const struct cover_point *points = NULL;
    struct coverage c = {.n = first->calls->coverage(first->driver, &points)};
    c.points = alloc_zeroed(c.n + 1, sizeof *c.points);
    memcpy(c.points, points, c.n * sizeof *c.points);
    for (unsigned i = 1; i < s->begun; i++) {
        const size_t same = first->calls->coverage(s->run[i].driver, &points);
        for (size_t p = 0; p < c.n && p < same; p++)
            c.points[p].hits += points[p].hits;
    }
    leave_out(s, &c);
    return c;
}

/* Returns the number of cycles, and in *compared that of compared cycles, of all runs. */
static uint64_t count_cycles(const struct sweep *s, uint64_t *compared) {
    uint64_t cycles = 0;
    *compared = 0;
    for (unsigned i = 0; i < s->begun; i++) {
        const uint64_t n = s->run[i].cycle;
        cycles += n;
        *compared += s->run[0].lane && n ? n - 1 : 0;
    }
    return cycles;
}

/* Passes the result to the caller, with the counts of the runs. */
static void pass_result(const struct sweep *s, struct cosim_result result) {
    if (!s->o->report)
        return;
    result.cycles = count_cycles(s, &result.compared);
    result.params = s->l->params_text;
    result.seed = s->run[result.what ? s->begun - 1 : 0].o->seed;
    result.seeds = result.what ? 1 : s->begun;
    s->o->report(s->o->report_ctx, &result);
}

static void print_cycles(const struct sweep *s, FILE *out) {
    uint64_t compared, evaluated = 0;
    const uint64_t cycles = count_cycles(s, &compared);
    const bool twin = s->run[0].lane;
    for (unsigned i = 0; twin && i < s->begun; i++)
        evaluated += lane_evaluated(s->run[i].lane);
    fprintf(out, "cycles run %" PRIu64 ", compared %" PRIu64, cycles, compared);
    if (twin)
        fprintf(out, ", evaluated in the RTL %" PRIu64, evaluated);
    fprintf(out, "\n");
}

/* Prints the verdict of a good run, and what it does not cover. */
static void print_pass(bool twin, bool floors, FILE *out) {
    const char *const limits[] = {"", " (model alone)", " (coverage floors not applied)",
                                  " (model alone, coverage floors not applied)"};
    fprintf(out, "verdict: PASS%s\n", limits[!twin + 2 * !floors]);
}

/* Prints the points without hits that have a floor in longer runs only. */
static void print_unmet(const struct coverage *c, FILE *out) {
    size_t unmet = 0;
    for (size_t i = 0; i < c->n; i++)
        unmet += !c->points[i].hits && !c->points[i].floor;
    if (!unmet)
        return;
    fprintf(out, "not met, and without a floor in a run of this length: ");
    for (size_t i = 0; i < c->n; i++)
        if (!c->points[i].hits && !c->points[i].floor)
            fprintf(out, "%s%s", c->points[i].name, --unmet ? "; " : "\n");
}

static int judge_coverage(struct sweep *s, FILE *out) {
    size_t under = 0;
    const struct coverage c = sum_coverage(s);
    const struct cover_point *points = c.points;
    const size_t n = c.n;
    const bool floors = floors_hold(points, n, s->o->cycles);
    print_coverage(&c, floors, out);
    if (!floors)
        print_too_few(s, out);
    for (size_t i = 0; floors && i < n; i++)
        under += points[i].hits < points[i].floor;
    if (floors)
        print_unmet(&c, out);
    print_cycles(s, out);
    if (under == 0) {
        print_pass(s->run[0].lane, floors, out);
    } else {
        fprintf(out, "verdict: COVERAGE: %zu point%s floor:", under,
                under == 1 ? " under its" : "s under their");
        for (size_t i = 0; i < n; i++)
            if (points[i].hits < points[i].floor)
                fprintf(out, " %s", points[i].name);
        fprintf(out, "\n");
    }
    pass_result(
        s, (struct cosim_result){
               .verdict = under ? "COVERAGE" : "PASS", .points = points, .n = n, .floors = floors});
    free(c.points);
    return under ? COSIM_INTERNAL : COSIM_GOOD;
}

/* Prints the options that repeat a run of the sweep alone. */
static void print_alone(const struct cosim_run *r, FILE *out) {
    char plant[128];
    fprintf(out, "this run alone: --seed %" PRIu64 " --cycles %" PRIu64, r->o->seed, r->o->cycles);
    if (r->plant.port) {
        print_plant(&r->plant, plant, sizeof plant);
        char *word = shell_word(plant);
        fprintf(out, " --plant %s", word);
        free(word);
    }
    fprintf(out, "\n");
}

/* Reports the mismatch or the broken rule at which the last run stopped. In a sweep, it names the
 * seed and the options that repeat that run alone. */
static int report_stop(struct sweep *s, FILE *out) {
    struct cosim_run *r = last_run(s);
    char path[PATH_SIZE], seed[32] = "";
    struct error err;
    if (finish_replay(r, path, &err)) {
        error_print(COSIM_BAD_INPUT, "memtwin cosim", "no replay file: %s", err.text);
        path[0] = '\0';
    }
    if (s->n > 1)
        snprintf(seed, sizeof seed, "seed %" PRIu64 ", ", r->o->seed);
    struct mismatch m;
    if (r->differing) {
        lane_report(r->lane, r->l->type->name, r->shown, &m);
        harness_print_mismatch(&m, path[0] ? path : NULL, out);
    } else if (path[0]) {
        mismatch_print_command(path, out);
    }
    if (s->n > 1)
        print_alone(r, out);
    pass_result(s, (struct cosim_result){.verdict = r->differing ? "MISMATCH" : "RULE BROKEN",
                                         .at = r->cycle,
                                         .what = r->differing ? m.port : r->rule,
                                         .expected = r->differing ? m.model : NULL,
                                         .got = r->differing ? m.rtl : NULL});
    if (!r->differing) {
        fprintf(out, "verdict: RULE BROKEN: %scycle %" PRIu64 ": %s\n", seed, r->cycle, r->rule);
        return COSIM_INTERNAL;
    }
    fprintf(out, "verdict: MISMATCH: %scycle %" PRIu64 ", port %s, %u port%s\n", seed, r->cycle,
            m.port, r->differing, r->differing == 1 ? " differs" : "s differ");
    return COSIM_DIFFERENT;
}

/* Completes the recording with the cycles so far. Returns true if writing failed. */
static bool finish_recording(struct cosim_run *r) {
    struct error err;
    struct vec_writer *rec = r->rec;
    r->rec = NULL;
    if (!rec || vec_finish(rec, &err) == 0)
        return false;
    error_print(COSIM_BAD_INPUT, "memtwin cosim", "cannot write %s", err.text);
    return true;
}

/* Prints why the fault could not be planted. Returns the exit code. */
static int refuse_plant(const struct cosim_run *r) {
    if (r->cycle)
        return error_print(COSIM_BAD_INPUT, "memtwin cosim",
                           "plant '%s': the port is not valid in that cycle; use another cycle",
                           r->o->plant);
    return error_print(COSIM_BAD_INPUT, "memtwin cosim",
                       "plant '%s': this is cycle 0 of seed %" PRIu64
                       ", in which nothing is compared; use another cycle",
                       r->o->plant, r->o->seed);
}

static int finish_sweep(struct sweep *s, bool interrupted, FILE *out) {
    struct cosim_run *r = last_run(s);
    if (interrupted) {
        const bool files = s->o->record || s->o->report;
        const uint64_t done = r->before + r->cycle;
        return error_print(COSIM_BAD_INPUT, "memtwin cosim",
                           "interrupted after %" PRIu64 " cycle%s%s", done, message_plural(done),
                           files ? "; no output file is written" : "");
    }
    if (r->plant.idle)
        return refuse_plant(r);
    if (r->differing || r->rule)
        return report_stop(s, out);
    bool lost = finish_recording(r);
    int code = judge_coverage(s, out);
    return lost && code == COSIM_GOOD ? COSIM_BAD_INPUT : code;
}

/* ---- Setting up ---- */

/* Starts the recorder, if there is one, and loads the twin. An unwritable recording is refused
 * before the twin is built. */
static int start_sweep(struct sweep *s, FILE *out, struct error *err) {
    const struct cosim_opts *o = s->o;
    struct cosim_run *r = &s->run[0];
    if (o->record) {
        r->rec = vec_create(o->record, s->l, err);
        if (!r->rec)
            return -1;
    }
    fprintf(out, "cosim %s %s: %" PRIu64 " cycle%s, seed", s->l->type->name, s->l->params_text,
            o->cycles, message_plural(o->cycles));
    if (s->n > 1)
        fprintf(out, "s %" PRIu64 " to %" PRIu64 "\n", o->seed, o->seed + s->n - 1);
    else
        fprintf(out, " %" PRIu64 "\n", o->seed);
    if (o->model_only)
        return 0;
    if (!block_find(s->l->type->name) && ports_check(s->l->type, &o->params, err))
        return -1; /* before the compiler meets the ports; twin_load() checks MemTwin's own blocks
                    */
    return twin_load(&s->lib, s->l, twin_kind_for(o->cycles), err);
}

/* Powers up the RTL of a run. */
static int start_twin(const struct sweep *s, struct cosim_run *r, struct error *err) {
    if (s->o->model_only)
        return 0;
    if (lane_init(&r->lane_space, s->l, s->lib.table, r->o->seed, err))
        return -1;
    r->lane = &r->lane_space;
    return 0;
}

/* Runs one seed after the other, up to the first that stops. Returns the exit code. */
static int run_sweep(struct sweep *s, const struct plant *plant, FILE *out) {
    struct error err = {0};
    bool interrupted = false;
    next_run(s, plant);
    if (start_sweep(s, out, &err))
        return error_print(COSIM_BAD_INPUT, "memtwin cosim", "%s", err.text);
    for (;;) {
        struct cosim_run *r = last_run(s);
        if (start_twin(s, r, &err))
            return error_print(COSIM_BAD_INPUT, "memtwin cosim", "%s", err.text);
        interrupted = run_cycles(r, s->o->cycles);
        if (interrupted || has_stopped(r) || s->begun == s->n)
            return finish_sweep(s, interrupted, out);
        next_run(s, plant);
    }
}

static int run_with(const struct cosim_opts *o, const struct layout *l, const struct plant *plant,
                    FILE *out) {
    struct sweep *s = alloc_zeroed(1, sizeof *s);
    s->o = o;
    s->l = l;
    s->n = o->seeds > 1 && o->cycles >= FLOORS_FROM ? o->seeds : 1;
    s->run = alloc_zeroed(s->n, sizeof *s->run);
    const int code = run_sweep(s, plant, out);
    sweep_free(s);
    free(s);
    return code;
}

static int read_plant(const struct cosim_opts *o, const struct layout *l, struct plant *plant,
                      struct error *err) {
    if (!o->plant)
        return 0;
    if (o->model_only)
        return error_set(err, "--plant requires a twin to find the fault");
    if (parse_plant(o->plant, l, plant, err))
        return -1;
    if (plant->cycle >= o->cycles)
        return error_set(err, "plant '%s': the run has only %" PRIu64 " cycle%s", o->plant,
                         o->cycles, message_plural(o->cycles));
    return 0;
}

int cosim_run(const struct cosim_opts *o, FILE *out) {
    struct error err;
    struct layout l;
    struct plant plant = {0};
    if (!driver_of(o))
        return error_print(COSIM_BAD_INPUT, "memtwin cosim", "%s has no driver", o->type->name);
    if (block_params_check(o->type, &o->params, &err) || layout_init(&l, o->type, &o->params, &err))
        return error_print(COSIM_BAD_INPUT, "memtwin cosim", "%s", err.text);
    const int code = read_plant(o, &l, &plant, &err)
                         ? error_print(COSIM_BAD_INPUT, "memtwin cosim", "%s", err.text)
                         : run_with(o, &l, &plant, out);
    layout_free(&l);
    return code;
}
