#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Measures area and critical path of hir, and its number of stored bits next to the paper's. docs/use/synthesis.md describes the method.
#   synth/hir.sh             build/synth/hir.txt and hir.json
#   synth/hir.sh --options   build/synth/hir_options.txt, .json: cost of each parameter
#   synth/hir.sh --quick     build/synth/hir_quick.txt, .json: tiny designs, a test of this script
# LIBERTY, FAKERAM and PERIOD_PS: see synth/flow.bash
. "$(dirname "$0")/flow.bash"
start hir hir_options hir_quick "$@"

# design NAME TIMING BLOCK PARAM=VALUE...: adds a design to the report. TIMING: see measure
design() {
    local name=$1 timing=$2
    shift 2
    measure "$name" "$(parts_of "$1")" "$timing" "$(cut_of "$1")" "$@"
    jq -c -L synth 'include "common";
        (.stored | map(select(.name | contains("u_entries")))) as $entries
        | (.stored - $entries) as $order
        | .modules as $m
        | (.parameters | {SETS: 128, WAYS: 8, SET_W: 48, PAGES: 16, COUNT_W: 2} + .) as $p
        | ($p.SETS * $p.WAYS) as $n
        | {name, block, parameters,
           bits: {entries: $n, tags: ($n * ($p.SET_W - ($p.SETS | log2 | round))), counters: ($n * $p.PAGES * $p.COUNT_W), valid: $n, rows: $p.SETS,
                  order: ($order | total(.n * .bits)), in_entries: ($entries | total(.n * .bits)), paper: ($n * ($p.SET_W + $p.PAGES * $p.COUNT_W))},
           area: {entries: ($entries | in_flops), order: ($order | in_flops), lookup: $m.hir_ways.area, send: $m.hir_order.area, rest: $m.hir.area},
           macro: {entries: ($entries | as_macros), order: ($order | as_macros)},
           cells, flops, control_flops, fast_um2: .fast.area, min_period_ns, macro_um2: .macro.area, macro_period_ns: .macro.period_ns}
        | .bits.all = (.bits | .tags + .counters + .valid + .rows + .order)
        | .area.logic = (.area | .lookup + .send + .rest)
        | .area.all_flops = (.area | .entries + .order + .logic)
        | .area.with_macro = (if .macro.entries == null then null else .macro.entries + .macro.order + .area.logic end)' "$tmp/$name.json" >>"$tmp/designs"
}

# report TITLE: writes text and JSON of the designs
report() {
    jq -s --arg lib "$lib_name" --argjson fakeram "$([ -n "$FAKERAM" ] && echo true || echo false)" '
        {library: $lib, area_unit: "um2", macro_estimate: $fakeram,
         paper: {entries: 1024, tag_bits: (1024 * 48), counter_bits: (1024 * 32), l1d_bits: (15 * 16 * 8192)}, designs: .}' "$tmp/designs" >"$tmp/$run.json"
    {
        echo "$1, library $lib_name, um2; method: docs/use/synthesis.md"
        table hir.jq "$tmp/$run.json"
        echo "lookup: comparators, selection, counting, forwarding of written words, one flip-flop per row. send: positions in the order, back-pressure. $fast_means"
        if [ -n "$FAKERAM" ]; then
            echo "as macro: estimated from the um2/bit of the nearest single-port fakeram45 macro. macros: one netlist with RAM macros, and their access and setup times."
        fi
        echo
        table hir_bits.jq "$tmp/$run.json"
    } >"$tmp/$run.txt"
    finish
}

case $run in
hir) title='The hit information record cache' ;;
hir_options) title='Parameters of hir' ;;
*) title='Tiny designs' ;;
esac
while read -r name what row; do design "$name" "$what" $row </dev/null; done < <(designs $run)
report "$title"
