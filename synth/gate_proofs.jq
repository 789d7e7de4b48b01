# SPDX-License-Identifier: Apache-2.0
# Rows of the proofs in gate_level.txt from gate_level.json.
include "common";
["against the RTL", "netlist", "cells", "flip-flops", "um2", "part", "times", "registers", "shown", "s"],
(.designs[] | . as $d | .proofs[]
 | {"area": $d, "gated": $d.gated}[.netlist] as $all
 | [$d.name, .netlist] + ($all | if . then [.cells, .flops, .um2] | map(i) else ["", "", ""] end)
   + [.what, .n, (.registers | i), if .own then "no, \(.own) registers of its own" elif .copies > 0 then "equal, \(.copies) copies" else "equal" end, (.seconds | r)])
| @tsv
