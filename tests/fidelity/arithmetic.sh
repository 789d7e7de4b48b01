#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: test, 9 s
# Micro traces of arithmetic, of copies to shared memory and of an L1D's misses on qv100, titanv, rtx2060 and rtx3070 take Accel-Sim's cycles within the bounds of
# sim/experiments/fidelity/arithmetic.txt, with and without skipped cycles, and miss them without the mechanism that they are for. The table of
# docs/results/fidelity.md has them.
. tests/lib.bash
machines=(qv100 titanv rtx2060 rtx3070)
cycles() { # CONFIG TRACE OPTION...: prints the cycles of a micro trace
    "$MEMTWIN" run -c "$1" -s sm.launch_latency=0 -t "sim/experiments/fidelity/micro/$2.traceg.xz" -q "${@:3}" --json - 2>/dev/null | jq .cycles
}
n=0
while read -r name theirs[0] theirs[1] theirs[2] theirs[3] bound what; do
    row="| \`$name\` | $what |"
    for i in 0 1 2 3; do
        [ "${theirs[i]}" = - ] && row+=" - |" && continue
        ours=$(cycles "${machines[i]}" "$name")
        row+=" ${theirs[i]} / $ours |"
        awk -v o="$ours" -v t="${theirs[i]}" -v b="$bound" 'BEGIN { e = 100 * (o - t) / t; exit !(e <= b && -e <= b) }' ||
            complain "$name on ${machines[i]}: $ours cycles, Accel-Sim ${theirs[i]}, bound $bound %"
        n=$((n + 1))
    done
    echo "$row" >>"$work/table"
done < <(grep -v '^#' sim/experiments/fidelity/arithmetic.txt)
[ $n -ge 90 ] || complain "only $n figures"
awk '/^## /{ p = /^## Arithmetic/ } p && /^\| `m_/' docs/results/fidelity.md | diff - "$work/table" >"$work/diff" ||
    complain "docs/results/fidelity.md, Arithmetic: $(head -n 6 "$work/diff")"
# Skipping idle cycles changes none.
for name in m_lds_alu m_atoms m_dp_thr m_exit_alu m_bar_dep m_tex_int m_ldgsts_two m_ldgsts_both m_same_thr m_bank_thr; do
    [ "$(cycles rtx2060 $name)" = "$(cycles rtx2060 $name -s sim.skip=no)" ] || complain "$name: skipping changes cycles"
done
# The data check knows that loads overtake loads, and both lines of a copy.
for name in m_same_thr m_bank_thr m_ldgsts_both; do
    expect 0 "$MEMTWIN" run -c rtx3070 -t sim/experiments/fidelity/micro/$name.traceg.xz -q --check
done
# Banks share the entries of an L1D's MSHR.
[ "$(cycles rtx3070 m_same_thr -s l1d.mshr_entries=24)" -gt "$(cycles rtx3070 m_same_thr -s l1d.mshr_entries=24 -s l1d.mshr_shared=no)" ] ||
    complain "m_same_thr: 24 entries for each bank are no more than 24 for all"
# The table of mechanisms: KEY CONFIG TRACE CYCLES, without the mechanism.
while read -r key config name ours; do
    [ "$(cycles "$config" "$name" -s "$key")" = "$ours" ] || complain "$key: $name takes $(cycles "$config" "$name" -s "$key") cycles, not $ours"
    grep -qF "| \`$key\` on $config | \`$name\` | $ours |" docs/results/fidelity.md || complain "docs/results/fidelity.md: $key, $name"
done <<END
sm.register_ports=0 qv100 m_alu_ind 407
sm.register_ports=0 qv100 m_alu_banks 1017
sm.register_ports=0 qv100 m_lds_alu 2882
sm.register_ports=1 qv100 m_alu_banks 1562
sm.int=none qv100 m_fp_int 850
sm.int=none rtx2060 m_sfu_dp 14586
sm.branch=none qv100 m_bra_thr 850
sm.texture=none qv100 m_tex_int 850
sm.tensor=none rtx3070 m_tensor_int 850
sm.uniform=none rtx2060 m_udp_int 850
l1d.miss_room=0 rtx3070 m_same_thr 3353
l1d.mshr_entries=96 rtx3070 m_bank_thr 5239
sm.copies=shared rtx3070 m_ldgsts_both 11550
END
finish
