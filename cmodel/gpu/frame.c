#include "gpu/frame.h"

#include <stdarg.h>
#include <stdio.h>

void frame_fail(struct frame *f, enum frame_fault fault, const char *format, ...) {
    if (f->fault != FRAME_OK)
        return;
    f->fault = fault;
    va_list args;
    va_start(args, format);
    vsnprintf(f->error, sizeof f->error, format, args);
    va_end(args);
}
