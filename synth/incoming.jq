# SPDX-License-Identifier: Apache-2.0
# Rows of incoming.txt from incoming.json. The macro columns appear if the storage has a macro area.
include "common";
.macro_estimate as $macro
| ["", "place bits", "tag bits", "places", "tags", "queues", "drain", "fill", "rest", "control", "all flops"]
  + (if $macro then ["% of L2", "places as macro", "tags as macro", "with macro", "% of L2"] else [] end) + ["cells", "flops", "fast: um2", "fast: ns"],
(.designs[]
 | [.name, .bits.places, .bits.tags] + (.area | [.places, .tags, .queues, .drain, .fill, .rest, .control, .all_flops] | map(i))
   + (if $macro then [(.percent_of_l2.all_flops | r), (.macro.places, .macro.tags, .area.with_macro | i), (.percent_of_l2.with_macro | r)] else [] end)
   + [(.cells, .flops, .fast_um2 | i), (.min_period_ns | r)])
| @tsv
