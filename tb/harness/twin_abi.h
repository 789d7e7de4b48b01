/* SPDX-License-Identifier: Apache-2.0 */
/* Interface of a twin's shared object. Its one exported function, MEMTWIN_TWIN_ENTRY, returns the
 * table below. shim.cpp fills the table, and twin.c loads it. */
#ifndef MEMTWIN_HARNESS_TWIN_ABI_H
#define MEMTWIN_HARNESS_TWIN_ABI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TWIN_ABI 4

/* Waves, which Icarus writes in the same form. */
#define WAVE_CYCLE 1000 /* duration of a cycle in picoseconds */
#define WAVE_AFTER 4    /* number of cycles by which a wave outlasts a difference */
/* Signal of the scope `expected` that is 1 in a cycle in which an output differs. */
#define WAVE_MISMATCH "mismatch"

struct twin_table {
    uint32_t abi;
    const char *block;
    const char *params;       /* list of NAME=VALUE, as written by block_params_print */
    const char *ports;        /* "IN rst 1;OUT err 2;..." in list order */
    size_t in_size, out_size; /* sizes of the port list's structs in bytes */

    /* Makes an RTL instance in a random power-up state. Returns NULL with the reason in *why if a
     * port's width differs from the list, or if there is not enough memory. */
    void *(*create)(uint64_t seed, const char **why);
    void (*destroy)(void *twin);
    /* Sets clk=0 and the inputs, settles the RTL, and reads all outputs. */
    void (*eval)(void *twin, const void *in, void *out);
    /* Sets clk=1, with the inputs of the last eval. */
    void (*tick)(void *twin);
    /* Returns the reason why the RTL stopped by itself ($stop, $finish, no convergence), or NULL
     * if it did not. It stays stopped. */
    const char *(*fault)(const void *twin);
    /* Returns the number of evals that were computed. In all other evals, the RTL was at a
     * fixpoint. */
    uint64_t (*evaluated)(const void *twin);
    /* Starts a VCD or FST file, depending on the kind of twin. Returns 0, or -1 if waves are not
     * compiled in or if the file cannot be created. */
    int (*wave_open)(void *twin, const char *path);
    /* Writes the outputs after an eval to the wave, if one is open, with the expected outputs. Must
     * follow each eval. */
    void (*wave_expect)(void *twin, const void *out, bool mismatch);
    /* Ends the wave file. Returns 0, or the errno of the first failed write. */
    int (*wave_close)(void *twin);
};

typedef const struct twin_table *twin_entry_fn(void);
#define MEMTWIN_TWIN_ENTRY "memtwin_twin"

#ifdef __cplusplus
}
#endif
#endif
