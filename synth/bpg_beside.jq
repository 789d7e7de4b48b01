# SPDX-License-Identifier: Apache-2.0
# The first design of bpg.json next to the paper: one SM's, all SMs' (local) and a single shared one (global). With macros, that is at 45
# nm, also its share of the GTX 480 (by the paper's ratio) and of the L1D.
include "common";
def to(n): . * n | round / n;
.paper as $paper | .l1d.area as $l1d
| ["", "um2 an SM", "um2 a bit", "\($paper.sms) SMs, mm2", "1 SM, mm2"] + (if $l1d then ["% of GTX 480", "% of L1D arrays"] else [] end),
(({name: "paper: arrays, CACTI", area: ($paper.arrays_mm2 * 1e6 / $paper.sms), bits: $paper.bits},
  (.designs[0] | (.bits.tags + .bits.state) as $bits
   | {name: "arrays, all flops", area: .area.arrays, bits: $bits}, {name: "all, all flops", area: .area.all_flops},
     {name: "arrays, tags as macro", area: .area.arrays_with_macro, bits: $bits}, {name: "all, tags as macro", area: .area.with_macro})
  | select(.area))
 | (.area * $paper.sms / 1e6) as $local
 | [.name, (.area | i), (if .bits then .area / .bits | to(100) else null end | r), ($local | to(1000)), (.area / 1e6 | to(10000))]
   + (if $l1d then [($local * $paper.percent_of_gtx480 / $paper.arrays_mm2 | to(1000)), (.area / $l1d * 100 | to(10))] else [] end))
| @tsv
