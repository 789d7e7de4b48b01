// SPDX-License-Identifier: Apache-2.0
#include "study/work.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "commands.h"
#include "lib/alloc.h"
#include "lib/message.h"
#include "progress.h"

#define LOOK_EVERY 100    /* ms between checks of signals, terminal and time of the last commit */
#define COMMIT_EVERY 0.1  /* s between commits */
#define SIGNAL_DELAY 2000 /* maximum ms between the signals to the processes of a job */
#define GRACE 0.5         /* s between a signal and the kill of a run */
#define LOG_ROOM 65536    /* maximum number of bytes of standard error that are kept */
#define COMPLAINTS 10     /* maximum number of failures reported one by one */

/* Running process. Its output goes to unnamed files. */
struct job {
    pid_t pid; /* 0 if none */
    int process;
    int out, log, reason; /* files in memory: stdout, stderr, reason of a failure */
    struct study_waiting what;
    double began;
};

struct crew {
    const struct study_work *w;
    struct job *job;
    struct pollfd *poll;
    struct study_waiting *waiting;
    size_t n_waiting, next; /* number of waiting runs; index of the first that has not started */
    size_t done, failed, running;
    double uncommitted; /* time of the first uncommitted result; 0 if none */
    struct progress progress;
    volatile bool stop;
    struct error err;
};

static double read_clock(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* ---- Process ---- */

/* Executes the command in the child. The child is killed when its parent ends. The parent passes on
 * the terminal's signals. */
static void exec_child(char **arguments, const struct job *j, pid_t parent) {
    char reason[16];
    static const int ours[] = {SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXFSZ, SIGALRM};
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(EXIT_INTERNAL);
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        signal(ours[i], SIG_DFL);
    int null = open("/dev/null", O_RDONLY);
    if (null < 0 || dup2(null, 0) < 0 || dup2(j->out, 1) < 0 || dup2(j->log, 2) < 0)
        _exit(EXIT_INTERNAL);
    snprintf(reason, sizeof reason, "%d", j->reason);
    if (fcntl(j->reason, F_SETFD, 0) < 0 || setenv(PRINT_REASON, reason, 1))
        _exit(EXIT_INTERNAL);
    arguments[0] = program_invocation_name; /* for commands that the run prints */
    execv("/proc/self/exe", arguments);
    _exit(error_print(EXIT_INTERNAL, "memtwin run", "cannot be started: %s", strerror(errno)));
}

static void close_job(struct job *j) {
    const int files[] = {j->process, j->out, j->log, j->reason};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        if (files[i] >= 0)
            close(files[i]);
    *j = (struct job){.process = -1, .out = -1, .log = -1, .reason = -1};
}

static int start_job(struct job *j, char **arguments) {
    const pid_t parent = getpid();
    j->out = memfd_create("results", MFD_CLOEXEC);
    j->log = memfd_create("log", MFD_CLOEXEC);
    j->reason = memfd_create("reason", MFD_CLOEXEC);
    if (j->out < 0 || j->log < 0 || j->reason < 0)
        return -1;
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0)
        exec_child(arguments, j, parent);
    if (pid < 0)
        return -1;
    j->pid = pid;
    j->began = read_clock();
    j->process = pidfd_open(pid, 0);
    return j->process < 0 ? -1 : 0;
}

/* Reads a file, or its first and last part if it is long, into a text that the caller frees.
 * Returns NULL if it is empty. */
static char *read_back(int fd, size_t most) {
    off_t size = lseek(fd, 0, SEEK_END);
    static const char gap[] = "\n...\n";
    if (size <= 0)
        return NULL;
    size_t n = (size_t)size, half = most / 2;
    char *text = alloc_bytes((n < most ? n : most + sizeof gap) + 1);
    if (n <= most) {
        ssize_t got = pread(fd, text, n, 0);
        text[got > 0 ? got : 0] = '\0';
        return text;
    }
    ssize_t start = pread(fd, text, half, 0);
    char *to = stpcpy(text + (start > 0 ? start : 0), gap);
    ssize_t end = pread(fd, to, half, size - (off_t)half);
    to[end > 0 ? end : 0] = '\0';
    return text;
}

/* ---- Outcome of a process ---- */

/* Writes to buf how the program ended: a mismatch, a signal, the reason that it gave (without the
 * name of the workload), or its exit code. */
static void find_message(const struct job *j, const char *workload, int status, char *buf,
                         size_t size) {
    char *const reason = read_back(j->reason, SIZE_MAX / 2);
    const char *found = reason;
    const char *scheme = strstr(workload, ", "); /* in a task, NAME:SIZE, SCHEME */
    const size_t n = scheme ? (size_t)(scheme - workload) : strlen(workload);
    if (found && strncmp(found, workload, n) == 0 && strncmp(found + n, ": ", 2) == 0)
        found += n + 2;
    if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_MISMATCH)
        snprintf(buf, size, "a twin differed from its model");
    else if (WIFSIGNALED(status))
        snprintf(buf, size, "ended by signal %d (%s)", WTERMSIG(status),
                 strsignal(WTERMSIG(status)));
    else if (found)
        message_print(buf, size, "%s", found);
    else
        snprintf(buf, size, "exit code %d", WEXITSTATUS(status));
    free(reason);
}

static double seconds_of(struct timeval t) {
    return (double)t.tv_sec + 1e-6 * (double)t.tv_usec;
}

static void complain(struct crew *c, const struct job *j, const struct study_result *x) {
    const struct study_runs *r = c->w->runs;
    const char *scheme = runs_scheme(r, j->what.run);
    progress_end(&c->progress);
    warning_print(c->w->command, "run %zu failed (%d): %s%s%s: %s", j->what.run, x->exit_code,
                  runs_workload(r, j->what.run)->label, *scheme ? ", " : "", scheme, x->message);
}

/* Judges the end of a run, and checks that the output belongs to it. Writes the reason for a
 * failure to `message`. */
static void judge_job(const struct crew *c, const struct job *j, int status, struct study_result *x,
                      char *message, size_t size) {
    const char *identity = c->w->runs->identity[j->what.run];
    const bool any = x->json, is_complete = any && db_is_of(c->w->db, x->json, identity);
    find_message(j, runs_workload(c->w->runs, j->what.run)->name, status, message, size);
    if (!is_complete)
        x->json = NULL;
    if (!is_complete && x->exit_code == EXIT_GOOD) {
        x->exit_code = any ? EXIT_USAGE : EXIT_INTERNAL;
        snprintf(message, size, "%s",
                 any ? "its configuration or trace has changed since the study was read"
                     : "the run wrote no results");
    }
    x->good = x->exit_code == EXIT_GOOD;
    x->message = x->good ? NULL : message;
    x->log = x->good ? NULL : x->log;
}

/* Stores the results of an ended run, or the reason why there are none. */
static int take_result(struct crew *c, const struct job *j, int status, const struct rusage *used) {
    char *json = read_back(j->out, SIZE_MAX / 2), *log = read_back(j->log, LOG_ROOM);
    char message[1024];
    struct study_result x = {.exit_code = WIFSIGNALED(status) ? EXIT_SIGNAL + WTERMSIG(status)
                                                              : WEXITSTATUS(status),
                             .json = json,
                             .log = log,
                             .seconds = read_clock() - j->began,
                             .cpu_seconds = seconds_of(used->ru_utime) + seconds_of(used->ru_stime),
                             .peak_rss_kib = used->ru_maxrss};
    judge_job(c, j, status, &x, message, sizeof message);
    if (x.good)
        c->done++;
    else if (++c->failed <= COMPLAINTS)
        complain(c, j, &x);
    int bad = db_finished(c->w->db, j->what.id, &x, &c->err);
    free(json);
    free(log);
    return bad;
}

/* ---- All processes ---- */

static void note_written(struct crew *c) {
    if (c->uncommitted == 0)
        c->uncommitted = read_clock();
}

static int begin_one(struct crew *c, struct job *j) {
    const struct study_work *w = c->w;
    j->what = c->waiting[c->next];
    char **arguments = runs_arguments(w->runs, j->what.run);
    int bad = start_job(j, arguments), why = errno;
    runs_arguments_free(arguments);
    if (bad)
        return error_set(&c->err, "cannot start a run: %s", strerror(why));
    c->next++;
    c->running++;
    note_written(c);
    return db_started(w->db, j->what.id, j->pid, &c->err);
}

static int begin_all(struct crew *c) {
    for (size_t i = 0; i < c->w->jobs && c->next < c->n_waiting; i++)
        if (!c->job[i].pid && begin_one(c, &c->job[i]))
            return -1;
    return 0;
}

/* Returns true if a process was ended by SIGINT, SIGTERM or SIGHUP. */
static bool was_stopped(int status) {
    const int number = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status) - EXIT_SIGNAL;
    return number == SIGINT || number == SIGTERM || number == SIGHUP;
}

/* Makes a run wait again if the exit status of its process is not available. */
static int lose(struct crew *c, struct job *j) {
    error_set(&c->err, "run %zu, process %d: %s", j->what.run, (int)j->pid, strerror(errno));
    db_stopped(c->w->db, j->what.id, NULL);
    c->running--;
    close_job(j);
    return -1;
}

/* Handles the end of a process. If `stopping` is set, failures are due to the signal from this
 * process. */
static int end_one(struct crew *c, struct job *j, bool stopping) {
    struct rusage used;
    int status, bad;
    if (wait4(j->pid, &status, 0, &used) != j->pid)
        return errno == EINTR ? 0 : lose(c, j);
    note_written(c);
    /* Slurm ends a job with a signal to each of its processes. The signal to this process may
     * arrive later. */
    const bool signaled = !stopping && was_stopped(status);
    for (unsigned ms = 0; signaled && !c->stop && ms < SIGNAL_DELAY; ms += LOOK_EVERY)
        usleep(LOOK_EVERY * 1000);
    stopping |= c->stop;
    if (stopping && status != 0)
        bad = db_stopped(c->w->db, j->what.id, &c->err);
    else
        bad = take_result(c, j, status, &used);
    c->running--;
    close_job(j);
    return bad;
}

/* Waits until a process ends or LOOK_EVERY has passed. */
static int wait_some(struct crew *c, bool stopping) {
    for (size_t i = 0; i < c->w->jobs; i++) /* poll ignores negative descriptors */
        c->poll[i] = (struct pollfd){.fd = c->job[i].process, .events = POLLIN};
    if (poll(c->poll, c->w->jobs, LOOK_EVERY) <= 0)
        return 0;
    for (size_t i = 0; i < c->w->jobs; i++)
        if ((c->poll[i].revents & POLLIN) && end_one(c, &c->job[i], stopping))
            return -1;
    return 0;
}

static void show_progress(struct crew *c) {
    char left[64];
    const size_t ended = c->done + c->failed;
    const double done = (double)ended / (double)c->n_waiting;
    const double seconds = progress_predict(&c->progress, done, 1);
    if (!progress_due(&c->progress))
        return;
    progress_left(done, "runs", seconds, left, sizeof left);
    progress_line(&c->progress, "%s: %s%zu of %zu done, %zu failed, %zu running, %.3g runs/s",
                  c->w->runs->study->name, left, c->done, c->n_waiting, c->failed, c->running,
                  (double)ended / progress_seconds(&c->progress));
}

static int commit(struct crew *c) {
    c->uncommitted = 0;
    return db_commit(c->w->db, &c->err);
}

static int go_on(struct crew *c) {
    while (c->running || c->next < c->n_waiting) {
        if (c->stop)
            return 0;
        if (db_check_place(c->w->db, &c->err) || begin_all(c) || wait_some(c, false))
            return -1;
        if (c->uncommitted > 0 && read_clock() - c->uncommitted >= COMMIT_EVERY && commit(c))
            return -1;
        show_progress(c);
    }
    return commit(c);
}

static void signal_all(const struct crew *c, int number) {
    for (size_t i = 0; i < c->w->jobs; i++)
        if (c->job[i].pid && kill(-c->job[i].pid, number)) /* the process group may not exist yet */
            kill(c->job[i].pid, number);
}

/* Stops all processes, so that their runs wait again. `bad` is true if the database cannot be
 * written. */
static int stop_all(struct crew *c, bool bad) {
    double began = read_clock();
    bool killed = false;
    signal_all(c, SIGTERM);
    while (c->running) {
        if (!killed && read_clock() - began > GRACE) {
            signal_all(c, SIGKILL);
            killed = true;
        }
        bad |= wait_some(c, true) != 0;
    }
    return bad || commit(c) ? -1 : 0;
}

static void say_stopped(const struct crew *c) {
    struct study_count n;
    char cut[STUDY_SHORT];
    if (c->w->quiet || db_count(c->w->db, &n, NULL))
        return;
    db_print_short(&n, cut);
    note_print(c->w->runs->study->name,
               "%zu of %zu run%s done%s, %zu failed; the same command continues the study", n.done,
               n.runs, message_plural(n.runs), cut, n.failed);
}

static int do_all(struct crew *c) {
    int bad = go_on(c);
    const struct error first = c->err;
    if (c->running)
        bad |= stop_all(c, bad != 0);
    progress_end(&c->progress);
    if (bad)
        return error_print(EXIT_USAGE, c->w->command, "%s",
                           first.text[0] ? first.text : c->err.text);
    if (c->stop)
        say_stopped(c);
    return c->stop ? interrupted() : EXIT_GOOD;
}

/* Raises the limit of open files, because this process needs three descriptors for each running
 * process. */
static void allow_files(void) {
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files))
        return;
    files.rlim_cur = files.rlim_max;
    setrlimit(RLIMIT_NOFILE, &files);
}

int work_note_unlisted(const char *command, const struct study_runs *r, struct study_db *db,
                       struct error *err) {
    const struct study *s = r->study;
    size_t n = 0;
    if (db_count_unlisted(db, r, &n, err))
        return -1;
    const char *are = n == 1 ? "is" : "are", *them = n == 1 ? "it" : "them";
    if (n && s->is_part)
        note_print(command, "%zu run%s of %s %s no longer listed; run without -w to list %s", n,
                   message_plural(n), s->name, are, them);
    else if (n)
        note_print(command, "%zu run%s of %s %s no longer listed, because %s does not have %s", n,
                   message_plural(n), s->name, are, s->path, them);
    return 0;
}

int work_do(const struct study_work *w) {
    struct crew c = {.w = w};
    int code = EXIT_INTERNAL;
    allow_files();
    signal(SIGCHLD, SIG_DFL); /* wait4 reports no exit status while SIGCHLD is ignored */
    c.job = alloc_zeroed(w->jobs, sizeof *c.job);
    c.poll = alloc_zeroed(w->jobs, sizeof *c.poll);
    for (size_t i = 0; i < w->jobs; i++)
        c.job[i] = (struct job){.process = -1, .out = -1, .log = -1, .reason = -1};
    if (db_waiting(w->db, &c.waiting, &c.n_waiting, &c.err)) {
        code = error_print(EXIT_USAGE, w->command, "%s", c.err.text);
    } else {
        progress_begin(&c.progress, w->quiet);
        interrupt_catch(&c.stop);
        code = do_all(&c);
        interrupt_catch(NULL);
    }
    for (size_t i = 0; i < w->jobs; i++)
        close_job(&c.job[i]);
    free(c.job);
    free(c.poll);
    free(c.waiting);
    return code;
}
