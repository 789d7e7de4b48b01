#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Estimates the power of blocks in a running system: replays the inputs of an instance in a kernel on the counted netlist, counts the changes
# of each net, and computes the power with OpenSTA, without wires and clock tree. docs/results/silicon.md describes the method.
#   synth/power.sh [DESIGN]...   build/synth/power.txt and power.json: an instance of each block in a kernel, or of the given ones
#   synth/power.sh --quick       build/synth/power_quick.txt, .json: tiny MSHRs, a test of this script
# CYCLES=n  number of cycles from the start of the kernel        default: 5000; 7 times as many for bpg and the HIR cache
# MHZ=n     clock frequency                                      default: 250 for osu018, else 1000
# SLEW=ns   transition time of all nets, as if buffered          default: 0.1 for osu018, else 0.02
# Earlier results for the same netlists and recordings are taken from build/synth/points.
# LIBERTY: see synth/flow.bash
. "$(dirname "$0")/flow.bash"
. synth/gates.bash
some=()
if [[ ${1:-} != -* ]]; then
    some=("$@")
    set --
fi
start power power power_quick "$@"
[ -x build/memtwin ] || die "no build/memtwin (make)"
CYCLES=${CYCLES:-5000}
case $lib_name in
osu018*) MHZ=${MHZ:-250} SLEW=${SLEW:-0.1} ;;
*) MHZ=${MHZ:-1000} SLEW=${SLEW:-0.02} ;;
esac
[[ $CYCLES =~ ^[1-9][0-9]*$ && $MHZ =~ ^[1-9][0-9]*$ ]] || die "CYCLES and MHZ must be positive integers"
[[ $SLEW =~ ^[0-9]*\.?[0-9]+$ ]] || die "SLEW must be a decimal number (ns)"

# record NAME INSTANCE TIMES ARGUMENT...: records the inputs of the instance over TIMES times CYCLES cycles of that run -> $tmp/NAME.vec
record() {
    local name=$1 instance=$2 cycles=$((CYCLES * $3))
    shift 3
    progress "$name"
    build/memtwin run -q "$@" -s sim.max_cycles="$cycles" --record "$instance=$tmp/$name.vec" >/dev/null 2>"$tmp/$name.run" ||
        die "$name: $(head -1 "$tmp/$name.run")"
}

# activity NAME NETLIST: counts the changes of each net while that netlist replays NAME.vec -> $tmp/NAME.activity
activity() {
    local counter
    mkfifo "$tmp/$1.vcd"
    awk -f synth/activity.awk "$tmp/$1.vcd" >"$tmp/$1.activity" &
    counter=$!
    if ! MEMTWIN_RTL="$PWD/$2" build/memtwin replay "$tmp/$1.vec" --no-observed --engine icarus --wave "$tmp/$1.vcd" >"$tmp/$1.replay" 2>&1; then
        kill "$counter" 2>/dev/null || true
        die "$1: $(tail -1 "$tmp/$1.replay")"
    fi
    wait "$counter"
}

# power NAME: measures the netlist at the parameters of NAME.vec and adds it to the designs
power() {
    local name=$1 block point netlist
    block=$(sed -n '2s/^block //p' "$tmp/$name.vec")
    point=$(sed -n '3s/^params //p' "$tmp/$name.vec")
    netlist=$(synth/netlist.sh --area "$block" $point)/area
    once "$(key "$name" "$MHZ" "$SLEW" "$(declare -f power_of activity)" -- $lib "$netlist"/*/* "$tmp/$name.vec" synth/power.tcl synth/activity.awk)" "$tmp/designs" \
        power_of "$name" "$block" "$point" "$netlist"
}

# power_of NAME BLOCK PARAMETERS NETLIST: replays NAME.vec on the netlist and prints its power
power_of() {
    local name=$1 block=$2 point=$3 netlist=$4
    activity "$name" "$netlist"
    LIB=$lib NETLIST=$netlist/$block/netlist.v TOP=${block}_netlist PERIOD=$(jq -n "1000 / $MHZ") SLEW=$SLEW ACTIVITY=$tmp/$name.activity \
        tool sta -exit -no_splash synth/power.tcl >"$tmp/$name.sta" 2>&1 || true
    ! grep -qi '^error' "$tmp/$name.sta" || die "sta failed at $name: $(grep -i -m1 '^error' "$tmp/$name.sta")"
    grep -q '^activity' "$tmp/$name.sta" || die "sta printed no activity for $name"
    jq -Rcn --arg name "$name" --arg block "$block" --arg point "$point" --arg top "${block}_netlist" '
        [inputs | split(" ")] as $lines
        | def mw: tonumber * 1000;
        ($lines[] | select(.[0] == "activity")) as $activity
        | {name: $name, block: $block, parameters: ($point | split(" ") | map(split("=") | {(.[0]): (.[1] | tonumber)}) | add),
           cycles: ($activity[3] | tonumber), outputs: ($activity[2] | tonumber), activity: ($activity[1] | tonumber),
           modules: ([$lines[] | select(.[0] == "power")
                      | {module: (if .[1] == $top then "rest" elif .[1] | startswith("mt_r") then "storage" else .[1] end), cells: (.[2] | tonumber),
                         clock: (.[3] | mw), internal: (.[4] | mw), switching: (.[5] | mw), leakage: (.[6] | mw)}]
                     | group_by(.module)
                     | map({(.[0].module): (map(del(.module)) | reduce .[] as $m ({}; . as $sum | $m | with_entries(.value += ($sum[.key] // 0))))}) | add)}
        | .mw = (.modules | [.[]] | {clock: (map(.clock) | add), internal: (map(.internal) | add), switching: (map(.switching) | add), leakage: (map(.leakage) | add)})
        | .mw.total = (.mw | add)
        | .mw.idle = (.mw | .clock + .leakage)' "$tmp/$name.sta"
}

# again NAME FROM REPLACED BY: repeats the inputs of FROM on another design
again() {
    sed "3s/$3/$4/" "$tmp/$2.vec" >"$tmp/$1.vec"
    power "$1"
}

# report TITLE: writes text and JSON of the designs
report() {
    jq -s --arg lib "$lib_name" --argjson mhz "$MHZ" --argjson slew "$SLEW" '{library: $lib, mhz: $mhz, slew_ns: $slew, power_unit: "mW", designs: .}' "$tmp/designs" >"$tmp/$run.json"
    {
        echo "$1, library $lib_name, mW at $MHZ MHz, no wires and no clock tree; method: docs/results/silicon.md"
        table power.jq "$tmp/$run.json"
        echo "clock: clock pins of the flip-flops, which switch every cycle. idle: clock and leakage. activity: changes of a cell output per cycle."
    } >"$tmp/$run.txt"
    finish
}

power_all() {
    local name instance arguments
    progress_begin synth/power.sh "$([ ${#some[@]} -gt 0 ] && echo ${#some[@]} || kernels kernel | wc -l)" "$tmp/progress"
    while read -r name instance arguments; do
        [ ${#some[@]} -eq 0 ] || [[ " ${some[*]} " == *" $name "* ]] || continue
        record "$name" "$instance" $arguments </dev/null
        power "$name" </dev/null
        [ "$name" != l1d_dl_128x2 ] || again "${name}_GATE=0" "$name" GATE=1 GATE=0 </dev/null
    done < <(kernels kernel)
    [ -e "$tmp/designs" ] || die "no such design: ${some[*]}"
    report "Power in a kernel"
}

power_quick() {
    local small="-c tiny -w addvect:1024 -s l1d.mshr=dl -s l1d.dl_sets=4 -s l1d.dl_reserved_heads=2 -s l1d.dl_slots=2 -s l1d.dl_pools=shared"
    record dl_4x2 l1d.0.mshr 1 $small
    power dl_4x2
    again dl_4x2_GATE=0 dl_4x2 GATE=1 GATE=0
    report "Tiny designs"
}

case $run in power) power_all ;; *) power_quick ;; esac
