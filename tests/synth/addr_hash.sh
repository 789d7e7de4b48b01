#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: full, 40 s
# synth/addr_hash.sh on tiny designs: the report is complete, and a fault ends it with exit code 1 and a reason. Run from the root.
. tests/lib.bash
. tests/synth/report.bash
report_of addr_hash.sh addr_hash_quick

macro 4x4 32.0 # no storage would use it

quick 'set index' 'partition map' pipeline all cells flops 'fast: um2' 'fast: ns'
holds "not the three designs" '[.designs[].name] == ["hash_8", "hash_4", "wires"]'
holds "areas do not add up" '.designs | all(.area | (.index + .map + .rest - .all) | fabs < 0.01)'
holds "a pipeline without area" '.designs | all(.area.rest > 0)'
# Low bits are wires. A remainder by 7 is larger than 11 times two bits, and a division by 12 is larger than an XOR.
holds "a remainder by a power of two has an area" '.designs[2].area | .index == 0 and .map == 0'
holds "not the areas of the functions" '.designs | map(.area) | .[0].index > .[1].index and .[1].index > 0 and .[0].map > .[1].map and .[1].map > 0'
# Valid, line, set and partition in one stage or in each of two. For pmod the first stage has the sum instead of the set.
holds "not the flip-flops" '[.designs[].flops] == [(1 + 8 + 7 + 4) + (1 + 8 + 3 + 4), 1 + 6 + 2 + 2, 1 + 4 + 2 + 1]'
holds "no critical path" '[.designs[].min_period_ns] as [$pmod, $d_prime, $wires] | $wires > 0 and $d_prime > $wires and $pmod > $d_prime'

# ---- errors
refuses
broken "an illegal parameter" rtl/addr_hash/block.points '/^hash_8 /s/SETS=8/SETS=7/'
finish
