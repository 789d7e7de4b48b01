#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Measures the timing of every twinned block at the points of the papers: shortest period, slack at a given clock, critical path, slack of
# all endpoints, hold. docs/use/synthesis.md describes the method.
#   synth/timing.sh           build/synth/timing.txt and timing.json
#   synth/timing.sh --quick   build/synth/timing_quick.txt, .json: tiny designs, a test of this script
#   synth/timing.sh BLOCK [PARAM=VALUE]...    build/synth/timing_point.txt, .json: one design
# PERIOD=ns    clock period      default: 4 for osu018, else 1
# LIBERTY, FAKERAM and PERIOD_PS: see synth/flow.bash
. "$(dirname "$0")/flow.bash"
[[ ${PERIOD:-1} =~ ^[0-9]+(\.[0-9]+)?$ ]] && [[ ${PERIOD:-1} =~ [1-9] ]] || die "PERIOD must be a positive number (ns): $PERIOD"
point=()
case ${1:-} in
'' | -*) start timing timing timing_quick "$@" ;;
*)
    point=("$@")
    check_parameters "$@"
    echo 'timing: up to ten minutes for an MSHR at its defaults; in_fifo: seconds' >&2
    start timing_point timing_point timing_quick
    progress_begin synth/timing.sh 1 "$tmp/progress"
    ;;
esac
case $lib_name in osu018*) clock=4 ;; *) clock=1 ;; esac
clock=${PERIOD:-$clock}

# listed: prints one line NAME TIMING BLOCK PARAM=VALUE... per design. The point of a DL-MSHR names a static MSHR with the same cut to compare it with.
listed() {
    if [ $run = timing_point ]; then timing_point; else designs $run; fi
}

timing_point() {
    local name
    name=$(printf '%s\n' "${point[@]}" | paste -sd- | tr -d =)
    case $(cut_of "${point[0]}") in
    cut) echo "$name macros ${point[*]}" ;;
    *) echo "$name timing ${point[*]}" ;;
    esac
}

# Every twinned block must have a point.
listed >"$tmp/listed"
awk '{ sub(/,.*/, "", $2); print }' "$tmp/listed" >"$tmp/list"
for block in $([ "$run" = timing_point ] || blocks); do
    awk -v block="$block" '$3 == block { found = 1 } END { exit !found }' "$tmp/list" || die "no point of $block is tagged $run"
done
awk '$2 ~ /,/ { sub(/.*,/, "", $2); print $1, $2 }' "$tmp/listed" | jq -Rn '[inputs | split(" ") | {(.[0]): .[1]}] | add // {}' >"$tmp/beside"

ahead <"$tmp/list"
while read -r name line; do
    measure_block "$name" $line </dev/null
    cat "$tmp/$name.json"
done <"$tmp/list" | jq -s -L synth --arg lib "$lib_name" --argjson clock "$clock" --slurpfile beside "$tmp/beside" 'include "common";
    def to(n): . * n | round / n;
    . as $all
    | def static($name): first($all[] | select(.name == $beside[0][$name]) | .min_period_ns) // null;
    {library: $lib, area_unit: "um2", clock_ns: $clock, designs: (map(.path as $path
        | {name, block, parameters, storage_cut: .cut, min_period_ns, wire_period_ns, mhz: (1000 / .min_period_ns | round), slack_ns: ($clock - .min_period_ns | to(1000)), macro,
           to_static: (static(.name) as $static | if $static then .min_period_ns / $static | to(1000) else null end),
           area: {smallest: (.cut as $cut | (.modules | total(.area)) + (.stored | map(select(($cut and .cell == "mt_ram_slice") | not)) | in_flops)), fast: .fast.area},
           start: $path.start, end: $path.end, stages: $path.stages, endpoints: $path.endpoints, hold: $path.hold, needs: $path.needs}))}' >"$tmp/$run.json"
{
    echo "Timing, library $lib_name, typical corner, clock $clock ns; method: docs/use/synthesis.md"
    table timing.jq "$tmp/$run.json"
    echo "um2, ns and what follows: one netlist, mapped for speed, without wires. storage cut: without the RAMs, to their pins."
    echo "wire load: the same netlist with the library's default wire-load model${wires:+, $wires}; - if it has none."
    jq -r 'if .designs | any(.macro) then "macros: the fastest netlist with RAM macros and their access times." else empty end' "$tmp/$run.json"
    echo "smallest: the netlist mapped for area."
    jq -r -L synth -f synth/paths.jq "$tmp/$run.json"
} >"$tmp/$run.txt"
finish
