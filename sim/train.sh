#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Training runs for `make PGO=1`: short runs that exercise most of the machine.
#
#   sim/train.sh PROGRAM
set -euo pipefail
. "$(dirname "$0")/../tb/env.bash"
MEMTWIN=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

run() {
    "$MEMTWIN" run -q "$@" >/dev/null
}

for kind in vecadd vecadd16 divergent random; do
    "$MEMTWIN" trace make "$kind" --warps 512 -o "$work/$kind" >/dev/null
    for config in gtx480 titanx; do
        run -c $config -t "$work/$kind/kernelslist.g"
    done
done
for workload in gemm:64 bfs:2048 hotspot:64,2,4 srad:64,1 histo:65536,28 spmv:4096,1; do
    run -c titanx -w $workload
    run -c pascal28 -w $workload -s l1d.mshr=dl -s l2.mshr=dl
done
run -c farfault15 -w atax:128 -s uvm.memory_percent=50
run -c titanx -w gemm:64 --check
