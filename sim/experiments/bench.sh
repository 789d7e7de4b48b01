#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Measures processor time and prints two tables. The first compares the four trace kinds on gtx480 and titanx with Accel-Sim's times on the
# same traces; a time is that of the whole process, the mean of 40 runs for vecadd and of 5 for the others. The second has every workload on
# pascal28 with DL-MSHRs: alone, with a timeline, with the data check, and with all twins in lockstep. Runs are sequential, so that ratios
# are meaningful. This is a script because a study runs each simulation only once.
#
#   sim/experiments/bench.sh [WORKLOAD[:SIZE]]...     with workloads: only the second table
set -euo pipefail
. "$(dirname "$0")/../../tb/env.bash"
# Options for Gu and Chen's DL-MSHR in the L1D, and for a DL-MSHR in the L2.
DL="-s l1d.mshr=dl -s l1d.dl_sets=128 -s l1d.dl_slots=2 -s l1d.dl_reserved_heads=64 -s l1d.dl_pools=shared -s l2.mshr=dl"
MEMTWIN=build/memtwin
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

WORKLOADS=(addvect:1048576 2dconv:1024 gemm:256 atax:480 bfs:32768 kmeans:16384,34,5,1 hotspot:512,2,8 ra:1048576)

# Times of Accel-Sim (accel-sim-framework 73f9fac, gpgpu-sim 667834c, release) on the same traces: processor seconds of the process, including those of
# the operating system, and simulated cycles. Measured once, on the machine and date in docs/results/performance.md, not by this script: on another
# machine, only the ratio's order of magnitude is meaningful.
accelsim() { # CONFIG KIND
    case $1-$2 in
    gtx480-vecadd) echo 2.235 10107 ;; gtx480-vecadd16) echo 51.80 188340 ;; gtx480-divergent) echo 31.54 140795 ;; gtx480-random) echo 31.22 139712 ;;
    titanx-vecadd) echo 3.303 4470 ;; titanx-vecadd16) echo 72.12 92153 ;; titanx-divergent) echo 15.82 23909 ;; titanx-random) echo 27.38 46504 ;;
    esac
}

# seconds N COMMAND..: prints the processor seconds of the command, as the mean of N runs
seconds() {
    local TIMEFORMAT='%U %S' n=$1 i
    shift
    { time for ((i = 0; i < n; i++)); do "$@" >/dev/null; done; } 2>&1 | awk -v n="$n" '{ printf "%.4f", ($1 + $2) / n }'
}

traces() {
    local kind config times cycles insts rss ours theirs their_cycles
    "$MEMTWIN" --version
    printf '%-8s %-10s %10s %10s %9s %12s %12s %8s %10s %7s\n' config trace cycles "k insts" seconds "cycles/s" "k insts/s" MiB "Accel-Sim" ratio
    for config in gtx480 titanx; do
        for kind in vecadd vecadd16 divergent random; do
            [ -e "$work/$kind" ] || "$MEMTWIN" trace make "$kind" -o "$work/$kind" >/dev/null
            [ $kind = vecadd ] && times=40 || times=5
            set -- "$MEMTWIN" run -c "$config" -t "$work/$kind/kernelslist.g" -q
            "$@" --json "$work/run.json" >/dev/null
            read -r cycles insts rss < <(jq -r '[.cycles, .warp_insts / 1000, .host.peak_rss_kib / 1024] | @tsv' "$work/run.json")
            ours=$(seconds $times "$@")
            read -r theirs their_cycles < <(accelsim "$config" "$kind")
            awk -v c="$config" -v k="$kind" -v cycles="$cycles" -v insts="$insts" -v rss="$rss" -v s="$ours" -v t="$theirs" -v tc="$their_cycles" \
                'BEGIN { printf "%-8s %-10s %10d %10.0f %9.4f %12.0f %12.0f %8.1f %10.2f %6.1fx\n", c, k, cycles, insts, s, cycles / s, insts / s, rss, t, cycles / s / (tc / t) }'
        done
    done | tee "$work/table"
    awk '{ n[$1]++; sum[$1] += log($NF + 0) } END { for (c in n) printf "%-8s geometric mean %.1fx\n", c, exp(sum[c] / n[c]) }' "$work/table" | sort
}

speed() { # WORKLOAD OPTION...: "SM cycles per second, thousands of instructions per second"
    "$MEMTWIN" run -c pascal28 $DL -q -w "$@" --json "$work/speed.json" >/dev/null
    jq -r '[.cycles / .host.cpu_seconds, .warp_insts / .host.cpu_seconds / 1000] | @tsv' "$work/speed.json"
}

workloads() {
    local w alone insts timeline checked twinned
    "$MEMTWIN" run -c pascal28 $DL -q -w addvect:1024 --twin '*.mshr' >/dev/null # builds the twins
    printf '%-20s %12s %14s %12s %12s %12s %12s\n' workload "cycles/s" "k insts/s" "+ timeline" "+ check" "+ twins" "slowdown"
    for w in "$@"; do
        read -r alone insts <<<"$(speed "$w")"
        read -r timeline _ <<<"$(speed "$w" --timeline "$work/timeline.json")"
        read -r checked _ <<<"$(speed "$w" --check)"
        read -r twinned _ <<<"$(speed "$w" --twin '*.mshr')"
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
