// SPDX-License-Identifier: Apache-2.0
#include "commands.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/proc.h"

int usage_error(const char *command, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    fprintf(stderr, "%s: ", command);
    vfprintf(stderr, fmt, args);
    fputc('\n', stderr);
    va_end(args);
    return EXIT_USAGE;
}

bool parse_u64(const char *text, uint64_t *value) {
    if (text[0] == '\0' || strspn(text, "0123456789") != strlen(text))
        return false;
    errno = 0;
    *value = strtoull(text, NULL, 10);
    return errno == 0;
}

/* The only state of the program outside its functions: a signal handler can reach nothing else. */
static volatile sig_atomic_t first_signal, time_up;
static volatile bool *volatile stop_flag;

static void on_signal(int number) {
    if (!stop_flag || first_signal) {
        new_files_abandon();
        signal(number, SIG_DFL);
        raise(number); /* comes when this returns */
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
}

int interrupted(void) {
    return first_signal ? EXIT_SIGNAL + first_signal : 0;
}

bool time_is_up(void) {
    return time_up != 0;
}
