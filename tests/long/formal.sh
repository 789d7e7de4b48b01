#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# All proofs: those of `make formal`, of which tier full has only the quick ones, and those that it leaves out because they take long.
. tests/lib.bash
export OUT=$work/proofs

expect 0 tb/formal/run.sh
grep -qE '^([0-9]+) of \1 shown$' "$work/out" || complain "$(tail -n 1 "$work/out")"
expect 0 tb/formal/run.sh --long
cat "$work/out"
n=$(tb/formal/run.sh --list | grep -c '|l$')
[ "$n" -gt 0 ] && [ "$(tail -n 1 "$work/out")" = "$n of $n shown" ] || complain "not $n"
finish
