# Rows of the proofs in gate_level.txt from gate_level.json.
include "common";
["against the RTL", "cells", "flip-flops", "um2", "netlist", "part", "registers", "shown", "s"],
(.designs[] | . as $d | .proofs[]
 | [$d.name] + ($d | [.cells, .flops, .um2] | map(i)) + [.netlist, .what, (.registers | i), if .own then "no: \(.own) registers of its own" else "equal" end, (.seconds | r)])
| @tsv
