# SPDX-License-Identifier: Apache-2.0
# Rows of report.txt from report.json. The macro columns appear if the slots have a macro area.
include "common";
.macro_estimate as $macro
| ["", "CAM", "sets", "control", "logic", "ratio", "slot bits", "slots", "all flops", "ratio"]
  + (if $macro then ["slots as macro", "with macro", "ratio"] else [] end) + ["cells", "flops", "fast: um2", "fast: ns"],
(to_entries[] | select(.value | type == "object" and all(.[]; type == "object" and has("area"))) | .key as $k | .value | to_entries[]
 | [$k + " " + .key] + (.value
    | [(.area.cam, .area.sets, .area.control, .area.logic | i), (.ratio.logic | r), (.slot_bits, .slots_as_flops, .area.all_flops | i), (.ratio.all_flops | r)]
      + (if $macro then [(.slots_as_macro, .area.with_macro | i), (.ratio.with_macro | r)] else [] end)
      + [(.cells, .flops, .fast_um2 | i), (.min_period_ns | r)]))
| @tsv
