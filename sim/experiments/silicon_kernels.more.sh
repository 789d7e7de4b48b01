#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Compares the runs with the counters of a Quadro GV100 in silicon_kernels.csv. experiment.sh calls it; writes silicon_kernels.rows.csv
# and silicon_kernels.card.csv.
set -euo pipefail
. "$(dirname "$0")/../../tb/env.bash"
here=$PWD/sim/experiments
cd "$OUT"
pairs=()
for pair in 'backprop forward=bpnn_layerforward_CUDA' 'backprop adjust=bpnn_adjust_weights_cuda' hotspot=calculate_temp sgemm=mysgemmNT \
    'btree range=findRangeK' 'fwt pass=fwtBatch2Kernel' 'fwt shared=fwtBatch1Kernel' 'mergesort sort=mergeSortSharedKernel' \
    'mergesort merge=mergeElementaryIntervalsKernel' 'qrng generate=quasirandomGeneratorKernel' 'qrng invert=inverseCNDKernel' \
    sobolqrng=sobolGPU_kernel 'kmeans assign=kmeansPoint' 'mriq q=ComputeQ_GPU'; do
    pairs+=(--kernel "$pair")
done
cp "$here/silicon_kernels.csv" silicon_kernels.card.csv
"$MEMTWIN" compare silicon_kernels.db "$here/silicon_kernels.csv" "${pairs[@]}" -q --csv silicon_kernels.rows.csv >/dev/null
