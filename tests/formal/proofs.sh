#!/bin/bash
# The quick proofs of `make formal` hold: docs/verification.md. The runner refuses what it does not know.
. tests/lib.bash
export OUT=$work/proofs

expect 0 tb/formal/run.sh --quick
shown=$(tail -n 1 "$work/out")
n=$(grep -c '| q$' tb/formal/proofs.txt)
[ "$n" -gt 9 ] && [ "$shown" = "$n of $n shown" ] || complain "$shown, not $n"
[ "$(grep -cE 'proven, unbounded|by structure' "$work/out")" -eq "$n" ] || complain "not all unbounded: $(cat "$work/out")"
expect_line 2 'no such proof' tb/formal/run.sh cart haste
finish
