/* SPDX-License-Identifier: Apache-2.0 */
/* Lists the blocks of a machine that have Verilog: memtwin config --blocks. */
#ifndef MEMTWIN_SIM_CONFIG_BLOCKS_H
#define MEMTWIN_SIM_CONFIG_BLOCKS_H

#include <stddef.h>

#include "config/config.h"

/* Prints a line for each block and parameter point, "BLOCK PARAM=VALUE ... ; INSTANCE", with its
 * first instance. A ";" begins the line if there is no Verilog for these parameters. Returns 0, or
 * -1 with one line in err. */
int config_blocks_print(const struct config *cfg, char *err, size_t err_size);

#endif
