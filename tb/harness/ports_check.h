/* SPDX-License-Identifier: Apache-2.0 */
/* Holds a block's port list against the ports that Yosys sees in its Verilog: names, directions,
 * widths, both ways, and `clk`. So no output of a module can be left uncompared. */
#ifndef MEMTWIN_HARNESS_PORTS_CHECK_H
#define MEMTWIN_HARNESS_PORTS_CHECK_H

#include <stddef.h>

#include "block/block.h"

/* Returns 0, or -1 with one line in err: the first difference, or why Yosys failed. */
int ports_check(const struct block_type *type, const struct block_params *params, char *err,
                size_t err_size);

#endif
