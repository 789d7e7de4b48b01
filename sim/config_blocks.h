/* SPDX-License-Identifier: Apache-2.0 */
/* The blocks with Verilog of a machine: memtwin config --blocks. */
#ifndef MEMTWIN_SIM_CONFIG_BLOCKS_H
#define MEMTWIN_SIM_CONFIG_BLOCKS_H

#include <stddef.h>

#include "config/config.h"

/* Prints a line for each block and parameter point: "BLOCK PARAM=VALUE ... ; INSTANCE", the first
 * instance that is one; what has no Verilog at its parameters behind a ";". 0, or -1 with one line
 * in err. */
int config_blocks_print(const struct config *cfg, char *err, size_t err_size);

#endif
