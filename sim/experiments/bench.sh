#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Measures processor time and prints two tables. The first compares traces on four machines with Accel-Sim; a time is that of the whole process,
# user and system. The second has every workload on pascal28 with DL-MSHRs: alone, with a timeline, with the data check, and with all twins in
# lockstep. Runs are sequential, so that ratios are meaningful. This is a script because a study runs each simulation only once.
#
#   sim/experiments/bench.sh                          both tables, with the recorded times of Accel-Sim (bench.accelsim.txt), if there are any
#   ACCELSIM=DIR sim/experiments/bench.sh             both tables: Accel-Sim, built in DIR/gpu-simulator, runs each trace, then MemTwin, and so on
#   sim/experiments/bench.sh [WORKLOAD[:SIZE]]...     only the second table
# PAIRS=n: runs of each trace (5)
set -euo pipefail
. "$(dirname "$0")/../../tb/env.bash"
# Options for Gu and Chen's DL-MSHR in the L1D, and for a DL-MSHR in the L2.
DL="-s l1d.mshr=dl -s l1d.dl_sets=128 -s l1d.dl_slots=2 -s l1d.dl_reserved_heads=64 -s l1d.dl_pools=shared -s l2.mshr=dl"
MEMTWIN=build/memtwin
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

WORKLOADS=(addvect:1048576 2dconv:1024 gemm:256 atax:480 bfs:32768 kmeans:16384,34,5,1 hotspot:512,2,8 ra:1048576)

TRACES=(make:vecadd make:vecadd16 make:divergent make:random gemm:64 srad:192,1 nw:128 lr:1024,64,1)
RECORDED=sim/experiments/bench.accelsim.txt
PAIRS=${PAIRS:-5}
. sim/experiments/fidelity/accelsim.bash
[ -z "${ACCELSIM:-}" ] || ACCELSIM=$(their_folder "$ACCELSIM")

# seconds COMMAND..: prints the processor seconds of the command
seconds() {
    local TIMEFORMAT='%U %S'
    { time "$@" >"$work/log" 2>&1; } 2>&1 | awk '{ printf "%.4f\n", $1 + $2 }'
}

mean() { awk '{ s += $1 } END { printf "%.4f", s / NR }' "$1"; }

# measure CONFIG KERNEL: writes our seconds, and Accel-Sim's if ACCELSIM is set, a line for each run
measure() {
    local list i
    list=$(exported "$2")
    : >"$work/ours"
    : >"$work/theirs"
    for ((i = 0; i < PAIRS; i++)); do
        if [ -n "${ACCELSIM:-}" ]; then
            seconds run_theirs "$ACCELSIM" "$1" "$list" >>"$work/theirs"
            their_figures "$work/log" "$1" >"$work/figures" || fail "$2 on $1: Accel-Sim did not end well: $(tail -n 1 "$work/log")"
        fi
        seconds "$MEMTWIN" run -c "$1" -s sm.launch_latency=0 -t "$list" -q >>"$work/ours"
    done
    "$MEMTWIN" run -c "$1" -s sm.launch_latency=0 -t "$list" -q --json "$work/run.json" >/dev/null
}

# accelsim_times CONFIG KERNEL: prints Accel-Sim's seconds and cycles, or two "null" if they were not recorded
accelsim_times() {
    if [ -n "${ACCELSIM:-}" ]; then
        echo "$(mean "$work/theirs") $(cut -d ' ' -f 1 "$work/figures")"
    else
        awk -v c="$1" -v k="$2" '$1 == c && $2 == k { print $3, $4; found = 1 } END { if (!found) print "null null" }' "$RECORDED"
    fi
}

traces() {
    local kernel config times their_cycles row='%-8s %-14s %10s %10s %9s %12s %8s %10s %10s %8s\n'
    "$MEMTWIN" --version
    printf "$row" config trace cycles "k insts" seconds "cycles/s" MiB "Accel-Sim" "its cycles" ratio
    for config in gtx480 titanx qv100 rtx3070; do
        for kernel in "${TRACES[@]}"; do
            measure "$config" "$kernel"
            read -r times their_cycles < <(accelsim_times "$config" "$kernel")
            jq -r --arg kernel "$kernel" --argjson s "$(mean "$work/ours")" --argjson t "$times" --argjson cycles "$their_cycles" \
                '[.config, $kernel, .cycles, (.warp_insts / 1000 | round), $s, (.cycles / $s | round), (.host.peak_rss_kib / 1024 | round), $t // "-", $cycles // "-",
                  (if $t then .cycles / $s / ($cycles / $t) * 10 | round / 10 | tostring + "x" else "-" end)] | @tsv' "$work/run.json" |
                while IFS=$'\t' read -ra cells; do printf "$row" "${cells[@]}"; done
        done
    done | tee "$work/table"
    awk '$NF ~ /x$/ { n[$1]++; sum[$1] += log($NF + 0) } END { for (c in n) printf "%-8s geometric mean %.1fx\n", c, exp(sum[c] / n[c]) }' "$work/table" | sort
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
