#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: full, 70 s
# The lockstep test finds mutants, and it can fail: a mutant in a Verilog twin differs in the same cycle at the same port; a fault in the
# Verilog is not accepted as the block; and a test that is too short leaves mutants that are not proven harmless.
. tests/lib.bash
export OUT="$work/mutation"
. tb/harness/blocks.bash
sample=$OUT/sample
mutate=tb/mutation/mutate.sh
fifo='DEPTH=5 ADDR_W=4 ID_W=2'

# Mutants that are not found in the first cycles, that are found late, and that are equivalent.
expect 0 $mutate --sample 150 in_fifo
found=$sample/in_fifo-1/found
late=$(awk '$2 == "killed" && $3 == 1' "$found" | sort -k4,4n | tail -n 1)
first=$(awk '$2 == "killed" && $3 == 1 && $4 > 1' "$found" | head -n 1)
for line in "$first" "$late"; do
    read -r number _ _ cycle port _ <<<"$line"
    expect 0 env OUT="$sample" $mutate --verilog in_fifo-1 "$number" "$work/rtl-$number"
    expect 3 env MEMTWIN_RTL="$work/rtl-$number" MEMTWIN_TWINS="$work/twins-$number" "$MEMTWIN" cosim in_fifo $(printf -- '-p %s ' $fifo) --cycles 150000 --seed 11
    grep -q "^verdict: MISMATCH: cycle $cycle, port $port," "$work/out" || complain "mutant $number: not in cycle $cycle at $port: $(tail -n 1 "$work/out")"
done
harmless=$(awk '$2 == "survived" { print $1; exit }' "$found")
expect 0 env OUT="$sample" $mutate --verilog in_fifo-1 "$harmless" "$work/rtl-$harmless"
expect 0 env MEMTWIN_RTL="$work/rtl-$harmless" MEMTWIN_TWINS="$work/twins-$harmless" "$MEMTWIN" cosim in_fifo $(printf -- '-p %s ' $fifo) --cycles 150000 --seed 11

# A mutant that is found only at an observed port: no other port differs, and none ever does. The mutants that are not found are proven in
# tests/mutation/sample.sh.
expect 0 env PROVE=observed $mutate --sample 120 lease
jq -e '.figures | .unproven > 0 and .survived == 0' "$sample/lease.json" >/dev/null || complain "PROVE=observed: $(jq -c .figures "$sample/lease.json")"
lease=$(parameters mutants lease | head -n 1)
expect 0 "$MEMTWIN" cosim lease $(printf -- '-p %s ' $lease) --cycles 150000 --seed 11 --model-only --record "$work/lease.vec"
read -r number _ _ cycle port _ < <(awk '$2 == "observed" && $3 == 1' "$sample/lease-1/found" | sort -k4,4n | tail -n 1)
expect 0 env OUT="$sample" $mutate --verilog lease-1 "$number" "$work/rtl-lease"
expect 3 env MEMTWIN_RTL="$work/rtl-lease" MEMTWIN_TWINS="$work/twins-lease" "$MEMTWIN" replay "$work/lease.vec"
grep -qx "verdict: MISMATCH: cycle $cycle, port $port" "$work/out" || complain "mutant $number: not in cycle $cycle at $port: $(tail -n 1 "$work/out")"
expect 0 env MEMTWIN_RTL="$work/rtl-lease" MEMTWIN_TWINS="$work/twins-lease" "$MEMTWIN" replay "$work/lease.vec" --no-observed
awk -v k="$number" '$1 == k { print $2 }' "$sample/lease-1/proofs" | grep -qxE 'idle|unseen' || complain "mutant $number is not proven to change no other port"

# At a point of shipped size nothing is proven, and mutants that are not found are counted.
expect 0 $mutate --large in_fifo
jq -e '.points | length == 1 and (.[0].figures | .made == 96 and .unproven > 0 and .survived == 0 and .made == .same + .copies + .killed + .unproven)' "$OUT/large/in_fifo.json" >/dev/null ||
    complain "at the point of shipped size: $(jq -c '.points[].figures' "$OUT/large/in_fifo.json")"
[ ! -e "$OUT/in_fifo.json" ] || complain "the large points have no section of their own"

# Two cycles find almost nothing. The remaining mutants differ and are reported.
expect 1 env RUNS=2:11 $mutate --sample 20 in_fifo
grep -q '^SURVIVED: in_fifo .*differs [0-9]* cycles after a reset' "$work/out" || complain "no survivor of a test of two cycles"

# A fault in the Verilog itself.
mkdir "$work/faulty"
cp -r rtl "$work/faulty/rtl"
sed -i 's/assign fill_ready *= /&!/' "$work/faulty/rtl/in_fifo/in_fifo.v"
! cmp -s rtl/in_fifo/in_fifo.v "$work/faulty/rtl/in_fifo/in_fifo.v" || complain "no fault planted"
expect 1 env MEMTWIN_RTL="$work/faulty/rtl" $mutate --sample 20 in_fifo
grep -q 'the netlist without a mutant differs from the model: cycle 1, port' "$work/err" || complain "a faulty block: $(cat "$work/err")"

# A report covers all mutants of the list for the current Verilog, not a sample or another version. Points of shipped size have a separate section.
large=$(. tb/harness/blocks.bash; points mutants in_fifo | awk '$3 ~ /,large$/ { sub(/^[^ ]+ [^ ]+ [^ ]+ /, ""); print }')
report() { # JQ FILTER: applies it to a result that matches the list
    jq -n --arg runs "$RUNS" --arg key "$(point_key in_fifo "$fifo")" --arg second "$(point_key in_fifo 'DEPTH=1 ADDR_W=2 ID_W=1')" \
        --argjson n "$(points mutants in_fifo | awk '{ print $3 + 0 }' | jq -s .)" --arg fifo "$fifo" '
        def mutants($n): [range($n) | {verdict: "killed", function_cycle: 1}];
        {block: "in_fifo", figures: {made: 0}, points: [
            {params: $fifo, key: $key, mutations: 1, runs: ($runs | split(" ")), figures: {made: 0}, mutants: mutants($n[0])},
            {params: "DEPTH=1 ADDR_W=2 ID_W=1", key: $second, mutations: 1, runs: ($runs | split(" ")), figures: {made: 0}, mutants: mutants($n[1])}]} | '"$1" >"$work/report/in_fifo.json"
}
report_large() { # JQ FILTER
    jq -n --arg runs "$RUNS" --arg key "$(point_key in_fifo "$large")" --arg large "$large" '
        {block: "in_fifo", figures: {made: 96}, points: [{params: $large, key: $key, mutations: 3722, runs: ($runs | split(" ")), figures: {made: 96, function: 80},
            mutants: [range(96) | {verdict: (if . == 7 then "unproven" else "killed" end), function_cycle: 1, mode: "inv", at: "Q", bit: 7}]}]} | '"$1" >"$work/report/large/in_fifo.json"
}
. tb/harness/blocks.bash
. tb/mutation/key.bash
RTL=rtl SEED=1 RUNS=$LOCKSTEP_RUNS
mkdir -p "$work/report/large"
of=(env OUT="$work/report" DOC="$work/mutation.md" tb/mutation/report.sh)
report_large .
expect_line 1 "run tb/mutation/report.sh" "${of[@]}" --large
report .
expect 0 "${of[@]}"
cp "$work/mutation.md" "$work/small.md"
grep -qF 'or `tb/mutation/explained.txt` has the reason' "$work/small.md" || complain "the page does not say where reasons are"
expect 0 "${of[@]}" --large
grep -qF "| \`in_fifo\` | \`$large\` | 3722 | 96 | 3 % |" "$work/mutation.md" && grep -qxF '* `in_fifo`: inv of Q[7], `-`' "$work/mutation.md" ||
    complain "the points of shipped size: $(diff "$work/small.md" "$work/mutation.md")"
cp "$work/mutation.md" "$work/both.md"
for again in '' --large; do
    expect 0 "${of[@]}" $again
    cmp -s "$work/both.md" "$work/mutation.md" || complain "written again it differs: $(diff "$work/both.md" "$work/mutation.md")"
done
report_large '.points[0].key = "-"'
expect_line 1 "is not for the current Verilog" "${of[@]}" --large
cmp -s "$work/both.md" "$work/mutation.md" || complain "a report that was refused has been written"
rm "$work/mutation.md"
report '.points[0].mutants |= .[1:]'
expect_line 1 "mutants instead of" "${of[@]}"
report '.points[1].key = .points[0].key'
expect_line 1 "is not for the current Verilog" "${of[@]}"
report '.points |= .[:1]'
expect_line 1 "does not match the points of" "${of[@]}"

# Verilog that has changed is run again, and unchanged Verilog is not.
expect 0 $mutate --sample 3 in_fifo
expect_line 1 "does not match the points of" env OUT="$sample" DOC="$work/mutation.md" tb/mutation/report.sh
[ ! -e "$work/mutation.md" ] || complain "a report that was refused has been written"
touch -d '2001-01-01' "$sample/in_fifo-1/point.json"
expect 0 env REUSE=1 $mutate --sample 3 in_fifo
[ "$(date -r "$sample/in_fifo-1/point.json" +%Y)" = 2001 ] || complain "REUSE=1 makes a point again"
mkdir "$work/otherwise"
cp -r rtl "$work/otherwise/rtl"
echo '// another' >>"$work/otherwise/rtl/in_fifo/in_fifo.v"
expect 0 env REUSE=1 MEMTWIN_RTL="$work/otherwise/rtl" $mutate --sample 3 in_fifo
[ "$(date -r "$sample/in_fifo-1/point.json" +%Y)" != 2001 ] || complain "REUSE=1 uses a point of another Verilog"
touch -d '2001-01-01' "$sample/in_fifo-1/point.json"
{ cat "$MEMTWIN" && echo; } >"$work/memtwin" # as if the block's driver had changed
chmod +x "$work/memtwin"
expect 0 env REUSE=1 MEMTWIN_RTL="$work/otherwise/rtl" MEMTWIN="$work/memtwin" MEMTWIN_HOME="$PWD" $mutate --sample 3 in_fifo
[ "$(date -r "$sample/in_fifo-1/point.json" +%Y)" != 2001 ] || complain "REUSE=1 uses a point of another program"

# Invalid settings.
for setting in SEED=x JOBS=x JOBS=0 RUNS=xx PROVE=x; do expect_line 1 "$setting" env "$setting" $mutate --sample 3 in_fifo; done

# Netlists that are incomplete, or of another block.
netlist=$sample/whole.aig
expect 0 $mutate --sample 20 in_fifo
cp "$sample/in_fifo-1/netlist.aig" "$netlist"
points=$(printf -- '-p %s ' $fifo)
head -c 2000 "$netlist" >"$work/short.aig"
printf 'aag 0 0 0 0 0\n' >"$work/text.aig"
expect_line 1 "short.aig: " "$MEMTWIN" mutants in_fifo $points --netlist "$work/short.aig" --mutants 20
expect_line 1 "text.aig: not a binary AIGER file" "$MEMTWIN" mutants in_fifo $points --netlist "$work/text.aig" --mutants 20
expect_line 1 "none.aig: cannot be opened" "$MEMTWIN" mutants in_fifo $points --netlist "$work/none.aig" --mutants 20
expect_line 1 "is no port of hir" "$MEMTWIN" mutants hir --netlist "$netlist" --mutants 20
expect_line 1 "is missing" "$MEMTWIN" mutants in_fifo -p DEPTH=5 -p ADDR_W=5 -p ID_W=2 --netlist "$netlist" --mutants 20
expect_line 1 "the netlist has no latch 99999" "$MEMTWIN" mutants in_fifo $points --netlist "$netlist" --part 1 --apart 99999 --miter "$work/m.aig"
expect_line 1 "CYCLES:SEED" "$MEMTWIN" mutants in_fifo --run 5
finish
