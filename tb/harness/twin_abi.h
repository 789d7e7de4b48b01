/* SPDX-License-Identifier: Apache-2.0 */
/* What a twin's shared object offers: one exported function, MEMTWIN_TWIN_ENTRY, returns the table.
 * shim.cpp fills it, twin.c loads it. */
#ifndef MEMTWIN_HARNESS_TWIN_ABI_H
#define MEMTWIN_HARNESS_TWIN_ABI_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TWIN_ABI 3

struct twin_table {
    uint32_t abi;
    const char *block;
    const char *params;       /* NAME=VALUE ... as block_params_print writes them */
    const char *ports;        /* "IN rst 1;OUT err 2;..." in list order */
    size_t in_size, out_size; /* of the port list's structs */

    /* An RTL instance in random power-up state. NULL, with the reason in *why, if a port of the
     * Verilated model is not as wide as its list says, or if memory ran out. */
    void *(*create)(uint64_t seed, const char **why);
    void (*destroy)(void *twin);
    /* clk=0, these inputs, settle, read all outputs. */
    void (*eval)(void *twin, const void *in, void *out);
    /* clk=1 with the inputs of the last eval. */
    void (*tick)(void *twin);
    /* NULL, or why the RTL stopped by itself ($stop, $finish, no convergence). It stays stopped. */
    const char *(*fault)(const void *twin);
    /* Evals that were computed; the others found the RTL at a fixpoint. */
    uint64_t (*evaluated)(const void *twin);
    /* Writes a VCD or FST file, as the twin was built, from here on. 0, or -1: not compiled in, or
     * the file cannot be made. */
    int (*wave_open)(void *twin, const char *path);
    /* 0, or the errno of the first write that failed. */
    int (*wave_close)(void *twin);
};

typedef const struct twin_table *twin_entry_fn(void);
#define MEMTWIN_TWIN_ENTRY "memtwin_twin"

#ifdef __cplusplus
}
#endif
#endif
