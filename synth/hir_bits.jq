# SPDX-License-Identifier: Apache-2.0
# Stored bits of the designs of hir.json, next to the paper's HIR. Whole numbers: with the index bits in the tag too, as in the paper.
include "common";
def kb: . / 8192 * 100 | round / 100;
def share(of): . / of * 1000 | round / 10;
.paper as $p
| ["bits", "entries", "tags", "counters", "valid", "rows", "order", "all", "KB", "% of 240 KB L1D", "tags and counters, KB", "with whole numbers, KB"],
(["paper", $p.entries, $p.tag_bits, $p.counter_bits, "-", "-", "-"]
 + ($p.tag_bits + $p.counter_bits | [., kb, share($p.l1d_bits), kb, kb])),
(.designs[] | .name as $name | .bits
 | [$name, .entries, .tags, .counters, .valid, .rows, .order, .all, (.all | kb), (.all | share($p.l1d_bits)), (.tags + .counters | kb), (.paper | kb)])
| @tsv
