// SPDX-License-Identifier: Apache-2.0
#include "study/slurm.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "commands.h"
#include "lib/alloc.h"
#include "os/hash.h"
#include "os/new_file.h"
#include "os/proc.h"
#include "lib/message.h"
#include "lib/shell.h"
#include "study/task.h"
#include "study/work.h"

/* Number of seconds that a restarted task waits for a lock left by a lost machine. An NFS server
 * leases locks for 90 s. */
#define TASK_PATIENCE 180
#define TASKS 100 /* default of --tasks */

/* ---- Folder ---- */

struct study_folder {
    char path[PATH_SIZE], list[PATH_SIZE + 16], script[PATH_SIZE + 16];
    char job[128]; /* name of the job */
};

/* Makes the job name of a folder: "shape-0123abcd". There is one job per folder. */
static void name_job(struct study_folder *f) {
    char digits[HASH_SIZE];
    struct hash *h = hash_new();
    hash_add(h, f->path, strlen(f->path));
    hash_digits(h, digits);
    hash_free(h);
    const char *name = strrchr(f->path, '/') + 1;
    snprintf(f->job, sizeof f->job, "%.*s-%.8s", (int)strcspn(name, "."), name, digits);
    for (char *c = f->job; *c; c++)
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-", *c))
            *c = '_';
}

static void name_files(struct study_folder *f) {
    snprintf(f->list, sizeof f->list, "%s/runs.db", f->path);
    snprintf(f->script, sizeof f->script, "%s/script", f->path);
    name_job(f);
}

/* Finds the task folder of a database. The folder's path is absolute, so that it is valid on every
 * machine. */
static int find_folder(struct study_folder *f, const char *db, struct error *err) {
    char dir[PATH_SIZE], real[PATH_SIZE];
    const char *slash = strrchr(db, '/'), *name = slash ? slash + 1 : db;
    const size_t n = strlen(name), end = n > 3 && strcmp(name + n - 3, ".db") == 0 ? 3 : 0;
    if (path_print(dir, err, "%.*s", slash ? (int)(slash - db) + 1 : 1, slash ? db : "."))
        return -1;
    if (!realpath(dir, real))
        return error_set(err, "%s: %s", db, strerror(errno));
    if (path_print(f->path, err, "%s/%.*s.tasks", real, (int)(n - end), name))
        return -1;
    name_files(f);
    return 0;
}

static int is_of_task(const struct dirent *e) {
    return e->d_name[0] >= '0' && e->d_name[0] <= '9';
}

/* Calls fn for each task file with the ending (NULL means any) in the order of task numbers, until
 * fn fails. Returns 0, or -1 with one line in err. */
static int each_file(const struct study_folder *f, const char *ending,
                     int (*fn)(void *ctx, const char *path), void *ctx, struct error *err) {
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
        error_set(err, "%s: %s", f->path, strerror(errno));
    return bad ? -1 : 0;
}

static int remove_file(void *ctx, const char *path) {
    (void)ctx;
    return unlink(path);
}

/* ---- Script ---- */

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
    char path[2 * PATH_SIZE], *cursor = path;
    for (; *folder; *cursor++ = *folder++)
        if (*folder == '%')
            *cursor++ = '%';
    strcpy(cursor, "/%a.log");
    fputs("#SBATCH --output=", to);
    print_quoted(to, path);
    fputc('\n', to);
}

static void print_options(FILE *to, const struct study_slurm *s, const struct study_folder *f,
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

static void print_script(FILE *to, const struct study_slurm *s, const struct study_folder *f,
                         const char *study, size_t tasks, const char *here, const char *program) {
    const char *home = getenv("MEMTWIN_HOME");
    fprintf(to,
            "#!/bin/bash\n# Runs of the study %s. A restarted task continues where it "
            "stopped.\n",
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

static int make_script(FILE *to, const struct study_slurm *s, const struct study_folder *f,
                       const char *study, size_t tasks, struct error *err) {
    char here[PATH_SIZE], program[PATH_SIZE];
    ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
    if (n < 0 || !getcwd(here, sizeof here))
        return error_set(err, "the current folder: %s", strerror(errno));
    program[n] = '\0';
    print_script(to, s, f, study, tasks, here, program);
    return 0;
}

static int write_script(const char *path, const struct study_slurm *s, const struct study_folder *f,
                        const char *study, size_t tasks, struct error *err) {
    struct new_file file;
    if (new_file_open(&file, path, err))
        return -1;
    if (make_script(file.f, s, f, study, tasks, err)) {
        new_file_drop(&file);
        return -1;
    }
    return new_file_commit(&file, err);
}

int slurm_print(const struct study_slurm *s, const struct study_runs *r, size_t waiting) {
    struct study_folder f;
    struct error err;
    if (waiting == 0)
        return EXIT_GOOD;
    puts("");
    fflush(stdout); /* the script goes to the descriptor, so that no byte of a path is changed */
    if (find_folder(&f, s->path, &err) ||
        write_script("-", s, &f, r->study->name, count_tasks(s, waiting), &err))
        return error_print(EXIT_USAGE, s->command, "%s", err.text);
    return EXIT_GOOD;
}

/* ---- Slurm commands ---- */

/* Reads a whole file into a text that the caller frees. Returns NULL if it cannot be read. */
static char *read_text(const char *path) {
    char *text = NULL;
    size_t size = 0;
    FILE *f = fopen(path, "r");
    if (f && getdelim(&text, &size, '\0', f) < 0) { /* the file is empty */
        free(text);
        text = feof(f) ? alloc_text("") : NULL;
    }
    if (f)
        fclose(f);
    return text;
}

/* Returns the first line with an error, which may follow warnings, else the first line. */
static const char *find_error(const char *text) {
    const char *cursor = strstr(text, "error: ");
    while (cursor && cursor > text && cursor[-1] != '\n')
        cursor--;
    return cursor ? cursor : text;
}

/* Runs a Slurm command. Returns its output, which the caller frees, or NULL with one line in
 * err. */
static char *ask_slurm(const char *const argv[], struct error *err) {
    char dir[PATH_SIZE], log[PATH_SIZE + 8], *text = NULL;
    if (temp_dir_make(dir, err))
        return NULL;
    snprintf(log, sizeof log, "%s/log", dir);
    const int status = proc_run(argv, NULL, log, err);
    if (status >= 0 && !(text = read_text(log)))
        error_set(err, "cannot read the output of %s", argv[0]);
    temp_dir_remove(dir);
    if (status == 0 || !text)
        return text;
    const char *why = find_error(text);
    error_set(err, "%s ended with %d: %.*s", argv[0], status, (int)strcspn(why, "\n"), why);
    free(text);
    return NULL;
}

/* Finds a job with queued or running tasks. Returns 1 with its number, 0 if there is none, or -1
 * with one line in err. */
static int find_queued(const struct study_folder *f, char *job, size_t size, struct error *err) {
    char name[sizeof f->job + 8];
    snprintf(name, sizeof name, "--name=%s", f->job);
    const char *const argv[] = {"squeue", "--noheader", "--format=%F", name, NULL};
    char *text = ask_slurm(argv, err);
    if (!text)
        return -1;
    const char *id = text + strspn(text, " \n");
    snprintf(job, size, "%.*s", (int)strspn(id, "0123456789"), id);
    const int queued = *id != 0;
    free(text);
    return queued;
}

static int check_queue(const struct study_folder *f, struct error *err) {
    char job[32];
    const int queued = find_queued(f, job, sizeof job, err);
    if (queued == 1)
        error_set(err,
                  "%s: job %s is still in the queue; submit again when it has ended or after "
                  "scancel %s",
                  f->path, job, job);
    return queued ? -1 : 0;
}

/* Submits the script. The last line of output, after warnings, has the job number: "17;cluster". */
static int submit_script(const struct study_folder *f, char *job, size_t size, struct error *err) {
    char name[sizeof f->job + 16];
    snprintf(name, sizeof name, "--job-name=%s", f->job);
    const char *const argv[] = {"sbatch", "--parsable", name, f->script, NULL};
    char *text = ask_slurm(argv, err);
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
    size_t results, /* number of results */
        from,       /* number of tasks with results */
        at_work;    /* number of running tasks */
    int code;
};

/* Collects the results of a task. Always returns 0, so that the other tasks are collected even if
 * the database of this task is bad. */
static int collect_one(void *ctx, const char *path) {
    struct collected *c = ctx;
    struct error err;
    bool at_work;
    size_t results = 0;
    struct study_db *from = db_open_task(path, 0, &at_work, &err);
    if (at_work)
        c->at_work++;
    else if (!from || db_collect(c->db, from, &results, &err))
        c->code = error_print(EXIT_USAGE, c->command, "%s", err.text);
    c->results += results;
    c->from += results > 0;
    db_close(from);
    if (progress_due(&c->progress))
        progress_line(&c->progress, "collecting: %zu result%s of %zu task%s", c->results,
                      message_plural(c->results), c->from, message_plural(c->from));
    return 0;
}

static int collect_all(const struct study_slurm *s, const struct study_folder *f,
                       struct study_db *db, struct collected *c) {
    struct error err;
    *c = (struct collected){.command = s->command, .db = db};
    progress_begin(&c->progress, s->quiet);
    if (each_file(f, ".db", collect_one, c, &err))
        c->code = error_print(EXIT_USAGE, s->command, "%s", err.text);
    progress_end(&c->progress);
    return c->code;
}

int slurm_collect(const struct study_slurm *s) {
    struct study_folder f;
    struct collected c;
    struct stat st;
    struct error err;
    if (db_check_path(s->path, &err) || find_folder(&f, s->path, &err))
        return error_print(EXIT_USAGE, s->command, "%s", err.text);
    if (stat(s->path, &st) || stat(f.path, &st))
        return error_print(EXIT_USAGE, s->command, "%s: %s", stat(s->path, &st) ? s->path : f.path,
                           strerror(errno));
    struct study_db *db = db_open(s->path, true, &err);
    if (!db)
        return error_print(EXIT_USAGE, s->command, "%s", err.text);
    int code = collect_all(s, &f, db, &c);
    if (db_check_place(db, &err))
        code = error_print(EXIT_USAGE, s->command, "%s", err.text);
    else if (!s->quiet) {
        message_write(stdout, "%s: %zu result%s from %zu task%s, %zu task%s still running%s",
                      s->path, c.results, message_plural(c.results), c.from, message_plural(c.from),
                      c.at_work, message_plural(c.at_work),
                      c.at_work ? "; collect again when they have ended" : "");
        putchar('\n');
    }
    db_close(db);
    return code;
}

int slurm_beside(const struct study_slurm *s, struct study_db *db) {
    struct study_folder f;
    struct collected c;
    struct stat st;
    char job[32];
    struct error err;
    if (find_folder(&f, s->path, &err))
        return error_print(EXIT_USAGE, s->command, "%s", err.text);
    if (stat(f.list, &st))
        return EXIT_GOOD;
    const int code = collect_all(s, &f, db, &c);
    if (find_queued(&f, job, sizeof job, &err) == 1)
        warning_print(
            s->command,
            "%s: job %s is still in the queue, and this study repeats its runs (scancel %s, "
            "or stop this study, wait for the job and --collect)",
            s->path, job, job);
    return code;
}

/* ---- Submit ---- */

/* Makes the folder, or collects the results that an earlier job left in it. */
static int finish_earlier(const struct study_slurm *s, const struct study_folder *f,
                          struct study_db *db) {
    struct collected c;
    struct error err;
    if (mkdir(f->path, 0777) == 0)
        return EXIT_GOOD;
    if (errno != EEXIST)
        return error_print(EXIT_USAGE, s->command, "%s: %s", f->path, strerror(errno));
    if (check_queue(f, &err))
        return error_print(EXIT_USAGE, s->command, "%s", err.text);
    int code = collect_all(s, f, db, &c);
    if (code == EXIT_GOOD && c.at_work)
        code = error_print(EXIT_USAGE, s->command, "%s: %zu task%s still running", f->path,
                           c.at_work, c.at_work == 1 ? " is" : "s are");
    return code;
}

/* Empties the folder, then submits the waiting runs from it. */
static int submit_waiting(const struct study_slurm *s, const struct study_folder *f,
                          struct study_db *db, const struct study_runs *r,
                          const struct study_waiting *waiting, size_t n, char *job, size_t job_size,
                          struct error *err) {
    const size_t tasks = count_tasks(s, n);
    return each_file(f, NULL, remove_file, NULL, err) ||
                   task_list(db, f->list, r, waiting, n, tasks, err) ||
                   write_script(f->script, s, f, r->study->name, tasks, err) ||
                   submit_script(f, job, job_size, err)
               ? -1
               : 0;
}

static int submit(const struct study_slurm *s, const struct study_folder *f, struct study_db *db,
                  struct study_runs *r, struct progress *p) {
    struct study_waiting *waiting = NULL;
    size_t n, found;
    char job[64] = "";
    struct error err;
    int bad = runs_resolve(r, db_value, db, &found, &err) || db_store(db, r, s->retry, p, &err) ||
              db_waiting(db, &waiting, &n, &err) ||
              (n && submit_waiting(s, f, db, r, waiting, n, job, sizeof job, &err));
    const size_t unknown = r->count.unknown;
    progress_end(p);
    free(waiting);
    if (bad || work_note_unlisted(s->command, r, db, &err))
        return error_print(EXIT_USAGE, s->command, "%s", err.text);
    if (!s->quiet && n)
        printf("%s: %zu of %zu run%s in %zu task%s of job %s; ", r->study->name, n, r->n,
               message_plural(r->n), count_tasks(s, n), message_plural(count_tasks(s, n)), job);
    else if (!s->quiet)
        printf("%s: %zu run%s, nothing to do; ", r->study->name, r->n, message_plural(r->n));
    if (!s->quiet)
        shell_print_command(stdout, n ? "study --collect" : "study --list", s->path);
    if (!n && unknown)
        return error_print(EXIT_USAGE, s->command, "%zu run%s not known: %s", unknown,
                           unknown == 1 ? " is" : "s are", r->count.why);
    if (!s->quiet && unknown)
        printf("%zu run%s on the results of other runs; submit again when they are done\n", unknown,
               unknown == 1 ? " depends" : "s depend");
    return EXIT_GOOD;
}

int slurm_submit(const struct study_slurm *s, struct study_runs *r, struct progress *p) {
    struct study_folder f;
    struct error err;
    struct study_db *db = NULL;
    int bad = find_folder(&f, s->path, &err) || !(db = db_open(s->path, true, &err));
    int code =
        bad ? error_print(EXIT_USAGE, s->command, "%s", err.text) : finish_earlier(s, &f, db);
    if (code == EXIT_GOOD)
        code = submit(s, &f, db, r, p);
    db_close(db);
    return code;
}

/* ---- Task ---- */

static int end_task(const struct study_slurm *s, struct study_db *db) {
    struct study_count n;
    char cut[STUDY_SHORT];
    struct error err;
    if (db_count(db, &n, &err))
        return error_print(EXIT_USAGE, s->command, "%s", err.text);
    db_print_short(&n, cut);
    if (!s->quiet)
        printf("%zu done%s, %zu failed\n", n.done, cut, n.failed);
    return n.first_failure > EXIT_SIGNAL ? EXIT_INTERNAL : n.first_failure;
}

/* Checks that the list is there before the task makes its database beside it. */
static int check_list(const char *list, struct error *err) {
    return access(list, R_OK) ? error_set(err, "%s: %s", list, strerror(errno)) : 0;
}

int slurm_task(const struct study_slurm *s, const char *folder, size_t number) {
    char path[PATH_SIZE], list[PATH_SIZE];
    struct error err;
    struct study_task t = {0};
    struct study_db *db = NULL;
    bool busy;
    int code;
    if (path_print(path, &err, "%s/%zu.db", folder, number) ||
        path_print(list, &err, "%s/runs.db", folder) || check_list(list, &err) ||
        !(db = db_open_task(path, TASK_PATIENCE, &busy, &err)) ||
        task_read(&t, db, list, number, &err)) {
        code = error_print(EXIT_USAGE, s->command, "%s", err.text);
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
