#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# How sets, slots and reserved heads of the DL-MSHR are to be chosen: the L1D's MSHRs of pascal28 at several shapes, allocation on fill, over
# kernels that ask much of them. Prints a table in Markdown (docs/integration/dl_mshr.md), and keeps build/results/mshr_sizing/*.json.
#
#   sim/experiments/mshr_sizing.sh [WORKLOAD[:SIZE]]...    JOBS=n: so many simulations at a time (default 2); REUSE=1: go on after an interruption
set -euo pipefail
. "$(dirname "$0")/../../tb/env.bash"
. sim/experiments/runs.bash
OUT=build/results/mshr_sizing
CONFIG=pascal28
WORKLOADS=(gemm:128 bfs:16384 backprop:8192 sc:4096,32,20,4)
[ $# -eq 0 ] || WORKLOADS=("$@")
workloads_exist "${WORKLOADS[@]}"
SCHEMES=(static-32x8 static-64x16 dl-32x8-16 dl-64x4-32 dl-128x2-64 dl-256x1-128 dl-128x2-0 dl-128x2-32 dl-128x2-96 dl-64x2-32 dl-192x2-96)

options_of() { # WORKLOAD SCHEME
    local kind shape heads
    IFS=- read -r kind shape heads <<<"$2"
    echo "-s l1d.allocate=fill -s l1d.mshr=$kind"
    case $kind in
    static) echo "-s l1d.mshr_entries=${shape%x*} -s l1d.mshr_slots=${shape#*x}" ;;
    dl) echo "-s l1d.dl_pools=shared -s l1d.dl_sets=${shape%x*} -s l1d.dl_slots=${shape#*x} -s l1d.dl_reserved_heads=$heads" ;;
    esac
}

# scheme, entry-full, merge-full cycles and slots used in percent, IPC, all over the first scheme's
figures() {
    local w s
    for w in "${WORKLOADS[@]}"; do
        for s in "${SCHEMES[@]}"; do
            value "$w" "$s" "[\"$w\", \"$s\", .stats.l1d_rf_entry_full, .stats.l1d_rf_merge_full, .derived.l1d_mshr_utilisation, .ipc] | @tsv"
        done
    done
}

mkdir -p "$OUT"
for w in "${WORKLOADS[@]}"; do runs "$w" "${SCHEMES[@]}"; done | run_all

echo '| MSHR of the L1D | reserved heads | slots | refused cycles: entry-full | merge-full | slots used | IPC |'
echo '|---|---|---|---|---|---|---|'
figures | awk -F '\t' -v kernels=${#WORKLOADS[@]} '
    !($2 in entry) { order[++n] = $2 }
    { entry[$2] += $3; merge[$2] += $4; used[$2] += $5; ipc[$1, $2] = $6; if (!($1 in seen)) { seen[$1] = 1; w[++m] = $1 } }
    END {
        for (i = 1; i <= n; i++) {
            s = order[i]; sum = 0
            for (k = 1; k <= m; k++) sum += log(ipc[w[k], s] / ipc[w[k], order[1]])
            split(s, p, "-"); split(p[2], d, "x")
            printf "| %s %s x %s | %s | %d | %d | %d | %.1f %% | %.3f |\n", p[1], d[1], d[2], p[3], d[1] * d[2], entry[s], merge[s], 100 * used[s] / kernels, exp(sum / m)
        }
    }'
