#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# What attach-only sets cost in IPC: the L1D's MSHRs of pascal28 as sets that are heads or attached (shared) and as two pools with a lookup of
# two cycles (split), over the kernels of the DL-MSHR experiment. Writes docs/results/dl_mshr_pools.md; keeps build/results/mshr_pools/*.json.
#
#   sim/experiments/mshr_pools.sh [WORKLOAD[:SIZE]]...    JOBS=n: so many simulations at a time (default 2); REUSE=1: go on after an interruption
set -euo pipefail
. "$(dirname "$0")/../../tb/env.bash"
. sim/experiments/runs.bash
OUT=build/results/mshr_pools
DOC=docs/results/dl_mshr_pools.md
CONFIG=pascal28
# Four kernels are smaller than by default, since they run for minutes.
mapfile -t WORKLOADS < <(all_workloads | sed '/^btree/q' | sed 's/^gemm$/gemm:256/; s/^corr$/corr:160/; s/^syrk$/syrk:128/; s/^gaussian$/gaussian:128/')
[ $# -eq 0 ] || WORKLOADS=("$@")
workloads_exist "${WORKLOADS[@]}"
SCHEMES=(dl-128x2-64 static-32x8-1 dl-64x4-48 split-64x4-40 split-64x4-48 split-64x4-52)

options_of() { # WORKLOAD SCHEME
    local kind shape n
    IFS=- read -r kind shape n <<<"$2"
    case $kind in
    static) echo "-s l1d.mshr_entries=${shape%x*} -s l1d.mshr_slots=${shape#*x} -s l1d.mshr_lookup=$n" ;;
    *) echo "-s l1d.mshr=dl -s l1d.dl_pools=${kind/dl/shared} -s l1d.dl_sets=${shape%x*} -s l1d.dl_slots=${shape#*x} -s l1d.dl_reserved_heads=$n" ;;
    esac
}

# kernel, scheme, IPC, misses that waited for a lookup, misses taken, MSHR refusals
figures() {
    local w s
    for w in "${WORKLOADS[@]}"; do
        for s in "${SCHEMES[@]}"; do
            value "$w" "$s" "[\"$w\", \"$s\", .ipc, .stats.l1d_look_cycles, .stats.l1d_primary + .stats.l1d_secondary,
                .stats.l1d_rf_entry_full + .stats.l1d_rf_merge_full] | @tsv"
        done
    done
}

table() {
    echo '# Attach-only sets: IPC'
    echo
    echo 'Written by `sim/experiments/mshr_pools.sh`: the L1D of pascal28, allocation on a miss, over '"${#WORKLOADS[@]}"' kernels. IPC is the geometric mean over that of'
    echo 'the first line, and in brackets the least and the most of a kernel. A kernel moves by some percent either way as requests reach DRAM in another order.'
    echo
    echo '| MSHR of the L1D | heads | IPC | misses that waited a cycle for their lookup | refused cycles: entry- and merge-full |'
    echo '|---|---|---|---|---|'
    figures | awk -F '\t' '
        !($2 in sum) { order[++n] = $2; sum[$2] = 0 }
        $2 == order[1] { base[$1] = $3 }
        {
            r = $3 / base[$1]; sum[$2] += log(r); k[$2]++; look[$2] += $4; miss[$2] += $5; full[$2] += $6
            if (!($2 in least) || r < least[$2]) { least[$2] = r; low[$2] = $1 }
            if (!($2 in most) || r > most[$2]) { most[$2] = r; high[$2] = $1 }
        }
        END {
            for (i = 1; i <= n; i++) {
                s = order[i]; split(s, p, "-"); split(p[2], d, "x")
                heads = p[1] == "split" ? p[3] : p[1] == "static" ? d[1] : p[3] " to " d[1]
                name = p[1] == "static" ? "static" : "dl, " (p[1] == "split" ? "split" : "shared")
                printf "| %s, %s x %s | %s | %.4f", name, d[1], d[2], heads, exp(sum[s] / k[s])
                if (i > 1) printf " (%s %.3f, %s %.3f)", low[s], least[s], high[s], most[s]
                printf " | %.2f %% | %.3g |\n", miss[s] ? 100 * look[s] / miss[s] : 0, full[s]
            }
        }'
}

mkdir -p "$OUT"
for w in "${WORKLOADS[@]}"; do runs "$w" "${SCHEMES[@]}"; done | run_all
table >"$DOC.new"
mv "$DOC.new" "$DOC"
cat "$DOC"
