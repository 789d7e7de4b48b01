// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "harness/proc.h"
#include "lib/message.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const int passed_on[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGALRM};
#define N_PASSED_ON (sizeof passed_on / sizeof *passed_on)

/* The running child and the signal received meanwhile; global for the signal handler. */
static volatile pid_t running;
static volatile sig_atomic_t caught;

static void pass_on(int signal) {
    caught = signal;
    kill(-running, signal);
}

/* Runs argv in the child, after fork. `mask`: the caller's signal mask. */
static void become(const char *const argv[], const char *cwd, int log, const sigset_t *mask) {
    struct sigaction now;
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM); /* SIGKILL of the caller cannot be passed on */
    for (size_t i = 0; i < N_PASSED_ON; i++)
        if (sigaction(passed_on[i], NULL, &now) == 0 && now.sa_handler != SIG_IGN)
            signal(passed_on[i], SIG_DFL);
    signal(SIGPIPE, SIG_DFL); /* which the program itself ignores */
    signal(SIGXFSZ, SIG_DFL);
    sigprocmask(SIG_SETMASK, mask, NULL);
    int null = open("/dev/null", O_RDONLY);
    if (null < 0 || dup2(null, 0) < 0 || dup2(log, 1) < 0 || dup2(log, 2) < 0)
        _exit(127);
    if (cwd && chdir(cwd))
        _exit(127);
    execvp(argv[0], (char *const *)(uintptr_t)argv);
    dprintf(2, "cannot run %s: %s\n", argv[0], strerror(errno));
    _exit(127);
}

static int wait_for(pid_t pid, int *status) {
    while (waitpid(pid, status, 0) < 0)
        if (errno != EINTR)
            return -1;
    return 0;
}

/* Installs handlers. Signals that the caller ignores stay ignored, by the child too. */
static void watch_signals(struct sigaction before[]) {
    struct sigaction watch = {.sa_handler = pass_on};
    for (size_t i = 0; i < N_PASSED_ON; i++) {
        sigaction(passed_on[i], &watch, &before[i]);
        if (before[i].sa_handler == SIG_IGN)
            sigaction(passed_on[i], &before[i], NULL);
    }
}

/* Starts the child, with the four signals held back until `running` is set, and waits for it. */
static int run_child(const char *const argv[], const char *cwd, int log, int *status) {
    struct sigaction before[N_PASSED_ON];
    sigset_t hold, mask;
    sigemptyset(&hold);
    for (size_t i = 0; i < N_PASSED_ON; i++)
        sigaddset(&hold, passed_on[i]);
    sigprocmask(SIG_BLOCK, &hold, &mask);
    caught = 0;
    watch_signals(before);
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0)
        become(argv, cwd, log, &mask);
    if (pid > 0) {
        setpgid(pid, pid); /* whichever of the two is first */
        running = pid;
        sigprocmask(SIG_SETMASK, &mask, NULL);
    }
    int failed = pid < 0 || wait_for(pid, status), why = errno;
    sigprocmask(SIG_BLOCK, &hold, NULL);
    for (size_t i = 0; i < N_PASSED_ON; i++)
        sigaction(passed_on[i], &before[i], NULL);
    sigprocmask(SIG_SETMASK, &mask, NULL);
    errno = why;
    return failed;
}

int proc_run(const char *const argv[], const char *cwd, const char *log, char *err,
             size_t err_size) {
    int fd = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666), status = 0;
    if (fd < 0) {
        message_print(err, err_size, "%s: %s", log, strerror(errno));
        return -1;
    }
    int failed = run_child(argv, cwd, fd, &status), why = errno;
    close(fd);
    if (caught) {
        raise(caught);
        snprintf(err, err_size, "interrupted");
        return -1;
    }
    if (failed)
        message_print(err, err_size, "%s: %s", argv[0], strerror(why));
    else if (WIFSIGNALED(status))
        message_print(err, err_size, "%s: ended by signal %d (%s)", argv[0], WTERMSIG(status),
                      strsignal(WTERMSIG(status)));
    return failed || !WIFEXITED(status) ? -1 : WEXITSTATUS(status);
}

int path_print(char *buf, char *err, size_t err_size, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(buf, PATH_SIZE, fmt, ap);
    va_end(ap);
    if (n >= 0 && n < PATH_SIZE)
        return 0;
    snprintf(err, err_size, "path too long: %.80s...", buf);
    return -1;
}

static int has_harness(const char *dir) {
    char probe[PATH_SIZE + 32];
    snprintf(probe, sizeof probe, "%s/tb/harness/twin.mk", dir);
    return access(probe, R_OK) == 0;
}

int harness_root(char *buf, char *err, size_t err_size) {
    const char *home = getenv("MEMTWIN_HOME");
    char share[PATH_SIZE];
    if (home && *home) {
        if (!realpath(home, buf) || !has_harness(buf)) {
            message_print(err, err_size, "MEMTWIN_HOME=%s has no tb/harness/twin.mk", home);
            return -1;
        }
        return 0;
    }
    ssize_t n = readlink("/proc/self/exe", buf, PATH_SIZE - 1);
    buf[n > 0 ? n : 0] = '\0';
    for (char *slash; (slash = strrchr(buf, '/')) != NULL;) {
        *slash = '\0';
        if (has_harness(buf))
            return 0;
        if (path_print(share, err, err_size, "%s/share/memtwin", buf) == 0 && has_harness(share))
            return path_print(buf, err, err_size, "%s", share);
    }
    snprintf(err, err_size, "no folder above the program has tb/harness/twin.mk: set MEMTWIN_HOME");
    return -1;
}

int path_mkdirs(const char *dir) {
    char part[PATH_SIZE];
    snprintf(part, sizeof part, "%s", dir);
    for (char *p = part + 1; *p; p++) {
        if (*p != '/')
            continue;
        *p = '\0';
        if (mkdir(part, 0777) && errno != EEXIST)
            return -1;
        *p = '/';
    }
    return mkdir(part, 0777) && errno != EEXIST ? -1 : 0;
}

const char *path_from_here(const char *path) {
    char here[PATH_SIZE];
    if (!getcwd(here, sizeof here))
        return path;
    size_t n = strlen(here);
    return strncmp(path, here, n) == 0 && path[n] == '/' ? path + n + 1 : path;
}

int temp_dir_make(char *buf, char *err, size_t err_size) {
    const char *base = getenv("TMPDIR");
    if (path_print(buf, err, err_size, "%s/memtwin.XXXXXX", base && *base ? base : "/tmp"))
        return -1;
    if (mkdtemp(buf))
        return 0;
    message_print(err, err_size, "%s: %s", buf, strerror(errno));
    return -1;
}

static int remove_entry(const char *path, const struct stat *st, int flag, struct FTW *ftw) {
    (void)st;
    (void)flag;
    (void)ftw;
    return remove(path);
}

void temp_dir_remove(const char *dir) {
    nftw(dir, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}

static bool same_inode(const struct stat *a, const struct stat *b) {
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Both are open, or named: one file. What a device is named does not count, except a terminal. */
static bool is_open_as(const char *path, int fd) {
    struct stat a, b;
    return stat(path, &a) == 0 && fstat(fd, &b) == 0 && same_inode(&a, &b) &&
           (!S_ISCHR(a.st_mode) || isatty(fd));
}

bool is_stdout(const char *path) {
    return strcmp(path, "-") == 0 || is_open_as(path, STDOUT_FILENO);
}

bool is_stream(const char *path) {
    struct stat st;
    return is_stdout(path) || is_open_as(path, STDERR_FILENO) ||
           (stat(path, &st) == 0 && (S_ISFIFO(st.st_mode) || S_ISCHR(st.st_mode)));
}

static const char *last_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* The folder that the path's last name is in. 0, or -1. */
static int stat_folder(const char *path, struct stat *st) {
    char folder[PATH_SIZE];
    int n = snprintf(folder, sizeof folder, "%.*s.", (int)(last_name(path) - path), path);
    return n < 0 || n >= PATH_SIZE || stat(folder, st) ? -1 : 0;
}

bool paths_same(const char *a, const char *b) {
    struct stat sa, sb;
    if (!a || !b)
        return false;
    if (strcmp(a, b) == 0 || (is_stdout(a) && is_stdout(b)))
        return true;
    const bool there_a = stat(a, &sa) == 0, there_b = stat(b, &sb) == 0;
    if (there_a && there_b)
        return same_inode(&sa, &sb) && S_ISREG(sa.st_mode);
    return !there_a && !there_b && strcmp(last_name(a), last_name(b)) == 0 &&
           stat_folder(a, &sa) == 0 && stat_folder(b, &sb) == 0 && same_inode(&sa, &sb);
}

static int stream_open(struct new_file *nf, const char *path, char *err, size_t err_size) {
    int fd = is_stdout(path)                   ? fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0)
             : is_open_as(path, STDERR_FILENO) ? fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0)
                                               : open(path, O_WRONLY | O_CLOEXEC);
    nf->temp[0] = '\0';
    if (fd >= 0 && (nf->f = fdopen(fd, "w")))
        return path_print(nf->path, err, err_size, "%s", path);
    message_print(err, err_size, "%s: %s", path, strerror(errno));
    if (fd >= 0)
        close(fd);
    return -1;
}

int new_file_target(const char *path, char *target, char *err, size_t err_size) {
    struct stat st;
    if (is_stream(path)) {
        message_print(err, err_size, "%s: not a regular file", path);
        return -1;
    }
    int there = lstat(path, &st) == 0;
    if (!there && errno != ENOENT) {
        message_print(err, err_size, "%s: %s", path, strerror(errno));
        return -1;
    }
    if (!there || !S_ISLNK(st.st_mode)) {
        if (path_print(target, err, err_size, "%s", path))
            return -1;
    } else if (!realpath(path, target) || stat(target, &st)) {
        message_print(err, err_size, "%s: a link, and where it leads: %s", path, strerror(errno));
        return -1;
    }
    if (!there || S_ISREG(st.st_mode))
        return 0;
    message_print(err, err_size, "%s: not a regular file", path);
    return -1;
}

/* The files that this process writes; global for the signal handler. */
static struct new_file *volatile open_files;
static pid_t open_by;

static void now_open(struct new_file *nf) {
    if (open_by != getpid()) /* a forked child does not complete its parent's */
        open_files = NULL;
    open_by = getpid();
    nf->next = open_files;
    open_files = nf;
}

static void no_longer_open(struct new_file *nf) {
    struct new_file *before = open_files;
    if (before == nf) {
        open_files = nf->next;
        return;
    }
    while (before && before->next != nf)
        before = before->next;
    if (before)
        before->next = nf->next;
}

void new_files_abandon(void) {
    if (open_by != getpid())
        return;
    for (const struct new_file *nf = open_files; nf; nf = nf->next)
        unlink(nf->temp);
}

/* The PID in the file name "NAME.123.part"; 0 if the file is not a part of NAME. */
static long part_of(const char *entry, const char *name) {
    size_t len = strlen(name);
    char *end;
    if (strncmp(entry, name, len) != 0 || entry[len] != '.' || entry[len + 1] < '1' ||
        entry[len + 1] > '9')
        return 0;
    long pid = strtol(entry + len + 1, &end, 10);
    return strcmp(end, ".part") == 0 ? pid : 0;
}

/* Removes the .part files of killed programs beside `path`: no process on this machine has the PID
 * in the name, and none on another machine holds the lock. */
static void remove_leftovers(const char *path) {
    char dir[PATH_SIZE], left[2 * PATH_SIZE];
    const char *name = last_name(path);
    snprintf(dir, sizeof dir, "%.*s", (int)(name - path), path);
    DIR *d = opendir(*dir ? dir : ".");
    for (struct dirent *e; d && (e = readdir(d)) != NULL;) {
        long pid = part_of(e->d_name, name);
        if (pid == 0 || kill((pid_t)pid, 0) == 0 || errno != ESRCH)
            continue;
        snprintf(left, sizeof left, "%s%s", dir, e->d_name);
        int fd = open(left, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
        if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0)
            unlink(left);
        if (fd >= 0)
            close(fd);
    }
    if (d)
        closedir(d);
}

int new_file_open(struct new_file *nf, const char *path, char *err, size_t err_size) {
    nf->f = NULL;
    if (is_stream(path))
        return stream_open(nf, path, err, err_size);
    if (new_file_target(path, nf->path, err, err_size) ||
        path_print(nf->temp, err, err_size, "%s.%ld.part", nf->path, (long)getpid()))
        return -1;
    remove_leftovers(nf->path);
    now_open(nf);
    nf->f = fopen(nf->temp, "we");
    if (nf->f) {
        flock(fileno(nf->f), LOCK_EX | LOCK_NB);
        return 0;
    }
    message_print(err, err_size, "%s: %s", path, strerror(errno));
    no_longer_open(nf);
    return -1;
}

/* Flushes f and returns 0, or the error of any write to it. The errno of an earlier write is lost,
 * so another write is made to learn it. */
static int flush_all(FILE *f) {
    bool failed = ferror(f);
    errno = 0;
    if (failed)
        fputc('\n', f);
    if (fflush(f) == 0 && !failed)
        return 0;
    return errno ? errno : EIO;
}

int new_file_commit(struct new_file *nf, char *err, size_t err_size) {
    int why = flush_all(nf->f), bad = why != 0;
    if (fclose(nf->f) && !bad) {
        bad = 1;
        why = errno;
    }
    nf->f = NULL;
    if (!bad && nf->temp[0] && rename(nf->temp, nf->path)) {
        bad = 1;
        why = errno;
    }
    if (bad && nf->temp[0])
        remove(nf->temp);
    no_longer_open(nf);
    if (!bad)
        return 0;
    message_print(err, err_size, "%s: %s", nf->path, strerror(why));
    return -1;
}

void new_file_drop(struct new_file *nf) {
    if (!nf->f)
        return;
    fclose(nf->f);
    nf->f = NULL;
    if (nf->temp[0])
        remove(nf->temp);
    no_longer_open(nf);
}

bool is_fifo(const char *path) {
    struct stat st;
    return stat(path, &st) == 0 && S_ISFIFO(st.st_mode);
}

static bool ends_in(const char *path, const char *ending) {
    size_t n = strlen(path), len = strlen(ending);
    return n >= len && strcasecmp(path + n - len, ending) == 0;
}

bool is_fst(const char *path) {
    return ends_in(path, ".fst");
}

bool is_vcd(const char *path) {
    return ends_in(path, ".vcd") || (is_fifo(path) && !is_fst(path));
}

int file_copy(const char *from, const char *to, char *err, size_t err_size) {
    char block[65536];
    struct new_file nf;
    FILE *in = fopen(from, "re");
    if (!in) {
        message_print(err, err_size, "%s: %s", from, strerror(errno));
        return -1;
    }
    if (new_file_open(&nf, to, err, err_size)) {
        fclose(in);
        return -1;
    }
    size_t n;
    while ((n = fread(block, 1, sizeof block, in)) > 0)
        fwrite(block, 1, n, nf.f);
    int bad = ferror(in);
    fclose(in);
    if (!bad)
        return new_file_commit(&nf, err, err_size);
    new_file_drop(&nf);
    message_print(err, err_size, "%s: cannot be read", from);
    return -1;
}
