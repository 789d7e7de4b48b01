#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Compares area and critical path of dl_mshr and static_mshr at the paper's two points. docs/use/synthesis.md describes the method.
#   synth/run.sh             build/synth/report.txt and report.json
#   synth/run.sh --options   build/synth/options.txt, .json: cost of each option of dl_mshr at the L1D point
#   synth/run.sh --split     build/synth/split.txt, .json: dl_mshr with attach-only sets, and static_mshr, both with a two-cycle lookup
#   synth/run.sh --area      build/synth/mshr_area.txt, .json: area of three MSHRs of the L1D, without periods (half a minute)
#   synth/run.sh --quick     build/synth/quick.txt, .json: two tiny designs, a test of this script
. "$(dirname "$0")/flow.bash"
case ${1:-} in
--split) start split split quick "${@:2}" ;;
--area) start mshr_area mshr_area quick "${@:2}" ;;
*) start report options quick "$@" ;;
esac

# design NAME TIMING BLOCK PARAM=VALUE...: measures a design -> $tmp/NAME.is. TIMING: timing, or area alone
design() {
    local name=$1 timing=$2
    shift 2
    measure "$name" "$(parts_of "$1")" "$timing" "$(cut_of "$1")" "$@"
    jq -L synth 'include "common";
        .block as $block
        | def part(names): .modules | to_entries | map(select(.key | IN(names))) | total(.value.area);
        {block, parameters,
         area: {cam: part("mshr_cam", "dlm_cam"), sets: part("mshr_fill", "dlm_sets", "mshr_heads", "dlm_attached", "dlm_room"), control: part("dau", "mshr_drain", $block)},
         slot_bits: (.stored | total(.n * .bits)), slots_as_flops: (.stored | in_flops), slots_as_macro: (.stored | as_macros),
         cells, flops, flops_without_slots: .control_flops, fast_um2: .fast.area, min_period_ns}
        | .area.logic = ([.area[]] | add)
        | .area.all_flops = .area.logic + .slots_as_flops
        | .area.with_macro = (if .slots_as_macro == null then null else .area.logic + .slots_as_macro end)' "$tmp/$name.json" >"$tmp/$name.is"
}

# rows TITLE: writes $run.json and $run.txt, with a row for each design tagged $run
rows() {
    local name what row n=0 rows=()
    while read -r name what row; do
        n=$((n + 1))
        design "$run$n" "$what" $row </dev/null
        rows+=("$(jq -c --arg name "${name//\~/ }" '. + {name: $name}' "$tmp/$run$n.is")")
    done < <(designs "$run")
    printf '%s\n' "${rows[@]}" | jq -s '.' >"$tmp/$run.json"
    {
        echo "$1 at the L1D point, $lib_name, um2, slots in flip-flops (docs/use/synthesis.md)"
        table "$run.jq" "$tmp/$run.json"
        echo "$fast_means"
    } >"$tmp/$run.txt"
    finish
}

# point GROUP NAME TIMING BLOCK PARAM=VALUE...: adds a design to the report; the first of a group is the reference
point() {
    local group=$1 name=$2
    shift 2
    design "${group}_$name" "$@"
    jq -c --arg group "$group" --arg name "$name" '{group: $group, name: $name, is: .}' "$tmp/${group}_$name.is" >>"$tmp/points"
}

# report: writes the points to report.json and report.txt, or to the files of --area or --quick
report() {
    jq -s --arg lib "$lib_name" --argjson fakeram "$([ -n "$FAKERAM" ] && echo true || echo false)" '
        def ratio(x; y): if x == null or y == null then null else (x / y * 1000 | round / 1000) end;
        def against(s): .ratio = {logic: ratio(.area.logic; s.area.logic), all_flops: ratio(.area.all_flops; s.area.all_flops),
                                  with_macro: ratio(.area.with_macro; s.area.with_macro)};
        {library: $lib, area_unit: "um2", macro_estimate: $fakeram,
         paper: {l1d: {static_mm2: 0.00386, dl_mm2: 0.00449, ratio: 1.163}, l2: {static_mm2: 0.0601, dl_mm2: 0.0611, ratio: 1.016}}}
        + (reduce .[] as $p ({first: {}, out: {}};
            .first[$p.group] //= $p.is | .first[$p.group] as $first
            | .out[$p.group][$p.name] = if $first == $p.is then $p.is else $p.is | against($first) end) | .out)' "$tmp/points" >"$tmp/$run.json"
    {
        echo "Area in um2, library $lib_name; method: docs/use/synthesis.md"
        table report.jq "$tmp/$run.json"
        echo "logic: all but the slots. all flops: logic, and the slots in flip-flops. $fast_means"
        if [ -n "$FAKERAM" ]; then echo "with macro: logic, and the slots as SRAM, estimated from the um2/bit of the nearest single-port fakeram45 macro."; fi
        jq -r '"paper, 45 nm: L1D \(.paper.l1d.ratio) (0.00386 -> 0.00449 mm2), L2 \(.paper.l2.ratio) (0.0601 -> 0.0611 mm2)"' "$tmp/$run.json"
    } >"$tmp/$run.txt"
    finish
}

# papers_points TAG: measures the designs with this tag and writes the report
papers_points() {
    local name what row group
    designs "$1" | while read -r name what row; do echo "$name ${what#*,} $row"; done >"$tmp/list"
    ahead < <(tac "$tmp/list") # largest first
    while read -r name what row; do
        group=${what%,*}
        point "$group" "${name#"${group}_"}" "${what#*,}" $row </dev/null
    done < <(designs "$1")
    report
}

# The paper's optimizations are 1 slots per set, 2 gated comparators, 3 tail without a pointer, and 4 reserved heads. The option TAIL
# changes the critical path.
case $run in
options) rows "Options of dl_mshr" ;;
split) rows "Attach-only sets of dl_mshr" ;;
*) papers_points "$run" ;;
esac
