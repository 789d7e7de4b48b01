#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: test, 1 s
# Each kernel of a trace gets the L1D that its shared memory leaves (l1d.carveouts).
. tests/lib.bash

# kernel N BYTES: writes kernel N, whose warp loads 300 lines twice and whose CTA has this much shared memory
kernel() {
    awk -v n="$1" -v bytes="$2" 'BEGIN {
        printf "-kernel name = k%d\n-kernel id = %d\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-shmem = %d\n-nregs = 16\n", n, n, bytes
        printf "-binary version = 70\n-cuda stream id = 0\n-shmem base_addr = 0x7f1000000000\n-local mem base_addr = 0x7f1100000000\n-accelsim tracer version = 4\n\n"
        printf "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 601\n"
        for (i = 0; i < 600; i++) printf "0040 00000001 1 R6 LDG.E.SYS 1 R6 4 1 0x7f%010x 0\n", 128 * (i % 300)
        printf "00f0 ffffffff 0 EXIT 0 0 0\n#END_TB\n"
    }' >"$work/kernel-$1.traceg"
}
kernel 1 0
kernel 2 98304
kernel 3 1024
printf 'kernel-%d.traceg\n' 1 2 3 >"$work/kernelslist.g"
expect 0 "$MEMTWIN" run -c v100 -s sm.count=1 -t "$work" -q --check --detail --json "$work/run.json"
hits=$(jq -c '[.detail[] | select(.name | test("^k[123]$")) | .stats.l1d_hits]' "$work/run.json")
# 96 KiB leave 256 lines, so that LRU keeps none of 300; 32 CTAs of 1 KiB leave 768.
[ "$hits" = '[300,0,300]' ] || complain "L1D hits of kernels with 0, 96 and 1 KiB of shared memory: $hits"
expect_line 1 'l1d.carveouts=0,64: the last size is below sm.shared_kib=96' "$MEMTWIN" run -c v100 -w addvect:64 -s l1d.carveouts=0,64
expect 0 "$MEMTWIN" run -c v100 -t "$work" -q -s l1d.carveouts=none
finish
