#!/bin/bash
# What finds mutants is the lockstep test itself, and it can fail: a mutant as Verilog in a twin differs in the same cycle at the same port;
# a fault in the Verilog is not taken for the block; a test that is too short leaves mutants, which are not proven away.
. tests/lib.bash
export OUT="$work/mutation"
mutate=tb/mutation/mutate.sh
fifo='DEPTH=5 ADDR_W=4 ID_W=2'

# A mutant that the first cycles do not find, one that is found late, one that is no fault.
expect 0 $mutate --sample 60 in_fifo
found=$OUT/in_fifo-1/found
late=$(awk '$2 == "killed" && $3 == 1' "$found" | sort -k4,4n | tail -n 1)
first=$(awk '$2 == "killed" && $3 == 1 && $4 > 1' "$found" | head -n 1)
for line in "$first" "$late"; do
    read -r number _ _ cycle port _ <<<"$line"
    expect 0 $mutate --verilog in_fifo-1 "$number" "$work/rtl-$number"
    expect 3 env MEMTWIN_RTL="$work/rtl-$number" MEMTWIN_TWINS="$work/twins-$number" "$MEMTWIN" cosim in_fifo $(printf -- '-p %s ' $fifo) --cycles 150000 --seed 11
    grep -q "^verdict: MISMATCH: cycle $cycle, port $port," "$work/out" || complain "mutant $number: not in cycle $cycle at $port: $(tail -n 1 "$work/out")"
done
harmless=$(awk '$2 == "survived" { print $1; exit }' "$found")
expect 0 $mutate --verilog in_fifo-1 "$harmless" "$work/rtl-$harmless"
expect 0 env MEMTWIN_RTL="$work/rtl-$harmless" MEMTWIN_TWINS="$work/twins-$harmless" "$MEMTWIN" cosim in_fifo $(printf -- '-p %s ' $fifo) --cycles 150000 --seed 11

# One that is found at an observed port alone: nothing else differs.
expect 0 "$MEMTWIN" cosim in_fifo $(printf -- '-p %s ' $fifo) --cycles 150000 --seed 11 --model-only --record "$work/fifo.vec"
read -r number _ _ cycle port _ < <(awk '$2 == "observed" && $3 == 1' "$found" | sort -k4,4n | tail -n 1)
expect 0 $mutate --verilog in_fifo-1 "$number" "$work/rtl-$number"
expect 3 env MEMTWIN_RTL="$work/rtl-$number" MEMTWIN_TWINS="$work/twins-$number" "$MEMTWIN" replay "$work/fifo.vec"
grep -qx "verdict: MISMATCH: cycle $cycle, port $port" "$work/out" || complain "mutant $number: not in cycle $cycle at $port: $(tail -n 1 "$work/out")"
expect 0 env MEMTWIN_RTL="$work/rtl-$number" MEMTWIN_TWINS="$work/twins-$number" "$MEMTWIN" replay "$work/fifo.vec" --no-observed
[ "$(awk -v k="$number" '$1 == k { print $2 }' "$OUT/in_fifo-1/proofs")" = unseen ] || complain "mutant $number is not proven to change nothing else"

# Two cycles find hardly anything: what is left differs, and says so.
expect 1 env RUNS=2:11 $mutate --sample 60 in_fifo
grep -q '^SURVIVED: in_fifo .*differs [0-9]* cycles after a reset' "$work/out" || complain "no survivor of a test of two cycles"

# A fault in the Verilog itself.
mkdir "$work/faulty"
cp -r rtl "$work/faulty/rtl"
sed -i 's/assign fill_ready *= /&!/' "$work/faulty/rtl/in_fifo/in_fifo.v"
! cmp -s rtl/in_fifo/in_fifo.v "$work/faulty/rtl/in_fifo/in_fifo.v" || complain "no fault planted"
expect 2 env RTL="$work/faulty" $mutate --sample 20 in_fifo
grep -q 'the netlist without a mutant differs from the model: cycle 1, port' "$work/err" || complain "a faulty block: $(cat "$work/err")"

# Netlists that are not whole, or of another block.
netlist=$OUT/whole.aig
expect 0 $mutate --sample 20 in_fifo
cp "$OUT/in_fifo-1/netlist.aig" "$netlist"
points=$(printf -- '-p %s ' $fifo)
head -c 2000 "$netlist" >"$work/short.aig"
printf 'aag 0 0 0 0 0\n' >"$work/text.aig"
expect_line 1 "short.aig: " "$MEMTWIN" mutants in_fifo $points --netlist "$work/short.aig" --mutants 20
expect_line 1 "text.aig: no binary AIGER file" "$MEMTWIN" mutants in_fifo $points --netlist "$work/text.aig" --mutants 20
expect_line 1 "none.aig: cannot be opened" "$MEMTWIN" mutants in_fifo $points --netlist "$work/none.aig" --mutants 20
expect_line 1 "is no port of hir" "$MEMTWIN" mutants hir --netlist "$netlist" --mutants 20
expect_line 1 "is missing" "$MEMTWIN" mutants in_fifo -p DEPTH=5 -p ADDR_W=5 -p ID_W=2 --netlist "$netlist" --mutants 20
expect_line 1 "the netlist has no latch 99999" "$MEMTWIN" mutants in_fifo $points --netlist "$netlist" --part 1 --apart 99999 --miter "$work/m.aig"
expect_line 1 "CYCLES:SEED" "$MEMTWIN" mutants in_fifo --run 5
finish
