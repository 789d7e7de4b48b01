#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The evaluation of far-faults and prefetching of Zheng et al. (HPCA 2016, sections 2 to 5) on farfault15: 16 kernels of Rodinia and Parboil.
# Writes for each run build/results/farfault/*.json, and, when all kernels ran, docs/results/farfault_schemes{.md,_*.svg}; fails if a run failed.
#
#   sim/experiments/farfault.sh [WORKLOAD[:SIZE]]...    JOBS=n: so many simulations at a time (default 2); REUSE=1: go on after an interruption
set -euo pipefail
. "$(dirname "$0")/../../tb/env.bash"
. sim/experiments/runs.bash
CONFIG=farfault15
OUT=${OUT:-build/results/farfault}
DOC=docs/results/farfault_schemes

# The paper's workloads that we have (backprop, bfs, hotspot, nw, sgemm, stencil), and others of the same suites; comd, minife, xsbench
# and the other DoE programs we lack.
KERNELS="backprop bfs btree cfd dwt2d gemm:384 histo hotspot hotspot3d kmeans lud:512 nw pathfinder spmv:65536,2 srad stencil"

# A scheme: parts joined by +. memN: so many percent of the pages that the kernel touches fit.
options_of() { # WORKLOAD SCHEME
    local part
    for part in ${2//+/ }; do
        case $part in
        copy | off) echo "-s uvm.mode=$part" ;;
        blocking) echo "-s uvm.faults=blocking" ;;
        faults*) echo "-s uvm.far_faults=${part#faults}" ;;
        us*) echo "-s uvm.fault_us=${part#us}" ;;
        set*) echo "-s uvm.set_pages=${part#set}" ;; # as many as the lane moves in the time of a service
        mem*) echo "-s uvm.memory_pages=$(($(value "$1" faults16 .stats.uvm_touched_pages) * ${part#mem} / 100))" ;;
        evict_*) echo "-s uvm.evict=${part#evict_}" ;;
        full_*) echo "-s uvm.prefetch_full=${part#full_}" ;; # from then on in which memory is full
        sl64 | tree) echo "-s uvm.prefetch=$part" ;;         # at each fault, as drivers do
        *) echo "-s uvm.prefetch=$part -s uvm.service=set" ;;
        esac
    done
}

fits() {
    runs "$1" copy off blocking+us{5,20,40} faults{1,2,4,16,0} {none,random,sequential,locality,oracle} sl64 tree blocking+locality \
        locality+us40{,+set160}
}
oversubscribed() {
    # Section 5: the oracle until memory is full.
    runs "$1" oracle+full_{none,locality}+evict_lru+mem{95,75,50,25} oracle+full_{none,locality}+evict_random+mem50
    # What drivers do: prefetch and evict by the same unit.
    runs "$1" sl64+full_sl64+evict_sl64+mem50 tree+full_tree+evict_tree+mem50
}

# A run a line: workload, scheme, then figures.
FIGURES='.derived as $d | .stats as $s | [.cycles, $s.uvm_touched_pages, $d.pcie_read_utilisation, $s.uvm_faults, $s.uvm_prefetched_pages,
    $s.uvm_prefetched_used, $s.uvm_evictions, $s.uvm_copy_cycles, $d.uvm_fault_latency_mean, $s.tlb_nacks_untracked] | @tsv'
figures() { # WORKLOAD
    local w=$1 file s
    for file in "$OUT/${w//[:,]/-}".*.json; do
        s=${file##*/"${w//[:,]/-}".}
        printf '%s\t%s\t%s\n' "$w" "${s%.json}" "$(jq -r "$FIGURES" "$file")"
    done
}

usage="usage: sim/experiments/farfault.sh [WORKLOAD[:SIZE]]..."
case "${1:-}" in
--help) echo "$usage" && exit ;;
-*) echo "$usage" >&2 && exit 1 ;;
esac
only=${*:+"only: $*"}
WORKLOADS=("$@")
[ $# -gt 0 ] || read -ra WORKLOADS <<<"$KERNELS"
workloads_exist "${WORKLOADS[@]}"

mkdir -p "$OUT"
anew "$OUT" "${WORKLOADS[@]}"
each fits | run_all
each oversubscribed | run_all
each figures >"$OUT/figures.tsv"
{
    [ -z "$only" ] || printf '%s: no result of the whole set\n\n' "$only"
    awk -F'\t' -v out="$OUT" -f sim/experiments/tables.awk -f sim/experiments/farfault.awk "$OUT/figures.tsv"
} >"$OUT/table.md"
cat "$OUT/table.md"
if [ $# -eq 0 ]; then # some kernels alone are no result
    cp "$OUT/table.md" "$DOC.md"
    gnuplot -e "out='$OUT'" sim/experiments/farfault.gp
    for plot in faults prefetch memory; do cp "$OUT/$plot.svg" "${DOC}_$plot.svg"; done
fi
