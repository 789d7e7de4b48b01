# SPDX-License-Identifier: Apache-2.0
# Rows of bpg.txt from bpg.json. The macro columns appear if the tags have a macro area.
include "common";
.macro_estimate as $macro
| ["", "tag bits", "state bits", "tags", "lookup", "counters", "judge", "index", "rest", "all flops"]
  + (if $macro then ["tags as macro", "with macro"] else [] end) + ["cells", "flops", "fast: um2", "fast: ns"],
(.designs[]
 | [.name, .bits.tags, .bits.state] + (.area | [.tags, .lookup, .counters, .judge, .index, .rest, .all_flops] | map(i))
   + (if $macro then [(.macro.tags, .area.with_macro | i)] else [] end)
   + [(.cells, .flops, .fast_um2 | i), (.min_period_ns | r)])
| @tsv
