/* SPDX-License-Identifier: Apache-2.0 */
/* Compares a block's port list with the ports that Yosys finds in its Verilog: names, directions,
 * widths and `clk`, in both directions. No output of a module can thus be left uncompared. */
#ifndef MEMTWIN_HARNESS_PORTS_CHECK_H
#define MEMTWIN_HARNESS_PORTS_CHECK_H

#include <stddef.h>

#include "block/block.h"

/* Returns 0, or -1 with one line in err: the first difference, or why Yosys failed. */
int ports_check(const struct block_type *type, const struct block_params *params, char *err,
                size_t err_size);

#endif
