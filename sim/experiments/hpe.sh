#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The evaluation of hierarchical page eviction of Yu et al. (IEEE TCAD 2019, section V) on hpe15: the kernels of its Table II that we have
# (not cutcp, mri-q, sad, sgemm), with GPU memory for 95, 75, 50 and 25 % of the pages that they touch. Writes for each run
# build/results/hpe/*.json, and, when all kernels ran, docs/results/hpe_policies{.md,_*.svg}; fails if a run failed.
#
#   sim/experiments/hpe.sh [--lockstep] [WORKLOAD[:SIZE]]...    JOBS=n: so many simulations at a time (default 2); REUSE=1: go on after an interruption
#
# --lockstep: instead, HPE at each rate with the Verilog of the HIR cache beside the model and every byte checked: one table, also in
# docs/results/hpe_lockstep.md; fails at a difference.
set -euo pipefail
. "$(dirname "$0")/../../tb/env.bash"
. sim/experiments/runs.bash
CONFIG=hpe15
OUT=${OUT:-build/results/hpe}
DOC=docs/results/hpe_policies

# Table II: access pattern, the paper's name, ours. Sizes are the default ones, but for kernels that pass through their data too seldom to
# be of type II (srad, hotspot3d, stencil: more steps) or would take long (leukocyte, gemm, mvt, heartwall, spmv, hybridsort: less).
#
# These kernels touch 1 to 16 MB where the paper's touch 3 to 130 MB, 37 MB in the mean, which is four times what its TLBs reach (15 x 128 + 512
# pages of 4 KB). TLBs of that size would reach all of ours, and no page walk would be seen: so TLBs are as much smaller as the footprints
# are, 16 entries and 64 (4 ways). Scheme +table1 has those of Table I.
TLBS="-s tlb.l1_entries=16 -s tlb.l1_ways=16 -s tlb.l2_entries=64 -s tlb.l2_ways=4"
TABLE2="I HOT hotspot
I LEU leukocyte:16,640,12,1,4
I 2DC 2dconv
I GEM gemm:384
II SRD srad:512,4
II HSD hotspot3d:256,8,8
II STN stencil:256,32,4
III PAT pathfinder
III DWT dwt2d
III BKP backprop
III KMN kmeans
IV NW nw
IV BFS bfs
IV MVT mvt:768
V HWL heartwall:32,3,16,10
V HIS histo
V SPV spmv:65536,2
VI B+T btree
VI HYB hybridsort:262144,1"
RATES=(95 75 50 25)
POLICIES=(lru random rrip clock_pro ideal hpe)
DRIVERS=(lru_2mb sl64 tree)

# A scheme: RATE.POLICY, and keys that differ from hpe15's joined to it by +.
options_of() { # WORKLOAD SCHEME
    local w=$1 rate=${2%%.*} parts=${2#*.} part
    [[ +$parts+ == *+table1+* ]] || echo "$TLBS"
    [ "$rate" = 100 ] || echo "-s uvm.memory_pages=$(($(value "$w" 100.lru .stats.uvm_touched_pages) * rate / 100))"
    for part in ${parts//+/ }; do
        case $part in
        table1) ;;
        hits) echo "-s hpe.hits=ideal" ;;
        always_*) echo "-s hpe.strategy=${part#always_}" ;;
        set*) echo "-s hpe.set_pages=${part#set}" ;;
        interval*) echo "-s hpe.interval=${part#interval}" ;;
        transfer*) echo "-s hpe.transfer=${part#transfer}" ;;
        walk*) echo "-s gmmu.walk_latency=${part#walk}" ;;
        hir*) echo "-s hir.sets=${part#hir}" ;;
        *) echo "-s uvm.evict=$part" ;;
        esac
        # As the paper sets RRIP for the kernels that thrash, by its Table II.
        [ "$part" != rrip ] || [ "${TYPE[$w]}" != II ] || echo "-s rrip.insert=distant -s rrip.delay=128"
    done
}

whole() { runs "$1" 100.lru; }
policies() {
    local rate
    for rate in 95 25; do runs "$1" $rate.{lru,hpe,ideal}; done
    for rate in 75 50; do
        runs "$1" "${POLICIES[@]/#/$rate.}" $rate.hpe+hits $rate.hpe+hir16 $rate.{lru,hpe}+table1
    done
    runs "$1" "${DRIVERS[@]/#/50.}" 75.{lru,hpe}+walk20 75.hpe+transfer{1,64} 75.hpe+hits+always_{lru,mru_c}
}
# Sections V.A, Figures 7 and 8: the better one of both strategies, no adjustment, ideal hits.
strategy() { # WORKLOAD
    local lru mru
    lru=$(value "$1" 75.hpe+hits+always_lru .cycles)
    mru=$(value "$1" 75.hpe+hits+always_mru_c .cycles)
    [ "$mru" -lt "$lru" ] && echo always_mru_c || echo always_lru
}
sensitivity() {
    local s
    s=75.hpe+hits+$(strategy "$1")
    runs "$1" "$s+set8" "$s+set32" "$s+interval32" "$s+interval128"
}

# A run a line: type, paper's name, workload, scheme, then figures.
FIGURES='.derived as $d | .stats as $s | [.cycles, $s.uvm_evictions, $s.uvm_faults, $s.uvm_refaults, $s.uvm_touched_pages, $s.uvm_memory_pages,
    $s.hpe_ratio1_permille, $s.hpe_ratio2_permille, ($s.hpe_regular * 1 + $s.hpe_irregular1 * 2 + $s.hpe_irregular2 * 3), $s.hpe_old_sets,
    $s.hpe_intervals_lru, $s.hpe_intervals_mru_c, $s.hpe_switches, $s.hpe_jumps, $s.hpe_searches, $s.hpe_compared,
    $s.hir_transfers, $s.hir_entries, $s.hir_lost, $s.gmmu_walk_told, $s.hpe_divided] | @tsv'
figures() { # WORKLOAD
    local w=$1 file s
    for file in "$OUT/${w//[:,]/-}".*.json; do
        s=${file##*/"${w//[:,]/-}".}
        s=${s%.json}
        s=${s/always_lru+/best+} # what is in the sensitivity test is the better strategy
        s=${s/always_mru_c+/best+}
        printf '%s\t%s\t%s\t%s\t%s\n' "${TYPE[$w]}" "${NAME[$w]}" "$w" "$s" "$(jq -r "$FIGURES" "$file")"
    done
}

lockstep() { # WORKLOAD...
    local w rate
    for w in "$@"; do
        for rate in "${RATES[@]}"; do
            printf '%s\t%s\n' "$(result "$OUT/lockstep" "$w" "$rate.hpe")" "-c hpe15 -w $w $(options_of "$w" "$rate.hpe" | xargs) --twin hir --check"
        done
    done | run_all
    for w in "$@"; do
        for rate in "${RATES[@]}"; do
            jq -r --arg rate "$rate" '[.workload, $rate, .cycles, .stats.uvm_evictions, .stats.gmmu_walk_told, .stats.hir_transfers, .stats.hir_entries,
                .stats.hir_lost, .lockstep.cycles, .lockstep.evaluated, .lockstep.mismatches, .check.loads] | @tsv' "$(result "$OUT/lockstep" "$w" "$rate.hpe")"
        done
    done | awk -F'\t' -v OFS=' | ' '
        BEGIN {
            print "# The Verilog of the HIR cache in lockstep, on hpe15 with HPE"
            print "\nWritten by `sim/experiments/hpe.sh --lockstep`: each kernel, with GPU memory for so many percent of the pages that it touches, with the Verilog of the HIR cache beside the model, every byte checked.\n"
            print "| kernel | memory | SM cycles | evictions | walk hits told | transfers | entries | lost | cycles compared | in motion | differing | loads checked |\n|---|---|---|---|---|---|---|---|---|---|---|---|"
        }
        { print "| " $1, $2 " %", $3, $4, $5, $6, $7, $8, $9, $10, $11, $12 " |"; for (i = 3; i <= 12; i++) sum[i] += $i }
        END {
            printf "| **all** | "
            for (i = 3; i <= 12; i++) printf "| **%.0f** ", sum[i]
            print "|"
            exit sum[11] != 0
        }' >"$OUT/lockstep.md"
    cat "$OUT/lockstep.md"
}

lockstep=
if [ "${1:-}" = --lockstep ]; then
    lockstep=1
    shift
fi
usage="usage: sim/experiments/hpe.sh [--lockstep] [WORKLOAD[:SIZE]]..."
case "${1:-}" in
--help) echo "$usage" && exit ;;
-*) echo "$usage" >&2 && exit 1 ;;
esac
only=${*:+"only: $*"}

declare -A TYPE NAME
WORKLOADS=()
while read -r type name workload; do
    for w in "${@:-$workload}"; do
        [ "${w%%:*}" = "${workload%%:*}" ] || continue
        WORKLOADS+=("$w")
        TYPE[$w]=$type
        NAME[$w]=$name
    done
done <<<"$TABLE2"
[ $# -eq 0 ] || [ $# -eq ${#WORKLOADS[@]} ] || {
    echo "not all of '$*' are in Table II of the paper (${TABLE2//$'\n'/, })" >&2
    exit 1
}
workloads_exist "${WORKLOADS[@]}"

mkdir -p "$OUT/lockstep"
anew "$OUT" "${WORKLOADS[@]}"
each whole | run_all
if [ -n "$lockstep" ]; then
    lockstep "${WORKLOADS[@]}"
    [ $# -gt 0 ] || cp "$OUT/lockstep.md" docs/results/hpe_lockstep.md
    exit
fi
each policies | run_all
each sensitivity | run_all
each figures >"$OUT/figures.tsv"
{
    [ -z "$only" ] || printf '%s: no result of the paper\x27s set\n\n' "$only"
    awk -F'\t' -v out="$OUT" -f sim/experiments/tables.awk -f sim/experiments/hpe.awk "$OUT/figures.tsv"
} >"$OUT/table.md"
cat "$OUT/table.md"
if [ $# -eq 0 ]; then # some kernels alone are no result
    cp "$OUT/table.md" "$DOC.md"
    gnuplot -e "out='$OUT'" sim/experiments/hpe.gp
    for plot in speedup others rates; do cp "$OUT/$plot.svg" "${DOC}_$plot.svg"; done
fi
