// SPDX-License-Identifier: Apache-2.0
#include "terminal.h"

#include <poll.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "os/clean_stream.h"

void terminal_clean(void) {
    stdout = clean_stream(STDOUT_FILENO, isatty(STDOUT_FILENO));
    stderr = clean_stream(STDERR_FILENO, true);
}

bool is_terminal(FILE *to) {
    return isatty(to == stdout ? STDOUT_FILENO : to == stderr ? STDERR_FILENO : fileno(to));
}

void terminal_control(FILE *to, const char *sequence) {
    fflush(to);
    if (to == stdout || to == stderr)
        write_all(to == stdout ? STDOUT_FILENO : STDERR_FILENO, sequence, strlen(sequence));
    else
        fputs(sequence, to);
}

void terminal_end_by_pipe(void) {
    struct pollfd out = {.fd = STDOUT_FILENO};
    if (poll(&out, 1, 0) != 1 || !(out.revents & POLLERR))
        return;
    signal(SIGPIPE, SIG_DFL);
    raise(SIGPIPE);
}
