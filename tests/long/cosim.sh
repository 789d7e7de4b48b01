#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Runs a million cycles or more of each block with seed 1 at the points tagged long, long enough for the coverage
# floors of the largest static_mshr. Then runs 90,000 cycles, fewer than floors require, at each size that a configuration ships or that ends
# a parameter's range (tb/harness/sizes.sh). Then runs tests/cosim.sh, longer than in tier full.
. tests/lib.bash
. tb/harness/blocks.bash

points long >"$work/points"
for block in $(blocks); do grep -q "^$block " "$work/points" || complain "$block has no point"; done
while read -r block name cycles point; do
    expect 0 "$MEMTWIN" cosim "$block" $(printf -- ' -p %s' $point | sed 's/^ -p $//') --cycles "$cycles" --seed 1 </dev/null
    echo "$block $name $point"
    tail -n 3 "$work/out"
done <"$work/points"
TIER=long tb/harness/sizes.sh >"$work/sizes" || complain "tb/harness/sizes.sh fails"
while read -r block point; do
    expect 0 "$MEMTWIN" cosim "$block" $(printf -- '-p %s ' ${point%%|*}) --cycles 90000 </dev/null
    echo "$block $point"
done <"$work/sizes"
for block in $(blocks); do expect 0 env TIER=long tests/cosim.sh "$block"; done
finish
