#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Compares area and critical path of cart, a FIFO and bank queues, at the paper's point. docs/use/synthesis.md describes the method.
#   synth/incoming.sh             build/synth/incoming.txt and incoming.json
#   synth/incoming.sh --options   build/synth/incoming_options.txt, .json: cost of each option and size of cart
#   synth/incoming.sh --quick     build/synth/incoming_quick.txt, .json: tiny designs, a test of this script
# LIBERTY, FAKERAM and PERIOD_PS: see synth/flow.bash
. "$(dirname "$0")/flow.bash"
start incoming incoming_options incoming_quick "$@"
need_macros 1024x32 64x21

# design NAME TIMING BLOCK PARAM=VALUE...: adds a design to the report. TIMING: timing, or area alone
design() {
    local name=$1 timing=$2
    shift 2
    measure "$name" "$(parts_of "$1")" "$timing" "$(cut_of "$1")" "$@"
    jq -c -L synth 'include "common";
        (.stored | map(select(.name | IN("u_ids", "u_places", "gen_queue.u_places")))) as $places
        | (.stored - $places) as $tags
        | .modules as $m
        | {name, block, parameters,
           bits: {places: ($places | total(.n * .bits)), tags: ($tags | total(.n * .bits))},
           area: {places: ($places | in_flops), tags: ($tags | in_flops),
                  queues: $m.cart_queues.area, drain: $m.cart_drain.area, fill: $m.cart_fill.area, rest: $m[.block].area,
                  control: ($m | total(.area))},
           macro: {places: ($places | as_macros), tags: ($tags | as_macros)},
           cells, flops, control_flops, fast_um2: .fast.area, min_period_ns}
        | .area.all_flops = .area.places + .area.tags + .area.control
        | .area.with_macro = (if .macro.places == null then null else .macro.places + .macro.tags + .area.control end)' "$tmp/$name.json" >>"$tmp/designs"
}

# l2: prints the area of an L2 partition: 1024 lines in 64 sets of 16 ways; data as 32 macros of 1024x32; per line a tag of 21 - 6 bits, valid, dirty and 4 LRU bits,
# as 16 macros of 64x21.
l2() {
    jq -nc --argjson data "$(macro_area 32 1024)" --argjson tags "$(macro_area 21 64)" '
        {data_bits: (32 * 1024 * 32), tag_bits: (16 * 64 * 21), data: (if $data then 32 * $data else null end), tags: (if $tags then 16 * $tags else null end)}
        | .area = (if .data then .data + .tags else null end)'
}

# report TITLE: writes text and JSON of the designs
report() {
    jq -s --arg lib "$lib_name" --argjson fakeram "$([ -n "$FAKERAM" ] && echo true || echo false)" --argjson l2 "$(l2)" '
        def of(area): if area == null or $l2.area == null then null else (area / $l2.area * 10000 | round / 100) end;
        {library: $lib, area_unit: "um2", macro_estimate: $fakeram, paper: {cart_mm2: 0.016, percent_of_l2: 1.7}, l2: $l2,
         designs: map(.percent_of_l2 = {all_flops: of(.area.all_flops), with_macro: of(.area.with_macro)})}' "$tmp/designs" >"$tmp/$run.json"
    {
        echo "$1, library $lib_name, um2; method: docs/use/synthesis.md"
        table incoming.jq "$tmp/$run.json"
        echo "places: ids (cart), addresses and ids (the others). control: queues, drain, fill and the rest. $fast_means"
        if [ -n "$FAKERAM" ]; then
            echo "as macro: estimated from the um2/bit of the nearest single-port fakeram45 macro, which is read synchronously; the design reads combinationally."
            jq -r '"L2 partition: \(.l2.data + .l2.tags | round) um2 of macros, data \(.l2.data | round), tags and state \(.l2.tags | round)"' "$tmp/$run.json"
        fi
        echo "paper, 45 nm: cart 16000 um2, 1.7 % of an L2 partition"
    } >"$tmp/$run.txt"
    finish
}

case $run in
incoming) title='Incoming buffers' ;;
incoming_options) title='Options and sizes of cart' ;;
*) title='Tiny designs' ;;
esac
while read -r name what row; do design "$name" "$what" $row </dev/null; done < <(designs $run)
report "$title"
