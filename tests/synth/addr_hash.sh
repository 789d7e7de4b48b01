#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: full, 40 s
# synth/addr_hash.sh on tiny designs: the report has what it should, a fault ends it with exit code 1 and a reason. And OBSERVE=0, whose area is
# taken, is proven to be the block that the twins verify. Run from the root. Exit code: 0 if all is well.
. tests/lib.bash
. tests/synth/same_block.bash
. tests/synth/report.bash
report_of addr_hash.sh addr_hash_quick

macro 4x4 32.0 # there is no storage that would need it

quick 'set index' 'partition map' pipeline all cells flops ns
holds "not the three designs" '[.designs[].name] == ["hash_8", "hash_4", "wires"]'
holds "areas do not add up" '.designs | all(.area | (.index + .map + .rest - .all) | fabs < 0.01)'
holds "a pipeline without area" '.designs | all(.area.rest > 0)'
# Low bits are wires; a remainder by 7 takes more than 11 times two bits, a division by 12 more than an XOR.
holds "a remainder by a power of two has an area" '.designs[2].area | .index == 0 and .map == 0'
holds "not the areas of the functions" '.designs | map(.area) | .[0].index > .[1].index and .[1].index > 0 and .[0].map > .[1].map and .[1].map > 0'
# Valid, line, set, partition: in each of two ranks, or in one; in the first of pmod the sum before the set.
holds "not the flip-flops" '[.designs[].flops] == [(1 + 8 + 7 + 4) + (1 + 8 + 3 + 4), 1 + 6 + 2 + 2, 1 + 4 + 2 + 1]'
holds "no critical path" '[.designs[].min_period_ns] as [$pmod, $d_prime, $wires] | $wires > 0 and $d_prime > $wires and $pmod > $d_prime'

# ---- what ends it
refuses
broken "an illegal parameter" rtl/addr_hash/block.points '/^hash_8 /s/SETS=8/SETS=7/'

# ---- OBSERVE=0 is the same block: it has no st_ ports
same_blocks addr_hash
finish
