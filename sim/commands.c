// SPDX-License-Identifier: Apache-2.0
#include "commands.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const struct exit_code exit_codes[] = {
    {"0", "good"},
    {"1", "usage, configuration or input error"},
    {"2", "internal error"},
    {"3", "lockstep mismatch"},
    {"4", "data check failed or results wrong"},
    {"5", "no progress"},
    {"6", "done, but kernels of the trace were left out (run --skip-bad)"},
    {"128 + N", "ended by signal N: 130 SIGINT (Ctrl-C), 143 SIGTERM, 129 SIGHUP"},
    {NULL, NULL}};

bool parse_u64(const char *text, uint64_t *value) {
    if (text[0] == '\0' || strspn(text, "0123456789") != strlen(text))
        return false;
    errno = 0;
    *value = strtoull(text, NULL, 10);
    return errno == 0;
}
