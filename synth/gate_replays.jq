# Rows of the replays in gate_level.txt from gate_level.json.
include "common";
["replayed without a difference", "netlist", "engine", "cycles", "s", "vectors"],
(.replays[] | [.name, .netlist, .engine, (.cycles, .seconds | i), .vectors])
| @tsv
