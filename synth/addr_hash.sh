#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Area and critical path of each set index and each partition map, in addr_hash: which of them is simple to implement. docs/use/synthesis.md says how it is counted.
#   synth/addr_hash.sh           build/synth/addr_hash.txt and addr_hash.json
#   synth/addr_hash.sh --quick   build/synth/addr_hash_quick.txt, .json: the report of tiny designs, a test of this script
# LIBERTY and PERIOD_PS: see synth/flow.bash
. "$(dirname "$0")/flow.bash"
start addr_hash addr_hash addr_hash_quick "$@"

# design NAME TIMING BLOCK PARAM=VALUE...: one more in the report. TIMING: see measure
design() {
    local name=${1//\~/ } timing=$2
    shift 2
    measure "${name// /_}" "$(parts_of "$1")" "$timing" "$(cut_of "$1")" "$@"
    jq -c -L synth --arg name "$name" 'include "common";
        .modules as $m
        | {name: $name, block, parameters,
           area: {index: ($m.mt_set_index.area // 0), map: ($m.mt_part_map.area // 0), rest: $m.addr_hash.area, all: ($m | total(.area))},
           cells, flops, min_period_ns}' "$tmp/${name// /_}.json" >>"$tmp/designs"
}

# report TITLE: text and JSON of the designs so far
report() {
    jq -s --arg lib "$lib_name" '{library: $lib, area_unit: "um2", designs: .}' "$tmp/designs" >"$tmp/$run.json"
    {
        echo "$1, library $lib_name, um2; how it is counted: docs/use/synthesis.md"
        table addr_hash.jq "$tmp/$run.json"
        echo "ns: from the inputs or the first rank to the registers behind: of a set index with a map that is short, of a map with bmod."
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
