#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Checks the counted netlists against the model and the RTL: replays recordings on them, and proves that they are equal to the RTL.
# docs/results/silicon.md describes the method.
#   synth/gate_level.sh [DESIGN]...   build/synth/gate_level.txt and gate_level.json: all blocks at the points of the reports, or the given ones
#   synth/gate_level.sh --quick       build/synth/gate_level_quick.txt, .json: tiny points
# RANDOM_CYCLES=n, KERNEL_CYCLES=n   length of the recordings in cycles   default: 6000, 3000; with --quick 3000, 3000
# Earlier results for the same netlists, recordings and RTL are taken from build/synth/points.
# LIBERTY and PERIOD_PS: see synth/flow.bash
. "$(dirname "$0")/flow.bash"
. synth/gates.bash
some=()
if [[ ${1:-} != --quick && ${1:-} != --list ]]; then
    some=("$@")
    set --
fi
run=gate_level
[ "${1:-}" != --quick ] || run=gate_level_quick
[ -x build/memtwin ] || die "no build/memtwin (make)"
random_cycles=${RANDOM_CYCLES:-$([ $run = gate_level ] && echo 6000 || echo 3000)}
kernel_cycles=${KERNEL_CYCLES:-3000}
for n in "$random_cycles" "$kernel_cycles"; do [[ $n =~ ^[1-9][0-9]*$ ]] || die "RANDOM_CYCLES and KERNEL_CYCLES must be positive integers, not '$n'"; done
start gate_level gate_level gate_level_quick "$@"

# replays NAME NETLISTS VECTORS ENGINE KIND...: replays the recording on netlists of that folder and adds a line for each to the report. Any
# difference is an error. A KIND with suffix :proof is not replayed.
replays() {
    local name=$1 netlists=$2 vectors=$3 engine=$4 kind without
    shift 4
    for kind in "$@"; do
        [[ $kind != *:proof ]] || continue
        if [ ! -d "$netlists/$kind" ]; then
            case $kind in gated | *-vendor) continue ;; esac # a library may lack clock gates, or Verilog models of its cells
            die "no netlist $kind of $name"
        fi
        [[ $kind != *-vendor ]] || ! keeps_x "$name" || continue # a vendor's flip-flops start at x
        without=--no-observed
        [[ $netlists != *-observed ]] || without=
        once "$(key "$name" "$kind" "$vectors" "$engine" "$(iverilog -V 2>/dev/null | head -n 1)" "$reached" "$(declare -f replay awake)$(keeps_x "$name" && echo awake)" -- "$netlists/$kind"/*/* "$tmp/$name.vec" tb/harness/*)" "$tmp/replays" \
            replay "$name" "$kind" "$vectors" "$engine" "$netlists/$kind" $without
    done
}

# keeps_x DESIGN: succeeds for area netlists whose gates keep an x through reset although both values give the same result. Each was examined
# by hand, and its flip-flops start at 0 or 1. In all other netlists an x at an output is a difference.
keeps_x() {
    case "$lib_name $1" in
    'osu018_stdcells static_32x8') ;; # u_drain.upto[2]: during reset its next value is ~(upto[2] | ~upto[2])
    *) return 1 ;;
    esac
}

# replay NAME KIND VECTORS ENGINE NETLIST [--no-observed]: replays the recording on a netlist and prints its line of the report
replay() {
    local name=$1 kind=$2 vectors=$3 engine=$4 netlist=$5 started=$EPOCHREALTIME wakes=x cells
    [ "$engine" = icarus ] || wakes=-
    [ "$kind" != speed ] || wakes='0 or 1'
    if [ "$wakes" = x ] && keeps_x "$name"; then
        wakes='0 or 1'
        cells=$(echo "$netlist"/*/cells.v)
        rm -rf "$tmp/awake"
        cp -r "$netlist" "$tmp/awake"
        awake "$cells" >"$tmp/awake/${cells#"$netlist"/}"
        netlist=$tmp/awake
    fi
    MEMTWIN_TWINS="$tmp/twins/$name-$kind" MEMTWIN_RTL="$PWD/$netlist" build/memtwin replay "$tmp/$name.vec" ${6:-} --engine "$engine" >"$tmp/replay" 2>&1 ||
        die "$name, $kind, $engine: $(tail -1 "$tmp/replay")"
    jq -Rcn --arg name "$name" --arg kind "$kind" --arg vectors "$vectors" --arg engine "$engine" --arg wakes "$wakes" --argjson reached "$reached" \
        --arg from "$started" --arg to "$EPOCHREALTIME" '
        [inputs] | {name: $name, netlist: $kind, vectors: $vectors, engine: $engine, wakes: $wakes, reached: $reached, cycles: (.[-2] | capture(": (?<n>[0-9]+) cycles").n | tonumber),
        verdict: .[-1], seconds: (($to | tonumber) - ($from | tonumber) | round)}' "$tmp/replay"
}

# option KINDS: prints the option of synth/netlist.sh that builds those kinds and as few others as possible
option() {
    case $1 in
    *speed*) ;;
    observed) echo --observed ;;
    *gated*) echo --gated ;;
    *) echo --area ;;
    esac
}

# design NAME ENGINE KINDS BLOCK PARAM=VALUE...: builds netlists, replays a random recording on those KINDS, runs the proofs. KINDS observed: the area
# netlist of the observer, without proofs
design() {
    local name=$1 engine=$2 kinds=$3 netlists
    shift 3
    wanted "$name" || return 0
    progress "$name"
    netlists=$(synth/netlist.sh $(option "$kinds") "$@")
    build/memtwin cosim "$1" $([ $# -eq 1 ] || printf -- '-p %s ' "${@:2}") --cycles "$random_cycles" --seed 7 --model-only --record "$tmp/$name.vec" >"$tmp/cosim"
    reached=$(awk '$NF == "floor" { on = 1; next } on && NF > 2 { of++; if ($(NF - 1) > 0) n++ } END { printf "[%d, %d]", n, of }' "$tmp/cosim")
    [[ $reached != *', 0]' ]] || die "no coverage of $name"
    replays "$name" "$netlists" random "$engine" ${kinds/observed/area}
    [ "$kinds" = observed ] || prove "$name" "$netlists" "$@"
}

# kernel NAME KINDS INSTANCE TIMES ARGUMENT...: records the inputs of an instance in that run and replays them on netlists with its parameters
kernel() {
    local name=$1 kinds=$2 instance=$3 cycles=$((kernel_cycles * $4)) netlists block point
    shift 4
    reached=null
    wanted "$name" || return 0
    progress "$name in a kernel"
    build/memtwin run -q "$@" -s sim.max_cycles="$cycles" --record "$instance=$tmp/$name.vec" >/dev/null 2>"$tmp/run" || die "$name: $(head -1 "$tmp/run")"
    block=$(sed -n '2s/^block //p' "$tmp/$name.vec")
    point=$(sed -n '3s/^params //p' "$tmp/$name.vec")
    netlists=$(synth/netlist.sh $(option "$kinds") "$block" $point)
    replays "$name" "$netlists" "$instance in $*" icarus $kinds
    prove "$name" "$netlists" "$block" $point
}

# prove NAME NETLISTS BLOCK PARAM=VALUE...: runs the proofs and adds them to the report
prove() {
    local name=$1 netlists=$2 block=$3
    shift 2
    once "$(key "$@" "$versions" "$(declare -f sources measured_files)" -- "$netlists"/*/*/* $(rtl_of "$block") synth/{equivalence.sh,registers.awk,copies.awk,ungate.awk})" "$tmp/proven.$name" equivalence "$@"
    jq -c --arg name "$name" --slurpfile area "$netlists/area.json" --argjson gated "$(cat "$netlists/gated.json" 2>/dev/null || echo null)" \
        '{name: $name, point} + $area[0] + {gated: $gated, proofs}' "$tmp/proven.$name" >>"$tmp/proofs"
}

# equivalence BLOCK PARAM=VALUE...: proves the netlists equal to the RTL and prints the proofs
equivalence() {
    synth/equivalence.sh "$@" >/dev/null
    cat "$netlists/equivalence.json"
}

wanted() {
    [ ${#some[@]} -eq 0 ] || [[ " ${some[*]} " == *" $1 "* ]]
}

# report TITLE: writes text and JSON of the replays and proofs
report() {
    touch "$tmp/replays" "$tmp/proofs"
    [ -s "$tmp/replays" ] || die "no such design: ${some[*]}"
    jq -n --arg lib "$lib_name" --slurpfile replays "$tmp/replays" --slurpfile designs "$tmp/proofs" '{library: $lib, replays: $replays, designs: $designs}' >"$tmp/$run.json"
    {
        echo "$1, library $lib_name: the counted netlists; method: docs/results/silicon.md"
        table gate_replays.jq "$tmp/$run.json"
        echo
        table gate_proofs.jq "$tmp/$run.json"
    } >"$tmp/$run.txt"
    finish
}

icarus='area area-vendor gated speed' large='area:proof gated:proof speed:proof'
[ -z "$(clock_gate)" ] || large='gated area:proof speed:proof' # with much storage Icarus is fast enough only on netlists with clock gates
kernel_word=kernel title='Every block at the points of the reports'
[ $run = gate_level ] || kernel_word=kernel_quick title='Tiny points'
progress_begin synth/gate_level.sh "$([ ${#some[@]} -gt 0 ] && echo ${#some[@]} || { designs $run; kernels $kernel_word; } | wc -l)" "$tmp/progress"
while read -r name which block point; do
    case $which in
    all) design "$name" icarus "$icarus" "$block" $point ;;
    area) design "$name" icarus 'area area-vendor gated' "$block" $point ;;
    large) design "$name" icarus "$large" "$block" $point ;;
    observed) design "$name" twin observed "$block" $point ;;
    *) die "no netlists '$which' of $name" ;;
    esac </dev/null
done < <(designs $run)
while read -r name instance arguments; do kernel "$name" area "$instance" $arguments </dev/null; done < <(kernels $kernel_word)
report "$title"
