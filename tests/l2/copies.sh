#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: test, 2 s
# Copies to the GPU in a trace leave their lines in the L2 (l2.copy_fill), before the kernel that follows them. l2.flush removes lines between kernels.
. tests/lib.bash

# kernel N OPCODE LINES AT [whole]: writes kernel N, one warp of which accesses 4 B, or all, of each of LINES lines from hex address AT on
kernel() {
    awk -v n="$1" -v opcode="$2" -v lines="$3" -v at="$4" -v lanes="${5:+ffffffff}" -v step="${5:+4}" 'BEGIN {
        printf "-kernel name = k%d\n-kernel id = %d\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-shmem = 0\n-nregs = 16\n", n, n
        printf "-binary version = 70\n-cuda stream id = 0\n-shmem base_addr = 0x7f1000000000\n-local mem base_addr = 0x7f1100000000\n-accelsim tracer version = 4\n\n"
        printf "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = %d\n", lines + 1
        regs = opcode ~ /^LD/ ? "1 R6 " opcode " 1 R8" : "0 " opcode " 2 R8 R6"
        for (i = 0; i < lines; i++) printf "0040 %s %s 4 1 0x%s%06x %d\n", lanes ? lanes : "00000001", regs, at, 128 * i, step
        printf "00f0 ffffffff 0 EXIT 0 0 0\n#END_TB\n"
    }' >"$work/kernel-$1.traceg"
}
# measure OPTION...: runs the trace on titanx with one SM, and prints L2 read misses of each kernel, and lines that copies left
measure() {
    expect 0 "$MEMTWIN" run -c titanx -s sm.count=1 -t "$work" -q --check --detail --json "$work/run.json" "$@" >&2
    jq -c '[.detail[] | select(.name | test("^k[0-9]$")) | .stats.l2_primary_misses], .stats.l2_copy_fills' "$work/run.json" | xargs
}
kernel 1 LDG.E.SYS 300 7f0000
kernel 2 LDG.E.SYS 300 7f2000
kernel 3 LDG.E.SYS 300 7f2000
printf '%s\n' MemcpyHtoD,7f0000000000,38400 kernel-1.traceg kernel-2.traceg MemcpyHtoD,7f2000000010,1000 kernel-3.traceg >"$work/kernelslist.g"
got=$(measure)
[ "$got" = '[0,300,0] 308' ] || complain "300 lines copied before kernel 1, none before 2: $got"
got=$(measure -s l2.copy_fill=no)
[ "$got" = '[300,300,0] 0' ] || complain "without l2.copy_fill: $got"
got=$(measure --kernels 3)
[ "$got" = '[292] 308' ] || complain "kernel 3 alone, after both copies: $got"

# With l2.flush, kernel 3 finds no line of kernel 2, and copies between the two stay.
got=$(measure -s l2.flush=yes)
[ "$got" = '[0,300,292] 308' ] || complain "with l2.flush: $got"

# A copy of 64 MB replaces what the 3 MB of L2 held. Dirty bytes of its victims are not lost (--check); only its end stays.
kernel 1 STG.E.SYS 300 7f0000
kernel 2 LDG.E.SYS 300 7f0000
kernel 3 LDG.E.SYS 300 7f2000
printf '%s\n' kernel-1.traceg MemcpyHtoD,7f1ffc000000,0x0 MemcpyHtoD,7f1ffc000000,67108864 kernel-2.traceg MemcpyHtoD,7f2000000000,38400 \
    MemcpyHtoD,7fffffffff80,4096 kernel-3.traceg >"$work/kernelslist.g"
got=$(measure)
[[ $got == '['*',300,0] 98'* ]] || complain "a copy above the L2: $got"
grep -q 'copies to the device take no time (3, ' "$work/err" || complain "no note on copies: $(cat "$work/err")"

# Dirty bytes of a flush are not lost either (--check).
kernel 1 STG.E.SYS 300 7f0000 whole
kernel 2 LDG.E.SYS 300 7f0000 whole
printf '%s\n' kernel-1.traceg kernel-2.traceg >"$work/kernelslist.g"
got=$(measure)
[ "$got" = '[0,0] 0' ] || complain "a load of stored lines: $got"
got=$(measure -s l2.flush=yes)
[ "$got" = '[0,1200] 0' ] || complain "a load of stored lines, with l2.flush: $got"
finish
