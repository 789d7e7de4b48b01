/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses kernels of a trace by number and by name, as in "1-6,8-,*gemm*". */
#ifndef MEMTWIN_TRACE_CHOICE_H
#define MEMTWIN_TRACE_CHOICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lib/error.h"

/* Part of a choice: a range of numbers, or a pattern of names. */
struct choice_part {
    uint64_t from, to;
    char *pattern; /* owned; NULL for a range */
    bool used;     /* true if a kernel matched */
};

/* All zero if every kernel is chosen. */
struct kernel_choice {
    struct choice_part *part; /* owned */
    size_t n;
};

/* Reads parts that are separated by commas outside of <>, () and {}: N, N-M, N- or -M, numbers of
 * kernels in the list, counted from 1; or a shell pattern (fnmatch) of a kernel's name, mangled or
 * not. A name without wildcards matches every name that contains it. Returns 0, or -1 with one line
 * in err. Call kernel_choice_free in both cases. */
int kernel_choice_read(struct kernel_choice *c, const char *text, struct error *err);
void kernel_choice_free(struct kernel_choice *c);

/* Returns true if the number is chosen. */
bool kernel_choice_number(struct kernel_choice *c, uint64_t number);
/* Returns true if a pattern may choose a kernel that its number does not. */
bool kernel_choice_names(const struct kernel_choice *c);
/* Returns true if a pattern matches the name. */
bool kernel_choice_name(struct kernel_choice *c, const char *name);

/* Checks that each part has chosen a kernel. Returns 0, or -1 with one line in err. */
int kernel_choice_check(const struct kernel_choice *c, uint64_t kernels, struct error *err);
/* Returns a range that ends after the last kernel, or NULL if there is none. "N-" does not. */
const struct choice_part *kernel_choice_beyond(const struct kernel_choice *c, uint64_t kernels);

#endif
