# SPDX-License-Identifier: Apache-2.0
# Rows of the replays in gate_level.txt from gate_level.json.
include "common";
["replayed without a difference", "netlist", "engine", "wakes up at", "cycles", "reached", "s", "vectors"],
(.replays[] | [.name, .netlist, .engine, .wakes, (.cycles | i), (.reached | if . then "\(.[0]) of \(.[1])" else "-" end), (.seconds | i), .vectors])
| @tsv
