# SPDX-License-Identifier: Apache-2.0
# Rows of power.txt from power.json: each design, then its modules.
include "common";
def row(name; cells; more): [name, cells] + (([.clock, .internal, .switching, .leakage] | . + [add]) | map(fixed(4))) + more;
["", "cells", "clock", "internal", "switching", "leakage", "all", "idle", "activity"],
(.designs[]
 | . as $d
 | ($d.mw | row($d.name; $d.modules | [.[].cells] | add; [(.idle | fixed(4)), ($d.activity | fixed(5))])),
   ($d.modules | to_entries[] | .key as $name | .value | row("  \($name)"; .cells; ["", ""])))
| @tsv
