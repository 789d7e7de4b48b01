#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Speed, in processor time. First the four trace kinds on gtx480 and titanx, beside Accel-Sim's figures on the same traces; then every
# workload on pascal28 with DL-MSHRs: alone, with a timeline, with the data check, with all twins in lockstep. One run after the other,
# the median of three for the traces, so that the ratios mean something. It is no study: that makes a simulation once, and all of these are the
# same simulation, made again to be timed.
#
#   sim/experiments/bench.sh [WORKLOAD[:SIZE]]...     with workloads: only the second table
set -euo pipefail
. "$(dirname "$0")/../../tb/env.bash"
# The L1D's DL-MSHR of Gu and Chen, and one in the L2.
DL="-s l1d.mshr=dl -s l1d.dl_sets=128 -s l1d.dl_slots=2 -s l1d.dl_reserved_heads=64 -s l1d.dl_pools=shared -s l2.mshr=dl"
MEMTWIN=build/memtwin
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

WORKLOADS=(addvect:1048576 2dconv:1024 gemm:256 atax:480 bfs:32768 kmeans:16384,34,5,1 hotspot:512,2,8 ra:1048576)

# Accel-Sim (accel-sim-framework 73f9fac, gpgpu-sim 667834c, release): simulated cycles per second of user time on one core, on these
# very traces. Measured once, on the machine of docs/results/performance.md, not by this script: on another, only its order of magnitude
# means something.
accelsim() { # CONFIG KIND
    case $1-$2 in
    gtx480-vecadd) echo 4141 ;; gtx480-vecadd16) echo 3487 ;; gtx480-divergent) echo 4466 ;; gtx480-random) echo 4006 ;;
    titanx-vecadd) echo 1371 ;; titanx-vecadd16) echo 941 ;; titanx-divergent) echo 1289 ;; titanx-random) echo 1403 ;;
    esac
}

traces() {
    local kind config i
    printf '%-8s %-10s %10s %10s %12s %12s %8s %12s %7s\n' config trace cycles "k insts" "cycles/s" "k insts/s" MiB "Accel-Sim" ratio
    for kind in vecadd vecadd16 divergent random; do
        "$MEMTWIN" trace make "$kind" -o "$work/$kind" >/dev/null
        for config in gtx480 titanx; do
            for i in 1 2 3; do
                "$MEMTWIN" run -c "$config" -t "$work/$kind/kernelslist.g" -q --json "$work/$i.json" >/dev/null
            done
            jq -s -r --arg c "$config" --arg k "$kind" --argjson a "$(accelsim "$config" "$kind")" \
                'sort_by(.host.cpu_seconds)[1] | [$c, $k, .cycles, .warp_insts / 1000, .cycles / .host.cpu_seconds,
                 .warp_insts / .host.cpu_seconds / 1000, .host.peak_rss_kib / 1024, $a, .cycles / .host.cpu_seconds / $a] | @tsv' \
                "$work"/[123].json |
                awk -F'\t' '{ printf "%-8s %-10s %10d %10.0f %12.0f %12.0f %8.1f %12d %6.0fx\n", $1, $2, $3, $4, $5, $6, $7, $8, $9 }'
        done
    done
}

speed() { # WORKLOAD OPTION...: "SM cycles per second, thousands of instructions per second"
    "$MEMTWIN" run -c pascal28 $DL -q -w "$@" --json "$work/speed.json" >/dev/null
    jq -r '[.cycles / .host.cpu_seconds, .warp_insts / .host.cpu_seconds / 1000] | @tsv' "$work/speed.json"
}

workloads() {
    local w alone insts timeline checked twinned
    "$MEMTWIN" run -c pascal28 $DL -q -w addvect:1024 --twin dl_mshr >/dev/null # builds the twins
    printf '%-20s %12s %14s %12s %12s %12s %12s\n' workload "cycles/s" "k insts/s" "+ timeline" "+ check" "+ twins" "slowdown"
    for w in "$@"; do
        read -r alone insts <<<"$(speed "$w")"
        read -r timeline _ <<<"$(speed "$w" --timeline "$work/timeline.json")"
        read -r checked _ <<<"$(speed "$w" --check)"
        read -r twinned _ <<<"$(speed "$w" --twin dl_mshr)"
        awk -v w="$w" -v a="$alone" -v i="$insts" -v l="$timeline" -v c="$checked" -v t="$twinned" \
            'BEGIN { printf "%-20s %12.0f %14.0f %12.0f %12.0f %12.0f %11.1fx\n", w, a, i, l, c, t, a / t }'
    done
}

if [ $# -eq 0 ]; then
    traces
    echo
    set -- "${WORKLOADS[@]}"
fi
workloads "$@"
