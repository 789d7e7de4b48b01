/* SPDX-License-Identifier: Apache-2.0 */
/* Compares a block's port list with the ports that Yosys finds in its Verilog: names, directions,
 * widths and `clk`, of the block and, with the observed ports, of its observer. A port that is
 * missing from either one is an error, so no output can be left uncompared. */
#ifndef MEMTWIN_HARNESS_PORTS_CHECK_H
#define MEMTWIN_HARNESS_PORTS_CHECK_H

#include <stddef.h>

#include "block/block.h"

enum ports_verdict {
    PORTS_EQUAL,
    PORTS_DIFFER,  /* err has the first difference */
    PORTS_UNKNOWN, /* err says why the ports cannot be compared, such as an error of Yosys */
};

/* Compares the ports of the block and its observer. err has one line unless they are equal. */
enum ports_verdict ports_check(const struct block_type *type, const struct block_params *params,
                               struct error *err);
/* Does the same without the observer. */
enum ports_verdict ports_check_bare(const struct block_type *type,
                                    const struct block_params *params, struct error *err);

#endif
