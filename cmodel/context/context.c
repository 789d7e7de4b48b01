// SPDX-License-Identifier: Apache-2.0
#include "context/context.h"

#include <stdarg.h>
#include <stdio.h>

void context_fail(struct context *c, enum context_fault fault, const char *format, ...) {
    if (c->fault != CONTEXT_OK)
        return;
    c->fault = fault;
    va_list args;
    va_start(args, format);
    error_vset(&c->error, format, args);
    va_end(args);
}
