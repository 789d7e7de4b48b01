#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# Writes a trace of kernels of several CUDA streams into a folder: kernelslist.g and kernel-N.traceg.
#
#   sim/experiments/fidelity/stream_trace.sh DIR "KERNEL" ["KERNEL"]..
#
# KERNEL is "STREAM CTAS WARPS KIND N [BASE [SHARED]]": each warp of each CTA runs N instructions of
# a kind, and exits. BASE is the number of the first 4 KiB of the kernel's addresses, and SHARED the
# bytes of shared memory of a CTA. A KERNEL of "copy BASE BYTES" is a copy to the device. Kinds:
#
#   alu   dependent additions
#   l1    loads of the warp's own line, each dependent on the one before
#   same  loads of N lines that all warps have in common, each dependent on the one before
#   l2    the same as l1, past the L1D
#   dram  loads of N lines of the warp's own, each dependent on the one before
#   ld    loads of N lines of the warp's own, independent
#   st    stores to N lines of the warp's own
#   put   stores to the N lines of `same`
set -euo pipefail
folder=$(realpath -m -- "${1:-.}") # before env.bash changes to the root of the checkout
. "$(dirname "$0")/../../../tb/env.bash"

case ${1:-} in -h | --help) sed -n '3,/^set/{s/^# \{0,1\}//p}' "$script_path" && exit ;; esac
[ $# -ge 2 ] || { sed -n '3,/^set/{s/^# \{0,1\}//p}' "$script_path" >&2 && exit 1; }
dir=$folder
shift
mkdir -p "$dir"
: >"$dir/kernelslist.g"
n=0
for kernel; do
    case $kernel in
    copy*)
        read -r _ base bytes <<<"$kernel"
        printf 'MemcpyHtoD,0x7f%010x,%d\n' $((base * 4096)) "$bytes" >>"$dir/kernelslist.g"
        continue
        ;;
    esac
    n=$((n + 1))
    echo "kernel-$n.traceg" >>"$dir/kernelslist.g"
    awk -v id=$n -v spec="$kernel" "$(cat sim/experiments/fidelity/trace.awk)"'
        function at(line) { return sprintf("0x7f%010x", base * 4096 + line * 128) }
        function ld(to, from, line, kind) { put("0040", "1 R" to " LDG.E" kind " 1 R" from " 4 1 " at(line) " 4 0") }
        function warp(c, w, g,   k) {
            for (k = 0; k < n; k++)
                if (kind == "alu") put("0010", "1 R6 IADD3 1 R6 0 0")
                else if (kind == "l1") ld(6, 6, g, ".SYS")
                else if (kind == "same") ld(6, 6, k, ".SYS")
                else if (kind == "l2") ld(6, 6, g, ".STRONG.GPU")
                else if (kind == "dram") ld(6, 6, g * n + k, ".SYS")
                else if (kind == "ld") ld(6 + k % 20, 30, g * n + k, ".SYS")
                else if (kind == "st") put("0050", "0 STG.E.SYS 2 R2 R6 4 1 " at(g * n + k) " 4 0")
                else if (kind == "put") put("0050", "0 STG.E.SYS 2 R2 R6 4 1 " at(k) " 4 0")
                else { print "stream_trace.sh: " kind ": no such kind" >"/dev/stderr"; exit 1 }
            put("00f0", "0 EXIT 0 0 0")
        }
        BEGIN {
            split(spec, s, " ")
            kind = s[4]
            n = s[5]
            base = s[6] + 0
            head(kind id, id, s[2], s[3], s[7], 16, 70, s[1], "7e1", 4)
            blocks(s[2], s[3])
        }' </dev/null >"$dir/kernel-$n.traceg"
done
