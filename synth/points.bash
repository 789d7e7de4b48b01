# SPDX-License-Identifier: Apache-2.0
# What is measured of a design, and kept, so that it is measured once. Sourced by synth/flow.bash.

# rtl_of BLOCK: the files that its netlist is made of; contracts are for proofs alone
rtl_of() {
    cat "rtl/$1/$1.f"
    ls rtl/*/*.vh | grep -v '_contract\.vh$'
}

# point_key BLOCK ARGUMENT...: of a measurement: those arguments, RTL, library, macros, tools, and how it is measured
point_key() {
    {
        printf '%s\n' "$@" "${PERIOD_PS:-}" "$observe" "$gated" "$storage" "$versions" "${recipes[@]}"
        declare -f count instances macro_per_bit nearest_macro macro_times ram_times clock_gate to_gates shape_name shape sources map map_for_speed \
            critical_path fastest time_paths slowest paths measure_point
        rtl_of "$1" | xargs cat "$lib" "$tmp/io.constr" synth/timing.tcl synth/gate.awk synth/common.jq | grep -av 'SPDX-License-Identifier: Apache-2.0'
        [ -z "$FAKERAM" ] || cat "$FAKERAM"/fakeram45_*.lib
    } | sha256sum | cut -c 1-32
}

# kept_in NAME PARTS TIMING CUT BLOCK PARAM=VALUE...: the file of that measurement, if it was made
kept_in() {
    echo "$out/points/$(point_key "$5" "${@:2}").json"
}

# measure NAME PARTS TIMING CUT BLOCK PARAM=VALUE...: one design: map, and with TIMING its paths, with storage CUT; TIMING is timing, macros (that
# and, with FAKERAM, the path with the times of macros), or area -> $tmp/NAME.json: {name, block, parameters, cut, modules: of PARTS and the
# rest, stored, cells, flops, control_flops: those not in storage, min_period_ns, macro_period_ns, speed: {area, cells} of the netlist mapped for speed,
# path: see paths}. What was measured before, of the same RTL by the same script, is taken from build/synth/points.
measure() {
    local name=$1 known
    known=$(kept_in "$@")
    if [ -e "$known" ]; then
        progress "$name" kept
    else
        progress "$name"
        measure_point "$@"
        mkdir -p "$out/points"
        cp "$tmp/$name.json" "$tmp/$name.known"
        mv "$tmp/$name.known" "$known"
    fi
    jq --arg name "$name" '.name = $name' "$known" >"$tmp/$name.json"
}

# measure_point: measure, whatever is known
measure_point() {
    local name=$1 parts=$2 timing=$3 cut=$4 block=$5 macro_path=null
    shift 5
    map "$name" "$parts" "$block" "$@"
    echo null >"$tmp/$name.path"
    if [ "$timing" != area ]; then
        critical_path "$name" "$timing" "$cut" "$block" "$@"
        macro_path=$(cat "$tmp/$name.macro")
        time_paths "$name" "$block"
        jq -s '.[0] + {speed: (.[1] | map_values({area, cells}) | add)}' <(paths "$name") "$tmp/$name.speed" >"$tmp/$name.path"
    fi
    jq -n -L synth --arg name "$name" --arg block "$block" \
        --slurpfile modules "$tmp/$name.count" --slurpfile stored "$tmp/$name.stored" --slurpfile path "$tmp/$name.path" --argjson macro_path "$macro_path" --arg cut "$cut" \
        'include "common";
        $modules[0] as $m | $stored[0] as $s | $path[0] as $path
        | {name: $name, block: $block, parameters: ($ARGS.positional | map(split("=") | {(.[0]): (.[1] | tonumber)}) | add // {}), cut: ($cut == "cut"), modules: $m, stored: $s,
           cells: (($m | total(.cells)) + ($s | total(.n * .cells))), flops: (($m | total(.flops)) + ($s | total(.n * .flops))),
           control_flops: ($m | total(.flops)), min_period_ns: $path.min_period_ns, macro_period_ns: $macro_path,
           speed: $path.speed, path: (if $path then $path | del(.speed) else null end)}' --args "$@" >"$tmp/$name.json"
}

# of_block DO NAME TIMING BLOCK PARAM=VALUE...: DO (measure or kept_in) with the parts and the cut of the block; or, if TIMING is whole, timing with no cut
of_block() {
    case $3 in
    whole) "$1" "$2" "$(parts_of "$4")" timing whole "${@:4}" ;;
    *) "$1" "$2" "$(parts_of "$4")" "$3" "$(cut_of "$4")" "${@:4}" ;;
    esac
}

# measure_block NAME TIMING BLOCK PARAM=VALUE...
measure_block() {
    of_block measure "$@"
}

# ahead: measures the designs on stdin, the arguments of measure_block a line, two at a time; they are known from then on
ahead() {
    local line running=0
    while read -r line; do
        if [ $running -eq 2 ]; then
            wait -n || { wait; exit 1; }
            running=1
        fi
        (
            tmp=$(mktemp -d "$tmp/ahead.XXXXXX")
            cp "$tmp/../cells" "$tmp/../io.constr" "$tmp"
            measure_block $line </dev/null
            rm -rf "$tmp"
        ) &
        running=$((running + 1))
    done
    while [ $running -gt 0 ]; do
        wait -n || { wait; exit 1; }
        running=$((running - 1))
    done
}
