#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Measures area and period of the blocks as functions of their size. docs/use/synthesis.md describes the method.
#   synth/sweep.sh           build/synth/sweep.txt, .json and .svg
#   synth/sweep.sh --known   only sizes that have been measured before
#   synth/sweep.sh --quick   build/synth/sweep_quick.txt, .json and .svg: tiny designs, a test of this script
# Measured points are cached in build/synth/points, so an interrupted run resumes. LIBERTY, FAKERAM and PERIOD_PS: see synth/flow.bash
. "$(dirname "$0")/flow.bash"
known=0
if [ "${1:-}" = --known ]; then
    known=1
    shift
fi
start sweep sweep sweep_quick "$@"

# listed: prints one line per size: FAMILY ENTRIES, and the arguments of measure_block. The carts have one-bit IDs in a plain RAM of up to 8,192 words.
listed() {
    designs $run | awk '{ name = $1; split($2, is, ","); $1 = is[1]; $2 = is[2] " " name " " is[3]; print }'
}

# mapping_of ENTRIES: selects all recipes; above 4,096 entries only the first, which takes half an hour
all_recipes=("${recipes[@]}")
mapping_of() {
    recipes=("${all_recipes[@]}")
    [ "$1" -le 4096 ] || recipes=("${all_recipes[0]}")
}

listed | while read -r family entries line; do
    mapping_of "$entries"
    if [ $known = 0 ] || [ -e "$(of_block kept_in $line)" ]; then echo "$family $entries $line"; fi
done >"$tmp/list"
[ -s "$tmp/list" ] || die "no size has been measured with this Verilog and $lib_name"
for large in 0 1; do
    mapping_of $((large * 4096 + 1))
    awk -v large=$large '($2 > 4096) == large' "$tmp/list" | cut -d ' ' -f 3- | ahead
done
while read -r family entries name line; do
    mapping_of "$entries"
    measure_block "$name" $line </dev/null
    jq --arg family "$family" --argjson entries "$entries" '. + {family: $family, entries: $entries}' "$tmp/$name.json"
done <"$tmp/list" | jq -s -L synth --arg lib "$lib_name" 'include "common";
    {library: $lib, area_unit: "um2", designs: map({family, entries, name, block, parameters, min_period_ns, flops,
        area: {logic: (.modules | total(.area)), storage: (.stored | in_flops), fast: .fast.area}}
        | .area.all = .area.logic + .area.storage)}' >"$tmp/$run.json"
{
    echo "Sizes, library $lib_name, um2, typical corner, no wires; method: docs/use/synthesis.md"
    table sweep.jq "$tmp/$run.json"
    echo "logic: all except storage. all: with storage in flip-flops. $fast_means"
} >"$tmp/$run.txt"

for family in $(jq -r '[.designs[].family] | unique[]' "$tmp/$run.json"); do
    jq -r --arg family "$family" '.designs | map(select(.family == $family)) | sort_by(.entries)[] | [.entries, .area.fast, .min_period_ns] | @tsv' \
        "$tmp/$run.json" >"$tmp/$family.dat"
done
sim/report/draw_plots.sh synth/sweep.plots.json "$tmp" 2>"$tmp/plots.err" || die "sim/report/draw_plots.sh failed: $(head -1 "$tmp/plots.err")"
mv "$tmp/sweep.svg" "$out/$run.svg"
finish
