// SPDX-License-Identifier: Apache-2.0
#include "commands.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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
static volatile sig_atomic_t was_interrupted;
static volatile bool *stop_flag;

static void on_interrupt(int signal) {
    (void)signal;
    was_interrupted = 1;
    *stop_flag = true;
}

void interrupt_catch(volatile bool *stop) {
    stop_flag = stop;
    struct sigaction action = {.sa_handler = on_interrupt, .sa_flags = (int)SA_RESETHAND};
    sigaction(SIGINT, &action, NULL);
}

bool interrupted(void) {
    return was_interrupted != 0;
}
