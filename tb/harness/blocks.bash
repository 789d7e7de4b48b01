# SPDX-License-Identifier: Apache-2.0
# Sourced by scripts, from the root: the blocks, their parameter points, and the facts that a runner needs about a block.
# rtl/BLOCK/block.points has one row per point:
#   NAME | TAG[=VALUE][@SHOWN] ... | PARAM=VALUE ...     other parameters have their defaults
# A tag names a runner that uses the point; tb/harness/points.tags lists them. Reports show the point as SHOWN (~ for a blank), or as NAME.
# {A,B} in the parameters expands to one point each: TAIL={0,1} or {SETS=2 SLOTS=1,SETS=8}.
# MEMTWIN_PROJECT=folder   repository of a user's block (docs/use/tutorial.md), whose rtl/ is searched
# MEMTWIN_RTL=folder       other Verilog for the scripts that read $RTL, in folders as in rtl/; the points stay those of rtl/
# A line  WORD: text  is a fact about the block; points.tags lists these words too.

# Cycles and seed of the runs of a block alone in its lockstep test; mutation testing uses the same.
LOCKSTEP_RUNS='150000:11 2000:21 2000:22 2000:23 2000:24 2000:25 2000:26 2000:27 2000:28'

# Folder of the Verilog.
RTL=${MEMTWIN_RTL:-${MEMTWIN_PROJECT:+$MEMTWIN_PROJECT/}rtl}

# blocks: prints the twinned blocks, or those of the project, one per line
blocks() {
    if [ -n "${MEMTWIN_PROJECT:-}" ]; then
        find "$MEMTWIN_PROJECT/rtl" -path '*/*/block.points' -printf '%P\n' | cut -d/ -f1 | sort
        return
    fi
    sed -n 's/^BLOCK(\(.*\))/\1/p' cmodel/blocks.def
}

# check_block BLOCK: fails with the reason if there is no such block
check_block() {
    blocks | grep -qxF -- "$1" || { echo "no block '$1'; there are: $(blocks | xargs)"; return 1; }
}

# check_rtl BLOCK...: fails with the reason if the folder of the Verilog lacks a block
check_rtl() {
    local block
    for block in "$@"; do
        [ -e "$RTL/$block/$block.f" ] || { echo "MEMTWIN_RTL=$RTL: no $block/$block.f; name the rtl folder"; return 1; }
    done
}

# points TAG [BLOCK]...: prints the points with the tag, of the named blocks or of all, one line BLOCK SHOWN VALUE PARAM=VALUE... each.
# VALUE is - if the tag has none.
points() {
    local tag=$1 block list
    shift
    for block in ${*:-$(blocks)}; do
        list=${MEMTWIN_PROJECT:-.}/rtl/$block/block.points
        [ -r "$list" ] || { echo "points: no rtl/$block/block.points" >&2; return 1; }
        awk -v block="$block" -v tag="$tag" -v at_line="${POINTS_AT_LINE:-}" -f tb/harness/points.awk tb/harness/points.tags "$list" || return 1
    done
}

# check_points TAG BLOCK: fails with FILE:LINE of the first point of the tag that is illegal or has a parameter that the block lacks
check_points() {
    local rows at params why
    rows=$(POINTS_AT_LINE=1 points "$1" "$2") || return 1
    while read -r at _ _ params; do
        why=$("$MEMTWIN" cosim "$2" ${params:+$(printf -- '-p %s ' $params)} --model-only --cycles 1 2>&1 </dev/null) || { echo "$at: ${why##*memtwin cosim: }" >&2; return 1; }
    done <<<"$rows"
}

# parameters TAG BLOCK: prints the parameters of each point of the tag, one line each; an empty line is the point at the defaults
parameters() {
    points "$1" "$2" | sed 's/^[^ ]* [^ ]* [^ ]* \?//'
}

# facts WORD [BLOCK]...: prints the text after WORD in the lists
facts() {
    local word=$1 block
    shift
    for block in ${*:-$(blocks)}; do sed -n "s/^$word: *//p" "${MEMTWIN_PROJECT:-.}/rtl/$block/block.points"; done
}

# observer BLOCK: prints the file of the block's observer, or nothing if it has none; tb/harness/twin.mk has the same rule
observer() {
    local project=${MEMTWIN_PROJECT:-.} file
    for file in "$RTL/$1/$1_observe.v" "$project/tb/$1/$1_observe.v"; do
        [ ! -e "$file" ] || { echo "${file#./}"; return; }
    done
}

# observed BLOCK: prints the module with the observed ports: the observer, or the block if it has none
observed() {
    if [ -n "$(observer "$1")" ]; then echo "$1_observe"; else echo "$1"; fi
}

# point_of TAG BLOCK: prints the parameters of the only point with that tag
point_of() {
    parameters "$1" "$2" | head -n 1
}
