#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Measures area and critical path of each set index and each partition map in addr_hash, to compare their cost. docs/use/synthesis.md describes the method.
#   synth/addr_hash.sh           build/synth/addr_hash.txt and addr_hash.json
#   synth/addr_hash.sh --quick   build/synth/addr_hash_quick.txt, .json: tiny designs, a test of this script
# LIBERTY and PERIOD_PS: see synth/flow.bash
. "$(dirname "$0")/flow.bash"
start addr_hash addr_hash addr_hash_quick "$@"

# design NAME TIMING BLOCK PARAM=VALUE...: adds a design to the report. TIMING: see measure
design() {
    local name=${1//\~/ } timing=$2
    shift 2
    measure "${name// /_}" "$(parts_of "$1")" "$timing" "$(cut_of "$1")" "$@"
    jq -c -L synth --arg name "$name" 'include "common";
        .modules as $m
        | {name: $name, block, parameters,
           area: {index: ($m.mt_set_index.area // 0), map: ($m.mt_part_map.area // 0), rest: $m.addr_hash.area, all: ($m | total(.area))},
           cells, flops, fast_um2: .fast.area, min_period_ns}' "$tmp/${name// /_}.json" >>"$tmp/designs"
}

# report TITLE: writes text and JSON of the designs
report() {
    jq -s --arg lib "$lib_name" '{library: $lib, area_unit: "um2", designs: .}' "$tmp/designs" >"$tmp/$run.json"
    {
        echo "$1, library $lib_name, um2; method: docs/use/synthesis.md"
        table addr_hash.jq "$tmp/$run.json"
        echo "$fast_means ns: from the inputs or the first register stage to the next registers; a set index is timed with a short map, a map with bmod."
    } >"$tmp/$run.txt"
    finish
}

case $run in
addr_hash) title='Set indices of 32 and 64 sets, and maps of 16 partitions' ;;
*) title='Tiny designs' ;;
esac
designs $run >"$tmp/list"
ahead <"$tmp/list"
while read -r name what row; do design "$name" "$what" $row </dev/null; done <"$tmp/list"
report "$title"
