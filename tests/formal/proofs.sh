#!/bin/bash
# The quick proofs of `make formal` hold: docs/verification.md. The runner refuses what it does not know.
. tests/lib.bash
export OUT=$work/proofs

expect 0 tb/formal/run.sh --quick
shown=$(tail -n 1 "$work/out")
n=$(grep -c '| q$' tb/formal/proofs.txt)
[ "$n" -gt 9 ] && [ "$shown" = "$n of $n shown" ] || complain "$shown, not $n"
[ "$(grep -cE 'proven, unbounded|by structure' "$work/out")" -eq "$n" ] || complain "not all unbounded: $(cat "$work/out")"
# each contract says how many assertions it has; one that was lost is noticed
grep -E '^[^#].*\| contract \|' tb/formal/proofs.txt | grep -vE '\| (pdr|induction) [1-9][0-9]* \|' && complain "contracts whose assertions nobody has counted"
sed -n 's/^\(mt_ram_slice .* WIDTH=4 .* induction\) [0-9]*/\1 3/p' tb/formal/proofs.txt >"$work/proofs.txt"
PROOFS=$work/proofs.txt expect 1 tb/formal/run.sh
grep -q 'EMPTY: 2 assertions of the 3 ' "$work/out" || complain "an assertion less passes: $(cat "$work/out")"
expect_line 2 'no such proof' tb/formal/run.sh cart haste
finish
