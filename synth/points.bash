# SPDX-License-Identifier: Apache-2.0
# Cached measurements of a design. Sourced by synth/flow.bash.

# rtl_of BLOCK: files that its netlist is built from; contracts are only for proofs
rtl_of() {
    cat "rtl/$1/$1.f"
    ! grep -q '^rtl/lib/mt_ram_1r1w\.v$' "rtl/$1/$1.f" || echo synth/mt_ram_1r1w.v
    ls rtl/*/*.vh | grep -v '_contract\.vh$'
}

# point_key BLOCK ARGUMENT...: cache key of a measurement: arguments, RTL, library, macros, tools, and measuring scripts
point_key() {
    {
        printf '%s\n' "$@" "${PERIOD_PS:-}" "$wires" "$observe" "$gated" "$storage" "$versions" "${recipes[@]}"
        declare -f count instances macro_per_bit nearest_macro macro_times ram_times clock_gate to_gates shape_name shape slice_file measured_files storage_file sources map map_for_speed \
            critical_path fastest time_paths slowest paths measure_point
        rtl_of "$1" | xargs cat "$lib" "$tmp/io.constr" synth/timing.tcl synth/gate.awk synth/common.jq | grep -av 'SPDX-License-Identifier: Apache-2.0'
        [ -z "$FAKERAM" ] || cat "$FAKERAM"/fakeram45_*.lib
    } | sha256sum | cut -c 1-32
}

# kept_in NAME PARTS TIMING CUT BLOCK PARAM=VALUE...: prints the file of that measurement if it exists
kept_in() {
    echo "$out/points/$(point_key "$5" "${@:2}").json"
}

# measure NAME PARTS TIMING CUT BLOCK PARAM=VALUE...: measures one design: map, and with TIMING its paths, with storage CUT. TIMING: timing;
# macros (also, with FAKERAM, the path with macro delays); or area -> $tmp/NAME.json: {name, block, parameters, cut, modules: PARTS and the
# rest, stored, cells, flops, control_flops: without storage, min_period_ns, wire_period_ns: with the library's wire load, fast: {area, cells}
# of the netlist of that period, without the RAMs if they are cut, macro: {period_ns, wire_period_ns, area} of the fastest netlist with RAM
# macros, whose area counts, path: see paths}. Earlier measurements of the same RTL by the same script are taken from build/synth/points.
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

# measure_point: measure without the cache
measure_point() {
    local name=$1 parts=$2 timing=$3 cut=$4 block=$5
    shift 5
    map "$name" "$parts" "$block" "$@"
    echo null >"$tmp/$name.path"
    echo '{}' >"$tmp/$name.macro"
    if [ "$timing" != area ]; then
        critical_path "$name" "$timing" "$cut" "$block" "$@"
        time_paths "$name" "$block"
        jq -s '.[0] + {fast: (.[1] | map_values({area, cells}) | add)}' <(paths "$name") "$tmp/$name.speed" >"$tmp/$name.path"
    fi
    jq -n -L synth --arg name "$name" --arg block "$block" \
        --slurpfile modules "$tmp/$name.count" --slurpfile stored "$tmp/$name.stored" --slurpfile path "$tmp/$name.path" --slurpfile macro "$tmp/$name.macro" --arg cut "$cut" \
        'include "common";
        $modules[0] as $m | $stored[0] as $s | $path[0] as $path
        | ($s | map(select(.cell == "mt_ram_slice")) | as_macros) as $rams
        | {name: $name, block: $block, parameters: ($ARGS.positional | map(split("=") | {(.[0]): (.[1] | tonumber)}) | add // {}), cut: ($cut == "cut"), modules: $m, stored: $s,
           cells: (($m | total(.cells)) + ($s | total(.n * .cells))), flops: (($m | total(.flops)) + ($s | total(.n * .flops))),
           control_flops: ($m | total(.flops)), min_period_ns: $path.min_period_ns, wire_period_ns: $path.wire_period_ns, fast: $path.fast,
           macro: (if $macro[0].area then $macro[0] | .area += $rams else null end), path: (if $path then $path | del(.fast) else null end)}' --args "$@" >"$tmp/$name.json"
}

# of_block COMMAND NAME TIMING BLOCK PARAM=VALUE...: calls COMMAND (measure or kept_in) with the parts and the cut of the block; TIMING
# whole: timing without a cut
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

# ahead: measures the designs on stdin (one line of measure_block arguments each), two at a time, and caches the results
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
