#!/bin/bash
# The proofs of tb/formal/proofs.txt that `make formal` leaves out for their time.
. tests/lib.bash
export OUT=$work/proofs

expect 0 tb/formal/run.sh --long
cat "$work/out"
n=$(grep -c '| l$' tb/formal/proofs.txt)
[ "$n" -gt 0 ] && [ "$(tail -n 1 "$work/out")" = "$n of $n shown" ] || complain "not $n"
finish
