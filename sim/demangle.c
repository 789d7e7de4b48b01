// SPDX-License-Identifier: Apache-2.0
#include "demangle.h"

#include <libiberty/demangle.h>
#include <setjmp.h>
#include <string.h>

#include "lib/alloc.h"

#define NAME_MAX_BYTES (16 * 1024) /* a short mangled name can stand for one of any size */

struct plain_name {
    char text[NAME_MAX_BYTES];
    size_t n;
    jmp_buf too_long;
};

/* Appends a part of the name. Leaves the demangler, which keeps everything on its stack, if the
 * name is too long. */
static void take_part(const char *part, size_t n, void *ctx) {
    struct plain_name *p = ctx;
    if (n > sizeof p->text - p->n)
        longjmp(p->too_long, 1);
    memcpy(p->text + p->n, part, n);
    p->n += n;
}

char *demangle(const char *name, bool whole) {
    struct plain_name p;
    p.n = 0;
    if (strncmp(name, "_Z", 2) == 0 && setjmp(p.too_long) == 0 &&
        cplus_demangle_v3_callback(name, whole ? DMGL_PARAMS : DMGL_NO_OPTS, take_part, &p))
        return alloc_text_part(p.text, p.n);
    return alloc_text(name);
}
