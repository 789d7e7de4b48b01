#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: test, 3 s
# With the hints of tb/harness/twin.vlt, Verilator evaluates a wide decoder once; without them, once for each bit that is read.
. tests/lib.bash

# The flags are those of twin.mk, which builds twins of faulty RTL too and therefore does not end at a warning.
# shifts BLOCK HINTS NAME=VALUE..: prints the number of shifts of wide vectors in the C++ of a twin
shifts() {
    verilator --cc --top-module "$1" --prefix Vtop --language 1364-2005 -Wno-fatal -O3 --no-timing --flatten --unroll-count 300 \
        --unroll-stmts 100000 -Irtl/mshr -Irtl/lib -Irtl/"$1" $(printf -- '-G%s ' "${@:3}") --Mdir "$work/$1" $2 $(cat "rtl/$1/$1.f") >"$work/log" 2>&1 ||
        complain "$*: $(tail -n 1 "$work/log")"
    grep -oh 'VL_SHIFTL_WWI(' "$work/$1"/*.cpp | wc -l
    rm -rf "${work:?}/$1"
}

while read -r block point; do
    with=$(shifts "$block" tb/harness/twin.vlt $point)
    without=$(shifts "$block" '' $point)
    [ "$with" -lt 60 ] && [ "$without" -gt 90 ] || complain "$block $point: $with shifts with the hints, $without without them"
done <<'POINTS'
static_mshr ENTRIES=96 SLOTS=2 LOOKUP=2
expiry ENTRIES=96
POINTS
finish
