#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: full, 80 s
# All 159 kernels and the micro traces on gtx480 and titanx, and with simple models, give the recorded page of fidelity.sh. Their cycles are
# within 5 % of Accel-Sim's on average, and within 10 % for the worst kernel.
. tests/lib.bash
OUT=$work expect 0 sim/experiments/fidelity.sh
cmp -s "$work/fidelity.md" docs/results/data/fidelity.md ||
    complain "not the recorded page (if that is meant: make experiment-fidelity, make record):
$(diff "$work/fidelity.md" docs/results/data/fidelity.md | head -n 20)"
for config in gtx480 titanx; do
    grep -q "^| [*]*$config, all (159)" "$work/fidelity.md" || complain "$config: no row of 159 kernels"
done
awk -F ' *[|] *' '/^[|] [*]*(gtx480|titanx), / && !/simple models/ { gsub(/[*]/, "", $3); split($3, e, " / "); if (e[1] > 5 || e[2] > 10) print $2 ": " $3 " % off" }' "$work/fidelity.md" >"$work/off"
[ ! -s "$work/off" ] || complain "more than 5 % in the mean or 10 % for a kernel: $(cat "$work/off")"
finish
