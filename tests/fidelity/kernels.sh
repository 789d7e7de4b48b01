#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: full, 240 s
# All kernels on gtx480, titanx, qv100 and rtx3070, and the micro traces, give the recorded page of fidelity.sh. On gtx480 and titanx, cycles are
# within 5 % of Accel-Sim's on average, and within 10 % for the worst kernel (11 with local memory); on qv100 without local memory, 3 and 10.
. tests/lib.bash
OUT=$work expect 0 sim/experiments/fidelity.sh
cmp -s "$work/fidelity.md" docs/results/data/fidelity.md ||
    complain "not the recorded page (if that is meant: make experiment-fidelity, make record):
$(diff "$work/fidelity.md" docs/results/data/fidelity.md | head -n 20)"
for config in gtx480 titanx; do
    grep -q "^| [*]*$config, all (159)" "$work/fidelity.md" || complain "$config: no row of 159 kernels"
done
grep -q '^| [*]*qv100, K (60)' "$work/fidelity.md" || complain "qv100: no row of the 60 kernels fixed before they ran"
for config in qv100 rtx3070; do
    grep -q "^| $config, M (24)" "$work/fidelity.md" || complain "$config: no row of the modern kernels"
done
grep -q '^| [*]*rtx3070, K (60)' "$work/fidelity.md" || complain "rtx3070: no row of those kernels"
awk -F ' *[|] *' '/^[|] [*]*(gtx480|titanx|qv100), / && !/simple models|qv100, L |qv100, M / {
    gsub(/[*]/, "", $3)
    split($3, e, " / ")
    if (e[1] > (/qv100/ ? 3 : 5) || e[2] > (/, [HI] / ? 11 : 10)) print $2 ": " $3 " % off"
}' "$work/fidelity.md" >"$work/off"
[ ! -s "$work/off" ] || complain "too far off: $(cat "$work/off")"
finish
