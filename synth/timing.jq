# SPDX-License-Identifier: Apache-2.0
# Rows of timing.txt from timing.json.
include "common";
(.designs | any(.macro_period_ns)) as $macro
| ["", "ns", "MHz", "slack, ns"] + (if $macro then ["ns, macro"] else [] end)
  + ["to static", "cells on the path", "endpoints", "hold slack, ns", "um2, smallest", "um2, this one"],
(.designs[]
 | def ns: if . == null then "-" else fixed(3) end;
   [.name, (.min_period_ns | ns), .mhz, (.slack_ns | ns)] + (if $macro then [.macro_period_ns | ns] else [] end)
   + [(.to_static | ns), (.stages | length), .endpoints, (.hold.slack_ns | ns), (.area.smallest, .area.fastest | i)])
| @tsv
