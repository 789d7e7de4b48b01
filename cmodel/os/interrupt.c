// SPDX-License-Identifier: Apache-2.0
#include "os/interrupt.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "os/new_file.h"

/* Timeout of poll() in ms, because a signal just before poll() does not interrupt it. */
#define LOOK_EVERY 100

/* These variables are global because the signal handlers use them. */
static volatile sig_atomic_t first_signal, time_up;
static volatile bool *volatile stop_flag;

static void on_signal(int number) {
    if (!stop_flag || first_signal) {
        new_files_abandon();
        signal(number, SIG_DFL);
        raise(number); /* delivered when this handler returns */
        return;
    }
    first_signal = number;
    *stop_flag = true;
}

static void on_time_up(int number) {
    (void)number;
    time_up = 1;
    if (stop_flag)
        *stop_flag = true;
}

void interrupt_catch(volatile bool *stop) {
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction action = {.sa_handler = on_signal}, before;
    stop_flag = stop;
    if (stop && (first_signal || time_up))
        *stop = true;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (sigaction(numbers[i], NULL, &before) == 0 &&
            (before.sa_handler != SIG_IGN || (stop && numbers[i] == SIGINT)))
            sigaction(numbers[i], &action, NULL);
}

void time_limit(unsigned seconds) {
    struct sigaction action = {.sa_handler = on_time_up};
    sigaction(SIGALRM, &action, NULL);
    alarm(seconds);
    time_up = 0;
}

int interrupted(void) {
    return first_signal ? EXIT_SIGNAL + first_signal : 0;
}

bool time_is_up(void) {
    return time_up != 0;
}

bool stop_asked(void) {
    return interrupted() || time_is_up();
}

ssize_t read_until_stop(int fd, void *to, size_t size) {
    struct pollfd in = {.fd = fd, .events = POLLIN};
    while (!stop_asked()) {
        if (poll(&in, 1, LOOK_EVERY) <= 0)
            continue;
        ssize_t n = read(fd, to, size);
        if (n >= 0 || (errno != EINTR && errno != EAGAIN))
            return n;
    }
    errno = EINTR;
    return -1;
}

const char *read_error(int errnum) {
    if (errnum != EINTR)
        return strerror(errnum);
    return interrupted() ? "interrupted" : "--max-time expired before the end of the input";
}
