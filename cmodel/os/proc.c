// SPDX-License-Identifier: Apache-2.0
#include "os/proc.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static const int passed_on[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGALRM};
#define N_PASSED_ON (sizeof passed_on / sizeof *passed_on)

/* PID of the running child, and the last signal caught while it ran, or 0. They are global because
 * the signal handler uses them. */
static volatile pid_t running;
static volatile sig_atomic_t caught;

static void pass_on(int signal) {
    caught = signal;
    kill(-running, signal);
}

/* Runs argv in the child, after fork(). `mask` is the caller's signal mask. */
static void exec_child(const char *const argv[], const char *cwd, int log, const sigset_t *mask) {
    struct sigaction now;
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGTERM); /* a SIGKILL sent to the caller cannot be passed on */
    for (size_t i = 0; i < N_PASSED_ON; i++)
        if (sigaction(passed_on[i], NULL, &now) == 0 && now.sa_handler != SIG_IGN)
            signal(passed_on[i], SIG_DFL);
    signal(SIGPIPE, SIG_DFL); /* the caller ignores SIGPIPE and SIGXFSZ */
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

/* Installs the handler for the signals in passed_on and stores the previous actions in `before`.
 * Signals that are ignored stay ignored, also in the child. */
static void watch_signals(struct sigaction before[]) {
    struct sigaction watch = {.sa_handler = pass_on};
    for (size_t i = 0; i < N_PASSED_ON; i++) {
        sigaction(passed_on[i], &watch, &before[i]);
        if (before[i].sa_handler == SIG_IGN)
            sigaction(passed_on[i], &before[i], NULL);
    }
}

/* Starts the child, with the signals in passed_on blocked until `running` is set, and waits for
 * the child to end. Returns 0, or nonzero with errno set. */
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
        exec_child(argv, cwd, log, &mask);
    if (pid > 0) {
        setpgid(pid, pid); /* called by both processes, because either may run first */
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

int proc_run(const char *const argv[], const char *cwd, const char *log, struct error *err) {
    int fd = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666), status = 0;
    if (fd < 0)
        return error_set(err, "%s: %s", log, strerror(errno));
    int failed = run_child(argv, cwd, fd, &status), why = errno;
    close(fd);
    if (caught) {
        raise(caught);
        return error_set(err, "interrupted");
    }
    if (failed)
        error_set(err, "%s: %s", argv[0], strerror(why));
    else if (WIFSIGNALED(status))
        error_set(err, "%s: ended by signal %d (%s)", argv[0], WTERMSIG(status),
                  strsignal(WTERMSIG(status)));
    return failed || !WIFEXITED(status) ? -1 : WEXITSTATUS(status);
}
