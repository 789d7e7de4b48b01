#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Measures area and critical path of bpg, next to the paper's shadow arrays and the arrays of the L1D. docs/use/synthesis.md describes the method.
#   synth/bpg.sh             build/synth/bpg.txt and bpg.json
#   synth/bpg.sh --options   build/synth/bpg_options.txt, .json: cost of each parameter
#   synth/bpg.sh --quick     build/synth/bpg_quick.txt, .json: tiny designs, a test of this script
# LIBERTY, FAKERAM and PERIOD_PS: see synth/flow.bash
. "$(dirname "$0")/flow.bash"
start bpg bpg_options bpg_quick "$@"
need_macros 128x32

# design NAME TIMING BLOCK PARAM=VALUE...: adds a design to the report. TIMING: timing, or area alone
design() {
    local name=$1 timing=$2
    shift 2
    measure "$name" "$(parts_of "$1")" "$timing" "$(cut_of "$1")" "$@"
    jq -c -L synth 'include "common";
        (.stored | map(select(.name | endswith("u_tags")))) as $tags
        | (.stored - $tags) as $table
        | .modules as $m
        | {name, block, parameters,
           bits: {tags: ($tags | total(.n * .bits)), state: $m.bpg_shadow.flops},
           area: {tags: ($tags | in_flops), lookup: $m.bpg_shadow.area, counters: $m.bpg_counter.area,
                  judge: ($m.bpg_judge.area + ($table | in_flops)), index: $m.mt_set_index.area, rest: $m.bpg.area},
           macro: {tags: ($tags | as_macros)},
           cells, flops, control_flops, fast_um2: .fast.area, min_period_ns}
        | .area.all_flops = ($m | total(.area)) + ($tags + $table | in_flops)
        | .area.arrays = .area.tags + .area.lookup
        | (if .macro.tags == null then null else .macro.tags - .area.tags end) as $saved
        | .area.with_macro = (if $saved then .area.all_flops + $saved else null end)
        | .area.arrays_with_macro = (if $saved then .area.arrays + $saved else null end)' "$tmp/$name.json" >>"$tmp/designs"
}

# l1d: prints the area of the paper's L1D, 16 KB: data as 32 banks of 128 words of 32 bits; 4 ways of 32 sets, each with a 35-bit tag, a valid bit and 2 LRU bits.
l1d() {
    local tag_bit=null
    [ -z "$FAKERAM" ] || tag_bit=$(macro_per_bit 38 32)
    jq -nc --argjson bank "$(macro_area 32 128)" --argjson bit "$tag_bit" '
        {data_bits: (32 * 128 * 32), tag_bits: (4 * 32 * 38)}
        | .data = (if $bank then 32 * $bank else null end)
        | .tags = (if $bit then .tag_bits * $bit else null end)
        | .area = (if $bank then .data + .tags else null end)'
}

# report TITLE: writes text and JSON of the designs
report() {
    jq -s --arg lib "$lib_name" --argjson fakeram "$([ -n "$FAKERAM" ] && echo true || echo false)" --argjson l1d "$(l1d)" '
        {library: $lib, area_unit: "um2", macro_estimate: $fakeram,
         paper: {arrays_mm2: 0.087, sms: 15, bits: (8 * 4 * 4 * 35), percent_of_gtx480: 0.016}, l1d: $l1d, designs: .}' "$tmp/designs" >"$tmp/$run.json"
    {
        echo "$1, library $lib_name, um2; method: docs/use/synthesis.md"
        table bpg.jq "$tmp/$run.json"
        echo "lookup: valid bits, order of use, comparators. judge: includes the table and the copy of the counters. $fast_means"
        if [ -n "$FAKERAM" ]; then
            echo "as macro: estimated from the um2/bit of the nearest single-port fakeram45 macro, which is deeper and read synchronously; the design reads combinationally."
        fi
        [ $run = bpg_options ] || beside
    } >"$tmp/$run.txt"
    finish
}

# beside: prints the first design next to the paper and the L1D
beside() {
    echo
    table bpg_beside.jq "$tmp/$run.json"
    if [ -n "$FAKERAM" ]; then
        jq -r '"L1D arrays: \(.l1d.area | round) um2 of macros, data \(.l1d.data | round), tags and state \(.l1d.tags | round)"' "$tmp/$run.json"
    fi
}

case $run in
bpg) title='The Bypassing Parameter Generator' ;;
bpg_options) title='Parameters of bpg' ;;
*) title='Tiny designs' ;;
esac
designs $run >"$tmp/list"
ahead <"$tmp/list"
while read -r name what row; do design "$name" "$what" $row </dev/null; done <"$tmp/list"
report "$title"
