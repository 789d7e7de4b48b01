#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: test, 2 s; long, 15 s
# Current GPUs: every small kernel on v100, a100 and h100 with the data check (in tier test some kernels), and machines as large as the largest GPUs:
# a B200 and an MI300X (docs/understand/system.md).
. tests/lib.bash

good() { # WORKLOAD OPTION...
    expect 0 "$MEMTWIN" run -w "$1" --check -q --json "$work/x.json" "${@:2}"
    jq -e '.verified and (.check.loads > 0 or .stats.load_insts == 0)' "$work/x.json" >/dev/null ||
        complain "$*: $(jq -c '[.end, .check]' "$work/x.json")"
}

declare -A of=([v100]=1 [a100]=8 [h100]=4) # which kernels tier test runs
n=0
while read -r w; do
    n=$((n + 1))
    for config in v100 a100 h100; do
        [ "${TIER:-full}" != test ] || [ $((n % 14)) = "${of[$config]}" ] || continue
        good "$w" -c $config
    done
done <tests/gpu/small_kernels.txt
good addvect:65536 -c a100 -s sm.count=148 -s l1d.ways=384 -s l2.partitions=256 -s l2.banks=1 -s l2.sets=252 -s l2.set_index=bmod
good addvect:65536 -c a100 -s sm.count=304 -s l1d.carveouts=none -s l1d.ways=64 -s l2.partitions=128 -s l2.partition_map=xor -s l2.banks=2 -s l2.sets=512
finish
