/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the view of a wave: a GTKWave save file beside it, which names the wave, its signals and
 * the time of the first difference. */
#ifndef MEMTWIN_HARNESS_VIEW_H
#define MEMTWIN_HARNESS_VIEW_H

#include "harness/layout.h"

struct wave_view {
    const char *wave;       /* path of the wave */
    const struct layout *l; /* ports of the block */
    const char *top;        /* scope that has the block's ports or, in it, those of `dut` */
    const char *dut;
    bool observed;  /* true if the wave has the observed ports */
    uint64_t from;  /* first cycle in the wave */
    bool different; /* true if the outputs differ in `cycle` */
    uint64_t cycle;
};

/* Writes NAME.gtkw beside the wave NAME.vcd or NAME.fst, and stores its path in `path`, which has
 * PATH_SIZE bytes. Keeps a file that another program has written, such as GTKWave, and sets
 * *kept. Sets `other`, of the same size, to the name of the other wave whose view it has replaced,
 * or to "". Returns 0, or -1 with one line in err. */
int view_write(const struct wave_view *v, char *path, bool *kept, char *other, struct error *err);

#endif
