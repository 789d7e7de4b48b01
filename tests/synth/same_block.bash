# SPDX-License-Identifier: Apache-2.0
. tb/harness/blocks.bash

# same_block BLOCK GONE PARAM=VALUE...: OBSERVE=0 is the same block: GONE flip-flops less, and Yosys proves every other port equal.
# A wire without a driver that OBSERVE=0 leaves behind is no point of comparison: it loses its name.
same_block() {
    local block=$1 gone=$2 p o files set='' n=()
    shift 2
    for p in "$@"; do set+=" -chparam ${p%%=*} ${p#*=}"; done
    files=$(tr '\n' ' ' <"rtl/$block/$block.f")
    for o in 0 1; do
        expect 0 yosys -q -p "read_verilog -defer $(printf -- '-I%s ' rtl/*/) $files; hierarchy -check -top $block$set -chparam OBSERVE $o; proc; flatten
            rename -top observe$o; memory -nomap; memory_map; opt -full; write_rtlil $work/observe$o.il
            simplemap; opt_clean -purge; tee -q -o $work/stat$o stat"
        n[o]=$(awk '$1 ~ /^\$_.*DFF/ { sum += $2 } END { print sum + 0 }' "$work/stat$o")
    done
    [ $((n[1] - n[0])) -eq "$gone" ] || complain "$block$set: ${n[1]} and ${n[0]} flip-flops, not $gone less, with OBSERVE=0"
    expect 0 yosys -q -p "read_rtlil $work/observe0.il; read_rtlil $work/observe1.il; delete -port w:st_*; rename -hide w:* c:* %co1 %d; equiv_make observe1 observe0 both
        hierarchy -top both; opt_clean; equiv_simple; equiv_induct; equiv_status -assert"
}

# same_blocks BLOCK...: at their points tagged same
same_blocks() {
    local block gone point
    for block in "$@"; do [ -n "$(points same "$block")" ] || complain "$block has no point tagged same"; done
    points same "$@" >"$work/same"
    while read -r block _ gone point; do same_block "$block" "$gone" $point </dev/null; done <"$work/same"
}
