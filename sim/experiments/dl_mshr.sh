#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The DL-MSHR experiment: eight kernels on pascal28 with conventional MSHRs and with DL-MSHRs of as many slots, the
# Verilog twins of all DL-MSHRs in lockstep, data checked from store to load. Prints one table; fails if
# any run failed.
#
#   sim/experiments/dl_mshr.sh [WORKLOAD[:SIZE]]...    JOBS=n: so many simulations at a time (default 2)
set -euo pipefail
. "$(dirname "$0")/../../tb/env.bash"
. sim/experiments/runs.bash
export OUT=build/results/dl_mshr
export MEMTWIN=build/memtwin

# Sizes: large enough to fill 28 SMs, small enough that the whole table takes a few minutes with lockstep.
WORKLOADS=(addvect:1048576 2dconv:1024 gemm:256 atax:480 bfs:32768 kmeans:16384,34,5,1 hotspot:512,2,8 ra:1048576)
[ $# -eq 0 ] || WORKLOADS=("$@")

one_run() {
    local workload=$1 kind=$2 name options=()
    name=$OUT/${workload//[:,]/-}.$kind
    [ "$kind" = static ] || options=($PAPER_DL -s l2.mshr=dl --twin dl_mshr)
    rm -f "$name.json"
    if "$MEMTWIN" run -c pascal28 -w "$workload" "${options[@]}" --check --json "$name.json" -q >"$name.log" 2>&1; then
        echo "  done: $workload, $kind" >&2
    else
        echo "FAILED ($?): $workload, $kind" >&2
        head -n 40 "$name.log" >&2
        return 1
    fi
}
export -f one_run

# One line a run: workload, kind, then figures.
figures() {
    jq -r '
        def rf(c): .stats["l1d_rf" + c] + .stats["l2_rf" + c];
        [.workload, .config_values["l1d.mshr"], .cycles, .ipc, rf(""), rf("_entry_full"), rf("_merge_full"),
         rf("_line"), rf("_miss_queue"),
         .derived.l1d_mshr_utilisation, .derived.l2_mshr_utilisation,
         .lockstep.twins, .lockstep.cycles, .lockstep.mismatches, .check.loads, .host.seconds,
         .lockstep.evaluated] | @tsv' "$@"
}

table() {
    awk -F'\t' '
    function rule() { print "--------------------+--------+--------------------+---------------------------------------------------------+---------------+----------------" }
    BEGIN {
        print "pascal28, as many slots either way: L1D 32 x 8 static or 128 x 2 DL, L2 32 x 4 static or 64 x 2 DL"
        print "                    |        |                    | refused cycles, L1D + L2, by reason                     | slots used    | DL / static"
        printf "%-19s | %-6s | %10s %7s | %10s %10s %10s %11s %10s | %6s %6s | %7s %7s\n", "workload", "MSHR", "cycles", "IPC",
            "entry-full", "merge-full", "no way", "miss queue", "other", "L1D", "L2", "IPC", "refused"
        rule()
    }
    {
        printf "%-19s | %-6s | %10d %7.3f | %10d %10d %10d %11d %10d | %5.1f%% %5.1f%% |", $2 == "static" ? $1 : "", $2, $3, $4,
            $6, $7, $8, $9, $5 - $6 - $7 - $8 - $9, 100 * $10, 100 * $11
        twins = $12 > twins ? $12 : twins; compared += $13; mismatches += $14; loads += $15; seconds += $16; evaluated += $17
        if ($2 == "static") { ipc = $4; rf = $5; mshr_static += $6 + $7; used = $10; print ""; next }
        mshr_dl += $6 + $7; used_sum += log($10 / used)
        printf " %6.3fx %7s\n", $4 / ipc, rf ? sprintf("%+.1f%%", 100 * ($5 / rf - 1)) : "-"
        log_sum += log($4 / ipc); n++
        if (rf) { rf_sum += $5 / rf; rf_n++ }
    }
    END {
        rule()
        printf "DL / static over %d kernels: IPC %.3fx, L1D slots used %.2fx (geometric means); refused cycles %+.1f %% (mean),\n", n,
            exp(log_sum / n), exp(used_sum / n), rf_n ? 100 * (rf_sum / rf_n - 1) : 0
        printf "of these entry- and merge-full %+.2f %% (sum)\n", mshr_static ? 100 * (mshr_dl / mshr_static - 1) : 0
        printf "lockstep: %d twins a run, %.0f twin-cycles compared, %d mismatches (the RTL moved in %.0f of them, and stood at a\n",
            twins, compared, mismatches, evaluated
        printf "fixpoint in the rest); %.0f loads checked; %.0f s of simulation\n", loads, seconds
        exit mismatches != 0
    }'
}

mkdir -p "$OUT"
tool xargs -0 -n 2 -P "${JOBS:-2}" bash -c 'one_run "$1" "$2"' _ < <(
    for w in "${WORKLOADS[@]}"; do printf '%s\0%s\0%s\0%s\0' "$w" dl "$w" static; done
)
for w in "${WORKLOADS[@]}"; do
    figures "$OUT/${w//[:,]/-}.static.json" "$OUT/${w//[:,]/-}.dl.json"
done | table | tee "$OUT/table.txt"
