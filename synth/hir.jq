# SPDX-License-Identifier: Apache-2.0
# Rows of hir.txt from hir.json. The columns of the macro estimate are there if the storage was priced as macros.
include "common";
.macro_estimate as $macro
| ["", "entries", "order", "lookup", "send", "rest", "logic", "all flops"]
  + (if $macro then ["entries as macro", "order as macro", "with macro"] else [] end) + ["cells", "flops", "control flops", "ns"]
  + (if $macro then ["ns, macro"] else [] end),
(.designs[]
 | [.name] + (.area | [.entries, .order, .lookup, .send, .rest, .logic, .all_flops] | map(i))
   + (if $macro then [(.macro.entries, .macro.order, .area.with_macro | i)] else [] end)
   + [(.cells, .flops, .control_flops | i), (.min_period_ns | r)]
   + (if $macro then [.macro_period_ns | r] else [] end))
| @tsv
