#!/bin/bash
# SPDX-License-Identifier: Apache-2.0
# tier: test, 10 s
# The progress line on a terminal: percent, launch m of n, CTAs, rate, time left. It fits the window, and its percentage never falls.
. tests/lib.bash

# lines COLUMNS REGEX ARGUMENT...: prints the lines shown. The program is paused during the first two seconds, which have no output.
lines() {
    local columns=$1 shown=$2
    shift 2
    rm -f "$work/pid"
    script -qec "stty cols $columns; $MEMTWIN $* & echo \$! >$work/pid; wait" /dev/null </dev/null >"$work/all" 2>&1 &
    for _ in $(seq 500); do [ -s "$work/pid" ] && grep -qs memtwin "/proc/$(<"$work/pid")/comm" && break; sleep 0.01; done
    sleep 0.1
    kill -STOP "$(cat "$work/pid")"
    sleep 2.1
    kill -CONT "$(cat "$work/pid")"
    wait
    tr '\r' '\n' <"$work/all" | sed 's/\x1b\[K//g' | grep -aE "$shown" >"$work/lines" || complain "no progress: $(head -c 300 "$work/all")"
    awk '{ if (match($0, /[0-9]+ % of/)) { p = substr($0, RSTART) + 0; if (p < last || p > 100) exit 1; last = p } }' "$work/lines" ||
        complain "the percent falls: $(cat "$work/lines")"
}

lines 150 ' CTAs, .*cycles/s' run -c pascal28 -w gaussian:128
grep -qvE '^gaussian:128: [0-9]+ % of kernels, ([0-9]+:[0-9]{2} left, )?kernel [0-9]+ of 254, [0-9]+ of [0-9]+ CTAs, [0-9.]+ M cycles, [0-9.e-]+ M instructions, [0-9]+ cycles/s$' "$work/lines" &&
    complain "a line: $(cat "$work/lines")"
lines 150 ' CTAs, .*cycles/s' run -c pascal28 -w bfs:65536 --max-time 6
grep -qvE '^bfs:65536: [0-9]+ % of (CTAs|the time limit), 0:0[0-6] left, kernel [0-9]+, [0-9]+ of 128 CTAs, ' "$work/lines" && complain "a line: $(cat "$work/lines")"
# A kernel of a few CTAs, which all end at its end: no percentage and no time.
lines 150 ' CTAs, .*cycles/s' run -c pascal28 -w bicg:512
grep -qvE '^bicg:512: kernel [12] of 2, [0-2] of 2 CTAs, ' "$work/lines" && complain "a line: $(cat "$work/lines")"
lines 150 ', block [0-9]+ of' trace export -w gaussian:160 -o "$work/trace"
grep -qvE '^[0-9]+ % of (CTAs|kernels), ([0-9]+:[0-9]{2} left, )?kernel [0-9]+ of 318 [(][a-zA-Z0-9_ ]+[)], block [0-9]+ of [0-9]+$' "$work/lines" && complain "a line: $(cat "$work/lines")"
lines 150 'instructions in total' trace check -t "$work/trace"
grep -qvE '^[0-9]+ % of (CTAs|kernels), ([0-9]+:[0-9]{2} left, )?kernel [0-9]+ of 318, [0-9]+ blocks, [0-9]+ instructions in total$' "$work/lines" && complain "a line: $(cat "$work/lines")"
printf '[study]\nconfig = pascal28\nworkload = gemm:1024 gemm:1000 gemm:960 gemm:1040\nmax_time = 2\n' >"$work/four.ini"
lines 150 ' runs/s' study "$work/four.ini" -o "$work/four.db" -j 1
grep -qvE '^four: ([0-9]+ % of runs, ([0-9]+:[0-9]{2} left, )?)?[0-4] of 4 done, 0 failed, [01] running, [0-9.]+ runs/s$' "$work/lines" && complain "a line: $(cat "$work/lines")"
# Checks that the time left counts down between two ends of runs.
awk 'match($0, /[0-9]+:[0-9]+ left/) { split(substr($0, RSTART), t, /[: ]/); match($0, /[0-4] of 4/); n = substr($0, RSTART, 1); s = 60 * t[1] + t[2]
    lines += n == of; if (n == of && s > left) exit 1; of = n; left = s } END { if (!lines) exit 1 }' "$work/lines" ||
    complain "the time left of a study grows: $(cat "$work/lines")"
finish
