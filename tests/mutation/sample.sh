#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: full, 110 s
# A sample of mutants of each block: the stimulus of the lockstep test finds each mutant, or it is proven not to be a fault. `make mutation` runs all.
# rtl/BLOCK/block.points states the percentage of distinct mutants that must be found (found:), at least a tenth below that of all mutants in docs/results/data/mutation.md.
. tests/lib.bash
. tb/harness/blocks.bash
export OUT="$work/mutation"
each=24

expect 0 env PROVE=survived tb/mutation/mutate.sh --sample $each
cat "$work/out"
for block in $(blocks); do
    jq -e --argjson floor "$(facts found "$block")" --argjson each $each --argjson explained "$(grep -c "^EXPLAINED: $block " "$OUT/sample/report.txt")" '(.points | length) as $points | .figures
        | .survived == $explained and .made == $each * $points and 100 * .killed >= $floor * .distinct
        and .made == .same + .copies + .killed + .idle + .unseen + .survived' "$OUT/sample/$block.json" >/dev/null || complain "$block: $(jq -c .figures "$OUT/sample/$block.json")"
done
# The memories of cart have no clock at their reads, and Yosys accepts no other enable than 1 there.
grep -q 'port RD_ADDR' "$OUT"/sample/cart-*/all || complain "cart: no mutation of a memory's reads"
! grep -q 'port RD_EN' "$OUT"/sample/cart-*/all || complain "cart: mutations of the enables of reads without a clock"
for option in TAIL=0 TAIL=1 POLICY=1 AGE_LIMIT=2 INDEX=0 HOLD=0 PAYLOAD_W=13; do grep -q "[ ,]$option[ ,]" "$work/out" || complain "no point with $option"; done

# If the select does not reach the mutants' numbers, nothing is tested, which is not a success.
mkdir -p "$work/shifted/cmodel"
cp -r tb rtl "$work/shifted"
cp cmodel/blocks.def "$work/shifted/cmodel"
sed -i 's/"mutate -ctrl mutsel 16 " NR)/"mutate -ctrl mutsel 16 " NR + 5000)/' "$work/shifted/tb/mutation/mutate.sh"
! cmp -s tb/mutation/mutate.sh "$work/shifted/tb/mutation/mutate.sh" || complain "no shift planted"
expect 1 env MEMTWIN="$PWD/$MEMTWIN" "$work/shifted/tb/mutation/mutate.sh" --sample 3 in_fifo
[ "$(grep -cv '^mutate: 1 of 1, ' "$work/err")" -eq 1 ] && grep -qF "in_fifo DEPTH=5 ADDR_W=4 ID_W=2: 3 of 3 mutants, over 25 %, have the graph of the block itself" "$work/err" ||
    complain "not one line beside the progress: $(cat "$work/err")"
[ ! -e "$OUT/sample/in_fifo.json" ] && [ ! -e "$OUT/sample/report.txt" ] || complain "a run that failed leaves the results of the one before"
[ -s "$OUT/sample/hir.json" ] || complain "results of another block were removed"
finish
