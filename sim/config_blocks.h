/* SPDX-License-Identifier: Apache-2.0 */
/* Lists the blocks of a machine that have a Verilog module (memtwin config --blocks). */
#ifndef MEMTWIN_SIM_CONFIG_BLOCKS_H
#define MEMTWIN_SIM_CONFIG_BLOCKS_H

#include <stddef.h>

#include "config/config.h"

/* Prints a line for each block and parameter point, "BLOCK PARAM=VALUE ... ; INSTANCE", where
 * INSTANCE is the first instance with these parameters. The line begins with ";" if the parameters
 * have no Verilog module. Returns 0, or -1 with one line in err. */
int config_blocks_print(const struct config *cfg, struct error *err);

#endif
