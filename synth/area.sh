#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Compares the area of the blocks with the papers' figures: all in flip-flops with a multiplexer per enable, with clock gates instead, and
# with the area of macros for storage. docs/use/synthesis.md describes the method.
#   synth/area.sh           build/synth/area.txt and area.json
#   synth/area.sh --quick   build/synth/area_quick.txt, .json: tiny designs, a test of this script
# LIBERTY (if it has no clock gates, their column stays empty), FAKERAM and PERIOD_PS: see synth/flow.bash
. "$(dirname "$0")/flow.bash"
start area area area_quick "$@"

# listed: prints one line GROUP INSTANCES PAPER_UM2 NAME TIMING BLOCK PARAM=VALUE... per design. A group is compared with its first design.
# Papers: Gu and Chen (Table 3), Gu's dissertation (section 2.6.4), Zhang's (MDB), Yu et al. (bits only).
listed() {
    designs $run | awk '{ name = $1; split($2, is, ","); $1 = is[1]; $2 = is[2] " " is[3] " " name " " is[4]; print }'
}

# priced FILE: prints {cells, macro, flops} of a measured design: um2 of one instance in cells, um2 with its storage as macros (null if no
# macro area is known), and flip-flops. In bpg only the tags could be in a macro.
priced() {
    jq -c -L synth 'include "common";
        (.modules | total(.area)) as $logic
        | (.stored | map(select(.name | endswith("u_cubes") | not))) as $large | (.stored - $large) as $small
        | {cells: ($logic + (.stored | in_flops)), macro: (if ($large | as_macros) == null then null else $logic + ($small | in_flops) + ($large | as_macros) end), flops}' "$1"
}

listed >"$tmp/list"
kinds=0
[ -z "$(clock_gate)" ] || kinds='0 1'
for gated in $kinds; do
    progress_begin "synth/area.sh, $([ "$gated" = 0 ] && echo multiplexers || echo clock gates)" "$(wc -l <"$tmp/list")" "$tmp/progress"
    sed "s/^\([^ ]* \)\{3\}//; $([ "$gated" = 0 ] || echo 's/ timing \| macros / area /')" "$tmp/list" >"$tmp/list.$gated"
    ahead <"$tmp/list.$gated"
    while read -r name line; do
        measure_block "$name" $line </dev/null
        priced "$tmp/$name.json"
    done <"$tmp/list.$gated" >"$tmp/priced.$gated"
done
[ -e "$tmp/priced.1" ] || sed 's/.*/null/' "$tmp/priced.0" >"$tmp/priced.1"
paste -d '\t' "$tmp/list" "$tmp/priced.0" "$tmp/priced.1" | jq -R -L synth --arg lib "$lib_name" -s 'include "common";
    {library: $lib, area_unit: "um2", designs: [split("\n")[] | select(. != "") | split("\t") | (.[0] | split(" ")) as $d | (.[1] | fromjson) as $cells | (.[2] | fromjson) as $gated
        | ($d[1] | tonumber) as $n | def all(x): if x == null then null else x * $n end;
        {group: $d[0], name: $d[3], instances: $n, paper: ($d[2] | fromjson), flops: $cells.flops,
         area: {multiplexers: all($cells.cells), gated: all($gated.cells), multiplexers_macro: all($cells.macro), gated_macro: all($gated.macro)}}]}
    | .designs |= (. as $all | map(. as $is | ($all | map(select(.group == $is.group))[0]) as $first
        | .ratio = (if $is == $first then null else {paper: (.paper / $first.paper)}
            + (.area | with_entries(if .value == null then . else .value /= $first.area[.key] end)) end)))' >"$tmp/$run.json"
{
    echo "Area in um2, library $lib_name; method: docs/use/synthesis.md"
    table area.jq "$tmp/$run.json"
    [ -z "$FAKERAM" ] || echo "macro: storage at the um2/bit of the nearest single-port fakeram45 macro, an estimate."
} >"$tmp/$run.txt"
finish
