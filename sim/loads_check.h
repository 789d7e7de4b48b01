/* SPDX-License-Identifier: Apache-2.0 */
/* Checks a file of loads (loads.h) for all that its page relies on. */
#ifndef MEMTWIN_SIM_LOADS_CHECK_H
#define MEMTWIN_SIM_LOADS_CHECK_H

#include <cjson/cJSON.h>

#include "lib/error.h"

/* Returns 0, or -1 with one line in err about the first value that is wrong. */
int loads_check(const cJSON *root, struct error *err);

#endif
