#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: test, 3 s
# Explained mutants are where they are said to be. The parameter points of the blocks (rtl/*/block.points): every tag is legal, every parameter exists, every block has the required points,
# and the points tagged lint cover the parameters. The ranges in `memtwin list blocks` match those in the Verilog. A wrong row is found.
. tests/lib.bash
. tb/harness/blocks.bash

while read -r tag; do
    expect 0 points "$tag"
    [ -s "$work/out" ] || complain "no point is tagged $tag"
    awk -v tag="$tag" '{ for (i = 4; i <= NF; i++) { sub(/=.*/, "", $i); print $1, $i } }' "$work/out" >>"$work/used"
done < <(sed -n 's/^\([a-z_]*\) *|.*/\1/p' tb/harness/points.tags)
"$MEMTWIN" list blocks >"$work/blocks"
{
    awk '/^[^ ]/ { block = $1; next } { print block, $1 }' "$work/blocks"
} | sort >"$work/known"
unknown=$(sort -u "$work/used" | comm -23 - "$work/known")
[ -z "$unknown" ] || complain "parameters that a block does not have: $unknown"
[ "$(cut -d ' ' -f 1 "$work/used" | sort -u | wc -l)" -eq "$(blocks | wc -l)" ] || complain "not every block has points"
# Each explained mutant is at a point of its block, and its source is where it says.
while IFS='|' read -r block params _ source text _; do
    read -r block <<<"$block" && read -r params <<<"$params" && read -r source <<<"$source" && read -r text <<<"$text"
    points mutants "$block" | grep -q " $params\$" || complain "tb/mutation/explained.txt: $block has no point $params tagged mutants"
    line=${source#*:}
    here=$(sed -n "${line%.*}p" "${source%:*}")
    [[ ${here:$((${line#*.} - 1))} = "$text"* ]] || complain "tb/mutation/explained.txt: $source is not at '$text': ${here:-no such line}"
done < <(grep -v '^#' tb/mutation/explained.txt)
for block in $(blocks); do
    for tag in lint cosim long mutants proof resets netlist timing timing_quick gate_level gate_level_quick; do
        [ -n "$(points $tag "$block")" ] || complain "$block has no point tagged $tag"
    done
    [ "$(points core "$block" | wc -l)" -eq 1 ] || complain "$block has not one point tagged core"
    for word in parts storage found cone; do [ -n "$(facts $word "$block")" ] || complain "$block has no line $word:"; done
done

# ranges BLOCKS: prints the ranges in this list that differ from the block's Verilog (tests/rtl/illegal_params.sh shows that the Verilog
# enforces them). The range of a mask follows from ADDR_W, and those of RESERVED_HEADS and QUEUES depend on other parameters.
ranges() {
    awk '/^[^ ]/ { block = $1; next } { split($3, range, /[().]+/); print block, $1, range[2], range[3] }' "$1" | while read -r block name least most; do
        xargs grep -qE "ILLEGAL_${name}_must_(be_$least(_to|_or)_($most|BANKS|SETS)|be_below_SETS|lie_within_ADDR_W) " <"rtl/$block/$block.f" || echo "$block $name $least..$most"
    done
}
[ -z "$(ranges "$work/blocks")" ] || complain "ranges that the Verilog does not say: $(ranges "$work/blocks")"
sed 's/ (1\.\.256)  number of entries/ (1..4096)  number of entries/; s/ (0\.\.1)  1: a comparator/ (0..2)  1: a comparator/' "$work/blocks" >"$work/wrong"
[ "$(ranges "$work/wrong" | xargs)" = "dl_mshr_paper GATE 0..2 static_mshr ENTRIES 1..4096" ] || complain "wrong ranges that were found: $(ranges "$work/wrong")"

# covered [SED]: prints what the edited lint points do not cover
covered() {
    for block in $(blocks); do
        facts ends "$block" | sed "s/^/$block ends /"
        points lint "$block" | sed "s/^/ /; s/\$/ /" | awk -v block="$block" '$3 == "-" { sub(/^ [^ ]+ [^ ]+ [^ ]+ ?/, ""); print block, "point", $0 }'
    done | sed "${1:-}" | awk -f tests/harness/covers.awk "$work/blocks" -
}
[ -z "$(covered)" ] || complain "the points tagged lint do not cover: $(covered)"
while IFS='|' read -r edit what; do
    covered "$edit" >"$work/out"
    grep -qxF "$what" "$work/out" || complain "not missed: $what"
done <<'FAULTS'
s/SLOTS=64/SLOTS=63/|dl_mshr: no point with SLOTS=64
s/HIT_SCALE=0/HIT_SCALE=1/|bpg: no point with HIT_SCALE=0
/^cart point ROWS=1 COLS=8/d|cart: no point with HOLD=0 POLICY=1
s/^hir point SETS=1 /hir point SET=1 /|hir: no parameter SET
FAULTS

# ---- a wrong row
mkdir -p "$work/tree/rtl/in_fifo" "$work/tree/cmodel"
cp -r --parents tb/harness cmodel/blocks.def "$work/tree"
while IFS='~' read -r row why; do
    cp rtl/in_fifo/block.points "$work/tree/rtl/in_fifo"
    echo "$row" >>"$work/tree/rtl/in_fifo/block.points"
    expect 1 bash -c "cd $work/tree && . tb/harness/blocks.bash && points lint in_fifo"
    grep -qF "$why" "$work/err" || complain "$row: $(cat "$work/err")"
done <<'ROWS'
other | lint timming=timing | DEPTH=3~no tag timming in tb/harness/points.tags
default | cosim | DEPTH=3~the name default is already used in line
other | lint DEPTH=3~not NAME | TAGS | PARAMETERS
other | | DEPTH=3~other has no tag
other | lint | DEPTH=3 DEPHT~not PARAM=VALUE
other | lint | DEPTH={3,4~a { without its }
other | lint mutants | DEPTH=3~other: mutants: its value is how many
other | lint=half | DEPTH=3~other: lint=half: its value is full
other | lint ports=1 | DEPTH=3~other: ports=1: it takes no value
word: x~unknown word word:
ROWS
expect 1 points timming in_fifo
grep -q 'no tag timming' "$work/err" || complain "an unknown tag: $(cat "$work/err")"
finish
