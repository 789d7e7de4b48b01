// SPDX-License-Identifier: Apache-2.0
#include "study/slurm.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "commands.h"
#include "harness/hash.h"
#include "lib/message.h"
#include "study/task.h"
#include "study/work.h"

/* Seconds that a restarted task waits for a lock left by a lost machine: an NFS server leases locks
 * for 90 s. */
#define TASK_PATIENCE 180
#define TASKS 100 /* default of --tasks */

/* ---- The folder ---- */

struct folder {
    char path[PATH_SIZE], list[PATH_SIZE + 16], script[PATH_SIZE + 16];
    char job[128]; /* name of the job */
};

/* Names the job of a folder: "shape-0123abcd". A folder has one job. */
static int name_job(struct folder *f) {
    char digits[HASH_SIZE];
    struct hash *h = hash_new();
    if (!h)
        return -1;
    hash_add(h, f->path, strlen(f->path));
    hash_digits(h, digits);
    hash_free(h);
    const char *name = strrchr(f->path, '/') + 1;
    snprintf(f->job, sizeof f->job, "%.*s-%.8s", (int)strcspn(name, "."), name, digits);
    for (char *c = f->job; *c; c++)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-", *c))
            *c = '_';
    return 0;
}

static int name_files(struct folder *f, char *err, size_t err_size) {
    snprintf(f->list, sizeof f->list, "%s/runs.db", f->path);
    snprintf(f->script, sizeof f->script, "%s/script", f->path);
    return name_job(f) ? (snprintf(err, err_size, "out of memory"), -1) : 0;
}

/* Finds the folder of a database by a path that is valid on every machine. */
static int find_folder(struct folder *f, const char *db, char *err, size_t err_size) {
    char dir[PATH_SIZE], real[PATH_SIZE];
    const char *slash = strrchr(db, '/'), *name = slash ? slash + 1 : db;
    const size_t n = strlen(name), end = n > 3 && strcmp(name + n - 3, ".db") == 0 ? 3 : 0;
    if (path_print(dir, err, err_size, "%.*s", slash ? (int)(slash - db) + 1 : 1, slash ? db : "."))
        return -1;
    if (!realpath(dir, real)) {
        message_print(err, err_size, "%s: %s", db, strerror(errno));
        return -1;
    }
    return path_print(f->path, err, err_size, "%s/%.*s.tasks", real, (int)(n - end), name) ||
                   name_files(f, err, err_size)
               ? -1
               : 0;
}

static int is_of_task(const struct dirent *e) {
    return e->d_name[0] >= '0' && e->d_name[0] <= '9';
}

/* Calls fn for each task file with the ending (NULL: any) in the order of task numbers, until fn
 * ends it. 0, or -1 with one line in err. */
static int each_file(const struct folder *f, const char *ending,
                     int (*fn)(void *ctx, const char *path), void *ctx, char *err,
                     size_t err_size) {
    struct dirent **found;
    int n = scandir(f->path, &found, is_of_task, versionsort), bad = n < 0;
    for (int i = 0; i < n; i++) {
        char path[PATH_SIZE + 300];
        const char *dot = strchr(found[i]->d_name, '.');
        snprintf(path, sizeof path, "%s/%s", f->path, found[i]->d_name);
        if (!bad && (!ending || (dot && strcmp(dot, ending) == 0)))
            bad = fn(ctx, path);
        free(found[i]);
    }
    if (n >= 0)
        free(found);
    if (bad)
        message_print(err, err_size, "%s: %s", f->path, strerror(errno));
    return bad ? -1 : 0;
}

static int remove_file(void *ctx, const char *path) {
    (void)ctx;
    return unlink(path);
}

/* ---- The script ---- */

/* Prints a text in quotes that both the shell and sbatch understand. */
static void print_quoted(FILE *to, const char *text) {
    fputc('\'', to);
    for (; *text; text++)
        if (*text == '\'')
            fputs("'\\''", to);
        else
            fputc(*text, to);
    fputc('\'', to);
}

static size_t count_tasks(const struct study_slurm *s, size_t waiting) {
    const size_t enough = (waiting + s->jobs - 1) / s->jobs, most = s->tasks ? s->tasks : TASKS;
    return enough < most ? enough : most;
}

/* Prints a log name for sbatch, in which % must be escaped. */
static void print_log(FILE *to, const char *folder) {
    char path[2 * PATH_SIZE], *at = path;
    for (; *folder; *at++ = *folder++)
        if (*folder == '%')
            *at++ = '%';
    strcpy(at, "/%a.log");
    fputs("#SBATCH --output=", to);
    print_quoted(to, path);
    fputc('\n', to);
}

static void print_options(FILE *to, const struct study_slurm *s, const struct folder *f,
                          size_t tasks, const char *here) {
    if (s->options)
        fprintf(to, "#SBATCH %s\n", s->options);
    if (s->partition) {
        fputs("#SBATCH --partition=", to);
        print_quoted(to, s->partition);
        fputc('\n', to);
    }
    fprintf(to, "#SBATCH --job-name=%s\n#SBATCH --array=1-%zu\n", f->job, tasks);
    fprintf(to, "#SBATCH --ntasks=1 --cpus-per-task=%zu\n", s->jobs);
    fputs("#SBATCH --requeue --open-mode=append\n#SBATCH --chdir=", to);
    print_quoted(to, here);
    fputc('\n', to);
    print_log(to, f->path);
}

static void print_script(FILE *to, const struct study_slurm *s, const struct folder *f,
                         const char *study, size_t tasks, const char *here, const char *program) {
    const char *home = getenv("MEMTWIN_HOME");
    fprintf(to,
            "#!/bin/bash\n# Runs of the study %s. A task that is begun again goes on where it "
            "was.\n",
            study);
    print_options(to, s, f, tasks, here);
    if (home) {
        fputs("export MEMTWIN_HOME=", to);
        print_quoted(to, home);
        fputc('\n', to);
    }
    fputs("exec ", to);
    print_quoted(to, program);
    fprintf(to, " study --task \"$SLURM_ARRAY_TASK_ID\" -j %zu ", s->jobs);
    print_quoted(to, f->path);
    fputc('\n', to);
}

static int make_script(FILE *to, const struct study_slurm *s, const struct folder *f,
                       const char *study, size_t tasks, char *err, size_t err_size) {
    char here[PATH_SIZE], program[PATH_SIZE];
    ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
    if (n < 0 || !getcwd(here, sizeof here)) {
        snprintf(err, err_size, "the current folder: %s", strerror(errno));
        return -1;
    }
    program[n] = '\0';
    print_script(to, s, f, study, tasks, here, program);
    return 0;
}

static int write_script(const struct study_slurm *s, const struct folder *f, const char *study,
                        size_t tasks, char *err, size_t err_size) {
    struct new_file file;
    if (new_file_open(&file, f->script, err, err_size))
        return -1;
    if (make_script(file.f, s, f, study, tasks, err, err_size)) {
        new_file_drop(&file);
        return -1;
    }
    return new_file_commit(&file, err, err_size);
}

int slurm_print(const struct study_slurm *s, const struct study_runs *r, size_t waiting) {
    struct folder f;
    char err[2048];
    if (waiting == 0)
        return EXIT_GOOD;
    puts("");
    if (find_folder(&f, s->path, err, sizeof err) ||
        make_script(stdout, s, &f, r->study->name, count_tasks(s, waiting), err, sizeof err))
        return usage_error(s->command, "%s", err);
    return EXIT_GOOD;
}

/* ---- Slurm's commands ---- */

/* Reads a whole file; the caller frees the text. NULL if it cannot be read. */
static char *read_text(const char *path) {
    char *text = NULL;
    size_t size = 0;
    FILE *f = fopen(path, "r");
    if (f && getdelim(&text, &size, '\0', f) < 0) { /* it is empty */
        free(text);
        text = feof(f) ? strdup("") : NULL;
    }
    if (f)
        fclose(f);
    return text;
}

/* The first line with an error, after warnings; else the first line. */
static const char *find_error(const char *text) {
    const char *at = strstr(text, "error: ");
    while (at && at > text && at[-1] != '\n')
        at--;
    return at ? at : text;
}

/* Runs a Slurm command. Returns its output, which the caller frees; NULL with one line in err. */
static char *ask_slurm(const char *const argv[], char *err, size_t err_size) {
    char dir[PATH_SIZE], log[PATH_SIZE + 8], *text = NULL;
    if (temp_dir_make(dir, err, err_size))
        return NULL;
    snprintf(log, sizeof log, "%s/log", dir);
    const int status = proc_run(argv, NULL, log, err, err_size);
    if (status >= 0 && !(text = read_text(log)))
        snprintf(err, err_size, "%s: its output cannot be read", argv[0]);
    temp_dir_remove(dir);
    if (status == 0 || !text)
        return text;
    const char *why = find_error(text);
    message_print(err, err_size, "%s ended with %d: %.*s", argv[0], status, (int)strcspn(why, "\n"),
                  why);
    free(text);
    return NULL;
}

/* Finds a job with queued or running tasks: 1 with its number, 0, or -1 with one line in err. */
static int find_queued(const struct folder *f, char *job, size_t size, char *err, size_t err_size) {
    char name[sizeof f->job + 8];
    snprintf(name, sizeof name, "--name=%s", f->job);
    const char *const argv[] = {"squeue", "--noheader", "--format=%F", name, NULL};
    char *text = ask_slurm(argv, err, err_size);
    if (!text)
        return -1;
    const char *id = text + strspn(text, " \n");
    snprintf(job, size, "%.*s", (int)strspn(id, "0123456789"), id);
    const int queued = *id != 0;
    free(text);
    return queued;
}

static int check_queue(const struct folder *f, char *err, size_t err_size) {
    char job[32];
    const int queued = find_queued(f, job, sizeof job, err, err_size);
    if (queued == 1)
        message_print(err, err_size,
                      "%s: job %s is still in the queue: submit again when it has ended, or after "
                      "scancel %s",
                      f->path, job, job);
    return queued ? -1 : 0;
}

/* Submits the script. The last line of output, after warnings, has the number: "17;cluster". */
static int submit_script(const struct folder *f, char *job, size_t size, char *err,
                         size_t err_size) {
    char name[sizeof f->job + 16];
    snprintf(name, sizeof name, "--job-name=%s", f->job);
    const char *const argv[] = {"sbatch", "--parsable", name, f->script, NULL};
    char *text = ask_slurm(argv, err, err_size);
    if (!text)
        return -1;
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
        snprintf(job, size, "%.*s", (int)strcspn(line, ";"), line);
    free(text);
    return 0;
}

/* ---- Collect ---- */

struct collected {
    const char *command;
    struct study_db *db;
    struct progress progress;
    size_t taken, from, at_work; /* results; tasks with results; tasks skipped */
    int code;
};

/* Collects a task. Always returns 0, so that a bad database does not stop the others. */
static int collect_one(void *ctx, const char *path) {
    struct collected *c = ctx;
    char err[2048];
    bool at_work;
    size_t taken = 0;
    struct study_db *from = db_open_task(path, 0, &at_work, err, sizeof err);
    if (at_work)
        c->at_work++;
    else if (!from || db_collect(c->db, from, &taken, err, sizeof err))
        c->code = usage_error(c->command, "%s", err);
    c->taken += taken;
    c->from += taken > 0;
    db_close(from);
    if (progress_due(&c->progress))
        progress_line(&c->progress, "collecting: %zu result%s of %zu task%s", c->taken,
                      message_plural(c->taken), c->from, message_plural(c->from));
    return 0;
}

static int collect_all(const struct study_slurm *s, const struct folder *f, struct study_db *db,
                       struct collected *c) {
    char err[2048];
    *c = (struct collected){.command = s->command, .db = db};
    progress_begin(&c->progress, s->quiet);
    if (each_file(f, ".db", collect_one, c, err, sizeof err))
        c->code = usage_error(s->command, "%s", err);
    progress_end(&c->progress);
    return c->code;
}

int slurm_collect(const struct study_slurm *s) {
    struct folder f;
    struct collected c;
    struct stat st;
    char err[2048];
    if (find_folder(&f, s->path, err, sizeof err))
        return usage_error(s->command, "%s", err);
    if (stat(s->path, &st) || stat(f.path, &st))
        return usage_error(s->command, "%s: %s", stat(s->path, &st) ? s->path : f.path,
                           strerror(errno));
    struct study_db *db = db_open(s->path, true, err, sizeof err);
    if (!db)
        return usage_error(s->command, "%s", err);
    int code = collect_all(s, &f, db, &c);
    if (!s->quiet)
        printf("%s: %zu result%s from %zu task%s, %zu task%s at work%s\n", s->path, c.taken,
               message_plural(c.taken), c.from, message_plural(c.from), c.at_work,
               message_plural(c.at_work), c.at_work ? ": collect again when they have ended" : "");
    db_close(db);
    return code;
}

int slurm_beside(const struct study_slurm *s, struct study_db *db) {
    struct folder f;
    struct collected c;
    struct stat st;
    char job[32], err[2048];
    if (find_folder(&f, s->path, err, sizeof err))
        return usage_error(s->command, "%s", err);
    if (stat(f.list, &st))
        return EXIT_GOOD;
    const int code = collect_all(s, &f, db, &c);
    if (find_queued(&f, job, sizeof job, err, sizeof err) == 1)
        usage_error(
            s->command,
            "%s: job %s is still in the queue, and this study does its runs too (scancel %s, "
            "or stop this study, wait for the job and --collect)",
            s->path, job, job);
    return code;
}

/* ---- Submit ---- */

/* Makes the folder, or collects the results that an earlier job left in it. */
static int finish_earlier(const struct study_slurm *s, const struct folder *f,
                          struct study_db *db) {
    struct collected c;
    char err[2048];
    if (mkdir(f->path, 0777) == 0)
        return EXIT_GOOD;
    if (errno != EEXIST)
        return usage_error(s->command, "%s: %s", f->path, strerror(errno));
    if (check_queue(f, err, sizeof err))
        return usage_error(s->command, "%s", err);
    int code = collect_all(s, f, db, &c);
    if (code == EXIT_GOOD && c.at_work)
        code = usage_error(s->command, "%s: %zu task%s at work", f->path, c.at_work,
                           c.at_work == 1 ? " is" : "s are");
    return code;
}

/* Submits waiting runs from an empty folder. */
static int submit_waiting(const struct study_slurm *s, const struct folder *f, struct study_db *db,
                          const struct study_runs *r, const struct study_waiting *waiting, size_t n,
                          char *job, size_t job_size, char *err, size_t err_size) {
    const size_t tasks = count_tasks(s, n);
    return each_file(f, NULL, remove_file, NULL, err, err_size) ||
                   task_list(db, f->list, r, waiting, n, tasks, err, err_size) ||
                   write_script(s, f, r->study->name, tasks, err, err_size) ||
                   submit_script(f, job, job_size, err, err_size)
               ? -1
               : 0;
}

static int submit(const struct study_slurm *s, const struct folder *f, struct study_db *db,
                  struct study_runs *r, struct progress *p) {
    struct study_waiting *waiting = NULL;
    size_t n, found;
    char err[2048], job[64] = "";
    int bad = runs_resolve(r, db_value, db, &found, err, sizeof err) ||
              db_store(db, r, s->retry, p, err, sizeof err) ||
              db_waiting(db, &waiting, &n, err, sizeof err) ||
              (n && submit_waiting(s, f, db, r, waiting, n, job, sizeof job, err, sizeof err));
    const size_t unknown = r->count.unknown;
    progress_end(p);
    free(waiting);
    if (bad)
        return usage_error(s->command, "%s", err);
    if (!s->quiet && n)
        printf("%s: %zu of %zu run%s in %zu task%s of job %s; memtwin study --collect %s\n",
               r->study->name, n, r->n, message_plural(r->n), count_tasks(s, n),
               message_plural(count_tasks(s, n)), job, s->path);
    else if (!s->quiet)
        printf("%s: %zu run%s, nothing to do; memtwin study --list %s\n", r->study->name, r->n,
               message_plural(r->n), s->path);
    if (!n && unknown)
        return usage_error(s->command, "%zu run%s not known: %s", unknown,
                           unknown == 1 ? " is" : "s are", r->count.why);
    if (!s->quiet && unknown)
        printf("%zu run%s on results of others: submit again when these are done\n", unknown,
               unknown == 1 ? " depends" : "s depend");
    return EXIT_GOOD;
}

int slurm_submit(const struct study_slurm *s, struct study_runs *r, struct progress *p) {
    struct folder f;
    char err[2048];
    struct study_db *db = NULL;
    int bad = find_folder(&f, s->path, err, sizeof err) ||
              !(db = db_open(s->path, true, err, sizeof err));
    int code = bad ? usage_error(s->command, "%s", err) : finish_earlier(s, &f, db);
    if (code == EXIT_GOOD)
        code = submit(s, &f, db, r, p);
    db_close(db);
    return code;
}

/* ---- A task ---- */

static int end_task(const struct study_slurm *s, struct study_db *db) {
    struct study_count n;
    char err[1024];
    if (db_count(db, &n, err, sizeof err))
        return usage_error(s->command, "%s", err);
    if (!s->quiet)
        printf("%zu done, %zu failed\n", n.done, n.failed);
    return n.first_failure > EXIT_SIGNAL ? EXIT_INTERNAL : n.first_failure;
}

int slurm_task(const struct study_slurm *s, const char *folder, size_t number) {
    char err[2048], path[PATH_SIZE], list[PATH_SIZE];
    struct task t = {0};
    struct study_db *db = NULL;
    bool taken;
    int code;
    if (path_print(path, err, sizeof err, "%s/%zu.db", folder, number) ||
        path_print(list, err, sizeof err, "%s/runs.db", folder) ||
        !(db = db_open_task(path, TASK_PATIENCE, &taken, err, sizeof err)) ||
        task_read(&t, db, list, number, err, sizeof err)) {
        code = usage_error(s->command, "%s", err);
    } else {
        struct study_work w = {
            .command = s->command, .runs = &t.runs, .db = db, .jobs = s->jobs, .quiet = s->quiet};
        code = work_do(&w);
        if (code == EXIT_GOOD)
            code = end_task(s, db);
    }
    task_free(&t);
    db_close(db);
    return code;
}
