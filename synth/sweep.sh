#!/bin/bash
# How area and period of the blocks grow with their size. docs/synthesis.md says how they are measured.
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

# mshrs SETS...: at the L1D point; a static one has as many slots, eight an entry
mshrs() {
    local sets slots
    for sets in "$@"; do
        for slots in 2 4; do
            echo "dl_${slots}_slots $((sets * slots)) dl_${sets}x$slots macros dl_mshr SETS=$sets SLOTS=$slots RESERVED_HEADS=$((sets / 2)) $L1D"
        done
    done
    for sets in "$@"; do echo "static_8_slots $((sets * 2)) static_$((sets / 4))x8 macros static_mshr ENTRIES=$((sets / 4)) SLOTS=8 $L1D"; done
    echo "static_8_slots $((sets * 4)) static_$((sets / 2))x8 macros static_mshr ENTRIES=$((sets / 2)) SLOTS=8 $L1D"
}

# carts RxCxE...: with ids of one bit. They are a plain RAM, of 8,192 words in the largest.
carts() {
    local size r c e
    for size in "$@"; do
        IFS=x read -r r c e <<<"$size"
        echo "cart $((16 * r * c * e)) cart_${r}R${c}C${e}E timing cart ROWS=$r COLS=$c DEPTH=$e BANKS=16 BANK_MASK=450 COL_MASK=61 ADDR_W=21 ID_W=1"
    done
}

# bpgs CALCULATORSxSAMPLEDxWAYS...
bpgs() {
    local size k n w
    for size in "$@"; do
        IFS=x read -r k n w <<<"$size"
        echo "bpg $((k * n * w)) bpg_$size timing bpg CALCULATORS=$k SAMPLED=$n WAYS=$w"
    done
}

# hirs WAYSxSETS...
hirs() {
    local size
    for size in "$@"; do echo "hir $((${size%x*} * ${size#*x})) hir_$size macros hir WAYS=${size%x*} SETS=${size#*x}"; done
}

# designs: FAMILY ENTRIES, and the arguments of measure_block, a line
sweep() {
    mshrs 8 16 32 64 128 256
    carts 2x1x2 2x2x2 4x1x2 4x2x1 4x2x2 4x2x4 4x2x8 4x4x2 8x2x2 4x4x4 4x8x2 8x4x4 8x8x8
    bpgs 8x1x4 4x4x4 8x2x4 8x4x2 8x4x4 8x4x8 8x8x4 16x4x4
    hirs 1x128 2x128 4x128 8x16 8x32 8x64 8x128 8x256 16x128
}

sweep_quick() {
    echo "dl_2_slots 8 dl_4x2 timing dl_mshr SETS=4 SLOTS=2 RESERVED_HEADS=2 $L1D"
    echo "dl_2_slots 16 dl_8x2 timing dl_mshr SETS=8 SLOTS=2 RESERVED_HEADS=4 $L1D"
    echo "static_8_slots 16 static_2x8 timing static_mshr ENTRIES=2 SLOTS=8 $L1D"
}

# mapping_of ENTRIES: by all recipes; of more than 4,096 entries by the first alone, which takes half an hour
all_recipes=("${recipes[@]}")
mapping_of() {
    recipes=("${all_recipes[@]}")
    [ "$1" -le 4096 ] || recipes=("${all_recipes[0]}")
}

$run | while read -r family entries line; do
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
    echo "Sizes, library $lib_name, um2, typical corner, no wires; how they are measured: docs/synthesis.md"
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
