#include "context/context.h"

#include <stdarg.h>
#include <stdio.h>

void context_fail(struct context *f, enum context_fault fault, const char *format, ...) {
    if (f->fault != CONTEXT_OK)
        return;
    f->fault = fault;
    va_list args;
    va_start(args, format);
    vsnprintf(f->error, sizeof f->error, format, args);
    va_end(args);
}
