#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The evaluation of model-driven bypassing of Dai (PhD dissertation, NC State University 2017, chapter 2): the kernels of its Table 2 that
# we have (not Barnes-Hut) on fermi15. Writes for each run build/results/mdb/*.json, and, when all kernels ran,
# docs/results/mdb_schemes{.md,_*.svg}; fails if a run failed.
#
#   sim/experiments/mdb.sh [--lockstep] [WORKLOAD[:SIZE]]...    JOBS=n: so many simulations at a time (default 2); REUSE=1: go on after an interruption
#
# --lockstep: instead, mdb_local with the Verilog of all bpg beside the model and every byte checked: one table, also in
# docs/results/mdb_lockstep.md; fails at a difference.
set -euo pipefail
. "$(dirname "$0")/../../tb/env.bash"
. sim/experiments/runs.bash
CONFIG=fermi15
OUT=${OUT:-build/results/mdb}
DOC=docs/results/mdb_schemes

# Table 2: high (HCC) and low (LCC) cache contention, the paper's name, ours. Sizes are not the default ones where these leave SMs
# partly empty (kmeans, sc: as many warps as the machine holds; the four of a matrix and a vector: as many as time allows) or take long (syr2k: CTAs
# for all SMs, once).
TABLE2="HCC PTF pfilter
HCC SC sc:23040,32,20,20
HCC HST histo
HCC S2K syr2k:160
HCC KMS kmeans:23040,34,5,3
HCC GMV gesummv:1024
HCC ATX atax:2048
HCC MVT mvt:2048
HCC BIC bicg:2048
LCC SCP scalarprod
LCC CVR covar
LCC LUD lud
LCC SR2 srad
LCC 2DF fdtd2d
LCC 2DV 2dconv"

# A scheme: parts joined by +, each some keys that differ from fermi15's.
options_of() { # WORKLOAD SCHEME
    local part
    for part in ${2//+/ }; do
        case $part in
        base) ;;
        static*) echo "-s l1d.bypass=static -s l1d.cache_users=${part#static}" ;;
        swl*) echo "-s sm.scheduler=swl -s sm.swl_warps=${part#swl}" ;;
        pdp*) echo "-s l1d.bypass=pdp -s l1d.protect_distance=${part#pdp}" ;;
        # The drain policy that does most for our kernels, as in sim/experiments/cart_schemes.wide.ini.
        mrpb) echo "-s l1d.mrpb_queues=48 -s l1d.bypass=line -s l1d.mrpb_drain=lowest" ;;
        mdb_*) echo "-s l1d.bypass=$part" ;;
        noscale) echo "-s l1d.mdb_scale=no" ;;
        once) echo "-s l1d.mdb_failures=accesses" ;;
        slots*) echo "-s l1d.bypass_slots=${part#slots}" ;;
        kb*) # the L1D's size; one set in eight is sampled
            local sets=$((${part#kb} * 2))
            echo "-s l1d.sets=$sets -s l1d.mdb_sampled=$((sets / 8))"
            ;;
        8mb) echo "-s l1d.sets=4096 -s l1d.ways=16" ;;
        bmod) echo "-s l1d.set_index=bmod" ;;
        nol1d) echo "-s l1d.enabled=0" ;;
        mshr*) echo "-s l1d.mshr_entries=${part#mshr}" ;;
        mhz*) echo "-s clock.sm_mhz=${part#mhz} -s clock.icnt_mhz=${part#mhz}" ;; # Table 1's figure
        lrr | two_level) echo "-s sm.scheduler=$part" ;;
        esac
    done
}


# best WORKLOAD NAME SCHEME...: NAME's result is that of the scheme with the highest IPC, of equal ones the first
best() {
    local w=$1 name=$2 s
    shift 2
    s=$(for s in "$@"; do echo "$(value "$w" "$s" .ipc) $s"; done | sort -k1,1gr -s | head -n 1 | cut -d' ' -f2)
    ln -sf "$(basename "$(result "$OUT" "$w" "$s")")" "$(result "$OUT" "$w" "$name")"
}
chosen() { # WORKLOAD NAME: its scheme
    local link
    link=$(readlink "$(result "$OUT" "$1" "$2")")
    link=${link#*.}
    echo "${link%.json}"
}

# N: with as many users nobody goes past the L1D.
users() { # WORKLOAD: N, if static runs have reached it
    local k
    for ((k = 1; ; k++)); do
        [ -s "$(result "$OUT" "$1" "static$k")" ] || return 1
        [ "$(value "$1" "static$k" .stats.l1d_bypassed)" != 0 ] || break
    done
    echo "$k"
}
statics() { # FIRST LAST WORKLOAD: runs with so many users, unless N is known
    users "$3" >/dev/null || runs "$3" $(seq -f 'static%.0f' "$1" "$2")
}

SWL=(swl1 swl2 swl3 swl4 swl5 swl6 swl8 swl10 swl12 swl16 swl20)
PDP=(pdp4 pdp8 pdp16 pdp32 pdp64 pdp128)
SLOTS=(slots8 slots32 slots128)
VARIANTS=(kb32 kb64 mshr16 mshr64 mshr128 lrr two_level mhz1400)

first_phase() {
    runs "$1" base bmod nol1d 8mb "${SWL[@]}" "${PDP[@]}" mrpb mdb_{local,global}{,+noscale,+once} static{0..8}
}
second_phase() { # what stands on the best of the first one
    local w=$1 swl static
    swl=$(chosen "$w" swl_best)
    [ "$swl" = base ] || runs "$w" "${PDP[@]/#/$swl+}"
    static=$(chosen "$w" static_best)
    runs "$w" "${SLOTS[@]/#/mdb_local+}" "${SLOTS[@]/#/$static+}"
    [ "${CLASS[$w]}" = LCC ] || runs "$w" "${VARIANTS[@]}" "${VARIANTS[@]/#/mdb_local+}" "${VARIANTS[@]/#/mdb_global+}"
}
choose() {
    local w=$1
    best "$w" swl_best base "${SWL[@]}"
    best "$w" static_best base $(seq -f 'static%.0f' 0 "$(($(users "$w") - 1))")
}
choose_again() {
    local w=$1 swl static s
    swl=$(chosen "$w" swl_best)
    best "$w" cbwt_best "${PDP[@]}" $([ "$swl" = base ] || echo "${PDP[@]/#/$swl+}")
    static=$(chosen "$w" static_best)
    for s in "${SLOTS[@]}"; do best "$w" "static_best+$s" "$static+$s"; done
}

# A run a line: class, paper's name, workload, N, scheme, whose result that is, then figures. Failures: those that are for want of what a miss
# needs.
FIGURES='.derived as $d | .stats as $s | [.ipc, $d.l1d_hpki, $d.l1d_miss_rfki, $d.mipc, $d.l1d_l2_loads_pki,
    $s.l1d_rf_entry_full + $s.l1d_rf_merge_full + $s.l1d_rf_miss_queue + $s.l1d_rf_line, $s.mdb_decisions, $d.mdb_lmax_mean,
    (range(1; 9) as $k | .histograms.mdb_lmax | map(select(.[0] == $k)[1])[0] // 0)] | @tsv'
figures() { # WORKLOAD
    local w=$1 n s file
    n=$(users "$w")
    for file in "$OUT/${w//[:,]/-}".*.json; do
        s=${file##*/}
        s=${s#*.}
        s=${s%.json}
        printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\n' "${CLASS[$w]}" "${NAME[$w]}" "$w" "$n" "$s" \
            "$([ ! -L "$file" ] || chosen "$w" "$s")" "$(jq -r "$FIGURES" "$file")"
    done
}

lockstep() { # WORKLOAD...
    local w
    mkdir -p "$OUT/lockstep"
    for w in "$@"; do
        printf '%s\t%s\n' "$(result "$OUT/lockstep" "$w" mdb_local)" "-c fermi15 -w $w -s l1d.bypass=mdb_local --twin bpg --check"
    done | run_all
    printf '%s' "${only:+$only$'\n\n'}" >"$OUT/lockstep.md"
    for w in "$@"; do
        jq -r '[.workload, .cycles, .stats.mdb_decisions, .lockstep.twins, .lockstep.cycles, .lockstep.evaluated, .lockstep.mismatches, .check.loads] | @tsv' \
            "$(result "$OUT/lockstep" "$w" mdb_local)"
    done | awk -F'\t' -v OFS=' | ' '
        BEGIN {
            print "# The Verilog of bpg in lockstep, on fermi15 with mdb_local"
            print "\nWritten by `sim/experiments/mdb.sh --lockstep`: each kernel with the Verilog of the bpg of all SMs beside the model, every byte checked.\n"
            print "| kernel | SM cycles | decisions | twins | twin-cycles compared | in motion | differing | loads checked |\n|---|---|---|---|---|---|---|---|"
        }
        { print "| " $1, $2, $3, $4, $5, $6, $7, $8 " |"; for (i = 2; i <= 8; i++) sum[i] += $i }
        END {
            printf "| **all** | **%.0f** | **%.0f** | | **%.0f** | **%.0f** | **%.0f** | **%.0f** |\n", sum[2], sum[3], sum[5], sum[6], sum[7], sum[8]
            exit sum[7] != 0
        }' >>"$OUT/lockstep.md"
    cat "$OUT/lockstep.md"
}

lockstep=
if [ "${1:-}" = --lockstep ]; then
    lockstep=1
    shift
fi
usage="usage: sim/experiments/mdb.sh [--lockstep] [WORKLOAD[:SIZE]]..."
case "${1:-}" in
--help) echo "$usage" && exit ;;
-*) echo "$usage" >&2 && exit 1 ;;
esac
only=${*:+"only: $*"}

if [ -n "$lockstep" ]; then
    mapfile -t WORKLOADS < <(all_workloads)
    [ $# -eq 0 ] || WORKLOADS=("$@")
    workloads_exist "${WORKLOADS[@]}"
    lockstep "${WORKLOADS[@]}"
    [ $# -gt 0 ] || cp "$OUT/lockstep.md" docs/results/mdb_lockstep.md
    exit
fi

declare -A CLASS NAME
WORKLOADS=()
while read -r class name workload; do
    for w in "${@:-$workload}"; do
        [ "${w%%:*}" = "${workload%%:*}" ] || continue
        WORKLOADS+=("$w")
        CLASS[$w]=$class
        NAME[$w]=$name
    done
done <<<"$TABLE2"
[ $# -eq 0 ] || [ $# -eq ${#WORKLOADS[@]} ] || {
    echo "not all of '$*' are in Table 2 of the paper" >&2
    exit 1
}
workloads_exist "${WORKLOADS[@]}"

mkdir -p "$OUT"
anew "$OUT" "${WORKLOADS[@]}"
each first_phase | run_all
for last in 16 32 64; do each statics $((last / 2 + 1)) $last | run_all; done
each choose
each second_phase | run_all
each choose_again
each figures >"$OUT/figures.tsv"
{
    [ -z "$only" ] || printf '%s: no result of the paper\x27s set\n\n' "$only"
    awk -F'\t' -v out="$OUT" -f sim/experiments/mdb.awk "$OUT/figures.tsv"
} >"$OUT/table.md"
cat "$OUT/table.md"
if [ $# -eq 0 ]; then # some kernels alone are no result
    cp "$OUT/table.md" "$DOC.md"
    gnuplot -e "out='$OUT'" sim/experiments/mdb.gp
    for plot in ipc memory sensitivity fit; do cp "$OUT/$plot.svg" "${DOC}_$plot.svg"; done
fi
