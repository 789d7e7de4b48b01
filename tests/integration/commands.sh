#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: full, 30 s; long, 130 s
# The commands of docs/use/integration.md work as written: lint in three tools, the bench with waves in Icarus and in Verilator, and a user's
# own bench. The bench of every block (in tier full every sixth) passes in Verilator, and finds a fault there.
. tests/lib.bash
. tb/harness/blocks.bash

sed -n '/^    [a-z]/s/^    //p' docs/use/integration.md | grep -v '^fusesoc' >"$work/commands"
[ "$(wc -l <"$work/commands")" -ge 14 ] || complain "only $(wc -l <"$work/commands") commands in docs/use/integration.md"
rm -rf build/bench
while IFS= read -r command; do
    expect 0 bash -c "$command"
    [ -s "$work/err" ] && complain "$command: $(head -n 3 "$work/err")"
    case $command in
    vvp* | *verilated/V*) grep -q '^PASS [1-9][0-9]*00 cycles' "$work/out" || complain "$command: $(tail -n 3 "$work/out")" ;;
    verilator\ --binary*) ;;
    awk* | sed* | mkdir*) ;;
    build/memtwin*) grep -q '^verdict: PASS' "$work/out" || complain "$command: $(tail -n 3 "$work/out")" ;;
    *) [ ! -s "$work/out" ] || complain "$command prints: $(head -n 3 "$work/out")" ;;
    esac
done <"$work/commands"
for wave in icarus verilated; do grep -q '^ *\$var .*req_valid' build/bench/$wave.vcd || complain "$wave.vcd is no wave of the block"; done
[ "$(head -c 1 build/bench/icarus.fst | od -An -tu1)" -eq 0 ] && ! grep -q 'var wire' build/bench/icarus.fst || complain "icarus.fst is not FST"

# bench BLOCK RTL: runs the block's bench
bench() {
    verilate "$work/$1" "$1_bench" $(printf -- '-I%s ' "$2"/*/) $(sed "s|^rtl|$2|" "rtl/$1/$1.f") "$2/$1/sim/$1_bench.v"
    ("$work/$1/V$1_bench" +vectors="rtl/$1/sim/$1.vec"; exit) >"$work/out" 2>&1
}
for block in $(blocks); do
    [ $block = in_fifo ] || turn 6 6 || continue
    bench "$block" rtl && grep -q '^PASS 600 cycles' "$work/out" || complain "$block in Verilator: $(tail -n 3 "$work/out")"
done
# if the vectors are missing, one line names them, and there is no core dump
expect 1 "$work/in_fifo/Vin_fifo_bench" +vectors=nosuch
[ "$(cat "$work/out" "$work/err")" = "FAIL: cannot open vector file: nosuch" ] || complain "Verilator, no vectors: $(cat "$work/out" "$work/err")"
expect 1 vvp -n build/bench/dl_mshr.vvp +vectors=nosuch
grep -qx "FAIL: cannot open vector file: nosuch" "$work/out" || complain "Icarus, no vectors: $(cat "$work/out" "$work/err")"
cp -r rtl "$work/rtl"
sed -i 's/assign req_primary = !hit/assign req_primary = hit/' "$work/rtl/dl_mshr/dl_mshr.v"
! bench dl_mshr "$work/rtl" && grep -q '^req_primary: 0 instead of 1' "$work/out" || complain "planted fault: $(tail -n 3 "$work/out")"
finish
