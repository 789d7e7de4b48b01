/* SPDX-License-Identifier: Apache-2.0 */
/* Makes names of C++ functions readable, with the library of binutils (libiberty). */
#ifndef MEMTWIN_SIM_DEMANGLE_H
#define MEMTWIN_SIM_DEMANGLE_H

#include <stdbool.h>

/* Returns a function's name with its namespaces and template arguments and, if `whole` is true, its
 * parameters and result. A name that is not mangled, or is longer than 16 KiB when it is not, is
 * returned as it is. The caller frees the text. */
char *demangle(const char *name, bool whole);

#endif
