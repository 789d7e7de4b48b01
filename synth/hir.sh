#!/bin/bash
# Area and critical path of hir, and the bits it keeps beside the paper's. docs/synthesis.md says how it is counted.
#   synth/hir.sh             build/synth/hir.txt and hir.json
#   synth/hir.sh --options   build/synth/hir_options.txt, .json: what each parameter costs
#   synth/hir.sh --quick     build/synth/hir_quick.txt, .json: the report of tiny designs, a test of this script
# LIBERTY, FAKERAM and PERIOD_PS: see synth/flow.bash
. "$(dirname "$0")/flow.bash"
start hir hir_options hir_quick "$@"

# design NAME TIMING PARAM=VALUE...: one more in the report. TIMING: see measure
design() {
    local name=$1 timing=$2
    shift 2
    measure "$name" "$(parts_of hir)" "$timing" "$(cut_of hir)" hir "$@"
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
           cells, flops, control_flops, min_period_ns, macro_period_ns}
        | .bits.all = (.bits | .tags + .counters + .valid + .rows + .order)
        | .area.logic = (.area | .lookup + .send + .rest)
        | .area.all_flops = (.area | .entries + .order + .logic)
        | .area.with_macro = (if .macro.entries == null then null else .macro.entries + .macro.order + .area.logic end)' "$tmp/$name.json" >>"$tmp/designs"
}

# report TITLE: text and JSON of the designs so far
report() {
    jq -s --arg lib "$lib_name" --argjson fakeram "$([ -n "$FAKERAM" ] && echo true || echo false)" '
        {library: $lib, area_unit: "um2", macro_estimate: $fakeram,
         paper: {entries: 1024, tag_bits: (1024 * 48), counter_bits: (1024 * 32), l1d_bits: (15 * 16 * 8192)}, designs: .}' "$tmp/designs" >"$tmp/$run.json"
    {
        echo "$1, library $lib_name, um2; how it is counted: docs/synthesis.md"
        table hir.jq "$tmp/$run.json"
        echo "lookup: comparators, choice, counting, what is put in place of old words, a flip-flop a row. send: places in the order, back-pressure."
        if [ -n "$FAKERAM" ]; then
            echo "as macro: an estimate by um2/bit of the nearest single-port fakeram45 macro. ns, macro: with its access and setup time."
        fi
        echo
        table hir_bits.jq "$tmp/$run.json"
    } >"$tmp/$run.txt"
    finish
}

# sizes TIMING 'WAYSxSETS'...
sizes() {
    local timing=$1 size
    shift
    for size in "$@"; do design "hir_$size" "$timing" WAYS="${size%x*}" SETS="${size#*x}"; done
}

hir() {
    sizes macros 8x128 8x64 4x64 8x32
    report "The hit information record cache"
}

# options TIMING PARAM=VALUE...: a design for each value, all other parameters at their defaults
options() {
    local timing=$1 row
    shift
    for row in "$@"; do design "$row" "$timing" "$row"; done
}

hir_options() {
    options macros WAYS=8 WAYS=1 WAYS=2 WAYS=4 WAYS=16 SET_W=24 SET_W=36 PAGES=8 PAGES=32 COUNT_W=1 COUNT_W=4 LOST_W=8
    report "Parameters of hir"
}

hir_quick() {
    local small="SET_W=6 PAGES=4 LOST_W=2"
    design hir_2x4 macros WAYS=2 SETS=4 COUNT_W=2 $small
    design hir_1x1 macros WAYS=1 SETS=1 COUNT_W=1 $small
    report "Tiny designs"
}

$run
