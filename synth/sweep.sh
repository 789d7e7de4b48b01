#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# How area and period of the blocks grow with their size. docs/use/synthesis.md says how they are measured.
#   synth/sweep.sh           build/synth/sweep.txt, .json and .svg
#   synth/sweep.sh --known   the same of those sizes that have been measured before
#   synth/sweep.sh --quick   build/synth/sweep_quick.txt, .json and .svg: tiny designs, a test of this script
# Points are kept (build/synth/points), so one that was interrupted goes on. LIBERTY, FAKERAM and PERIOD_PS: see synth/flow.bash
. "$(dirname "$0")/flow.bash"
known=0
if [ "${1:-}" = --known ]; then
    known=1
    shift
fi
command -v gnuplot >/dev/null || die "gnuplot is not installed"
start sweep sweep sweep_quick "$@"

# listed: FAMILY ENTRIES, and the arguments of measure_block, a line. The carts have ids of one bit: they are a plain RAM, of 8,192 words in the largest.
listed() {
    designs $run | awk '{ name = $1; split($2, is, ","); $1 = is[1]; $2 = is[2] " " name " " is[3]; print }'
}

# mapping_of ENTRIES: by all recipes; of more than 4,096 entries by the first alone, which takes half an hour
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
        area: {logic: (.modules | total(.area)), storage: (.stored | in_flops), fastest: (.speed.area + (if .cut then .stored | in_flops else 0 end))}}
        | .area.all = .area.logic + .area.storage)}' >"$tmp/$run.json"
{
    echo "Sizes, library $lib_name, um2, typical corner, no wires; how they are measured: docs/use/synthesis.md"
    table sweep.jq "$tmp/$run.json"
    echo "logic: all but the storage. all: with it, in flip-flops; the smallest netlist. fastest: the netlist of that period, and storage that is cut there."
} >"$tmp/$run.txt"

for family in $(jq -r '[.designs[].family] | unique[]' "$tmp/$run.json"); do
    jq -r --arg family "$family" '.designs | map(select(.family == $family)) | sort_by(.entries)[] | [.entries, .area.all, .min_period_ns] | @tsv' \
        "$tmp/$run.json" >"$tmp/$family.dat"
done
gnuplot -e "from='$tmp'; out='$tmp/$run.svg'" synth/sweep.gp 2>"$tmp/gnuplot.err" || die "gnuplot failed: $(head -1 "$tmp/gnuplot.err")"
mv "$tmp/$run.svg" "$out/"
finish
