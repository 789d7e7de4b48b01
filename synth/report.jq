# Rows of report.txt from report.json.
def i: if . == null then "-" else round | tostring end;
def r: if . == null then "-" else tostring end;
["", "CAM", "sets", "control", "slots", "all flops", "ratio", "slot bits", "as macro", "total", "ratio", "cells", "flops", "ns"],
(to_entries[] | select(.key == "l1d" or .key == "l2") | .key as $k | .value | to_entries[]
 | [$k + " " + .key] + (.value | [(.area.cam, .area.sets, .area.control, .slots_as_flops, .area.all_flops | i), (.ratio.all_flops | r),
    (.slot_bits, .slots_as_macro, .area.with_macro | i), (.ratio.with_macro | r), (.cells, .flops | i), (.min_period_ns | r)]))
| @tsv
