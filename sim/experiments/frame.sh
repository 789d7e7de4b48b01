#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Repeats the papers' headline results on the machines validated against Accel-Sim: each experiment's scheme over its baseline, on the paper's machine
# (base fermi_base, or the defaults) and on the same file with gtx480 or titanx as its base. Uses small kernels, which take a minute on one
# core, to show the difference between the machines, not the headline itself. FULL=1 uses the studies' own kernels and sizes (40 minutes).
# Writes build/report/frame.md (docs/results/fidelity.md), or frame_full.md.
#
#   [FULL=1] sim/experiments/frame.sh [EXPERIMENT]...     dl_mshr cart mdb farfault hpe
set -euo pipefail
. "$(dirname "$0")/../../tb/env.bash"
MEMTWIN=${MEMTWIN:-build/memtwin}
full=
[ "${FULL:-}" != 1 ] || full=1
page=build/report/frame${full:+_full}.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# These end the script after the current run has written its file, because runs are not started from a subshell.
trap 'exit 130' INT
trap 'exit 143' TERM

case ${1:-} in
-h | --help) sed -n '3,/^set/{s/^# \{0,1\}//p}' "$0" && exit ;;
esac

# experiment NAME: sets study, config, what and workloads, and the options of all runs (all), of the baseline (base) and of the scheme (scheme).
experiment() {
    all=() base=() scheme=()
    case $1 in
    dl_mshr)
        study=dl_mshr_schemes.main config=pascal28 what="DL-MSHRs (128 x 2) over conventional ones"
        workloads="atax:256 mvt:256 gesummv:256 gemm:128 bfs:8192 kmeans:8192,34,5,1 syrk:96 2dconv:256"
        scheme=(l1d.mshr=dl l1d.dl_sets=128 l1d.dl_slots=2 l1d.dl_reserved_heads=64 l1d.dl_pools=shared l2.mshr=dl)
        ;;
    cart)
        study=cart_schemes.wide config=cart28 what="CART over a FIFO"
        workloads="atax:256 bfs:8192 spmv:32768,1 srad:256,1 addvect:262144 nw:256 stencil:128,16,1 fwt:16,9"
        all=(icnt.flit_bytes=136) scheme=(l2.incoming=cart)
        ;;
    mdb)
        study=mdb_schemes config=fermi15 what="model-driven bypassing over none"
        workloads="atax:512 mvt:512 bicg:512 gesummv:512 syr2k:96 histo:262144,240"
        scheme=(l1d.bypass=mdb_local)
        ;;
    farfault)
        study=farfault_schemes config=farfault15 what="locality prefetching over none"
        workloads="backprop:8192 bfs:8192 hotspot:256,2,4 nw:256 kmeans:8192,34,5,1 srad:256,1"
        all=(uvm.service=set) base=(uvm.prefetch=none) scheme=(uvm.prefetch=locality)
        ;;
    hpe)
        study=hpe_policies config=hpe15 what="HPE over LRU, 75 % of the memory"
        workloads="srad:256,4 hotspot3d:128,8,8 kmeans:8192,34,5,1 bfs:16384 nw:512 backprop:16384"
        all=(tlb.l1_entries=16 tlb.l2_entries=64 tlb.l2_ways=4 uvm.memory_percent=75) base=(uvm.evict=lru) scheme=(uvm.evict=hpe)
        ;;
    *) echo "frame.sh: no experiment $1 (dl_mshr cart mdb farfault hpe)" >&2 && exit 1 ;;
    esac
}

# Prints the kernels of a study with their sizes.
listed() { # STUDY
    awk '!/^ / { on = sub(/^workload = /, "") } on' "sim/experiments/$1.ini" | tr '\n' ' '
}

# A run that fails or is cut off is not a measurement.
cycles() { # CONFIG WORKLOAD KEY=VALUE...
    local config=$1 w=$2 options=()
    shift 2
    for key in "$@"; do options+=(-s "$key"); done
    rm -f "$work/run.json"
    "$MEMTWIN" run -c "$config" -w "$w" -q --json "$work/run.json" "${options[@]}" >/dev/null &&
        jq -je 'select(.end == "done") | " \(.cycles)"' "$work/run.json"
}

mkdir -p build/report
{
    printf '# The papers'\'' experiments on the measured frame\n\nWritten by `%ssim/experiments/frame.sh`.\n' "${full:+FULL=1 }"
    for name in ${*:-dl_mshr cart mdb farfault hpe}; do
        experiment "$name"
        echo "frame.sh: $name: $what" >&2
        [ -z "$full" ] || workloads=$(listed "$study")
        # Queues whose entries mean something else on that machine keep its sizes.
        measured=titanx
        ! grep -q '^base = fermi_base$' "sim/configs/$config.ini" || measured=gtx480
        grep -v '^base = ' "sim/configs/$config.ini" |
            awk -v base="$PWD/sim/configs/$measured.ini" 'BEGIN { print "base = " base } /^\[/ { s = $1 } !(s == "[icnt]" && /^(in|out)_queue /) && !(s == "[dram]" && /^read_queue /)' >"$work/measured.ini"
        printf '\n## %s: %s\n\n| workload | gain, plain frame, %% | gain, measured frame, %% |\n|---|---|---|\n' "$name" "$what"
        for w in $workloads; do
            printf %s "$w"
            for machine in "$config" "$work/measured.ini"; do
                cycles "$machine" "$w" "${all[@]}" "${base[@]}" || exit 1
                cycles "$machine" "$w" "${all[@]}" "${scheme[@]}" || exit 1
            done
            echo
        done >"$work/cycles"
        awk '{ a = $2 / $3; b = $4 / $5; x += log(a); y += log(b); printf "| %s | %+.1f | %+.1f |\n", $1, 100 * (a - 1), 100 * (b - 1) }
            END { printf "| **mean** | %+.1f | %+.1f |\n", 100 * (exp(x / NR) - 1), 100 * (exp(y / NR) - 1) }' "$work/cycles"
    done
} >"$work/page.md"
mv "$work/page.md" "$page"
cat "$page"
