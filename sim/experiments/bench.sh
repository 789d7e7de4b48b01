#!/bin/bash
# Simulated SM cycles per second of each workload on pascal28 with DL-MSHRs: alone, with the data check, with all
# twins in lockstep. One run after the other, so that the ratios mean something.
#
#   sim/experiments/bench.sh [WORKLOAD[:SIZE]]...
set -euo pipefail
cd "$(dirname "$0")/../.."
MEMTWIN=build/memtwin
json=$(mktemp)
trap 'rm -f "$json"' EXIT

WORKLOADS=(addvect:1048576 2dconv:1024 gemm:256 atax:480 bfs:32768 kmeans:16384,34,5,1 hotspot:512,2,8 ra:1048576)
[ $# -eq 0 ] || WORKLOADS=("$@")

speed() { # WORKLOAD OPTION...: "SM cycles per second, thousands of instructions per second"
    "$MEMTWIN" run -c pascal28 -s l1d.mshr=dl -s l2.mshr=dl -q -w "$@" --json "$json" >/dev/null
    jq -r '[.host.cycles_per_s, .warp_insts / .host.seconds / 1000] | @tsv' "$json"
}

"$MEMTWIN" run -c pascal28 -s l1d.mshr=dl -s l2.mshr=dl -q -w addvect:1024 --twin dl_mshr >/dev/null # builds the twins
printf '%-20s %12s %14s %12s %12s %12s\n' workload "cycles/s" "k insts/s" "+ check" "+ twins" "slowdown"
for w in "${WORKLOADS[@]}"; do
    read -r alone insts <<<"$(speed "$w")"
    read -r checked _ <<<"$(speed "$w" --check)"
    read -r twinned _ <<<"$(speed "$w" --twin dl_mshr)"
    awk -v w="$w" -v a="$alone" -v i="$insts" -v c="$checked" -v t="$twinned" \
        'BEGIN { printf "%-20s %12.0f %14.0f %12.0f %12.0f %11.1fx\n", w, a, i, c, t, a / t }'
done
