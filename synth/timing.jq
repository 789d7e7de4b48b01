# SPDX-License-Identifier: Apache-2.0
# Rows of timing.txt from timing.json.
include "common";
(.designs | any(.macro)) as $macro
| ["", "storage", "um2", "ns", "ns, wire load", "MHz", "slack, ns", "to static", "cells on the path", "endpoints", "hold slack, ns"]
  + (if $macro then ["macros: um2", "macros: ns", "macros: ns, wire load"] else [] end) + ["smallest: um2"],
(.designs[]
 | def ns: if . == null then "-" else fixed(3) end;
   [.name, (if .storage_cut then "cut" else "flip-flops" end), (.area.fast | i), (.min_period_ns, .wire_period_ns | ns), .mhz, (.slack_ns, .to_static | ns),
    (.stages | length), .endpoints, (.hold.slack_ns | ns)]
   + (if $macro then [(.macro.area | i), (.macro.period_ns, .macro.wire_period_ns | ns)] else [] end) + [.area.smallest | i])
| @tsv
