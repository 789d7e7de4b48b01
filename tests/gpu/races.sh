#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: full, 70 s; long, 300 s
# ThreadSanitizer finds no race between the threads of a run: built-in kernels and traces on three threads, all of which work in every phase.
# Tier full: every ninth kernel.
. tests/lib.bash
export MEMTWIN_ALL_THREADS=1 TSAN_OPTIONS='halt_on_error=1 exitcode=66'

expect 0 make -s build/tsan/memtwin
MEMTWIN=build/tsan/memtwin
grep -q "a refused request has another plan" "$MEMTWIN" || complain "the program for races does not check its short cuts"

quiet() { # OPTION...
    expect 0 "$MEMTWIN" run -q --threads 3 "$@"
    [ ! -s "$work/err" ] || complain "$*: $(head -n 30 "$work/err")"
}

n=0
while read -r w; do
    n=$((n + 1))
    [ "${TIER:-full}" = long ] || [ $((n % 9)) = 1 ] || continue
    case $((n / 9 % 3)) in
    0) quiet -c titanx -w "$w" ;;
    1) quiet -c gtx480 -w "$w" ;;
    2) quiet -c tiny -w "$w" -s l1d.mshr=dl -s l2.mshr=dl ;;
    esac
    # the SMs of a trace are on all threads
    [ $((n % 4)) = 0 ] || continue
    expect 0 "$MEMTWIN" trace export -w "$w" -o "$work/exported"
    quiet -c titanx -t "$work/exported/kernelslist.g"
    rm -r "$work/exported"
done <tests/gpu/small_kernels.txt
for kind in vecadd vecadd16 divergent random; do
    expect 0 "$MEMTWIN" trace make "$kind" --warps 96 -o "$work/$kind"
    quiet -c titanx -t "$work/$kind/kernelslist.g" --json-series --json "$work/x.json"
    quiet -c gtx480 -t "$work/$kind/kernelslist.g"
done
finish
