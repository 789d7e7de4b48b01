#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Figures 32 and 33: L1D accesses and warp instructions of an SM per 1,000 cycles, over 100,000 cycles: bp and sv alone, and together with
# Warped-Slicer's CTAs. experiment.sh calls it; writes concurrent_kernels_0.dat .. _3.dat with cycle, accesses and instructions.
set -euo pipefail
. "$(dirname "$0")/../../tb/env.bash"
cd "$OUT"
ctas=$(sqlite3 concurrent_kernels.db "SELECT v.value FROM result r JOIN run ON run.id = r.run JOIN config_value v ON v.config = run.config
    WHERE r.study = 'concurrent_kernels.2_pairs' AND r.scheme = 'ws' AND r.workload = 'backprop:65536+spmv' AND v.key = 'cke.partition'")
[ -n "$ctas" ] || exit 0
series=$(mktemp)
trap 'rm -f "$series"' EXIT
# sampled PREFIX FILE: writes the sampled figures of a workload, those of an SM
sampled() {
    awk -F, -v prefix="$1" 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
        { printf "%s\t%.4f\t%.4f\n", $at["cycle"], $at[prefix "l1d_accesses"] / 16, $at[prefix "warp_insts"] / 16 }' "$series" >"concurrent_kernels_$2.dat"
}
run() { # OPTION...
    "$MEMTWIN" run -q -c maxwell16_cke -s cke.restart=launch -s sim.max_cycles=100000 --sample 1000 --series "$series" "$@" >/dev/null
}
run -w backprop:65536
sampled '' 0
run -w spmv
sampled '' 1
run -w backprop:65536+spmv -s "cke.partition=$ctas"
sampled w0_ 2
sampled w1_ 3
