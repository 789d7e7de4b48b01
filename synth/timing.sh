#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Timing of every twinned block at the points of the papers: shortest period, slack at a stated clock, critical path, slack of all endpoints, hold.
# docs/use/synthesis.md says how it is measured.
#   synth/timing.sh           build/synth/timing.txt and timing.json
#   synth/timing.sh --quick   build/synth/timing_quick.txt, .json: tiny designs, a test of this script
#   synth/timing.sh BLOCK [PARAM=VALUE]...    build/synth/timing_point.txt, .json: that design
# PERIOD=ns    the stated clock     default: 4 for osu018, else 1
# LIBERTY, FAKERAM and PERIOD_PS: see synth/flow.bash
. "$(dirname "$0")/flow.bash"
[[ ${PERIOD:-1} =~ ^[0-9]+(\.[0-9]+)?$ ]] && [[ ${PERIOD:-1} =~ [1-9] ]] || die "PERIOD is no number of ns: $PERIOD"
point=()
case ${1:-} in
'' | -*) start timing timing timing_quick "$@" ;;
*)
    point=("$@")
    check_parameters "$@"
    start timing_point timing_point timing_quick
    ;;
esac
case $lib_name in osu018*) clock=4 ;; *) clock=1 ;; esac
clock=${PERIOD:-$clock}

# listed: NAME TIMING BLOCK PARAM=VALUE... a line. A DL-MSHR is compared to the static one with as much cut that its point names.
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

# Every twinned block has a point, so that one that is added is not forgotten.
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
        | {name, block, parameters, storage_cut: .cut, min_period_ns, mhz: (1000 / .min_period_ns | round), slack_ns: ($clock - .min_period_ns | to(1000)), macro_period_ns,
           to_static: (static(.name) as $static | if $static then .min_period_ns / $static | to(1000) else null end),
           area: {smallest: (if .cut then .modules | total(.area) else (.modules | total(.area)) + (.stored | in_flops) end), fastest: .speed.area},
           start: $path.start, end: $path.end, stages: $path.stages, endpoints: $path.endpoints, hold: $path.hold, needs: $path.needs}))}' >"$tmp/$run.json"
{
    echo "Timing, library $lib_name, typical corner, no wires, clock $clock ns; how it is measured: docs/use/synthesis.md"
    table timing.jq "$tmp/$run.json"
    jq -r -L synth -f synth/paths.jq "$tmp/$run.json"
} >"$tmp/$run.txt"
finish
