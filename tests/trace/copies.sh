#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: test, 2 s
# Copies from global to shared memory: DEPBAR waits for the closed groups of its warp but for the last N, and for nothing else.
. tests/lib.bash

mkdir "$work/t"
echo kernel-1.traceg >"$work/t/kernelslist.g"
copy() { # LINE-OF-MEMORY: prints an LDGSTS
    printf '0000 ffffffff 0 LDGSTS.E 2 R2 R4 4 1 0x7f00%08x 4 0\n' "$1"
}
close='0010 ffffffff 0 LDGDEPBAR 0 0 0'
await() { # N
    echo "0020 ffffffff 0 DEPBAR.LE 0 0 $1"
}
work_for() { # N: prints N dependent instructions
    local i
    for ((i = 0; i < $1; i++)); do echo '0030 ffffffff 1 R6 IADD3 1 R6 0 0'; done
}
# cycles OPTION... BLOCK...: prints the cycles of a kernel that has a block of one warp for each BLOCK, the lines of that warp
cycles() {
    local options=() i=0 block
    while [[ $1 = -* ]]; do options+=("$1" "$2") && shift 2; done
    {
        printf -- '-kernel name = k\n-grid dim = (%d,1,1)\n-block dim = (32,1,1)\n-accelsim tracer version = 5\n#\n' $#
        for block; do
            printf '#BEGIN_TB\nthread block = %d,0,0\nwarp = 0\ninsts = %d\n%s\n00f0 ffffffff 0 EXIT 0 0 0\n#END_TB\n' \
                $((i++)) $(($(wc -l <<<"$block") + 1)) "$block"
        done
    } >"$work/t/kernel-1.traceg"
    "$MEMTWIN" run -t "$work/t" -q --check --json "$work/json" "${options[@]}" >"$work/out" 2>&1 || complain "$(tail -n 1 "$work/out")"
    jq .cycles "$work/json"
}
two="$(copy 0)
$close
$(copy 1048576)
$close"
for machine in "-c rtx3070" "-c tiny -s sm.count=1" "-c rtx3070 -s sm.scheduler=two_level"; do
    # shellcheck disable=SC2086
    run() { cycles $machine -s sm.launch_latency=0 "$1"$'\n'"$(work_for 300)"; }
    none=$(run "$two") all=$(run "$two"$'\n'"$(await 0)") one=$(run "$two"$'\n'"$(await 1)")
    [ "$all" -gt $((none + 50)) ] || complain "$machine: DEPBAR 0 does not wait: $all cycles, $none without"
    [ "$one" -gt $((none + 50)) ] || complain "$machine: DEPBAR 1 does not wait for the older of two groups: $one cycles, $none without"
    [ "$(run "$two"$'\n'"$(await '')")" = "$all" ] || complain "$machine: DEPBAR without an immediate does not wait for all groups"
    slower=$(run "$(copy 0)"$'\n'"$close"$'\n'"$(await 0)"$'\n'"$two"$'\n'"$(await 1)") # the older group hits in the L1D
    [ "$slower" -lt $((all + 100)) ] || complain "$machine: DEPBAR 1 waits for the younger of two groups: $slower cycles, $all for the first"
    for quiet in "$(await 2)" "$(await 63)"; do
        [ "$(run "$two"$'\n'"$quiet")" -le $((none + 2)) ] || complain "$machine: waits for none of two groups: $quiet"
    done
    [ "$(run "$(copy 0)"$'\n'"$(await 0)")" -le $((none + 2)) ] || complain "$machine: DEPBAR waits for a copy of an open group"
    [ "$(run "${two//LDGSTS.E 2/LDG.E 2}"$'\n'"$(await 0)")" -le $((none + 2)) ] || complain "$machine: DEPBAR waits for a load"
    # shellcheck disable=SC2086
    [ "$(cycles $machine -s sim.skip=no -s sm.launch_latency=0 "$two"$'\n'"$(await 0)"$'\n'"$(work_for 300)")" = "$all" ] ||
        complain "$machine: skipping changes cycles"
done
# An atomic that ends while its warp waits for copies does not end the wait: with and without a result, and in the slot of an earlier warp.
atom='0000 ffffffff 0 RED.E.ADD 2 R2 R4 4 1 0x7f0000200000 4 0'
for machine in "-c tiny" "-c v100" "-c tiny -s sm.scheduler=two_level" "-c rtx3070"; do
    wait="$(copy 1048576)"$'\n'"$close"$'\n'"$(await 0)"$'\n'"$(work_for 300)"
    # shellcheck disable=SC2086
    run() { cycles $machine -s sm.launch_latency=0 "0000 ffffffff 1 R8 LDG.E 1 R2 4 1 0x7f0000200000 4 0"$'\n'"0010 ffffffff 0 IADD3 1 R8 0 0"$'\n'"$1$wait"; }
    none=$(run '')
    for red in "$atom" "${atom/0 RED.E.ADD/1 R9 ATOMG.E.ADD}"; do
        [ "$(run "$red"$'\n')" -ge "$none" ] || complain "$machine: an atomic ends the wait for copies: $(run "$red"$'\n') cycles, $none without"
    done
done
[ "$(cycles -c tiny -s sm.count=1 -s sm.ctas=1 "$atom" "$wait")" -ge "$(cycles -c tiny -s sm.count=1 -s sm.ctas=1 "0000 ffffffff 0 NOP 0 0 0" "$wait")" ] ||
    complain "an atomic of an earlier warp ends the wait for copies"
# A warp does not wait for the copies of an earlier warp in its slot.
first="0000 ffffffff 1 R8 LDG.E 1 R2 4 1 0x7f0000000000 4 0
0010 ffffffff 0 IADD3 1 R8 0 0
$(copy 1048576)
$close"
second="$(copy 0)
$close
$(await 0)
$(work_for 300)"
small=(-c tiny -s sm.count=1 -s sm.ctas=1)
[ "$(cycles "${small[@]}" "$first" "$second")" = "$(cycles "${small[@]}" "${first/LDGSTS.E 2/LDG.E 2}" "$second")" ] ||
    complain "a warp waits for copies of the warp before it"
finish
