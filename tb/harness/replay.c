// SPDX-License-Identifier: Apache-2.0
/* Runs a vector file again, through the Verilated RTL, the RTL in Icarus, or the C model. */
#include "harness/harness.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "harness/bench.h"
#include "harness/lane.h"
#include "os/new_file.h"
#include "harness/vectors.h"
#include "harness/view.h"
#include "lib/alloc.h"
#include "lib/message.h"
#include "lib/print.h"
#include "lib/shell.h"

enum { REPLAY_GOOD = 0, REPLAY_BAD_INPUT = 1, REPLAY_INTERNAL = 2, REPLAY_DIFFERENT = 3 };

struct replay {
    struct vec_reader *r;
    const struct layout *l;
    const char *path;
    enum replay_ports ports;
    struct replay_window window;
    FILE *out;
    void *in, *want;
    bool *compare;
    bool differs; /* true if outputs differ in cycle `differs_in` */
    uint64_t differs_in;
};

/* The last received signal, which the signal handler sets. */
static volatile sig_atomic_t interrupted;
static const int stopping[] = {SIGINT, SIGTERM, SIGHUP};
#define N_STOPPING (sizeof stopping / sizeof *stopping)

static void on_interrupt(int signal) {
    interrupted = signal;
}

/* Installs the signal handlers. Signals that the caller ignores stay ignored. */
static void watch_signals(struct sigaction before[]) {
    struct sigaction watch = {.sa_handler = on_interrupt};
    interrupted = 0;
    for (size_t i = 0; i < N_STOPPING; i++) {
        sigaction(stopping[i], &watch, &before[i]);
        if (before[i].sa_handler == SIG_IGN)
            sigaction(stopping[i], &before[i], NULL);
    }
}

/* Restores the caller's handlers after the cleanup, and raises a received signal again. */
static void unwatch_signals(const struct sigaction before[]) {
    for (size_t i = 0; i < N_STOPPING; i++)
        sigaction(stopping[i], &before[i], NULL);
    if (interrupted)
        raise(interrupted);
}

static const char *const engine_names[] = {
    [REPLAY_TWIN] = "twin", [REPLAY_ICARUS] = "icarus", [REPLAY_MODEL] = "model"};

static int fail_replay(int code, const char *err) {
    return error_print(code, "memtwin replay", "%s", err);
}

static bool left_out(const struct replay *rp, unsigned port) {
    return rp->ports == REPLAY_NO_OBSERVED && rp->l->out[port].desc->dir == PORT_OBS;
}

/* Prints the ports that are not compared, as part of the verdict: " without st_state, ...". */
static void print_left_out(const struct replay *rp) {
    const char *sep = " without ";
    for (unsigned i = 0; i < rp->l->n_out; i++) {
        if (!left_out(rp, i))
            continue;
        fprintf(rp->out, "%s%s", sep, rp->l->out[i].desc->name);
        sep = ", ";
    }
}

static int run_pass(const struct replay *rp, enum replay_engine engine, uint64_t cycles) {
    fprintf(rp->out, "replay %s by %s: %" PRIu64 " cycle%s\nverdict: PASS", rp->l->type->name,
            engine_names[engine], cycles, message_plural(cycles));
    print_left_out(rp);
    fprintf(rp->out, "\n");
    return REPLAY_GOOD;
}

static int different(struct replay *rp, enum replay_engine engine, const struct mismatch *m,
                     bool wave) {
    rp->differs = true;
    rp->differs_in = m->cycle;
    mismatch_print(m, "recorded", engine == REPLAY_MODEL ? "model" : "rtl", rp->out);
    if (engine == REPLAY_TWIN && !wave)
        mismatch_print_command(rp->path, rp->out);
    fprintf(rp->out, "verdict: MISMATCH: cycle %" PRIu64 ", port %s\n", m->cycle, m->port);
    return REPLAY_DIFFERENT;
}

/* Writes the view of a finished wave, and prints both names. Returns `code`, or that of an
 * error. */
static int show_wave(const struct replay *rp, enum replay_engine engine, const char *wave,
                     int code) {
    const bool icarus = engine == REPLAY_ICARUS;
    const struct wave_view view = {.wave = wave,
                                   .l = rp->l,
                                   .top = icarus ? "memtwin_bench" : "TOP",
                                   .dut = icarus ? ".dut" : "",
                                   .observed = rp->ports == REPLAY_ALL,
                                   .from = icarus ? 0 : rp->window.from,
                                   .different = rp->differs,
                                   .cycle = rp->differs_in};
    char path[PATH_SIZE], other[PATH_SIZE];
    struct error err;
    bool kept = false;
    fprintf(rp->out, "waves: %s\n", wave);
    if (is_fifo(wave))
        return code;
    if (view_write(&view, path, &kept, other, &err))
        return fail_replay(REPLAY_BAD_INPUT, err.text);
    char *word = shell_word(path);
    fprintf(rp->out, "view: gtkwave %s%s", word, kept ? " (not replaced: it was edited)" : "");
    free(word);
    word = shell_word(other);
    if (*other)
        fprintf(rp->out, " (replaces the view of %s)", word);
    fputc('\n', rp->out);
    free(word);
    return code;
}

/* ---- Model and twin, cycle by cycle ---- */

/* Starts the wave. Returns 0 or an errno. */
static int open_wave(const struct lane *lane, const char *file) {
    return lane->table->wave_open(lane->twin, file) ? errno : 0;
}

/* Replays through a lane. `model` is a C model that sets lane->other, or NULL if the lane has a
 * twin. `wave` is the file of the wave, or NULL. */
static int replay_lane(struct replay *rp, enum replay_engine engine, struct lane *lane, void *model,
                       const char *wave) {
    const struct block_type *type = rp->l->type;
    struct error err;
    int more = 0;
    while (lane->cycle <= rp->window.to &&
           (more = vec_read(rp->r, rp->in, rp->want, rp->compare, &err)) > 0) {
        if (interrupted)
            return fail_replay(REPLAY_BAD_INPUT, "interrupted");
        if (wave && lane->cycle && lane->cycle == rp->window.from && open_wave(lane, wave))
            return fail_replay(REPLAY_BAD_INPUT, "the wave cannot be written");
        for (unsigned i = 0; i < rp->l->n_out; i++)
            rp->compare[i] &= !left_out(rp, i);
        if (model) {
            type->eval(model, rp->in, lane->other);
            type->observe(model, rp->in, lane->other);
        }
        const bool mismatch = lane_eval(lane, rp->in, rp->want, rp->want, rp->compare) > 0;
        if (wave)
            lane->table->wave_expect(lane->twin, rp->want, mismatch);
        if (mismatch) {
            struct mismatch m;
            lane_report(lane, type->name, rp->want, &m);
            return different(rp, engine, &m, wave != NULL);
        }
        if (model)
            type->tick(model, rp->in);
        lane_tick(lane);
    }
    if (more >= 0 && rp->window.from && lane->cycle <= rp->window.from) {
        error_set(&err,
                  "--cycles %" PRIu64 ":%" PRIu64 ": the recording has %" PRIu64
                  " cycle%s; FROM must be below %" PRIu64,
                  rp->window.from, rp->window.to, lane->cycle, message_plural(lane->cycle),
                  lane->cycle);
        more = -1;
    }
    return more < 0 ? fail_replay(REPLAY_BAD_INPUT, err.text) : run_pass(rp, engine, lane->cycle);
}

static int replay_model(struct replay *rp) {
    struct error err;
    struct lane lane;
    void *model = rp->l->type->create(&rp->l->params);
    int code = REPLAY_INTERNAL;
    if (lane_init(&lane, rp->l, NULL, 0, &err)) {
        fail_replay(code, err.text);
    } else {
        code = replay_lane(rp, REPLAY_MODEL, &lane, model, NULL);
        lane_free(&lane);
    }
    rp->l->type->destroy(model);
    return code;
}

static int waved_to(struct replay *rp, struct lane *lane, const char *wave, const char *file) {
    struct error err;
    int bad = rp->window.from == 0 ? open_wave(lane, file) : 0;
    int code = bad ? REPLAY_GOOD : replay_lane(rp, REPLAY_TWIN, lane, NULL, file);
    if (!bad)
        bad = lane->table->wave_close(lane->twin);
    if (!bad || code == REPLAY_BAD_INPUT)
        return code;
    error_set(&err, "%s: %s", wave, strerror(bad));
    return fail_replay(REPLAY_BAD_INPUT, err.text);
}

/* Replays while writing a wave, which is kept after a mismatch and dropped after Ctrl-C. */
static int replay_waved(struct replay *rp, struct lane *lane, const char *wave) {
    struct error err;
    struct new_file nf;
    if (is_fifo(wave))
        return waved_to(rp, lane, wave, wave);
    if (new_file_open_named(&nf, wave, &err))
        return fail_replay(REPLAY_BAD_INPUT, err.text);
    int code = waved_to(rp, lane, wave, nf.temp);
    if (code == REPLAY_BAD_INPUT) {
        new_file_drop(&nf);
        return code;
    }
    if (new_file_commit(&nf, &err))
        return fail_replay(REPLAY_BAD_INPUT, err.text);
    return show_wave(rp, REPLAY_TWIN, wave, code);
}

static int replay_twin(struct replay *rp, const char *wave) {
    struct error err;
    struct twin_lib lib;
    struct lane lane;
    enum twin_kind kind = !wave ? TWIN_BRIEF : is_fst(wave) ? TWIN_FST : TWIN_WAVE;
    int bad = rp->ports == REPLAY_ALL ? twin_load(&lib, rp->l, kind, &err)
                                      : twin_load_bare(&lib, rp->l, kind, &err);
    if (bad)
        return fail_replay(REPLAY_BAD_INPUT, err.text);
    int code = REPLAY_INTERNAL;
    if (lane_init(&lane, rp->l, lib.table, 1, &err)) {
        fail_replay(code, err.text);
    } else {
        code =
            wave ? replay_waved(rp, &lane, wave) : replay_lane(rp, REPLAY_TWIN, &lane, NULL, NULL);
        lane_free(&lane);
    }
    twin_unload(&lib);
    return code;
}

/* ---- Icarus, in a separate process ---- */

/* Reads the file again to find the inputs of the cycles before the difference. */
static void last_inputs(struct replay *rp, uint64_t cycle, struct mismatch *m) {
    struct error err;
    struct lane lane;
    struct vec_reader *r = vec_open(rp->path, &err);
    if (!r)
        return;
    if (lane_init(&lane, rp->l, NULL, 0, &err) == 0) {
        while (lane.cycle <= cycle && vec_read(r, rp->in, rp->want, rp->compare, &err) > 0) {
            lane_remember(&lane, rp->in);
            lane_tick(&lane);
        }
        lane_describe(&lane, rp->l->type->name, cycle, m);
        lane_free(&lane);
    }
    vec_close(r);
}

static int replay_icarus(struct replay *rp, const char *wave) {
    struct bench_result result;
    struct mismatch m;
    bool bad_input;
    struct error err;
    if (bench_run(rp->r, rp->ports == REPLAY_ALL, wave, &interrupted, &result, &bad_input, &err))
        return fail_replay(bad_input ? REPLAY_BAD_INPUT : REPLAY_INTERNAL, err.text);
    if (result.passed)
        return run_pass(rp, REPLAY_ICARUS, result.cycles);
    memset(&m, 0, sizeof m);
    last_inputs(rp, result.cycle, &m);
    snprintf(m.port, sizeof m.port, "%s", result.port);
    snprintf(m.model, sizeof m.model, "%s", result.want);
    snprintf(m.rtl, sizeof m.rtl, "%s", result.got);
    return different(rp, REPLAY_ICARUS, &m, wave != NULL);
}

/* ---- The file ---- */

/* Checks the path of the wave file before anything is built or run. */
static int check_wave(const char *vectors, const char *wave, struct error *err) {
    char target[PATH_SIZE];
    struct stat from, to;
    if (is_fifo(wave)) {
        if (!is_fst(wave))
            return 0;
        return error_set(err, "%s: FST cannot go into a FIFO, VCD can", wave);
    }
    if (new_file_target(wave, target, err))
        return -1;
    if (stat(vectors, &from) == 0 && stat(target, &to) == 0 && from.st_dev == to.st_dev &&
        from.st_ino == to.st_ino)
        return error_set(err, "%s: the wave would replace the vector file", wave);
    if (!is_fst(wave) && !is_vcd(wave))
        return error_set(err, "%s: the name of a wave file must end in .vcd or .fst", wave);
    return 0;
}

static int replay_by(struct replay *rp, enum replay_engine engine, const char *wave) {
    if (engine == REPLAY_MODEL)
        return wave ? fail_replay(REPLAY_BAD_INPUT,
                                  "the C model has no waves: use --engine twin or icarus")
                    : replay_model(rp);
    struct error err;
    if (wave && check_wave(rp->path, wave, &err))
        return fail_replay(REPLAY_BAD_INPUT, err.text);
    if (engine == REPLAY_TWIN)
        return replay_twin(rp, wave);
    const int code = replay_icarus(rp, wave);
    const bool ran = code == REPLAY_GOOD || code == REPLAY_DIFFERENT;
    return wave && ran ? show_wave(rp, engine, wave, code) : code;
}

int replay_run(const char *vectors, enum replay_engine engine, enum replay_ports ports,
               const char *wave, FILE *out) {
    const struct replay_window all = {0, UINT64_MAX};
    return replay_window_run(vectors, engine, ports, wave, &all, out);
}

int replay_window_run(const char *vectors, enum replay_engine engine, enum replay_ports ports,
                      const char *wave, const struct replay_window *window, FILE *out) {
    struct error err;
    struct replay rp = {.path = vectors, .ports = ports, .window = *window, .out = out};
    rp.r = vec_open(vectors, &err);
    if (!rp.r)
        return fail_replay(REPLAY_BAD_INPUT, err.text);
    rp.l = vec_layout(rp.r);
    rp.in = alloc_zeroed(1, rp.l->type->in_size);
    rp.want = alloc_zeroed(1, rp.l->type->out_size);
    rp.compare = alloc_zeroed(rp.l->n_out + 4, sizeof *rp.compare);
    struct sigaction before[N_STOPPING];
    watch_signals(before);
    int code = replay_by(&rp, engine, wave);
    free(rp.in);
    free(rp.want);
    free(rp.compare);
    vec_close(rp.r);
    unwatch_signals(before);
    return code;
}
