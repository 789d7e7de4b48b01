#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# The proofs that `make formal` leaves out because they take long.
. tests/lib.bash
export OUT=$work/proofs

expect 0 tb/formal/run.sh --long
cat "$work/out"
n=$(tb/formal/run.sh --list | grep -c '|l$')
[ "$n" -gt 0 ] && [ "$(tail -n 1 "$work/out")" = "$n of $n shown" ] || complain "not $n"
finish
