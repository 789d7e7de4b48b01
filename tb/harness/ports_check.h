/* SPDX-License-Identifier: Apache-2.0 */
/* Compares a block's port list with the ports that Yosys finds in its Verilog: names, directions,
 * widths and `clk`, of the block and, with the observed ports, of its observer. A port that is
 * missing from either one is an error, so no output can be left uncompared. */
#ifndef MEMTWIN_HARNESS_PORTS_CHECK_H
#define MEMTWIN_HARNESS_PORTS_CHECK_H

#include <stddef.h>

#include "block/block.h"

/* Compares the ports. Returns 0, or -1 with a one-line message in err, which is the first
 * difference or the error of Yosys. */
int ports_check(const struct block_type *type, const struct block_params *params,
                struct error *err);

#endif
