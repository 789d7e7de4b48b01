# SPDX-License-Identifier: Apache-2.0
# Rows of hir.txt from hir.json. The macro columns appear if the storage has a macro area.
include "common";
.macro_estimate as $macro
| ["", "entries", "order", "lookup", "send", "rest", "logic", "all flops"]
  + (if $macro then ["entries as macro", "order as macro", "with macro"] else [] end) + ["cells", "flops", "control flops", "fast: um2", "fast: ns"]
  + (if $macro then ["macros: um2", "macros: ns"] else [] end),
(.designs[]
 | [.name] + (.area | [.entries, .order, .lookup, .send, .rest, .logic, .all_flops] | map(i))
   + (if $macro then [(.macro.entries, .macro.order, .area.with_macro | i)] else [] end)
   + [(.cells, .flops, .control_flops, .fast_um2 | i), (.min_period_ns | r)]
   + (if $macro then [(.macro_um2 | i), (.macro_period_ns | r)] else [] end))
| @tsv
